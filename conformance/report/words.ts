import type { CertificationResult } from '../run/outcome.ts'
import { describeRepeats, type Mark, markOf, plural } from '../run/results.ts'
import { countCoverage, createCoverageMatrix, describeCoverage } from './coverage.ts'

const TROUBLES: readonly Mark[] = ['failed', 'unsteady', 'harness', 'unjudged', 'warned']
const MAX_LISTED = 12
const MAX_REASON_LENGTH = 160

/** Summarises a run for the terminal: one line with the verdict, then the failures. */
export function describeResult(outcome: CertificationResult): string {
  const { protocol, unreachable, conclusion, results, tier, partial } = outcome
  if (unreachable !== undefined) return `${protocol}: not reachable\n  ${unreachable}\n`
  const troubles = TROUBLES.flatMap((mark) => results.filter((result) => markOf(result) === mark))
  const lines = troubles.slice(0, MAX_LISTED).map(({ id, why = '', ...rest }) => {
    const repeats = describeRepeats(rest)
    return `  ${id}: ${firstLine(why)}${repeats === '' ? '' : ` (${repeats})`}`
  })
  const more = troubles.length - lines.length
  const tried = partial
    ? `${plural(results.length, 'requirement')} selected`
    : `tier ${tier}, ${describeCoverage(countCoverage(createCoverageMatrix(outcome)), outcome.isClient)}`
  return [
    `${protocol}: ${conclusion.passed ? 'passed' : 'failed'}; ${conclusion.counts.passed} passed, ${tried}`,
    ...conclusion.reasons.map((reason) => `  ${reason}`),
    ...lines,
    ...(more > 0 ? [`  … and ${more} more`] : []),
    '',
  ].join('\n')
}

function firstLine(text: string): string {
  const [first = ''] = text.split('\n')
  return first.length > MAX_REASON_LENGTH ? `${first.slice(0, MAX_REASON_LENGTH)} …` : first
}
