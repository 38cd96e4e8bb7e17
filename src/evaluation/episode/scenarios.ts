import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import { memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { loadScenario } from '../../compose/preview.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { withVariant } from '../../scenario/seeds.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { CallMeter } from './meter.ts'

const KEPT_FILES = 50
const KEPT_SOLUTIONS = 10_000

/** The scenarios of episodes, and the lengths of their solutions. A process loads each file once. */
export class EpisodeScenarios {
  readonly #files = new LruCache<string, Promise<Scenario>>(KEPT_FILES)
  readonly #solutionSteps = new LruCache<string, number | null>(KEPT_SOLUTIONS)
  readonly #instances = new LruCache<string, string>(KEPT_SOLUTIONS)

  /** The scenario in the seed and the variant of an episode. */
  async of({ file, seed, variant }: Pick<PlannedEpisode, 'file' | 'seed' | 'variant'>): Promise<Scenario> {
    let loading = this.#files.get(file)
    if (!loading) {
      loading = loadScenario(file)
      this.#files.set(file, loading)
    }
    return withVariant(await loading, variant, seed)
  }

  /** A hash of what the seed of an episode draws: equal for seeds that draw the same, and the same in all variants of a seed. */
  async instanceOf({ file, seed, variant: { data } }: PlannedEpisode): Promise<string> {
    const key = JSON.stringify([file, seed, data])
    const known = this.#instances.get(key)
    if (known !== undefined) return known
    return this.#instances.keep(
      key,
      hashOfDraw(await this.of({ file, seed, variant: data === undefined ? {} : { data } })),
    )
  }

  /** The calls that act in the shortest solution; null without a solution that can be played to its end. */
  async solutionSteps(episode: PlannedEpisode, scenario: Scenario): Promise<number | null> {
    const key = JSON.stringify([episode.file, episode.seed, episode.variant])
    const known = this.#solutionSteps.get(key)
    if (known !== undefined) return known
    let shortest: number | null = null
    for (const solution of scenario.solutions) {
      const meter = new CallMeter()
      const desktop = memorySession(scenario, { onCall: (record) => meter.count(record) })
      let isPlayed = true
      for await (const { failure } of playSolution(desktop, solution)) isPlayed = failure === undefined
      if (isPlayed) shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, meter.steps)
    }
    this.#solutionSteps.set(key, shortest)
    return shortest
  }
}

/** The parts of a scenario in which two seeds may differ. */
const DRAWN = [
  'task',
  'clipboard',
  'files',
  'initial',
  'data',
  'startMs',
  'states',
  'windows',
  'reactions',
  'timers',
  'faults',
  'events',
  'apps',
  'oracles',
] as const satisfies readonly (keyof Scenario)[]

function hashOfDraw(scenario: Scenario): string {
  const parts = JSON.stringify(
    DRAWN.map((part) => scenario[part]),
    (_, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value),
  )
  return createHash('sha256').update(parts).digest('hex').slice(0, 16)
}
