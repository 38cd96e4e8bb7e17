import { createHash, createHmac } from 'node:crypto'
import { memorySession } from '../../compose/memory-session.ts'
import { screenDigest } from '../../compose/verify/solution-run.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import type { LoadedSuite } from '../suite/load-suite.ts'
import type { EvaluationTask } from '../suite/suite-file.ts'

/** The platforms whose trees the manifest has, beside that of the scenario. */
const PERSONALITIES = ['windows-uia', 'web-chromium'] as const

/** What a public seed draws for a task. */
export interface BenchSeed {
  readonly seed: number
  /** A hash of what the seed draws. */
  readonly instance: string
  readonly impossible: boolean
  /** The acts of the shortest solution; null without one that can be played. */
  readonly acts: number | null
  /** Hashes of the trees and pixels at the start, by platform. */
  readonly start: Readonly<Record<string, string>>
}

/** A task of the pack. */
export interface BenchTask {
  readonly id: string
  /** A SHA-256 of the task, of what it includes and of its settings. */
  readonly closure: string
  readonly tags: readonly string[]
  readonly max_steps: number | null
  /** The weights of the checkpoints. */
  readonly weights: readonly number[]
  /** The findings of audits that the author allows, with the reasons. */
  readonly allowed: Readonly<Record<string, string>>
  readonly seeds: readonly BenchSeed[]
}

/** The manifest of a release, as `bench-1.json` has it. */
export interface BenchManifest {
  readonly format: 'backlot-bench-manifest-1'
  readonly suite: string
  readonly version: string
  /** Held-out seeds come from a key that is published when the release retires; until then its SHA-256 is here. */
  readonly held_out: { readonly algorithm: 'HMAC-SHA256'; readonly key_sha256: string | null }
  readonly canary: string
  readonly tasks: readonly BenchTask[]
}

/** The canary of the pack, in its suite and its manifest. */
export const BENCH_CANARY = '5f0c9d3e-7b1a-4f62-9a58-2d6b8e41c7f3'

/** Makes the manifest of a pack. `onTask` is called with each task that is done; `keySha256` is that of `heldOutKeyHash`. */
export async function benchManifest(
  suite: LoadedSuite,
  {
    onTask = () => {},
    keySha256 = null,
  }: { readonly onTask?: (done: number, task: string) => void; readonly keySha256?: string | null } = {},
): Promise<BenchManifest> {
  const scenarios = new EpisodeScenarios()
  const tasks: BenchTask[] = []
  for (const task of suite.tasks) {
    tasks.push(await benchTask(task, scenarios))
    onTask(tasks.length, task.id)
  }
  return {
    format: 'backlot-bench-manifest-1',
    suite: suite.name,
    version: suite.version,
    held_out: { algorithm: 'HMAC-SHA256', key_sha256: keySha256 },
    canary: BENCH_CANARY,
    tasks,
  }
}

async function benchTask(task: EvaluationTask, scenarios: EpisodeScenarios): Promise<BenchTask> {
  const seeds: BenchSeed[] = []
  let scenario: Scenario | undefined
  for (const seed of task.seeds) {
    const episode = { id: '', task: task.id, file: task.file, seed, variant: {}, faults: [], run: 1, budget: {} }
    scenario = await scenarios.of(episode)
    const start: Record<string, string> = { scenario: await startHash(scenario) }
    for (const personality of PERSONALITIES)
      start[personality] = await startHash(await scenarios.of({ ...episode, variant: { personality } }))
    seeds.push({
      seed,
      instance: await scenarios.instanceOf(episode),
      impossible: isImpossible(scenario),
      acts: (await scenarios.solutionUse(episode, scenario)).steps,
      start,
    })
  }
  return {
    id: task.id,
    closure: task.hash,
    tags: task.tags,
    max_steps: task.budget.max_steps ?? null,
    weights: scenario?.oracles.success.map(({ weight = 1 }) => weight) ?? [],
    allowed: Object.fromEntries(
      Object.entries(scenario?.oracles.allow ?? {}).flatMap(([name, reason]) =>
        reason === undefined ? [] : [[name, reason]],
      ),
    ),
    seeds,
  }
}

/** Whether the seed of a scenario has made its task impossible. */
export const isImpossible = ({ oracles }: Scenario): boolean => String(oracles.infeasible?.when) === 'true'

const startHash = async (scenario: Scenario): Promise<string> =>
  createHash('sha256')
    .update(await screenDigest(memorySession(scenario).computer))
    .digest('hex')

/** A published manifest with the entries of tasks that were made anew, in the order of their names. */
export const withRemadeTasks = (published: BenchManifest, made: BenchManifest): BenchManifest => ({
  ...made,
  tasks: [...published.tasks.filter(({ id }) => !made.tasks.some((task) => task.id === id)), ...made.tasks].toSorted(
    (one, other) => (one.id < other.id ? -1 : 1),
  ),
})

/** Where two manifests of a pack differ, in words; empty where they are equal. */
export function manifestChanges(published: BenchManifest, made: BenchManifest): readonly string[] {
  const before = new Map(published.tasks.map((task) => [task.id, task]))
  const after = new Map(made.tasks.map((task) => [task.id, task]))
  return [
    ...(published.version === made.version ? [] : [`the version is ${made.version} and not ${published.version}`]),
    ...published.tasks.flatMap(({ id }) => (after.has(id) ? [] : [`the task ${id} is missing`])),
    ...made.tasks.flatMap((task) => {
      const known = before.get(task.id)
      if (!known) return [`the task ${task.id} is new`]
      if (known.closure !== task.closure) return [`the files or settings of ${task.id} have changed`]
      const seed = task.seeds.find((each, index) => JSON.stringify(each) !== JSON.stringify(known.seeds[index]))
      if (seed) return [`${task.id} starts otherwise in seed ${seed.seed}`]
      return JSON.stringify(known) === JSON.stringify(task) ? [] : [`the entry of ${task.id} is another`]
    }),
  ]
}

const MAX_SEED = 2 ** 31 - 1

/**
 * The held-out seeds of a task, which nobody knows without the key.
 * @param key The secret of a release.
 * @param version The version of the pack.
 * @param task The name of the task.
 * @param count How many seeds.
 */
export const heldOutSeeds = (key: string, version: string, task: string, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => {
    const mac = createHmac('sha256', key).update(`${version}\0${task}\0${index}`).digest()
    // Public seeds and those for training are below ten thousand.
    return 10_000 + (mac.readUInt32BE(0) % (MAX_SEED - 10_000))
  })

/** The SHA-256 of a key for held-out seeds, which the manifest publishes before the key. */
export const heldOutKeyHash = (key: string): string => createHash('sha256').update(key).digest('hex')

/** A pack with the held-out seeds of a key instead of the public ones, as many for each task. */
export const withHeldOutSeeds = (suite: LoadedSuite, key: string): LoadedSuite => ({
  ...suite,
  tasks: suite.tasks.map((task) => ({
    ...task,
    seeds: heldOutSeeds(key, suite.version, task.id, task.seeds.length),
  })),
})
