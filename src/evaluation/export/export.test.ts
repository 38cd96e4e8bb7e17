import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import type { EvaluatedAgent } from '../agents/agent.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { runEvaluation } from '../evaluate.ts'
import { onWorkers } from '../pool/coordinate.ts'
import { playOrReport } from '../pool/work-in-process.ts'
import { readStored, type StoredResults } from '../results/stored-results.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { exportResults, RESULT_FORMATS } from './export.ts'
import { episodeNames } from './exported-episode.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-export-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Signs in with seed 1, and gives up with others. */
const agent: EvaluatedAgent = {
  name: 'node agent.mjs',
  async play({ driver, task, episode }) {
    await driver.locator('Edit "Username"').type(/as (\w+)/.exec(task)![1]!)
    await driver.call('list_windows')
    if (episode.seed !== 1) return {}
    await driver.locator('Edit "Password"').type('x')
    await driver.locator('Button "Login"').click()
    return { usage: { input_tokens: 7, output_tokens: 2, cost_usd: 0.5 } }
  },
}
let stored: StoredResults
beforeAll(async () => {
  const clock = realClock()
  const { signal } = new AbortController()
  const stage = { agent, scenarios: new EpisodeScenarios(), clock, signal, isTraced: true }
  await runEvaluation({
    suite: await loadSuite(['login'], { seeds: [1, 2] }),
    agent: agent.name,
    agentHash: 'abcdef0123456789',
    out: join(folder, 'results'),
    traces: 'all',
    playAll: onWorkers({
      openWorker: async () => ({ play: (episode) => playOrReport(episode, stage), close: async () => {} }),
      workers: 1,
      clock,
      signal,
    }),
  })
  stored = readStored(join(folder, 'results'))
})

const out = (name: string) => join(folder, name)
const json = (...path: readonly string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))

describe('[EV105] ATIF', () => {
  it('has the task, a step for each call with what the agent observed, the version of the agent, and the tokens', async () => {
    expect(await exportResults(stored, 'atif', out('atif'))).toEqual({ written: 2, leftOut: [] })
    const { steps, ...trajectory } = json('atif', 'login_seed-1_run-1.json')
    expect(trajectory).toMatchObject({
      schema_version: 'ATIF-v1.7',
      session_id: 'login/seed-1/run-1',
      trajectory_id: 'login/seed-1/run-1',
      agent: { name: 'node agent.mjs', version: 'abcdef012345' },
      final_metrics: { total_steps: 7, total_prompt_tokens: 7, total_completion_tokens: 2, total_cost_usd: 0.5 },
      extra: { success: true, seed: 1 },
    })
    expect(steps[0]).toMatchObject({ step_id: 1, source: 'user', message: expect.stringContaining('Sign in to Acme') })
    expect(steps[2]).toMatchObject({
      step_id: 3,
      source: 'agent',
      tool_calls: [{ tool_call_id: 'call-2', function_name: 'type_text', arguments: { text: 'alice' } }],
      observation: { results: [{ source_call_id: 'call-2', content: expect.stringContaining('"ok":true') }] },
    })
    // A trace has only the number of windows.
    expect(steps[3].tool_calls[0].function_name).toBe('list_windows')
    expect(JSON.parse(steps[3].observation.results[0].content).windows[0].title).toBe('Acme Login')
  })
})

describe('[EV106] result folders of OSWorld', () => {
  it('have a line and a picture for each action, painted again, and the result', async () => {
    await exportResults(stored, 'osworld', out('osworld'))
    const place = ['osworld', 'backlot', 'observer', 'node_agent.mjs', 'login'] as const
    const files = (name: string) => readdirSync(join(folder, ...place, name))
    const read = (...path: readonly string[]) => readFileSync(join(folder, ...place, ...path), 'utf8')
    const solved = 'login_seed-1_run-1'
    expect(files(solved).filter((name) => name.endsWith('.png'))).toHaveLength(5)
    const rows = read(solved, 'traj.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ step_num, done, reward }) => [step_num, done, reward])).toEqual([
      [1, false, 0],
      [2, false, 0],
      [3, false, 0],
      [4, false, 0],
      [5, true, 1],
    ])
    const pictures = rows.map(({ screenshot_file }) =>
      PNG.sync.read(readFileSync(join(folder, ...place, solved, screenshot_file))),
    )
    expect(pictures[4]).toMatchObject({ width: 1280, height: 800 })
    expect(pictures[4]!.data.equals(pictures[3]!.data)).toBe(false)
    expect(read(solved, 'result.txt')).toBe('1.0\n')
    expect(read('login_seed-2_run-1', 'result.txt')).toBe('0.0\n')
    expect(read('login_seed-2_run-1', 'runtime.log')).toContain('exited')
  })
})

describe('[EV107] jobs of Harbor', () => {
  it('have a trial for each episode, with its reward and its trajectory', async () => {
    await exportResults(stored, 'harbor', out('harbor'))
    const trials = ['login_seed-1_run-1', 'login_seed-2_run-1']
    expect(json('harbor/jobs/login/result.json')).toMatchObject({
      n_total_trials: 2,
      stats: {
        n_completed_trials: 2,
        n_errored_trials: 0,
        evals: {
          'node agent.mjs__login': {
            n_trials: 2,
            metrics: [{ mean: 0.5 }],
            reward_stats: { success: { 1: [trials[0]], 0: [trials[1]] } },
            exception_stats: {},
          },
        },
      },
    })
    const trial = `harbor/jobs/login/${trials[0]}`
    expect(json(trial, 'result.json')).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      task_name: 'login',
      trial_name: trials[0],
      trial_uri: `jobs/login/${trials[0]}`,
      task_id: { path: 'login' },
      task_checksum: stored.manifest.tasks[0]!.hash,
      config: json(trial, 'config.json'),
      agent_info: { name: 'node agent.mjs', version: 'abcdef012345' },
      agent_result: { n_input_tokens: 7, n_output_tokens: 2, cost_usd: 0.5 },
      verifier_result: { rewards: { reward: 1, success: 1 } },
      exception_info: null,
    })
    expect(json(trial, 'agent/trajectory.json').schema_version).toBe('ATIF-v1.7')
    expect(readFileSync(join(folder, trial, 'verifier/reward.txt'), 'utf8')).toBe('1\n')
    expect(readFileSync(join(folder, trial, 'instruction.md'), 'utf8')).toContain('Sign in to Acme')
  })

  it('have the error of an episode that ended with one, and are the same each time', async () => {
    const results = stored.results.map((result) => ({ ...result, end: 'agent_error' as const, message: 'it crashed' }))
    for (const name of ['crashed', 'again']) await exportResults({ ...stored, results }, 'harbor', out(name))
    const result = 'jobs/login/login_seed-1_run-1/result.json'
    expect(json('crashed', result).exception_info).toEqual({
      exception_type: 'agent_error',
      exception_message: 'it crashed',
      exception_traceback: '',
      occurred_at: stored.results[0]!.ended_at,
    })
    expect(json('crashed/jobs/login/result.json').stats).toMatchObject({ n_errored_trials: 2 })
    expect(json('again', result)).toEqual(json('crashed', result))
  })
})

describe('[EV108] an export', () => {
  const first = 'login/seed-1/run-1'
  const second = 'login/seed-2/run-1'

  it('names the episodes without a trace', async () => {
    const results = stored.results.map((result) => ({ ...result, trace: null }))
    for (const format of RESULT_FORMATS)
      expect(await exportResults({ ...stored, results }, format, out('none'))).toEqual({
        written: 0,
        leftOut: [first, second].map((episode) => ({ episode, reason: 'it has no trace' })),
      })
  })

  it('names traces that are cut, and scenarios that are gone', async () => {
    const copy = out('copy')
    cpSync(stored.folder, copy, { recursive: true })
    const trace = join(copy, `episodes/${second}/trace.jsonl`)
    writeFileSync(trace, readFileSync(trace, 'utf8').slice(0, 700))
    const cut = await exportResults(readStored(copy), 'atif', out('cut'))
    expect(cut).toEqual({ written: 1, leftOut: [{ episode: second, reason: 'its trace is cut or changed in line 2' }] })
    const tasks = stored.manifest.tasks.map((task) => ({ ...task, scenario: 'gone.yaml' }))
    const gone = await exportResults({ ...stored, manifest: { ...stored.manifest, tasks } }, 'atif', out('gone'))
    expect(gone.written).toBe(0)
    expect(gone.leftOut[0]!.reason).toMatch(/^its scenario cannot be loaded: .*gone\.yaml/s)
  })

  it('paints no pictures of an environment that has changed since', async () => {
    const copy = out('changed')
    cpSync(stored.folder, copy, { recursive: true })
    const trace = join(copy, `episodes/${first}/trace.jsonl`)
    writeFileSync(trace, readFileSync(trace, 'utf8').replace('"changed":true', '"changed":false'))
    expect(await exportResults(readStored(copy), 'osworld', out('painted'))).toEqual({
      written: 1,
      leftOut: [{ episode: first, reason: 'its replay fails: call 1 (click_element) has another answer now' }],
    })
  })
})

describe('[EV109] the paths of an export', () => {
  it('differ for all episodes, and stay in its folder', async () => {
    expect([...episodeNames(['a/b', 'a_b', 'A b', '../..', '', 'x'.repeat(200)]).values()]).toEqual([
      'a_b',
      'a_b-2',
      'A_b-3',
      '__..',
      '_',
      'x'.repeat(120),
    ])
    const { manifest } = stored
    await exportResults({ ...stored, manifest: { ...manifest, suite: '../..', agent: '..' } }, 'harbor', out('up'))
    expect(readdirSync(out('up/jobs'))).toEqual(['__..'])
    await exportResults({ ...stored, manifest: { ...manifest, agent: '..' } }, 'osworld', out('above'))
    expect(readdirSync(out('above/backlot/observer'))).toEqual(['_'])
  })
})
