import { createHash } from 'node:crypto'
import { NOT_OFFERED } from '../probe/failure.ts'
import type { RequirementSet } from '../requirement.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { describeRepeats, markOf, plural, type ResultMark } from '../suite/results.ts'
import { countCoverage, createCoverageMatrix, describeCoverage } from './coverage.ts'

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

const RESULTS: Partial<Record<ResultMark, string>> = {
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
    'a MUST that both passes and fails would have failed the run, and so would a loss of the server that no baseline accepts.',
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

/** States the certified client and the rules. */
export function createClientCertificate(outcome: CertificationResult): string {
  const { results, conclusion, set, profile } = outcome
  const musts = results.filter(({ level, status }) => level === 'MUST' && status === 'passed').length
  const notTried = results.filter(({ status }) => status === 'unchecked')
  const { warned, noted, accepted } = conclusion.counts
  const exceptions = [
    ...(warned > 0 ? [`- ${plural(warned, 'recommendation')} not followed.`] : []),
    ...(noted > 0 ? [`- ${plural(noted, 'option')} not offered.`] : []),
    ...(accepted > 0 ? [`- ${plural(accepted, 'failure')} accepted by the baseline.`] : []),
  ]
  return [
    `# Certificate: ${set.document}`,
    '',
    `The client passed ${plural(musts, 'MUST requirement')}, and no MUST failed${accepted > 0 ? ' that its baseline does not accept' : ''}.`,
    `Of the document, ${describeCoverage(countCoverage(createCoverageMatrix(outcome)), true)}.`,
    '',
    '## What this certificate means',
    '',
    '- A scripted server played the flows of the suite, faults included, and judged the messages of the client and its exit.',
    `- It applies to the client as started, with the messages of the profile \`${profile}\`.`,
    ...exceptions,
    ...(notTried.length > 0
      ? [
          `- ${plural(notTried.length, 'requirement')} not tried, because the client never came to it:`,
          ...notTried.map(({ id, why = '' }) => `  - \`${id}\`: ${why.replace(/^not tried: /, '')}`),
        ]
      : []),
    '',
    'It does not mean that the client has no other faults. It does not cover what the client shows to its user,',
    'about security, speed or the quality of an agent.',
    '',
    '## Details',
    '',
    '| | |',
    '|---|---|',
    `| suite | ${SUITE_VERSION} |`,
    `| requirement set | \`${setDigest(set)}\` |`,
    `| profile | ${profile} |`,
    `| digest of the verdicts | \`${resultDigest(outcome)}\` |`,
    '',
  ].join('\n')
}

/** The version of this suite's rules and reports. Requirement sets have their own digests. */
export const SUITE_VERSION = '1.0'

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Identifies a requirement set: a changed, added or removed row changes the digest. */
export const setDigest = (set: RequirementSet): string =>
  sha256(
    Object.entries(set.requirements)
      .map(([id, { level, text, source }]) => [id, level, text, source])
      .sort(([one], [other]) => (one! < other! ? -1 : 1)),
  )

/** Identifies the results of a run: the same server and suite have the same digest, independent of time and seed. */
export const resultDigest = (outcome: CertificationResult): string =>
  sha256([
    SUITE_VERSION,
    setDigest(outcome.set),
    outcome.tier,
    ...(outcome.interference ? ['interference'] : []),
    ...(outcome.losses.length > 0 ? ['deaths'] : []),
    outcome.results.map((result) => [result.id, markOf(result)]).sort(([one], [other]) => (one! < other! ? -1 : 1)),
  ])
