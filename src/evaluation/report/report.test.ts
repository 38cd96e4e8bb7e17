import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { EvaluationReport } from '../../viewer/model/report.ts'
import { compareResults } from '../compare/compare.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { runEvaluation } from '../evaluate.ts'
import { RESULT_FILES, rewriteResults } from '../results/results-folder.ts'
import { readStored } from '../results/stored-results.ts'
import { summarize } from '../results/summary.ts'
import { loadSuite } from '../suite/load-suite.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'
import {
  MAX_REPORT_EPISODES,
  RECORDING_PATHS,
  recordingFiles,
  reportOf,
  reportPage,
  servedRecordings,
} from './report-page.ts'
import { readReport, reportApp } from './serve-report.ts'

// Rules such as [EV110] are stated in README.md of the evaluation.

const root = mkdtempSync(join(tmpdir(), 'backlot-report-'))
afterAll(() => rmSync(root, { recursive: true }))
let count = 0

const result = (task: string, run: number, more: Partial<EpisodeResult> = {}): EpisodeResult => ({
  episode: `${task}/seed-1/run-${run}`,
  task,
  seed: 1,
  variant: {},
  run,
  instance: null,
  success: true,
  score: 1,
  harm: [],
  attack: [],
  end: 'exited',
  failure: null,
  message: '',
  steps: 6,
  solution_steps: 5,
  virtual_ms: 100,
  calls: { click_element: 6 },
  observed: {
    picture: { calls: 0, bytes: 0, tokens: 10 },
    tree: { calls: 0, bytes: 0, tokens: 5 },
    text: { calls: 0, bytes: 0, tokens: 1 },
  },
  model: null,
  trace: null,
  final: null,
  wall_ms: 12.6,
  ended_at: '2026-01-01T00:00:00.000Z',
  ...more,
})

const manifestFor = (tasks: readonly string[], episodes: number): EvaluationManifest => ({
  format: 'backlot-eval-1',
  suite: 'basics',
  version: '1',
  backlot: '0.1.0',
  agent: 'agent.js',
  label: null,
  agent_hash: null,
  episodes,
  tasks: tasks.map((id) => ({
    id,
    scenario: id,
    hash: 'same',
    tags: ['smoke'],
    difficulty: 'easy',
    seeds: [1],
    runs: episodes / tasks.length,
    episodes: episodes / tasks.length,
  })),
})

/** Writes a folder of results. */
function folderOf(results: readonly EpisodeResult[], manifest = manifestFor(['login', 'shop'], 4)): string {
  const folder = join(root, `results-${++count}`)
  mkdirSync(folder)
  writeFileSync(join(folder, RESULT_FILES.manifest), JSON.stringify(manifest))
  rewriteResults(join(folder, RESULT_FILES.results), results)
  return folder
}

const none = () => undefined
const read = (folder: string) => readReport({ folder, recordingOf: none })

const FAILED = { success: false, score: 0.5, failure: 'incomplete', message: 'no order' } as const
const RESULTS = [
  result('shop', 1, { ...FAILED, harm: ['a file is gone'] }),
  result('login', 2, { seed: 1, variant: { theme: 'dark', scale: 2 }, episode: 'login/seed-1/x/run-2' }),
  result('login', 1, { model: { input_tokens: 100, output_tokens: 10, cost_usd: 0.5 } }),
  result('shop', 2, { trace: 'episodes/shop/seed-1/run-2/trace.jsonl' }),
]

describe('[EV111] a report', () => {
  it('has the figures of the summary, and the episodes in the order of the suite', async () => {
    const folder = folderOf(RESULTS)
    const report = await read(folder)
    const summary = summarize(readStored(folder).manifest, RESULTS)
    expect(report).toMatchObject({ format: 'backlot-report-1', suite: 'basics', agent: 'agent.js', warnings: [] })
    expect(report.total.success).toEqual(summary.total.success)
    expect(report.tasks.map(({ figures }) => figures?.score)).toEqual(summary.tasks.map(({ score }) => score))
    expect(report.tags).toMatchObject([{ name: 'smoke', success: summary.tags[0]!.success, stepsOverSolution: 1.2 }])
    expect(report.pass).toEqual(summary.pass.map(({ k, at_least_one, all }) => ({ k, atLeastOne: at_least_one, all })))
    expect(report.axes).toEqual(summary.axes)
    expect(report.used).toMatchObject({ calls: 24, inputTokens: 100, costUsd: 0.5 })
    expect(report.variants).toEqual([{}, { theme: 'dark', scale: '2' }])
    expect(report.episodes.map(({ id, task, variant }) => [id, task, variant])).toEqual([
      ['login/seed-1/run-1', 0, 0],
      ['login/seed-1/x/run-2', 0, 1],
      ['shop/seed-1/run-1', 1, 0],
      ['shop/seed-1/run-2', 1, 0],
    ])
    expect(report.episodes[2]).toEqual({
      id: 'shop/seed-1/run-1',
      task: 1,
      seed: 1,
      variant: 0,
      run: 1,
      success: false,
      score: 0.5,
      harm: ['a file is gone'],
      failure: 'incomplete',
      end: 'exited',
      message: 'no order',
      steps: 6,
      solutionSteps: 5,
      virtualMs: 100,
      wallMs: 13,
      calls: { click_element: 6 },
      observedTokens: 16,
    })
  })

  it('has the tests and flips of a comparison, without replays', async () => {
    const a = folderOf(RESULTS)
    const b = folderOf(RESULTS.map((each) => ({ ...each, success: !each.success })))
    const report = await readReport({ folder: a, recordingOf: none }, { folder: b, recordingOf: none })
    const compared = await compareResults(readStored(a), readStored(b))
    expect(report.comparison).toMatchObject({
      episodes: 4,
      success: compared.success,
      score: compared.score,
      steps: compared.steps,
    })
    expect(report.comparison!.flips.map(({ episode, solvedBy }) => [episode, solvedBy])).toEqual(
      compared.flips.map(({ episode, solvedBy }) => [episode, solvedBy]),
    )
    expect(report.comparison!.other.episodes).toHaveLength(4)
  })
})

describe('[EV112] the size of a report', () => {
  it('is bounded by the number of episodes', async () => {
    const long = 'x'.repeat(100_000)
    const results = Array.from({ length: 2000 }, (_, index) =>
      result(index % 2 === 0 ? 'login' : 'shop', index + 1, { ...FAILED, message: long, harm: [long] }),
    )
    const manifest = manifestFor(['login', 'shop'], results.length)
    const summary = summarize(manifest, results)
    const page = await reportPage(reportOf({ folder: 'results', manifest, results, summary }))
    expect(page.length).toBeLessThan(3_300_000)
    const plain = results.map((each) => ({ ...each, message: 'text_visible does not hold: no match', harm: [] }))
    const usual = await reportPage(reportOf({ folder: 'results', manifest, results: plain, summary }))
    expect(usual.length).toBeLessThan(2_000_000)
  })
})

describe('[EV113] a folder', () => {
  it('that cannot be shown is refused by name', async () => {
    await expect(read(join(root, 'missing'))).rejects.toThrow(
      'has no readable manifest.json, as backlot eval writes it',
    )
    const empty = folderOf([])
    await expect(read(empty)).rejects.toThrow('has no result; let the evaluation play an episode first')
    const foreign = folderOf(RESULTS)
    writeFileSync(join(foreign, RESULT_FILES.manifest), '{"format":"other-1"}')
    await expect(read(foreign)).rejects.toThrow('has the format "other-1"; this version reads backlot-eval-1')
    const damaged = folderOf(RESULTS)
    writeFileSync(join(damaged, RESULT_FILES.results), '{"episode":1}\n')
    await expect(read(damaged)).rejects.toThrow('results.jsonl:1 is not a result')
  })

  it('with a cut line, foreign results or open episodes is shown with warnings', async () => {
    const folder = folderOf([...RESULTS.slice(0, 2), result('other', 1)])
    appendFileSync(join(folder, RESULT_FILES.results), '{"episode":"login/se')
    const { warnings, episodes, total } = await read(folder)
    expect(warnings).toEqual([
      `The last line of ${join(folder, RESULT_FILES.results)} was cut off and is left out.`,
      `Results of tasks that the manifest of ${folder} does not have are left out: other.`,
      `${folder} has results of 2 of 4 episodes.`,
    ])
    expect([episodes.length, total.success.of]).toEqual([2, 2])
  })

  it('warns of each reason for episodes without a result', async () => {
    const lost = { success: false, score: 0, failure: 'no_result', end: 'no_result', message: 'down' } as const
    const one = await read(folderOf([...RESULTS.slice(0, 3), result('shop', 2, lost)]))
    expect(one.warnings).toEqual([
      '1 episode of agent.js has no result and is outside of all figures, such as shop/seed-1/run-2: down',
    ])
    const two = await read(folderOf([...RESULTS.slice(1, 3), result('shop', 1, lost), result('shop', 2, lost)]))
    expect(two.warnings).toEqual([
      '2 episodes of agent.js have no result and are outside of all figures, such as shop/seed-1/run-1: down',
    ])
  })

  it('with too many episodes is refused', async () => {
    const folder = folderOf(RESULTS, manifestFor(['login', 'shop'], MAX_REPORT_EPISODES + 2))
    await expect(read(folder)).rejects.toThrow('has 50002 episodes; a report shows at most 50000')
  })
})

describe('[EV110] [EV114] the server', () => {
  it('serves the page and its document, and reads changed files again', async () => {
    const folder = folderOf(RESULTS.slice(0, 3))
    const app = await reportApp({ results: folder, onBug: none })
    const page = await app.inject('/')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('<meta name="backlot-entrance" content="report" />')
    const get = async () => (await app.inject('/report.json')).json() as EvaluationReport
    expect((await get()).episodes).toHaveLength(3)
    rewriteResults(join(folder, RESULT_FILES.results), RESULTS)
    expect((await get()).episodes).toHaveLength(4)
    writeFileSync(join(folder, RESULT_FILES.results), 'x\n')
    const broken = await app.inject('/report.json')
    expect([broken.statusCode, broken.json().error.message]).toEqual([409, expect.stringContaining('is not a result')])
    expect((await app.inject({ url: '/report.json', headers: { host: 'evil.example' } })).statusCode).toBe(403)
    await app.close()
  })
})

describe('[EV116] the recorded run of an episode', () => {
  it('is linked where its file exists, below the folder of the results only', async () => {
    const folder = folderOf(RESULTS)
    const episodes = join(folder, 'episodes/shop/seed-1/run-2')
    const page = () => readReport({ folder, recordingOf: recordingFiles(folder, root) })
    expect((await page()).episodes[3]!.recording).toBeUndefined()
    mkdirSync(episodes, { recursive: true })
    writeFileSync(join(episodes, 'recording.html'), '')
    expect((await page()).episodes[3]!.recording).toMatch(
      /^results-\d+\/episodes\/shop\/seed-1\/run-2\/recording\.html$/,
    )
    const outside = { trace: `../${folder.split('/').at(-1)}/episodes/shop/seed-1/run-2/trace.jsonl` }
    expect(recordingFiles(folder, root)(result('shop', 2, outside))).toBeUndefined()
    const served = servedRecordings(RECORDING_PATHS.first, folder)
    expect(served(result('shop', 2, outside))).toBeUndefined()
    writeFileSync(join(episodes, 'trace.jsonl'), '')
    expect(served(RESULTS[3]!)).toBe('/episodes/shop%2Fseed-1%2Frun-2')
  })
})

describe('[EV116] the server', () => {
  it('makes the page of a recorded run, and refuses other files and episodes', async () => {
    const trace = 'episodes/login/seed-1/run-1/trace.jsonl'
    const folder = folderOf([result('login', 1, { trace }), result('login', 2, { trace: '../secret/trace.jsonl' })])
    mkdirSync(join(folder, 'episodes/login/seed-1/run-1'), { recursive: true })
    writeFileSync(join(folder, trace), '{"type":"header","label":"login/seed-1/run-1"}\n')
    mkdirSync(join(root, 'secret'))
    writeFileSync(join(root, 'secret/trace.jsonl'), '{"type":"header","label":"secret"}\n')
    const app = await reportApp({ results: folder, onBug: none })
    const get = (id: string) => app.inject(`/episodes/${encodeURIComponent(id)}`)
    const page = await get('login/seed-1/run-1')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<meta name="backlot-entrance" content="recording" />')
    for (const id of ['login/seed-1/run-2', 'login/seed-1/run-3', '../../secret', '%00'])
      expect((await get(id)).statusCode).toBe(404)
    expect((await app.inject('/both/episodes/login')).statusCode).toBe(404)
    await app.close()
  })
})

describe('[EV115] an evaluation', () => {
  it('writes its report as one file, which the Markdown names', async () => {
    const out = join(root, 'evaluated')
    await runEvaluation({
      suite: await loadSuite(['login'], {}),
      agent: 'noop',
      out,
      traces: 'none',
      playAll: async (episodes, onEnd) =>
        onEnd({
          result: result('login', 1, { ...FAILED, episode: episodes[0]!.id }),
          trace: undefined,
          log: undefined,
        }),
    })
    const page = readFileSync(join(out, RESULT_FILES.report), 'utf8')
    const [, data = ''] =
      /<script type="application\/json" id="backlot-data-report">([\s\S]*?)<\/script>/.exec(page) ?? []
    expect(JSON.parse(data)).toMatchObject({ format: 'backlot-report-1', agent: 'noop', folder: '' })
    expect(readFileSync(join(out, RESULT_FILES.markdown), 'utf8')).toContain('](report.html)')
  })
})
