import { Fault } from '../../../base/fault.ts'
import { type Element, nodeById } from '../../../desktop/model/element.ts'
import { describeWindow, listNativeWindows } from '../window-list/list-windows.ts'
import { hwndOf, type NativeWindow, type WindowHandle } from '../window-list/native-window.ts'
import { loadWindowFunctions } from '../window-list/user32.ts'
import type { WindowsAccessibility } from './accessibility.ts'
import { readControls, rootNode } from './bridge.ts'
import { createWindowElementIds, type NativeTree, toNativeTree, type WindowElementIds } from './element-tree.ts'
import { createMessages } from './messages.ts'
import { loadMemoryFunctions, type RemoteMemory } from './remote-memory.ts'

const MEMORY_BYTES = 0x10000

interface KnownWindow {
  readonly ids: WindowElementIds
  read?: NativeTree
  readMs: number
}

/** Opens the windows and elements of this desktop. */
export function openWindowsAccessibility(): WindowsAccessibility {
  const user = loadWindowFunctions()
  const messages = createMessages(user)
  const memories = loadMemoryFunctions()
  const known = new Map<WindowHandle, KnownWindow>()
  let windowsSeen = 0

  const knownOf = (hwnd: WindowHandle): KnownWindow => {
    for (const each of known.keys()) if (!user.isWindow(each)) known.delete(each)
    const entry = known.get(hwnd) ?? { ids: createWindowElementIds(++windowsSeen), readMs: 0 }
    known.set(hwnd, entry)
    return entry
  }

  const windowOf = (uid: string): NativeWindow | undefined => {
    const hwnd = hwndOf(uid)
    const window =
      hwnd === undefined || !user.isWindow(hwnd) ? undefined : describeWindow(user, hwnd, user.foreground())
    return window?.uid === uid ? window : undefined
  }

  const readTree = (window: NativeWindow): NativeTree | undefined => {
    const { hwnd } = window
    if (!messages.probe(hwnd)) return undefined
    const allocated = new Map<number, RemoteMemory | undefined>()
    const memoryOf = (control: WindowHandle) => {
      const { pid } = user.threadOf(control)
      if (!allocated.has(pid)) allocated.set(pid, memories.allocate(pid, MEMORY_BYTES))
      return allocated.get(pid)
    }
    try {
      const focus = window.focused ? (user.guiThread(window.threadId)?.focus ?? 0) : 0
      const children = readControls({ user, messages, memoryOf, focus, providerNodes: () => undefined }, window)
      const role = window.className === '#32770' ? 'Dialog' : window.className === '#32768' ? 'Menu' : 'Window'
      const entry = knownOf(hwnd)
      entry.read = toNativeTree(rootNode(window, role, children), entry.ids)
      entry.readMs = performance.now()
      return entry.read
    } finally {
      for (const memory of allocated.values()) memory?.close()
    }
  }

  return {
    windows: async () => listNativeWindows(user),
    windowOf: async (uid) => windowOf(uid),
    async tree(uid): Promise<Element | undefined> {
      const window = windowOf(uid)
      return window && readTree(window)?.tree
    },
    async find(uid, elementId, { maxAgeMs = 0 } = {}) {
      const window = windowOf(uid)
      if (!window) throw new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
      const entry = knownOf(window.hwnd)
      const isFresh = entry.read && performance.now() - entry.readMs < maxAgeMs
      const read = isFresh ? entry.read : readTree(window)
      const element = read && nodeById(read.tree, elementId)
      if (!read || !element)
        throw new Fault('ElementNotFound', `the window no longer has an element ${elementId}`, {
          window: uid,
          element: elementId,
        })
      return { element, tree: read.tree, window: window.hwnd }
    },
    invoke: async () => false,
    toggle: async () => false,
    setValue: async () => false,
    select: async () => false,
    selectIndex: async () => false,
    expand: async () => false,
    scrollIntoView: async () => false,
    focus: async () => false,
    closeWindow: async () => false,
    async close() {
      known.clear()
    },
  }
}
