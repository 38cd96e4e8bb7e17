import { expect, it } from 'vitest'
import { act, change, click, drag, find } from '../../../test/support/desktop/driver.ts'
import { monitorOf } from '../windows/windowing.ts'
import { comboBox, desktop, listItem, monitor, rect, window } from './builders.ts'
import type { Desktop, Monitor } from './desktop.ts'
import { encloses } from './geometry.ts'

const LEFT: Monitor = { ...monitor(rect(-2560, -300, 2560, 1440), 1), primary: false, scaleFactor: 2 }
const MAIN: Monitor = { ...monitor(rect(0, 0, 1280, 800)), scaleFactor: 1 }
const ABOVE: Monitor = { ...monitor(rect(0, -1080, 1920, 1080), 2), primary: false, scaleFactor: 1.5 }

/** A window on the left monitor, whose combo box stands at the bottom of it. */
const screens = () =>
  desktop(
    { monitors: [MAIN, LEFT, ABOVE], panel: true },
    window(
      'Left',
      { uid: 'left', bounds: rect(-2000, 600, 600, 520) },
      comboBox(
        'Fruit',
        { id: 'fruit', bounds: rect(-1900, 1080, 200, 32) },
        ...Array.from({ length: 9 }, (_, item) => listItem(`Fruit ${item}`, { id: `fruit-${item}` })),
      ),
    ),
  )
const on = (desk: Desktop) => monitorOf(desk, desk.windows[0]!.bounds)

it('[DT198] a window is dragged from one monitor to another, each with its own scale', () => {
  expect(on(screens())).toBe(LEFT)
  const main = act(screens(), drag({ x: -1900, y: 610 }, { x: 300, y: 60 }))
  expect([on(main), main.windows[0]!.bounds]).toEqual([MAIN, rect(200, 50, 600, 520)])
  const above = act(main, drag({ x: 300, y: 60 }, { x: 900, y: -900 }))
  expect([on(above), above.windows[0]!.bounds]).toEqual([ABOVE, rect(800, -910, 600, 520)])
})

it('[DT200] it is maximised on the monitor that shows it, where the panel is only on the primary one', () => {
  expect(act(screens(), change('left', 'maximize')).windows[0]!.bounds).toEqual(LEFT.bounds)
  const main = act(screens(), drag({ x: -1900, y: 610 }, { x: 300, y: 60 }), change('left', 'maximize'))
  expect(main.windows[0]!.bounds).toEqual(rect(0, 0, 1280, 760))
})

it('[DT134] popups stay on the monitor of their owner, also at negative coordinates', () => {
  const open = act(screens(), click('fruit'))
  const popup = find(open, 'fruit').traits!.popup!
  expect([encloses(LEFT.bounds, popup), popup.y + popup.height]).toEqual([true, 1080])
  expect(find(act(open, click('fruit-3')), 'fruit').value).toBe('Fruit 3')
})
