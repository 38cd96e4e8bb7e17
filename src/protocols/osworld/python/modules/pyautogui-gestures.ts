import type { Point } from '../../../../desktop/model/geometry.ts'
import type { Value } from '../value.ts'
import type { PointerButton, ProgramMachine } from './machine.ts'
import { keyNamesOf, pressableKey } from './pyautogui-arguments.ts'
import { isKey } from './pyautogui-keys.ts'

interface Clicks {
  readonly at: Point | undefined
  readonly button: PointerButton
  readonly count: number
  readonly intervalMs: number
}

/** Up to three clicks without an interval are one gesture: a double or triple click. */
export async function clickRepeatedly(
  machine: ProgramMachine,
  { at, button, count, intervalMs }: Clicks,
): Promise<void> {
  if (intervalMs === 0 || count === 1) {
    for (let left = count; left > 0; left -= MAX_TOGETHER) await machine.click(button, Math.min(MAX_TOGETHER, left), at)
    if (intervalMs > 0) await machine.wait(intervalMs)
    return
  }
  // The desktop counts presses that follow each other quickly, so that these may be a double click or not.
  for (let done = 0; done < count; done++) {
    await machine.mouseDown(button, at)
    await machine.mouseUp(button, at)
    await machine.wait(intervalMs)
  }
}

/** Clicks of one call that count as a triple click at most. */
const MAX_TOGETHER = 3

/** Types a string, or presses the keys of a list of names. */
export async function writeKeys(machine: ProgramMachine, message: Value, intervalMs: number): Promise<void> {
  const keys = message.kind === 'str' ? [...message.value] : keyNamesOf(message).map((name) => pressableKey(name) ?? '')
  let text = ''
  const flush = async () => {
    if (text !== '') await machine.type(text)
    text = ''
  }
  for (const key of keys) {
    if (!isKey(key)) continue
    if (key.length > 1 || CONTROL.has(key)) {
      await flush()
      await machine.press(key, 1)
    } else text += key
    if (intervalMs > 0) {
      await flush()
      await machine.wait(intervalMs)
    }
  }
  await flush()
}

const CONTROL: ReadonlySet<string> = new Set(['\n', '\r', '\t'])
