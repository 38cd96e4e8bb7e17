import { entriesSince, type LogEntry, SCHEDULED, type ScenarioRun } from './scenario-run.ts'
import type { Infeasible, Oracle } from './schema/oracles.ts'
import type { Reaction, Timer, Trigger } from './schema/reaction.ts'

/** What a reaction waits for, in a few words such as `click_element save`. */
export const describeReaction = ({ id, on, in: states }: Reaction): string =>
  [describeTrigger(on), states === undefined ? '' : `in ${[states].flat().join(' or ')}`, id ? `(${id})` : '']
    .filter((word) => word !== '')
    .join(' ')

/** When a timer fires, in a few words such as `every 500 ms in form`. */
export function describeTimer({ id, on, in: states, after_ms, every_ms }: Timer): string {
  const delay = typeof after_ms === 'object' ? after_ms.between.join(' to ') : after_ms
  return [
    every_ms === undefined ? `after ${delay} ms` : `every ${every_ms} ms`,
    on ? `since ${describeTrigger(on)}` : '',
    states === undefined ? '' : `in ${[states].flat().join(' or ')}`,
    id ? `(${id})` : '',
  ]
    .filter((word) => word !== '')
    .join(' ')
}

/** The event of a trigger and where it happens, in a few words. */
function describeTrigger(trigger: Trigger): string {
  const { tool, keys, changed, changed_var, target_id, target_name, selector, role, window } = trigger
  const event =
    keys !== undefined
      ? `press ${keys}`
      : changed !== undefined
        ? `change of ${changed}`
        : changed_var !== undefined
          ? `change of the variable ${changed_var}`
          : (tool ?? 'any')
  const place = target_id ?? target_name ?? selector ?? role
  return [event, place ?? '', window === undefined ? '' : `of ${window}`].filter((word) => word !== '').join(' ')
}

/** Something that a change of a run made happen, in a few words. */
export interface DescribedFiring {
  readonly kind: 'reaction' | 'timer' | 'fault' | 'transition' | 'log'
  readonly text: string
}

/** The parts of a scenario that changed a run, by their index in the file. */
interface ChangedBy {
  readonly reactions: readonly number[]
  readonly timers: readonly number[]
}

/** What happened in a change of a run, in words: the reaction, the timers, the entries of the log and the transition. */
export function describeChange(
  before: ScenarioRun,
  after: ScenarioRun,
  { reactions, timers }: ChangedBy,
): readonly DescribedFiring[] {
  // Most changes are a step of the clock.
  if (reactions.length === 0 && timers.length === 0 && before.state === after.state && before.log === after.log)
    return NOTHING
  const { scenario } = after
  return [
    ...reactions.map((reaction) => ({
      kind: 'reaction' as const,
      text: `reactions[${reaction}]: ${describeReaction(scenario.reactions[reaction]!)}`,
    })),
    ...timers.map((timer) => ({
      kind: 'timer' as const,
      text: timer === SCHEDULED ? 'scheduled effect' : `timers[${timer}]: ${describeTimer(scenario.timers[timer]!)}`,
    })),
    ...entriesSince(after.log, before.log).flatMap(describeLogged),
    ...(before.state === after.state
      ? []
      : [{ kind: 'transition' as const, text: `${before.state} → ${after.state}` }]),
  ]
}

const NOTHING: readonly DescribedFiring[] = []

/** Reactions and timers have an entry of their own. */
function describeLogged({ kind, name, fields }: LogEntry): readonly DescribedFiring[] {
  if (kind === 'reaction' || kind === 'timer') return []
  if (kind === 'fault') return [{ kind, text: name }]
  if (kind === 'log') return [{ kind, text: name }]
  const values = fields && Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
  return [{ kind: 'log', text: `${kind === 'emit' ? 'event' : 'effect without a target:'} ${name}${values}` }]
}

/** An oracle in words. */
export interface DescribedOracle {
  /** Such as `value_equals`. */
  readonly kind: string
  /** What it demands, such as `selector Edit "Name", expected Ada`. At most 300 characters. */
  readonly text: string
  /** The message of the scenario. */
  readonly message: string | undefined
}

const MAX_TEXT = 300

/** What an oracle demands. */
export function describeOracle(oracle: Oracle): DescribedOracle {
  const { message, weight: _, kind, ...parts } = oracle as Oracle & Readonly<Record<string, unknown>>
  const text = Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name} ${typeof part === 'string' ? part : JSON.stringify(part)}`)
    .join(', ')
  return {
    kind,
    text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
    message: typeof message === 'string' ? message : undefined,
  }
}

/** The oracle of a task that is impossible. */
export const describeInfeasible = ({ reason }: Infeasible): DescribedOracle => ({
  kind: 'infeasible',
  text: `the agent reports that the task is impossible: ${reason}`,
  message: undefined,
})

/** An oracle on one line: its message, otherwise its kind with what it demands. */
export const oracleLine = ({ kind, text, message }: DescribedOracle): string =>
  message ?? (text === '' ? kind : `${kind}: ${text}`)
