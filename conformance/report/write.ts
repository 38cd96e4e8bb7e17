import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shorten } from '../probe/frame.ts'
import type { RequirementSet } from '../requirement.ts'
import { describeInterference } from '../run/interference.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { describeLoss } from '../run/server-monitor.ts'
import {
  type Counts,
  countMarks,
  describeCounts,
  describeRepeats,
  keyOf,
  markOf,
  RESULT_MARKS,
  type Repeats,
  type RequirementResult,
  troublesOf,
  wordOf,
} from '../suite/results.ts'
import { describeCauses } from './causes.ts'
import {
  createCertificate,
  createClientCertificate,
  isCertifiable,
  resultDigest,
  SUITE_VERSION,
  setDigest,
} from './certificate.ts'
import { countCoverage, createCoverageMatrix } from './coverage.ts'
import { escapeCell, escapeMarkup } from './escape.ts'
import { createHtmlReport } from './html.ts'
import { commandFor, describeRun } from './words.ts'

/** Creates the folder of a protocol's reports below `directory` if necessary, and returns its path. */
export function ensureReportFolder(directory: string, protocol: RequirementSet['protocol']): string {
  const folder = join(directory, protocol)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Writes all reports of a run and deletes the certificate of an earlier one. Returns the paths of the files. */
export async function writeReports(outcome: CertificationResult, folder: string): Promise<readonly string[]> {
  rmSync(join(folder, 'certificate.md'), { force: true })
  const files: Readonly<Record<string, string>> = {
    'report.html': createHtmlReport(outcome),
    'report.json': createJsonReport(outcome),
    'junit.xml': createJunitReport(outcome),
    'summary.md': createMarkdownReport(outcome),
    'badge.svg': createBadge(outcome),
    ...(isCertifiable(outcome) && {
      'certificate.md': outcome.isClient ? createClientCertificate(outcome) : createCertificate(outcome),
    }),
  }
  const scenarios = Object.entries(outcome.scenarios ?? {}).map(
    ([name, text]) => [join('scenarios', name), text] as const,
  )
  return [...Object.entries(files), ...scenarios].map(([name, text]) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  })
}

/** The run for programs. It contains no time and duration, so an unchanged server yields an unchanged report. */
export function createJsonReport(outcome: CertificationResult): string {
  const cells = createCoverageMatrix(outcome)
  const coverage = countCoverage(cells)
  return `${JSON.stringify(
    {
      suite: SUITE_VERSION,
      protocol: outcome.protocol,
      url: outcome.url,
      ...(outcome.server !== undefined && { server: outcome.server }),
      document: outcome.set.document,
      requirement_set: setDigest(outcome.set),
      tier: outcome.tier,
      profile: outcome.profile,
      seed: outcome.seed,
      partial: outcome.partial,
      ...(outcome.partialBecause !== undefined && { partial_because: outcome.partialBecause }),
      exit_code: outcome.exitCode,
      again: outcome.again,
      passed: outcome.conclusion.passed && outcome.unreachable === undefined,
      ...(outcome.unreachable !== undefined && { unreachable: outcome.unreachable }),
      reasons: outcome.conclusion.reasons,
      causes: describeCauses(outcome),
      counts: Object.fromEntries(RESULT_MARKS.map((mark) => [keyOf(mark), outcome.conclusion.counts[mark]])),
      deaths: outcome.losses.map(({ during, request, reason, restarted, notRestarted, accepted }) => ({
        during,
        ...(request !== undefined && { request }),
        silence: reason,
        restarted,
        ...(notRestarted !== undefined && { not_restarted: notRestarted }),
        ...(accepted && { accepted }),
      })),
      ...(outcome.interference && { interference: outcome.interference }),
      stale_baseline_entries: outcome.conclusion.stale,
      coverage: { items: coverage.all, tried: coverage.tried, not_checked: coverage.uncheckable },
      digest: resultDigest(outcome),
      requirements: inReportOrder(outcome.results).map((result) => ({
        id: result.id,
        level: result.level,
        mark: keyOf(markOf(result)),
        says: result.text,
        source: result.source,
        covers: result.covers,
        ...(result.why !== undefined && { why: result.why }),
        ...(result.dueTo !== undefined && { due_to: result.dueTo }),
        ...(result.expected !== undefined && { expected: result.expected }),
        ...(result.actual !== undefined && { found: result.actual }),
        ...(result.statements && { statements: result.statements }),
        ...(result.repeats && { repeats: repeatsOf(result.repeats) }),
        ...(result.accepted !== undefined && { accepted: result.accepted }),
      })),
      matrix: cells.map(({ item, title, mark, results }) => ({
        item,
        title,
        mark: mark === 'empty' ? 'empty' : keyOf(mark),
        requirements: results.map((result) => result.id),
      })),
    },
    null,
    2,
  )}\n`
}

const repeatsOf = ({ ran, failed, isVaried }: Repeats) => ({ ran, failed, ...(isVaried && { is_varied: true }) })

/** What did not pass first, from worst to best, then the others. */
function inReportOrder(results: readonly RequirementResult[]): readonly RequirementResult[] {
  const troubles = troublesOf(results)
  return [...troubles, ...results.filter((result) => !troubles.includes(result))]
}

/** JUnit XML, which CI systems read: one case per requirement. */
export function createJunitReport(outcome: CertificationResult): string {
  const { stale, unjudgedMusts } = outcome.conclusion
  const incidents = [
    ...outcome.losses
      .filter((loss) => !loss.accepted)
      .map((loss) => incident('the server stays there', describeLoss(loss))),
    ...(outcome.interference ? [incident('clients do not interfere', describeInterference(outcome.interference))] : []),
  ]
  const open = new Set(unjudgedMusts)
  const details = [
    ...incidents,
    ...inReportOrder(outcome.results).map((result) => testCase(result, open)),
    ...stale.map(staleEntry),
  ]
  const cases = outcome.unreachable === undefined ? details : [unreachable(outcome.unreachable, outcome.isClient)]
  const count = (element: string) => cases.filter((one) => one.includes(`<${element} `)).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${outcome.protocol} conformance" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${outcome.durationMs / 1000}" timestamp="${outcome.startedAt}">`,
    ...cases,
    `  <system-out>${escapeMarkup(describeRun(outcome).join('\n'))}</system-out>`,
    '</testsuite>',
    '',
  ].join('\n')
}

function testCase(result: RequirementResult, open: ReadonlySet<string>): string {
  const name = `name="${escapeMarkup(result.id)}" classname="${result.level}"`
  const inside = detail(result, open.has(result.id))
  return inside === '' ? `  <testcase ${name}/>` : `  <testcase ${name}>\n    ${inside}\n  </testcase>`
}

/** What a case found. A MUST that is not judged is an error, because it keeps the run from passing. */
function detail(result: RequirementResult, isOpen: boolean): string {
  const { why = '', text, source } = result
  const found = escapeMarkup(why.replace(/\s+/g, ' '))
  const parts = [why, describeRepeats(result), `The requirement: ${text}`, `Its source: ${source}`]
  const details = escapeMarkup(parts.filter((part) => part !== '').join('\n'))
  switch (markOf(result)) {
    case 'passed':
      return ''
    case 'unsteady':
      return `<failure type="unsteady" message="${found}">${details}</failure>`
    case 'failed':
      return `<failure type="failed" message="${found}">${details}</failure>`
    case 'harness':
      return `<error type="harness error" message="${found}">${details}</error>`
    case 'unjudged':
      return isOpen ? `<error type="not judged" message="${found}">${details}</error>` : `<skipped message="${found}"/>`
    case 'unchecked':
      return `<skipped message="${found}"/>`
    case 'warned':
    case 'noted':
    case 'accepted':
      return `<system-out>${wordOf(markOf(result))}${result.accepted === undefined ? '' : ` (${escapeMarkup(result.accepted)})`}: ${details}</system-out>`
  }
}

const incident = (name: string, why: string): string =>
  `  <testcase name="${name}" classname="MUST">\n    <failure message="${name}">${escapeMarkup(why)}</failure>\n  </testcase>`

const unreachable = (why: string, isClient = false): string =>
  `  <testcase name="the ${isClient ? 'client connects' : 'server answers'}" classname="MUST">\n    <failure message="not reachable">${escapeMarkup(why)}</failure>\n  </testcase>`

const staleEntry = (id: string): string =>
  `  <testcase name="${escapeMarkup(id)}" classname="baseline">\n    <failure message="stale baseline entry">the requirement no longer fails: remove the entry</failure>\n  </testcase>`

/** The longest reason in a summary; the HTML report has all of it. */
const MAX_REASON_LENGTH = 1000

/** A summary that a CI job can show. */
export function createMarkdownReport(outcome: CertificationResult): string {
  const { counts, passed } = outcome.conclusion
  if (outcome.unreachable !== undefined)
    return `## ${outcome.protocol}: not reachable\n\n${escapeCell(outcome.unreachable)}\n`
  const troubles = troublesOf(outcome.results)
  const causes = describeCauses(outcome)
  return [
    `## ${outcome.protocol}: ${passed ? 'passed' : 'failed'}`,
    '',
    `${outcome.set.document}: ${describeCounts(counts)}.`,
    '',
    ...describeRun(outcome).map((line) => `- ${escapeCell(line)}`),
    ...(causes.length > 1 ? ['', 'In short:', '', ...causes.map((cause) => `- ${escapeCell(cause)}`)] : []),
    ...(troubles.length > 0 ? ['', '| | requirement | what happened |', '|---|---|---|', ...troubles.map(row)] : []),
    ...(troubles.length > 0 ? ['', `Run one again: \`${commandFor(outcome, troubles[0]!.id)}\``] : []),
    '',
  ].join('\n')
}

const row = (result: RequirementResult): string =>
  `| ${wordOf(markOf(result))} | \`${result.id}\`<br>${escapeCell(result.text)} | ${escapeCell(shorten(result.why ?? '', MAX_REASON_LENGTH))}${result.repeats ? `<br>${describeRepeats(result)}` : ''} |`

const GREEN = '#2c7a4b'
const RED = '#b3372f'
const CHARACTER_PX = 6.6
const PADDING_PX = 16

/** A badge for a README, drawn without any outside font or picture. */
export function createBadge(outcome: CertificationResult): string {
  const label = outcome.protocol
  const text = words(outcome)
  const [left, right] = [label, text].map((part) => Math.round(part.length * CHARACTER_PX + PADDING_PX)) as [
    number,
    number,
  ]
  const width = left + right
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="22" role="img" aria-label="${escapeMarkup(`${label}: ${text}`)}">
<clipPath id="r"><rect width="${width}" height="22" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="22" fill="#33363d"/><rect x="${left}" width="${right}" height="22" fill="${outcome.exitCode === 0 ? GREEN : RED}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="15">${escapeMarkup(label)}</text><text x="${left + right / 2}" y="15">${escapeMarkup(text)}</text></g>
</svg>
`
}

/** A partial run shows no tier. A run can also fail through a harness error or a stale baseline. */
function words({ tier, partial, exitCode, unreachable, conclusion, results }: CertificationResult): string {
  const { counts } = conclusion
  if (unreachable !== undefined) return 'not reachable'
  if (exitCode !== 0) {
    const wrong = describeCounts({ ...NOTHING, ...pick(counts) })
    return wrong === '' ? 'failed' : wrong
  }
  const musts = results.filter(({ level, status }) => level === 'MUST' && status === 'passed').length
  return `${partial ? 'in part' : tier}, ${musts} MUST${counts.accepted > 0 ? `, ${counts.accepted} accepted` : ''}`
}

const NOTHING = countMarks([])

/** The counts that keep a run from passing. */
const pick = ({ failed, unsteady, harness, unjudged }: Counts) => ({ failed, unsteady, harness, unjudged })
