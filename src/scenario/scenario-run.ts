import type { Random } from '../base/random.ts'
import type { Desktop, Window } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'
import type { Point } from '../desktop/model/geometry.ts'
import { withShell } from '../desktop/shell/shell.ts'
import type { RunData } from './data/run-data.ts'
import type { EventValues } from './data/scope.ts'
import type { UndoHistory } from './data/undo.ts'
import type { DataValue } from './expression/data-type.ts'
import type { FaultRun } from './faults/fault-kind.ts'
import type { Scenario } from './scenario.ts'
import type { DueAnswer } from './schema/actor.ts'
import type { Outcome, ScheduledOutcome } from './schema/effect.ts'

/** The state of a running scenario: an immutable value, so that a fork is the same value. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly state: string
  /** The state before this one. Undefined in the first. */
  readonly previous: string | undefined
  /** The time at which the state was entered. */
  readonly enteredAtMs: number
  readonly desktop: Desktop
  readonly nowMs: number
  /** The seed that it was started with. */
  readonly seed: number
  /** The time of the start. */
  readonly startedAtMs: number
  readonly random: Random
  /** For probabilities and choices, so that they do not change the times of timers. */
  readonly chance: Random
  /** Running timers, in the order in which they fire. */
  readonly due: readonly DueTimer[]
  /** The time at which a tooltip shows if the pointer rests until then. Undefined if none is pending. */
  readonly restedAtMs: number | undefined
  readonly kept: SavedChanges
  /** The number of matching calls of each planned fault. */
  readonly faultCalls: readonly number[]
  /** The state of the faults of the catalogue. Undefined if the run has none. */
  readonly faults: FaultRun | undefined
  /** The values of the variables; empty if the file has none. */
  readonly data: RunData
  /** The pages of tabs of the browser that are not shown, by the ids of the tabs. */
  readonly pages: ReadonlyMap<number, BackgroundPage>
  /** What the browser asks the user, and what follows the answers. */
  readonly questions: BrowserQuestions
  /** What the scenario has recorded. */
  readonly log: RunLog
  /** What can be undone and done again. */
  readonly history: UndoHistory
  /** What was seen of the oracles about the course of the run; undefined if the scenario has none. */
  readonly course: CourseState | undefined
}

/** The page of a tab as it was when another tab was shown: with what was typed, chosen and scrolled on it. */
export interface BackgroundPage {
  readonly children: readonly Element[]
  readonly scrolled: Point | undefined
  /** The id of the element of the page that had the focus. */
  readonly focus: string | undefined
}

/** The event of an effect whose outcome comes later. */
interface OutcomeContext {
  readonly captured?: CapturedGroups
  readonly near?: string | undefined
  readonly event?: EventValues | undefined
}

/** A question of a page, with what follows each answer. */
export interface BrowserQuestion {
  readonly accepted: Outcome | undefined
  readonly refused: Outcome | undefined
  readonly context: OutcomeContext
}

/** The open dialog and the open request for a permission, and what follows answers that were given during an action. */
export interface BrowserQuestions {
  readonly dialog?: BrowserQuestion | undefined
  readonly permission?: BrowserQuestion | undefined
  readonly answered: readonly { readonly outcome: Outcome; readonly context: OutcomeContext }[]
}

/** A browser that asks nothing. */
export const NO_QUESTIONS: BrowserQuestions = { answered: [] }

/** Changes by the user, by reactions and by controls that survive a transition. */
export interface SavedChanges {
  /** Per element, as written and as changed. A state that writes it differently wins. */
  readonly elements: ReadonlyMap<string, SavedElement>
  /** Per uid, the window as written in the last state that had it, and as it was when that state was left. */
  readonly windows: ReadonlyMap<string, { readonly authored: Window; readonly now: Window }>
}

/** An element that has changed, in the tree as written and as it was when its state was left. */
export interface SavedElement {
  readonly authored: Element
  readonly now: Element
  /** The children that were added, and those that were removed. */
  readonly added: readonly Element[]
  readonly gone: readonly Element[]
}

/** The match of a `text_regex`: the whole text and its groups. Undefined without a `text_regex`. */
export type CapturedGroups = readonly (string | undefined)[] | undefined

/** The next firing of a timer. */
export interface DueTimer {
  /** The index of the timer in the file, or `SCHEDULED` for what an effect scheduled. */
  readonly timer: number
  readonly atMs: number
  /** The groups and the window of the event that started it. */
  readonly captured?: CapturedGroups
  readonly near?: string | undefined
  /** What a person is about to do. */
  readonly answer?: DueAnswer
  /** What an effect scheduled. */
  readonly outcome?: ScheduledOutcome
  /** The uid of the notification that closes. */
  readonly closes?: string
  /** The event as expressions see it. Only for scenarios with live expressions. */
  readonly event?: EventValues | undefined
}

/** After all timers of the file. */
export const SCHEDULED = Number.MAX_SAFE_INTEGER

/** The run with other fields. Copies field by field, like nodes, for speed. */
export const runWith = (run: ScenarioRun, fields: Partial<ScenarioRun>): ScenarioRun =>
  Object.assign(
    {
      scenario: run.scenario,
      state: run.state,
      previous: run.previous,
      enteredAtMs: run.enteredAtMs,
      desktop: run.desktop,
      nowMs: run.nowMs,
      seed: run.seed,
      startedAtMs: run.startedAtMs,
      random: run.random,
      chance: run.chance,
      due: run.due,
      restedAtMs: run.restedAtMs,
      kept: run.kept,
      faultCalls: run.faultCalls,
      faults: run.faults,
      data: run.data,
      pages: run.pages,
      questions: run.questions,
      log: run.log,
      history: run.history,
      course: run.course,
    } satisfies Record<keyof ScenarioRun, unknown>,
    fields,
  )

/** The run with another desktop; itself if the desktop is the same. */
export const withDesktop = (run: ScenarioRun, desktop: Desktop): ScenarioRun =>
  desktop === run.desktop ? run : runWith(run, { desktop })

/** The run with the shell of its desktop up to date. */
export const withShellShown = (run: ScenarioRun): ScenarioRun => withDesktop(run, withShell(run.desktop))

/** Whether a state is among those that an entry is for; without `in` it is for all. */
export const isInState = (states: string | readonly string[] | undefined, state: string): boolean =>
  states === undefined || states === state || (Array.isArray(states) && states.includes(state))

/** Something that a run recorded. */
export interface LogEntry {
  /** The virtual time. */
  readonly atMs: number
  readonly kind: 'emit' | 'log' | 'reaction' | 'timer' | 'effect-skipped' | 'fault'
  /** The event, the text, the id of the reaction, timer or fault, or the kind of the effect. */
  readonly name: string
  readonly fields?: Readonly<Record<string, DataValue>>
}

/** The latest entries of a run, and how often each event happened. An immutable value. */
interface RunLog {
  /** Full chunks, oldest first, and then the last one. */
  readonly chunks: readonly (readonly LogEntry[])[]
  readonly last: readonly LogEntry[]
  /** How often each emitted event, and each reaction or timer with an id, happened, including discarded entries. */
  readonly counts: ReadonlyMap<string, number>
}

/** The log of a run that recorded nothing. */
export const EMPTY_LOG: RunLog = { chunks: [], last: [], counts: new Map() }

const CHUNK_ENTRIES = 100
/** A log keeps at least this many entries; it discards the oldest by the hundred. */
export const MAX_LOG_ENTRIES = 10_000

const COUNTED: ReadonlySet<LogEntry['kind']> = new Set<LogEntry['kind']>(['emit', 'reaction', 'timer'])

/** The log with another entry. */
export function appendToLog({ chunks, last, counts }: RunLog, entry: LogEntry): RunLog {
  const { kind, name } = entry
  const counted = COUNTED.has(kind) ? new Map(counts).set(name, (counts.get(name) ?? 0) + 1) : counts
  if (last.length < CHUNK_ENTRIES) return { chunks, last: [...last, entry], counts: counted }
  const kept = chunks.slice(Math.max(0, chunks.length + 1 - MAX_LOG_ENTRIES / CHUNK_ENTRIES))
  return { chunks: [...kept, last], last: [entry], counts: counted }
}

/** The entries of a log, oldest first. */
export const entriesOf = ({ chunks, last }: RunLog): readonly LogEntry[] => [...chunks.flat(), ...last]

/** The entries that a log has and an earlier one has not, oldest first. */
export function entriesSince(log: RunLog, earlier: RunLog | undefined): readonly LogEntry[] {
  if (log === earlier) return []
  const latest = earlier?.last.at(-1)
  const added: LogEntry[] = []
  for (const chunk of [...log.chunks, log.last].reverse())
    for (let at = chunk.length - 1; at >= 0; at--) {
      if (chunk[at] === latest) return added.reverse()
      added.push(chunk[at]!)
    }
  return added.reverse()
}

/** How often an event happened. */
export const timesHappened = ({ counts }: RunLog, name: string): number => counts.get(name) ?? 0

/** What a run has shown of one oracle about its course. */
export interface CourseEntry {
  /** How often its event, or the first of two events, has happened. */
  readonly count: number
  /** When it was broken: a condition held that never may, or an event came too early. */
  readonly brokenAtMs: number | undefined
  readonly why: string | undefined
}

/** What a run has shown of each oracle about its course, in their order. */
export type CourseState = readonly CourseEntry[]
