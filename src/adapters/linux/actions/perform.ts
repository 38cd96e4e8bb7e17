import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { parseChord, parseKey } from '../../../desktop/input/keys.ts'
import { contains } from '../../../desktop/model/geometry.ts'
import { wholeClicks } from '../../../desktop/widgets/widget.ts'
import type { PerformOptions, PerformResult } from '../../computer.ts'
import { noStorage } from '../../real-input.ts'
import type { Accessibility, AccessibleApp } from '../accessibility/accessibility.ts'
import type { FoundElement } from '../accessibility/element-tree.ts'
import { hasState, ROLE } from '../accessibility/roles.ts'
import type { WindowTree } from '../accessibility/window-trees.ts'
import type { Display } from '../x11/display.ts'
import {
  activateXWindow,
  closeXWindow,
  listXWindows,
  maximizeWindow,
  minimizeWindow,
  type XWindow,
  xWindowId,
} from '../x11/x-windows.ts'
import * as patterns from './patterns.ts'
import {
  type ActionContext,
  busOf,
  clickFoundElement,
  ensureActive,
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
import { selectOption } from './select-option.ts'

/** GTK 4 plays the animation of a pressed button before its action takes effect. */
const MAX_ANIMATION_MS = 400
/** The wait for programs that report no change. */
const MAX_SILENCE_MS = 120
const MAX_SETTLE_MS = 600

/** Performs an action on a real desktop. Waits until its program has processed it, or as long as `settleMs`. */
export async function performX11Action(
  context: ActionContext,
  action: Action,
  { settleMs, keyboardWindow: keyboardAt }: PerformOptions,
): Promise<PerformResult> {
  const { accessibility, display } = context
  const windows = await listXWindows(display)
  const app = accessibility && (await appOf(context, windowOfAction(action, windows)))
  const focused =
    accessibility &&
    (await appOf(
      context,
      windows.find((window) => window.focused),
    ))
  const changes = app ? accessibility.changeCount(app.bus) : 0
  const openings = app ? accessibility.windowChangeCount(app.bus) : 0
  try {
    const via = await act(context, action, keyboardAt === undefined ? undefined : xWindowId(keyboardAt))
    if (settleMs === 0 || via === 'nothing') return { via }
    if (via === 'pointer' || via === 'keyboard') await context.input.waitUntilProcessed()
    if (app) await settle(accessibility, app, changes, via)
    // A window without accessibility gets the time of a silent program.
    else await context.input.pause(MAX_SILENCE_MS)
    if (settleMs !== undefined) await waitForWindowChange(display, windows, settleMs)
    else if (app && accessibility.windowChangeCount(app.bus) > openings)
      await waitForWindowChange(display, windows, MAX_OPEN_MS)
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
      await context.input.type(action.text, keyboardAt)
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
      await activateXWindow(context.display, (await windowOf(context, action.window)).id)
      return 'behaviour'
    case 'window':
      return changeWindow(context, action.window, action.to)
    case 'set_clipboard':
    case 'write_file':
      throw noStorage(action)
  }
}

/** The window whose program reports the effect of an action. */
const windowOfAction = (action: Action, windows: readonly XWindow[]): XWindow | undefined =>
  windows.find((candidate) => {
    if ('window' in action) return candidate.id === xWindowId(action.window)
    if ('target' in action && action.target) return candidate.id === xWindowId(action.target.window)
    if ('at' in action && action.at) return contains(candidate.bounds, action.at)
    if (action.type === 'drag') return contains(candidate.bounds, action.from)
    return candidate.focused
  })

/** The program of a window. Undefined if the accessibility bus fails, because pointer and keys still work. */
async function appOf(context: ActionContext, window: XWindow | undefined): Promise<AccessibleApp | undefined> {
  try {
    return window && (await context.appOf(window))
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Waits until the list of windows changes, at most `withinMs` milliseconds. */
async function waitForWindowChange(display: Display, before: readonly XWindow[], withinMs: number): Promise<void> {
  const known = new Set(before.map(({ id }) => id))
  const deadline = Date.now() + withinMs
  for (;;) {
    const now = await listXWindows(display)
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

async function windowOf(context: ActionContext, uid: string): Promise<XWindow> {
  const id = xWindowId(uid)
  const window = (await listXWindows(context.display)).find((candidate) => candidate.id === id)
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
  const point = await pointOn(context, found, at)
  if (plain && !(point && prefersPointer(found)) && (await patterns.doClickAction(busOf(context), found.source)))
    return 'accessibility'
  await clickFoundElement(context, found, point, action)
  return 'pointer'
}

/** The own action of a Qt menu item leaves its menu open, which then takes all keys. */
const MENU_ROLES: ReadonlySet<number> = new Set([ROLE.menu, ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem])
const leavesMenuOpen = ({ windowTree, source }: FoundElement<WindowTree>): boolean =>
  windowTree.toolkit === 'qt' && MENU_ROLES.has(source.role)

/** GTK 4 responds to a real click immediately, but to its click action only after an animation of a quarter second. */
const prefersPointer = (found: FoundElement<WindowTree>): boolean =>
  found.windowTree.toolkit === 'gtk4' || leavesMenuOpen(found)

async function invoke(context: ActionContext, action: TargetedAction): Promise<Via> {
  const found = await findRecentElement(context, action.target)
  const point = await pointOn(context, found, action.at)
  const byPointer = point !== undefined && leavesMenuOpen(found)
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
  await context.input.type(value, windowTree.window.id)
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
  const { display } = context
  const id = xWindowId(uid)
  // A minimised window is not listed, but can be restored.
  const window = to === 'restore' && id !== undefined ? id : (await windowOf(context, uid)).id
  if (to === 'close') await closeXWindow(display, window)
  if (to === 'minimize') await minimizeWindow(display, window)
  if (to === 'maximize') await maximizeWindow(display, window, true)
  if (to === 'restore') await maximizeWindow(display, window, false)
  await context.input.pause(MAX_SILENCE_MS)
  return 'behaviour'
}
