import type { CertificationResult } from '../run/outcome.ts'
import { markOf } from '../run/results.ts'
import { countCoverage, createCoverageMatrix } from './coverage.ts'
import { resultDigest, SUITE_VERSION, setDigest } from './digest.ts'

/** The run for programs. It contains no times and durations, so an unchanged server yields an unchanged report. */
export function createJsonReport(outcome: CertificationResult): string {
  const cells = createCoverageMatrix(outcome)
  return `${JSON.stringify(
    {
      suite: SUITE_VERSION,
      protocol: outcome.protocol,
      document: outcome.set.document,
      requirement_set: setDigest(outcome.set),
      tier: outcome.tier,
      profile: outcome.profile,
      seed: outcome.seed,
      partial: outcome.partial,
      passed: outcome.conclusion.passed && outcome.unreachable === undefined,
      ...(outcome.unreachable !== undefined && { unreachable: outcome.unreachable }),
      reasons: outcome.conclusion.reasons,
      counts: outcome.conclusion.counts,
      deaths: outcome.losses.map(({ during, request, reason, restarted }) => ({
        during,
        ...(request !== undefined && { request }),
        silence: reason,
        restarted,
      })),
      ...(outcome.interference && { interference: outcome.interference }),
      stale_baseline_entries: outcome.conclusion.stale,
      coverage: countCoverage(cells),
      digest: resultDigest(outcome),
      requirements: outcome.results.map((result) => ({
        id: result.id,
        level: result.level,
        mark: markOf(result),
        says: result.text,
        source: result.source,
        covers: result.covers,
        ...(result.why !== undefined && { why: result.why }),
        ...(result.repeats && { repeats: result.repeats }),
        ...(result.accepted !== undefined && { accepted: result.accepted }),
      })),
      matrix: cells.map(({ item, title, mark, results }) => ({
        item,
        title,
        mark,
        requirements: results.map((result) => result.id),
      })),
    },
    null,
    2,
  )}\n`
}
