import type { Outcome } from '../outcome.ts'
import { coverage, covered, coveredInWords } from './coverage.ts'
import { outcomeDigest, SUITE_VERSION, setDigest } from './digest.ts'

/** A whole run of a tier that passed is worth a certificate; part of one is not. */
export const isCertifiable = (outcome: Outcome): boolean => outcome.exitCode === 0 && !outcome.partial

/** What was certified, by which rules, and how fast the server was. The digest is of the verdicts, not of the speeds. */
export function certificate(outcome: Outcome): string {
  const { counts } = outcome.conclusion
  const rows = outcome.latencies.map(
    ({ operation, count, p50Ms, p99Ms }) => `| \`${operation}\` | ${count} | ${p50Ms} | ${p99Ms} |`,
  )
  return [
    `# Certificate: ${outcome.set.document}, ${outcome.tier}`,
    '',
    `The server passed ${counts.passed} requirements of the tier **${outcome.tier}**: ${coveredInWords(covered(coverage(outcome)))}.`,
    `${counts.warned} recommendations were not followed, ${counts.noted} options are not offered, ${counts.accepted} failures are accepted by a baseline, and ${counts.unchecked} requirements cannot be checked from outside.`,
    '',
    `| | |`,
    '|---|---|',
    `| suite | ${SUITE_VERSION} |`,
    `| requirement set | \`${setDigest(outcome.set)}\` |`,
    `| profile, seed | ${outcome.profile}, ${outcome.seed} |`,
    `| digest of the verdicts | \`${outcomeDigest(outcome)}\` |`,
    '',
    '## How fast it was',
    '',
    'Milliseconds as the suite saw them while it ran its checks side by side. They are no part of the verdict.',
    ...speed(outcome),
    '',
    '| operation | requests | p50 | p99 |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Sessions per second and core; server and suite share the cores when they share the machine. */
function speed({ throughput }: Outcome): readonly string[] {
  if (!throughput) return []
  const perCore = Math.round(throughput.sessionsPerSecond / throughput.cores)
  return ['', `It opened ${perCore} sessions per second and core, on ${throughput.cores} cores.`]
}
