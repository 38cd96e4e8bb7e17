import { inspect } from 'node:util'
import { ABSENT, describeDifferences, differences } from '../compare/differences.ts'
import type { Frame } from '../probe/frame.ts'
import { groupOf } from '../requirement.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { type Counts, describeRepeats, type Mark, markOf, plural, type RequirementResult } from '../run/results.ts'
import { type CoverageCell, countCoverage, createCoverageMatrix, describeCoverage, SEVERITY } from './coverage.ts'
import { resultDigest, SUITE_VERSION } from './digest.ts'
import { escapeMarkup as e } from './escape.ts'
import { toReproduction } from './reproduce.ts'
import { STYLE } from './style.ts'

const NAMES: Readonly<Record<Mark, string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'recommendations not followed',
  noted: 'options not offered',
  accepted: 'accepted failures',
  unsteady: 'unsteady',
  harness: 'harness errors',
  unjudged: 'not judged',
  unchecked: 'not checkable',
}
/** The marks whose requirements are shown one by one. */
const TROUBLES = SEVERITY.slice(0, SEVERITY.indexOf('passed'))

/** The whole run as one self-contained page: no script, external font or external picture. */
export function createHtmlReport(outcome: CertificationResult): string {
  const title = `${outcome.protocol} conformance`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${e(title)}: ${verdictWord(outcome)}</title>
<style>${STYLE}</style>
</head>
<body>
${head(outcome)}
<main>
${outcome.unreachable === undefined ? body(outcome) : `<section><h2>Why</h2><pre>${e(outcome.unreachable)}</pre></section>`}
</main>
<footer>Suite ${SUITE_VERSION} · seed ${outcome.seed} · digest <code>${resultDigest(outcome)}</code></footer>
</body>
</html>
`
}

function verdictWord(outcome: CertificationResult): string {
  if (outcome.unreachable !== undefined) return 'not reachable'
  return outcome.conclusion.passed ? 'passed' : 'failed'
}

function head(outcome: CertificationResult): string {
  const word = verdictWord(outcome)
  return `<header class="${word === 'passed' ? 'passed' : 'failed'}">
<p class="kicker">${e(outcome.set.document)}</p>
<h1>${e(outcome.protocol)} <span>${word}</span></h1>
<p>${e(outcome.url)} · tier ${outcome.tier}${outcome.partial ? ', in part' : ''} · profile ${e(outcome.profile)} · ${describeCoverage(countCoverage(createCoverageMatrix(outcome)), outcome.isClient)}</p>
${bar(outcome.conclusion.counts)}
${outcome.conclusion.reasons.length > 0 && outcome.unreachable === undefined ? `<ul class="reasons">${outcome.conclusion.reasons.map((reason) => `<li>${e(reason)}</li>`).join('')}</ul>` : ''}
</header>`
}

function bar(counts: Counts): string {
  const shown = SEVERITY.filter((mark) => counts[mark] > 0)
  const parts = shown.map((mark) => `<i class="${mark}" style="flex-grow:${counts[mark]}"></i>`)
  const legend = shown.map((mark) => `<li class="${mark}"><b>${counts[mark]}</b> ${NAMES[mark]}</li>`)
  return `<div class="bar" aria-hidden="true">${parts.join('')}</div><ul class="legend">${legend.join('')}</ul>`
}

/** Optional parts may be missing; the report lists them, but not as failures. */
const headingOf = ({ failed, unsteady, harness, unjudged, warned }: Counts): string =>
  failed + unsteady + harness + unjudged > 0
    ? 'What went wrong'
    : warned > 0
      ? 'What could be better'
      : 'Optional parts that are not offered'

function body(outcome: CertificationResult): string {
  const troubles = TROUBLES.flatMap((mark) => outcome.results.filter((result) => markOf(result) === mark))
  return [
    troubles.length > 0
      ? `<section><h2>${headingOf(outcome.conclusion.counts)}</h2>${troubles.map((result) => trouble(result, outcome)).join('\n')}</section>`
      : '',
    matrix(createCoverageMatrix(outcome), outcome.set.groups),
    listing(outcome.results),
  ].join('\n')
}

/** Items in groups by the letter of their id: endpoints, messages, codes, rules. */
function matrix(cells: readonly CoverageCell[], names: Readonly<Record<string, string>>): string {
  const groups = new Map<string, CoverageCell[]>()
  for (const one of cells) {
    const group = groupOf(one.item)
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  const cell = ({ item, title, mark, results }: CoverageCell) => {
    const target = results.find((result) => markOf(result) === mark)
    const count = results.length === 0 ? 'nothing tried' : plural(results.length, 'requirement')
    const inside = `<b>${e(item)}</b><span>${e(title)}</span><em title="${count}">${results.length || '–'}</em>`
    const about = mark === 'empty' ? 'nothing tried' : NAMES[mark]
    return `<li class="${mark}" title="${e(title)}: ${about}">${target ? `<a href="#${e(target.id)}">${inside}</a>` : `<div>${inside}</div>`}</li>`
  }
  const parts = [...groups].map(
    ([group, of]) =>
      `<h3>${e(names[group] ?? group)} <small>${groupInWords(of)}</small></h3><ul class="matrix">${of.map(cell).join('')}</ul>`,
  )
  return `<section><h2>The document, item by item</h2>${parts.join('\n')}</section>`
}

function groupInWords(cells: readonly CoverageCell[]): string {
  const { tried, all } = countCoverage(cells)
  const wrong = cells.filter((cell) => ['failed', 'unsteady', 'harness'].includes(cell.mark)).length
  return `${tried === all ? all : `${tried} of ${all}`} tried${wrong > 0 ? `, ${wrong} with a failure` : ''}`
}

function listing(results: readonly RequirementResult[]): string {
  const rows = results.map(
    (result) =>
      `<tr class="${markOf(result)}" ${isTrouble(result) ? '' : `id="${e(result.id)}"`}><td>${NAMES[markOf(result)]}</td><td>${result.level}</td><td><code>${e(result.id)}</code><br>${e(result.text)}${result.status === 'unchecked' ? `<br><small>${e(result.why ?? '')}</small>` : ''}</td><td><small>${e(result.source)}</small></td></tr>`,
  )
  return `<section><h2>All requirements</h2><div class="scroll"><table><thead><tr><th>result</th><th>level</th><th>requirement</th><th>source</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div></section>`
}

const isTrouble = (result: RequirementResult): boolean => TROUBLES.includes(markOf(result))

function trouble(result: RequirementResult, { url, isClient }: CertificationResult): string {
  const script = isClient ? '' : toReproduction(result.frames, url)
  const mark = markOf(result)
  return `<article class="${mark}" id="${e(result.id)}">
<h3><code>${e(result.id)}</code> <small>${result.level} · ${e(result.source)}</small></h3>
<p>${e(result.text)}</p>
${isShownAsTable(result) ? '' : `<pre class="why">${e(result.why ?? '')}</pre>`}
${result.repeats === undefined ? '' : `<p>${e(describeRepeats(result))}</p>`}
${result.accepted === undefined ? '' : `<p><b>Accepted:</b> ${e(result.accepted)}</p>`}
${pictures(result.pictures)}
${compared(result)}
${script === '' ? '' : `<details><summary>Send it again</summary><pre>${e(script)}</pre></details>`}
${result.frames.length === 0 ? '' : `<details><summary>On the wire (${result.frames.length})</summary>${wireLog(result.frames)}</details>`}
</article>`
}

/** Whether the reason only repeats the table of differences. */
const isShownAsTable = ({ why, expected, actual }: RequirementResult): boolean => {
  const places = differences(expected, actual)
  return places.some(({ path }) => path !== '') && why === describeDifferences(places)
}

function compared({ expected, actual }: RequirementResult): string {
  if (expected === undefined && actual === undefined) return ''
  const side = (name: string, value: unknown) => `<div><h4>${name}</h4><pre>${e(shown(value, 50))}</pre></div>`
  const sides = `<div class="sides">${expected === undefined ? '' : side('expected', expected)}${side('found', actual)}</div>`
  const places = expected === undefined ? [] : differences(expected, actual)
  if (places.length === 0 || (places.length === 1 && places[0]!.path === '')) return sides
  const rows = places
    .slice(0, MAX_PLACES)
    .map((one) => `<tr><td><code>${e(one.path)}</code></td>${cellOf(one.expected)}${cellOf(one.actual)}</tr>`)
  const more = places.length > MAX_PLACES ? `<p>… and ${plural(places.length - MAX_PLACES, 'more place')}.</p>` : ''
  return `<div class="scroll"><table class="places"><thead><tr><th>where</th><th>expected</th><th>found</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>${more}
<details><summary>Both as a whole</summary>${sides}</details>`
}

const MAX_PLACES = 12

const cellOf = (value: unknown): string =>
  value === ABSENT ? '<td><em>nothing</em></td>' : `<td><code>${e(shown(value, 6))}</code></td>`

const shown = (value: unknown, maxArrayLength: number): string =>
  inspect(value, { depth: 6, breakLength: 100, maxStringLength: 2000, maxArrayLength })

function pictures(all: RequirementResult['pictures']): string {
  if (!all) return ''
  const figures = Object.entries(all).map(
    ([name, png]) =>
      `<figure><img alt="${e(name)}" src="data:image/png;base64,${png}"><figcaption>${e(name)}</figcaption></figure>`,
  )
  return `<div class="pictures">${figures.join('')}</div>`
}

const MAX_FRAMES = 200

function wireLog(frames: readonly Frame[]): string {
  const line = (frame: Frame) =>
    `<li class="${frame.direction}"><b>${frame.direction === 'sent' ? '→' : '←'} ${e(frame.title)}</b>${frame.text === '' ? '' : `<pre>${e(frame.text)}</pre>`}</li>`
  const left = frames.length - MAX_FRAMES
  const gap = left > 0 ? `<li>… ${left} more …</li>` : ''
  const half = MAX_FRAMES / 2
  const shown =
    left > 0 ? [...frames.slice(0, half).map(line), gap, ...frames.slice(-half).map(line)] : frames.map(line)
  return `<ol class="wire">${shown.join('')}</ol>`
}
