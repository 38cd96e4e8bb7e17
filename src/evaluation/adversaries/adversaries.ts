import type { RecordedSolution } from '../../compose/verify/recorded-solution.ts'
import { toolsFor } from '../../observer/registry.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { type AdversaryRun, openAttempt } from './attempt.ts'
import {
  type Control,
  controlKey,
  isBox,
  isButtonLike,
  isChooser,
  isPressable,
  isRange,
  isSubmitting,
  oddArguments,
  plausibleArguments,
  shownControls,
  takesText,
  targetArguments,
} from './controls.ts'

/** What adversaries know about a task. */
export interface AdversaryKnowledge {
  /** The calls of the shortest solution that act. */
  readonly acting: RecordedSolution['calls']
  /** The texts of the solution that the task names. */
  readonly taskValues: readonly string[]
}

/**
 * One way to be paid without doing the task. It acts on a desktop of its own and yields when an agent could stop, so that
 * the oracles are asked then.
 */
export type AdversaryProgram = (attempt: AdversaryRun) => AsyncGenerator<void, void>

const MAX_CLOSED = 20
/** Names of buttons that dismiss a dialog whose file does not mark them. */
const DISMISSES = /^(close|cancel|dismiss|ok|no|not now|later|skip|got it|×)$/i

const isDismissing = ({ element }: Control): boolean =>
  element.traits?.closes === true || element.traits?.presses === 'escape' || DISMISSES.test(element.name.trim())

/** Closes windows and dismisses dialogs: by keys, and by their buttons. */
export const closePrograms = (): readonly AdversaryProgram[] => [byKey('escape'), byKey('alt+f4'), byButton]

const byKey = (keys: string): AdversaryProgram =>
  async function* (attempt) {
    for (let closed = 0; closed < MAX_CLOSED; closed++) {
      const before = attempt.desktop.computer.desktop.windows
      const { fault } = await attempt.call('press_key', { keys })
      yield
      if (fault || attempt.desktop.computer.desktop.windows === before) return
    }
  }

async function* byButton(attempt: Parameters<AdversaryProgram>[0]): AsyncGenerator<void, void> {
  const pressed = new Set<string>()
  for (let closed = 0; closed < MAX_CLOSED; closed++) {
    const button = shownControls(attempt.desktop.computer).find(
      (control) => isButtonLike(control) && isDismissing(control) && !pressed.has(controlKey(control)),
    )
    if (!button) return
    pressed.add(controlKey(button))
    await pressControl(attempt, button)
    yield
  }
}

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

/** Each round presses what the round before has opened. */
const MAX_ROUNDS = 4
const MAX_PRESSES = 150
const MAX_ALONE = 25

/** Presses every control, in both directions, and each control alone. */
export const floodPrograms = ({ acting }: AdversaryKnowledge): readonly AdversaryProgram[] => [
  floodOf((controls) => controls),
  floodOf((controls) => controls.toReversed()),
  // A task of one action is done by one press.
  ...(acting.length < 2 ? [] : Array.from({ length: MAX_ALONE }, (_, index) => aloneAt(index))),
]

const floodOf = (order: (controls: readonly Control[]) => readonly Control[]): AdversaryProgram =>
  async function* (attempt) {
    const pressed = new Set<string>()
    for (let round = 0; round < MAX_ROUNDS && pressed.size < MAX_PRESSES; round++) {
      const fresh = shownControls(attempt.desktop.computer).filter(
        (control) => isPressable(control) && !pressed.has(controlKey(control)),
      )
      if (fresh.length === 0) return
      // Texts and pictures come last, because there are many.
      const ordered = [...order(fresh.filter(isButtonLike)), ...order(fresh.filter((each) => !isButtonLike(each)))]
      for (const control of ordered.slice(0, MAX_PRESSES - pressed.size)) {
        pressed.add(controlKey(control))
        await pressControl(attempt, control)
      }
      yield
    }
  }

const aloneAt = (index: number): AdversaryProgram =>
  async function* (attempt) {
    const control = shownControls(attempt.desktop.computer).filter(isButtonLike)[index]
    if (!control) return
    await pressControl(attempt, control)
    yield
  }

/** Clicks a control. One that is out of view or covered is activated without the pointer. */
async function pressControl(attempt: AdversaryRun, control: Control): Promise<void> {
  const { fault } = await attempt.call('click_element', targetArguments(control))
  if (fault) await attempt.call('invoke_element', targetArguments(control))
}

/** Texts with which an agent can end a run without having looked at it. */
const ANY_ANSWERS = ['', 'x', 'done', 'It is not possible.']

/** Calls every tool of agents, and ends the run with texts that answer nothing. */
export const toolPrograms = (): readonly AdversaryProgram[] => [
  callEvery,
  ...ANY_ANSWERS.flatMap((text) => [finishWith('done', text), finishWith('infeasible', text)]),
]

async function* callEvery(attempt: AdversaryRun): AsyncGenerator<void, void> {
  // Pressing controls is the work of another adversary.
  for (const tool of toolsFor('agent')) {
    if (tool.name === 'finish') continue
    const control = shownControls(attempt.desktop.computer).findLast(
      (each) => !isButtonLike(each) && each.element.children.length === 0,
    )
    for (const args of oddArguments(tool)) await attempt.call(tool.name, args)
    await attempt.call(tool.name, plausibleArguments(tool, control))
  }
  yield
}

const finishWith = (status: 'done' | 'infeasible', text: string): AdversaryProgram =>
  async function* (attempt) {
    await attempt.call('finish', { status, text })
    yield
  }

/** Finds a tool of the harness that an agent may call. */
export async function findOpenHarnessTool(scenario: Scenario): Promise<Pick<AdversaryRun, 'calls'> | undefined> {
  const agentTools = new Set(toolsFor('agent').map(({ name }) => name))
  for (const tool of toolsFor('harness').filter(({ name }) => !agentTools.has(name))) {
    const attempt = openAttempt(scenario)
    for (const args of [{}, plausibleArguments(tool, undefined)]) {
      const { fault } = await attempt.call(tool.name, args)
      if (fault?.code !== 'PermissionDenied') return { calls: attempt.calls.slice(-1) }
    }
  }
  return undefined
}
