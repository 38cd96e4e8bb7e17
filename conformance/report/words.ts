import type { Outcome } from '../run/outcome.ts'
import { type Mark, markOf, plural, repeatsInWords } from '../run/results.ts'
import { coverage, covered, coveredInWords } from './coverage.ts'

const TROUBLES: readonly Mark[] = ['failed', 'unsteady', 'harness', 'unjudged', 'warned']
const SHOWN_MOST = 12
const WHY_MOST = 160

/** How a run ended, for a terminal: one line that says it, then what went wrong. */
export function outcomeInWords(outcome: Outcome): string {
  const { protocol, unreachable, conclusion, verdicts, tier, partial } = outcome
  if (unreachable !== undefined) return `${protocol}: not reachable\n  ${unreachable}\n`
  const troubles = TROUBLES.flatMap((mark) => verdicts.filter((verdict) => markOf(verdict) === mark))
  const lines = troubles.slice(0, SHOWN_MOST).map(({ id, why = '', ...rest }) => {
    const repeats = repeatsInWords(rest)
    return `  ${id}: ${firstLine(why)}${repeats === '' ? '' : ` (${repeats})`}`
  })
  const more = troubles.length - lines.length
  const tried = partial
    ? `${plural(verdicts.length, 'requirement')} asked`
    : `tier ${tier}, ${coveredInWords(covered(coverage(outcome)), outcome.isClient)}`
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
  return first.length > WHY_MOST ? `${first.slice(0, WHY_MOST)} …` : first
}
