import assert from 'node:assert/strict'
import type { TestContext } from '../suite/test-context.ts'
import { act, eventually, type Point, pointerOf, screenSize } from './driver.ts'
import { assertField, assertReplacedFromStart, fillField, textStart } from './field.ts'
import { centreOf, controlThat, type ElementBox, isChecked, readControl, readTree, type Tree } from './tree-driver.ts'

/** Fills the field, runs actions, and fails unless the field has a text then. */
export async function assertEdits(
  context: TestContext,
  before: string,
  codes: readonly string[],
  after: string,
): Promise<void> {
  await fillField(context, before)
  await act(context, ...codes)
  await assertField(context, after)
}

/** A check that edits the field. */
export const edits =
  (before: string, codes: readonly string[], after: string) =>
  (context: TestContext): Promise<void> =>
    assertEdits(context, before, codes, after)

/** An action that types one letter. */
export const TYPE_X = "pyautogui.press('x')"

/** A point of the screen that is not where the pointer is. */
export async function otherPoint(context: TestContext): Promise<Point> {
  const { width, height } = await screenSize(context)
  const now = await pointerOf(context)
  const draw = (): Point => ({
    x: context.random.int(40, width - 60),
    y: context.random.int(40, height - 60),
  })
  let point = draw()
  while (Math.abs(point.x - now.x) + Math.abs(point.y - now.y) < 60) point = draw()
  return point
}

/** Fails unless the pointer comes to a point. */
export async function assertPointer(context: TestContext, point: Point): Promise<void> {
  const found = await eventually(
    () => pointerOf(context),
    ({ x, y }) => x === point.x && y === point.y,
  )
  assert.deepEqual(found, point, 'the pointer is elsewhere')
}

/** Presses the check box by a code for a point, and fails unless it changes. */
export async function assertPresses(context: TestContext, codes: (point: Point) => readonly string[]): Promise<void> {
  const before = await readControl(context, 'toggle')
  await act(context, ...codes(centreOf(before.box)))
  const after = await controlThat(context, 'toggle', (now) => isChecked(now) !== isChecked(before))
  assert.notEqual(isChecked(after), isChecked(before), 'the check box does not change')
}

/** Double-clicks the only word of the field and types over it. */
export async function assertSelectsWord(context: TestContext, code: (point: Point) => string): Promise<void> {
  const { x, y } = textStart(await fillField(context, 'harbour'))
  await act(context, code({ x, y }), "pyautogui.typewrite('m')")
  await assertField(context, 'm', 'the word was not selected')
}

const menuItems = ({ elements }: Tree): number => elements.filter(({ tag }) => /^menu-?item$/.test(tag)).length

/** Clicks the field with the right button; fails unless more items of menus show. */
export async function assertOpensMenu(context: TestContext, code: (point: Point) => string): Promise<void> {
  const { x, y } = centreOf(await fillField(context, 'menu'))
  const before = menuItems(await readTree(context))
  await act(context, code({ x, y }))
  const after = await eventually(
    async () => menuItems(await readTree(context)),
    (count) => count > before,
  )
  await act(context, "pyautogui.press('escape')")
  assert.ok(after > before, 'no menu opens')
}

/** Drags over the text of the field from its middle, types a letter and fails unless it replaced the text. */
export async function assertDrags(
  context: TestContext,
  codes: (from: Point, to: Point) => readonly string[],
): Promise<void> {
  const box = await fillField(context, 'harbour')
  await act(context, ...codes(centreOf(box), leftEdge(box)), "pyautogui.typewrite('d')")
  await assertReplacedFromStart(context, 'harbour', 'd', 'the drag did not select the text')
}

/** A point at the left edge of a text, where a drag may end. */
export const leftEdge = ({ x, y, height }: ElementBox): Point => ({ x: x + 1, y: y + Math.floor(height / 2) })

/** Wheel clicks that scroll further than any test area. */
const FAR = 60

/** Scrolls the area of the profile to its upper left end, and returns the box of the element in it. */
export async function rewind(context: TestContext): Promise<ElementBox> {
  const { box } = await readControl(context, 'scrolled')
  const { x, y } = centreOf(box)
  await act(context, `pyautogui.moveTo(${x}, ${y})`, `pyautogui.vscroll(${FAR})`, `pyautogui.hscroll(-${FAR})`)
  return (await readControl(context, 'scrolled')).box
}

/** Scrolls from the upper left end; returns how far the element moved to the left and up. */
export async function scrollBy(
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
export interface Moved {
  readonly left: number
  readonly up: number
}
