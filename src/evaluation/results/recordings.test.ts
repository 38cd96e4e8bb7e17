import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { openAgent } from '../agents/choose-agent.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { runEvaluation } from '../evaluate.ts'
import { onWorkers } from '../pool/coordinate.ts'
import { playOrReport } from '../pool/work-in-process.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { episodeOfTrace, writeRecordings } from './recordings.ts'
import { RESULT_FILES } from './results-folder.ts'

// Rules such as [EV54] are stated in src/evaluation/README.md.

/** The folder of an evaluation of the random agent, which solves nothing, on the scenario login. */
async function evaluated(agent: string, isRecorded = false): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'backlot-recordings-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const clock = realClock()
  const { signal } = new AbortController()
  const stage = {
    agent: await openAgent(agent, { environment: process.env, onProcess: () => {} }),
    scenarios: new EpisodeScenarios(),
    clock,
    signal,
    isTraced: true,
  }
  const openWorker = async () => ({ play: playOne, close: async () => {} })
  const playOne = (episode: Parameters<typeof playOrReport>[0]) => playOrReport(episode, stage)
  await runEvaluation({
    suite: await loadSuite(['login'], { budget: { max_steps: 5 } }),
    agent,
    out,
    traces: 'all',
    playAll: onWorkers({ openWorker, workers: 1, clock, signal }),
    beforeReport: async () => void (isRecorded && (await writeRecordings(out, 'all'))),
  })
  return out
}

it('[EV115] links recordings in the report of the evaluation', async () => {
  const report = readFileSync(join(await evaluated('noop', true), RESULT_FILES.report), 'utf8')
  expect(report).toContain('"recording":"episodes/login/seed-1/run-1/recording.html"')
})

it('[EV54] writes the recordings of failed episodes once', async () => {
  const out = await evaluated('random')
  const [result] = readFileSync(join(out, 'results.jsonl'), 'utf8')
    .split('\n')
    .map((line) => line && JSON.parse(line))
  const file = join(out, result.trace.replace('trace.jsonl', 'recording.html'))
  expect(await writeRecordings(out, 'none')).toBe(0)
  expect(existsSync(file)).toBe(false)
  expect(await writeRecordings(out, 'failed')).toBe(1)
  const page = readFileSync(file, 'utf8')
  expect(page).toContain(`"title":"${result.episode}"`)
  expect(page).toContain('"success":false')
  expect(page).toContain('"warnings":[]')
  expect(await writeRecordings(out, 'all')).toBe(0)
  expect(episodeOfTrace(join(out, result.trace))).toMatchObject({ scenario: 'login', title: result.episode })
  expect(episodeOfTrace(tmpdir())).toBeUndefined()
})

it('[EV54] leaves out episodes that succeeded, and names those that cannot be recorded', async () => {
  const out = await evaluated('solution')
  expect(await writeRecordings(out, 'failed')).toBe(0)
  const [result] = readFileSync(join(out, 'results.jsonl'), 'utf8')
    .split('\n')
    .map((line) => line && JSON.parse(line))
  writeFileSync(join(out, result.trace), 'no trace')
  const problems: unknown[] = []
  expect(await writeRecordings(out, 'all', (_, episode, problem) => problems.push(episode, problem))).toBe(0)
  expect(problems).toEqual([result.episode, expect.stringContaining('is not a trace')])
})
