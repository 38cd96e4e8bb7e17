import type { Outcome } from '../run/outcome.ts'
import { type Mark, markOf, plural, repeatsInWords, type Verdict } from '../run/results.ts'
import { coverage, covered, coveredInWords } from './coverage.ts'
import { escapeCell } from './escape.ts'

const WORST: readonly Mark[] = ['failed', 'unsteady', 'harness', 'warned', 'accepted', 'noted', 'unjudged']
const ROWS_MOST = 50

/** A summary that a CI job can show. */
export function markdownReport(outcome: Outcome): string {
  const { counts, reasons } = outcome.conclusion
  if (outcome.unreachable !== undefined)
    return `## ${outcome.protocol}: not reachable\n\n${escapeCell(outcome.unreachable)}\n`
  const troubles = WORST.flatMap((mark) => outcome.verdicts.filter((verdict) => markOf(verdict) === mark))
  return [
    `## ${outcome.protocol}: ${outcome.conclusion.passed ? 'passed' : 'failed'}`,
    '',
    `${outcome.set.document}, tier ${outcome.tier}, profile ${outcome.profile}, seed ${outcome.seed}; ${coveredInWords(covered(coverage(outcome)), outcome.isClient)}.`,
    '',
    '| passed | failed | unsteady | warned | noted | accepted | harness | not judged | unchecked |',
    '|---|---|---|---|---|---|---|---|---|',
    `| ${counts.passed} | ${counts.failed} | ${counts.unsteady} | ${counts.warned} | ${counts.noted} | ${counts.accepted} | ${counts.harness} | ${counts.unjudged} | ${counts.unchecked} |`,
    '',
    ...reasons.map((reason) => `- ${escapeCell(reason)}`),
    ...(troubles.length > 0
      ? ['', '| | requirement | what happened |', '|---|---|---|', ...troubles.slice(0, ROWS_MOST).map(row)]
      : []),
    ...(troubles.length > ROWS_MOST ? ['', `… and ${plural(troubles.length - ROWS_MOST, 'more row')}.`] : []),
    '',
  ].join('\n')
}

const row = (verdict: Verdict): string =>
  `| ${markOf(verdict)} | \`${verdict.id}\`<br>${escapeCell(verdict.says)} | ${escapeCell(verdict.why ?? '').slice(0, 300)}${verdict.repeats ? `<br>${repeatsInWords(verdict)}` : ''} |`
