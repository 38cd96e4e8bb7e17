import { describe, expect, it } from 'vitest'
import type { EpisodeResult } from '../episode/result.ts'
import { unplayed } from '../pool/coordinate.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'
import { resultsJunit, summaryMarkdown, summaryTable } from './format.ts'
import { gatesOf } from './gates.ts'
import { summarize } from './summary.ts'

const manifest = (
  tasks: readonly Partial<EvaluationManifest['tasks'][number]>[],
  episodes: number,
): EvaluationManifest => ({
  format: 'backlot-eval-1',
  suite: 'basics',
  version: '1',
  backlot: '0',
  agent: 'python agent.py',
  label: null,
  agent_hash: null,
  episodes,
  tasks: tasks.map((task) => ({
    id: '',
    scenario: '',
    hash: '',
    tags: [],
    difficulty: null,
    seeds: [1],
    runs: 1,
    episodes: 1,
    ...task,
  })),
})

function result(task: string, run: number, fields: Partial<EpisodeResult> = {}): EpisodeResult {
  const { seed = 1, variant = {} } = fields
  const place = Object.entries(variant).map(([axis, value]) => `/${axis}=${value}`)
  const episode = { task, run, seed, variant, id: `${task}/seed-${seed}${place}/run-${run}` }
  const success = fields.success ?? false
  return {
    ...unplayed({ ...episode, file: '', faults: [], budget: {} }, 'agent_error', '', 0),
    end: 'exited',
    failure: success ? null : 'incomplete',
    score: success ? 1 : 0,
    ...fields,
  }
}

describe('[EV46] the summary', () => {
  const tasks = [
    { id: 'login', tags: ['form'], difficulty: 'easy' },
    { id: 'shop', tags: ['form', 'shop'], difficulty: 'hard' },
  ]
  const results = [
    result('login', 1, { success: true, steps: 6, solution_steps: 5 }),
    result('login', 2, { success: true, steps: 5, solution_steps: 5 }),
    result('shop', 1, { success: true, steps: 20, solution_steps: 8, harm: ['bought twice'] }),
    result('shop', 2, { score: 0.5, failure: 'step_limit', steps: 100, solution_steps: 8 }),
  ]

  it('has shares, scores, steps and failures by task, tag and difficulty', () => {
    const summary = summarize(manifest(tasks, 5), results)
    expect(summary.episodes).toEqual({ done: 4, planned: 5, no_result: 0 })
    expect(summary.total).toMatchObject({ success: { count: 3, of: 4, rate: 0.75 }, harm: 1, steps: 131 / 4 })
    expect(summary.total.steps_over_solution).toBeCloseTo((1.2 + 1 + 2.5) / 3, 12)
    expect(summary.total.score.mean).toBe(0.875)
    expect(summary.tasks.map(({ name, success }) => [name, success.rate])).toEqual([
      ['login', 1],
      ['shop', 0.5],
    ])
    expect(summary.tasks[1]!.failures).toEqual({ step_limit: 1 })
    expect(summary.tags.map(({ name, success }) => [name, success.count, success.of])).toEqual([
      ['form', 3, 4],
      ['shop', 1, 2],
    ])
    expect(summary.difficulties.map(({ name }) => name)).toEqual(['easy', 'hard'])
    expect(summary.pass).toEqual([
      { k: 1, at_least_one: 0.75, all: 0.75 },
      { k: 2, at_least_one: 1, all: 0.5 },
    ])
    expect(summarize(manifest(tasks, 5), results.toReversed())).toEqual(summary)
  })

  it('counts what the model used, where agents report it', () => {
    const model = { input_tokens: 10, output_tokens: 3, cost_usd: 0.25 }
    expect(summarize(manifest(tasks, 2), [result('login', 1)]).used).toMatchObject({
      input_tokens: null,
      cost_usd: null,
    })
    const reported = [result('login', 1, { model }), result('shop', 1, { model: { ...model, cost_usd: null } })]
    expect(summarize(manifest(tasks, 2), reported).used).toMatchObject({
      input_tokens: 20,
      output_tokens: 6,
      cost_usd: 0.25,
    })
  })

  it('is a table, and a sentence while there is no result', () => {
    expect(summaryTable(summarize(manifest(tasks, 5), []))).toBe('no episode has a result')
    const [head, login] = summaryTable(summarize(manifest(tasks, 5), results)).split('\n')
    expect(head).toMatch(/^task +success +score +steps +× solution +harm +attacks +failures$/)
    expect(login).toMatch(/^login +2\/2 +1\.00 +5\.5 +1\.10 +– +– +–$/)
  })
})

describe('[EV6] units of evidence', () => {
  const seeds = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  const only = [{ id: 'login' }]
  /** Seeds of which every third fails. */
  const results = (runs: number) =>
    seeds(12).flatMap((seed) =>
      seeds(runs).map((run) => result('login', run, { seed, instance: `i${seed}`, success: seed % 3 > 0 })),
    )

  it('are instances, however often they are played', () => {
    const [once, often] = [1, 10].map((runs) => summarize(manifest(only, 12 * runs), results(runs)).total.success)
    expect(often).toEqual({ ...once!, count: 80, of: 120 })
    expect(once).toMatchObject({ count: 8, of: 12, units: 12, tasks: 1 })
    expect(summaryTable(summarize(manifest(only, 120), results(10)))).toMatch(
      /^success: 80 of 120 \(66\.7 %, 95 % interval [\d.]+ % to [\d.]+ % over 12 instances\)$/m,
    )
  })

  it('[EV7] are one for seeds that draw the same, which are named', () => {
    const equal = results(1).map((each) => ({ ...each, instance: `i${each.seed % 4}` }))
    const summary = summarize(manifest(only, 12), equal)
    expect(summary.total.success).toMatchObject({ of: 12, units: 4 })
    expect(summary.equal_seeds).toEqual(
      [1, 2, 3, 4].map((seed) => ({ task: 'login', seeds: [seed, seed + 4, seed + 8] })),
    )
    expect(summary.pass.map(({ k }) => k)).toEqual([1, 2, 3])
    expect(summaryTable(summary)).toContain(
      'seeds that draw the same start, and count once: login 1 = 5 = 9, login 2 = 6 = 10, login 3 = 7 = 11, login 4 = 8 = 12',
    )
  })

  it('are those of the same seed where an episode did not start', () => {
    const lost = result('login', 2, { seed: 1, instance: null })
    expect(summarize(manifest(only, 13), [...results(1), lost]).total.success.units).toBe(12)
  })

  it('have the mean of each in the rate, so that an instance with more runs does not weigh more', () => {
    const more = seeds(8).map((run) => result('login', run + 1, { seed: 1, instance: 'i1', success: false }))
    const { success } = summarize(manifest(only, 20), [...results(1), ...more]).total
    expect(success).toMatchObject({ count: 8, of: 20 })
    expect(success.rate).toBeCloseTo((7 + 1 / 9) / 12, 12)
  })

  it('[EV3] of less than ten have no interval of the score', () => {
    const nine = results(1).slice(0, 9)
    expect(summarize(manifest(only, 9), nine).total.score).toEqual({ mean: 6 / 9, low: null, high: null })
    expect(summarize(manifest(only, 12), results(1)).total.score.low).toBeGreaterThan(0.3)
  })
})

describe('[EV8] values of a variant axis', () => {
  const axes = (instances: number) => {
    const drawn = Array.from({ length: instances }, (_, at) => {
      const seed = at + 1
      const one = (variant: EpisodeResult['variant'], success: boolean) =>
        result('login', 1, { seed, instance: `i${seed}`, variant, success })
      // The pseudo locale causes all failures; monitors are drawn with it.
      return [
        one({}, true),
        one({ locale: 'pseudo', monitors: seed % 2 === 0 ? 'right' : 'one' }, false),
        one({ locale: 'de', monitors: seed % 2 === 0 ? 'one' : 'right' }, true),
      ]
    }).flat()
    return summarize(manifest([{ id: 'login' }], drawn.length), drawn).axes
  }

  it('are compared with other values in the same instances, with an interval', () => {
    const [de, pseudo, one, right] = axes(12)
    expect([de, pseudo].map((axis) => [axis!.value, axis!.change])).toEqual([
      ['de', 1],
      ['pseudo', -1],
    ])
    expect([one, right].map((axis) => [axis!.value, axis!.change])).toEqual([
      ['one', 0],
      ['right', 0],
    ])
    expect(right!.low).toBeLessThan(-0.4)
    expect(pseudo!.high).toBeLessThan(-0.4)
  })

  it('have no line below ten instances', () => {
    expect(axes(9)).toEqual([])
    expect(
      summarize(manifest([{ id: 'login' }], 1), [result('login', 1, { variant: { theme: 'dark' } })]).axes,
    ).toEqual([])
  })
})

describe('[EV24] episodes without a result', () => {
  const missing = (run: number, message: string) =>
    result('login', run, { end: 'no_result', failure: 'no_result', message, steps: 9 })
  const results = [
    result('login', 1, { success: true, steps: 5 }),
    missing(2, 'code 75'),
    missing(3, 'code 75'),
    missing(4, 'x'),
  ]
  const summary = summarize(manifest([{ id: 'login' }], 5), results)

  it('are outside of all figures, and listed with their reasons', () => {
    expect(summary.episodes).toEqual({ done: 1, planned: 5, no_result: 3 })
    expect(summary.total).toMatchObject({ success: { count: 1, of: 1, rate: 1 }, steps: 5, failures: {} })
    expect(summary.no_result).toEqual([
      { reason: 'code 75', episodes: ['login/seed-1/run-2', 'login/seed-1/run-3'] },
      { reason: 'x', episodes: ['login/seed-1/run-4'] },
    ])
    const text = summaryTable(summary)
    expect(text).toContain('no result: 3 of 5 episodes, outside of all figures; the same command plays them again')
    expect(text).toContain('no result of login/seed-1/run-2, login/seed-1/run-3: code 75')
  })

  it('are errors in JUnit, and no gate is judged without any result', () => {
    const xml = resultsJunit('s', results)
    expect(xml).toContain('<testsuite name="login" tests="4" failures="0" errors="3">')
    expect(xml).toContain('<error type="no_result" message="code 75"/>')
    const limits = { minSuccess: 1, maxHarm: 0, maxAttacks: 0 }
    expect(gatesOf(summarize(manifest([{ id: 'login' }], 1), results.slice(1)), limits)).toEqual([])
    expect(gatesOf(summary, limits).every(({ isPassed }) => isPassed)).toBe(true)
  })
})

describe('[EV47] reasons of failures', () => {
  const failed = (task: string, run: number, message: string) =>
    result(task, run, { success: false, failure: 'step_limit', message })
  const summary = summarize(manifest([{ id: 'login' }, { id: 'mail' }], 9), [
    failed('login', 1, 'no window'),
    failed('mail', 1, 'no mail'),
    failed('mail', 2, 'no mail'),
    result('mail', 3, { success: true }),
    failed('mail', 4, ''),
  ])

  it('are grouped by task, with the most frequent first', () => {
    expect(summary.failed).toEqual([
      { task: 'mail', failure: 'step_limit', reason: 'no mail', episodes: ['mail/seed-1/run-1', 'mail/seed-1/run-2'] },
      { task: 'login', failure: 'step_limit', reason: 'no window', episodes: ['login/seed-1/run-1'] },
      { task: 'mail', failure: 'step_limit', reason: '', episodes: ['mail/seed-1/run-4'] },
    ])
  })

  it('are lines of the table and of the Markdown, cut where they are long', () => {
    const lines = [
      'failed 2 of mail (step_limit): no mail; first in mail/seed-1/run-1',
      'failed 1 of login (step_limit): no window; first in login/seed-1/run-1',
      'failed 1 of mail (step_limit): no reason was given; first in mail/seed-1/run-4',
    ]
    const isReason = (line: string) => /^(- )?failed \d/.test(line)
    expect(summaryTable(summary).split('\n').filter(isReason)).toEqual(lines)
    expect(summaryMarkdown(summary).split('\n').filter(isReason)).toEqual(lines.map((line) => `- ${line}`))
    const long = summarize(
      manifest([{ id: 'a' }], 6),
      [1, 2, 3, 4, 5, 6].map((run) => failed('a', run, `${run}`.repeat(300))),
    )
    expect(
      summaryTable(long)
        .split('\n')
        .filter((line) => line.startsWith('failed')),
    ).toEqual([
      ...[1, 2, 3, 4, 5].map(
        (run) => `failed 1 of a (step_limit): ${`${run}`.repeat(240)}…; first in a/seed-1/run-${run}`,
      ),
      'failed for 1 other reasons, which the report lists',
    ])
  })
})

describe('[EV55] gates', () => {
  const results = [
    result('mail', 1, { success: true, harm: ['a mail is gone'], attack: ['a mail was sent'] }),
    result('mail', 2, { success: false, harm: ['all mail is gone'], message: 'not done' }),
  ]
  const summary = summarize(manifest([{ id: 'mail' }], 2), results)
  const gates = gatesOf(summary, { minSuccess: 0.5, maxHarm: 1, maxAttacks: 0 })

  it('judge the success rate, harm and attacks', () => {
    expect(gates.map(({ name, value, limit, isPassed }) => [name, value, limit, isPassed])).toEqual([
      ['min-success', 0.5, 0.5, true],
      ['max-harm', 2, 1, false],
      ['max-attacks', 1, 0, false],
    ])
    const text = summaryTable({ ...summary, gates })
    expect(text).toContain('failed gate: harm in 2 episodes; --max-harm 1 allows 1')
    expect(text).toMatch(/^mail +1\/2 +0\.50 +0\.0 +– +2 +1 +incomplete 1$/m)
  })

  it('are cases in JUnit, with the episodes that broke them', () => {
    const xml = resultsJunit('s', results, gates)
    expect(xml).toContain('<failure type="harm" message="harm: a mail is gone; attack: a mail was sent"/>')
    expect(xml).toContain('<failure type="incomplete" message="not done; harm: all mail is gone"/>')
    expect(xml).toContain('<testsuite name="gates" tests="3" failures="2" errors="0">')
    expect(xml).toContain('<testcase classname="gates" name="min-success" time="0.000"/>')
    const tolerant = gatesOf(summary, { minSuccess: 0.5, maxHarm: 2, maxAttacks: 1 })
    expect(resultsJunit('s', results, tolerant)).toContain('<testsuite name="mail" tests="2" failures="1" errors="0">')
  })
})

it('[EV9] the summary names a token limit that agents went beyond', () => {
  const over = [1, 2].map((run) => result('login', run, { success: run === 1, end: 'token_limit' }))
  const summary = summarize(manifest([{ id: 'login' }], 2), over)
  expect(summary.over_tokens).toEqual({ count: 2, succeeded: 1 })
  expect(summaryTable(summary)).toContain('beyond the token limit: 2 episodes, of which 1 count as solved')
})

describe('[EV48] JUnit and Markdown', () => {
  const hostile = 'a<b & "c" \' | ]]> \u0000\u000b\ud800 \u{1f600}\nnew'

  it('stay valid with any text', () => {
    const results = [
      result('login', 1, { message: hostile }),
      result('login', 2, { failure: 'environment_error', message: 'x' }),
      result('login', 3, { success: true, wall_ms: 1234 }),
    ]
    const xml = resultsJunit(hostile, results)
    expect(xml).toContain('<testsuite name="login" tests="3" failures="1" errors="1">')
    expect(xml).toContain('message="a&lt;b &amp; &quot;c&quot; &apos; | ]]&gt;  \u{1f600}\nnew"')
    expect(xml).toContain('name="login/seed-1/run-3" time="1.234"/>')
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b]|\ud800(?![\udc00-\udfff])/)
    const markdown = summaryMarkdown(summarize(manifest([{ id: hostile }], 1), [result(hostile, 1)]))
    const rows = markdown.split('\n').filter((line) => line.startsWith('| a\\<b'))
    expect(rows).toHaveLength(1)
    expect(rows[0]!.match(/(?<!\\)\|/g)).toHaveLength(9)
    const named = summaryMarkdown(summarize({ ...manifest([], 1), agent: 'python\n<img src=x>\n# a.py' }, []))
    expect(named.split('\n').slice(0, 2)).toEqual(['# basics 1: python \\<img src=x> # a.py', ''])
  })
})
