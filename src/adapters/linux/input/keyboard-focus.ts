import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import { GAP_MS, MAX_FOCUS_RETURN_MS } from '../../input-timing.ts'
import { keyboardTaken } from '../../refusals.ts'
import type { Display } from '../x11/display.ts'
import { keyboardWindow } from '../x11/window-manager.ts'
import { ancestry, listXWindows } from '../x11/windows.ts'

/**
 * Finds the X window that receives keys. Text needs a listed window; if `into` is given, the window must be `into` or part of
 * it. Shortcuts of the window manager need no window.
 */
export async function findKeyboardFocus(display: Display, into: number | undefined, isText: boolean): Promise<number> {
  const focus = await keyboardWindow(display)
  const chain: readonly number[] = focus === 0 ? [] : await ancestry(display, focus)
  const owners = (await listXWindows(display))
    .filter(({ id, topLevel }) => chain.includes(id) || chain.includes(topLevel))
    .map(({ id, owner }) => owner ?? id)
  if (into !== undefined && !chain.includes(into) && !owners.includes(into)) throw keyboardTaken(0)
  if (isText && owners.length === 0)
    throw new Fault('WindowGone', 'no window has the keyboard; bring one to the foreground or click into it first')
  return focus
}

/**
 * Sends keys under a server grab, if the focus has not changed. Window managers take the focus for short moments, so this
 * retries for a while.
 */
export async function whileFocused(display: Display, focus: number, typed: number, strike: () => void): Promise<void> {
  const deadline = Date.now() + MAX_FOCUS_RETURN_MS
  while (!(await sendIfFocused(display, focus, strike))) {
    if (Date.now() > deadline) throw keyboardTaken(typed)
    await sleep(GAP_MS)
  }
}

async function sendIfFocused(display: Display, focus: number, strike: () => void): Promise<boolean> {
  const { client } = display
  client.GrabServer()
  try {
    if ((await keyboardWindow(display)) !== focus) return false
    strike()
    return true
  } finally {
    client.UngrabServer()
    await display.sync()
  }
}
