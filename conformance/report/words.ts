import type { CertificationResult } from '../run/outcome.ts'
import { describeCounts, describeRepeats, markOf, troublesOf, wordOf } from '../suite/results.ts'
import { describeCauses } from './causes.ts'
import { countCoverage, createCoverageMatrix, describeCoverage } from './coverage.ts'

const MAX_LISTED = 12
const MAX_REASON_LENGTH = 500

/** Summarises a run for the terminal: the verdict, the server, the causes, then what did not pass. */
export function describeResult(outcome: CertificationResult): string {
  const { protocol, unreachable, conclusion, results } = outcome
  if (unreachable !== undefined) return `${protocol}: not reachable; exit code 2\n  ${unreachable}\n`
  const troubles = troublesOf(results)
  const lines = troubles.slice(0, MAX_LISTED).map((result) => {
    const repeats = describeRepeats(result)
    return `  ${wordOf(markOf(result))} ${result.id}: ${shown(result.why ?? '')}${repeats === '' ? '' : ` (${repeats})`}`
  })
  const more = troubles.length - lines.length
  const causes = describeCauses(outcome)
  return [
    `${protocol}: ${conclusion.passed ? 'passed' : 'failed'}; ${describeCounts(conclusion.counts)}`,
    ...describeRun(outcome).map((line) => `  ${line}`),
    ...(causes.length > 1 ? ['  in short:', ...causes.map((cause) => `    ${cause}`)] : []),
    ...lines,
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...(troubles.length > 0 ? [`  run one again: ${commandFor(outcome, troubles[0]!.id)}`] : []),
    '',
  ].join('\n')
}

/** The command line that runs one requirement again. The requirements of a client are tried by whole flows. */
export const commandFor = ({ again, isClient }: CertificationResult, id: string): string =>
  isClient ? again : `${again} --only ${id}`

const shown = (why: string): string => {
  const line = why.replace(/\s+/g, ' ')
  return line.length > MAX_REASON_LENGTH
    ? `${line.slice(0, MAX_REASON_LENGTH)} … (${line.length} characters, all in report.html)`
    : line
}

/** The head of all reports: the exit code with its reasons, the server, the time, and what was selected. */
export function describeRun(outcome: CertificationResult): readonly string[] {
  const { conclusion, exitCode, url, server, startedAt, durationMs, tier, profile, seed, partial, partialBecause } =
    outcome
  const why = conclusion.passed ? 'no MUST failed; warnings do not fail a run' : conclusion.reasons.join('; ')
  const coverage = describeCoverage(countCoverage(createCoverageMatrix(outcome)), outcome.isClient)
  const seconds = Math.round(durationMs / 1000)
  return [
    `exit code ${exitCode}: ${why}`,
    `${url}${server === undefined ? '' : `, which is ${server}`}; ${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${seconds} s`,
    `tier ${tier}, profile ${profile}, seed ${seed}; ${coverage}`,
    ...(partial ? [`a part of the requirements, so there is no certificate: ${partialBecause}`] : []),
  ]
}
