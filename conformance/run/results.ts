import type { Baseline } from '../config/baseline.ts'
import { findStaleEntries } from '../config/baseline.ts'
import type { Frame } from '../probe/frame.ts'
import type { Level, Requirement } from '../requirement.ts'

/**
 * `unsteady`: it passed and failed when repeated. `harness`: the suite itself went wrong, nothing is known of the
 * server. `unjudged`: something else that went wrong hides it. `unchecked`: no check can tell from outside.
 */
export type ResultStatus = 'passed' | 'failed' | 'unsteady' | 'harness' | 'unjudged' | 'unchecked'

/** How often a failure was repeated with nothing else running. */
export interface Repeats {
  readonly ran: number
  readonly failed: number
}

export interface RequirementResult {
  readonly id: string
  readonly level: Level
  readonly text: string
  readonly source: string
  readonly covers: readonly string[]
  readonly status: ResultStatus
  /** Why it failed, or why it is not checked. */
  readonly why?: string
  readonly expected?: unknown
  readonly actual?: unknown
  /** PNG files as base64 by what they show. */
  readonly pictures?: Readonly<Record<string, string>>
  readonly repeats?: Repeats
  /** The requirement because of which it was not judged. */
  readonly dueTo?: string
  /** The baseline's reason for accepting the failure. */
  readonly accepted?: string
  /** The wire log, kept for failures only. */
  readonly frames: readonly Frame[]
}

/** What one check ended with, before levels and baselines are looked at. */
export interface Finding {
  readonly status: ResultStatus
  readonly why?: string
  readonly expected?: unknown
  readonly actual?: unknown
  readonly pictures?: Readonly<Record<string, string>>
  readonly repeats?: Repeats
  readonly dueTo?: string
  readonly frames: readonly Frame[]
}

export function toRequirementResult(
  id: string,
  requirement: Requirement,
  finding: Finding,
  baseline: Baseline,
): RequirementResult {
  const { level, text, source, covers } = requirement
  const accepted = isFailure(finding.status) ? baseline[id] : undefined
  return { id, level, text, source, covers, ...finding, ...(accepted !== undefined && { accepted }) }
}

const isFailure = (result: ResultStatus): boolean => result === 'failed' || result === 'unsteady'

/** How often a failure was repeated, in words for a reader; empty when it was not. */
export const describeRepeats = ({ repeats }: Pick<RequirementResult, 'repeats'>): string =>
  repeats === undefined ? '' : `repeated alone ${plural(repeats.ran, 'time')}, failed ${repeats.failed}`

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
  /** Not judged because of something else that went wrong. */
  readonly unjudged: number
  readonly unchecked: number
}

export type Mark = keyof Counts

/** How a verdict counts. */
export function markOf(result: RequirementResult): Mark {
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
  /** Baseline entries that hide nothing any more. */
  readonly stale: readonly string[]
  /** Why the run did not pass, in sentences. */
  readonly reasons: readonly string[]
}

/** The outcome rules: one failed MUST, a harness error, a stale baseline entry or nothing tried at all fail a run. */
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
  const unjudged = results.filter(
    (result) => result.status === 'unjudged' && result.level === 'MUST' && !isExcused(result, results, baseline),
  ).length
  const reasons = [
    ...incidents,
    ...(tried === 0 ? ['no requirement was tried: 0 of 0 is not a pass'] : []),
    ...(counts.failed > 0 ? [`${plural(counts.failed, 'requirement')} failed`] : []),
    ...(counts.unsteady > 0 ? [`${plural(counts.unsteady, 'requirement')} passed and failed when repeated`] : []),
    ...(unjudged > 0 ? [`${plural(unjudged, 'requirement')} could not be judged`] : []),
    ...(counts.harness > 0 ? [`${plural(counts.harness, 'check')} could not be carried out (harness error)`] : []),
    ...(stale.length > 0 ? [`stale baseline entries, remove them: ${stale.join(', ')}`] : []),
  ]
  return { passed: reasons.length === 0, counts, stale, reasons }
}

/** Whether the baseline accepts a requirement that was not judged, or the failure because of which it was not. */
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
