import type { CertificationResult } from '../run/outcome.ts'
import { describeRepeats, type Mark, markOf, plural, type RequirementResult } from '../run/results.ts'
import { countCoverage, createCoverageMatrix, describeCoverage } from './coverage.ts'
import { escapeCell } from './escape.ts'

const WORST: readonly Mark[] = ['failed', 'unsteady', 'harness', 'warned', 'accepted', 'noted', 'unjudged']
const MAX_ROWS = 50

/** A summary that a CI job can show. */
export function createMarkdownReport(outcome: CertificationResult): string {
  const { counts, reasons } = outcome.conclusion
  if (outcome.unreachable !== undefined)
    return `## ${outcome.protocol}: not reachable\n\n${escapeCell(outcome.unreachable)}\n`
  const troubles = WORST.flatMap((mark) => outcome.results.filter((result) => markOf(result) === mark))
  return [
    `## ${outcome.protocol}: ${outcome.conclusion.passed ? 'passed' : 'failed'}`,
    '',
    `${outcome.set.document}, tier ${outcome.tier}, profile ${outcome.profile}, seed ${outcome.seed}; ${describeCoverage(countCoverage(createCoverageMatrix(outcome)), outcome.isClient)}.`,
    '',
    '| passed | failed | unsteady | warned | noted | accepted | harness | not judged | unchecked |',
    '|---|---|---|---|---|---|---|---|---|',
    `| ${counts.passed} | ${counts.failed} | ${counts.unsteady} | ${counts.warned} | ${counts.noted} | ${counts.accepted} | ${counts.harness} | ${counts.unjudged} | ${counts.unchecked} |`,
    '',
    ...reasons.map((reason) => `- ${escapeCell(reason)}`),
    ...(troubles.length > 0
      ? ['', '| | requirement | what happened |', '|---|---|---|', ...troubles.slice(0, MAX_ROWS).map(row)]
      : []),
    ...(troubles.length > MAX_ROWS ? ['', `… and ${plural(troubles.length - MAX_ROWS, 'more row')}.`] : []),
    '',
  ].join('\n')
}

const row = (result: RequirementResult): string =>
  `| ${markOf(result)} | \`${result.id}\`<br>${escapeCell(result.text)} | ${escapeCell(result.why ?? '').slice(0, 300)}${result.repeats ? `<br>${describeRepeats(result)}` : ''} |`
