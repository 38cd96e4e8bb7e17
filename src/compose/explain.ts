import type { SyntheticComputer } from '../adapters/synthetic/synthetic.ts'
import { Fault } from '../base/fault.ts'
import { call } from '../observer/call.ts'
import { findTool } from '../observer/registry.ts'
import { type ActionExplanation, explainAction } from '../scenario/explain-action.ts'
import { explainElement, type PlacedReason } from '../scenario/explain-element.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { KeyPath } from '../scenario/source/source.ts'
import { memorySession } from './memory-session.ts'
import { type PlayedCall, playSolution } from './play-solution.ts'
import { checkFile } from './preview.ts'

/** The call to explain, and when it is made. */
export interface ExplainOptions {
  /** The state in which the scenario starts. By default the initial state. */
  readonly state?: string | undefined
  /** The number of steps of the solution to play first. */
  readonly after?: number | undefined
  /** Explains this step of the solution, counted from 1, instead of a call. */
  readonly step?: number | undefined
  readonly tool?: string | undefined
  readonly args?: Readonly<Record<string, unknown>>
}

/** The explanations of the actions that a call performed. */
export interface CallExplanation {
  readonly call: string
  readonly actions: readonly ActionExplanation[]
  /** Why the call failed. */
  readonly fault: string | undefined
  /** The line of the file that has a part of it. */
  readonly lineOf: (path: KeyPath) => number
}

/**
 * Explains why each reaction and timer of a scenario matches a call of a tool or not.
 * @param file A path, or a name in the gallery.
 * @param options The call, or a step of the solution, and the state.
 * @throws A `Fault` `ScenarioInvalid`, or `BadRequest` for a state, tool or step that does not exist.
 * @example
 * const { actions } = await explainCall('login', { step: 3 })
 */
export async function explainCall(file: string, options: ExplainOptions): Promise<CallExplanation> {
  const { state, after, step, tool, args = {} } = options
  const { scenario, lineOf } = await scenarioIn(file, state)
  if (step === undefined && (tool === undefined || !findTool(tool)))
    throw new Fault(
      'BadRequest',
      `${JSON.stringify(tool ?? null)} is not a tool; name one, such as click_element, or use --step`,
    )
  const desktop = memorySession(scenario)
  const steps = playSolution(desktop, scenario.solutions[0])
  const before = step === undefined ? (after ?? 0) : step - 1
  for (let number = 1; number <= before; number++) await nextStep(steps, number)
  const actions = recordActions(desktop.computer)
  if (step !== undefined) {
    const made = await nextStep(steps, step)
    return { call: `step ${step}, ${made.tool}`, actions, fault: made.fault?.message, lineOf }
  }
  const { fault } = await call(desktop.session, tool!, args)
  return { call: `${tool} ${JSON.stringify(args)}`, actions, fault: fault?.message, lineOf }
}

/** A scenario that starts in a state, and the lines of its file. */
async function scenarioIn(file: string, state: string | undefined) {
  const { scenario: loaded, locate } = await checkFile(file)
  const scenario: Scenario = { ...loaded, initial: state ?? loaded.initial }
  if (!scenario.states.has(scenario.initial))
    throw new Fault(
      'BadRequest',
      `${file} has no state ${JSON.stringify(state)}; it has ${[...scenario.states.keys()].join(', ')}`,
    )
  return { scenario, lineOf: (path: KeyPath) => locate([{ path, message: '' }])[0]!.line }
}

/**
 * Explains why an element is on the screen, or what leaves it out.
 * @param file A path, or a name in the gallery.
 * @param element The id of the element.
 * @param options The state, and the number of steps of the solution to play first.
 * @returns Lines for a terminal.
 * @throws A `Fault` `ScenarioInvalid`, or `BadRequest` for a state or step that does not exist.
 */
export async function explainElementIn(
  file: string,
  element: string,
  { state, after = 0 }: Pick<ExplainOptions, 'state' | 'after'> = {},
): Promise<readonly string[]> {
  const { scenario, lineOf } = await scenarioIn(file, state)
  const desktop = memorySession(scenario)
  const steps = playSolution(desktop, scenario.solutions[0])
  for (let number = 1; number <= after; number++) await nextStep(steps, number)
  const { window, reasons } = explainElement(desktop.computer.run, element)
  return [
    window === undefined ? `${element} is not on the screen` : `${element} is in the window ${window}`,
    ...reasons.map((reason) => `  ${withLine(reason, lineOf)}`),
  ]
}

const withLine = ({ text, path }: PlacedReason, lineOf: (path: KeyPath) => number): string =>
  path === undefined ? text : `${text} (line ${lineOf(path)})`

async function nextStep(steps: AsyncGenerator<PlayedCall, void>, number: number): Promise<PlayedCall> {
  const { value } = await steps.next()
  if (value) return value
  throw new Fault('BadRequest', `the solution ends before step ${number}`)
}

/** Explains each action that a computer performs from now on. */
function recordActions(computer: SyntheticComputer): readonly ActionExplanation[] {
  const actions: ActionExplanation[] = []
  const perform = computer.perform.bind(computer)
  computer.perform = (action) => {
    actions.push(explainAction(computer.run, action))
    return perform(action)
  }
  return actions
}

/** An explanation as lines for a terminal. Indexes count from 1, in the order of the file. */
export function formatExplanation({ call: name, actions, fault, lineOf }: CallExplanation): readonly string[] {
  const lines = [name]
  if (fault !== undefined) lines.push(`  refused: ${fault}`)
  if (actions.length === 0) lines.push('  it performs no action on the desktop')
  for (const { state, events, items, refused, reactions, timers, answers } of actions) {
    lines.push(`  state: ${state}`)
    for (const event of events) lines.push(`  event: ${event}`)
    for (const item of items) lines.push(`  item: ${withLine(item, lineOf)}`)
    if (refused !== undefined) lines.push(`  the desktop does not take it: ${refused}`)
    for (const { index, outcome, reasons } of reactions) {
      lines.push(`  reaction ${index + 1}: ${outcome}`)
      for (const reason of reasons) lines.push(`    ${reason}`)
    }
    for (const { index, outcome, firesInMs, reasons } of timers) {
      const due = firesInMs === undefined ? '' : `, fires in ${firesInMs} ms`
      lines.push(`  timer ${index + 1}: ${outcome}${due}`)
      for (const reason of reasons) lines.push(`    ${reason}`)
    }
    for (const answer of answers) lines.push(`  answer: ${withLine(answer, lineOf)}`)
  }
  return lines
}
