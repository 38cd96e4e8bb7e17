import type { Frame } from '../probe/frame.ts'
import type { Level, Requirement } from '../requirement.ts'

/** Requirements that are known to fail, each with the reason why the failure is accepted. */
export type Baseline = Readonly<Record<string, string>>

/**
 * `unsteady`: it passed and failed when repeated. `harness`: an error of the suite, which says nothing about the
 * server. `unjudged`: another failure hides the result. `unchecked`: no check can prove it from outside.
 */
export type ResultStatus = 'passed' | 'failed' | 'unsteady' | 'harness' | 'unjudged' | 'unchecked'

/** How often a failure was repeated alone. */
export interface Repeats {
  readonly ran: number
  readonly failed: number
  /** It failed with different findings, so the fault strikes at random. */
  readonly isVaried?: true
}

/** What a check leaves to explain its result. */
interface Evidence {
  /** Why it failed, or why it is not checked. */
  readonly why?: string
  readonly expected?: unknown
  readonly actual?: unknown
  /** What the server said in two places that do not agree, by source. */
  readonly statements?: Readonly<Record<string, unknown>>
  /** PNG files as base64, by title. */
  readonly pictures?: Readonly<Record<string, string>>
  readonly repeats?: Repeats
  /** The requirement whose failure prevented a result. */
  readonly dueTo?: string
  /** The wire log of what failed or is not judged. */
  readonly frames: readonly Frame[]
}

export interface RequirementResult extends Evidence {
  readonly id: string
  readonly level: Level
  readonly text: string
  readonly source: string
  readonly covers: readonly string[]
  readonly status: ResultStatus
  /** The baseline's reason for accepting the failure. */
  readonly accepted?: string
}

/** The outcome of one check, before levels and baselines apply. */
export interface Finding extends Evidence {
  readonly status: ResultStatus
  /** The check could not go on with an answer; a shape that its frames violate explains the failure. */
  readonly isUnreadable?: boolean
  /** A request that is to be refused was answered with a success, so the shape of that answer is not judged. */
  readonly isWronglyAccepted?: boolean
}

export function toRequirementResult(
  id: string,
  requirement: Requirement,
  finding: Finding,
  baseline: Baseline,
): RequirementResult {
  const { level, text, source, covers } = requirement
  const { isUnreadable: _, isWronglyAccepted: __, ...rest } = finding
  const accepted = isFailure(finding.status) ? baseline[id] : undefined
  return { id, level, text, source, covers, ...rest, ...(accepted !== undefined && { accepted }) }
}

/** A failure that the failure of another requirement explains. It keeps what it showed. */
export const explainedBy = (finding: Finding, cause: string): Finding => ({
  ...finding,
  status: 'unjudged',
  why: `${(finding.why ?? '').replace(/^prerequisite: /, '')} (not judged, because ${cause} failed)`,
  dueTo: cause,
})

const isFailure = (result: ResultStatus): boolean => result === 'failed' || result === 'unsteady'

/** Describes how often a failure was repeated; empty when it was not. */
export const describeRepeats = ({ repeats }: Pick<RequirementResult, 'repeats'>): string =>
  repeats === undefined
    ? ''
    : `repeated alone ${plural(repeats.ran, 'time')}, failed ${repeats.failed}${repeats.isVaried ? ', with different findings' : ''}`

export interface Counts {
  readonly passed: number
  /** MUSTs that failed and no baseline accepts. */
  readonly failed: number
  /** SHOULDs that failed. */
  readonly warned: number
  /** MAYs that failed. */
  readonly noted: number
  readonly accepted: number
  /** MUSTs that passed and failed when repeated, and no baseline accepts. */
  readonly unsteady: number
  readonly harness: number
  /** Not judged because another failure hides the result. */
  readonly unjudged: number
  readonly unchecked: number
}

export type ResultMark = keyof Counts

/** The marks in the order of all reports, from worst to best, with the words of all reports for one and for several. */
const WORDS: Readonly<Record<ResultMark, readonly [one: string, several: string]>> = {
  failed: ['failed', 'failed'],
  unsteady: ['unsteady', 'unsteady'],
  harness: ['harness error', 'harness errors'],
  unjudged: ['not judged', 'not judged'],
  warned: ['warning', 'warnings'],
  accepted: ['accepted', 'accepted'],
  noted: ['option missing', 'options missing'],
  passed: ['passed', 'passed'],
  unchecked: ['not checked', 'not checked'],
}

export const RESULT_MARKS = Object.keys(WORDS) as readonly ResultMark[]

/** The marks whose requirements are shown one by one. */
const TROUBLES = RESULT_MARKS.slice(0, RESULT_MARKS.indexOf('passed'))

export const wordOf = (mark: ResultMark, count = 1): string => WORDS[mark][count === 1 ? 0 : 1]

/** The name of a mark in JSON. */
export const keyOf = (mark: ResultMark): string => wordOf(mark).replace(' ', '_')

/** What a run counted, such as "2 failed, 1 warning, 60 passed". Nothing that is zero is mentioned. */
export const describeCounts = (counts: Counts): string =>
  RESULT_MARKS.filter((mark) => counts[mark] > 0)
    .map((mark) => `${counts[mark]} ${wordOf(mark, counts[mark])}`)
    .join(', ')

/** The requirements that did not pass, in the order of all reports. */
export const troublesOf = (results: readonly RequirementResult[]): readonly RequirementResult[] =>
  TROUBLES.flatMap((mark) => results.filter((result) => markOf(result) === mark))

/** How a verdict counts. */
export function markOf(result: RequirementResult): ResultMark {
  if (!isFailure(result.status)) return result.status
  if (result.accepted !== undefined) return 'accepted'
  if (result.status === 'unsteady' && result.level === 'MUST') return 'unsteady'
  return ({ MUST: 'failed', SHOULD: 'warned', MAY: 'noted' } as const)[result.level]
}

export function countMarks(results: readonly RequirementResult[]): Counts {
  const counts = {
    passed: 0,
    failed: 0,
    warned: 0,
    noted: 0,
    accepted: 0,
    unsteady: 0,
    harness: 0,
    unjudged: 0,
    unchecked: 0,
  }
  for (const result of results) counts[markOf(result)]++
  return counts
}

export interface Conclusion {
  readonly passed: boolean
  readonly counts: Counts
  /** Stale baseline entries. */
  readonly stale: readonly string[]
  /** The MUSTs that could not be judged, without those that the baseline excuses. */
  readonly unjudgedMusts: readonly string[]
  /** The reasons why the run did not pass. */
  readonly reasons: readonly string[]
}

/**
 * Applies the rules: a run fails through a failed MUST, a harness error, a stale baseline entry, or no tried
 * requirement.
 */
export function conclude(
  results: readonly RequirementResult[],
  baseline: Baseline = {},
  known: ReadonlySet<string> = new Set(results.map((result) => result.id)),
  incidents: readonly string[] = [],
): Conclusion {
  const counts = countMarks(results)
  const ran = new Map(results.map((result) => [result.id, result.status === 'passed']))
  const stale = findStaleEntries(baseline, known, ran)
  const tried = results.length - counts.unchecked - counts.unjudged
  const unjudgedMusts = results
    .filter(({ status, level }) => status === 'unjudged' && level === 'MUST')
    .filter((result) => !isExcused(result, results, baseline))
    .map(({ id }) => id)
  const reasons = [
    ...incidents,
    ...(tried === 0 ? ['no requirement was tried: 0 of 0 is not a pass'] : []),
    ...(counts.failed > 0 ? [`${plural(counts.failed, 'MUST')} failed`] : []),
    ...(counts.unsteady > 0 ? [`${plural(counts.unsteady, 'MUST')} passed and failed when repeated`] : []),
    ...(unjudgedMusts.length > 0 ? [`${plural(unjudgedMusts.length, 'MUST')} could not be judged`] : []),
    ...(counts.harness > 0 ? [`${plural(counts.harness, 'check')} could not run (harness error)`] : []),
    ...(stale.length > 0 ? [`stale baseline entries, remove them: ${stale.join(', ')}`] : []),
  ]
  return { passed: reasons.length === 0, counts, stale, unjudgedMusts, reasons }
}

/** Whether the baseline accepts an unjudged requirement, or the failure that caused it. */
function isExcused(
  { id, dueTo }: RequirementResult,
  results: readonly RequirementResult[],
  baseline: Baseline,
): boolean {
  if (baseline[id] !== undefined) return true
  const cause = results.find((other) => other.id === dueTo)
  if (cause === undefined) return false
  return cause.status === 'unjudged' ? isExcused(cause, results, baseline) : cause.accepted !== undefined
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Returns stale entries: the requirement passes or does not exist. */
function findStaleEntries(
  baseline: Baseline,
  known: ReadonlySet<string>,
  ran: ReadonlyMap<string, boolean>,
): readonly string[] {
  return Object.keys(baseline)
    .filter((id) => !known.has(id) || ran.get(id) === true)
    .sort()
}
