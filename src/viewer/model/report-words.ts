import type { ReportComparison, ReportMean, ReportShare } from './report.ts'

/** `83.3 %`; whole numbers where nothing is lost. */
export function percentText(rate: number): string {
  const percent = rate * 100
  return `${Number.isInteger(Number(percent.toFixed(1))) ? percent.toFixed(0) : percent.toFixed(1)} %`
}

/** `64.1 % to 93.3 %`. */
export const intervalText = ({ low, high }: Pick<ReportShare, 'low' | 'high'>): string =>
  `${percentText(low)} to ${percentText(high)}`

/** `83.3 % (95 % interval 64.1 % to 93.3 % over 24 instances)`. */
export const shareWords = (share: ReportShare): string =>
  `${percentText(share.rate)} (95 % interval ${intervalText(share)} over ${unitsText(share)})`

/** From this many tasks on, tasks are the units of intervals and tests. */
const MIN_TASKS = 10

/** The units of an interval or a test: `24 instances`, `24 instances of 2 tasks`, or `12 tasks with 60 instances`. */
export function unitsText({ units, tasks }: Pick<ReportShare, 'units' | 'tasks'>): string {
  if (tasks >= MIN_TASKS) return `${plural(tasks, 'task')} with ${plural(units, 'instance')}`
  return tasks > 1 ? `${plural(units, 'instance')} of ${plural(tasks, 'task')}` : plural(units, 'instance')
}

/** `95 % interval 0.61 to 0.89`, or that there is none. */
export const meanIntervalText = ({ low, high }: ReportMean, textOf: (value: number) => string): string =>
  low === null || high === null
    ? `no interval below ${MIN_TASKS} instances`
    : `95 % interval ${textOf(low)} to ${textOf(high)}`

/** A change of a share in percentage points, with its sign. */
export const pointsText = (change: number): string => {
  const points = (Math.abs(change) * 100).toFixed(1).replace(/\.0$/, '')
  if (points === '0') return '±0 points'
  return `${change < 0 ? '−' : '+'}${points} ${points === '1' ? 'point' : 'points'}`
}

/** `p = 0.031`, or `p < 0.001`. */
export const probabilityText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`)

/** `1.25 ×`. */
export const ratioText = (ratio: number): string => `${ratio.toFixed(2)} ×`

/** A duration: `250 ms`, `12.5 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** A count with separators: `12,345`. */
export const countText = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** A large count with three digits: `59.6 k`, `1.20 M`. */
export function shortCount(count: number): string {
  if (count < 10_000) return countText(count)
  const [value, unit] = count < 1_000_000 ? [count / 1000, 'k'] : [count / 1_000_000, 'M']
  return `${value.toPrecision(3)} ${unit}`
}

export const dollarsText = (dollars: number): string => `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`

/** `1 run`, `2 runs`. */
export const plural = (count: number, word: string): string => `${countText(count)} ${word}${count === 1 ? '' : 's'}`

/** A category of failures or an end in words: `wrong_outcome` is `wrong outcome`. */
export const categoryText = (category: string): string => category.replaceAll('_', ' ')

const some = (count: number): string => (count === 0 ? 'none' : plural(count, 'episode'))

/** Below this probability a difference is called significant. */
const SIGNIFICANT = 0.05

/** The paired tests of a comparison, in sentences. A is the first result. */
export function testWords(comparison: ReportComparison): readonly string[] {
  const { episodes, success, score, flips, steps } = comparison
  if (episodes === 0) return ['The results have no episode in common, so that they cannot be compared.']
  const byB = flips.filter(({ solvedBy }) => solvedBy === 'b').length
  const byA = flips.length - byB
  const isSignificant = success.test.p < SIGNIFICANT
  const { mean } = score.change
  const test = (p: number) => `(sign-flip test over ${unitsText(comparison)}, ${probabilityText(p)})`
  return [
    `Success: A ${shareWords(success.a)}; B ${shareWords(success.b)}.`,
    flips.length === 0
      ? `A and B solve the same of ${plural(episodes, 'episode')}.`
      : `B solves ${some(byB)} that A does not, and A solves ${some(byA)} that B does not: ${pointsText(success.change.mean)} from A to B, ${meanIntervalText(success.change, pointsText)}.`,
    flips.length === 0
      ? 'There is no difference in success to test.'
      : `${isSignificant ? 'The difference is significant' : 'The difference may be chance'} ${test(success.test.p)}.`,
    score.test.count === 0
      ? 'The mean scores of all instances are equal.'
      : `The mean score ${mean < 0 ? 'falls' : mean > 0 ? 'rises' : 'stays'} ${mean === 0 ? 'at' : 'from'} ${score.a.toFixed(3)}${mean === 0 ? '' : ` to ${score.b.toFixed(3)}`}, which ${score.test.p < SIGNIFICANT ? 'is significant' : 'may be chance'} ${test(score.test.p)}.`,
    `Mean steps: ${steps.a.toFixed(1)} with A, ${steps.b.toFixed(1)} with B.`,
  ]
}
