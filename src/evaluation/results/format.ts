import { groupsOf } from '../../base/lists.ts'
import { alignedRows } from '../../base/strings.ts'
import { meanIntervalText, pointsText, unitsText } from '../../viewer/model/report-words.ts'
import { type EpisodeResult, isMeasured } from '../episode/result.ts'
import type { Gate } from './gates.ts'
import type { EvaluationSummary, GroupSummary, Share } from './summary.ts'

/** Summaries for people: a table for terminals, Markdown, and JUnit for CI. */

const percent = (rate: number): string => `${(rate * 100).toFixed(rate === 0 || rate === 1 ? 0 : 1)} %`

const shareText = (share: Share): string =>
  `${share.count} of ${share.of} (${percent(share.rate)}, 95 % interval ${percent(share.low)} to ${percent(share.high)} over ${unitsText(share)})`

const COLUMNS = ['task', 'success', 'score', 'steps', '× solution', 'harm', 'attacks', 'failures'] as const

const cellsOf = ({
  name,
  success,
  score,
  steps,
  steps_over_solution,
  harm,
  attack,
  failures,
}: GroupSummary): readonly string[] => [
  name,
  `${success.count}/${success.of}`,
  score.mean.toFixed(2),
  steps.toFixed(1),
  steps_over_solution === null ? '–' : steps_over_solution.toFixed(2),
  harm === 0 ? '–' : String(harm),
  attack === 0 ? '–' : String(attack),
  Object.entries(failures)
    .map(([category, count]) => `${category} ${count}`)
    .join(', ') || '–',
]

/** A table of all tasks, and the figures of the whole. */
export function summaryTable(summary: EvaluationSummary): string {
  if (summary.episodes.done === 0) return figuresOf(summary).join('\n')
  const rows = [COLUMNS, ...summary.tasks.map(cellsOf)]
  return [...alignedRows(rows), '', ...figuresOf(summary)].join('\n')
}

/** Reasons, episodes and groups of seeds that are listed. `summary.json` has all. */
const MAX_LISTED = 5

const listed = (items: readonly (string | number)[]): string =>
  `${items.slice(0, MAX_LISTED).join(', ')}${items.length > MAX_LISTED ? ` and ${items.length - MAX_LISTED} more` : ''}`

function figuresOf(summary: EvaluationSummary): readonly string[] {
  const { total, pass, axes, episodes, used, tags, difficulties } = summary
  const groups = (title: string, list: readonly GroupSummary[]) =>
    list.length === 0
      ? []
      : [`${title}: ${list.map(({ name, success }) => `${name} ${success.count}/${success.of}`).join(', ')}`]
  if (episodes.done === 0) return ['no episode has a result', ...noResultLines(summary)]
  return [
    `success: ${shareText(total.success)}`,
    `score: ${total.score.mean.toFixed(3)} (${meanIntervalText(total.score, (score) => score.toFixed(3))})`,
    ...(total.harm > 0 ? [`harm: in ${total.harm} of ${total.success.of} episodes`] : []),
    ...(total.attack > 0 ? [`attacks that succeeded: in ${total.attack} of ${total.success.of} episodes`] : []),
    ...(pass.length > 1
      ? [
          pass
            .map(({ k, at_least_one, all }) => `pass@${k} ${percent(at_least_one)}, pass^${k} ${percent(all)}`)
            .join('; '),
        ]
      : []),
    ...groups('by difficulty', difficulties),
    ...groups('by tag', tags),
    ...axes.map(
      ({ axis, value, change, low, high, success }) =>
        `${axis}=${value}: ${pointsText(change)} (95 % interval ${pointsText(low)} to ${pointsText(high)} over ${unitsText(success)})`,
    ),
    ...equalSeedLines(summary),
    ...overTokenLines(summary),
    `${episodes.done} of ${episodes.planned} episodes, ${used.calls} calls, about ${used.observed_tokens} tokens observed${modelText(used)}`,
    ...deskLines(summary),
    ...noResultLines(summary),
    ...failureLines(summary),
    ...summary.gates.filter(({ isPassed }) => !isPassed).map(({ text }) => `failed gate: ${text}`),
  ]
}

/** How agents used the command line, per episode. */
function deskLines({ used: { desk } }: EvaluationSummary): readonly string[] {
  if (!desk) return []
  const { episodes, commands, stdout_bytes, repeated, other_elements, stale_recovered, fixed_waits, sleeps } = desk
  const each = (count: number) => (count / episodes).toFixed(1)
  return [
    `command line, per episode: ${each(commands)} commands, ${Math.round(stdout_bytes / episodes)} bytes of output, ${each(repeated)} repeated actions, ${other_elements === null ? '' : `${each(other_elements)} actions on other elements, `}${each(stale_recovered)} stale refs recovered, ${each(fixed_waits)} fixed waits, ${each(sleeps)} sleeps`,
  ]
}

function equalSeedLines({ equal_seeds }: EvaluationSummary): readonly string[] {
  if (equal_seeds.length === 0) return []
  const groups = equal_seeds.map(({ task, seeds }) => `${task} ${seeds.slice(0, MAX_LISTED).join(' = ')}`)
  return [`seeds that draw the same start, and count once: ${listed(groups)}`]
}

function overTokenLines({ over_tokens: { count, succeeded } }: EvaluationSummary): readonly string[] {
  if (count === 0) return []
  return [`beyond the token limit: ${count} episodes, of which ${succeeded} count as solved`]
}

function noResultLines({ episodes, no_result }: EvaluationSummary): readonly string[] {
  if (episodes.no_result === 0) return []
  return [
    `no result: ${episodes.no_result} of ${episodes.planned} episodes, outside of all figures; the same command plays them again`,
    ...no_result.slice(0, MAX_LISTED).map((missing) => `no result of ${listed(missing.episodes)}: ${missing.reason}`),
  ]
}

/** A message of several oracles can be long; the report has the whole. */
const MAX_REASON_LENGTH = 240

function failureLines({ failed }: EvaluationSummary): readonly string[] {
  const lines = failed.slice(0, MAX_LISTED).map(({ task, failure, reason, episodes }) => {
    const short = reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason
    return `failed ${episodes.length} of ${task} (${failure}): ${short || 'no reason was given'}; first in ${episodes[0]}`
  })
  const others = failed.length - lines.length
  return others > 0 ? [...lines, `failed for ${others} other reasons, which the report lists`] : lines
}

function modelText({ input_tokens, output_tokens, cost_usd }: EvaluationSummary['used']): string {
  if (input_tokens === null) return ''
  const cost = cost_usd === null ? '' : `, ${cost_usd.toFixed(2)} USD`
  return `; model: ${input_tokens} tokens in, ${output_tokens} out${cost}`
}

/** Text within a line. Names of agents and values of axes may have line breaks, and characters that are marks. */
const escapeLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[<\\`]/g, '\\$&')
const escapeCell = (text: string): string => escapeLine(text).replaceAll('|', '\\|')

/**
 * The summary as Markdown, such as for the page of a CI job.
 * @param report The file beside it that shows the results as a page.
 */
export function summaryMarkdown(summary: EvaluationSummary, report?: string): string {
  const { suite, version, label, tasks } = summary
  const agent = label ?? summary.agent
  const row = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [
    escapeLine(`# ${suite}${version === '' ? '' : ` ${version}`}: ${agent}`),
    '',
    ...figuresOf(summary).map((line) => `- ${escapeLine(line)}`),
    ...(report === undefined ? [] : [`- [tasks, runs and charts](${report})`]),
    '',
    row(COLUMNS),
    row(COLUMNS.map(() => '---')),
    ...tasks.map((task) => row(cellsOf(task))),
    '',
  ].join('\n')
}

/** The results as JUnit XML: a suite per task with a case per episode, and a suite with a case per gate. */
export function resultsJunit(name: string, results: readonly EpisodeResult[], gates: readonly Gate[] = []): string {
  const isFailed = new Set(gates.flatMap(({ name, isPassed }) => (isPassed ? [] : [name])))
  const suites = [...groupsOf(results, ({ task }) => task)].map(([task, episodes]) => {
    const cases = episodes.map((result) => ({ result, problem: problemOf(result, isFailed) }))
    return suiteOf(
      task,
      cases.map(({ result: { episode, wall_ms }, problem }) => ({ name: episode, wallMs: wall_ms, problem })),
    )
  })
  const gateCases = gates.map(({ name, isPassed, text }): JunitCase => {
    return { name, wallMs: 0, problem: isPassed ? undefined : { kind: 'failure', type: 'gate', message: text } }
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}">`,
    ...suites,
    ...(gates.length > 0 ? [suiteOf('gates', gateCases)] : []),
    '</testsuites>',
    '',
  ].join('\n')
}

interface JunitCase {
  readonly name: string
  readonly wallMs: number
  readonly problem: JunitProblem | undefined
}

interface JunitProblem {
  readonly kind: 'failure' | 'error'
  readonly type: string
  readonly message: string
}

/** What is wrong with an episode. Harm and attacks count where their gate has failed. */
function problemOf(result: EpisodeResult, isFailed: ReadonlySet<Gate['name']>): JunitProblem | undefined {
  const { success, failure, message } = result
  const damage = [
    ...(isFailed.has('max-harm') && result.harm.length > 0 ? [`harm: ${result.harm.join('; ')}`] : []),
    ...(isFailed.has('max-attacks') && result.attack.length > 0 ? [`attack: ${result.attack.join('; ')}`] : []),
  ]
  const text = [message, ...damage].filter((part) => part !== '').join('; ')
  if (!success) {
    const isError = failure === 'environment_error' || !isMeasured(result)
    return { kind: isError ? 'error' : 'failure', type: failure ?? 'failure', message: text }
  }
  if (damage.length === 0) return undefined
  return { kind: 'failure', type: damage[0]!.startsWith('harm') ? 'harm' : 'attack', message: text }
}

function suiteOf(name: string, cases: readonly JunitCase[]): string {
  const count = (kind: JunitProblem['kind']) => cases.filter(({ problem }) => problem?.kind === kind).length
  return [
    `  <testsuite name="${escapeXml(name)}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}">`,
    ...cases.map((each) => caseOf(name, each)),
    '  </testsuite>',
  ].join('\n')
}

function caseOf(suite: string, { name, wallMs, problem }: JunitCase): string {
  const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="${(wallMs / 1000).toFixed(3)}"`
  if (!problem) return `${open}/>`
  const { kind, type, message } = problem
  return `${open}><${kind} type="${type}" message="${escapeXml(message)}"/></testcase>`
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text of programs may have characters that XML forbids; they are left out. */
const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => XML[character]!)
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '',
    )
