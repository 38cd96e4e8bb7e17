import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { realClock } from '../base/clock.ts'
import { findScenario } from '../compose/gallery.ts'
import { AgentUnavailable } from './agents/agent.ts'
import { agentHash, openAgent } from './agents/choose-agent.ts'
import { moduleAgent } from './agents/module.ts'
import { EpisodeScenarios } from './episode/scenarios.ts'
import { type EvaluationOptions, runEvaluation } from './evaluate.ts'
import { onWorkers, unplayed } from './pool/coordinate.ts'
import { playOrReport } from './pool/work-in-process.ts'
import { RESULT_FILES, readResults } from './results/results-folder.ts'
import { readStored } from './results/stored-results.ts'
import { loadSuite } from './suite/load-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-eval-'))
afterAll(() => rmSync(folder, { recursive: true }))

const clock = realClock()
const scenarios = new EpisodeScenarios()
let count = 0

const stageOf = async (agent: string, signal = new AbortController().signal) => ({
  agent: await openAgent(agent, { environment: process.env, onProcess: () => {} }),
  scenarios,
  clock,
  signal,
  isTraced: true,
})

/** Evaluates in this process. */
async function run(
  agent: string,
  given: readonly string[],
  options: Partial<EvaluationOptions> & { runs?: number; signal?: AbortSignal } = {},
) {
  const out = options.out ?? join(folder, `out-${++count}`)
  const signal = options.signal ?? new AbortController().signal
  const stage = await stageOf(agent, signal)
  const summary = await runEvaluation({
    suite: await loadSuite(given, { runs: options.runs }),
    agent,
    out,
    traces: 'all',
    playAll: onWorkers({
      openWorker: async () => ({ play: (episode) => playOrReport(episode, stage), close: async () => {} }),
      workers: 2,
      clock,
      signal,
    }),
    ...options,
  })
  return {
    out,
    summary,
    read: (name: keyof typeof RESULT_FILES) => readFileSync(join(out, RESULT_FILES[name]), 'utf8'),
  }
}
const withoutTimes = (text: string): string =>
  text
    .replace(/"wall_?ms": ?[\d.]+/gi, '')
    .replace(/"ended_at":"[^"]+"/g, '')
    .replace(/time="[^"]+"/g, '')

describe('[EV41] an evaluation', () => {
  it('writes the same files after a stop as without one', async () => {
    const whole = await run('solution', ['login', 'form'], { runs: 3 })
    expect(whole.summary.total.success).toMatchObject({ count: 6, of: 6, rate: 1 })
    const out = join(folder, 'stopped')
    const stop = new AbortController()
    const part = await run('solution', ['login', 'form'], {
      runs: 3,
      out,
      signal: stop.signal,
      onProgress: ({ played }) => {
        if (played === 2) stop.abort()
      },
    })
    expect(part.summary.episodes.done).toBeLessThan(6)
    const events: number[] = []
    const rest = await run('solution', ['login', 'form'], {
      runs: 3,
      out,
      onProgress: ({ done }) => void events.push(done),
    })
    expect(events).toEqual([2, 3, 4, 5, 6])
    for (const name of Object.keys(RESULT_FILES) as (keyof typeof RESULT_FILES)[])
      expect(withoutTimes(rest.read(name))).toBe(withoutTimes(whole.read(name)))
    for (const { trace } of readResults(join(out, RESULT_FILES.results))) {
      const text = (of: string) => readFileSync(join(of, trace!), 'utf8')
      expect(text(out)).toBe(text(whole.out))
    }
  })
})

describe('[EV40] results', () => {
  it('continue after a line that was cut off', async () => {
    const { out } = await run('noop', ['login'])
    const results = join(out, RESULT_FILES.results)
    writeFileSync(results, '')
    appendFileSync(results, '{"episode":"login/seed-1/ru')
    const again = await run('noop', ['login'], { out })
    expect(again.summary.episodes).toEqual({ done: 1, planned: 1, no_result: 0 })
    expect(readResults(results)).toHaveLength(1)
    writeFileSync(results, '{"episode":1}\n')
    await expect(run('noop', ['login'], { out })).rejects.toThrow('results.jsonl:1 is not a result')
  })
})

describe('[EV42] results of something else', () => {
  it('are not continued', async () => {
    const { out } = await run('noop', ['login'])
    await expect(run('random', ['login'], { out })).rejects.toThrow(
      /has results that cannot be continued: they are of the agent noop; choose another folder with --out, or start anew with --fresh/,
    )
    writeFileSync(join(out, RESULT_FILES.manifest), '{}')
    await expect(run('noop', ['login'], { out })).rejects.toThrow('has the format undefined')
    rmSync(join(out, RESULT_FILES.manifest))
    await expect(run('noop', ['login'], { out })).rejects.toThrow('has results without manifest.json')
  })
})

describe('[EV43] results of an agent or a scenario that has changed', () => {
  /** Plays an agent that is a module with a file that it imports. */
  const evaluated = async (name: string, body: string, given: readonly string[], more: object = {}) => {
    const home = join(folder, name)
    mkdirSync(home, { recursive: true })
    const module = join(home, 'agent.mjs')
    writeFileSync(module, "import { act } from './act.mjs'\nexport default act\n")
    writeFileSync(join(home, 'act.mjs'), `export const act = async (desktop) => { ${body} }\n`)
    const notices: string[] = []
    const done: number[] = []
    const { summary } = await run(module, given, {
      out: join(home, 'out'),
      agentHash: agentHash(module, {}),
      onNotice: (text) => notices.push(text),
      onProgress: ({ played }) => done.push(played),
      ...more,
    })
    return { home, out: join(home, 'out'), notices, played: done.at(-1), summary }
  }

  it('[EV44] are moved away, also with --fresh, and the evaluation starts anew and says so', async () => {
    const first = await evaluated('content', '', ['login'])
    expect([first.played, first.notices]).toEqual([1, []])
    const same = await evaluated('content', '', ['login'])
    expect([same.played, same.notices]).toEqual([0, []])
    const { played, notices, out } = await evaluated('content', 'return undefined', ['login'])
    expect(played).toBe(1)
    expect(notices).toEqual([
      `starts anew, because the files of the agent ${join(folder, 'content/agent.mjs')} have changed; the earlier results are in ${join(out, 'earlier-1')}`,
    ])
    expect(readStored(join(out, 'earlier-1')).results).toHaveLength(1)
    expect(existsSync(join(out, 'earlier-1', readStored(out).results[0]!.trace!))).toBe(true)
    expect((await evaluated('content', 'return undefined', ['login'], { isFresh: true })).notices).toEqual([
      `starts anew; the earlier results are in ${join(out, 'earlier-2')}`,
    ])
  })

  it('are moved away when a file that the scenario includes has changed', async () => {
    const home = join(folder, 'scenarios')
    mkdirSync(home)
    const scenario = join(home, 'own.yaml')
    writeFileSync(scenario, readFileSync(findScenario('login'), 'utf8'))
    expect((await evaluated('scenario', '', [scenario])).played).toBe(1)
    writeFileSync(scenario, readFileSync(scenario, 'utf8').replace('Sign in', 'Log in').concat('\n# changed\n'))
    const { notices, played } = await evaluated('scenario', '', [scenario])
    expect(played).toBe(1)
    expect(notices[0]).toMatch(/^starts anew, because the scenario or the settings of the task own have changed; /)
  })
})

describe('[EV24] an episode without a result', () => {
  it('[EV25] is played again by the same command, and those that have one are not', async () => {
    const out = join(folder, 'again')
    const stage = await stageOf('solution')
    let isDown = true
    const played: string[] = []
    const playAll: EvaluationOptions['playAll'] = async (episodes, onPlayed) => {
      for (const episode of episodes) {
        played.push(episode.id)
        const isMissing = isDown && episode.run === 2
        if (isMissing) onPlayed({ result: unplayed(episode, 'no_result', 'the model answered 529', 0) })
        else onPlayed(await playOrReport(episode, stage))
      }
    }
    const first = await run('solution', ['login'], { out, runs: 3, playAll })
    expect(first.summary.episodes).toEqual({ done: 2, planned: 3, no_result: 1 })
    expect(first.read('markdown')).toContain('no result of login/seed-1/run-2: the model answered 529')
    isDown = false
    played.length = 0
    const second = await run('solution', ['login'], { out, runs: 3, playAll })
    expect(played).toEqual(['login/seed-1/run-2'])
    expect(second.summary.episodes).toEqual({ done: 3, planned: 3, no_result: 0 })
    expect(readResults(join(out, RESULT_FILES.results)).map(({ success }) => success)).toEqual([true, true, true])
  })

  it('[EV23] is one whose module says so, and every one of a module that does not load', async () => {
    const down = join(folder, 'down.mjs')
    writeFileSync(
      down,
      "export default async () => { throw Object.assign(new Error('503 from the model'), { code: 'NO_RESULT' }) }\n",
    )
    const { out } = await run(down, ['login'])
    expect(readResults(join(out, RESULT_FILES.results))).toMatchObject([
      { end: 'no_result', failure: 'no_result', message: '503 from the model', instance: expect.any(String) },
    ])
    const missing = await run('noop', ['login', 'form'], {
      playAll: onWorkers({
        openWorker: () => Promise.reject(new AgentUnavailable('it does not load')),
        workers: 2,
        clock,
        signal: new AbortController().signal,
      }),
    })
    expect(missing.summary.no_result).toEqual([
      { reason: 'it does not load', episodes: ['form/seed-4/run-1', 'login/seed-1/run-1'] },
    ])
  })
})

describe('[EV60] a module that does not load', () => {
  const messageFor = async (name: string, text: string, type?: string): Promise<string> => {
    const home = join(folder, `load-${name.replace(/\W/g, '-')}-${type}`)
    mkdirSync(home)
    if (type !== undefined) writeFileSync(join(home, 'package.json'), JSON.stringify({ type }))
    const path = join(home, name)
    writeFileSync(path, text)
    const thrown = await moduleAgent(path).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(AgentUnavailable)
    return (thrown as Error).message.replaceAll(`${home}/`, '')
  }

  it('is named with what to do', async () => {
    // Vitest imports modules itself, so that the errors of Node.js are thrown by the modules.
    const syntax = (message: string) => `throw new SyntaxError(${JSON.stringify(message)})`
    expect(await messageFor('agent.mjs', syntax("Unexpected token 'export'"))).toBe(
      'the agent agent.mjs does not load: it is an ES module, but its name and its package.json say CommonJS; rename it to agent.mjs, or add "type": "module" to package.json',
    )
    expect(await messageFor('two.mjs', 'throw new Error("no key")')).toBe('the agent two.mjs does not load: no key')
    expect(await messageFor('three.mjs', 'throw null')).toBe('the agent three.mjs does not load: null')
    expect(await messageFor('four.mjs', 'export const play = 1')).toBe(
      'four.mjs has no function as its default export; write export default async (desktop, task) => { … }',
    )
  })
})

describe('[EV53] files that an agent has changed', () => {
  it('are written again at the end of the evaluation', async () => {
    const notices: string[] = []
    const out = join(folder, 'changed')
    const stage = await stageOf('solution')
    await run('solution', ['login'], {
      out,
      runs: 2,
      onNotice: (text) => notices.push(text),
      playAll: async (episodes, onPlayed) => {
        for (const episode of episodes) onPlayed(await playOrReport(episode, stage))
        writeFileSync(join(out, RESULT_FILES.manifest), '{}')
        writeFileSync(join(out, RESULT_FILES.results), '{}\n')
      },
    })
    expect(notices).toEqual(['manifest.json was changed while the evaluation ran, and is written again'])
    expect(readStored(out)).toMatchObject({ manifest: { agent: 'solution' }, results: [{ run: 1 }, { run: 2 }] })
  })
})

describe('[EV42] results of an episode that is not played', () => {
  it('are not continued', async () => {
    const { out } = await run('noop', ['login'])
    const results = join(out, RESULT_FILES.results)
    writeFileSync(results, readFileSync(results, 'utf8').replace('run-1', 'run-9'))
    await expect(run('noop', ['login'], { out })).rejects.toThrow(
      'has a result of login/seed-1/run-9, which is not played',
    )
    writeFileSync(join(out, RESULT_FILES.manifest), '{"format": "backlot-eval-1"}')
    await expect(run('noop', ['login'], { out })).rejects.toThrow('manifest.json is not a manifest')
  })
})

describe('[EV49] a folder', () => {
  const lockOf = (out: string) => join(out, 'evaluation.lock')

  it('is used by one evaluation at a time', async () => {
    const out = join(folder, 'twice')
    let second: Promise<unknown> = Promise.resolve()
    await run('solution', ['login'], {
      out,
      runs: 5,
      onProgress: ({ played }) => {
        if (played === 1) second = run('solution', ['login'], { out, runs: 5 }).catch((error: Error) => error.message)
      },
      playAll: async (episodes, onPlayed) => {
        const stage = await stageOf('solution')
        for (const episode of episodes) {
          onPlayed(await playOrReport(episode, stage))
          await second
        }
      },
    })
    expect(await second).toMatch(/^another evaluation uses .*twice \(process \d+ on .*\); wait for its end/)
    expect(readResults(join(out, RESULT_FILES.results))).toHaveLength(5)
    expect(existsSync(lockOf(out))).toBe(false)
  })

  it('is free when the process of its evaluation has ended', async () => {
    const { out } = await run('noop', ['login'])
    const { pid } = spawnSync(process.execPath, ['--version'])
    writeFileSync(lockOf(out), JSON.stringify({ pid, host: hostname() }))
    await run('noop', ['login'], { out })
    writeFileSync(lockOf(out), JSON.stringify({ pid, host: 'another' }))
    await expect(run('noop', ['login'], { out })).rejects.toThrow('on another')
    utimesSync(lockOf(out), 0, 0)
    await run('noop', ['login'], { out })
    writeFileSync(lockOf(out), '')
    await expect(run('noop', ['login'], { out })).rejects.toThrow(/another evaluation uses [^(]*; wait/)
  })
})

describe('[EV50] a folder that cannot be written', () => {
  it('is an error that names it', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const out of [file, join(file, 'below')])
      await expect(run('noop', ['login'], { out })).rejects.toThrow(
        expect.objectContaining({ name: 'Error', message: expect.stringContaining(`cannot be written to ${out}: E`) }),
      )
    const out = join(folder, 'blocked')
    mkdirSync(join(out, RESULT_FILES.results), { recursive: true })
    writeFileSync(join(out, 'episodes'), '')
    await expect(run('noop', ['login'], { out })).rejects.toThrow('has results without manifest.json')
    rmSync(join(out, RESULT_FILES.results), { recursive: true })
    await expect(run('noop', ['login'], { out })).rejects.toThrow(/cannot be written to .*blocked: E/)
  })
})

describe('[EV52] the files of an episode', () => {
  it('are below the folder of the results, and never those of another', async () => {
    const suite = await loadSuite(['login'])
    const [task] = suite.tasks
    const ids = ['..', '.', 'a b', 'a_b', 'a?b', 'x'.repeat(300), '...']
    const { out } = await run('noop', ['login'], { suite: { ...suite, tasks: ids.map((id) => ({ ...task!, id })) } })
    const traces = readResults(join(out, RESULT_FILES.results)).map(({ trace }) => trace!)
    expect(new Set(traces).size).toBe(ids.length)
    for (const trace of traces) {
      expect(trace.split('/').slice(0, -1).join('/')).toMatch(/^episodes\/(?!\.)[\w-]{1,160}\/seed-1\/run-1$/)
      expect(existsSync(join(out, trace))).toBe(true)
    }
  })
})

describe('[EV22] a module', () => {
  it('that throws outside of its promise has crashed', async () => {
    const file = join(folder, 'stray.mjs')
    writeFileSync(file, "export default () => new Promise(() => setTimeout(() => { throw new Error('stray') }, 1))\n")
    const { out } = await run(file, ['login'])
    expect(readResults(join(out, RESULT_FILES.results))).toMatchObject([
      { failure: 'agent_error', message: expect.stringContaining('the agent failed: stray') },
    ])
  })
})

describe('traces', () => {
  it('are kept of all episodes, of those that failed, or of none', async () => {
    const failed = await run('noop', ['login'], { traces: 'failed' })
    const [result] = readResults(join(failed.out, RESULT_FILES.results))
    expect(result!.trace).toBe('episodes/login/seed-1/run-1/trace.jsonl')
    expect(existsSync(join(failed.out, result!.trace!))).toBe(true)
    for (const [agent, traces] of [
      ['solution', 'failed'],
      ['noop', 'none'],
    ] as const) {
      const { out } = await run(agent, ['login'], { traces })
      expect(readResults(join(out, RESULT_FILES.results))[0]!.trace).toBeNull()
      expect(existsSync(join(out, 'episodes'))).toBe(false)
    }
  })
})
