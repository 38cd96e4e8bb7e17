import type { CertificationResult } from '../run/outcome.ts'
import { plural } from '../run/results.ts'
import { countCoverage, createCoverageMatrix, describeCoverage } from './coverage.ts'
import { resultDigest, SUITE_VERSION, setDigest } from './digest.ts'

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
