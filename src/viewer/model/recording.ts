import type { Box, ElementPlace, ScreenPoint } from './element.ts'

/**
 * A recorded run as the page shows it. `src/recording` writes it from a trace, a trajectory of OSWorld or an ATIF file.
 * Everything that repeats is stored once in a table, and named by its index: trees share their unchanged elements, and
 * pictures their unchanged tiles.
 */
export interface Recording {
  readonly format: 'backlot-recording-1'
  /** Such as the episode, or the label of the trace. */
  readonly title: string
  readonly source: 'backlot' | 'osworld' | 'atif'
  /** The version of the program that recorded the run, if known. */
  readonly recordedBy?: string
  /** The task in words, where no scenario is known. */
  readonly task?: string
  readonly scenario?: {
    readonly name: string
    readonly task?: string
    readonly seed: number
    readonly variant: Readonly<Record<string, string>>
    readonly faults: readonly string[]
  }
  /** What the run could not be shown with, such as a trace without its scenario. */
  readonly warnings: readonly string[]
  readonly verdict?: {
    readonly success: boolean
    readonly score: number
    readonly end: string
    readonly message: string
  }
  /** ISO 8601, by the operator's clock. */
  readonly startedAt?: string
  readonly oracles: readonly RecordedOracle[]
  /** The number of the first step after which no way to success is left, as an exploration of all ways has proven. */
  readonly lostAt?: number
  /** The desktop at the start, and after each step: one more than there are steps. */
  readonly moments: readonly Moment[]
  readonly steps: readonly ViewerStep[]
  /** Events of agent protocols between the steps, in their order. */
  readonly events: readonly RecordedEvent[]
  readonly tables: RecordingTables
}

export interface RecordedOracle {
  readonly kind: 'success' | 'failure' | 'harm' | 'attack'
  /** What it demands, in words. */
  readonly text: string
}

/** The desktop between two steps. */
export interface Moment {
  /** Virtual time since the start, in milliseconds. */
  readonly atMs: number
  /** The screen: index into `frames`. Absent where there is no picture. */
  readonly frame?: number
  /** The windows front to back: index into `desks`. Absent where no tree is known. */
  readonly desk?: number
  /** The state of the scenario. */
  readonly state?: string
  /** The variables of the scenario: index into `values`. */
  readonly variables?: number
  readonly pointer?: ScreenPoint
  readonly clipboard?: string
  /** Whether each oracle of the recording holds. Undefined where it could not be evaluated. */
  readonly oracles?: readonly (boolean | null)[]
}

/** A call of a tool. */
export interface ViewerStep {
  /** From 1. `moments[number]` is the desktop after it, `moments[number - 1]` before it. */
  readonly number: number
  readonly tool: string
  /** The arguments: index into `values`. */
  readonly args: number
  readonly caller: string
  /** Whether the tool acts. Others observe. */
  readonly acts: boolean
  /** ISO 8601, by the operator's clock. */
  readonly wallTime?: string
  /** Virtual time since the start, in milliseconds. */
  readonly startMs: number
  readonly endMs: number
  /** Real time that the call took, in milliseconds. */
  readonly wallMs?: number
  /** The result, or its summary: index into `values`. */
  readonly result: number
  readonly ok: boolean
  readonly changed?: boolean
  /** The code and the message of an error. */
  readonly error?: { readonly code: string; readonly message?: string }
  /** Where the pointer clicked, and the way of a drag. */
  readonly point?: ScreenPoint
  readonly path?: readonly ScreenPoint[]
  /** The element that received the input. */
  readonly hit?: ElementPlace
  /** The element that the solution uses next at this place, where the solution is known. */
  readonly meant?: ElementPlace
  /** Keys and buttons that were held down. */
  readonly held?: readonly string[]
  /** What the action made happen in the scenario, in order. */
  readonly fired: readonly FiredEntry[]
  /** The call in the dialect that the agent spoke: index into `values`. */
  readonly dialect?: { readonly door: string; readonly call: number }
  readonly model?: ModelTurn
  /** Requests and responses of the call. */
  readonly wire?: readonly WireExchange[]
}

export interface FiredEntry {
  readonly kind: 'reaction' | 'timer' | 'fault' | 'behaviour' | 'transition' | 'log'
  /** Such as `reactions[3]: click_element save`, or the text of the log. */
  readonly text: string
}

/** The turn of a model that led to a call. */
export interface ModelTurn {
  readonly message?: string
  readonly reasoning?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  readonly latencyMs?: number
}

/** A request with its response. Secrets are already `<redacted>`. */
export interface WireExchange {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The text of the body. Long ones are cut. */
  readonly body?: string
  readonly status?: number
  readonly response?: string
  readonly ms?: number
}

/** An event of an agent protocol. */
export interface RecordedEvent {
  /** The number of the step that it follows; 0 at the start. */
  readonly after: number
  readonly wallTime?: string
  readonly protocol: string
  readonly direction: 'in' | 'out'
  readonly name: string
  /** Index into `values`. */
  readonly content: number
}

/** What repeats in a recording, stored once. */
export interface RecordingTables {
  /** The width and the height of tiles in pixels. Tiles at the right and lower edge may be smaller. */
  readonly tileSize: number
  /** The SHA-256 of each tile's PNG file, in hexadecimal: the name of its file. */
  readonly tiles: readonly string[]
  readonly frames: readonly Frame[]
  readonly desks: readonly (readonly StoredWindow[])[]
  /** Children come before their parents. */
  readonly elements: readonly StoredElement[]
  readonly values: readonly unknown[]
}

/** A picture of the screen: its tiles row by row, as indexes into `tiles`. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly tiles: readonly number[]
}

/** A window in a desk. */
export interface StoredWindow {
  readonly uid: string
  readonly title: string
  readonly process: string
  readonly bounds: Box
  readonly focused: boolean
  readonly popupOf?: string
  /** Index into `elements`. Absent without a tree. */
  readonly root?: number
}

/** An element with the indexes of its children, otherwise the fields of `ShownElement`. Fields that say nothing are absent. */
export interface StoredElement {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly bounds: Box
  readonly value?: string
  /** False if disabled; absent if enabled. */
  readonly enabled?: false
  readonly focused?: true
  readonly keyboard_shortcut?: string
  readonly description?: string
  readonly selected?: boolean
  readonly expanded?: boolean
  readonly value_now?: number
  readonly value_min?: number
  readonly value_max?: number
  readonly identifier?: string
  readonly hidden?: true
  readonly children?: readonly number[]
}

/**
 * Where the page gets a recording. A page that is one file has blocks of data: `recording` and, of a comparison, `other`, each
 * a `Recording`; and `tiles`, the PNG files of both in base64 by their SHA-256. A served page requests `recording.json`,
 * `other.json` (`null` without a comparison), and each tile when it is shown, below `tiles/`.
 */
export const RECORDING_SOURCES = {
  blocks: { recording: 'recording', other: 'other', tiles: 'tiles' },
  /** Paths from the root of the server. `POST open?step=N` answers `{url}`: a live session of the desktop after step N. */
  paths: { recording: '/recording.json', other: '/other.json', tiles: '/recording/tiles/', open: '/open' },
} as const
