import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { parseChord, parseKey } from '../../../desktop/input/keys.ts'
import { wholeClicks } from '../../../desktop/widgets/widget.ts'
import { describeElement } from '../../find-option.ts'
import { noStorage } from '../../refusals.ts'
import { isTextChord } from '../input/input.ts'
import {
  type ActionOf,
  existingWindow,
  type FoundInWindow,
  findInWindow,
  type WindowsContext,
  type WindowsVia,
} from './action-context.ts'
import { clickInWindow, pointOverTarget } from './pointer.ts'
import { selectWindowsOption } from './select-option.ts'

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
