import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import type { EvaluatedAgent } from '../agents/agent.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { runEvaluation } from '../evaluate.ts'
import { onWorkers, unplayed } from '../pool/coordinate.ts'
import { playOrReport } from '../pool/work-in-process.ts'
import { RESULT_FILES } from '../results/results-folder.ts'
import { readStored, type StoredResults } from '../results/stored-results.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { compareResults, comparisonText, firstDivergence, type TracedCall } from './compare.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-compare-'))
afterAll(() => rmSync(folder, { recursive: true }))
const scenarios = new EpisodeScenarios()

/** Results of an agent that signs in where `signsIn` says so. */
async function results(name: string, signsIn: (seed: number) => boolean, given = ['login']): Promise<string> {
  const clock = realClock()
  const { signal } = new AbortController()
  const agent: EvaluatedAgent = {
    name,
    async play({ driver, task, episode }) {
      await driver.locator('Edit "Username"').type(/as (\w+)/.exec(task)![1]!)
      if (!signsIn(episode.seed)) return {}
      await driver.locator('Edit "Password"').type('x')
      await driver.locator('Button "Login"').click()
      return {}
    },
  }
  const stage = { agent, scenarios, clock, signal, isTraced: true }
  const out = join(folder, name)
  await runEvaluation({
    suite: await loadSuite(given, { seeds: [1, 2, 3, 4, 5, 6] }),
    agent: name,
    out,
    traces: 'all',
    playAll: onWorkers({
      openWorker: async () => ({ play: (episode) => playOrReport(episode, stage), close: async () => {} }),
      workers: 1,
      clock,
      signal,
    }),
  })
  return out
}

const ENDS = { a: 'exited', b: 'exited' } as const
const call = (tool: string, before: string, after: string, args: Record<string, unknown> = {}): TracedCall => ({
  tool,
  args,
  result_summary: { ok: true },
  tree_hash_before: before,
  tree_hash_after: after,
})

describe('[EV70] a comparison', () => {
  it('leaves out tasks that differ, and names them', async () => {
    const a = readStored(await results('left', () => true))
    const [login] = a.manifest.tasks
    const other = { ...login!, id: 'other' }
    const withTasks = (...tasks: (typeof other)[]) => ({ ...a, manifest: { ...a.manifest, tasks } })
    expect(await compareResults(withTasks(login!, other), withTasks(login!, { ...other, hash: 'x' }))).toMatchObject({
      episodes: 6,
      omitted: [{ task: 'other', reason: 'its scenario or settings differ' }],
    })
    const signin = { ...login!, id: 'signin' }
    expect((await compareResults(withTasks(login!, other), withTasks(login!, signin))).omitted).toEqual([
      { task: 'other', reason: 'only the first has it' },
      { task: 'signin', reason: 'only the second has it' },
    ])
  })

  it('of evaluations without a common episode is refused, with the reasons', async () => {
    const a = readStored(await results('first', () => true))
    const [login] = a.manifest.tasks
    const changed = {
      ...a,
      manifest: {
        ...a.manifest,
        tasks: [
          { ...login!, hash: 'x' },
          { ...login!, id: 'signin' },
        ],
      },
    }
    await expect(compareResults(a, changed)).rejects.toThrow(
      /have no episode in common\n {2}login: its scenario or settings differ\n {2}signin: only the second has it$/,
    )
  })

  it('names how many episodes only one has, and versions that differ', async () => {
    const a = readStored(await results('all', () => true))
    const stopped = { ...a, manifest: { ...a.manifest, backlot: '9.9.9' }, results: a.results.slice(2) }
    const comparison = await compareResults(a, stopped)
    expect(comparison).toMatchObject({ episodes: 4, unpaired: { a: 2, b: 0 } })
    const text = comparisonText(comparison)
    expect(text).toMatch(/^4 episodes in both, \d instances; left out: 2 only in A, 0 only in B$/m)
    expect(text).toContain('B 9.9.9')
  })
})

describe('[EV74] results that cannot be read', () => {
  const broken = async (name: string, file: string, change: (text: string) => string) => {
    const out = await results(name, () => true)
    writeFileSync(join(out, file), change(readFileSync(join(out, file), 'utf8')))
    return out
  }

  it('are refused with what is wrong', async () => {
    expect(() => readStored(folder)).toThrow('has no readable manifest.json')
    const empty = await broken('empty', RESULT_FILES.results, () => '')
    expect(() => readStored(empty)).toThrow('empty/results.jsonl has no result; let the evaluation play')
    rmSync(join(empty, RESULT_FILES.results))
    expect(() => readStored(empty)).toThrow('empty/results.jsonl has no result')
    const manifest = await broken('manifest', RESULT_FILES.manifest, () => '{"format":"backlot-eval-1"}')
    expect(() => readStored(manifest)).toThrow(
      /manifest\.json is not a manifest:\nsuite is missing; version is missing/,
    )
    const twice = await broken('twice', RESULT_FILES.results, (text) => text + text)
    expect(() => readStored(twice)).toThrow('has login/seed-1/run-1 twice, in the lines 1 and 7')
    const cut = await broken('cut', RESULT_FILES.results, (text) => text.slice(0, -20))
    expect(readStored(cut).results).toHaveLength(5)
  })

  it('do not end a comparison where only a trace is cut', async () => {
    const trace = 'episodes/login/seed-2/run-1/trace.jsonl'
    const b = await broken('torn', trace, (text) => text.slice(0, 700))
    const a = await results('failing', (seed) => seed !== 2)
    const comparison = await compareResults(readStored(a), readStored(b))
    expect(comparison.flips).toMatchObject([
      {
        divergence: { first: 'unknown', reason: 'of B, its trace is cut or changed in line 2' },
        replays: { a: { outcome: 'repeats' }, b: { outcome: 'unknown' } },
      },
    ])
    expect(comparisonText(comparison)).toContain(
      'the traces cannot be compared: of B, its trace is cut or changed in line 2',
    )
  })
})

describe('[EV71] two results', () => {
  it('are tested as pairs of instances', async () => {
    const a = readStored(await results('few', (seed) => seed === 1))
    const b = readStored(await results('many', () => true))
    const { success, score, steps, flips, episodes, units } = await compareResults(a, b)
    expect(episodes).toBe(6)
    // Seeds 1 to 6 of this scenario draw fewer different starts.
    const instances = new Set(a.results.map(({ instance }) => instance)).size
    expect(instances).toBeLessThan(6)
    expect(units).toBe(instances)
    expect(success).toMatchObject({ a: { count: 1 }, b: { count: 6 }, test: { p: 2 * 0.5 ** units, count: units } })
    expect(score.b - score.a).toBeGreaterThan(0.5)
    expect(score.test).toMatchObject({ count: units })
    expect(steps.b).toBe(5)
    expect(flips.map(({ solvedBy }) => solvedBy)).toEqual(Array(5).fill('b'))
    const same = await compareResults(b, b)
    expect(same).toMatchObject({ success: { test: { p: 1 } }, flips: [] })
    expect(comparisonText(same)).toContain('no flips: both solve the same episodes')
  })

  /** Results of two tasks in fifteen seeds, each played ten times, whose outcomes depend on the task and the seed only. */
  const stored = (solves: (unit: number) => boolean): StoredResults => {
    const episodes = ['login', 'form'].flatMap((task, at) =>
      Array.from({ length: 150 }, (_, index) => {
        const seed = Math.floor(index / 10) + 1
        const run = (index % 10) + 1
        return { id: `${task}/seed-${seed}/run-${run}`, task, seed, run, unit: at * 15 + seed - 1 }
      }),
    )
    return {
      folder: 'results',
      manifest: {
        format: 'backlot-eval-1',
        suite: 's',
        version: '',
        backlot: '0',
        agent: 'a',
        label: null,
        agent_hash: null,
        episodes: 300,
        tasks: ['login', 'form'].map((id) => ({
          id,
          scenario: id,
          hash: '',
          tags: [],
          difficulty: null,
          seeds: [],
          runs: 10,
          episodes: 150,
        })),
      },
      results: episodes.map(({ unit, ...episode }) => {
        const success = solves(unit)
        const planned = { ...episode, file: '', variant: {}, faults: [], budget: {} }
        return { ...unplayed(planned, 'agent_error', '', 0), instance: `i${unit}`, success, score: Number(success) }
      }),
    }
  }
  const compared = (onlyA: number, onlyB: number, both: number) =>
    compareResults(
      stored((unit) => unit < onlyA || (unit >= onlyA + onlyB && unit < onlyA + onlyB + both)),
      stored((unit) => unit >= onlyA && unit < onlyA + onlyB + both),
      () => {},
      false,
    )

  it('have the exact p-value of their 30 instances, however often each was played', async () => {
    const first = await compared(11, 6, 10)
    expect([first.success.a.rate, first.success.b.rate].map((rate) => rate.toFixed(3))).toEqual(['0.700', '0.533'])
    expect(first.success.test.p.toFixed(2)).toBe('0.33')
    expect(first).toMatchObject({ episodes: 300, units: 30, tasks: 2 })
    expect(comparisonText(first)).toContain('300 episodes in both, 30 instances of 2 tasks\n')
    const second = await compared(8, 5, 10)
    expect(second.success.test.p.toFixed(2)).toBe('0.58')
    expect(second.success.change.low).toBeLessThan(0)
    expect(second.success.change.high).toBeGreaterThan(0)
  })

  it('[EV24] are compared without episodes that have no result', async () => {
    const a = stored(() => true)
    const b = stored(() => true)
    const missing = { end: 'no_result', failure: 'no_result', success: false, score: 0 } as const
    const withGaps = { ...b, results: b.results.map((result, at) => (at < 10 ? { ...result, ...missing } : result)) }
    const comparison = await compareResults(a, withGaps)
    expect(comparison).toMatchObject({ episodes: 290, units: 29, noResult: { a: 0, b: 10 }, flips: [] })
    expect(comparisonText(comparison)).toContain('without a result, and left out: 0 episodes of A, 10 episodes of B')
  })
})

describe('[EV72] a flip', () => {
  it('is the agent’s where it calls otherwise after equal screens, and the environment’s where screens differ', () => {
    const start = call('click_element', 's0', 's1', { selector: 'A' })
    expect(firstDivergence([start], [start], ENDS)).toEqual({ first: 'none' })
    const typed = call('type_text', 's1', 's2', { text: 'x' })
    expect(firstDivergence([start, typed], [start], ENDS)).toMatchObject({
      first: 'agent',
      call: 2,
      b: 'ends (exited)',
    })
    const other = call('type_text', 's1', 's3', { text: 'y' })
    expect(firstDivergence([start, typed], [start, other], ENDS)).toEqual({
      first: 'agent',
      call: 2,
      a: 'type_text {"text":"x"}',
      b: 'type_text {"text":"y"}',
    })
    const answered = { ...typed, tree_hash_after: 's9' }
    expect(firstDivergence([start, typed], [start, answered], ENDS)).toMatchObject({ first: 'environment', call: 2 })
    const moved = { ...typed, tree_hash_before: 's8' }
    expect(firstDivergence([start, typed], [start, moved], ENDS)).toMatchObject({
      first: 'environment',
      call: 2,
      b: 'before the call, tree s8',
    })
    const faulty = { ...typed, result_summary: { ok: false, error: { code: 'Timeout' } } }
    expect(firstDivergence([start, typed], [start, faulty], ENDS)).toEqual({
      first: 'environment',
      call: 2,
      a: 'type_text {"text":"x"} is answered with ok true',
      b: 'type_text {"text":"x"} is answered with ok false',
    })
    expect(firstDivergence([start, typed], [start], { a: 'exited', b: 'time_limit' })).toMatchObject({
      b: 'ends (time_limit)',
    })
    const reordered = call('click_element', 's0', 's1', { b: 1, a: { d: 1, c: 2 } })
    const ordered = call('click_element', 's0', 's1', { a: { c: 2, d: 1 }, b: 1 })
    expect(firstDivergence([reordered], [ordered], ENDS)).toEqual({ first: 'none' })
  })
})

describe('[EV73] the traces of a flip', () => {
  it('are replayed, which shows an environment that answers otherwise', async () => {
    const a = await results('stops', (seed) => seed !== 3)
    const b = await results('signs', () => true)
    const { flips } = await compareResults(readStored(a), readStored(b))
    expect(flips).toMatchObject([
      {
        episode: 'login/seed-3/run-1',
        divergence: { first: 'agent', call: 3, a: 'ends (exited)' },
        replays: { a: { outcome: 'repeats', calls: 2 }, b: { outcome: 'repeats', calls: 5 } },
      },
    ])
    expect(comparisonText(await compareResults(readStored(a), readStored(b)))).toContain(
      'replayed now: A repeats in all 2 calls, B repeats in all 5 calls',
    )
    // A trace of an environment that has since changed.
    const path = join(b, 'episodes/login/seed-3/run-1/trace.jsonl')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll('"changed":true', '"changed":false'))
    const [changed] = (await compareResults(readStored(a), readStored(b))).flips
    expect(changed!.replays.b).toMatchObject({ outcome: 'differs', call: 1 })
    // A trace that has lost its second line, the first call.
    writeFileSync(path, text.split('\n').toSpliced(1, 1).join('\n'))
    const [cut] = (await compareResults(readStored(a), readStored(b))).flips
    const lost = expect.stringMatching(/^(of B, )?1 of 5 recorded calls are missing/)
    expect(cut).toMatchObject({ divergence: { reason: lost }, replays: { b: { outcome: 'unknown', reason: lost } } })
    rmSync(path)
    const [missing] = (await compareResults(readStored(a), readStored(b))).flips
    expect(missing).toMatchObject({
      divergence: { first: 'unknown', reason: 'of B, it has no trace' },
      replays: { b: { outcome: 'unknown' } },
    })
  })

  it('are not read outside of the folder of the results', async () => {
    const b = await results('outside', () => true)
    const a = await results('inside', () => false)
    const secret = join(folder, 'secret/trace.jsonl')
    mkdirSync(dirname(secret), { recursive: true })
    writeFileSync(secret, '{"tool":"finish","args":{}}\n')
    const file = join(b, RESULT_FILES.results)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"trace":"[^"]+"/g, '"trace":"../secret/trace.jsonl"'))
    const { flips } = await compareResults(readStored(a), readStored(b))
    expect(flips).toHaveLength(6)
    for (const flip of flips) expect(flip.divergence).toEqual({ first: 'unknown', reason: 'of B, it has no trace' })
  })
})
