import { evaluateLive, type LocalNames } from '../data/scope.ts'
import { typeOf } from '../expression/data-type.ts'
import { eventNames } from '../live/event-names.ts'
import { liveContext, scopeOf } from '../live-context.ts'
import {
  type CourseEntry,
  type CourseState,
  entriesSince,
  type LogEntry,
  runWith,
  type ScenarioRun,
} from '../scenario-run.ts'
import type { CourseOracle, NeverOracle } from '../schema/oracles.ts'
import { runView } from './on-run.ts'
import { evaluateOracle, explain } from './oracle.ts'

const NOTHING_SEEN: CourseEntry = { count: 0, brokenAtMs: undefined, why: undefined }

/**
 * Follows the oracles about its course of a run over one input or timer. The same run if nothing that they follow has happened.
 * @param before The run before; undefined at the start.
 */
export function followCourse(before: ScenarioRun | undefined, after: ScenarioRun): ScenarioRun {
  const { course: oracles } = after.scenario.oracles
  if (oracles.length === 0) return after
  const { desktop, data, log, state } = after
  if (before?.desktop === desktop && before.data === data && before.log === log && before.state === state) return after
  const entries = entriesSince(log, before?.log)
  const known: CourseState = after.course ?? []
  const course = oracles.map((oracle, index) => follow(oracle, known[index] ?? NOTHING_SEEN, after, entries))
  return course.every((entry, index) => entry === known[index]) ? after : runWith(after, { course })
}

function follow(oracle: CourseOracle, seen: CourseEntry, run: ScenarioRun, entries: readonly LogEntry[]): CourseEntry {
  switch (oracle.kind) {
    case 'never':
      return seen.brokenAtMs === undefined ? followNever(oracle, seen, run) : seen
    case 'event':
      return counted(seen, entries, run, { event: oracle.name, where: oracle.where })
    case 'at_most':
      return counted(seen, entries, run, oracle)
    case 'before':
      return followOrder(seen, entries, run, choiceOf(oracle.first), choiceOf(oracle.then))
  }
}

function followNever({ of }: NeverOracle, seen: CourseEntry, run: ScenarioRun): CourseEntry {
  const result = evaluateOracle(of, runView(run))
  // The checks refuse oracles that a run cannot evaluate at once.
  if (result instanceof Promise || !result.passed) return seen
  return { ...seen, brokenAtMs: run.nowMs, why: explain(result) }
}

/** An event by its name, and which of them count. */
interface EventChoice {
  readonly event: string
  readonly where?: string | undefined
}

const choiceOf = (choice: string | EventChoice): EventChoice =>
  typeof choice === 'string' ? { event: choice } : choice

function counted(seen: CourseEntry, entries: readonly LogEntry[], run: ScenarioRun, choice: EventChoice): CourseEntry {
  const more = entries.filter((entry) => isMeant(entry, choice, run)).length
  return more === 0 ? seen : { ...seen, count: seen.count + more }
}

/** Counts the first event, and notes the other one when it happens without it. */
function followOrder(
  seen: CourseEntry,
  entries: readonly LogEntry[],
  run: ScenarioRun,
  first: EventChoice,
  then: EventChoice,
): CourseEntry {
  let state = seen
  for (const entry of entries) {
    if (state.brokenAtMs !== undefined) return state
    if (state.count === 0 && isMeant(entry, then, run))
      state = { ...state, brokenAtMs: entry.atMs, why: `${then.event} happened before ${first.event}` }
    else if (isMeant(entry, first, run)) state = { ...state, count: state.count + 1 }
  }
  return state
}

const EVENT_KINDS: ReadonlySet<LogEntry['kind']> = new Set<LogEntry['kind']>(['emit', 'reaction', 'timer'])

function isMeant({ kind, name, fields = {} }: LogEntry, { event, where }: EventChoice, run: ScenarioRun): boolean {
  if (name !== event || !EVENT_KINDS.has(kind)) return false
  if (where === undefined) return true
  const declared = run.scenario.events[event]
  const locals: LocalNames = {
    types: declared ? eventNames(declared) : { event: typeOf(fields) },
    values: { event: fields },
  }
  const result = evaluateLive(scopeOf(run), where, liveContext(run), locals)
  return 'value' in result && result.value === true
}
