import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { realClock } from '../base/clock.ts'
import { openAgent } from './agents/choose-agent.ts'
import { EpisodeScenarios } from './episode/scenarios.ts'
import { type EvaluationOptions, RESULT_FILES, runEvaluation } from './evaluate.ts'
import { onWorkers } from './pool/coordinate.ts'
import { playOrReport } from './pool/work-in-process.ts'
import { readResults } from './results/results-file.ts'
import { loadSuite } from './suite/load-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-eval-'))
afterAll(() => rmSync(folder, { recursive: true }))

const clock = realClock()
const scenarios = new EpisodeScenarios()
let count = 0

/** Evaluates in this process. */
async function run(
  agent: string,
  given: readonly string[],
  options: Partial<EvaluationOptions> & { runs?: number; signal?: AbortSignal } = {},
) {
  const out = options.out ?? join(folder, `out-${++count}`)
  const signal = options.signal ?? new AbortController().signal
  const stage = {
    agent: await openAgent(agent, { environment: process.env, onProcess: () => {} }),
    scenarios,
    clock,
    signal,
    isTraced: true,
  }
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
    .replace(/"wall_ms": ?[\d.]+/g, '')
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
    expect(again.summary.episodes).toEqual({ done: 1, planned: 1 })
    expect(readResults(results)).toHaveLength(1)
    writeFileSync(results, '{"episode":1}\n')
    await expect(run('noop', ['login'], { out })).rejects.toThrow('results.jsonl:1 is not a result')
  })
})

describe('[EV42] results of something else', () => {
  it('are not continued', async () => {
    const { out } = await run('noop', ['login'])
    await expect(run('random', ['login'], { out })).rejects.toThrow(
      /has results that cannot be continued: they are of the agent noop; choose another folder with --out/,
    )
    writeFileSync(join(out, RESULT_FILES.manifest), '{}')
    await expect(run('noop', ['login'], { out })).rejects.toThrow('has the format undefined')
    rmSync(join(out, RESULT_FILES.manifest))
    await expect(run('noop', ['login'], { out })).rejects.toThrow('has results without manifest.json')
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
