import type { Baseline } from '../config/baseline.ts'
import { staleEntries } from '../config/baseline.ts'
import type { Frame } from '../probe/frame.ts'
import type { Level, Requirement } from '../requirement.ts'

/**
 * `unsteady`: it passed and failed when repeated. `harness`: the suite itself went wrong, nothing is known of the
 * server. `unjudged`: something else that went wrong hides it. `unchecked`: no check can tell from outside.
 */
export type Result = 'passed' | 'failed' | 'unsteady' | 'harness' | 'unjudged' | 'unchecked'

/** How often a failure was repeated with nothing else running. */
export interface Repeats {
  readonly ran: number
  readonly failed: number
}

export interface Verdict {
  readonly id: string
  readonly level: Level
  readonly says: string
  readonly source: string
  readonly covers: readonly string[]
  readonly result: Result
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
  readonly result: Result
  readonly why?: string
  readonly expected?: unknown
  readonly actual?: unknown
  readonly pictures?: Readonly<Record<string, string>>
  readonly repeats?: Repeats
  readonly dueTo?: string
  readonly frames: readonly Frame[]
}

export function verdictOf(id: string, requirement: Requirement, finding: Finding, baseline: Baseline): Verdict {
  const { level, says, source, covers } = requirement
  const accepted = isFailure(finding.result) ? baseline[id] : undefined
  return { id, level, says, source, covers, ...finding, ...(accepted !== undefined && { accepted }) }
}

const isFailure = (result: Result): boolean => result === 'failed' || result === 'unsteady'

/** How often a failure was repeated, in words for a reader; empty when it was not. */
export const repeatsInWords = ({ repeats }: Pick<Verdict, 'repeats'>): string =>
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
export function markOf(verdict: Verdict): Mark {
  if (!isFailure(verdict.result)) return verdict.result
  if (verdict.accepted !== undefined) return 'accepted'
  if (verdict.result === 'unsteady' && verdict.level === 'MUST') return 'unsteady'
  return ({ MUST: 'failed', SHOULD: 'warned', MAY: 'noted' } as const)[verdict.level]
}

export function countsOf(verdicts: readonly Verdict[]): Counts {
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
  for (const verdict of verdicts) counts[markOf(verdict)]++
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
  verdicts: readonly Verdict[],
  baseline: Baseline = {},
  known: ReadonlySet<string> = new Set(verdicts.map((verdict) => verdict.id)),
  incidents: readonly string[] = [],
): Conclusion {
  const counts = countsOf(verdicts)
  const ran = new Map(verdicts.map((verdict) => [verdict.id, verdict.result === 'passed']))
  const stale = staleEntries(baseline, known, ran)
  const tried = verdicts.length - counts.unchecked - counts.unjudged
  const unjudged = verdicts.filter(
    (verdict) => verdict.result === 'unjudged' && verdict.level === 'MUST' && !isExcused(verdict, verdicts, baseline),
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
function isExcused({ id, dueTo }: Verdict, verdicts: readonly Verdict[], baseline: Baseline): boolean {
  if (baseline[id] !== undefined) return true
  const cause = verdicts.find((other) => other.id === dueTo)
  if (cause === undefined) return false
  return cause.result === 'unjudged' ? isExcused(cause, verdicts, baseline) : cause.accepted !== undefined
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
