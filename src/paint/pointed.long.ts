import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { apply } from '../desktop/apply/apply.ts'
import {
  button,
  checkbox,
  comboBox,
  desktop,
  edit,
  element,
  list,
  listItem,
  menuBar,
  menuItem,
  rect,
  slider,
  tab,
  tabItem,
  toggle,
  toolBar,
  treeItem,
  treeView,
  window,
} from '../desktop/model/builders.ts'
import type { Desktop } from '../desktop/model/desktop.ts'
import { type DesktopStyle, SHELL_STYLES } from '../desktop/style/style.ts'
import { layersOf } from './desktop-layers.ts'
import { composite, createFrameBuffer } from './frame/frame-buffer.ts'
import { createPainter, damageBetween } from './painter.ts'
import { themeOf } from './styles/styles.ts'

// Rules such as [PNT100] are stated in SPEC.md beside this file.

const SCREEN = rect(0, 0, 480, 360)
const at = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })

const scene = (style: DesktopStyle): Desktop =>
  desktop(
    { style, monitors: [{ index: 0, primary: true, bounds: SCREEN, scaleFactor: 1 }] },
    window(
      'Main',
      at(20, 20, 440, 320),
      menuBar('Menus', at(20, 52, 440, 28), menuItem('File', at(24, 53, 50, 26), menuItem('Open', at(24, 80, 90, 28)))),
      toolBar('Tools', at(20, 80, 440, 40), button('Reply', at(26, 84, 80, 32)), toggle('Pin', at(120, 84, 90, 32))),
      button('Save', at(40, 130, 90, 32)),
      checkbox('Ask', at(150, 130, 90, 32)),
      slider('Zoom', { valueNow: 50 }, at(40, 170, 120, 24)),
      comboBox('Size', { value: 'A4' }, at(250, 130, 120, 32)),
      edit('Name', at(250, 170, 120, 32)),
      list(
        'Steps',
        { traits: { reorder: true } },
        at(40, 210, 160, 120),
        ...['one', 'two', 'three', 'four', 'five', 'six'].map((name, row) =>
          listItem(name, at(41, 211 + row * 28, 158, 28)),
        ),
      ),
      treeView(
        'Tree',
        at(210, 210, 120, 100),
        treeItem('root', { expanded: true }, at(211, 211, 118, 56), treeItem('leaf', at(231, 239, 98, 28))),
      ),
      tab(
        'Pages',
        at(340, 210, 110, 100),
        tabItem('A', { selected: true }, at(340, 210, 50, 32)),
        tabItem('B', at(390, 210, 50, 32)),
      ),
      element('Expander', 'More', at(340, 280, 110, 30)),
    ),
  )

const move = (on: Desktop, x: number, y: number) =>
  apply(on, { type: 'hover', at: { x, y }, forMs: 0 }, { isInteractive: true })

/** The pixels of a desktop of which nothing was painted before. */
function freshly(shown: Desktop): Uint8Array {
  const copy: Desktop = JSON.parse(JSON.stringify(shown))
  const frame = createFrameBuffer(SCREEN)
  composite(frame, layersOf(copy, themeOf(copy.style)), SCREEN)
  return new Uint8Array(frame.pixels.buffer)
}

describe.each(shareOf(SHELL_STYLES))('the pointer in the style %s', (style) => {
  const painter = createPainter()
  const pixels = (shown: Desktop) => painter.screen(shown).pixels()

  it('[PNT100] updates a frame to equal a newly painted one, after any move, press and release', {
    timeout: 60_000,
  }, () => {
    const step = fc.record({
      x: fc.integer({ min: 0, max: 479 }),
      y: fc.integer({ min: 0, max: 359 }),
      held: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let shown = scene(style)
        for (const { x, y, held } of steps) {
          const isDown = shown.held !== undefined
          const type = held && !isDown ? 'press' : !held && isDown ? 'release' : undefined
          shown = type
            ? apply(shown, { type, at: { x, y }, button: 'left' }, { isInteractive: true })
            : move(shown, x, y)
          expect(Buffer.compare(pixels(shown), freshly(shown))).toBe(0)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('[PNT100] shows a pressed button, unlike one that is not', () => {
    const still = scene(style)
    const down = apply(still, { type: 'press', at: { x: 60, y: 140 }, button: 'left' }, { isInteractive: true })
    const away = move(down, 300, 350)
    expect(Buffer.compare(pixels(down), pixels(away))).not.toBe(0)
  })

  it('[PNT103] repaints only the tool button that the pointer reaches', () => {
    const theme = themeOf(style)
    const [before, after] = [scene(style), move(scene(style), 50, 100)]
    const same = { ...after, windows: before.windows }
    const damage = damageBetween(layersOf(before, theme), layersOf(same, theme), SCREEN)
    expect(damage).toEqual([rect(26, 84, 80, 32)])
  })
})

it('[PNT100] shows no pointer in the default style', () => {
  const still = scene('backlot')
  const painter = createPainter()
  expect(Buffer.compare(painter.screen(still).pixels(), painter.screen(move(still, 50, 100)).pixels())).toBe(0)
})
