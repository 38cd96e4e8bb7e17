import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { galleryNames } from '../../compose/gallery.ts'
import { memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { loadScenario } from '../../compose/preview.ts'
import { hitTest } from '../../desktop/hit.ts'
import { changeWindow, type Desktop } from '../../desktop/model/desktop.ts'
import { changeAt, type Path } from '../../desktop/model/element.ts'
import { contains, intersect, type Rect, translate } from '../../desktop/model/geometry.ts'
import { type RoleKind, roleKind } from '../../desktop/model/role.ts'
import { projectRect, type ScreenProjection, unprojectPoint } from '../../desktop/projection.ts'
import { DESKTOP_STYLES, type DesktopStyle, styleMetrics } from '../../desktop/style/style.ts'
import { outerBounds } from '../../desktop/windows/frame.ts'
import { primaryMonitor } from '../../desktop/windows/panel.ts'
import { call } from '../../observer/call.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { VariantChoices } from '../../scenario/variants/axis.ts'
import { createPainter } from '../painter.ts'
import { type ElementArea, visibleAreas } from './areas.ts'

// Rules such as [AN9] are stated in README.md beside this file.

/** Each scenario is looked at on one of these screens per style, so that every scenario has all of them. */
const SCREENS: readonly VariantChoices[] = [{}, { scale: '1.5' }, { locale: 'mirrored' }]
/** How far a focus ring or an overhanging letter is painted beyond its element, in pixels of the desktop. */
const OVERHANG_PX = 4
/** The height of the name that is painted above an element. */
const CAPTION_PX = 20
/** The strip of a thumb that lies over what it scrolls. */
const THUMB_PX = 14
/** At most so many elements of a picture are left out, one after the other. */
const MAX_ELEMENTS = 60
/** Kinds that paint a line along all their edges in each style. */
const EDGED: ReadonlySet<RoleKind> = new Set<RoleKind>(['edit', 'combo', 'document', 'list', 'table'])

/** Kinds that have a thumb when their items do not fit. */
const SCROLLING: ReadonlySet<RoleKind> = new Set<RoleKind>(['list', 'table', 'tree'])

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

/**
 * Whether an edge of one box is more than a pixel inside the other. Where something covers or clips it, it may be, and the
 * rest may be a part of its round corner.
 */
function isLoose(found: Rect, { box, bounds, pixels }: ElementArea, corner: number): boolean {
  const most = pixels === bounds.width * bounds.height ? 1 : corner
  return (
    (box.x === bounds.x && found.x > box.x + most) ||
    (box.y === bounds.y && found.y > box.y + most) ||
    (box.x + box.width === bounds.x + bounds.width && found.x + found.width < box.x + box.width - most) ||
    (box.y + box.height === bounds.y + bounds.height && found.y + found.height < box.y + box.height - most)
  )
}

/** Where the name of an element is painted: above it or, in a form, beside it. The value of a slider is beside it. */
function captionsOf({ bounds, element }: ElementArea, ratio: number): readonly Rect[] {
  const height = Math.ceil(CAPTION_PX * ratio)
  const above = { ...bounds, y: bounds.y - height, height }
  const beside = Math.ceil(Math.abs(element.traits?.formLabel?.x ?? 0) * ratio)
  const inForm = { ...bounds, x: bounds.x - beside, width: bounds.width + 2 * beside }
  return roleKind(element.role) === 'slider' ? [above, inForm, grown(bounds, 2 * height)] : [above, inForm]
}

/** The squares with the round corners of windows, behind which an element is painted beyond its area. */
function cornersOf({ windows, style }: Desktop, projection: ScreenProjection | undefined): readonly Rect[] {
  const metrics = styleMetrics(style)
  const radius = Math.ceil(metrics.radius.window * (projection?.ratio ?? 1))
  return windows.flatMap((window) => {
    const outer = outerBounds(window, metrics)
    const { x, y, width, height } = projection ? projectRect(projection, outer) : outer
    const square = { width: radius, height: radius }
    return [x, x + width - radius].flatMap((left) =>
      [y, y + height - radius].map((top) => ({ x: left, y: top, ...square })),
    )
  })
}

/**
 * Where others show that an element is there: the thumbs of what scrolls it, and the name of a container that would be empty
 * without it. Forms have cards around their controls.
 */
function dependentsOf({ window, path }: ElementArea, areas: readonly ElementArea[], ratio: number): readonly Rect[] {
  const around = areas.filter(
    (each) => each.window === window && each.path.length < path.length && isPrefix(each.path, path),
  )
  const parent = around.find((each) => each.path.length === path.length - 1)
  const siblings = parent?.element.children.filter((_, index) => index !== path.at(-1)) ?? []
  const bars = siblings.filter(({ role }) => roleKind(role) === 'scrollbar').map(({ id }) => id)
  const isAlone = parent && siblings.every(({ traits }) => traits?.hidden === true)
  return [
    ...areas.filter((each) => each.window === window && bars.includes(each.element.id)).map(({ bounds }) => bounds),
    ...around
      .filter(({ element }) => element.traits?.overflow || SCROLLING.has(roleKind(element.role)))
      .flatMap(({ bounds }) => edgesOf(bounds, THUMB_PX * ratio)),
    ...(isAlone ? [parent.bounds] : []),
    ...around
      .filter(({ element }) => element.layout?.arrange === 'form')
      .map(({ bounds }) => grown(bounds, OVERHANG_PX * ratio)),
  ]
}

const isPrefix = (one: Path, other: Path): boolean => one.every((index, depth) => other[depth] === index)

/** The strips along the sides and the lower edge, where thumbs are. */
const edgesOf = ({ x, y, width, height }: Rect, size: number): readonly Rect[] => [
  { x, y, width: size, height },
  { x: x + width - size, y, width: size, height },
  { x, y: y + height - size, width, height: size },
]

/** The styles that paint names of tools between them, GNOME also the title of a window. */
const NAMES_IN_BARS: readonly DesktopStyle[] = ['gnome', 'macos']

/** The row of a tool in a bar where names are painted between tools. */
function headerRowOf({ window, path, bounds }: ElementArea, { windows, style }: Desktop): readonly Rect[] {
  const found =
    style !== undefined && NAMES_IN_BARS.includes(style) ? windows.find(({ uid }) => uid === window) : undefined
  const bar = path.slice(0, -1).reduce((element, index) => element?.children[index], found?.tree)
  return bar?.role === 'ToolBar' ? [{ ...bounds, x: 0, width: Number.POSITIVE_INFINITY }] : []
}

/** The parts of an element and of all that is in it, some of which may be outside of it. */
const partsBelow = ({ window, path }: ElementArea, areas: readonly ElementArea[]): readonly Rect[] =>
  areas.filter((each) => each.window === window && isPrefix(path, each.path)).flatMap(({ parts }) => parts)

/** What is wrong with the areas of a desktop: pixels that belong to another element, and boxes that are too large. */
function problemsOf({ theme, projection }: Scenario, desktop: Desktop) {
  const painter = createPainter({ ...(theme !== undefined && { theme }), projection })
  const shown = painter.screen(desktop)
  const before = shown.pixels()
  const ratio = projection?.ratio ?? 1
  const overhang = Math.ceil(OVERHANG_PX * ratio)
  const origin = primaryMonitor(desktop)!.bounds
  const shownFrom = projection ? projectRect(projection, origin) : origin
  const problems: string[] = []
  let count = 0
  const areas = visibleAreas(desktop, { projection })
  const corners = cornersOf(desktop, projection).map((corner) => translate(corner, -shownFrom.x, -shownFrom.y))
  // The root is not painted. A text that is hidden makes the control that it names paint the name itself.
  const painted = areas.filter(
    ({ element, path, window }) => path.length > 0 && roleKind(element.role) !== 'text' && !window.startsWith('shell:'),
  )
  const step = Math.ceil(painted.length / MAX_ELEMENTS)
  for (const area of painted.filter((_, index) => index % step === 0)) {
    const { element, path, window, box } = area
    const parts = partsBelow(area, areas)
    const kind = roleKind(element.role)
    count++
    const changed = changedPixels(before, painter.screen(without(desktop, area)).pixels(), shown.width)
    const where = `${element.id} ${element.role} ${JSON.stringify(element.name)} at ${Object.values(box)}`
    const near = parts.map((part) => grown(part, overhang))
    const captions = captionsOf(area, ratio)
    const isIn = (rects: readonly Rect[], [x, y]: Pixel) => rects.some((rect) => contains(rect, { x, y }))
    const others = [...dependentsOf(area, areas, ratio), ...headerRowOf(area, desktop)]
    const behind = corners.flatMap((corner) => intersect(corner, area.bounds) ?? [])
    const stray = changed.filter((pixel) => ![near, captions, behind, others].some((rects) => isIn(rects, pixel)))
    if (stray.length > 0)
      problems.push(`${where} also paints ${stray.length} pixels at ${Object.values(around(stray))}`)
    const own = changed.filter((pixel) => isIn(parts, pixel))
    const sample = own.filter((_, index) => index % Math.ceil(own.length / 20) === 0)
    for (const [x, y] of kind === 'tooltip' ? [] : sample) {
      const pixel = { x: x + Math.round(shownFrom.x), y: y + Math.round(shownFrom.y) }
      const hit = hitTest(desktop, projection ? unprojectPoint(projection, pixel) : pixel)
      const isHit =
        hit && 'path' in hit && hit.window.uid === window && path.every((index, depth) => hit.path[depth] === index)
      if (!isHit) problems.push(`${where} paints ${x},${y}, which does not hit it`)
    }
    // A box at the end of a row in a card has no face.
    const isFlat = kind === 'combo' && element.traits?.formLabel?.isEnd === false
    if (
      EDGED.has(kind) &&
      !isFlat &&
      isLoose(around(own), area, Math.ceil(styleMetrics(desktop.style).radius.list * ratio))
    )
      problems.push(`${where} paints only ${Object.values(around(own))}`)
  }
  return { problems, count }
}

/** The number of steps before the picture that is taken inside of a solution. */
const stepsBefore = (name: string, style: number): number => 1 + ((name.length + style) % 2)

describe.each(galleryNames().map((name, index) => ({ name, index })))('$name', ({ name, index }) => {
  describe('[AN9] [AN10] each element in its area', () => {
    it.each(
      shareOf(
        DESKTOP_STYLES.map((style, place) => [style, place] as const),
        index,
      ),
    )('paints in the style %s', { timeout: 600_000 }, async (style, place) => {
      const screen = SCREENS[(index + place) % SCREENS.length]!
      const scenario = await loadScenario(name, { variant: { style, ...screen } })
      const session = memorySession(scenario)
      const last = stepsBefore(name, place)
      for await (const { number } of playSolution(session, scenario.solutions[0])) if (number === last) break
      const { problems, count } = problemsOf(scenario, session.computer.run.desktop)
      expect([screen, ...problems]).toEqual([screen])
      expect(count).toBeGreaterThan(1)
    })
  })
})

describe('[AN9] each control of a form in its area', () => {
  it.each(DESKTOP_STYLES)('paints in the style %s', { timeout: 600_000 }, async (style) => {
    const scenario = await loadScenario('inbox', { variant: { style } })
    const session = memorySession(scenario)
    await call(session.session, 'click_element', { element_id: 'open-preferences', window_uid: 'mail' })
    const { desktop } = session.computer.run
    const only = { ...desktop, windows: desktop.windows.filter(({ uid }) => uid === 'preferences') }
    const { problems, count } = problemsOf(scenario, only)
    expect(problems).toEqual([])
    expect(count).toBeGreaterThan(10)
  })
})
