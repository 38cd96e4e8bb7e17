import { interferenceInWords } from '../run/interference.ts'
import type { Outcome } from '../run/outcome.ts'
import { markOf, repeatsInWords, type Verdict } from '../run/results.ts'
import { deathInWords } from '../run/server-monitor.ts'
import { escapeMarkup } from './escape.ts'

/** JUnit XML, which CI systems read: one case per requirement. */
export function junitReport(outcome: Outcome): string {
  const { counts, stale } = outcome.conclusion
  const { failed, unsteady, harness, unjudged, unchecked } = counts
  const incidents = [
    ...outcome.deaths.map((death) => incident('the server stays there', deathInWords(death))),
    ...(outcome.interference ? [incident('clients do not interfere', interferenceInWords(outcome.interference))] : []),
  ]
  const told = [...incidents, ...outcome.verdicts.map(testCase), ...stale.map(staleEntry)]
  const cases = outcome.unreachable === undefined ? told : [unreachable(outcome.unreachable, outcome.isClient)]
  const failures = outcome.unreachable === undefined ? failed + unsteady + incidents.length + stale.length : 1
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${outcome.protocol} conformance" tests="${cases.length}" failures="${failures}" errors="${harness}" skipped="${unchecked + unjudged}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n')
}

function testCase(verdict: Verdict): string {
  const name = `name="${escapeMarkup(verdict.id)}" classname="${verdict.level}"`
  const inside = detail(verdict)
  return inside === '' ? `  <testcase ${name}/>` : `  <testcase ${name}>\n    ${inside}\n  </testcase>`
}

function detail(verdict: Verdict): string {
  const why = escapeMarkup([verdict.why ?? '', repeatsInWords(verdict)].filter((part) => part !== '').join('\n'))
  const says = escapeMarkup(verdict.says)
  switch (markOf(verdict)) {
    case 'passed':
      return ''
    case 'unsteady':
      return `<failure message="unsteady: ${says}">${why}</failure>`
    case 'failed':
      return `<failure message="${says}">${why}</failure>`
    case 'harness':
      return `<error message="${says}">${why}</error>`
    case 'unjudged':
    case 'unchecked':
      return `<skipped message="${why}"/>`
    case 'warned':
    case 'noted':
    case 'accepted':
      return `<system-out>${verdict.accepted === undefined ? verdict.level : `accepted: ${escapeMarkup(verdict.accepted)}`}: ${why}</system-out>`
  }
}

const incident = (name: string, why: string): string =>
  `  <testcase name="${name}" classname="MUST">\n    <failure message="${name}">${escapeMarkup(why)}</failure>\n  </testcase>`

const unreachable = (why: string, isClient = false): string =>
  `  <testcase name="the ${isClient ? 'client connects' : 'server answers'}" classname="MUST">\n    <failure message="not reachable">${escapeMarkup(why)}</failure>\n  </testcase>`

const staleEntry = (id: string): string =>
  `  <testcase name="${escapeMarkup(id)}" classname="baseline">\n    <failure message="stale baseline entry">it hides nothing any more: remove it</failure>\n  </testcase>`
