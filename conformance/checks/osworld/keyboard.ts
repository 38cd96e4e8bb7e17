import assert from 'node:assert/strict'
import { act, printed, pythonText, runAction } from '../../osworld/driver.ts'
import { assertField, fillField } from '../../osworld/field.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** Fills the field, runs actions, and fails unless the field has a text then. */
async function assertEdits(
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
const edits =
  (before: string, codes: readonly string[], after: string) =>
  (context: TestContext): Promise<void> =>
    assertEdits(context, before, codes, after)

const X = "pyautogui.press('x')"
const TEXT = 'Quay 7, Pier-B: 50% off!'

check('osworld:input:write', edits('', [`pyautogui.write('${TEXT}')`], TEXT))

check('osworld:input:write-interval', edits('', ["pyautogui.write('tide', interval=0.05)"], 'tide'))

check('osworld:input:typewrite', edits('Lock ', [`pyautogui.typewrite("${TEXT}")`], `Lock ${TEXT}`))

check('osworld:action:typing', async (context) => {
  const text = `it's "C:\\new" \\ ${context.random.word(6)}`
  await assertEdits(context, '', [`pyautogui.typewrite(${pythonText(text)})`], text)
})

check('osworld:input:press', edits('abc', ["pyautogui.press('backspace')"], 'ab'))

check('osworld:action:press', edits('abcd', ["pyautogui.press('backspace')"], 'abc'))

check('osworld:input:press-list', edits('abc', ["pyautogui.press(['left', 'left', 'x'])"], 'axbc'))

check('osworld:input:press-times', edits('abcd', ["pyautogui.press('backspace', presses=3)"], 'a'))

check('osworld:input:hotkey', edits('abc', ["pyautogui.hotkey('ctrl', 'a'); pyautogui.press('x')"], 'x'))

check('osworld:action:hotkey', edits('abc', ["pyautogui.hotkey('shift', 'home')", "pyautogui.typewrite('y')"], 'y'))

check(
  'osworld:input:key-down',
  edits(
    'abc',
    ["pyautogui.keyDown('shift'); pyautogui.press('left'); pyautogui.press('left'); pyautogui.keyUp('shift')", X],
    'ax',
  ),
)

check(
  'osworld:input:held-key',
  edits(
    'abc',
    ["pyautogui.keyDown('shift')", "pyautogui.press('left')", "pyautogui.press('left')", "pyautogui.keyUp('shift')", X],
    'ax',
  ),
)

check(
  'osworld:action:key-down',
  edits('abcd', ["pyautogui.keyDown('shift')", "pyautogui.press('home')", "pyautogui.keyUp('shift')", X], 'x'),
)

check(
  'osworld:action:key-up',
  edits('abcd', ["pyautogui.keyDown('shift')", "pyautogui.keyUp('shift')", "pyautogui.press('left')", X], 'abcxd'),
)

check(
  'osworld:input:less-than',
  edits('', ["pyautogui.typewrite('a ');pyautogui.hotkey(\"shift\", ',');pyautogui.typewrite(' b')"], 'a < b'),
)

check('osworld:input:clipboard', async (context) => {
  const text = `${context.random.word(6)} Ω`
  const copied = `import pyperclip\npyperclip.copy(${pythonText(text)})`
  await assertEdits(context, '', [copied, "pyautogui.hotkey('ctrl', 'v')"], text)
  assert.equal(await printed(context, 'import pyperclip; print(pyperclip.paste())'), `${text}\n`)
})

check('osworld:input:pictures', async (context) => {
  const { returncode, output, error } = await runAction(context, 'print(pyautogui.screenshot().size)')
  if (returncode === 0) assert.match(output, /^\(\d+, \d+\)\n$/)
  else assert.match(error, /Traceback/, 'the error has no traceback')
})
