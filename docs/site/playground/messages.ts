/** What the page and the worker of the playground say to each other. */

/** A request of the page. Each gets one answer, in order. */
export type Request =
  | ({ readonly ask: 'open'; readonly file: string } & WrittenScenario)
  | { readonly ask: 'call'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ask: 'step' }
  /** Probable mistakes, which the solution is played for. */
  | { readonly ask: 'warnings' }
  | { readonly ask: 'gallery'; readonly name: string }

/** A scenario as it is typed, with what is chosen beside it. */
export interface WrittenScenario {
  readonly text: string
  /** Undefined: that of the file. */
  readonly seed: number | undefined
  /** Choices of axes, such as `theme=dark`. */
  readonly variant: readonly string[]
}

export type Answer =
  | { readonly kind: 'state'; readonly state: DesktopState }
  /** Of a scenario that cannot be opened, or the warnings of one that is open. */
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'text'; readonly text: string; readonly file: string }
  | { readonly kind: 'failure'; readonly message: string }

/** A problem or a warning of a scenario. Lines and columns count from 1. */
export interface Problem {
  readonly line: number
  readonly column: number
  readonly message: string
  readonly isWarning: boolean
}

/** A desktop, as a person and an agent see it. */
export interface DesktopState {
  readonly width: number
  readonly height: number
  /** Rows of red, green, blue, alpha bytes. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
  readonly task: string
  readonly seed: number
  /** The outline that agents read, one line an element. */
  readonly outline: string
  /** The hash of each window's tree, by its uid. */
  readonly hashes: Readonly<Record<string, string>>
  readonly verdict: Verdict
  /** The number of calls of the solution that were played, and why one failed; undefined without a solution. */
  readonly solution:
    | { readonly played: number; readonly isDone: boolean; readonly failure: string | undefined }
    | undefined
  /** The calls since the scenario was opened, the last one last. */
  readonly log: readonly LoggedCall[]
}

export interface Verdict {
  readonly passes: boolean
  /** What the first oracle that does not pass says; empty if all pass or there are none. */
  readonly why: string
  readonly hasOracles: boolean
}

export interface LoggedCall {
  readonly tool: string
  readonly args: string
  /** What failed, in words. */
  readonly failure?: string
}
