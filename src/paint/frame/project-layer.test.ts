import { describe, expect, it } from 'vitest'
import { button, desktop, edit, rect, text, window } from '../../desktop/model/builders.ts'
import { changeWindow, type Desktop } from '../../desktop/model/desktop.ts'
import { changeAt, withFields } from '../../desktop/model/element.ts'
import { projectRect, type ScreenProjection } from '../../desktop/projection.ts'
import { createPainter } from '../painter.ts'
import { icon, path } from './draw-op.ts'
import { layer } from './layer.ts'
import { projectLayer } from './project-layer.ts'
import { spriteOf } from './sprite.ts'

const SCREEN = rect(0, 0, 400, 300)
const sample = (value: string): Desktop =>
  desktop(
    { monitors: [{ index: 0, primary: true, bounds: SCREEN, scaleFactor: 1 }], panel: true, nowMs: 0 },
    window(
      'Form',
      { bounds: rect(40, 20, 300, 200) },
      button('Enter', { bounds: rect(60, 60, 90, 32) }),
      edit('Name', { bounds: rect(60, 140, 200, 32), value }),
      text('Ready', { bounds: rect(60, 180, 120, 20) }),
    ),
  )
/** The desktop after its field changed, so that a slot repaints only the field. */
const changed = (before: Desktop, value: string): Desktop =>
  changeWindow(before, before.windows[0]!.uid, (shown) => ({
    ...shown,
    tree: changeAt(shown.tree, [1], (field) => withFields(field, { value })),
  }))

const PROJECTIONS: readonly ScreenProjection[] = [
  { ratio: 0.75, scale: 0.75 },
  { ratio: 1.25, scale: 1.25 },
  { ratio: 2, scale: 2 },
  { ratio: 1, scale: 1, mirror: 400 },
  { ratio: 1.5, scale: 1, mirror: 400 },
]

describe.each(PROJECTIONS)('a screen projected by %o', (projection) => {
  it('[PNT105] shows texts in their size and place', () => {
    const [plain, shown] = [createPainter(), createPainter({ projection })].map(
      (painter) => painter.screen(sample('Ada')).text ?? [],
    )
    expect(shown!.map(({ text: word }) => word)).toEqual(plain!.map(({ text: word }) => word))
    const enter = shown!.find(({ text: word }) => word === 'Enter')!.bounds
    const area = projectRect(projection, rect(60, 60, 90, 32))
    expect(enter.x).toBeGreaterThan(area.x)
    expect(enter.x + enter.width).toBeLessThan(area.x + area.width)
    expect(enter.width / plain!.find(({ text: word }) => word === 'Enter')!.bounds.width).toBeCloseTo(
      projection.ratio,
      1,
    )
  })

  it('[PNT105] repaints a change as if it were new', () => {
    const painter = createPainter({ projection })
    const before = sample('Ada')
    painter.screen(before).pixels()
    const after = changed(before, 'Grace')
    const fresh = createPainter({ projection: { ...projection } })
    expect(
      Buffer.compare(painter.screen(after).pixels(), fresh.area(after, projectRect(projection, SCREEN)).pixels()),
    ).toBe(0)
  })
})

it('[PNT13] has the caption of a field at its mirrored side, however far its letters reach down', () => {
  const form = desktop(
    { monitors: [{ index: 0, primary: true, bounds: SCREEN, scaleFactor: 1 }], nowMs: 0 },
    window(
      'Form',
      { bounds: rect(40, 20, 300, 200) },
      ...['Note', 'ملاحظة'].map((name, row) => edit(name, { bounds: rect(60, 90 + row * 70, 200, 32) })),
    ),
  )
  const projection = { ratio: 1, scale: 1, mirror: 400 }
  const runs = createPainter({ projection }).screen(form).text ?? []
  const right = projectRect(projection, rect(60, 90, 200, 32)).x + 200
  for (const name of ['Note', 'ملاحظة']) {
    const { bounds } = runs.find((run) => run.text === name)!
    expect(Math.abs(bounds.x + bounds.width - right)).toBeLessThan(4)
  }
})

it.each(PROJECTIONS)('[PNT105] draws a path as large as its place, projected by %o', (projection) => {
  const square = path(rect(10, 10, 24, 24), {
    path: 'M0 0h16v16h-16z',
    size: { width: 16, height: 16 },
    colour: '#ff0000',
  })
  const [op] = projectLayer(projection, layer({ ops: [square] })).ops
  const { width, height, pixels } = spriteOf(op!, op!.style as Parameters<typeof spriteOf>[1])
  expect({ width, height }).toEqual({ width: op!.bounds.width, height: op!.bounds.height })
  expect(new Set(pixels)).toEqual(new Set([0xff0000ff]))
})

const WITHOUT_COUNTERPART = ['reply-all', 'send'] as const

it.each([...WITHOUT_COUNTERPART])('[PNT14] turns an icon that points to the end of a line: %s', (name) => {
  const drawn = (mirror: number | undefined) => {
    const [op] = projectLayer(
      { ratio: 1, scale: 1, mirror },
      layer({ ops: [icon({ x: 0, y: 0 }, name, 32, '#000000')] }),
    ).ops
    return spriteOf(op!, op!.style as Parameters<typeof spriteOf>[1]).pixels
  }
  const [plain, turned] = [drawn(undefined), drawn(64)]
  const alphaAt = (pixels: Uint32Array, x: number, y: number) => pixels[y * 32 + x]! >>> 24
  const differences = Array.from(plain, (_, at) =>
    Math.abs(alphaAt(plain, at % 32, at >> 5) - alphaAt(turned, 31 - (at % 32), at >> 5)),
  )
  expect(Math.max(...differences)).toBeLessThan(64)
  expect(Buffer.compare(Buffer.from(plain.buffer), Buffer.from(turned.buffer))).not.toBe(0)
})
