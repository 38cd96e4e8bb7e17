import { inspect } from 'node:util'
import { ABSENT, describeDifferences, differences } from '../compare/differences.ts'
import { type Frame, type SentRequest, shorten } from '../probe/frame.ts'
import { groupOf } from '../requirement.ts'
import type { CertificationResult } from '../run/outcome.ts'
import {
  type Counts,
  describeRepeats,
  markOf,
  plural,
  RESULT_MARKS,
  type RequirementResult,
  troublesOf,
  wordOf,
} from '../suite/results.ts'
import { describeCauses } from './causes.ts'
import { resultDigest, SUITE_VERSION } from './certificate.ts'
import { type CoverageCell, countCoverage, createCoverageMatrix } from './coverage.ts'
import { escapeMarkup as e } from './escape.ts'
import { scenariosIn } from './scenarios.ts'
import { commandFor, describeRun } from './words.ts'

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
${bar(outcome.conclusion.counts)}
${
  outcome.unreachable === undefined
    ? `<ul class="run">${describeRun(outcome)
        .map((line) => `<li>${e(line)}</li>`)
        .join('')}</ul>`
    : `<p>${e(outcome.url)}</p>`
}
</header>`
}

function bar(counts: Counts): string {
  const shown = RESULT_MARKS.filter((mark) => counts[mark] > 0)
  const parts = shown.map((mark) => `<i class="${mark}" style="flex-grow:${counts[mark]}"></i>`)
  const legend = shown.map((mark) => `<li class="${mark}"><b>${counts[mark]}</b> ${wordOf(mark, counts[mark])}</li>`)
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
  const troubles = troublesOf(outcome.results)
  const causes = describeCauses(outcome)
  return [
    causes.length > 1
      ? `<section><h2>In short</h2><ul>${causes.map((cause) => `<li>${linked(cause, troubles)}</li>`).join('')}</ul></section>`
      : '',
    troubles.length > 0
      ? `<section><h2>${headingOf(outcome.conclusion.counts)}</h2>${troubles.map((result) => trouble(result, outcome)).join('\n')}</section>`
      : '',
    matrix(createCoverageMatrix(outcome), outcome.set.groups),
    listing(outcome.results),
  ].join('\n')
}

/** A line in which the ids of requirements lead to their articles. */
function linked(text: string, results: readonly RequirementResult[]): string {
  const ids = new Set(results.map(({ id }) => id))
  return e(text).replace(/[\w-]+(?::[\w-]+){2,}/g, (id) => (ids.has(id) ? `<a href="#${id}">${id}</a>` : id))
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
    const count = results.length === 0 ? 'no requirement of its own in this run' : plural(results.length, 'requirement')
    const inside = `<b>${e(item)}</b><span>${e(title)}</span><em title="${count}">${results.length || '–'}</em>`
    const about = mark === 'empty' ? 'no requirement of its own in this run' : wordOf(mark)
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
      `<tr class="${markOf(result)}" ${isTrouble(result) ? '' : `id="${e(result.id)}"`}><td>${wordOf(markOf(result))}</td><td>${result.level}</td><td><code>${e(result.id)}</code><br>${e(result.text)}${result.status === 'unchecked' ? `<br><small>${e(result.why ?? '')}</small>` : ''}</td><td><small>${e(result.source)}</small></td></tr>`,
  )
  return `<section><h2>All requirements</h2><div class="scroll"><table><thead><tr><th>result</th><th>level</th><th>requirement</th><th>source</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div></section>`
}

const isTrouble = (result: RequirementResult): boolean => troublesOf([result]).length > 0

function trouble(result: RequirementResult, outcome: CertificationResult): string {
  const { url, isClient } = outcome
  const script = isClient ? '' : toReproduction(result.frames, url)
  const mark = markOf(result)
  return `<article class="${mark}" id="${e(result.id)}">
<h3><code>${e(result.id)}</code> <small>${result.level} · ${e(result.source)}</small></h3>
<p>${e(result.text)}</p>
<p><small>${e(basisOf(result, outcome))}</small></p>
${isShownAsTable(result) ? '' : `<pre class="why">${e(result.why ?? '')}</pre>`}
${result.repeats === undefined ? '' : `<p>${e(describeRepeats(result))}</p>`}
${result.accepted === undefined ? '' : `<p><b>Accepted:</b> ${e(result.accepted)}</p>`}
${pictures(result.pictures)}
${scenarioFiles(result, outcome.scenarios)}
${compared(result)}
${script === '' ? '' : `<details><summary>Send it again</summary><pre>${e(script)}</pre></details>`}
<details><summary>Run this requirement again</summary><pre>${e(commandFor(outcome, result.id))}</pre></details>
${result.frames.length === 0 ? '' : `<details><summary>On the wire (${result.frames.length})</summary>${wireLog(result.frames)}</details>`}
</article>`
}

/** The statement of the document that a requirement is from, or why the suite requires more. */
function basisOf({ id }: RequirementResult, { set }: CertificationResult): string {
  const basis = set.requirements[id]?.basis
  if (basis === undefined) return ''
  return 'states' in basis ? `The document: ${basis.states}` : `Not in the document: ${basis.because}`
}

/** Whether the reason only repeats the table of differences. */
const isShownAsTable = ({ why, expected, actual }: RequirementResult): boolean => {
  const places = differences(expected, actual)
  return places.some(({ path }) => path !== '') && why === describeDifferences(places)
}

/** The two values of a comparison with their names. A value that the server gave twice is not "expected" in either. */
function sidesOf({ expected, actual, statements }: RequirementResult): readonly (readonly [string, unknown])[] {
  if (statements) return Object.entries(statements)
  return [...(expected === undefined ? [] : [['expected', expected] as const]), ['found', actual]]
}

function compared(result: RequirementResult): string {
  if (result.expected === undefined && result.actual === undefined && !result.statements) return ''
  const all = sidesOf(result)
  const side = ([name, value]: readonly [string, unknown]) =>
    `<div><h4>${e(name)}</h4><pre>${e(shown(value, 50))}</pre></div>`
  const sides = `<div class="sides">${all.map(side).join('')}</div>`
  const [one, other] = all
  const places = one && other ? differences(one[1], other[1]) : []
  if (places.length === 0 || (places.length === 1 && places[0]!.path === '')) return sides
  const rows = places
    .slice(0, MAX_PLACES)
    .map((place) => `<tr><td><code>${e(place.path)}</code></td>${cellOf(place.expected)}${cellOf(place.actual)}</tr>`)
  const more = places.length > MAX_PLACES ? `<p>… and ${plural(places.length - MAX_PLACES, 'more place')}.</p>` : ''
  return `<div class="scroll"><table class="places"><thead><tr><th>where</th><th>${e(one![0])}</th><th>${e(other![0])}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>${more}
<details><summary>Both as a whole</summary>${sides}</details>`
}

const MAX_PLACES = 12

const cellOf = (value: unknown): string =>
  value === ABSENT ? '<td><em>nothing</em></td>' : `<td><code>${e(shown(value, 6))}</code></td>`

const shown = (value: unknown, maxArrayLength: number): string =>
  inspect(value, { depth: 6, breakLength: 100, maxStringLength: 2000, maxArrayLength })

/** The scenarios that a check loaded, the last one first and open: it is what the others prepare. */
function scenarioFiles({ frames }: RequirementResult, files: CertificationResult['scenarios'] = {}): string {
  const loaded = scenariosIn(frames).filter((name) => files[name] !== undefined)
  const shownFiles = loaded.reverse().map((name, at) => {
    const text = shorten(files[name]!, MAX_SCENARIO_CHARACTERS)
    return `<details${at === 0 ? ' open' : ''}><summary>scenarios/${e(name)}</summary><pre>${e(text)}</pre></details>`
  })
  return shownFiles.join('\n')
}

const MAX_SCENARIO_CHARACTERS = 3000

function pictures(all: RequirementResult['pictures']): string {
  if (!all) return ''
  const figures = Object.entries(all).map(
    ([name, png]) =>
      `<figure><img alt="${e(name)}" src="data:image/png;base64,${png}"><figcaption>${e(name)}</figcaption></figure>`,
  )
  return `<div class="pictures">${figures.join('')}</div>`
}

const MAX_FRAMES = 200

/** Frames that follow each other: those of one request and its answer, or a single one. */
interface Exchange {
  readonly frames: readonly Frame[]
  /** How often the same request got the same answer in a row. */
  times: number
  untilMs: number | undefined
}

/** Folds a request that is repeated with the same answer, such as a poll, into one exchange. */
function foldExchanges(frames: readonly Frame[]): readonly Exchange[] {
  const exchanges: Exchange[] = []
  for (let at = 0; at < frames.length; ) {
    const isPair = frames[at]!.direction === 'sent' && frames[at + 1]?.title.endsWith(` to ${frames[at]!.title}`)
    const some = frames.slice(at, at + (isPair ? 2 : 1))
    at += some.length
    const last = exchanges.at(-1)
    const untilMs = some.at(-1)!.atMs
    if (isPair && last && isSameExchange(last.frames, some)) {
      last.times++
      last.untilMs = untilMs
    } else exchanges.push({ frames: some, times: 1, untilMs })
  }
  return exchanges
}

const isSameExchange = (one: readonly Frame[], other: readonly Frame[]): boolean =>
  one.length === other.length &&
  one.every(({ title, text }, at) => title === other[at]!.title && text === other[at]!.text)

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

function wireLog(frames: readonly Frame[]): string {
  const shownPictures = new Set<string>()
  const line = (frame: Frame, note: string) =>
    `<li class="${frame.direction}"><b>${frame.atMs === undefined ? '' : `<small>${seconds(frame.atMs)}</small> `}${frame.direction === 'sent' ? '→' : '←'} ${e(frame.title)}</b>${note}${frame.text === '' ? '' : `<pre>${e(frame.text)}</pre>`}${pictureOf(frame, shownPictures)}</li>`
  const lines = foldExchanges(frames).flatMap(({ frames: some, times, untilMs }) => {
    const until = untilMs === undefined ? '' : ` until ${seconds(untilMs)}`
    const note = times === 1 ? '' : ` <em>${times} times${until}, with the same answer each time</em>`
    return some.map((frame, at) => line(frame, at === 0 ? note : ''))
  })
  const left = lines.length - MAX_FRAMES
  const half = MAX_FRAMES / 2
  const shown = left > 0 ? [...lines.slice(0, half), `<li>… ${left} more …</li>`, ...lines.slice(-half)] : lines
  return `<ol class="wire">${shown.join('')}</ol>`
}

const MAX_PICTURE_BYTES = 300_000
const MAX_PICTURES = 12

/** A picture that an answer has, unless it is large or was shown before. */
function pictureOf({ direction, text, value }: Frame, shownPictures: Set<string>): string {
  const { bytes, headers } = Object(value) as { bytes?: Buffer; headers?: Readonly<Record<string, string>> }
  const type = /^image\/(?:png|jpeg|webp)/.exec(headers?.['content-type'] ?? '')?.[0]
  if (direction !== 'received' || type === undefined || !bytes || bytes.length > MAX_PICTURE_BYTES) return ''
  if (shownPictures.has(text)) return '<p><small>the same picture as above</small></p>'
  if (shownPictures.size >= MAX_PICTURES) return ''
  shownPictures.add(text)
  return `<div class="pictures"><figure><img alt="${e(text)}" src="data:${type};base64,${bytes.toString('base64')}"></figure></div>`
}

/** Quotes a word for the shell; only `$TOKEN` and `$SCENARIOS` are expanded. */
const quote = (text: string): string =>
  `'${text.replaceAll("'", `'\\''`).replace(/\$(?:TOKEN|SCENARIOS)/g, (name) => `'"${name}"'`)}'`

/** A request as a curl command; `$TOKEN` replaces the token. */
export function toCurl(request: SentRequest): string {
  const isStream = (request.headers.accept ?? '') === 'text/event-stream'
  const headers = Object.entries(request.headers)
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  // `--data-binary` would read a body that starts with @ as a file name.
  const body = request.body === undefined ? [] : ['--data-raw', quote(request.body)]
  const method =
    request.method === 'GET' ? [] : ['-X', /^[A-Z]+$/.test(request.method) ? request.method : quote(request.method)]
  const globbing = /[[\]{}]/.test(request.url) ? ['-g'] : []
  const command = [
    'curl',
    isStream ? '-iN' : '-i',
    ...globbing,
    ...method,
    quote(request.url),
    ...headers,
    ...body,
  ].join(' ')
  return request.isCut ? `${command} # the body is cut here` : command
}

/** A script that repeats the messages of a check: curl commands, a WebSocket conversation, or JSON-RPC lines. */
export function toReproduction(frames: readonly Frame[], url: string): string {
  const sent = frames.filter((frame) => frame.direction === 'sent')
  const requests = foldExchanges(frames).flatMap(({ frames: [first], times }) =>
    first?.direction === 'sent' && first.request
      ? [`${toCurl(first.request)}${times === 1 ? '' : ` # ${times} times`}`]
      : [],
  )
  const spoken = sent.filter((frame) => frame.channel === 'ws')
  const asked = sent.filter((frame) => frame.channel === 'mcp').map((frame) => frame.text)
  return [
    ...requests,
    ...(spoken.length > 0 ? [socketScript(spoken, url)] : []),
    ...(asked.length > 0 ? [`printf '%s\\n' ${asked.map(quote).join(' ')} | $COMMAND`] : []),
  ].join('\n')
}

function socketScript(spoken: readonly Frame[], url: string): string {
  const path = spoken.map((frame) => /^connect (\S+)/.exec(frame.title)?.[1]).find((found) => found !== undefined)
  const address = `${url.replace(/^http/, 'ws')}${path ?? '/'}`
  const lines = spoken.filter((frame) => frame.text !== '').map((frame) => frame.text)
  return `(printf '%s\\n' ${lines.map(quote).join(' ')}; sleep 5) | npx --yes wscat -c ${quote(address)}`
}

/** The page's look; colours follow the reader's light or dark setting. */
const STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf7;--ink:#22242a;--faint:#6c6f78;--line:#e3e0d8;--card:#fff;
--passed:#2c7a4b;--failed:#b3372f;--harness:#8a3fa0;--warned:#b7791f;--noted:#5b7fa6;--accepted:#a56b3f;--unchecked:#9a9ca3;--unsteady:#b3532f;--unjudged:#7d7f86}
@media(prefers-color-scheme:dark){:root{--paper:#17181c;--ink:#e6e4df;--faint:#9a9ca6;--line:#2e3038;--card:#1f2126;
--passed:#5dbb83;--failed:#ee7a70;--harness:#c78bdc;--warned:#e0b15c;--noted:#8db3de;--accepted:#d59d70;--unchecked:#7b7d86;--unsteady:#ee9470;--unjudged:#8d8f98}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
header,main,footer{max-width:1180px;margin:auto;padding:0 24px}
header{padding-top:48px}
.kicker{margin:0;color:var(--faint);letter-spacing:.02em}
h1{margin:.1em 0;font-size:40px;letter-spacing:-.02em}
header.passed h1 span{color:var(--passed)}header.failed h1 span{color:var(--failed)}
h2{margin:48px 0 12px;font-size:22px}
h3{margin:0 0 4px;font-size:15px}h3 small{color:var(--faint);font-weight:normal}
h4{margin:8px 0 2px;font-size:12px;color:var(--faint);font-weight:600}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12.5px}
pre{margin:6px 0;padding:8px 10px;background:var(--paper);border:1px solid var(--line);border-radius:6px;overflow:auto;max-height:320px;white-space:pre-wrap;overflow-wrap:anywhere}
pre.why{border-left:3px solid currentColor}
.run{margin:14px 0 0;padding:0;list-style:none}.run li:first-child{font-weight:600}.failed .run li:first-child{color:var(--failed)}
.places{margin:8px 0}.places td{padding:4px 10px 4px 0}.places code{overflow-wrap:anywhere}.places td:nth-child(2) code{color:var(--passed)}.places td:nth-child(3) code{color:var(--failed)}.places em{color:var(--faint)}
.bar{display:flex;gap:2px;height:10px;margin:20px 0 8px;border-radius:5px;overflow:hidden}
.bar i{min-width:3px}
.legend{display:flex;flex-wrap:wrap;gap:6px 20px;margin:0;padding:0;list-style:none;color:var(--faint)}
.legend b{color:var(--ink)}
.legend li::before{content:"";display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:6px;background:currentColor}
.bar .passed{background:var(--passed)}.bar .failed{background:var(--failed)}.bar .harness{background:var(--harness)}
.bar .warned{background:var(--warned)}.bar .noted{background:var(--noted)}.bar .unsteady{background:var(--unsteady)}.bar .unjudged{background:var(--unjudged)}.bar .accepted{background:var(--accepted)}.bar .unchecked{background:var(--unchecked)}
.legend .passed::before{color:var(--passed)}.legend .failed::before{color:var(--failed)}.legend .harness::before{color:var(--harness)}
.legend .warned::before{color:var(--warned)}.legend .noted::before{color:var(--noted)}.legend .unsteady::before{color:var(--unsteady)}.legend .unjudged::before{color:var(--unjudged)}.legend .accepted::before{color:var(--accepted)}.legend .unchecked::before{color:var(--unchecked)}
section>h3{margin:22px 0 6px}
.matrix{display:grid;grid-template-columns:repeat(auto-fill,minmax(262px,1fr));gap:4px;margin:0 0 14px;padding:0;list-style:none}
.matrix li{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:5px;font-size:13px;line-height:1.35;min-width:0}
.matrix b{font-weight:600;font-size:11px;color:var(--faint);flex:none}.matrix span{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.matrix em{flex:none;color:var(--faint);font-style:normal;font-size:11px}
.matrix a,.matrix div{display:flex;gap:7px;align-items:baseline;padding:5px 9px;color:inherit;text-decoration:none}
.matrix a:hover{text-decoration:underline}
.matrix .failed{background:color-mix(in srgb,var(--failed) 12%,var(--card))}.matrix .harness{background:color-mix(in srgb,var(--harness) 12%,var(--card))}
.matrix .passed{border-left-color:var(--passed)}.matrix .failed{border-left-color:var(--failed)}.matrix .harness{border-left-color:var(--harness)}
.matrix .warned{border-left-color:var(--warned)}.matrix .noted{border-left-color:var(--noted)}.matrix .unsteady{border-left-color:var(--unsteady)}.matrix .unjudged{border-left-color:var(--unjudged)}.matrix .accepted{border-left-color:var(--accepted)}.matrix .unchecked{border-left-color:var(--unchecked)}
.matrix .empty{border-style:dashed;color:var(--faint)}
article{margin:0 0 14px;padding:14px 18px;background:var(--card);border:1px solid var(--line);border-left:4px solid;border-radius:8px;color:var(--faint)}
article>*{color:var(--ink)}article p{margin:0}
article.failed{border-left-color:var(--failed)}article.harness{border-left-color:var(--harness)}article.warned{border-left-color:var(--warned)}
article.accepted{border-left-color:var(--accepted)}article.noted{border-left-color:var(--noted)}article.unsteady{border-left-color:var(--unsteady)}article.unjudged{border-left-color:var(--unjudged)}
details{margin-top:6px}summary{cursor:pointer;color:var(--faint)}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(300px,100%),1fr));gap:0 14px}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:12px;margin:10px 0}
figure{margin:0}img{max-width:100%;border:1px solid var(--line);border-radius:4px;image-rendering:auto}figcaption{color:var(--faint);font-size:12px}
.wire{margin:6px 0;padding-left:0;list-style:none}.wire li{padding:2px 0}.wire b{font-weight:500;font-size:13px}.wire .received b{color:var(--faint)}
.scroll{overflow-x:auto}table{width:100%;border-collapse:collapse;font-size:13.5px}
th{text-align:left;color:var(--faint);font-weight:500;border-bottom:1px solid var(--line);padding:4px 10px 4px 0}
td{vertical-align:top;border-bottom:1px solid var(--line);padding:6px 10px 6px 0}
tr.passed td:first-child{color:var(--passed)}tr.failed td:first-child{color:var(--failed)}tr.harness td:first-child{color:var(--harness)}
tr.warned td:first-child{color:var(--warned)}tr.noted td:first-child{color:var(--noted)}tr.unsteady td:first-child{color:var(--unsteady)}tr.unjudged td:first-child{color:var(--unjudged)}tr.accepted td:first-child{color:var(--accepted)}tr.unchecked td:first-child{color:var(--unchecked)}
:target{outline:2px solid var(--noted);outline-offset:2px}
footer{padding:40px 24px 60px;color:var(--faint);font-size:13px}
`
