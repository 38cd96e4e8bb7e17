import { describe, expect, it } from 'vitest'
import { memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { loadScenario } from '../../compose/preview.ts'
import { changeWindow, type Desktop } from '../../desktop/model/desktop.ts'
import { changeAt } from '../../desktop/model/element.ts'
import { contains, type Rect } from '../../desktop/model/geometry.ts'
import { type Kind, kindOf } from '../../desktop/model/role.ts'
import { unprojectPoint } from '../../desktop/projection/projection.ts'
import { DESKTOP_STYLES } from '../../desktop/style/style.ts'
import { hitTest } from '../../desktop/tree/hit.ts'
import { primaryMonitor } from '../../desktop/windows/panel.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { VariantChoices } from '../../scenario/variants/variant-choices.ts'
import { createPainter } from '../painter.ts'
import { type ElementArea, visibleAreas } from './areas.ts'

// Rules such as [AN9] are stated in README.md beside this file.

/** The scenarios that are compared. `back-office` has differences that are not explained yet, and other scenarios were not tried. */
const SCENARIOS = ['calendar', 'form', 'login', 'mail', 'settings']
const SCREENS: readonly VariantChoices[] = [{}, { scale: '1.5' }, { locale: 'mirrored' }]
/** Pictures are taken at the start and after one of so many steps of the solution. */
const EVERY = 5
/**
 * How far a focus ring or an overhanging letter is painted beyond its element, and an element behind the round corner of a
 * window beyond its area, in pixels of the desktop.
 */
const OVERHANG_PX = 4
/** The height of the name that is painted above an element. */
const CAPTION_PX = 20
/** Kinds that paint a line along all their edges. */
const EDGED: ReadonlySet<Kind> = new Set<Kind>(['edit', 'combo', 'document', 'list', 'tree', 'table'])

/** The desktop without what an element paints. Everything else stays in its place. */
function without(desktop: Desktop, { window, path }: ElementArea): Desktop {
  return changeWindow(desktop, window, (found) => ({
    ...found,
    tree: changeAt(found.tree, path, (element) => ({ ...element, traits: { ...element.traits, hidden: true } })),
  }))
}

type Pixel = readonly [x: number, y: number]

/** The pixels in which two pictures of one size differ. */
function changedPixels(before: Uint8Array, after: Uint8Array, width: number): readonly Pixel[] {
  const [one, other] = [before, after].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  ) as [Buffer, Buffer]
  const found: Pixel[] = []
  const row = width * 4
  for (let y = 0; y * row < one.length; y++) {
    if (one.compare(other, y * row, (y + 1) * row, y * row, (y + 1) * row) === 0) continue
    for (let x = 0; x < width; x++) {
      const at = y * row + x * 4
      if (one.readUInt32LE(at) !== other.readUInt32LE(at)) found.push([x, y])
    }
  }
  return found
}

const grown = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** The box around pixels. */
function around(pixels: readonly Pixel[]): Rect {
  const box = { left: Infinity, top: Infinity, right: -1, bottom: -1 }
  for (const [x, y] of pixels) {
    box.left = Math.min(box.left, x)
    box.top = Math.min(box.top, y)
    box.right = Math.max(box.right, x)
    box.bottom = Math.max(box.bottom, y)
  }
  return { x: box.left, y: box.top, width: box.right - box.left + 1, height: box.bottom - box.top + 1 }
}

/** Whether an edge of one box is more than a pixel inside the other. Where something covers or clips it, it may be. */
const isLoose = (found: Rect, { box, bounds }: ElementArea): boolean =>
  (box.x === bounds.x && found.x > box.x + 1) ||
  (box.y === bounds.y && found.y > box.y + 1) ||
  (box.x + box.width === bounds.x + bounds.width && found.x + found.width < box.x + box.width - 1) ||
  (box.y + box.height === bounds.y + bounds.height && found.y + found.height < box.y + box.height - 1)

/** The strip above an element, in which its name is painted, and beside a slider, in which its value is. */
function captionsOf({ bounds, element }: ElementArea, ratio: number): readonly Rect[] {
  const height = Math.ceil(CAPTION_PX * ratio)
  const above = { ...bounds, y: bounds.y - height, height }
  return kindOf(element.role) === 'slider' ? [above, grown(bounds, 2 * height)] : [above]
}

/** The parts of an element and of all that is in it, some of which may be outside of it. */
const partsBelow = ({ window, path }: ElementArea, areas: readonly ElementArea[]): readonly Rect[] =>
  areas
    .filter((each) => each.window === window && path.every((index, depth) => each.path[depth] === index))
    .flatMap(({ parts }) => parts)

/** What is wrong with the areas of a desktop: pixels that belong to another element, and boxes that are too large. */
function problemsOf({ theme, projection }: Scenario, desktop: Desktop) {
  const painter = createPainter({ ...(theme !== undefined && { theme }), projection })
  const shown = painter.screen(desktop)
  const before = shown.pixels()
  const ratio = projection?.ratio ?? 1
  const overhang = Math.ceil(OVERHANG_PX * ratio)
  const origin = primaryMonitor(desktop)!.bounds
  const problems: string[] = []
  let count = 0
  const areas = visibleAreas(desktop, { projection })
  for (const area of areas) {
    const { element, path, window, box } = area
    const parts = partsBelow(area, areas)
    const kind = kindOf(element.role)
    // The root is not painted. A text that is hidden makes the control that it names paint the name itself.
    if (path.length === 0 || kind === 'text' || window.startsWith('shell:')) continue
    count++
    const changed = changedPixels(before, painter.screen(without(desktop, area)).pixels(), shown.width)
    const where = `${element.id} ${element.role} ${JSON.stringify(element.name)} at ${Object.values(box)}`
    const near = parts.map((part) => grown(part, overhang))
    const captions = captionsOf(area, ratio)
    const isIn = (rects: readonly Rect[], [x, y]: Pixel) => rects.some((rect) => contains(rect, { x, y }))
    const stray = changed.filter((pixel) => !isIn(near, pixel) && !isIn(captions, pixel))
    if (stray.length > 0)
      problems.push(`${where} also paints ${stray.length} pixels at ${Object.values(around(stray))}`)
    const own = changed.filter((pixel) => isIn(parts, pixel))
    const sample = own.filter((_, index) => index % Math.ceil(own.length / 20) === 0)
    for (const [x, y] of kind === 'tooltip' ? [] : sample) {
      const pixel = { x: x + Math.round(origin.x), y: y + Math.round(origin.y) }
      const hit = hitTest(desktop, projection ? unprojectPoint(projection, pixel) : pixel)
      const isHit =
        hit && 'path' in hit && hit.window.uid === window && path.every((index, depth) => hit.path[depth] === index)
      if (!isHit) problems.push(`${where} paints ${x},${y}, which does not hit it`)
    }
    if (EDGED.has(kind) && isLoose(around(own), area))
      problems.push(`${where} paints only ${Object.values(around(own))}`)
  }
  return { problems, count }
}

describe.each(SCENARIOS)('%s', (name) => {
  describe('[AN9] [AN9a] each element in its area', () => {
    it.each(DESKTOP_STYLES)(
      'paints in the style %s',
      {
        timeout: 600_000,
      },
      async (style) => {
        for (const screen of SCREENS) {
          const scenario = await loadScenario(name, { variant: { style, ...screen } })
          const session = memorySession(scenario)
          let elements = 0
          const check = () => {
            const { problems, count } = problemsOf(scenario, session.computer.run.desktop)
            expect([screen, ...problems]).toEqual([screen])
            elements += count
          }
          check()
          for await (const { number } of playSolution(session, scenario.solutions[0])) if (number % EVERY === 0) check()
          expect(elements).toBeGreaterThan(1)
        }
      },
    )
  })
})
