import type { Box, ScreenPoint, ViewerElement, ViewerWindow } from './element.ts'
import type { FiredEntry } from './recording.ts'

/**
 * What the live entrance shows of a session, and how it looks at it and controls it.
 *
 * All paths are relative to the session: `/api/…` for the first one, `/sessions/ID/api/…` for the others. Every result has
 * `ok: true`; every refusal has `ok: false` and `error: { code, message, … }`. In a session for agents, all of this needs the
 * harness token (`X-Harness-Token`), and with a configured token every request needs `Authorization: Bearer …`.
 *
 * Looking uses no step, budget, planned fault or trace row, and moves no clock:
 *
 * | request | result |
 * |---|---|
 * | `GET /api/inspector/screen?version=V&windows_version=W&calls_after=N` | `LiveScreen`; V, W and N are those of the last result |
 * | `GET /api/inspector/explain?call=N` | `LiveExplanation` of the call with the sequence N of the log |
 * | `GET /api/inspector/explain?tool=T&args=JSON` | `LiveExplanation` of a call that is not made |
 * | `GET /api/inspector/select?selector=S&window_uid=U` | `LiveSelection`: the elements that a selector matches |
 * | `GET /api/inspector/select?element_id=E&window_uid=U` | `LiveSelection` of the best selector of an element |
 * | `GET /api/inspector/file?path=P` | `LiveFileText`: the text of a file of the desktop |
 *
 * Acting calls the tools that the harness has. `X-Caller: person` (`PERSON_HEADER`, `PERSON`) marks a call in traces, in the
 * audit log and in the log of calls as made by a person; only the harness may send it.
 *
 * | control | request |
 * |---|---|
 * | any tool, such as a click | `POST /api/tool/NAME` with its arguments |
 * | +100 ms, +1 s | `POST /api/session/advance` `{ "ms": 100 }` |
 * | run in real time | `POST /api/session/advance` with the time since the last one, again and again |
 * | pause | send no more of them: the clock of a session with `clock: 'virtual'` moves by calls only |
 * | step back | `POST /api/session/rewind` `{ "to_step": N }`, N from 0 to `scenario.step` |
 * | reset | `POST /api/session/reset` `{ "observe": "none", "seed"?: 7, "scenario"?: "login", "variant"?: {…}, "faults"?: […] }` |
 * | list of scenarios | `GET /scenarios` (not below the session): `scenarios[].scenario` is the value for a reset |
 * | list of sessions | `GET /sessions` (not below a session): `sessions[].base_url`; the first session is not in it |
 */
export interface LiveScreen {
  readonly ok: true
  readonly session: string
  /** Whether the desktop is synthetic. A real one has no scenario, variables, files and controls of time. */
  readonly synthetic: boolean
  /** `virtual`: time passes by calls only. `real`: it passes by itself. */
  readonly clock: 'virtual' | 'real'
  /** The tools that the operator denies among those that return the same parts: these parts are absent, empty or null. */
  readonly denied: readonly string[]
  /** Of the picture. */
  readonly version: string
  /** Absent if it has the version of the request. */
  readonly picture?: LivePicture
  /** Of the windows with their trees. */
  readonly windows_version: string
  /** Front to back, with popups. Absent if they have the version of the request. */
  readonly windows?: readonly LiveWindow[]
  readonly pointer: LivePointer
  /** Null on a real desktop, and if `session_info` is denied. */
  readonly scenario: LiveScenario | null
  /** Null on a real desktop, and if `session_info` is denied. */
  readonly oracles: LiveOracles | null
  readonly episode: LiveEpisode
  readonly storage: LiveStorage
  /** The latest calls, oldest first: those after the sequence of the request. */
  readonly calls: readonly LiveCall[]
  /** The sequence of the latest call; 0 before the first. */
  readonly last_call: number
  /** What happened in the scenario since the latest call, such as timers of a clock that moves by itself. */
  readonly fired: readonly FiredEntry[]
}

/** A picture of the screen. */
export interface LivePicture {
  /** A PNG file in base64. */
  readonly data: string
  readonly width: number
  readonly height: number
  /** The part of the screen that it shows. The page places boxes relative to its corner. */
  readonly area: Box
}

/** A window, as other entrances show it. */
export interface LiveWindow extends ViewerWindow {
  readonly tree?: ViewerElement
  /** The program did not give its tree in time. */
  readonly unavailable?: true
}

/** The pointer and what is held down. */
export interface LivePointer {
  /** Null where the desktop does not report it, as on Wayland. */
  readonly at: ScreenPoint | null
  readonly buttons: readonly string[]
  readonly keys: readonly string[]
}

/** The scenario and how far it has come. */
export interface LiveScenario {
  readonly name: string
  /** Its file as it was opened: a path, or a name of the gallery. Null for one that no file made. */
  readonly file: string | null
  /** Whether `{{ … }}` is an expression in its texts. */
  readonly composed: boolean
  readonly task: string | null
  readonly state: string
  readonly states: readonly string[]
  readonly seed: number
  /** The axes in which the scenario differs from its file. */
  readonly variant: Readonly<Record<string, string>>
  readonly variant_warnings: readonly string[]
  /** The faults of the run, and those that have fired. */
  readonly faults: readonly string[]
  readonly fired_faults: readonly { readonly fault: string; readonly step: number; readonly at_ms: number }[]
  /** The number of actions performed, as a rewind counts them. */
  readonly step: number
  /** Virtual time since the start, in milliseconds. */
  readonly elapsed_ms: number
  /** Time until the next timer, in milliseconds. Null without one. */
  readonly next_timer_ms: number | null
}

/** The oracles as they are now. */
export interface LiveOracles {
  /** 1: the success oracles hold; -1: a failure oracle holds; else 0. */
  readonly reward: number
  /** How much of the way from the start to success is done, from 0 to 1. */
  readonly score: number
  readonly entries: readonly LiveOracle[]
}

/** An oracle of the scenario. */
export interface LiveOracle {
  readonly group: 'success' | 'failure' | 'harm' | 'attack'
  /** Such as `value_equals`. */
  readonly kind: string
  /** What it demands, such as `selector Edit "Name", expected Ada`. */
  readonly text: string
  /** The message of the scenario. */
  readonly message: string | null
  /** Null where it was not evaluated: success entries, once a failure entry holds. */
  readonly passed: boolean | null
}

/** The episode of a training loop, or the run of an agent. */
export interface LiveEpisode {
  /** The number of actions of `session_step`. */
  readonly actions: number
  /** How it ended. Null while it continues. */
  readonly ended: 'terminated' | 'truncated' | null
  /** How the agent ended its run with `finish`. Null while it continues. */
  readonly finish: { readonly status: 'done' | 'infeasible'; readonly text: string } | null
}

/** Variables, clipboard and files of a synthetic desktop. */
export interface LiveStorage {
  /** Why they are absent: the operator's redaction or list of tools, or a real desktop. Null if they are not. */
  readonly withheld: string | null
  readonly variables?: Readonly<Record<string, unknown>>
  readonly clipboard?: string
  readonly files?: readonly LiveFile[]
  /** Whether there are more files than are listed. */
  readonly more_files?: true
}

/** A file or a folder. */
export interface LiveFile {
  readonly path: string
  readonly folder: boolean
  /** In bytes. */
  readonly size: number
}

/** The text of a file. */
export interface LiveFileText {
  readonly ok: true
  readonly path: string
  readonly content: string
}

/** A call of a tool in the log, which keeps the last 500 of a session. */
export interface LiveCall {
  /** From 1, in the order in which calls end. */
  readonly sequence: number
  /** The `step_id` of the result, by which a page finds its own calls. Null for an unknown tool. */
  readonly step_id: number | null
  readonly tool: string
  /** `unknown`: there is no such tool. */
  readonly kind: 'look' | 'act' | 'manage' | 'unknown'
  /** Such as `rest`, `mcp`, `person`, or the tool that made the call. */
  readonly caller: string
  /** With secrets and large values replaced as in traces. */
  readonly args: Readonly<Record<string, unknown>>
  readonly ok: boolean
  readonly error: { readonly code: string; readonly message: string } | null
  /** Whether the screen changed. Null for calls that do not act. */
  readonly changed: boolean | null
  /** The fields of the result that traces keep. */
  readonly summary: Readonly<Record<string, unknown>>
  /** The time of its start, ISO 8601, by the operator's clock. */
  readonly wall_time: string
  /** Real time that it took, in milliseconds, by the operator's clock. */
  readonly wall_ms: number
  /** Virtual time since the start, in milliseconds, at its start and its end. */
  readonly start_ms: number
  readonly end_ms: number
  /** The number of actions performed by its end, as a rewind counts them. Null on a real desktop. */
  readonly step: number | null
  /** What happened in the scenario during the call, or since the call before it. */
  readonly fired: readonly FiredEntry[]
  /** The element that received the input, where it is known. */
  readonly hit: LiveElement | null
  /** Whether `explain` knows it: the last 50 calls that acted on a synthetic desktop. */
  readonly explainable: boolean
}

/** An element, with a selector that finds it in its window. */
export interface LiveElement {
  readonly window_uid: string
  /** The title of the window. Null where it is not known, as on a real desktop. */
  readonly window: string | null
  readonly element_id: string
  /** Null where they are not known. */
  readonly role: string | null
  readonly name: string | null
  /** A selector that a person would write, and that matches this element alone. */
  readonly selector: string
  readonly bounds: Box
  /** Whether it matters where in the element a click happens, as in a slider, a picture or a text. */
  readonly positional: boolean
}

/** Why reactions and timers did or did not match the actions of a call. */
export interface LiveExplanation {
  readonly ok: true
  /** The tool with its arguments, such as `click_element {"selector":"Button \"Go\""}`. */
  readonly call: string
  /** Why the call was refused, or would be. Null if it was not. */
  readonly refused: string | null
  /** One per action of the desktop; none for a call that performed none. */
  readonly actions: readonly LiveActionExplanation[]
}

/** What the scenario does with an action. */
export interface LiveActionExplanation {
  readonly state: string
  /** The events that reactions and timers may match, in words. */
  readonly events: readonly string[]
  /** Why the desktop does not take the action. */
  readonly refused: string | null
  readonly reactions: readonly LiveReactionExplanation[]
  readonly timers: readonly LiveTimerExplanation[]
}

export interface LiveReactionExplanation {
  /** From 0, in the order of the file. */
  readonly index: number
  /** What it waits for, such as `click_element save`. */
  readonly text: string
  /** `hidden`: it matches too, but an earlier one applies. */
  readonly outcome: 'applies' | 'hidden' | 'no match'
  readonly reasons: readonly string[]
}

export interface LiveTimerExplanation {
  readonly index: number
  readonly text: string
  /** `starts`: at this action. `runs`: it was started before. */
  readonly outcome: 'starts' | 'runs' | 'does not run'
  readonly fires_in_ms: number | null
  readonly reasons: readonly string[]
}

/** The elements that a selector matches in a window. */
export interface LiveSelection {
  readonly ok: true
  readonly window_uid: string
  /** The canonical form of the selector, or the selector of the element. Null for one that cannot be read. */
  readonly selector: string | null
  /** The number of all matches. */
  readonly count: number
  /** The first 200, the one that an action would use first. */
  readonly matches: readonly LiveMatch[]
  /** What is wrong with the selector. Null if it can be read. */
  readonly error: {
    readonly message: string /** From 1. Null if none applies. */
    readonly column: number | null
  } | null
}

/** An element that a selector matches. */
export interface LiveMatch {
  readonly element_id: string
  readonly role: string
  readonly name: string
  readonly bounds: Box
}

/** The header that names the caller of a request, and its only value. */
export const PERSON_HEADER = 'x-caller'
export const PERSON = 'person'

/** A line of the log: a call, or several that only advanced the clock. */
export interface CallRow {
  /** The last of them. */
  readonly call: LiveCall
  readonly count: number
  /** Virtual time at the start of the first one, in milliseconds. */
  readonly startMs: number
}

/** The lines of a log, newest first. Calls that advance the clock one after the other are one line, unless something fired. */
export function callRows(calls: readonly LiveCall[]): readonly CallRow[] {
  const rows: CallRow[] = []
  for (const call of calls) {
    const last = rows.at(-1)
    if (last && isTick(call) && isTick(last.call)) rows[rows.length - 1] = { ...last, call, count: last.count + 1 }
    else rows.push({ call, count: 1, startMs: call.start_ms })
  }
  return rows.reverse()
}

const isTick = ({ tool, ok, fired }: LiveCall): boolean => tool === 'session_advance' && ok && fired.length === 0

/** A few words about the arguments of a call: the most telling ones first. */
export function callWords({ args }: Pick<LiveCall, 'args'>): string {
  const shown = Object.entries(args).filter(([name, value]) => name !== 'dry_run' || value !== false)
  return shown
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
}

/** A duration in words, such as `1.25 s`. */
export function timeWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(2))} s`
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
}
