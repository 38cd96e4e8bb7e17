import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { parseChord, parseKey } from '../../../desktop/input/keys.ts'
import { nodeAt } from '../../../desktop/model/element.ts'
import { centerOf, contains, type Point, type Rect } from '../../../desktop/model/geometry.ts'
import { wholeClicks } from '../../../desktop/widgets/widget.ts'
import type { PerformOptions, PerformResult } from '../../computer.ts'
import { type FoundOption, findOptionIn, isOptionSelected } from '../../element-target.ts'
import { MAX_TYPING_PING_MS, noStorage } from '../../real-input.ts'
import { type Accessibility, type AccessibleApp, ATSPI, GET } from '../accessibility/accessibility.ts'
import type { ElementSource, FoundElement } from '../accessibility/element-tree.ts'
import { hasState, ROLE } from '../accessibility/roles.ts'
import type { WindowTree } from '../accessibility/window-trees.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'
import type { DesktopWindow, WindowSystem } from '../desktop-backend.ts'
import { typedTextUnprocessed } from '../input/keyboard.ts'
import * as patterns from './patterns.ts'
import {
  type ActionContext,
  busOf,
  clickFoundElement,
  clickTarget,
  ensureActive,
  findElement,
  findRecentElement,
  LEFT_CLICK,
  MAX_OPEN_MS,
  POLL_INTERVAL_MS,
  pointOn,
  pointOver,
  QUIET_MS,
  type TargetedAction,
  type Via,
} from './pointer.ts'

/** GTK 4 plays the animation of a pressed button before its action takes effect. */
const MAX_ANIMATION_MS = 400
/** The wait for programs that report no change. */
const MAX_SILENCE_MS = 120
const MAX_SETTLE_MS = 600

/** Performs an action on a real desktop. Waits until its program has processed it, or as long as `settleMs`. */
export async function performLinuxAction(
  context: ActionContext,
  action: Action,
  { settleMs, keyboardWindow: keyboardAt }: PerformOptions,
): Promise<PerformResult> {
  const { accessibility } = context
  const windows = await context.windows.list()
  const app = accessibility && (await appOf(context, windowOfAction(context, action, windows)))
  const focused =
    accessibility &&
    (await appOf(
      context,
      windows.find((window) => window.focused),
    ))
  const changes = app ? accessibility.changeCount(app.bus) : 0
  const openings = app ? accessibility.windowChangeCount(app.bus) : 0
  try {
    const via = await act(context, action, keyboardAt === undefined ? undefined : context.windows.idOf(keyboardAt))
    if (settleMs === 0 || via === 'nothing') return { via }
    if (via === 'pointer' || via === 'keyboard') await context.input.waitUntilProcessed()
    if (app) await settle(accessibility, app, changes, via)
    // A window without accessibility gets the time of a silent program.
    else await context.input.pause(MAX_SILENCE_MS)
    if (settleMs !== undefined) await waitForWindowChange(context.windows, windows, settleMs)
    else if (app && accessibility.windowChangeCount(app.bus) > openings)
      await waitForWindowChange(context.windows, windows, MAX_OPEN_MS)
    return { via }
  } finally {
    if (app) context.expire(app)
    if (focused) context.expire(focused)
  }
}

/** `keyboardAt`: the window that should receive keys, if known. */
async function act(context: ActionContext, action: Action, keyboardAt?: number): Promise<Via> {
  switch (action.type) {
    case 'click':
      return click(context, action)
    case 'hover':
      await context.input.move(action.target ? await pointOver(context, action.target, action.at) : action.at)
      await context.input.pause(action.forMs)
      return 'pointer'
    case 'drag':
      await context.input.drag(
        [action.from, ...(action.through ?? []), action.to],
        action.button ?? 'left',
        action.durationMs,
        action.modifiers,
      )
      return 'pointer'
    case 'press':
      return (await context.input.pressButton(action.at, action.button)) ? 'pointer' : 'nothing'
    case 'release':
      return (await context.input.releaseButton(action.at, action.button)) ? 'pointer' : 'nothing'
    case 'scroll':
      if (action.at) await context.input.move(action.at)
      await context.input.scroll(wholeClicks(action.clicks), wholeClicks(action.across ?? 0), action.modifiers)
      return 'pointer'
    case 'key_down':
      await context.input.pressKey(parseKey(action.key), keyboardAt)
      return 'keyboard'
    case 'key_up':
      return (await context.input.releaseKey(parseKey(action.key))) ? 'keyboard' : 'nothing'
    case 'hold':
      await context.input.hold(parseChord(action.keys), action.forMs, keyboardAt)
      return 'keyboard'
    case 'type':
      await context.input.type(action.text, keyboardAt, {
        intervalMs: action.intervalMs,
        inHalves: await readsHalves(context, action.text),
        watchEntry: await entryWatch(context),
      })
      await requireAnswer(context)
      return 'keyboard'
    case 'key':
      await context.input.press(parseChord(action.keys), keyboardAt)
      return 'keyboard'
    case 'focus':
      return focus(context, action)
    case 'invoke':
      return invoke(context, action)
    case 'set_value':
      return setValue(context, action)
    case 'clear_text':
      return setValue(context, { ...action, type: 'set_value', value: '', clearFirst: true })
    case 'select':
      return selectOption(context, action)
    case 'activate':
      await context.windows.activate((await windowOf(context, action.window)).id)
      return 'behaviour'
    case 'window':
      return changeWindow(context, action.window, action.to)
    case 'set_clipboard':
      if (!context.clipboard) throw noStorage(action)
      await context.clipboard.write(action.text)
      return 'behaviour'
    case 'write_file':
    case 'webmcp_call':
      throw noStorage(action)
  }
}

/** Whether the program of the keyboard reads keys in 16 bits: Chromium on Wayland. Of ASCII it does not matter. */
async function readsHalves(context: ActionContext, text: string): Promise<boolean> {
  if (!context.accessibility || /^[\0-\x7f]*$/.test(text)) return false
  const focused = (await context.windows.list()).find((window) => window.focused)
  if (!focused?.isWayland) return false
  const app = await appOf(context, focused)
  return app !== undefined && (await context.accessibility.toolkit(app)) === 'chromium'
}

/** A program that takes text without keys reports within this time that it has changed. */
const MAX_ENTRY_MS = 1000

/** Watches whether the program of the keyboard reports a change. Undefined when it has no accessibility. */
async function entryWatch(context: ActionContext): Promise<(() => () => Promise<boolean>) | undefined> {
  const { accessibility } = context
  const focused = accessibility && (await context.windows.list()).find((window) => window.focused)
  const app = await appOf(context, focused)
  if (!accessibility || !app) return undefined
  return () => {
    const before = accessibility.changeCount(app.bus)
    return () => accessibility.waitForChange(app.bus, before, MAX_ENTRY_MS)
  }
}

/**
 * On Wayland a compositor does not tell whether a program hangs, so that of the focused window is asked itself. Throws `Timeout`
 * when it does not answer. X11 asks it through its window.
 */
async function requireAnswer(context: ActionContext): Promise<void> {
  const focused = (await context.windows.list()).find((window) => window.focused)
  const app = focused?.isWayland && (await appOf(context, focused))
  if (!app || !context.accessibility) return
  try {
    await context.accessibility.bus.tryCall(app.root, ANSWER)
  } catch (error) {
    if (error instanceof Fault && error.code === 'Timeout') throw typedTextUnprocessed()
    throw error
  }
}

const ANSWER: BusMethod = { interface: `${ATSPI}.Accessible`, member: 'GetRole', timeoutMs: MAX_TYPING_PING_MS }

/** The window whose program reports the effect of an action. */
const windowOfAction = (
  { windows: { idOf } }: ActionContext,
  action: Action,
  windows: readonly DesktopWindow[],
): DesktopWindow | undefined =>
  windows.find((candidate) => {
    if ('window' in action) return candidate.id === idOf(action.window)
    if ('target' in action && action.target) return candidate.id === idOf(action.target.window)
    if ('at' in action && action.at) return contains(candidate.bounds, action.at)
    if (action.type === 'drag') return contains(candidate.bounds, action.from)
    return candidate.focused
  })

/** The program of a window. Undefined if the accessibility bus fails, because pointer and keys still work. */
async function appOf(context: ActionContext, window: DesktopWindow | undefined): Promise<AccessibleApp | undefined> {
  try {
    return window && (await context.appOf(window))
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Waits until the list of windows changes, at most `withinMs` milliseconds. */
async function waitForWindowChange(
  system: WindowSystem,
  before: readonly DesktopWindow[],
  withinMs: number,
): Promise<void> {
  const known = new Set(before.map(({ id }) => id))
  const deadline = Date.now() + withinMs
  for (;;) {
    const now = await system.list()
    if (now.length !== known.size || now.some(({ id }) => !known.has(id)) || Date.now() > deadline) return
    await sleep(POLL_INTERVAL_MS)
  }
}

/** Waits until the program has reported a change and is quiet, within a time limit. */
async function settle(accessibility: Accessibility, app: AccessibleApp, before: number, via: Via): Promise<void> {
  const { waitForChange, changeCount } = accessibility
  const { bus } = app
  const deadline = Date.now() + MAX_SETTLE_MS
  const isAnimated = via === 'accessibility' && (await accessibility.toolkit(app)) === 'gtk4'
  if (!(await waitForChange(bus, before, isAnimated ? MAX_ANIMATION_MS : MAX_SILENCE_MS))) return
  while (Date.now() < deadline) if (!(await waitForChange(bus, changeCount(bus), QUIET_MS))) return
}

async function windowOf(context: ActionContext, uid: string): Promise<DesktopWindow> {
  const id = context.windows.idOf(uid)
  const window = (await context.windows.listAll()).find((candidate) => candidate.id === id)
  if (!window) throw new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
  return window
}

async function click(context: ActionContext, action: Extract<Action, { type: 'click' }>): Promise<Via> {
  const { at, button, count, modifiers, target } = action
  if (!target) {
    await context.input.click(at, button, count, modifiers)
    return 'pointer'
  }
  const found = await findRecentElement(context, target)
  const plain = button === 'left' && count === 1 && !modifiers?.length
  if (plain && (await openInBar(context, found))) return 'accessibility'
  const point = await pointOfPointer(context, found, at)
  if (plain && !(point && prefersPointer(found)) && (await patterns.doClickAction(busOf(context), found.source)))
    return 'accessibility'
  await clickFoundElement(context, found, point, action)
  return 'pointer'
}

/** Where the pointer reaches an element. Undefined where it does not, and in a session that refuses the pointer. */
const pointOfPointer = async (
  context: ActionContext,
  found: FoundElement<WindowTree>,
  at: Point,
): Promise<Point | undefined> => (context.input.refusesPointer ? undefined : pointOn(context, found, at))

/** The own action of a Qt menu item leaves its menu open, which then takes all keys. */
const MENU_ROLES: ReadonlySet<number> = new Set([ROLE.menu, ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem])
const leavesMenuOpen = ({ windowTree, source }: FoundElement<WindowTree>): boolean =>
  windowTree.toolkit === 'qt' && MENU_ROLES.has(source.role)

const MAX_MENU_ATTEMPTS = 4
const MENU_OPENS_MS = 150

/**
 * On Wayland, the own action of a menu in a bar of GTK 3 opens the first menu there, whichever is meant. Selecting it in its bar
 * opens it, and so does a press of a pointer, after which GTK ignores a click on an item for half a second.
 */
async function openInBar(
  context: ActionContext,
  { windowTree, path, source }: FoundElement<WindowTree>,
): Promise<boolean> {
  if (windowTree.toolkit !== 'gtk3' || !windowTree.window.isWayland || source.role !== ROLE.menu) return false
  const bar = nodeAt(windowTree.tree, path.slice(0, -1))
  if (bar?.role !== 'MenuBar') return false
  const [bus, owner] = [busOf(context), windowTree.sources.get(bar.id)!]
  // Some programs then still open the first menu, which is another moment later.
  for (let attempt = 0; attempt < MAX_MENU_ATTEMPTS; attempt++) {
    if (!(await patterns.selectInParent(bus, owner, source))) return false
    await context.input.pause(MENU_OPENS_MS)
    if (hasState((await bus.tryCall<readonly number[]>(source.ref, STATES)) ?? [], 'selected')) return true
  }
  return false
}

/**
 * GTK 3 calls what a button or a menu item does before it answers its own action. Where that runs a dialog, the program answers no
 * call until the dialog is closed, and takes no keys.
 */
const RUNNING_ROLES: ReadonlySet<number> = new Set([ROLE.pushButton, ROLE.menuItem])
const mayRunDialog = ({ windowTree, path, source }: FoundElement<WindowTree>): boolean =>
  windowTree.toolkit === 'gtk3' &&
  RUNNING_ROLES.has(source.role) &&
  // On Wayland the place of other menus than those of a bar is known only if the pointer has opened them.
  (!windowTree.window.isWayland ||
    source.role !== ROLE.menuItem ||
    windowTree.menuPress !== undefined ||
    path.some((_, depth) => nodeAt(windowTree.tree, path.slice(0, depth))?.role === 'MenuBar'))

/** The own action of these has an effect that a click has not. */
const misbehaves = (found: FoundElement<WindowTree>): boolean => leavesMenuOpen(found) || mayRunDialog(found)

/**
 * GTK 4 responds to a real click immediately, but to its click action only after an animation of a quarter second. On Wayland, where
 * popovers are drawn is not known for certain, so their items are exceptions.
 */
const prefersPointer = (found: FoundElement<WindowTree>): boolean => {
  const { windowTree, source } = found
  if (windowTree.toolkit === 'gtk4') return !(windowTree.window.isWayland && MENU_ROLES.has(source.role))
  // The own action of Qt checks a button or selects an item without what a click does.
  return windowTree.toolkit === 'qt' || misbehaves(found)
}

async function invoke(context: ActionContext, action: TargetedAction): Promise<Via> {
  const found = await findRecentElement(context, action.target)
  if (await openInBar(context, found)) return 'accessibility'
  const point = await pointOfPointer(context, found, action.at)
  const byPointer = point !== undefined && misbehaves(found)
  if (!byPointer && (await patterns.doDefaultAction(busOf(context), found.source))) return 'accessibility'
  await clickFoundElement(context, found, point, LEFT_CLICK)
  return 'pointer'
}

async function focus(context: ActionContext, action: TargetedAction): Promise<Via> {
  const found = await findRecentElement(context, action.target)
  await ensureActive(context, found.windowTree.window)
  if (await patterns.grabFocus(busOf(context), found.source)) return 'accessibility'
  if (!hasState(found.source.states, 'focusable'))
    throw new Fault('PatternUnsupported', `${found.element.role} cannot take the keyboard; click it instead`)
  await clickFoundElement(context, found, await pointOn(context, found, action.at), LEFT_CLICK)
  return 'pointer'
}

async function setValue(context: ActionContext, action: Extract<Action, { type: 'set_value' }>): Promise<Via> {
  const found = await findRecentElement(context, action.target)
  const { source, windowTree, element } = found
  const { value, clearFirst } = action
  const bus = busOf(context)
  if (await patterns.setElementValue(bus, element, source, value, clearFirst)) return 'accessibility'
  // The following keys need the element to be focused.
  await ensureActive(context, windowTree.window)
  if (!(await patterns.grabFocus(bus, source)))
    await clickFoundElement(context, found, await pointOn(context, found, action.at), LEFT_CLICK)
  await context.input.press(clearFirst ? SELECT_ALL : MOVE_TO_END, windowTree.window.id)
  if (clearFirst) await context.input.press(DELETE, windowTree.window.id)
  await context.input.type(value, windowTree.window.id, {
    inHalves: await readsHalves(context, value),
    watchEntry: await entryWatch(context),
  })
  return 'keyboard'
}

const SELECT_ALL = parseChord('ctrl+a')
const MOVE_TO_END = parseChord('ctrl+end')
const DELETE = parseChord('delete')

async function changeWindow(
  context: ActionContext,
  uid: string,
  to: 'close' | 'minimize' | 'maximize' | 'restore',
): Promise<Via> {
  const { windows } = context
  const window = (await windowOf(context, uid)).id
  if (to === 'close') await windows.close(window)
  if (to === 'minimize') await windows.minimize(window)
  if (to === 'maximize') await windows.maximize(window, true)
  if (to === 'restore') await windows.maximize(window, false)
  await context.input.pause(MAX_SILENCE_MS)
  return 'behaviour'
}

const HOME = parseChord('home')

const DOWN = parseChord('down')

/** Selects an option of a list, a table or a combo box. */
async function selectOption(
  context: ActionContext,
  { target, option: wanted }: Extract<Action, { type: 'select' }>,
): Promise<Via> {
  const found = await findRecentElement(context, target)
  const bus = busOf(context)
  // The tree contains only the visible part of a long list.
  if (found.element.traits?.childCount !== undefined) {
    const row = await findRow(bus, found.source, wanted)
    if (row !== undefined && (await selectRow(bus, found.source, row))) return 'accessibility'
  }
  const option = findOptionIn(found.element, wanted)
  const isSelected = async () => {
    await context.input.pause(QUIET_MS)
    return isOptionSelected((await context.windowTree(target.window)).tree, target.element, option.element)
  }
  if (found.source.role === ROLE.comboBox) return selectInCombo(context, found, option, isSelected)
  const owner = found.windowTree.sources.get(option.parent.id)!
  const item = found.windowTree.sources.get(option.element.id)!
  if (option.element.role === 'DataItem' && owner.patterns.has('Table')) {
    if (item.index !== undefined && (await selectRow(bus, owner, item.index))) return 'accessibility'
    await clickTarget(context, { window: target.window, element: option.element.id })
    return 'pointer'
  }
  if ((await patterns.selectChild(bus, owner, option.at)) && (await isSelected())) return 'accessibility'
  if ((await patterns.doDefaultAction(bus, item)) && (await isSelected())) return 'accessibility'
  await clickTarget(context, { window: target.window, element: option.element.id })
  return 'pointer'
}

/** Selects an option by the combo box itself, else with arrow keys, else by opening it and clicking the option. */
async function selectInCombo(
  context: ActionContext,
  { windowTree, element, source }: FoundElement<WindowTree>,
  option: FoundOption,
  isSelected: () => Promise<boolean>,
): Promise<Via> {
  const bus = busOf(context)
  if ((await patterns.selectChild(bus, source, option.index)) && (await isSelected())) return 'accessibility'
  // In a combo box of Qt that takes text, the keys move the caret, and a click in the text does not open the list.
  const field = windowTree.toolkit === 'qt' ? element.children.find(({ role }) => role === 'Edit') : undefined
  if (!field && (await patterns.grabFocus(bus, source))) {
    await ensureActive(context, windowTree.window)
    await context.input.press(HOME, windowTree.window.id)
    for (let step = 0; step < option.index; step++) await context.input.press(DOWN, windowTree.window.id)
    if (await isSelected()) return 'keyboard'
  }
  const window = context.windows.uidOf(windowTree.window.id)
  await clickTarget(context, { window, element: element.id }, ({ bounds }) =>
    field ? beside(bounds, field.bounds) : centerOf(bounds),
  )
  const deadline = Date.now() + MAX_OPEN_MS
  const target = { window, element: option.element.id }
  while ((await findElement(context, target)).element.traits?.hidden && Date.now() < deadline)
    await context.input.pause(QUIET_MS)
  await clickTarget(context, target)
  return 'pointer'
}

/** The centre of the part of a box to the right of another in it, else of its part to the left. */
function beside({ x, y, width, height }: Rect, inner: Rect): Point {
  const right = x + width - inner.x - inner.width
  const left = inner.x - x
  return { x: right >= left ? x + width - right / 2 : x + left / 2, y: y + height / 2 }
}

/** Finds and selects rows and list items that are not in the tree because they are out of view. */

const of = (pattern: string, member: string, takes?: string): BusMethod => ({
  interface: `${ATSPI}.${pattern}`,
  member,
  ...(takes ? { signature: takes } : {}),
})
const CELL_AT = of('Table', 'GetAccessibleAt', 'ii')
const ADD_ROW = of('Table', 'AddRowSelection', 'i')
const CHILD_AT = of('Accessible', 'GetChildAtIndex', 'i')
const STATES = of('Accessible', 'GetState')
const GRAB_FOCUS = of('Component', 'GrabFocus')
const SELECT_CHILD = of('Selection', 'SelectChild', 'i')
const CLEAR = of('Selection', 'ClearSelection')

/** The number of rows whose names are requested at once. */
const ROWS_PER_BATCH = 200
const MAX_COLUMNS_SEARCHED = 5
const MAX_SEARCH_MS = 5000

/** Finds a row by its index or by the name of one of its cells. Undefined when there is none. */
export async function findRow(
  bus: Bus,
  container: ElementSource,
  wanted: Extract<Action, { type: 'select' }>['option'],
  now: () => number = Date.now,
): Promise<number | undefined> {
  const isTable = container.patterns.has('Table')
  const read = (pattern: string, name: string) => bus.tryCall<number>(container.ref, GET, `${ATSPI}.${pattern}`, name)
  const [count = 0, columns = 1] = isTable
    ? await Promise.all([read('Table', 'NRows'), read('Table', 'NColumns')])
    : [await read('Accessible', 'ChildCount')]
  if ('index' in wanted) return wanted.index < count ? wanted.index : undefined
  const deadline = now() + MAX_SEARCH_MS
  for (let column = 0; column < Math.min(columns, MAX_COLUMNS_SEARCHED); column++)
    for (let from = 0; from < count && now() < deadline; from += ROWS_PER_BATCH) {
      const rows = Array.from({ length: Math.min(ROWS_PER_BATCH, count - from) }, (_, at) => from + at)
      const names = await Promise.all(rows.map((row) => nameAt(bus, container, row, column)))
      const at = names.indexOf(wanted.name)
      if (at >= 0) return from + at
    }
  return undefined
}

async function nameAt(bus: Bus, container: ElementSource, row: number, column: number): Promise<string | undefined> {
  const ref = await objectAt(bus, container, row, column)
  return ref && bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Name')
}

async function objectAt(
  bus: Bus,
  { ref, patterns }: ElementSource,
  row: number,
  column = 0,
): Promise<ObjectRef | undefined> {
  const pair = patterns.has('Table')
    ? await bus.tryCall<readonly [string, string]>(ref, CELL_AT, row, column)
    : await bus.tryCall<readonly [string, string]>(ref, CHILD_AT, row)
  return pair && pair[1] !== '/org/a11y/atspi/null' ? { bus: pair[0], path: pair[1] } : undefined
}

/** Selects a single row or list item, and focuses it so that its program scrolls to it. */
export async function selectRow(bus: Bus, container: ElementSource, row: number): Promise<boolean> {
  const object = await objectAt(bus, container, row)
  if (!object) return false
  if (container.patterns.has('Selection')) await bus.tryCall(container.ref, CLEAR)
  const asked = container.patterns.has('Table')
    ? await bus.tryCall<boolean>(container.ref, ADD_ROW, row)
    : await bus.tryCall<boolean>(container.ref, SELECT_CHILD, row)
  await bus.tryCall(object, GRAB_FOCUS)
  if (asked !== true) return false
  return hasState((await bus.tryCall<readonly number[]>(object, STATES)) ?? [], 'selected')
}
