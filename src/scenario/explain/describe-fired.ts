import { entriesSince, type LogEntry } from '../run/log.ts'
import { SCHEDULED, type ScenarioRun } from '../run/scenario-run.ts'
import { describeReaction, describeTimer } from './describe-entries.ts'

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
