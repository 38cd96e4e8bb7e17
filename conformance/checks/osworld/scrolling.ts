import assert from 'node:assert/strict'
import { act } from '../../osworld/driver.ts'
import { centreOf, controlThat, type ElementBox, readControl } from '../../osworld/tree-driver.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** Wheel clicks that scroll further than any test area. */
const FAR = 60

/** Scrolls the area of the profile to its upper left end, and returns the box of the element in it. */
async function rewind(context: TestContext): Promise<ElementBox> {
  const { box } = await readControl(context, 'scrolled')
  const { x, y } = centreOf(box)
  await act(context, `pyautogui.moveTo(${x}, ${y})`, `pyautogui.vscroll(${FAR})`, `pyautogui.hscroll(-${FAR})`)
  return (await readControl(context, 'scrolled')).box
}

/** Scrolls from the upper left end; returns how far the element moved to the left and up. */
async function scrollBy(
  context: TestContext,
  fits: (moved: Moved) => boolean,
  ...codes: readonly string[]
): Promise<Moved> {
  const start = await rewind(context)
  await act(context, ...codes)
  const between = (box: ElementBox): Moved => ({ left: start.x - box.x, up: start.y - box.y })
  const { box } = await controlThat(context, 'scrolled', (now) => fits(between(now.box)))
  return between(box)
}

/** Pixels by which an element moved. */
interface Moved {
  readonly left: number
  readonly up: number
}

const isUp = ({ left, up }: Moved): boolean => up > 0 && left === 0
const isLeft = ({ left, up }: Moved): boolean => left > 0 && up === 0

check('osworld:input:scroll-down', async (context) => {
  const moved = await scrollBy(context, isUp, 'pyautogui.scroll(-1)')
  assert.ok(isUp(moved), `the content moved by ${moved.up} up and ${moved.left} to the left`)
})

check('osworld:input:scroll-up', async (context) => {
  const start = await rewind(context)
  await act(context, 'pyautogui.vscroll(-1)')
  const down = await controlThat(context, 'scrolled', ({ box }) => box.y < start.y)
  assert.ok(down.box.y < start.y, 'prerequisite: the content does not move up')
  await act(context, 'pyautogui.scroll(1)')
  const again = await controlThat(context, 'scrolled', ({ box }) => box.y === start.y)
  assert.equal(again.box.y, start.y, 'the content does not move back')
})

check('osworld:input:vscroll', async (context) => {
  const moved = await scrollBy(context, isUp, 'pyautogui.vscroll(-1)')
  assert.ok(isUp(moved), `the content moved by ${moved.up} up and ${moved.left} to the left`)
})

check('osworld:input:hscroll', async (context) => {
  const moved = await scrollBy(context, isLeft, 'pyautogui.hscroll(1)')
  assert.ok(isLeft(moved), `the content moved by ${moved.up} up and ${moved.left} to the left`)
})

check('osworld:action:scroll', async (context) => {
  const isBoth = ({ left, up }: Moved) => left > 0 && up > 0
  const moved = await scrollBy(context, isBoth, 'pyautogui.hscroll(1)', 'pyautogui.vscroll(-1)')
  assert.ok(isBoth(moved), `the content moved by ${moved.up} up and ${moved.left} to the left`)
})
