import { EMPTY_RECT, type Rect, unite } from '../../../desktop/model/geometry.ts'
import { type NativeWindow, rectIn, type WindowHandle } from '../native-windows.ts'
import type { ControlContext } from './controls/control.ts'
import { type NativeNode, parseLabel } from './native-node.ts'
import type { MenuCall, MenuCaller } from './wine-programs.ts'

/** The message that returns the menu of an open menu window. */
const MN_GETHMENU = 0x1e1
const MENU_CLASS = '#32768'
const MAX_MENU_ITEMS = 150
/** The size of `MENUITEMINFOW` in a 64-bit process. */
const INFO_BYTES = 80
const MAX_LABEL = 256
const RECT_BYTES = 16
const SLOT_BYTES = INFO_BYTES + RECT_BYTES + MAX_LABEL * 2
// Type, text, submenu, command and state.
const MASK = 0x147
const SEPARATOR = 0x800
const DISABLED = 3
const CHECKED = 8

export interface MenuContext extends ControlContext {
  /** A caller of functions about the menus of a program. Undefined when it cannot be asked. */
  menuCaller(window: NativeWindow): MenuCaller | undefined
  /** The windows of the desktop. */
  readonly windows: readonly NativeWindow[]
}

/** The menu bar of a window. Undefined when it has none. Menus that are open are windows of their own. */
export function readMenuBar(context: MenuContext, window: NativeWindow): NativeNode | undefined {
  const area = context.user.clientArea(window.hwnd)
  const open = openMenus(context, window)
  return withCaller(context, window, (caller) => {
    const [menu = 0] = caller.call([{ name: 'GetMenu', args: [window.hwnd] }])
    if (menu === 0) return undefined
    const children = readItems(caller, window, menu, 'bar', open)
    if (children.length === 0) return undefined
    const bounds = children.map((child) => child.bounds).reduce(unite)
    return {
      key: `h${window.hwnd}/bar`,
      role: 'MenuBar',
      name: '',
      bounds: area ? { ...bounds, x: area.x, width: area.width } : bounds,
      source: { is: 'menu', hwnd: window.hwnd, position: -1 },
      children,
    }
  })
}

/** The items of a window that shows a menu. */
export function readOpenMenu(context: MenuContext, window: NativeWindow): readonly NativeNode[] {
  const menu = context.messages.send(window.hwnd, MN_GETHMENU)
  if (menu === 0) return []
  const open = openMenus(context, window)
  return withCaller(context, window, (caller) => readItems(caller, window, menu, 'popup', open)) ?? []
}

function withCaller<T>(context: MenuContext, window: NativeWindow, work: (caller: MenuCaller) => T): T | undefined {
  const caller = context.menuCaller(window)
  try {
    return caller && work(caller)
  } finally {
    caller?.close()
  }
}

function readItems(
  caller: MenuCaller,
  window: NativeWindow,
  menu: number,
  place: 'bar' | 'popup',
  open: ReadonlySet<number>,
): readonly NativeNode[] {
  const [counted = 0] = caller.call([{ name: 'GetMenuItemCount', args: [menu] }])
  const count = Math.max(0, Math.min(counted | 0, MAX_MENU_ITEMS))
  if (count === 0) return []
  const slots = Buffer.alloc(count * SLOT_BYTES)
  const { address } = caller.memory
  const calls: MenuCall[] = []
  for (let position = 0; position < count; position++) {
    const at = position * SLOT_BYTES
    slots.writeUInt32LE(INFO_BYTES, at)
    slots.writeUInt32LE(MASK, at + 4)
    slots.writeBigUInt64LE(address + BigInt(at + INFO_BYTES + RECT_BYTES), at + 56)
    slots.writeUInt32LE(MAX_LABEL, at + 64)
    calls.push(
      { name: 'GetMenuItemInfoW', args: [menu, position, 1, address + BigInt(at)] },
      { name: 'GetMenuItemRect', args: [window.hwnd, menu, position, address + BigInt(at + INFO_BYTES)] },
    )
  }
  caller.memory.write(slots)
  const results = caller.call(calls)
  const read = caller.memory.read(slots.length)
  return Array.from({ length: count }, (_, position): NativeNode => {
    const info = read.subarray(position * SLOT_BYTES, (position + 1) * SLOT_BYTES)
    const hasBounds = ((results[position * 2 + 1] ?? 0) & 1) !== 0
    return itemNode(window, place, position, info, open, hasBounds ? rectIn(info, INFO_BYTES) : EMPTY_RECT)
  })
}

/** A menu item in the structures that describe it. */
function itemNode(
  window: NativeWindow,
  place: 'bar' | 'popup',
  position: number,
  info: Buffer,
  open: ReadonlySet<number>,
  bounds: Rect,
): NativeNode {
  const state = info.readUInt32LE(12)
  const submenu = Number(info.readBigUInt64LE(24))
  const written = info.toString('utf16le', INFO_BYTES + RECT_BYTES)
  const { name, accessKey, shortcut } = parseLabel(written.slice(0, Math.max(0, written.indexOf('\0'))))
  const common = {
    key: `h${window.hwnd}/${place}/${position}`,
    name,
    bounds,
    source: { is: 'menu', hwnd: window.hwnd, position } as const,
    children: [],
  }
  if (info.readUInt32LE(8) & SEPARATOR) return { ...common, role: 'Separator', name: '' }
  const keys = shortcut ?? (place === 'bar' ? accessKey : undefined)
  return {
    ...common,
    role: 'MenuItem',
    enabled: (state & DISABLED) === 0,
    ...(keys !== undefined && { keyboardShortcut: keys }),
    ...(submenu !== 0 && { expanded: open.has(submenu) }),
    ...(state & CHECKED && { selected: true }),
  }
}

/** The menus that windows of the same thread show. */
function openMenus({ messages, windows }: MenuContext, { threadId }: NativeWindow): ReadonlySet<WindowHandle> {
  const shown = windows.filter((window) => window.className === MENU_CLASS && window.threadId === threadId)
  return new Set(shown.map(({ hwnd }) => messages.send(hwnd, MN_GETHMENU)))
}
