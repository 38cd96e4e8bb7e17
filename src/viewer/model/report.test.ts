import { describe, expect, it } from 'vitest'
import type { EvaluationReport, ReportEpisode, ReportGroup, ReportTask } from './report.ts'
import {
  columnHeads,
  linkTo,
  matrixRows,
  NO_FILTER,
  nextSort,
  placeOfLink,
  type ReportFilter,
  type ReportSort,
  sortedRows,
  stepsDistribution,
} from './report-matrix.ts'
import {
  countText,
  durationWords,
  percentText,
  plural,
  pointsText,
  probabilityText,
  shortCount,
  testWords,
} from './report-words.ts'

// Rules such as [VW30] are stated in README.md of the viewer.

const group: ReportGroup = {
  name: 'all',
  success: { count: 0, of: 0, rate: 0, low: 0, high: 1, units: 0, tasks: 0 },
  score: { mean: 0, low: null, high: null },
  harm: 0,
  attack: 0,
  steps: 0,
  stepsOverSolution: null,
  failures: {},
}

const task = (name: string, planned: number, tags: readonly string[] = []): ReportTask => ({
  name,
  scenario: name,
  tags,
  difficulty: 'easy',
  planned,
})

const episode = (name: string, at: number, run: number, more: Partial<ReportEpisode> = {}): ReportEpisode => ({
  id: `${name}/seed-1/run-${run}`,
  task: at,
  seed: 1,
  variant: 0,
  run,
  success: true,
  score: 1,
  end: 'exited',
  steps: 5,
  solutionSteps: 5,
  virtualMs: 0,
  wallMs: 0,
  calls: {},
  observedTokens: 0,
  ...more,
})

const failed = (score = 0): Partial<ReportEpisode> => ({
  success: false,
  score,
  failure: score > 0 ? 'incomplete' : 'wrong_outcome',
  message: 'The order is Missing',
})

const report = (
  tasks: readonly ReportTask[],
  episodes: readonly ReportEpisode[],
  more: Partial<EvaluationReport> = {},
): EvaluationReport => ({
  format: 'backlot-report-1',
  warnings: [],
  suite: 'basics',
  version: '',
  agent: 'solution',
  folder: 'results',
  playedBy: '0',
  planned: episodes.length,
  total: group,
  pass: [],
  tasks,
  tags: [],
  difficulties: [],
  axes: [],
  used: { calls: 0, observedTokens: 0, overTokens: 0, virtualMs: 0, wallMs: 0 },
  variants: [{}, { theme: 'dark' }],
  episodes,
  ...more,
})

const BASIC = report(
  [task('login', 3, ['smoke']), task('shop', 2), task('mail', 2)],
  [
    episode('login', 0, 1),
    episode('login', 0, 2, failed(0.5)),
    episode('shop', 1, 1, { steps: 10 }),
    episode('shop', 1, 2),
    episode('mail', 2, 1, failed()),
    episode('mail', 2, 2, failed()),
  ],
)

const names = (rows: readonly { readonly task: { readonly name: string } }[]) => rows.map((row) => row.task.name)
const filtered = (filter: Partial<ReportFilter>) => matrixRows(BASIC, 'task', { ...NO_FILTER, ...filter })

describe('[VW30] the matrix', () => {
  it('has a row per task with its figures, and open cells for episodes without a result', () => {
    const rows = matrixRows(BASIC, 'task', NO_FILTER)
    expect(rows.map(({ task: { name }, done, succeeded, cells }) => [name, succeeded, done, cells.length])).toEqual([
      ['login', 1, 2, 3],
      ['shop', 2, 2, 2],
      ['mail', 0, 2, 2],
    ])
    expect(rows[0]!.cells[2]).toMatchObject({ a: undefined, isKept: true })
    expect(rows.map(({ isFlaky, stepsRatio }) => [isFlaky, stepsRatio])).toEqual([
      [true, 1],
      [false, 1.5],
      [false, undefined],
    ])
  })

  it('counts no episode whose failure is no_result', () => {
    const lost = episode('login', 0, 2, { success: false, score: 0, failure: 'no_result' })
    const [row] = matrixRows(report([task('login', 2)], [episode('login', 0, 1), lost]), 'task', NO_FILTER)
    expect(row).toMatchObject({ succeeded: 1, done: 1, score: 1, isFlaky: false })
  })

  it('has a row per seed and variant on request, with a column per run', () => {
    const varied = report(
      [task('login', 3)],
      [
        episode('login', 0, 1),
        episode('login', 0, 2),
        episode('login', 0, 1, { variant: 1, id: 'login/seed-1/theme=dark/run-1' }),
      ],
    )
    const rows = matrixRows(varied, 'condition', NO_FILTER)
    expect(rows.map(({ note, cells }) => [note, cells.length])).toEqual([
      ['seed 1', 2],
      ['seed 1, theme=dark', 1],
    ])
    expect(columnHeads(rows, 'condition').map(({ top, label }) => [top, label])).toEqual([
      ['run', '1'],
      ['run', '2'],
    ])
    const whole = matrixRows(varied, 'task', NO_FILTER)
    expect(columnHeads(whole, 'task').map(({ top, label }) => `${top} ${label}`)).toEqual(['s1 r1', 's1 r2', 's1* r1'])
  })

  it('numbers its columns where the tasks have other seeds', () => {
    const mixed = report(
      [task('login', 1), task('shop', 1)],
      [episode('login', 0, 1), episode('shop', 1, 1, { seed: 7 })],
    )
    const heads = columnHeads(matrixRows(mixed, 'task', NO_FILTER), 'task')
    expect(heads).toEqual([{ top: '', label: '1', title: 'Episode 1 of each task' }])
  })
})

describe('[VW32] the filter', () => {
  it('keeps rows with an episode that fits, and marks the others', () => {
    expect(names(filtered({ isFailedOnly: true }))).toEqual(['login', 'mail'])
    expect(filtered({ isFailedOnly: true })[0]!.cells.map(({ isKept }) => isKept)).toEqual([false, true, false])
    expect(names(filtered({ isFlipsOnly: true }))).toEqual(['login'])
    expect(names(filtered({ category: 'wrong_outcome' }))).toEqual(['mail'])
    expect(names(filtered({ tag: 'smoke' }))).toEqual(['login'])
    expect(names(filtered({ text: 'SHOP' }))).toEqual(['shop'])
    expect(names(filtered({ text: 'is missing' }))).toEqual(['login', 'mail'])
    expect(filtered({ text: '.*' })).toEqual([])
    expect(names(filtered({}))).toHaveLength(3)
  })

  it('shows tasks without an episode unless it is about episodes', () => {
    const open = report([task('login', 0, ['smoke'])], [])
    const rows = (filter: Partial<ReportFilter>) => matrixRows(open, 'task', { ...NO_FILTER, ...filter }).length
    expect([rows({}), rows({ text: 'log' }), rows({ tag: 'smoke' }), rows({ tag: 'other' })]).toEqual([1, 1, 1, 0])
    expect([rows({ isFailedOnly: true }), rows({ category: 'x' })]).toEqual([0, 0])
  })
})

describe('[VW33] sorting', () => {
  const rows = matrixRows(BASIC, 'task', NO_FILTER)
  const sorted = (sort: ReportSort) => names(sortedRows(rows, sort))

  it('orders by figures and by the episode of a column, with rows without a value last', () => {
    expect(sorted({ by: 'suite', isDown: false })).toEqual(['login', 'shop', 'mail'])
    expect(sorted({ by: 'name', isDown: false })).toEqual(['login', 'mail', 'shop'])
    expect(sorted({ by: 'success', isDown: false })).toEqual(['mail', 'login', 'shop'])
    expect(sorted({ by: 'success', isDown: true })).toEqual(['shop', 'login', 'mail'])
    expect(sorted({ by: 'steps', isDown: true })).toEqual(['shop', 'login', 'mail'])
    expect(sorted({ by: 'column', column: 1, isDown: false })).toEqual(['mail', 'login', 'shop'])
    expect(sorted({ by: 'column', column: 2, isDown: false })).toEqual(['login', 'shop', 'mail'])
  })

  it('turns around at the second click, and goes back at the third', () => {
    const clicked: ReportSort = { by: 'steps', isDown: true }
    const once = nextSort({ by: 'suite', isDown: false }, clicked)
    const twice = nextSort(once, clicked)
    expect([once, twice, nextSort(twice, clicked)]).toEqual([
      { by: 'steps', isDown: true },
      { by: 'steps', isDown: false },
      { by: 'suite', isDown: false },
    ])
    const other = nextSort({ by: 'column', column: 1, isDown: false }, { by: 'column', column: 2, isDown: false })
    expect(other).toEqual({ by: 'column', column: 2, isDown: false })
  })
})

describe('[VW36] links', () => {
  it('name a task or an episode, whatever characters they have', () => {
    for (const place of [
      { task: 'login' },
      { task: 'login', episode: 'login/seed-1/run-2' },
      { task: 'a&b=c/#%', episode: 'a&b=c/#%/seed-1/title=<b>&run=1,x=y/run-2' },
    ])
      expect(placeOfLink(linkTo(place))).toEqual(place)
    expect(linkTo({ task: 'login', episode: 'login/seed-1/run-2' })).toBe('#task=login&run=seed-1/run-2')
    expect(placeOfLink('#task=login&run=login/seed-1/run-2')).toEqual({ task: 'login', episode: 'login/seed-1/run-2' })
    expect([placeOfLink(''), placeOfLink('#other'), placeOfLink('#task=%E0%A4%A')]).toEqual([
      undefined,
      undefined,
      { task: '%E0%A4%A' },
    ])
  })
})

describe('[VW39] the distribution of steps', () => {
  it('counts solved episodes by their steps over those of the shortest solution', () => {
    const with_ = (steps: number, more: Partial<ReportEpisode> = {}) => episode('login', 0, 1, { steps, ...more })
    const bins = stepsDistribution([with_(5), with_(6), with_(10), with_(40), with_(9, { success: false })])
    expect(bins.map(({ label, count }) => `${label}: ${count}`)).toEqual([
      '1: 1',
      '≤ 1.25: 1',
      '≤ 1.5: 0',
      '≤ 2: 1',
      '≤ 3: 0',
      '≤ 5: 0',
      '> 5: 1',
    ])
    expect(stepsDistribution([with_(4)])[0]).toEqual({ label: '< 1', count: 1 })
    expect(stepsDistribution([with_(0, { success: false })])).toEqual([])
  })
})

describe('[VW40] two results', () => {
  const b = report(BASIC.tasks, [
    episode('login', 0, 1, failed()),
    episode('login', 0, 2),
    episode('shop', 1, 1),
    episode('mail', 2, 1),
  ])
  const share = { count: 2, of: 4, rate: 0.5, low: 0.15, high: 0.85, units: 2, tasks: 1 }
  const change = { mean: 0.25, low: null, high: null }
  const compared: EvaluationReport = {
    ...BASIC,
    comparison: {
      other: b,
      omitted: [{ task: 'mail', reason: 'its scenario or settings differ' }],
      episodes: 3,
      units: 2,
      tasks: 2,
      success: { a: share, b: { ...share, count: 3, rate: 0.75 }, change, test: { p: 1, count: 2 } },
      score: { a: 0.5, b: 0.75, change: { mean: 0.25, low: 0.1, high: 0.4 }, test: { p: 0.5, count: 1 } },
      steps: { a: 5, b: 6 },
      flips: [
        { episode: 'login/seed-1/run-1', solvedBy: 'a', failure: 'wrong_outcome' },
        { episode: 'login/seed-1/run-2', solvedBy: 'b', failure: 'incomplete' },
      ],
    },
  }

  it('are in one cell, without the tasks that are left out', () => {
    const rows = matrixRows(compared, 'task', NO_FILTER)
    expect(rows.map(({ flips, otherSucceeded, otherDone }) => [flips, otherSucceeded, otherDone])).toEqual([
      [2, 1, 2],
      [0, 1, 1],
      [0, 0, 0],
    ])
    expect(rows[0]!.cells[1]).toMatchObject({ a: { success: false }, b: { success: true }, flip: { solvedBy: 'b' } })
    expect(names(matrixRows(compared, 'task', { ...NO_FILTER, isFlipsOnly: true }))).toEqual(['login'])
    expect(names(sortedRows(rows, { by: 'flips', isDown: true }))).toEqual(['login', 'shop', 'mail'])
  })

  it('have their steps over the shortest solution in each row', () => {
    const rows = matrixRows(compared, 'task', NO_FILTER)
    expect(rows.map(({ stepsRatio, otherStepsRatio }) => [stepsRatio, otherStepsRatio])).toEqual([
      [1, 1],
      [1.5, 1],
      [undefined, undefined],
    ])
  })

  it('have their tests in sentences', () => {
    expect(testWords(compared.comparison!)).toEqual([
      'Success: A 50 % (95 % interval 15 % to 85 % over 2 instances); B 75 % (95 % interval 15 % to 85 % over 2 instances).',
      'B solves 1 episode that A does not, and A solves 1 episode that B does not: +25 points from A to B, no interval below 10 instances.',
      'The difference may be chance (sign-flip test over 2 instances of 2 tasks, p = 1.000).',
      'The mean score rises from 0.500 to 0.750, which may be chance (sign-flip test over 2 instances of 2 tasks, p = 0.500).',
      'Mean steps: 5.0 with A, 6.0 with B.',
    ])
    const score = { a: 1, b: 1, change: { mean: 0, low: null, high: null }, test: { p: 1, count: 0 } }
    const same = { ...compared.comparison!, flips: [], score }
    expect(testWords(same).slice(1, 4)).toEqual([
      'A and B solve the same of 3 episodes.',
      'There is no difference in success to test.',
      'The mean scores of all instances are equal.',
    ])
    expect(testWords({ ...same, episodes: 0 })).toHaveLength(1)
  })
})

it('writes figures as people read them', () => {
  expect([0, 1, 0.8333, 0.5].map(percentText)).toEqual(['0 %', '100 %', '83.3 %', '50 %'])
  expect([0.125, -0.01, 0].map(pointsText)).toEqual(['+12.5 points', '−1 point', '±0 points'])
  expect([250, 12_500, 200_000, 7_500_000].map(durationWords)).toEqual(['250 ms', '12.5 s', '3 min 20 s', '2 h 5 min'])
  expect([999, 1234567].map(countText)).toEqual(['999', '1,234,567'])
  expect([999, 59_560, 1_200_000].map(shortCount)).toEqual(['999', '59.6 k', '1.20 M'])
  expect([plural(1, 'run'), plural(2, 'run')]).toEqual(['1 run', '2 runs'])
  expect([0.0001, 0.031].map(probabilityText)).toEqual(['p < 0.001', 'p = 0.031'])
})
