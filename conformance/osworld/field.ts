import assert from 'node:assert/strict'
import type { TestContext } from '../suite/test-context.ts'
import { act, type Point, pythonText } from './driver.ts'
import { type Control, centreOf, controlThat, type ElementBox, readControl } from './tree-driver.ts'

/** Prepares the text field of the profile, and reads it. */

/** The text field with a text, focused, with the caret at its end. */
export async function fillField(context: TestContext, text: string): Promise<ElementBox> {
  const { box } = await readControl(context, 'field')
  const { x, y } = centreOf(box)
  await act(context, `pyautogui.click(x=${x}, y=${y}); pyautogui.hotkey('ctrl', 'a'); pyautogui.press('backspace')`)
  if (text !== '') await act(context, `pyautogui.typewrite(${pythonText(text)})`)
  await assertField(context, text, 'prerequisite: the text typed into the field')
  return box
}

/** Fails unless the field has a text. */
export async function assertField(context: TestContext, text: string, message?: string): Promise<void> {
  const { element } = await controlThat(context, 'field', (field) => field.element.text === text)
  assert.equal(element.text, text, message)
}

/**
 * A point inside the first letters of a field's text. Toolkits keep the first and last pixels of a field for padding and
 * icons, in proportion to its height, and take no press there.
 */
export const textStart = ({ x, y, height }: ElementBox): Point => ({
  x: x + Math.max(12, Math.floor(height / 2)),
  y: y + Math.floor(height / 2),
})

/** Fails unless a drag from the middle of the field to its left edge selected the text, which `letter` then replaced. */
export async function assertReplacedFromStart(
  context: TestContext,
  text: string,
  letter: string,
  message: string,
): Promise<void> {
  // The middle of a narrow field lies inside the text; the rest of the text then stays.
  const isReplaced = ({ element }: Control) => {
    const after = element.text
    return after.startsWith(letter) && after.length <= text.length && text.endsWith(after.slice(letter.length))
  }
  const field = await controlThat(context, 'field', isReplaced)
  if (!isReplaced(field)) assert.equal(field.element.text, letter, message)
}
