import assert from 'node:assert/strict'
import { act, eventually, type Point, pointerOf, screenSize } from '../../osworld/driver.ts'
import { assertField, fillField, textEnd, textStart } from '../../osworld/field.ts'
import {
  type Control,
  centreOf,
  controlThat,
  type ElementBox,
  hasState,
  isChecked,
  readControl,
  readTree,
  type Tree,
} from '../../osworld/tree-driver.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

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

async function assertPointer(context: TestContext, point: Point): Promise<void> {
  const found = await eventually(
    () => pointerOf(context),
    ({ x, y }) => x === point.x && y === point.y,
  )
  assert.deepEqual(found, point, 'the pointer is elsewhere')
}

check('osworld:input:move-to', async (context) => {
  for (const more of ['', ', duration=0.2']) {
    const { x, y } = await otherPoint(context)
    await act(context, `pyautogui.moveTo(${x}, ${y}${more})`)
    await assertPointer(context, { x, y })
  }
})

check('osworld:action:move-to', async (context) => {
  for (const tween of ['easeInQuad', 'easeOutQuad', 'easeInOutQuad', 'easeInBounce', 'easeInElastic']) {
    const { x, y } = await otherPoint(context)
    await act(context, `pyautogui.moveTo(${x}, ${y}, 0.5${context.random.int(10, 99)}, pyautogui.${tween})`)
    await assertPointer(context, { x, y })
  }
})

/** Presses the check box by a code for a point, and fails unless it changes. */
async function assertPresses(context: TestContext, codes: (point: Point) => readonly string[]): Promise<void> {
  const before = await readControl(context, 'toggle')
  await act(context, ...codes(centreOf(before.box)))
  const after = await controlThat(context, 'toggle', (now) => isChecked(now) !== isChecked(before))
  assert.notEqual(isChecked(after), isChecked(before), 'the check box does not change')
}

check('osworld:input:click', (context) => assertPresses(context, ({ x, y }) => [`pyautogui.click(${x}, ${y})`]))

check('osworld:input:click-here', (context) =>
  assertPresses(context, ({ x, y }) => [`pyautogui.moveTo(${x}, ${y}); pyautogui.click()`]),
)

check('osworld:action:click', (context) =>
  assertPresses(context, ({ x, y }) => [`pyautogui.click(button='left', x=${x}, y=${y}, clicks=1)`]),
)

check('osworld:action:click-bare', (context) =>
  assertPresses(context, ({ x, y }) => [`pyautogui.moveTo(${x}, ${y})`, 'pyautogui.click()']),
)

/** Double-clicks the only word of the field and types over it. */
async function assertSelectsWord(context: TestContext, code: (point: Point) => string): Promise<void> {
  const { x, y } = textStart(await fillField(context, 'harbour'))
  await act(context, code({ x, y }), "pyautogui.typewrite('m')")
  await assertField(context, 'm', 'the word was not selected')
}

check('osworld:input:double-click', (context) =>
  assertSelectsWord(context, ({ x, y }) => `pyautogui.doubleClick(${x}, ${y})`),
)

check('osworld:action:double-click', (context) =>
  assertSelectsWord(context, ({ x, y }) => `pyautogui.doubleClick(x=${x}, y=${y})`),
)

check('osworld:input:click-times', (context) =>
  assertSelectsWord(context, ({ x, y }) => `pyautogui.click(${x}, ${y}, clicks=2, interval=0.05)`),
)

check('osworld:input:triple-click', async (context) => {
  const { x, y } = textStart(await fillField(context, 'north harbour'))
  await act(context, `pyautogui.tripleClick(${x}, ${y})`, "pyautogui.typewrite('s')")
  await assertField(context, 's', 'the line was not selected')
})

const menuItems = ({ elements }: Tree): number => elements.filter(({ tag }) => /^menu-?item$/.test(tag)).length

/** Clicks the field with the right button; fails unless more items of menus show. */
async function assertOpensMenu(context: TestContext, code: (point: Point) => string): Promise<void> {
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

check('osworld:input:right-click', (context) =>
  assertOpensMenu(context, ({ x, y }) => `pyautogui.rightClick(${x}, ${y})`),
)

check('osworld:action:right-click', (context) =>
  assertOpensMenu(context, ({ x, y }) => `pyautogui.rightClick(x=${x}, y=${y})`),
)

check('osworld:input:click-button', (context) =>
  assertOpensMenu(context, ({ x, y }) => `pyautogui.click(${x}, ${y}, button='right')`),
)

const isFocused = ({ tree, element }: Control): boolean => hasState(tree, element, 'focused')

check('osworld:input:middle-click', async (context) => {
  const toggle = centreOf((await readControl(context, 'toggle')).box)
  const field = centreOf((await readControl(context, 'field')).box)
  await act(context, `pyautogui.click(${toggle.x}, ${toggle.y})`)
  await controlThat(context, 'field', (now) => !isFocused(now))
  await act(context, `pyautogui.middleClick(${field.x}, ${field.y})`)
  const after = await controlThat(context, 'field', isFocused)
  assert.ok(isFocused(after), 'the field is not focused')
})

/** Drags over the text of the field, types a letter and fails unless it replaced the text. */
async function assertDrags(context: TestContext, codes: (from: Point, to: Point) => readonly string[]): Promise<void> {
  const box = await fillField(context, 'harbour')
  await act(context, ...codes(textEnd(box), leftEdge(box)), "pyautogui.typewrite('d')")
  await assertField(context, 'd', 'the drag did not select the text')
}

const leftEdge = ({ x, y, height }: ElementBox): Point => ({ x: x + 1, y: y + Math.floor(height / 2) })

check('osworld:input:drag-to', (context) =>
  assertDrags(context, (from, to) => [
    `pyautogui.moveTo(${from.x}, ${from.y}); pyautogui.dragTo(${to.x}, ${to.y}, duration=0.3)`,
  ]),
)

check('osworld:action:drag-to', (context) =>
  assertDrags(context, (from, to) => [
    `pyautogui.moveTo(${from.x}, ${from.y})`,
    `pyautogui.dragTo(${to.x}, ${to.y}, duration=1.0, button='left', mouseDownUp=True)`,
  ]),
)

check('osworld:input:mouse-down', (context) =>
  assertDrags(context, (from, to) => [
    `pyautogui.moveTo(${from.x}, ${from.y}); pyautogui.mouseDown(); pyautogui.moveTo(${to.x}, ${to.y}); pyautogui.mouseUp()`,
  ]),
)

check('osworld:input:held-button', (context) =>
  assertDrags(context, (from, to) => [
    `pyautogui.moveTo(${from.x}, ${from.y}); pyautogui.mouseDown()`,
    `pyautogui.moveTo(${to.x}, ${to.y}); pyautogui.mouseUp()`,
  ]),
)

check('osworld:action:mouse-down', async (context) => {
  for (const button of ['', "button='left'"])
    await assertDrags(context, (from, to) => [
      `pyautogui.moveTo(${from.x}, ${from.y})`,
      `pyautogui.mouseDown(${button})`,
      `pyautogui.moveTo(${to.x}, ${to.y})`,
      'pyautogui.mouseUp()',
    ])
})

check('osworld:action:mouse-up', async (context) => {
  for (const button of ['', "button='left'"]) {
    const box = await fillField(context, 'harbour')
    const [from, to] = [textEnd(box), leftEdge(box)]
    // After the release the pointer moves back without changing the selection.
    await act(
      context,
      ...[`pyautogui.moveTo(${from.x}, ${from.y})`, 'pyautogui.mouseDown()', `pyautogui.moveTo(${to.x}, ${to.y})`],
      ...[`pyautogui.mouseUp(${button})`, `pyautogui.moveTo(${from.x}, ${from.y})`, "pyautogui.typewrite('u')"],
    )
    await assertField(context, 'u', 'the button was not released')
  }
})
