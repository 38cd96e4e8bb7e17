import { describe, expect, it } from 'vitest'
import { statesDesktop } from '../../../test/support/paint/states.ts'
import { DESKTOP_STYLES } from '../../desktop/style/style.ts'
import { layersOf } from '../desktop-layers.ts'
import { themeOf } from '../styles/styles.ts'
import { cornerOf, type DrawOp, solid } from './draw-op.ts'
import type { Layer } from './layer.ts'
import { layer } from './layer.ts'
import { projectLayer } from './project-layer.ts'
import { spriteOf } from './sprite.ts'

// Rules such as [PNT106] are stated in SPEC.md of the folder above.

const SCALES = [1, 1.25, 1.5, 1.75, 2]
const SCENES = ['controls', 'collections', 'popups'] as const

/** All operations of some layers, in the same order before and after a projection. */
const opsOf = (layers: readonly Layer[]): readonly DrawOp[] =>
  layers.flatMap((each) => [...each.ops, ...opsOf(each.children), ...each.over])

type Pair = readonly [written: DrawOp, painted: DrawOp]

/** The layers of the scenes of each style, which are the same at every scale. */
const layersOfStyle = new Map(
  DESKTOP_STYLES.map((style) => [style, SCENES.map((scene) => layersOf(statesDesktop(style, scene), themeOf(style)))]),
)

/** Each operation of the scenes of a style, and the same one at a scale. */
function pairsOf(style: (typeof DESKTOP_STYLES)[number], scale: number, mirror?: number): readonly Pair[] {
  const projection = { ratio: scale, scale, mirror }
  return layersOfStyle.get(style)!.flatMap((layers) => {
    const painted = scale === 1 && mirror === undefined ? layers : layers.map((each) => projectLayer(projection, each))
    const [before, after] = [opsOf(layers), opsOf(painted)]
    return before.map((op, index): Pair => [op, after[index]!])
  })
}

const describeOp = ({ style, bounds }: DrawOp) => `${style.kind} ${JSON.stringify(bounds)}`

/** The sides of a box without its round corners: the pixels along its middle row and column. */
function profilesOf(op: DrawOp): readonly (readonly number[])[] {
  if (op.style.kind !== 'box' && op.style.kind !== 'roundedGradient') return []
  const { width, height, pixels } = spriteOf(op, op.style)
  const radius = op.style.radius ?? 0
  const corner = op.style.kind === 'box' ? cornerOf(op.style) : Math.ceil(radius as number) + 1
  const across = Array.from({ length: width }, (_, x) => pixels[(height >> 1) * width + x]!)
  const down = Array.from({ length: height }, (_, y) => pixels[y * width + (width >> 1)]!)
  // Where the corners meet, no side is straight.
  return [...(height > 2 * corner ? [across] : []), ...(width > 2 * corner ? [down] : [])]
}

/** Whether the straight sides of a box are its border in full thickness around one fill, or one fill alone. */
function isSharp(op: DrawOp): boolean {
  const { style } = op
  if (style.kind !== 'box') return true
  const edge = style.border === undefined ? 0 : (style.thickness ?? 1)
  return profilesOf(op).every((profile) => {
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

    it('[PNT106] has all edges on whole pixels', () => {
      const drawn = pairs.map(([, op]) => op).filter(({ style }) => style.kind !== 'text' && style.kind !== 'shadow')
      expect(drawn.length).toBeGreaterThan(200)
      const between = drawn.filter(
        ({ bounds }) => ![bounds.x, bounds.y, bounds.width, bounds.height].every(Number.isInteger),
      )
      expect(between.map(describeOp)).toEqual([])
    })

    it('[PNT107] has lines of one width, at least one pixel', () => {
      const thin = (size: number) => size >= 1 && size <= 3
      const width = (size: number) => Math.max(1, Math.round(size * scale))
      const lines = pairs.filter(
        ([{ style, bounds }]) =>
          (style.kind === 'flat' || style.kind === 'box') && (thin(bounds.width) || thin(bounds.height)),
      )
      expect(lines.length).toBeGreaterThan(30)
      const wrong = lines.filter(
        ([{ bounds }, { bounds: painted }]) =>
          (thin(bounds.width) && painted.width !== width(bounds.width)) ||
          (thin(bounds.height) && painted.height !== width(bounds.height)),
      )
      expect(wrong.map(([op, painted]) => `${describeOp(op)} became ${describeOp(painted)}`)).toEqual([])
    })

    it('[PNT108] has boxes whose straight sides are not blended', () => {
      const boxes = pairs.map(([, op]) => op).filter((op) => profilesOf(op).length > 0)
      expect(boxes.length).toBeGreaterThan(20)
      const blended = boxes.filter((op) => !isSharp(op))
      expect(blended.map(({ key }) => key)).toEqual([])
    })
  })

  it('[PNT107] has lines of one width when it is mirrored', () => {
    const wrong = pairsOf(style, 1.25, 1280).filter(
      ([{ style, bounds }, painted]) => style.kind === 'flat' && bounds.height === 1 && painted.bounds.height !== 1,
    )
    expect(wrong.map(([op]) => describeOp(op))).toEqual([])
  })
})

describe('a line', () => {
  const projected = (mirror: number | undefined, ...ops: readonly DrawOp[]) =>
    projectLayer({ ratio: 1.5, scale: 1.5, mirror }, layer({ ops })).ops.map(({ bounds }) => bounds)

  it('[PNT107] keeps the edge of the area that it is in', () => {
    const area = { x: 1, y: 1, width: 21, height: 21 }
    const sides = [
      { ...area, height: 1 },
      { ...area, y: 21, height: 1 },
      { ...area, width: 1 },
      { ...area, x: 21, width: 1 },
    ].map((bounds) => solid(bounds, '#000000'))
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
