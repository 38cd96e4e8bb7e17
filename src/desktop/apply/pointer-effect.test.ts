import { expect, it } from 'vitest'
import { act } from '../../../test/support/desktop/driver.ts'
import {
  button,
  desktop,
  dialog,
  list,
  listItem,
  rect,
  slider,
  text,
  treeItem,
  treeView,
  window,
} from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { treeHash } from '../tree/hash.ts'
import { apply } from './apply.ts'
import { pointerEffectOf } from './pointer-effect.ts'

// Rules such as [DT156] are stated in SPEC.md of desktop.

const at = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })

const scene = (): Desktop =>
  desktop(
    { style: 'windows' },
    window(
      'Main',
      at(0, 0, 600, 400),
      button('Save', at(20, 60, 100, 32), text('Save', at(30, 64, 80, 24))),
      button('Locked', { enabled: false }, at(140, 60, 100, 32)),
      slider('Zoom', { valueNow: 50 }, at(20, 110, 200, 24)),
      list(
        'Steps',
        { traits: { reorder: true } },
        at(300, 60, 200, 200),
        listItem('one', at(301, 61, 198, 28)),
        listItem('two', at(301, 89, 198, 28)),
        listItem('three', at(301, 117, 198, 28)),
      ),
      treeView('Tree', at(20, 150, 200, 100), treeItem('root', at(21, 151, 198, 28))),
    ),
  )

const move = (x: number, y: number) => (on: Desktop) =>
  apply(on, { type: 'hover', at: { x, y }, forMs: 0 }, { isInteractive: true })
const hold = (x: number, y: number) => (on: Desktop) =>
  apply(on, { type: 'press', at: { x, y }, button: 'left' }, { isInteractive: true })

const main = (on: Desktop): string => on.windows[0]!.uid

it('[DT156] hovers the control that a click would act on', () => {
  const over = (x: number, y: number) => pointerEffectOf(act(scene(), move(x, y)))
  const uid = main(scene())
  expect(over(40, 70)).toEqual({ window: uid, hovered: [0] })
  expect(over(310, 100)).toEqual({ window: uid, hovered: [3, 1] })
  expect(over(30, 160)).toEqual({ window: uid, hovered: [4, 0] })
  expect(over(700, 500)).toBeUndefined()
})

it('[DT156] hovers nothing that takes no input', () => {
  expect(pointerEffectOf(act(scene(), move(150, 70)))).toBeUndefined()
  const behind = desktop(
    {},
    window('Main', at(0, 0, 300, 300), button('Save', at(20, 60, 90, 30)), dialog('Sure?', at(150, 100, 100, 100))),
  )
  expect(pointerEffectOf(act(behind, move(30, 70)))).toBeUndefined()
})

it('[DT157] presses the control on which the left button went down, while the pointer is on it', () => {
  const uid = main(scene())
  const held = act(scene(), hold(40, 70))
  expect(pointerEffectOf(held)).toEqual({ window: uid, hovered: [0], pressed: [0] })
  expect(pointerEffectOf(act(held, move(60, 80)))).toEqual({ window: uid, hovered: [0], pressed: [0] })
  expect(pointerEffectOf(act(held, move(500, 390)))).toBeUndefined()
})

it('[DT157] keeps a control pressed that follows the pointer', () => {
  const held = act(scene(), hold(300, 500), move(310, 500))
  expect(pointerEffectOf(held)).toBeUndefined()
  const uid = main(scene())
  expect(pointerEffectOf(act(scene(), hold(120, 122)))?.pressed).toEqual([2])
  expect(pointerEffectOf(act(scene(), hold(150, 160)))).toEqual({ window: uid, hovered: [4, 0], pressed: [4, 0] })
})

it('[DT158] shows where a dragged item would be dropped', () => {
  const held = act(scene(), hold(310, 70), move(320, 135))
  expect(pointerEffectOf(held)).toEqual({
    window: main(scene()),
    drop: { path: [3], line: rect(300, 145, 200, 0) },
  })
  // The item itself, and what takes no items, are no target.
  expect(pointerEffectOf(act(scene(), hold(310, 70), move(330, 80)))?.drop).toBeUndefined()
  expect(pointerEffectOf(act(scene(), hold(310, 70), move(40, 70)))).toBeUndefined()
})

it('[DT159] hovers and presses the buttons of title bars', () => {
  const framed = desktop({ style: 'windows' }, window('Main', { ...at(100, 100, 400, 200), frame: 'inside' }))
  const uid = main(framed)
  expect(pointerEffectOf(act(framed, move(490, 110)))).toEqual({
    window: uid,
    button: { name: 'close', isPressed: false },
  })
  expect(pointerEffectOf(act(framed, hold(490, 110)))).toEqual({
    window: uid,
    button: { name: 'close', isPressed: true },
  })
  expect(pointerEffectOf(act(framed, hold(490, 110), move(440, 110)))).toBeUndefined()
})

it('[DT160] leaves trees and their hashes as they are', () => {
  const before = scene()
  const after = act(before, move(40, 70))
  expect(after.windows).toBe(before.windows)
  expect(treeHash(after.windows[0]!.tree)).toBe(treeHash(before.windows[0]!.tree))
})
