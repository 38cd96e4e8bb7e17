import { loadLibrary } from '../../native.ts'
import type { WindowHandle } from '../../window-list/native-window.ts'
import { comboField } from '../controls/combo-box.ts'
import type { ControlContext } from '../controls/control.ts'

export type FocusFunctions = ReturnType<typeof loadFocusFunctions>

export function loadFocusFunctions() {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  return {
    attach: user32.func<(from: number, to: number, attach: boolean) => boolean>('AttachThreadInput', 'bool', [
      ...['uint32_t', 'uint32_t'],
      'bool',
    ]),
    setFocus: user32.func<(hwnd: WindowHandle) => number>('SetFocus', 'intptr_t', ['intptr_t']),
    currentThread: kernel32.func<() => number>('GetCurrentThreadId', 'uint32_t', []),
  }
}

/** Gives a control, or the field in it, the keyboard, for which this thread shares the input of its program for a moment. */
export function focusControl(context: ControlContext, focus: FocusFunctions, control: WindowHandle): boolean {
  const { user } = context
  const hwnd = comboField(context, control) ?? control
  const { threadId } = user.threadOf(hwnd)
  const own = focus.currentThread()
  if (threadId === 0 || !focus.attach(own, threadId, true)) return false
  try {
    focus.setFocus(hwnd)
  } finally {
    focus.attach(own, threadId, false)
  }
  const now = user.guiThread(threadId)?.focus
  return now === hwnd || (now !== undefined && user.parent(now) === hwnd)
}
