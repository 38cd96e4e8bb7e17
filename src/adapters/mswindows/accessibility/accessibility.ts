import { Fault } from '../../../base/fault.ts'
import { type Element, nodeById } from '../../../desktop/model/element.ts'
import { EMPTY_RECT, type Rect } from '../../../desktop/model/geometry.ts'
import {
  describeNativeWindow,
  hwndOf,
  listNativeWindows,
  loadWindowFunctions,
  type NativeWindow,
  type Responds,
  requireResponse,
  type WindowHandle,
} from '../native-windows.ts'
import { readControls, rootNode } from './bridge.ts'
import {
  expandControl,
  expandItem,
  focusControl,
  loadFocusFunctions,
  pressNativeControl,
  pressProvided,
  pressToolButton,
  scrollItemIntoView,
  selectItem,
  selectItemAt,
  setControlValue,
  setProvidedValue,
  toggleControl,
} from './control-actions.ts'
import { type ControlKind, controlKind } from './control-classes.ts'
import type { ControlContext } from './controls/control.ts'
import { readMenuBar, readOpenMenu } from './menus.ts'
import { createMessages } from './messages.ts'
import {
  createWindowElementIds,
  type NativeNode,
  type NativeSource,
  type NativeTree,
  toNativeTree,
  type WindowElementIds,
} from './native-node.ts'
import { isWine, loadCodeRunner } from './remote-code.ts'
import { loadMemoryFunctions, type RemoteMemory } from './remote-memory.ts'
import { openUiaClient, type UiaClient, type UiaElement, type UiaNode, type UiaProperties } from './uia-client.ts'
import { type AllocateMemory, createMenuCallers, createWineAllocator } from './wine-programs.ts'

/** An element of the last tree of a window, which actions refer to. */
export interface WindowsElement {
  readonly element: Element
  /** The root of the tree that has it. */
  readonly tree: Element
  readonly window: WindowHandle
}

/**
 * Windows and their elements. Every call has a time limit: a program that does not answer is a `Timeout`. A closed window is
 * `WindowGone`, and an element that its window no longer has is `ElementNotFound`.
 */
export interface WindowsAccessibility {
  /** The visible windows front to back, without minimised ones. */
  windows(): Promise<readonly NativeWindow[]>
  /** Any top-level window, also a minimised or hidden one. Undefined when it is closed or the uid is of something else. */
  windowOf(uid: string): Promise<NativeWindow | undefined>
  /** Reads the tree of a window. Undefined when it is closed. */
  tree(uid: string): Promise<Element | undefined>
  /** Finds an element in a tree that is read now, or was read during the last `maxAgeMs` milliseconds. Does not check whether it is enabled. */
  find(uid: string, elementId: string, options?: { readonly maxAgeMs?: number }): Promise<WindowsElement>

  // Each of these returns false when the element does not offer it, and nothing was done.

  /** Presses a button or link, or opens a menu item: what a plain click does. */
  invoke(found: WindowsElement): Promise<boolean>
  /** Toggles a check box. */
  toggle(found: WindowsElement): Promise<boolean>
  /** Replaces the text or number of an element. Returns after it was read back. */
  setValue(found: WindowsElement, value: string): Promise<boolean>
  /** Selects a list item, tab, tree item, radio button, or an option of a combo box by its own element. */
  select(found: WindowsElement): Promise<boolean>
  /** Selects an option of a combo box or a row of a list by its index, also when it has no element. */
  selectIndex(found: WindowsElement, index: number): Promise<boolean>
  /** Opens or closes a combo box, tree item or menu. */
  expand(found: WindowsElement, expanded: boolean): Promise<boolean>
  scrollIntoView(found: WindowsElement): Promise<boolean>
  /** Gives an element of the foreground window the keyboard. */
  focus(found: WindowsElement): Promise<boolean>
  /** Asks the window to close, without waiting for it. */
  closeWindow(hwnd: WindowHandle): Promise<boolean>
  close(): Promise<void>
}

const MEMORY_BYTES = 0x10000
const WM_CLOSE = 0x10
const ROOT_ROLES: Partial<Record<ControlKind, string>> = {
  dialog: 'Dialog',
  menu: 'Menu',
  tooltip: 'ToolTip',
  listbox: 'List',
}

interface KnownWindow {
  readonly ids: WindowElementIds
  read?: NativeTree
  /** Elements of UI Automation, released after the next reading. */
  elements?: readonly UiaElement[]
  readMs: number
}

/** Opens the windows and elements of this desktop. */
export function openWindowsAccessibility(responds: Responds): WindowsAccessibility {
  const user = loadWindowFunctions()
  const messages = createMessages(user)
  const memories = loadMemoryFunctions()
  const underWine = isWine()
  const allocate: AllocateMemory = underWine
    ? createWineAllocator(memories, loadCodeRunner(messages, user.isWindow))
    : (pid, _hwnd, bytes) => memories.allocate(pid, bytes)
  // Under Wine its providers have no children, and its calls wait for programs without a limit.
  const uia = underWine ? undefined : openUiaClient()
  const menuCaller = createMenuCallers(allocate, underWine)
  const focusFunctions = loadFocusFunctions()
  const known = new Map<WindowHandle, KnownWindow>()
  /** Memory in programs that did not answer, by process id. Freeing it would wait for them, so it is used again. */
  const unfreed = new Map<number, RemoteMemory>()
  let windowsSeen = 0

  const knownOf = (hwnd: WindowHandle): KnownWindow => {
    for (const [each, { elements = [] }] of known) {
      if (user.isWindow(each)) continue
      for (const element of elements) uia?.release(element)
      known.delete(each)
    }
    const entry = known.get(hwnd) ?? { ids: createWindowElementIds(++windowsSeen), readMs: 0 }
    known.set(hwnd, entry)
    return entry
  }

  const windowOf = (uid: string): NativeWindow | undefined => {
    const hwnd = hwndOf(uid)
    const window =
      hwnd === undefined || !user.isWindow(hwnd) ? undefined : describeNativeWindow(user, hwnd, user.foreground())
    return window?.uid === uid ? window : undefined
  }

  /** Runs work that may use memory in programs, which is freed after it. */
  const withControls = <T>(work: (context: ControlContext) => T): T => {
    const allocated = new Map<number, RemoteMemory | undefined>()
    const memoryOf = (control: WindowHandle) => {
      const { pid } = user.threadOf(control)
      if (!allocated.has(pid)) allocated.set(pid, unfreed.get(pid) ?? allocate(pid, control, MEMORY_BYTES))
      unfreed.delete(pid)
      return allocated.get(pid)
    }
    let isAnswering = true
    try {
      return messages.limited(() => work({ user, messages, memoryOf }))
    } catch (thrown) {
      isAnswering = !(thrown instanceof Fault && thrown.code === 'Timeout')
      throw thrown
    } finally {
      for (const [pid, memory] of allocated) {
        if (isAnswering) memory?.close()
        else if (memory) unfreed.set(pid, memory)
      }
    }
  }

  const readTree = (window: NativeWindow): NativeTree | undefined => {
    const { hwnd } = window
    return withControls((context) => {
      if (!messages.probe(hwnd)) return undefined
      const focus = window.focused ? (user.guiThread(window.threadId)?.focus ?? 0) : 0
      const menus = { ...context, menuCaller, windows: listNativeWindows(user) }
      const kind = controlKind(window.className)
      const fresh: UiaElement[] = []
      const providerNodes = (handle: WindowHandle) => {
        const provided = uia?.read(handle)
        if (!provided) return undefined
        fresh.push(...elementsIn(provided))
        return provided.children.length > 0 ? provided.children.map(uiaNode) : undefined
      }
      const whole = kind === 'menu' ? undefined : providerNodes(hwnd)
      const controls = () => whole ?? readControls({ ...context, focus, providerNodes }, window)
      const bar = kind === 'menu' || whole ? undefined : readMenuBar(menus, window)
      const children = kind === 'menu' ? readOpenMenu(menus, window) : [...(bar ? [bar] : []), ...controls()]
      const role = ROOT_ROLES[kind ?? 'pane'] ?? 'Window'
      const entry = knownOf(hwnd)
      for (const element of entry.elements ?? []) uia?.release(element)
      entry.elements = fresh
      entry.read = toNativeTree(rootNode(window, role, children), entry.ids)
      entry.readMs = performance.now()
      return entry.read
    })
  }

  /** What the system knows an element as, in a program that answers. */
  const sourceOf = ({ window, element }: WindowsElement): NativeSource => {
    const source = known.get(window)?.read?.sources.get(element.id)
    if (!user.isWindow(window)) throw windowGone(window)
    const isClosed = source && 'hwnd' in source && !user.isWindow(source.hwnd)
    if (!source || isClosed || !messages.probe(window)) throw elementGone(element.id)
    return source
  }
  /** Acts on a control or an item of one, in a program that answers. */
  const act = async (
    found: WindowsElement,
    onControl: (context: ControlContext, source: Extract<NativeSource, { is: 'control' }>) => boolean,
    onItem: (context: ControlContext, source: Extract<NativeSource, { is: 'item' }>) => boolean,
    onUia: (client: UiaClient, element: UiaElement) => boolean,
  ): Promise<boolean> => {
    const window = describeNativeWindow(user, found.window, 0)
    if (window) await requireResponse(responds, user.isWindow, window)
    return withControls((context) => {
      const source = sourceOf(found)
      if (source.is === 'control') return onControl(context, source)
      if (source.is === 'uia') return uia !== undefined && onUia(uia, source.element)
      return source.is === 'item' && onItem(context, source)
    })
  }

  return {
    windows: async () => listNativeWindows(user),
    windowOf: async (uid) => windowOf(uid),
    async tree(uid): Promise<Element | undefined> {
      const window = windowOf(uid)
      if (!window) return undefined
      await requireResponse(responds, user.isWindow, window)
      return readTree(window)?.tree
    },
    async find(uid, elementId, { maxAgeMs = 0 } = {}) {
      const window = windowOf(uid)
      if (!window) throw new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
      const entry = knownOf(window.hwnd)
      const isFresh = entry.read && performance.now() - entry.readMs < maxAgeMs
      if (!isFresh) await requireResponse(responds, user.isWindow, window)
      const read = isFresh ? entry.read : readTree(window)
      const element = read && nodeById(read.tree, elementId)
      if (!read || !element) throw elementGone(elementId)
      return { element, tree: read.tree, window: window.hwnd }
    },
    invoke: async (found) =>
      act(
        found,
        (context, source) => pressNativeControl(context, source),
        (context, source) => pressToolButton(context, source, found.element) || selectItem(context, source),
        pressProvided,
      ),
    toggle: async (found) =>
      act(
        found,
        toggleControl,
        () => false,
        (client, element) => client.perform(element, 'Toggle'),
      ),
    setValue: async (found, value) =>
      act(
        found,
        (context, source) => setControlValue(context, source, found.element, value),
        () => false,
        (client, element) => setProvidedValue(client, element, found.element, value),
      ),
    select: async (found) =>
      act(
        found,
        (context, source) => found.element.role === 'RadioButton' && pressNativeControl(context, source),
        selectItem,
        (client, element) => client.perform(element, 'SelectionItem'),
      ),
    selectIndex: async (found, index) =>
      act(
        found,
        (context, { hwnd, kind }) => selectItemAt(context, hwnd, kind, index),
        () => false,
        () => false,
      ),
    expand: async (found, expanded) =>
      act(
        found,
        (context, source) => expandControl(context, source, expanded),
        (context, source) => expandItem(context, source, expanded),
        (client, element) => client.perform(element, 'ExpandCollapse', expanded ? 3 : 4),
      ),
    scrollIntoView: async (found) =>
      act(
        found,
        () => false,
        scrollItemIntoView,
        (client, element) => client.perform(element, 'ScrollItem'),
      ),
    focus: async (found) =>
      act(
        found,
        (context, { hwnd }) => focusControl(context, focusFunctions, hwnd),
        (context, { hwnd }) => focusControl(context, focusFunctions, hwnd),
        (client, element) => client.setFocus(element),
      ),
    closeWindow: async (hwnd) => messages.post(hwnd, WM_CLOSE, 0, 0),
    async close() {
      for (const { elements = [] } of known.values()) for (const element of elements) uia?.release(element)
      known.clear()
      uia?.close()
    },
  }
}

const windowGone = (hwnd: WindowHandle): Fault =>
  new Fault('WindowGone', 'the window has been closed', { handle: hwnd })

const elementGone = (id: string): Fault =>
  new Fault('ElementNotFound', `the window no longer has an element ${id}`, { element_id: id })

const elementsIn = ({ element, children }: UiaNode): readonly UiaElement[] => [element, ...children.flatMap(elementsIn)]

/** The observer's roles of the control types of UI Automation, from 50000 on. */
const ROLES: readonly string[] = [
  ...['Button', 'Calendar', 'CheckBox', 'ComboBox', 'Edit', 'Link', 'Image', 'ListItem', 'List', 'Menu', 'MenuBar'],
  ...[
    'MenuItem',
    'ProgressBar',
    'RadioButton',
    'ScrollBar',
    'Slider',
    'Spinner',
    'StatusBar',
    'Tab',
    'TabItem',
    'Text',
  ],
  ...['ToolBar', 'ToolTip', 'Tree', 'TreeItem', 'Pane', 'Group', 'Thumb', 'DataGrid', 'DataItem', 'Document'],
  ...[
    'SplitButton',
    'Window',
    'Pane',
    'Header',
    'HeaderItem',
    'Table',
    'TitleBar',
    'Separator',
    'ScrollArea',
    'ToolBar',
  ],
]
const FIRST_CONTROL_TYPE = 50_000
const EXPANDED = 1
/** The state of an element that cannot be opened. */
const LEAF = 3
const ON = 1
const MIXED = 2

/** The role of a control type. Passwords are a role of their own. */
export function uiaRole({ controlType = 0, isPassword = false }: UiaProperties): string {
  const role = ROLES[controlType - FIRST_CONTROL_TYPE] ?? 'Pane'
  return role === 'Edit' && isPassword ? 'PasswordEdit' : role
}

/** A cached element of UI Automation as a node. Its key is its runtime id. */
export function uiaNode({ element, properties, children }: UiaNode): NativeNode {
  const { name = '', automationId, className, helpText, acceleratorKey, accessKey } = properties
  const isSecret = properties.isPassword === true
  const keys = acceleratorKey || accessKey
  const identifier = automationId || className
  const hasText = properties.hasValue === true && properties.hasRangeValue !== true
  const traits = {
    ...(isSecret && { secret: true }),
    ...(hasText && properties.isReadOnly && { readOnly: true }),
    ...(properties.toggleState === MIXED && { triState: true }),
  }
  const value = properties.toggleState === MIXED ? 'mixed' : hasText && !isSecret ? properties.value : undefined
  return {
    key: `u${(properties.runtimeId ?? []).join('.')}`,
    role: uiaRole(properties),
    name,
    bounds: boundsIn(properties),
    enabled: properties.isEnabled !== false,
    focused: properties.hasFocus === true,
    source: { is: 'uia', element },
    children: children.map(uiaNode),
    ...(value !== undefined && { value }),
    ...(keys && { keyboardShortcut: keys }),
    ...(helpText && { description: helpText }),
    ...(identifier && { identifier }),
    ...selectionOf(properties),
    ...(properties.hasExpandCollapse &&
      properties.expandState !== LEAF && { expanded: properties.expandState === EXPANDED }),
    ...(properties.hasRangeValue && {
      valueNow: properties.rangeValue ?? 0,
      valueMin: properties.rangeMin ?? 0,
      valueMax: properties.rangeMax ?? 0,
    }),
    ...(Object.keys(traits).length > 0 && { traits }),
  }
}

function selectionOf({ hasToggle, toggleState, hasSelectionItem, isSelected }: UiaProperties) {
  if (hasToggle) return { selected: toggleState === ON }
  return hasSelectionItem ? { selected: isSelected === true } : {}
}

/** Whole pixels. An element out of view may have infinite ones. */
function boundsIn({ bounds }: UiaProperties): Rect {
  const [x = 0, y = 0, width = 0, height = 0] = (bounds ?? []).map(Math.round)
  return [x, y, width, height].every(Number.isSafeInteger) ? { x, y, width, height } : EMPTY_RECT
}
