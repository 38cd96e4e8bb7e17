import { describeInterference } from '../run/interference.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { describeRepeats, markOf, type RequirementResult } from '../run/results.ts'
import { describeLoss } from '../run/server-monitor.ts'
import { escapeMarkup } from './escape.ts'

/** JUnit XML, which CI systems read: one case per requirement. */
export function createJunitReport(outcome: CertificationResult): string {
  const { counts, stale } = outcome.conclusion
  const { failed, unsteady, harness, unjudged, unchecked } = counts
  const incidents = [
    ...outcome.losses.map((loss) => incident('the server stays there', describeLoss(loss))),
    ...(outcome.interference ? [incident('clients do not interfere', describeInterference(outcome.interference))] : []),
  ]
  const details = [...incidents, ...outcome.results.map(testCase), ...stale.map(staleEntry)]
  const cases = outcome.unreachable === undefined ? details : [unreachable(outcome.unreachable, outcome.isClient)]
  const failures = outcome.unreachable === undefined ? failed + unsteady + incidents.length + stale.length : 1
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${outcome.protocol} conformance" tests="${cases.length}" failures="${failures}" errors="${harness}" skipped="${unchecked + unjudged}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n')
}

function testCase(result: RequirementResult): string {
  const name = `name="${escapeMarkup(result.id)}" classname="${result.level}"`
  const inside = detail(result)
  return inside === '' ? `  <testcase ${name}/>` : `  <testcase ${name}>\n    ${inside}\n  </testcase>`
}

function detail(result: RequirementResult): string {
  const why = escapeMarkup([result.why ?? '', describeRepeats(result)].filter((part) => part !== '').join('\n'))
  const text = escapeMarkup(result.text)
  switch (markOf(result)) {
    case 'passed':
      return ''
    case 'unsteady':
      return `<failure message="unsteady: ${text}">${why}</failure>`
    case 'failed':
      return `<failure message="${text}">${why}</failure>`
    case 'harness':
      return `<error message="${text}">${why}</error>`
    case 'unjudged':
    case 'unchecked':
      return `<skipped message="${why}"/>`
    case 'warned':
    case 'noted':
    case 'accepted':
      return `<system-out>${result.accepted === undefined ? result.level : `accepted: ${escapeMarkup(result.accepted)}`}: ${why}</system-out>`
  }
}

const incident = (name: string, why: string): string =>
  `  <testcase name="${name}" classname="MUST">\n    <failure message="${name}">${escapeMarkup(why)}</failure>\n  </testcase>`

const unreachable = (why: string, isClient = false): string =>
  `  <testcase name="the ${isClient ? 'client connects' : 'server answers'}" classname="MUST">\n    <failure message="not reachable">${escapeMarkup(why)}</failure>\n  </testcase>`

const staleEntry = (id: string): string =>
  `  <testcase name="${escapeMarkup(id)}" classname="baseline">\n    <failure message="stale baseline entry">the requirement no longer fails: remove the entry</failure>\n  </testcase>`
