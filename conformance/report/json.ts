import type { Outcome } from '../run/outcome.ts'
import { markOf } from '../run/results.ts'
import { coverage, covered } from './coverage.ts'
import { outcomeDigest, SUITE_VERSION, setDigest } from './digest.ts'

/** The run for programs. It holds no time of day and no duration: an unchanged server gives an unchanged report. */
export function jsonReport(outcome: Outcome): string {
  const cells = coverage(outcome)
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
      deaths: outcome.deaths.map(({ during, request, silence, restarted }) => ({
        during,
        ...(request !== undefined && { request }),
        silence,
        restarted,
      })),
      ...(outcome.interference && { interference: outcome.interference }),
      stale_baseline_entries: outcome.conclusion.stale,
      coverage: covered(cells),
      digest: outcomeDigest(outcome),
      requirements: outcome.verdicts.map((verdict) => ({
        id: verdict.id,
        level: verdict.level,
        mark: markOf(verdict),
        says: verdict.says,
        source: verdict.source,
        covers: verdict.covers,
        ...(verdict.why !== undefined && { why: verdict.why }),
        ...(verdict.repeats && { repeats: verdict.repeats }),
        ...(verdict.accepted !== undefined && { accepted: verdict.accepted }),
      })),
      matrix: cells.map(({ item, title, mark, verdicts }) => ({
        item,
        title,
        mark,
        requirements: verdicts.map((verdict) => verdict.id),
      })),
    },
    null,
    2,
  )}\n`
}
