import { NOT_OFFERED } from '../probe/failure.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { describeRepeats, type Mark, plural } from '../run/results.ts'
import { countCoverage, createCoverageMatrix, describeCoverage } from './coverage.ts'
import { resultDigest, SUITE_VERSION, setDigest } from './digest.ts'

/** A whole run of a tier that passed is worth a certificate; part of one is not. */
export const isCertifiable = (outcome: CertificationResult): boolean => outcome.exitCode === 0 && !outcome.partial

/** States the certified server, the rules and the measured speed. The digest covers the results, not the speed. */
export function createCertificate(outcome: CertificationResult): string {
  const { counts } = outcome.conclusion
  const rows = outcome.latencies.map(
    ({ operation, count, p50Ms, p99Ms }) => `| \`${operation}\` | ${count} | ${p50Ms} | ${p99Ms} |`,
  )
  const musts = outcome.results.filter(({ level, status }) => level === 'MUST' && status === 'passed').length
  return [
    `# Certificate: ${outcome.set.document}, tier ${outcome.tier}`,
    '',
    `The server passed ${plural(musts, 'MUST requirement')} of the tier **${outcome.tier}**, and no MUST failed${counts.accepted > 0 ? ' that its baseline does not accept' : ''}.`,
    `Of the document, ${describeCoverage(countCoverage(createCoverageMatrix(outcome)))}.`,
    '',
    ...meaning(outcome),
    '',
    ...method(outcome),
    '',
    '## Details',
    '',
    `| | |`,
    '|---|---|',
    `| suite | ${SUITE_VERSION} |`,
    `| requirement set | \`${setDigest(outcome.set)}\` |`,
    `| profile, seed | ${outcome.profile}, ${outcome.seed} |`,
    `| digest of the verdicts | \`${resultDigest(outcome)}\` |`,
    '',
    '## How fast it was',
    '',
    'Milliseconds as the suite saw them while it ran its checks side by side. They are not part of the verdict.',
    ...speed(outcome),
    '',
    '| operation | requests | p50 | p99 |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

const RESULTS: Partial<Record<Mark, string>> = {
  warned: 'recommendation not followed',
  noted: 'option not offered',
  accepted: 'failure accepted by the baseline',
  unjudged: 'not judged, because it depends on an accepted failure',
}

/** The meaning and the limits of a certificate. */
function meaning({ profile, tier, conclusion, results }: CertificationResult): readonly string[] {
  const { counts } = conclusion
  const missing = results.filter(({ status, why }) => status === 'unchecked' && why?.startsWith(NOT_OFFERED))
  const exceptions = (['warned', 'noted', 'accepted', 'unjudged'] as const).flatMap((mark) =>
    counts[mark] > 0 ? [`${plural(counts[mark], 'requirement')}: ${RESULTS[mark]}`] : [],
  )
  return [
    '## What this certificate means',
    '',
    '- The suite tested the server over the wire only, as any client.',
    `- It applies to the server as configured, with the facts of the profile \`${profile}\`, and to the tier \`${tier}\` only.`,
    '- It holds for the requests that were sent. Their content and order depend on the seed.',
    ...exceptions.map((exception) => `- ${exception}.`),
    ...(counts.unchecked > missing.length
      ? [
          `- ${plural(counts.unchecked - missing.length, 'requirement')}: not checkable from outside, so their state is unknown.`,
        ]
      : []),
    ...(missing.length > 0
      ? [
          `- ${plural(missing.length, 'requirement')}: not judged, because the server does not announce the optional part:`,
          ...missing.map(({ id, why }) => `  - \`${id}\`: ${why!.slice(NOT_OFFERED.length)}`),
        ]
      : []),
    '',
    'It does not mean that the server has no other faults. It is not a security audit, and it does not cover load,',
    'speed, long operation or the quality of what the agent behind the server does.',
  ]
}

/** How the verdict was reached: the failures and their repeats. */
function method({ results }: CertificationResult): readonly string[] {
  const repeated = results.filter(({ repeats }) => repeats !== undefined)
  const rows = repeated.map((result) => `- \`${result.id}\` (${result.level}): ${describeRepeats(result)}`)
  return [
    '## How the verdict was reached',
    '',
    'Checks ran side by side, those that can hurt a server last and alone. Each failure was repeated alone before it counted;',
    'a MUST that both passes and fails would have failed the run, and so would the loss of the server.',
    ...(rows.length > 0
      ? ['These did not pass at first:', '', ...rows]
      : ['No check failed, so no check was repeated.']),
  ]
}

/** Sessions per second and core; server and suite share the cores when they share the machine. */
function speed({ throughput }: CertificationResult): readonly string[] {
  if (!throughput) return []
  const perCore = Math.round(throughput.sessionsPerSecond / throughput.cores)
  return ['', `It opened ${perCore} sessions per second and core, on ${throughput.cores} cores.`]
}
