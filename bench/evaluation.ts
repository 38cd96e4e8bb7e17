import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realClock } from '../src/base/clock.ts'
import { GALLERY, galleryNames } from '../src/compose/gallery.ts'
import { solutionAgent } from '../src/evaluation/agents/builtin.ts'
import { playEpisode } from '../src/evaluation/episode/play.ts'
import { EpisodeScenarios } from '../src/evaluation/episode/scenarios.ts'
import { runEvaluation } from '../src/evaluation/evaluate.ts'
import { onWorkers } from '../src/evaluation/pool/coordinate.ts'
import { openProcessWorker } from '../src/evaluation/pool/process-worker.ts'
import { type LoadedSuite, loadSuite } from '../src/evaluation/suite/load-suite.ts'
import { episodesOf } from '../src/evaluation/suite/suite-file.ts'
import { QUICK } from './harness/limits.ts'
import { measure, median, type ReportLine } from './harness/measure.ts'

const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url))
const ROUNDS = QUICK ? 1 : 3
/** Enough that the start of the processes does not decide. */
const EPISODES = QUICK ? 510 : 1020

/** Measures episodes of the gallery, played by their solutions. */
export async function benchEvaluation(): Promise<readonly ReportLine[]> {
  const names = galleryNames().map((name) => join(GALLERY, `${name}.yaml`))
  const runs = Math.ceil(EPISODES / names.length)
  return [...(await episodeCost(await loadSuite(names))), await scaling(await loadSuite(names, { runs }))]
}

/** The cost of an episode, with and without its trace, beside the calls of its solution alone. */
async function episodeCost(suite: LoadedSuite): Promise<readonly ReportLine[]> {
  const episodes = episodesOf(suite.tasks)
  const scenarios = new EpisodeScenarios()
  const clock = realClock()
  const { signal } = new AbortController()
  const all = (isTraced: boolean) => async () => {
    const stage = { agent: solutionAgent, scenarios, clock, signal, isTraced }
    for (const episode of episodes) {
      const { result } = await playEpisode(episode, stage)
      if (!result.success) throw new Error(`${result.episode}: ${result.message}`)
    }
  }
  const [plain, traced] = await measure(
    [
      { name: 'without traces', times: 1, run: all(false) },
      { name: 'with traces', times: 1, run: all(true) },
    ],
    ROUNDS,
  )
  const rate = (cpuMs: number) => `${((episodes.length * 1000) / cpuMs).toFixed(0)} per CPU-second`
  const ofThousand = (cpuMs: number) => `${(cpuMs / episodes.length).toFixed(1)} CPU-seconds`
  return [
    { what: '1,000 episodes of the gallery by their solutions', measured: ofThousand(plain!.cpuMs) },
    { what: '1,000 episodes with traces', measured: ofThousand(traced!.cpuMs) },
    { what: 'episodes of the gallery by their solutions', measured: rate(plain!.cpuMs) },
    {
      what: 'the same with traces',
      measured: `${rate(traced!.cpuMs)}, ${(plain!.cpuMs / traced!.cpuMs).toFixed(2)}×`,
    },
  ]
}

/**
 * How much faster two worker processes are than one. No limit: V8 compiles and collects in threads of its own, so that one
 * worker keeps 1.4 cores busy, and a machine with two has little left for a second.
 */
async function scaling(suite: LoadedSuite): Promise<ReportLine> {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const one = await wallMs(suite, 1)
    ratios.push(one / (await wallMs(suite, 2)))
  }
  return {
    what: `${episodesOf(suite.tasks).length} episodes with two worker processes beside one, wall time`,
    measured: `${median(ratios).toFixed(2)}× on ${availableParallelism()} cores`,
  }
}

async function wallMs(suite: LoadedSuite, workers: number): Promise<number> {
  const out = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  try {
    const started = performance.now()
    const { total } = await runEvaluation({
      suite,
      agent: 'solution',
      out,
      traces: 'none',
      playAll: onWorkers({
        openWorker: (stop) =>
          openProcessWorker({ script: MAIN, args: ['eval-worker'], agent: 'solution', isTraced: false }, stop),
        workers,
        clock: realClock(),
        signal: new AbortController().signal,
      }),
    })
    if (total.success.rate !== 1) throw new Error('a solution failed')
    return performance.now() - started
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
