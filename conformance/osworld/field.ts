import assert from 'node:assert/strict'
import type { TestContext } from '../run/test-context.ts'
import { act, type Point, pythonText } from './driver.ts'
import { centreOf, controlThat, type ElementBox, readControl } from './tree-driver.ts'

/** Prepares the text field of the profile, and reads it. */

/** The text field with a text, focused, with the caret at its end. */
export async function fillField(context: TestContext, text: string): Promise<ElementBox> {
  const { box } = await readControl(context, 'field')
  const { x, y } = centreOf(box)
  await act(context, `pyautogui.click(x=${x}, y=${y}); pyautogui.hotkey('ctrl', 'a'); pyautogui.press('backspace')`)
  if (text !== '') await act(context, `pyautogui.typewrite(${pythonText(text)})`)
  await assertField(context, text, 'prerequisite: the field cannot be filled')
  return box
}

/** Fails unless the field has a text. */
export async function assertField(context: TestContext, text: string, message?: string): Promise<void> {
  const { element } = await controlThat(context, 'field', (field) => field.element.text === text)
  assert.equal(element.text, text, message)
}

/** A point inside the first letters of a field's text. */
export const textStart = ({ x, y, height }: ElementBox): Point => ({ x: x + 12, y: y + Math.floor(height / 2) })

/** A point beyond the text of a field. */
export const textEnd = ({ x, y, width, height }: ElementBox): Point => ({
  x: x + width - 6,
  y: y + Math.floor(height / 2),
})
