import { EMPTY_RECT } from '../../../desktop/model/geometry.ts'
import type { NativeWindow, WindowHandle } from '../native-windows.ts'
import { type ControlKind, controlKind, controlRole, isComboBoxEx, isLabelled } from './control-classes.ts'
import type { ControlContext, ControlState, NativeControl } from './controls/control.ts'
import { comboField, readComboBox, readHeader, readListBox, readListView, readTreeView } from './controls/lists.ts'
import { readStatusBar, readTabs, readToolBar } from './controls/tabs-and-bars.ts'
import { readButton, readDate, readEdit, readLink, readProgress, readTrackBar, readUpDown } from './controls/values.ts'
import { labelName, type NativeNode, parseLabel } from './native-node.ts'

/** Reads what a kind of control shows. Kinds without a reader have their text as their name. */
const READERS: Partial<Record<ControlKind, (context: ControlContext, control: NativeControl) => ControlState>> = {
  button: readButton,
  combo: readComboBox,
  date: readDate,
  edit: readEdit,
  header: readHeader,
  link: readLink,
  listbox: readListBox,
  listview: readListView,
  progress: readProgress,
  statusbar: readStatusBar,
  tabs: readTabs,
  toolbar: readToolBar,
  trackbar: readTrackBar,
  treeview: readTreeView,
  updown: readUpDown,
}

/** Kinds whose child windows are parts of the control itself and not elements. */
const CLOSED: ReadonlySet<ControlKind> = new Set<ControlKind>(['combo', 'date', 'updown', 'calendar'])
const MAX_LEVELS = 60
const MAX_CONTROLS = 5000
const STATIC_TEXT_TYPES: ReadonlySet<number> = new Set([0, 1, 2, 0x0b, 0x0c, 0x0d])

export interface BridgeContext extends ControlContext {
  /** The elements that the accessibility provider of a window handle has. Undefined when it has none. */
  providerNodes(hwnd: WindowHandle): readonly NativeNode[] | undefined
  /** The control with the keyboard. */
  readonly focus: WindowHandle
}

/**
 * The controls of a window by their handles and classes: for programs whose accessibility provider does not cross window
 * handles. Throws `Timeout` when the program does not answer.
 */
export function readControls(context: BridgeContext, window: NativeWindow): readonly NativeNode[] {
  let count = 0
  const below = (hwnd: WindowHandle, level: number): readonly NativeNode[] => {
    if (level > MAX_LEVELS) return []
    const nodes: NativeNode[] = []
    const siblings = context.user.children(hwnd)
    for (const [at, child] of siblings.entries()) {
      if (!context.user.isVisible(child) || ++count > MAX_CONTROLS) continue
      const node = readControl(child, siblings[at - 1], level)
      if (node) nodes.push(node)
    }
    return nodes
  }
  const readControl = (hwnd: WindowHandle, before: WindowHandle | undefined, level: number): NativeNode | undefined => {
    const { user } = context
    const bounds = user.bounds(hwnd)
    if (!bounds) return undefined
    const className = user.className(hwnd)
    if (isComboBoxEx(className)) return readComboBoxEx(hwnd, before, level)
    const kind = controlKind(className)
    const style = user.style(hwnd)
    const key = `h${hwnd}`
    const common = {
      key,
      bounds,
      enabled: user.isEnabled(hwnd),
      focused: hwnd === context.focus,
      identifier: className,
      source: { is: 'control', hwnd, kind, style } as const,
    }
    if (kind === undefined) {
      const provided = context.providerNodes(hwnd)
      const children = [...(provided ?? []), ...below(hwnd, level + 1)]
      return { ...common, role: 'Pane', name: parseLabel(user.title(hwnd)).name, children }
    }
    const control: NativeControl = { hwnd, kind, style, bounds, key, enabled: common.enabled }
    const state = READERS[kind]?.(context, control) ?? {}
    const label = isLabelled(kind) ? { name: nameBefore(context, before) } : parseLabel(captionOf(context, hwnd))
    const shortcut = 'accessKey' in label ? label.accessKey : undefined
    const children = [...(state.children ?? []), ...(CLOSED.has(kind) ? [] : below(hwnd, level + 1))]
    const isFocusedInside = CLOSED.has(kind) && isInside(context, context.focus, hwnd)
    return {
      ...common,
      role: controlRole(kind, style),
      name: label.name,
      ...(shortcut !== undefined && { keyboardShortcut: shortcut }),
      ...state,
      children,
      ...(isFocusedInside && { focused: true }),
    }
  }
  /** A combo box with pictures: a window around a plain combo box, which has its text. */
  const readComboBoxEx = (hwnd: WindowHandle, before: WindowHandle | undefined, level: number) => {
    const { user, messages } = context
    const inner = user.children(hwnd).find((child) => controlKind(user.className(child)) === 'combo')
    const node = inner === undefined ? undefined : readControl(inner, before, level + 1)
    return node && { ...node, value: messages.text(comboField(context, inner ?? 0) ?? hwnd) }
  }
  return below(window.hwnd, 1)
}

/** The text of a control. The system knows that of most, so that their program is not asked. */
const captionOf = ({ user, messages }: ControlContext, hwnd: WindowHandle): string =>
  user.title(hwnd) || messages.text(hwnd)

/** The name that the control before gives: the text of a label, or the label of a field that belongs to an up-down control. */
function nameBefore(context: ControlContext, before: WindowHandle | undefined): string {
  const { user } = context
  if (before === undefined) return ''
  const kind = controlKind(user.className(before))
  if (kind === 'static' && STATIC_TEXT_TYPES.has(user.style(before) & 0x1f))
    return labelName(captionOf(context, before))
  if (kind !== 'edit') return ''
  const siblings = user.children(user.parent(before))
  const label = siblings[siblings.indexOf(before) - 1]
  return label !== undefined && controlKind(user.className(label)) === 'static'
    ? labelName(captionOf(context, label))
    : ''
}

function isInside({ user }: ControlContext, hwnd: WindowHandle, container: WindowHandle): boolean {
  let at = hwnd
  for (let level = 0; at !== 0 && level < 3; level++) {
    if (at === container) return true
    at = user.parent(at)
  }
  return false
}

/** The root of the tree of a window. */
export const rootNode = (window: NativeWindow, role: string, children: readonly NativeNode[]): NativeNode => ({
  key: 'root',
  role,
  name: window.title,
  bounds: window.bounds ?? EMPTY_RECT,
  enabled: true,
  identifier: window.className,
  source: { is: 'window', hwnd: window.hwnd },
  children,
  // A window that shows a menu is the open menu.
  ...(role === 'Menu' && { expanded: true }),
})
