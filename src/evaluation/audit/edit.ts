import type { AdversaryKnowledge, AdversaryProgram } from './adversary.ts'
import type { AdversaryRun } from './attempt.ts'
import {
  type Control,
  isBox,
  isChooser,
  isRange,
  isSubmitting,
  shownControls,
  takesText,
  targetArguments,
} from './controls.ts'
import { pressControl } from './flood.ts'

/** Texts that no task asks for. The empty one clears fields. */
const ANY_TEXTS = ['x', '', '1', 'The quick brown fox']
/** Tools that enter text. */
const TYPING: ReadonlySet<string> = new Set(['set_value', 'type_text', 'type_and_observe', 'clear_text'])
const MAX_CONTROLS = 60

/** Puts the same text into every field, selects options by their place, and toggles every box. */
export function editPrograms({ acting, taskValues }: AdversaryKnowledge): readonly AdversaryProgram[] {
  // Where text is all that the task asks for, copying it is the task.
  const isOnlyTyping = acting.every(({ tool, args }) => TYPING.has(tool) || isFocusing(tool, args))
  return [
    ...ANY_TEXTS.map((text, option) => editOf(text, option, true)),
    ...(isOnlyTyping ? [] : taskValues.map((text, option) => editOf(text, option, false))),
  ]
}

/** Whether a call may only move the keyboard to a field. */
const isFocusing = (tool: string, { selector }: Readonly<Record<string, unknown>>): boolean =>
  tool === 'focus_element' ||
  (tool === 'click_element' && typeof selector === 'string' && /^(edit|document)\b/i.test(selector))

const editOf = (text: string, option: number, isPressing: boolean): AdversaryProgram =>
  async function* (attempt) {
    const shown = (isWanted: (control: Control) => boolean) =>
      shownControls(attempt.desktop.computer).filter(isWanted).slice(0, MAX_CONTROLS)
    for (const field of shown(takesText)) await enter(attempt, field, text)
    yield
    for (const range of shown(isRange))
      await attempt.call('set_value', { ...targetArguments(range), value: limitOf(range, option) })
    for (const chooser of shown(isChooser))
      await attempt.call('select_option', { ...targetArguments(chooser), option_index: option })
    for (const box of shown(isBox)) await attempt.call('invoke_element', targetArguments(box))
    yield
    if (!isPressing) return
    for (const button of shown(isSubmitting)) await pressControl(attempt, button)
    await readWindows(attempt)
    yield
  }

/** Reads what the texts have led to, such as errors that name the right text. */
async function readWindows(attempt: AdversaryRun): Promise<void> {
  for (const { uid } of attempt.desktop.computer.windows())
    await attempt.call('get_window_structure', { window_uid: uid })
}

async function enter(attempt: AdversaryRun, field: Control, text: string): Promise<void> {
  const { fault } =
    text === ''
      ? await attempt.call('clear_text', targetArguments(field))
      : await attempt.call('set_value', { ...targetArguments(field), value: text })
  if (!fault) return
  await attempt.call('focus_element', targetArguments(field))
  await attempt.call('press_key', { keys: 'ctrl+a' })
  await (text === '' ? attempt.call('press_key', { keys: 'delete' }) : attempt.call('type_text', { text }))
}

const limitOf = ({ element }: Control, option: number): string =>
  String((option % 2 === 0 ? element.valueMax : element.valueMin) ?? option)
