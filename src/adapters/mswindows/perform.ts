import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { parseChord, parseKey } from '../../desktop/input/keys.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { pathOf } from '../../desktop/model/element.ts'
import { centerOf, contains, type Point } from '../../desktop/model/geometry.ts'
import { shownBounds } from '../../desktop/visible-bounds.ts'
import { wholeClicks } from '../../desktop/widgets/widget.ts'
import type { PerformResult } from '../computer.ts'
import {
  bringIntoView,
  describeElement,
  type ElementInTree,
  findOptionIn,
  isOptionSelected,
} from '../element-target.ts'
import { noStorage } from '../real-input.ts'
import type { WindowsAccessibility, WindowsElement } from './accessibility/accessibility.ts'
import type { WindowsClipboard } from './clipboard.ts'
import { isTextChord, type WindowsInput } from './input/input.ts'
import type { KeyboardTarget } from './input/keyboard.ts'
import type { NativeWindow } from './native-windows.ts'
import type { WindowManagement } from './window-management.ts'

/** Performs an action: through the element's own action or value where it has one, otherwise through pointer and keys. */
export async function performWindowsAction(
  context: WindowsContext,
  action: Action,
  keyboardWindow: string | undefined,
): Promise<WindowsVia> {
  const { input, manage } = context
  switch (action.type) {
    case 'click':
      return click(context, action)
    case 'invoke':
      return invoke(context, action)
    case 'focus':
      return focus(context, action)
    case 'set_value':
      return setValue(context, action)
    case 'clear_text':
      return setValue(context, { ...action, type: 'set_value', value: '', clearFirst: true })
    case 'select':
      return selectWindowsOption(context, action)
    case 'hover':
      await input.move(action.target ? await pointOverTarget(context, action.target, action.at) : action.at)
      await input.pause(action.forMs)
      return 'pointer'
    case 'drag': {
      const path = [action.from, ...(action.through ?? []), action.to]
      await input.drag(path, action.button ?? 'left', action.durationMs, action.modifiers)
      return 'pointer'
    }
    case 'press':
      return (await input.pressButton(action.at, action.button)) ? 'pointer' : 'nothing'
    case 'release':
      return (await input.releaseButton(action.at, action.button)) ? 'pointer' : 'nothing'
    case 'scroll':
      if (action.at) await input.move(action.at)
      await input.scroll(wholeClicks(action.clicks), wholeClicks(action.across ?? 0), action.modifiers)
      return 'pointer'
    case 'key_down': {
      const key = parseKey(action.key)
      const isText = isTextChord({ modifiers: [], key }) && !input.holdsCommand()
      input.pressKey(key, context.keyboard(keyboardWindow, isText))
      return 'keyboard'
    }
    case 'key_up':
      return input.releaseKey(parseKey(action.key)) ? 'keyboard' : 'nothing'
    case 'hold': {
      const chord = parseChord(action.keys)
      const isText = isTextChord(chord) && !input.holdsCommand()
      await input.hold(chord, action.forMs, context.keyboard(keyboardWindow, isText))
      return 'keyboard'
    }
    case 'type':
      await input.type(action.text, context.keyboard(keyboardWindow, true))
      return 'keyboard'
    case 'key': {
      const chord = parseChord(action.keys)
      await input.press(chord, context.keyboard(keyboardWindow, isTextChord(chord)))
      return 'keyboard'
    }
    case 'activate':
      await manage.activate(await existingWindow(context, action.window))
      return 'behaviour'
    case 'window':
      await manage.change(await existingWindow(context, action.window), action.to)
      return 'behaviour'
    case 'set_clipboard':
      await context.clipboard.write(action.text)
      return 'behaviour'
    case 'write_file':
    case 'webmcp_call':
      throw noStorage(action)
  }
}

async function click(context: WindowsContext, action: ActionOf<'click'>): Promise<WindowsVia> {
  const { at, button, count, modifiers, target } = action
  if (!target) {
    await context.input.click(at, button, count, modifiers)
    return 'pointer'
  }
  const found = await findInWindow(context, target)
  const isPlain = button === 'left' && count === 1 && !modifiers?.length
  if (isPlain && (await pressElement(context, found))) return 'accessibility'
  await clickInWindow(context, found, at, action)
  return 'pointer'
}

/** Does what a plain click does, without the pointer. Returns false if the element does not offer that. */
async function pressElement({ accessibility }: WindowsContext, { ref }: FoundInWindow): Promise<boolean> {
  if (ref.element.role === 'CheckBox' && (await accessibility.toggle(ref))) return true
  return accessibility.invoke(ref)
}

async function invoke(context: WindowsContext, action: ActionOf<'invoke'>): Promise<WindowsVia> {
  const { accessibility } = context
  const found = await findInWindow(context, action.target)
  const { expanded, role } = found.element
  // Pressing an item of a tree selects it, as a click does. Its own action is to open or close.
  if (!(role === 'TreeItem' && expanded !== undefined) && (await pressElement(context, found))) return 'accessibility'
  if (expanded !== undefined && (await accessibility.expand(found.ref, !expanded))) return 'accessibility'
  if (await accessibility.select(found.ref)) return 'accessibility'
  await clickInWindow(context, found, action.at)
  return 'pointer'
}

/** Roles that never take the keyboard. */
const WITHOUT_KEYBOARD: ReadonlySet<string> = new Set(['Text', 'Image', 'Separator', 'ProgressBar', 'StatusBar'])

async function focus(context: WindowsContext, action: ActionOf<'focus'>): Promise<WindowsVia> {
  const { accessibility, manage } = context
  const found = await findInWindow(context, action.target)
  await manage.activate(await existingWindow(context, action.target.window))
  if (await accessibility.focus(found.ref)) return 'accessibility'
  if (WITHOUT_KEYBOARD.has(found.element.role))
    throw new Fault(
      'PatternUnsupported',
      `${describeElement(found.element)} cannot take the keyboard; click it instead`,
    )
  await clickInWindow(context, found, action.at)
  return 'pointer'
}

/** Roles whose value can be typed. */
const TYPED: ReadonlySet<string> = new Set(['Edit', 'Document', 'ComboBox', 'Spinner'])
const SELECT_ALL = parseChord('ctrl+a')
const MOVE_TO_END = parseChord('ctrl+end')
const DELETE = parseChord('delete')

async function setValue(context: WindowsContext, action: ActionOf<'set_value'>): Promise<WindowsVia> {
  const { accessibility, input, manage } = context
  const { value, clearFirst, target } = action
  const found = await findInWindow(context, target)
  const { element, ref } = found
  const refuse = (why: string) =>
    new Fault('PatternUnsupported', `${describeElement(element)} ${why}`, { element_id: element.id })
  if (element.traits?.readOnly) throw refuse('is read-only')
  if (await accessibility.setValue(ref, clearFirst ? value : (element.value ?? '') + value)) return 'accessibility'
  if (!TYPED.has(element.role)) throw refuse(`does not accept ${JSON.stringify(value)} as its value`)
  await manage.activate(await existingWindow(context, target.window))
  if (!(await accessibility.focus(ref))) await clickInWindow(context, found, action.at)
  const keyboard = context.keyboard(target.window, true)
  await input.press(clearFirst ? SELECT_ALL : MOVE_TO_END, keyboard)
  if (clearFirst) await input.press(DELETE, keyboard)
  await input.type(value, keyboard)
  return 'keyboard'
}

/** The parts of a desktop that an action needs. */
export interface WindowsContext {
  readonly accessibility: WindowsAccessibility
  readonly input: WindowsInput
  readonly manage: WindowManagement
  readonly clipboard: WindowsClipboard
  /** The window that gets keys. `into` is the uid of the window that should get them. */
  keyboard(into: string | undefined, isText: boolean): KeyboardTarget
  /** Throws `PlatformUnsupported` for a window whose program runs with more rights. */
  assertReachable(window: NativeWindow): void
}

export type WindowsVia = PerformResult['via']
type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>

/** An element that was found in a current tree. */
interface FoundInWindow extends ElementInTree {
  readonly uid: string
  readonly ref: WindowsElement
}

/** A tree that was read to find an element is recent enough to act on it. */
const MAX_RECENT_TREE_AGE_MS = 100

/** Finds an element. Throws `ElementNotFound`, `ElementDisabled` or `WindowGone`. */
async function findInWindow(
  { accessibility }: WindowsContext,
  { window, element: id }: Target,
  maxAgeMs = MAX_RECENT_TREE_AGE_MS,
): Promise<FoundInWindow> {
  const ref = await accessibility.find(window, id, { maxAgeMs })
  const { element, tree } = ref
  if (!element.enabled)
    throw new Fault('ElementDisabled', `${describeElement(element)} is disabled`, { window, element: id })
  return { uid: window, ref, element, tree, path: pathOf(tree, id)! }
}

/** A window by its uid, also a minimised one. Throws `WindowGone`. */
async function existingWindow({ accessibility }: WindowsContext, uid: string): Promise<NativeWindow> {
  const window = await accessibility.windowOf(uid)
  if (!window) throw noSuchWindowsWindow(uid)
  return window
}

export const noSuchWindowsWindow = (uid: string): Fault =>
  new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })

/** The parts of a click that do not depend on its place. */
type ClickKind = Pick<ActionOf<'click'>, 'button' | 'count' | 'modifiers'>

/** Clicks an element at a point, else where it can be reached after scrolling. */
async function clickInWindow(
  context: WindowsContext,
  found: FoundInWindow,
  wanted: Point = centerOf(found.element.bounds),
  { button, count, modifiers }: ClickKind = { button: 'left', count: 1 },
): Promise<void> {
  await context.input.click(await reachablePoint(context, found, wanted), button, count, modifiers)
}

/** The point where the pointer reaches a target, after scrolling if necessary. */
const pointOverTarget = async (context: WindowsContext, target: Target, at: Point): Promise<Point> =>
  reachablePoint(context, await findInWindow(context, target), at)

/** The point on an element that no other window covers, after scrolling if necessary. Throws `ElementOccluded`. */
async function reachablePoint(context: WindowsContext, found: FoundInWindow, wanted: Point): Promise<Point> {
  const shown = await uncoveredPoint(context, found, wanted)
  if (shown) return shown
  const { accessibility, input } = context
  const { uid, element } = found
  const moved = await bringIntoView<FoundInWindow>(
    {
      inTree: (each) => each,
      find: () => findInWindow(context, { window: uid, element: element.id }, 0),
      scrollIntoView: ({ ref }) => accessibility.scrollIntoView(ref),
      focus: ({ ref }) => accessibility.focus(ref),
      wheel: async (at, clicks) => {
        await input.move(at)
        await input.scroll(clicks)
      },
      pause: input.pause,
    },
    found,
  )
  const point = await uncoveredPoint(context, moved, centerOf(moved.element.bounds))
  if (point) return point
  throw new Fault('ElementOccluded', `${describeElement(element)} is covered, scrolled out of view or off the screen`, {
    window_uid: uid,
    element_id: element.id,
  })
}

/** The wanted point, else the centre of the visible part. Undefined when another window is in front there. */
async function uncoveredPoint(
  { accessibility, assertReachable }: WindowsContext,
  { uid, tree, path }: FoundInWindow,
  wanted: Point,
): Promise<Point | undefined> {
  const seen = shownBounds(tree, path)
  if (!seen) return undefined
  const point = contains(seen, wanted) ? wanted : centerOf(seen)
  const front = (await accessibility.windows()).find(({ bounds }) => contains(bounds, point))
  if (!front || (front.uid !== uid && front.popupOf !== uid)) return undefined
  assertReachable(front)
  return point
}

const QUIET_MS = 50
const HOME = parseChord('home')
const DOWN = parseChord('down')

/** Selects an option of a list, a tree, a tab control or a combo box. */
async function selectWindowsOption(
  context: WindowsContext,
  { target, option: wanted }: ActionOf<'select'>,
): Promise<WindowsVia> {
  const { accessibility, input, manage } = context
  const found = await findInWindow(context, target)
  // The tree contains only a part of a long list.
  if (found.element.traits?.childCount !== undefined && 'index' in wanted)
    if (await accessibility.selectIndex(found.ref, wanted.index)) return 'accessibility'
  const option = findOptionIn(found.element, wanted)
  const isSelected = async () => {
    await input.pause(QUIET_MS)
    const tree = await accessibility.tree(target.window)
    return tree !== undefined && isOptionSelected(tree, target.element, option.element)
  }
  if ((await accessibility.selectIndex(found.ref, option.index)) && (await isSelected())) return 'accessibility'
  const item = { window: target.window, element: option.element.id }
  if (await accessibility.select((await findInWindow(context, item)).ref))
    if (await isSelected()) return 'accessibility'
  if (found.element.role === 'ComboBox') {
    await manage.activate(await existingWindow(context, target.window))
    if (await accessibility.focus(found.ref)) {
      const keyboard = context.keyboard(target.window, false)
      await input.press(HOME, keyboard)
      for (let step = 0; step < option.index; step++) await input.press(DOWN, keyboard)
      if (await isSelected()) return 'keyboard'
    }
    await clickInWindow(context, await findInWindow(context, target))
    await input.pause(QUIET_MS)
  }
  await clickInWindow(context, await findInWindow(context, item, 0))
  return 'pointer'
}
