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
