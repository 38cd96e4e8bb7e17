import { expect, it } from 'vitest'
import { apply } from '../desktop/apply/apply.ts'
import { button, type Draft, desktop, element, monitor, rect, window } from '../desktop/model/builders.ts'
import type { Desktop } from '../desktop/model/desktop.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import { styleMetrics } from '../desktop/style/style.ts'
import { sidebarOf } from '../desktop/windows/frame.ts'
import { channelsOf } from './colour.ts'
import { layersOf } from './desktop-layers.ts'
import { composite, createFrameBuffer } from './frame/frame-buffer.ts'
import { createPainter } from './painter.ts'
import { themeOf } from './styles/styles.ts'

// Rules such as [PNT92] are stated in SPEC.md beside this file.

const SCREEN = rect(0, 0, 480, 360)
const area = rect(60, 40, 300, 200)
const tree = (bounds: Rect) => element('Tree', 'Folders', { id: 'folders', bounds, place: {} })
const pane = (bounds: Rect, ...children: readonly Draft[]) => element('Pane', 'Main', { bounds }, ...children)

/** A window with a tree at its left edge, below its title bar, and another window that is active or not. */
function scene(active: 'mail' | 'other', x = 0, y = 0): Desktop {
  const below = rect(area.x + x, area.y + y + 28, area.width, area.height - 28)
  const main = pane(below, tree({ ...below, width: 100 }))
  return desktop(
    { monitors: [monitor(SCREEN)], style: 'macos', active },
    window('Mail', { uid: 'mail', bounds: { ...area, x: area.x + x, y: area.y + y } }, main),
    window('Other', { uid: 'other', bounds: rect(400, 300, 60, 50) }, button('OK')),
  )
}

/** The pixels of a desktop of which nothing was painted before. */
function freshly(shown: Desktop): Uint8Array {
  const copy: Desktop = JSON.parse(JSON.stringify(shown))
  const frame = createFrameBuffer(SCREEN)
  composite(frame, layersOf(copy, themeOf(copy.style!)), SCREEN)
  return new Uint8Array(frame.pixels.buffer)
}

const pixelAt = (pixels: Uint8Array, x: number, y: number) => {
  const at = 4 * (y * SCREEN.width + x)
  return [...pixels.slice(at, at + 3)]
}

it('[PNT92] shows the wallpaper through the tree at the edge of the active window alone', () => {
  const painter = createPainter()
  const fill = channelsOf(themeOf('macos').sidebar!.fill).slice(0, 3)
  const pixelsIn = (shown: Desktop, theme?: 'high-contrast') =>
    (theme ? createPainter({ theme }) : painter).screen(shown).pixels()
  const points = [80, 140, 200].map((y) => [90, y] as const)
  const coloursIn = (shown: Desktop) => points.map(([x, y]) => pixelAt(pixelsIn(shown), x, y))
  expect(coloursIn(scene('other'))).toEqual([fill, fill, fill])
  const through = coloursIn(scene('mail'))
  expect(new Set(through.map(String)).size).toBe(3)
  for (const colour of through) expect(colour).not.toEqual(fill)
  expect(pixelAt(pixelsIn(scene('mail'), 'high-contrast'), 90, 140)).toEqual([255, 255, 255])
})

it('[PNT92] tints the wallpaper below the tree, and shows none beside it', () => {
  const pixels = createPainter().screen(scene('mail')).pixels()
  const beside = pixelAt(createPainter().screen(scene('other')).pixels(), 250, 140)
  expect([80, 140, 200].map((y) => pixelAt(pixels, 250, y))).toEqual([beside, beside, beside])
  const fill = channelsOf(themeOf('macos').sidebar!.fill).slice(0, 3)
  for (const y of [80, 140, 200])
    for (const [place, channel] of pixelAt(pixels, 90, y).entries())
      expect(Math.abs(channel - fill[place]!)).toBeLessThan(32)
})

it('[PNT92] is repainted as a new frame when its window moves, leaves the screen or is no longer active', () => {
  const painter = createPainter()
  const places: readonly [number, number][] = [
    [0, 0],
    [30, 20],
    [-100, 0],
    [400, 300],
    [0, 0],
    [0, -60],
  ]
  for (const [x, y] of places)
    for (const active of ['mail', 'other'] as const) {
      const shown = scene(active, x, y)
      expect(Buffer.compare(painter.screen(shown).pixels(), freshly(shown))).toBe(0)
    }
  const dragged = apply(
    scene('mail'),
    { type: 'drag', from: { x: 200, y: 50 }, to: { x: 260, y: 90 }, modifiers: [], durationMs: 0 },
    { isInteractive: true },
  )
  expect(dragged.windows.find(({ uid }) => uid === 'mail')!.bounds).not.toEqual(area)
  expect(Buffer.compare(painter.screen(dragged).pixels(), freshly(dragged))).toBe(0)
})

it('[PNT92] has nothing but panes around it and is inside its window', () => {
  const found = (...children: readonly Draft[]) => sidebarOf(window('W', { bounds: area }, ...children))?.id
  const at = { ...area, width: 100 }
  expect(found(tree(at))).toBe('folders')
  expect(found(pane(area, pane(area, tree(at))))).toBe('folders')
  expect(found(tree({ ...at, x: at.x + 1 }))).toBeUndefined()
  expect(found(tree({ ...at, height: 900 }))).toBeUndefined()
  expect(found(element('Group', 'Main', { bounds: area }, tree(at)))).toBeUndefined()
  expect(found({ ...pane(area, tree(at)), traits: { look: 'card' } })).toBeUndefined()
  expect(found({ ...tree(at), traits: { hidden: true } })).toBeUndefined()
})

/** A window whose band is divided above its tree, or not, and two panes beside the tree. */
function dividedScene(style: 'gnome' | 'macos', panes: readonly number[] | undefined): Desktop {
  const height = styleMetrics(style).title.header!.height
  const below = { ...area, y: area.y + height, height: area.height - height }
  const bar = element('ToolBar', 'Tools', { id: 'bar', bounds: { ...area, height }, place: {} })
  const list = (x: number, width: number) =>
    element('List', `List ${x}`, { bounds: { ...below, x: area.x + x, width }, place: {} })
  return desktop(
    { monitors: [monitor(SCREEN)], style, active: 'mail' },
    window(
      'Mail',
      { uid: 'mail', bounds: area },
      { ...bar, traits: { titleAt: 0, ...(panes && { panes }) } },
      pane(below, tree({ ...below, width: 100 }), list(100, 140), list(240, 60)),
    ),
  )
}

it('[PNT98] continues the tree in the band above it', () => {
  for (const style of ['gnome', 'macos'] as const) {
    const colours = (panes: readonly number[] | undefined) => {
      const pixels = createPainter().screen(dividedScene(style, panes)).pixels()
      const at = (x: number, y: number) => pixelAt(pixels, area.x + x, y).join()
      return {
        side: at(80, area.y + 8),
        beside: at(110, area.y + 8),
        tree: at(80, area.y + 100),
        columns: [99, 239].map((x) => at(x, area.y + 8) !== at(x - 2, area.y + 8)),
      }
    }
    const [whole, divided] = [colours(undefined), colours([100, 240])]
    expect(whole.side).toBe(whole.beside)
    expect(divided.beside).toBe(whole.beside)
    expect(divided.side).not.toBe(divided.beside)
    if (style === 'gnome') expect(divided.side).toBe(divided.tree)
    expect(whole.columns).toEqual([false, false])
    expect(divided.columns).toEqual([true, style === 'gnome'])
  }
})

it('[PNT98] repaints a band that is divided later as a new one', () => {
  for (const style of ['gnome', 'macos'] as const) {
    const painter = createPainter()
    for (const panes of [undefined, [100, 240], undefined]) {
      const shown = dividedScene(style, panes)
      expect(Buffer.compare(painter.screen(shown).pixels(), freshly(shown))).toBe(0)
    }
  }
})
