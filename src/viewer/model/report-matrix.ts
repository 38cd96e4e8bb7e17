import { groupsOf } from '../../base/lists.ts'
import type { EvaluationReport, ReportEpisode, ReportFlip, ReportTask } from './report.ts'

/** What a row of the matrix has: all episodes of a task, or the runs of a task in one seed and variant. */
export const ROW_KINDS = ['task', 'condition'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** A cell of the matrix: an episode, in one or both results. Without either it has not been played. */
export interface MatrixCell {
  readonly id: string
  readonly a: ReportEpisode | undefined
  readonly b: ReportEpisode | undefined
  readonly flip: ReportFlip | undefined
  /** Whether the filter keeps it. Others are shown faintly. */
  readonly isKept: boolean
}

/** A row of the matrix. */
export interface MatrixRow {
  /** Unique in the matrix. */
  readonly key: string
  readonly task: ReportTask
  /** The seed and the variant of a condition; empty for a task. */
  readonly note: string
  readonly cells: readonly MatrixCell[]
  /** Of the first result. */
  readonly succeeded: number
  readonly done: number
  /** Of the second result. */
  readonly otherSucceeded: number
  readonly otherDone: number
  readonly score: number
  /** Mean steps over those of the shortest solution in successful episodes; undefined without any. */
  readonly stepsRatio: number | undefined
  /** The same of the second result. */
  readonly otherStepsRatio: number | undefined
  readonly flips: number
  /** Whether runs of one seed and variant end differently. */
  readonly isFlaky: boolean
}

/** Which episodes the matrix keeps. Empty texts keep all. */
export interface ReportFilter {
  readonly text: string
  readonly isFailedOnly: boolean
  /** Keeps flips; without a comparison, runs of one seed and variant that end differently. */
  readonly isFlipsOnly: boolean
  readonly category: string
  readonly tag: string
}

export const NO_FILTER: ReportFilter = { text: '', isFailedOnly: false, isFlipsOnly: false, category: '', tag: '' }

/** The rows of a report, in the order of its tasks. Rows without an episode that the filter keeps are left out. */
export function matrixRows(report: EvaluationReport, kind: RowKind, filter: ReportFilter): readonly MatrixRow[] {
  const keeps = keeperOf(filter, report.comparison !== undefined)
  return rowsOfReport(report, kind).flatMap((row) => {
    const cells = row.cells.map((cell) => ({ ...cell, isKept: keeps(cell, row) }))
    const isOpen = cells.length === 0 && isOpenTask(filter, row.task)
    return isOpen || cells.some(({ isKept }) => isKept) ? [{ ...row, cells }] : []
  })
}

/** A task that is not played yet has no cell; it is shown unless a filter is about episodes. */
const isOpenTask = ({ text, isFailedOnly, isFlipsOnly, category, tag }: ReportFilter, task: ReportTask): boolean =>
  !isFailedOnly && !isFlipsOnly && category === '' && hasTag(task, tag) && isTextOf(task, text.trim().toLowerCase())

function rowsOfReport(report: EvaluationReport, kind: RowKind): readonly MatrixRow[] {
  const flips = new Map(report.comparison?.flips.map((flip) => [flip.episode, flip]))
  const others = otherEpisodes(report)
  const byTask = groupsOf(report.episodes, ({ task }) => task)
  return report.tasks.flatMap((task, index) => {
    const cells = (byTask.get(index) ?? []).map((a): MatrixCell => {
      const b = others.get(a.id)
      return { id: a.id, a, b, flip: flips.get(a.id), isKept: true }
    })
    if (kind === 'task') return [rowOf(`${index}`, task, '', [...cells, ...unplayedCells(task, cells.length)])]
    const conditions = groupsOf(cells, ({ a }) => conditionText(report, a!))
    return [...conditions].map(([note, own]) => rowOf(`${index} ${note}`, task, note, own))
  })
}

const unplayedCells = ({ name, planned }: ReportTask, played: number): readonly MatrixCell[] =>
  Array.from({ length: Math.min(MAX_UNPLAYED, Math.max(0, planned - played)) }, (_, index) => ({
    id: `${name} ${played + index + 1}`,
    a: undefined,
    b: undefined,
    flip: undefined,
    isKept: true,
  }))

/** A manifest may plan more than can be drawn. */
const MAX_UNPLAYED = 1000

/** The episodes of the second result in tasks that are compared. */
function otherEpisodes({ comparison }: EvaluationReport): ReadonlyMap<string, ReportEpisode> {
  if (!comparison) return new Map()
  const omitted = new Set(comparison.omitted.map(({ task }) => task))
  const { tasks, episodes } = comparison.other
  return new Map(episodes.flatMap((each) => (omitted.has(tasks[each.task]!.name) ? [] : [[each.id, each] as const])))
}

/** The seed and the variant of an episode in words. */
export function conditionText({ variants }: Pick<EvaluationReport, 'variants'>, episode: ReportEpisode): string {
  const axes = Object.entries(variants[episode.variant] ?? {}).map(([axis, value]) => `${axis}=${value}`)
  return [`seed ${episode.seed}`, ...axes].join(', ')
}

/** The episode in a list; an empty list without one, and for an episode without a result. */
const judged = (episode: ReportEpisode | undefined): readonly ReportEpisode[] =>
  episode === undefined || episode.failure === 'no_result' ? [] : [episode]

function rowOf(key: string, task: ReportTask, note: string, cells: readonly MatrixCell[]): MatrixRow {
  const ofA = cells.flatMap(({ a }) => judged(a))
  const ofB = cells.flatMap(({ b }) => judged(b))
  return {
    key,
    task,
    note,
    cells,
    succeeded: ofA.filter(({ success }) => success).length,
    done: ofA.length,
    otherSucceeded: ofB.filter(({ success }) => success).length,
    otherDone: ofB.length,
    score: meanOf(ofA.map(({ score }) => score)) ?? 0,
    stepsRatio: meanRatioOf(ofA),
    otherStepsRatio: meanRatioOf(ofB),
    flips: cells.filter(({ flip }) => flip).length,
    isFlaky: flakyConditions(ofA).size > 0,
  }
}

const meanRatioOf = (episodes: readonly ReportEpisode[]): number | undefined =>
  meanOf(episodes.flatMap((each) => (each.success ? (stepsRatioOf(each) ?? []) : [])))

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

/** Steps over those of the shortest solution; undefined where it is not known. */
export const stepsRatioOf = ({ steps, solutionSteps }: ReportEpisode): number | undefined =>
  solutionSteps ? steps / solutionSteps : undefined

const conditionKey = ({ seed, variant }: ReportEpisode): string => `${seed} ${variant}`

/** The seeds and variants whose runs end differently. */
function flakyConditions(episodes: readonly ReportEpisode[]): ReadonlySet<string> {
  const byCondition = groupsOf(episodes, conditionKey)
  const flaky = [...byCondition].filter(([, runs]) => runs.some(({ success }) => success !== runs[0]!.success))
  return new Set(flaky.map(([key]) => key))
}

function keeperOf(filter: ReportFilter, isCompared: boolean): (cell: MatrixCell, row: MatrixRow) => boolean {
  const { isFailedOnly, isFlipsOnly, category, tag } = filter
  const text = filter.text.trim().toLowerCase()
  const flakyOf = new Map<string, ReadonlySet<string>>()
  const isFlaky = (episode: ReportEpisode, { key, cells }: MatrixRow): boolean => {
    const known = flakyOf.get(key) ?? flakyConditions(cells.flatMap(({ a }) => a ?? []))
    flakyOf.set(key, known)
    return known.has(conditionKey(episode))
  }
  return (cell, row) => {
    const both = [cell.a, cell.b].filter((each) => each !== undefined)
    if (isFailedOnly && !both.some(({ success }) => !success)) return false
    if (isFlipsOnly && !(isCompared ? cell.flip : cell.a && isFlaky(cell.a, row))) return false
    if (category !== '' && !both.some(({ failure }) => failure === category)) return false
    if (!hasTag(row.task, tag)) return false
    if (text === '' || isTextOf(row.task, text)) return true
    return both.some((episode) => isTextOfEpisode(episode, text))
  }
}

const hasTag = ({ tags }: ReportTask, tag: string): boolean => tag === '' || tags.includes(tag)

const isTextOf = ({ name, scenario, tags, difficulty }: ReportTask, text: string): boolean =>
  [name, scenario, difficulty ?? '', ...tags].some((each) => each.toLowerCase().includes(text))

const isTextOfEpisode = ({ id, message = '', failure = '', end }: ReportEpisode, text: string): boolean =>
  [id, message, failure, end].some((each) => each.toLowerCase().includes(text))

/** The heading of a column of episodes. */
export interface ColumnHead {
  /** Above the label, such as the seed; empty where the rows differ. */
  readonly top: string
  readonly label: string
  readonly title: string
}

/** The headings of the columns of episodes: seed and run where all rows agree, otherwise numbers. */
export function columnHeads(rows: readonly MatrixRow[], kind: RowKind): readonly ColumnHead[] {
  const count = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  return Array.from({ length: count }, (_, index): ColumnHead => {
    const column = rows.flatMap(({ cells }) => cells[index]?.a ?? [])
    const [first] = column
    const agree = (of: (episode: ReportEpisode) => number) => column.every((each) => of(each) === of(first!))
    const hasRun = first !== undefined && agree(({ run }) => run)
    if (kind === 'condition' && hasRun) return { top: 'run', label: `${first.run}`, title: `Run ${first.run}` }
    if (!hasRun || !agree(({ seed }) => seed) || !agree(({ variant }) => Math.min(1, variant)))
      return { top: '', label: `${index + 1}`, title: `Episode ${index + 1} of each task` }
    const isVaried = first.variant > 0
    return {
      top: `s${first.seed}${isVaried ? '*' : ''}`,
      label: `r${first.run}`,
      title: `Seed ${first.seed}, run ${first.run}${isVaried ? ', in a variant' : ''}`,
    }
  })
}

/** What the rows are sorted by: the order of the suite, a figure of the row, or the episode in a column. */
export type ReportSort =
  | { readonly by: 'suite' | 'name' | 'success' | 'steps' | 'flips'; readonly isDown: boolean }
  | { readonly by: 'column'; readonly column: number; readonly isDown: boolean }

/** Sorts rows. Rows that are equal stay in the order of the suite, and rows without a value come last. */
export function sortedRows(rows: readonly MatrixRow[], sort: ReportSort): readonly MatrixRow[] {
  if (sort.by === 'suite') return rows
  const read = valueBy(sort)
  const direction = sort.isDown ? -1 : 1
  return rows
    .map((row) => ({ row, value: read(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined)
      return direction * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0)
    })
    .map(({ row }) => row)
}

function valueBy(sort: ReportSort): (row: MatrixRow) => number | string | undefined {
  if (sort.by === 'column') return ({ cells }) => cellValue(cells[sort.column])
  const values: Readonly<Record<string, (row: MatrixRow) => number | string | undefined>> = {
    name: ({ task }) => task.name.toLowerCase(),
    success: ({ succeeded, done, score }) => (done === 0 ? undefined : succeeded / done + score / 1000),
    steps: ({ stepsRatio }) => stepsRatio,
    flips: ({ flips }) => flips,
  }
  return values[sort.by] ?? (() => undefined)
}

/** Failures come before successes, and lower scores first. */
const cellValue = (cell: MatrixCell | undefined): number | undefined =>
  cell?.a ? Number(cell.a.success) + cell.a.score / 2 : undefined

/** The sort after a click on a heading: worst first, then the other way, then the order of the suite. */
export function nextSort(now: ReportSort, clicked: ReportSort): ReportSort {
  const isSame =
    now.by === clicked.by && (now.by !== 'column' || clicked.by !== 'column' || now.column === clicked.column)
  if (!isSame) return clicked
  return now.isDown === clicked.isDown ? { ...clicked, isDown: !clicked.isDown } : { by: 'suite', isDown: false }
}

/** What a link into a report opens: a task, or an episode of it. */
export interface ReportPlace {
  readonly task: string
  /** The id of the episode. */
  readonly episode?: string
}

/** The fragment of a link: `#task=login&run=seed-1/run-2`. */
export function linkTo({ task, episode }: ReportPlace): string {
  const run = episode?.startsWith(`${task}/`) ? episode.slice(task.length + 1) : episode
  return `#task=${encoded(task)}${run === undefined ? '' : `&run=${encoded(run)}`}`
}

/** Fragments stay readable: `/`, `=` and `,` may be in them. */
const encoded = (text: string): string => encodeURIComponent(text).replace(/%2F/g, '/').replace(/%2C/g, ',')

/** Reads the fragment of a link; undefined if it names no task. */
export function placeOfLink(fragment: string): ReportPlace | undefined {
  const parts = new Map(
    fragment
      .replace(/^#/, '')
      .split('&')
      .map((part) => {
        const at = part.indexOf('=')
        return [part.slice(0, at), decoded(part.slice(at + 1))] as const
      }),
  )
  const [task, run] = [parts.get('task'), parts.get('run')]
  if (task === undefined) return undefined
  return run === undefined ? { task } : { task, episode: run.startsWith(`${task}/`) ? run : `${task}/${run}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A range of steps over those of the shortest solution, and the episodes in it. */
export interface StepsBin {
  readonly label: string
  readonly count: number
}

/** Upper bounds of the bins, which belong to them. */
const BOUNDS = [0.999, 1, 1.25, 1.5, 2, 3, 5] as const
const LABELS = ['< 1', '1', '≤ 1.25', '≤ 1.5', '≤ 2', '≤ 3', '≤ 5', '> 5'] as const

/** How many successful episodes needed how many times the steps of the shortest solution. Empty without any. */
export function stepsDistribution(episodes: readonly ReportEpisode[]): readonly StepsBin[] {
  const ratios = episodes.flatMap((each) => (each.success ? (stepsRatioOf(each) ?? []) : []))
  if (ratios.length === 0) return []
  const counts = LABELS.map(() => 0)
  for (const ratio of ratios) {
    const at = BOUNDS.findIndex((bound) => ratio <= bound)
    counts[at < 0 ? LABELS.length - 1 : at]!++
  }
  const bins = LABELS.map((label, index) => ({ label, count: counts[index]! }))
  // Fewer steps than the shortest known solution are rare: the bin is shown only when it is needed.
  return bins[0]!.count === 0 ? bins.slice(1) : bins
}
