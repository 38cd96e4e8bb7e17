import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { centerOf, contains, type Rect } from '../../desktop/model/geometry.ts'
import type { PerformOptions, PerformResult } from '../computer.ts'
import { keyboardTaken, noStorage } from '../real-input.ts'
import type { AccessibleWindows } from './accessible-windows.ts'
import { assertDone } from './elements.ts'
import type { MacInput } from './input.ts'
import type { CfRef, MacFunctions, MacObjects } from './native.ts'
import { toWindowInfos } from './window-list.ts'

/** What actions on a Mac need. */
export interface MacContext {
  readonly c: MacFunctions
  readonly objects: MacObjects
  readonly windows: AccessibleWindows
  readonly input: MacInput
  /** The bounds in points of maximised windows before they were maximised, by uid. */
  readonly unmaximized: Map<string, Rect>
}

type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>
type Via = PerformResult['via']

/** Performs an action: through the element's own action or value where it has one, otherwise through pointer and keys. */
export async function performMacAction(
  context: MacContext,
  action: Action,
  { keyboardWindow }: PerformOptions,
): Promise<Via> {
  const { windows, input } = context
  const assertKeyboard = (typed: number) => assertKeyboardWindow(context, keyboardWindow, typed)
  switch (action.type) {
    case 'click':
      return click(context, action)
    case 'invoke':
      press(context, windows.element(action.target).ref)
      return 'accessibility'
    case 'focus':
      windows.setFlag(windows.element(action.target).ref, 'AXFocused', true)
      return 'accessibility'
    case 'set_value': {
      const { ref, node } = windows.element(action.target)
      setText(context, ref, action.clearFirst ? action.value : (node.value ?? '') + action.value)
      return 'accessibility'
    }
    case 'clear_text':
      setText(context, windows.element(action.target).ref, '')
      return 'accessibility'
    case 'select':
      select(context, action.target, action.option)
      return 'accessibility'
    case 'activate':
      windows.raise(action.window)
      return 'accessibility'
    case 'window':
      changeState(context, action)
      return 'accessibility'
    case 'hover':
      input.move(action.at)
      await input.pause(action.forMs)
      return 'pointer'
    case 'drag': {
      const path = [action.from, ...(action.through ?? []), action.to]
      await input.drag(path, action.button ?? 'left', action.modifiers, action.durationMs)
      return 'pointer'
    }
    case 'scroll':
      input.wheel(action.clicks, action.across ?? 0, action.at, action.modifiers ?? [])
      return 'pointer'
    case 'press':
      input.move(action.at)
      input.press(action.button, action.at)
      return 'pointer'
    case 'release':
      input.move(action.at)
      return input.release(action.button, action.at) ? 'pointer' : 'nothing'
    case 'type':
      await input.type(action.text, assertKeyboard)
      return 'keyboard'
    case 'key':
      assertKeyboard(0)
      await input.chord(action.keys)
      return 'keyboard'
    case 'hold':
      assertKeyboard(0)
      await input.chord(action.keys, action.forMs)
      return 'keyboard'
    case 'key_down':
      assertKeyboard(0)
      input.keyDown(action.key)
      return 'keyboard'
    case 'key_up':
      return input.keyUp(action.key) ? 'keyboard' : 'nothing'
    case 'set_clipboard':
    case 'write_file':
    case 'webmcp_call':
      throw noStorage(action)
  }
}

function setText({ c, objects }: MacContext, ref: CfRef, text: string): void {
  objects.scope((owner) =>
    assertDone(c.setAttribute(ref, objects.name('AXValue'), owner.own(objects.createText(text)))),
  )
}

const press = ({ c, objects }: MacContext, ref: CfRef): void =>
  assertDone(c.performAction(ref, objects.name('AXPress')))

const hasAction = ({ c, objects }: MacContext, ref: CfRef, action: string): boolean =>
  objects.scope((owner) => {
    const out: [CfRef | null] = [null]
    if (c.copyActions(ref, out) !== 0 || !out[0]) return false
    return objects.items(owner.own(out[0])).some((name) => objects.readText(name) === action)
  })

async function click(context: MacContext, action: ActionOf<'click'>): Promise<Via> {
  const { at, button, count, modifiers = [], target } = action
  const found = target && context.windows.element(target)
  const isPlain = button === 'left' && count === 1 && modifiers.length === 0
  if (found && isPlain && hasAction(context, found.ref, 'AXPress')) {
    press(context, found.ref)
    return 'accessibility'
  }
  await context.input.click(button, found ? centerOf(found.node.bounds) : at, count, modifiers)
  return 'pointer'
}

/** Presses an option, after opening what has it. A menu without the option is closed again. */
function select(context: MacContext, target: Target, wanted: ActionOf<'select'>['option']): void {
  const { c, objects, windows } = context
  const owner = windows.element(target)
  const isClosed = optionIn(owner.node, wanted) === undefined
  if (isClosed) press(context, owner.ref)
  const refOf = ({ id }: Element) => windows.element({ window: target.window, element: id }).ref
  const { node } = windows.element(target)
  const option = optionIn(node, wanted)
  if (!option) {
    const menu = [...walk(node)].find(({ role }) => role === 'Menu')
    if (isClosed && menu) assertDone(c.performAction(refOf(menu), objects.name('AXCancel')))
    throw new Fault('ElementNotFound', 'no such option')
  }
  press(context, refOf(option))
}

const OPTION_ROLES: ReadonlySet<string> = new Set(['MenuItem', 'ListItem', 'DataItem', 'TabItem'])

function optionIn(node: Element, wanted: ActionOf<'select'>['option']): Element | undefined {
  const options = [...walk(node)].filter(({ role }) => OPTION_ROLES.has(role))
  return 'name' in wanted ? options.find(({ name }) => name === wanted.name) : options[wanted.index]
}

function changeState({ windows, unmaximized }: MacContext, { window: uid, to }: ActionOf<'window'>): void {
  switch (to) {
    case 'close':
      windows.close(uid)
      break
    case 'minimize':
      windows.minimize(uid, true)
      break
    case 'maximize': {
      const { bounds } = windows.get(uid)
      const display = windows.displays().find((each) => contains(each.bounds, centerOf(bounds)))
      if (!display) throw new Fault('PatternUnsupported', 'the middle of the window is on no display')
      unmaximized.set(uid, unmaximized.get(uid) ?? bounds)
      windows.setFrame(uid, display.bounds)
      break
    }
    case 'restore': {
      const before = unmaximized.get(uid)
      if (before) windows.setFrame(uid, before)
      unmaximized.delete(uid)
      windows.minimize(uid, false)
      break
    }
  }
}

/** Keys go to the program in front. Throws `WindowOccluded` when that is no longer the one that should get them. */
function assertKeyboardWindow({ windows }: MacContext, uid: string | undefined, typed: number): void {
  if (uid === undefined) return
  const focused = toWindowInfos(windows.list(), windows.displays(), windows.frontPid()).find((each) => each.focused)
  if (focused?.uid !== uid) throw keyboardTaken(typed)
}
