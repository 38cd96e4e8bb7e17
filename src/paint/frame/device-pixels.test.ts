import { describe, expect, it } from 'vitest'
import { statesDesktop } from '../../../test/support/paint/states.ts'
import { DESKTOP_STYLES } from '../../desktop/style/style.ts'
import { layersOf } from '../desktop-layers.ts'
import { themeOf } from '../styles/styles.ts'
import type { Layer } from './layer.ts'
import { layer } from './layer.ts'
import { cornerOf, type Mark, solid } from './mark.ts'
import { projectLayer } from './project-layer.ts'
import { spriteOf } from './sprite.ts'

// Rules such as [P25a] are stated in SPEC.md of the folder above.

const SCALES = [1, 1.25, 1.5, 1.75, 2]
const SCENES = ['controls', 'collections', 'popups'] as const

/** All marks of some layers, in the same order before and after a projection. */
const marksOf = (layers: readonly Layer[]): readonly Mark[] =>
  layers.flatMap((each) => [...each.marks, ...marksOf(each.children), ...each.over])

type Pair = readonly [written: Mark, painted: Mark]

/** Each mark of the scenes of a style, and the same mark at a scale. */
function pairsOf(style: (typeof DESKTOP_STYLES)[number], scale: number, mirror?: number): readonly Pair[] {
  const projection = { ratio: scale, scale, mirror }
  return SCENES.flatMap((scene) => {
    const layers = layersOf(statesDesktop(style, scene), themeOf(style))
    const painted = scale === 1 && mirror === undefined ? layers : layers.map((each) => projectLayer(projection, each))
    const [before, after] = [marksOf(layers), marksOf(painted)]
    return before.map((mark, index): Pair => [mark, after[index]!])
  })
}

const describeMark = ({ look, ink }: Mark) => `${look.kind} ${JSON.stringify(ink)}`

/** The sides of a box without its round corners: the pixels along its middle row and column. */
function profilesOf(mark: Mark): readonly (readonly number[])[] {
  if (mark.look.kind !== 'box' && mark.look.kind !== 'face') return []
  const { width, height, pixels } = spriteOf(mark, mark.look)
  const radius = mark.look.radius ?? 0
  const corner = mark.look.kind === 'box' ? cornerOf(mark.look) : Math.ceil(radius as number) + 1
  const across = Array.from({ length: width }, (_, x) => pixels[(height >> 1) * width + x]!)
  const down = Array.from({ length: height }, (_, y) => pixels[y * width + (width >> 1)]!)
  // Where the corners meet, no side is straight.
  return [...(height > 2 * corner ? [across] : []), ...(width > 2 * corner ? [down] : [])]
}

/** Whether the straight sides of a box are its border in full thickness around one fill, or one fill alone. */
function isSharp(mark: Mark): boolean {
  const { look } = mark
  if (look.kind !== 'box') return true
  const edge = look.border === undefined ? 0 : (look.thickness ?? 1)
  return profilesOf(mark).every((profile) => {
    const parts = [
      profile.slice(0, edge),
      profile.slice(edge, profile.length - edge),
      profile.slice(profile.length - edge),
    ]
    return parts.every((part) => new Set(part).size <= 1)
  })
}

describe.each([...DESKTOP_STYLES])('the style %s', (style) => {
  describe.each(SCALES)('at the scale %d', (scale) => {
    const pairs = pairsOf(style, scale)

    it('[P25a] has all edges on whole pixels', () => {
      const drawn = pairs.map(([, mark]) => mark).filter(({ look }) => look.kind !== 'text' && look.kind !== 'shadow')
      expect(drawn.length).toBeGreaterThan(200)
      const between = drawn.filter(({ ink }) => ![ink.x, ink.y, ink.width, ink.height].every(Number.isInteger))
      expect(between.map(describeMark)).toEqual([])
    })

    it('[P25b] has lines of one width, at least one pixel', () => {
      const thin = (size: number) => size >= 1 && size <= 3
      const width = (size: number) => Math.max(1, Math.round(size * scale))
      const lines = pairs.filter(
        ([{ look, ink }]) => (look.kind === 'flat' || look.kind === 'box') && (thin(ink.width) || thin(ink.height)),
      )
      expect(lines.length).toBeGreaterThan(30)
      const wrong = lines.filter(
        ([{ ink }, { ink: painted }]) =>
          (thin(ink.width) && painted.width !== width(ink.width)) ||
          (thin(ink.height) && painted.height !== width(ink.height)),
      )
      expect(wrong.map(([mark, painted]) => `${describeMark(mark)} became ${describeMark(painted)}`)).toEqual([])
    })

    it('[P25c] has boxes whose straight sides are not blended', () => {
      const boxes = pairs.map(([, mark]) => mark).filter((mark) => profilesOf(mark).length > 0)
      expect(boxes.length).toBeGreaterThan(20)
      const blended = boxes.filter((mark) => !isSharp(mark))
      expect(blended.map(({ key }) => key)).toEqual([])
    })
  })

  it('[P25b] has lines of one width when it is mirrored', () => {
    const wrong = pairsOf(style, 1.25, 1280).filter(
      ([{ look, ink }, painted]) => look.kind === 'flat' && ink.height === 1 && painted.ink.height !== 1,
    )
    expect(wrong.map(([mark]) => describeMark(mark))).toEqual([])
  })
})

describe('a line', () => {
  const projected = (mirror: number | undefined, ...marks: readonly Mark[]) =>
    projectLayer({ ratio: 1.5, scale: 1.5, mirror }, layer({ marks })).marks.map(({ ink }) => ink)

  it('[P25b] keeps the edge of the area that it is in', () => {
    const area = { x: 1, y: 1, width: 21, height: 21 }
    const sides = [
      { ...area, height: 1 },
      { ...area, y: 21, height: 1 },
      { ...area, width: 1 },
      { ...area, x: 21, width: 1 },
    ].map((ink) => solid(ink, '#000000'))
    for (const mirror of [undefined, 100]) {
      const [whole, top, bottom, one, other] = projected(mirror, solid(area, '#ffffff'), ...sides)
      const [left, right] = mirror === undefined ? [one, other] : [other, one]
      const end = { x: whole!.x + whole!.width, y: whole!.y + whole!.height }
      expect(top).toEqual({ ...whole, height: 2 })
      expect(bottom).toEqual({ ...whole, y: end.y - 2, height: 2 })
      expect(left).toEqual({ ...whole, width: 2 })
      expect(right).toEqual({ ...whole, x: end.x - 2, width: 2 })
    }
  })
})
