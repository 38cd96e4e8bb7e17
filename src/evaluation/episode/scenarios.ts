import { createHash } from 'node:crypto'
import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { loadScenario } from '../../compose/preview.ts'
import { walk } from '../../desktop/model/element.ts'
import { findTool } from '../../observer/registry.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { withVariant } from '../../scenario/seeds.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { type ActionTarget, CallMeter } from './meter.ts'

const KEPT_FILES = 50
const KEPT_SOLUTIONS = 10_000
/** An audit plays the same seed and variant many times, and a few others between. */
const KEPT_DRAWS = 8

/** What the solutions of a scenario do. */
export interface SolutionUse {
  /** The calls that act in the shortest one; null without a solution that can be played to its end. */
  readonly steps: number | null
  /** The elements that any of them acts on, or has the keyboard at. */
  readonly targets: readonly ActionTarget[]
}

/** The scenarios of episodes, and what their solutions do. A process loads each file once. */
export class EpisodeScenarios {
  readonly #files = new LruCache<string, Promise<Scenario>>(KEPT_FILES)
  readonly #draws = new LruCache<string, Promise<Scenario>>(KEPT_DRAWS)
  readonly #solutions = new LruCache<string, SolutionUse>(KEPT_SOLUTIONS)
  readonly #instances = new LruCache<string, string>(KEPT_SOLUTIONS)

  /** The scenario in the seed and the variant of an episode. */
  of({ file, seed, variant }: Pick<PlannedEpisode, 'file' | 'seed' | 'variant'>): Promise<Scenario> {
    const key = JSON.stringify([file, seed, variant])
    return this.#draws.get(key) ?? this.#draws.keep(key, this.#draw(file, seed, variant))
  }

  async #draw(file: string, seed: number, variant: PlannedEpisode['variant']): Promise<Scenario> {
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

  /** What the solutions do that can be played to their end. */
  async solutionUse(episode: PlannedEpisode, scenario: Scenario): Promise<SolutionUse> {
    const key = JSON.stringify([episode.file, episode.seed, episode.variant])
    const known = this.#solutions.get(key)
    if (known !== undefined) return known
    let steps: number | null = null
    const targets: ActionTarget[] = []
    for (const solution of scenario.solutions) {
      const meter = new CallMeter()
      const focused: ActionTarget[] = []
      const desktop = memorySession(scenario, {
        onCall: (record) => {
          meter.count(record)
          if (findTool(record.tool)?.kind === 'act') focused.push(...focusedIn(desktop.computer))
        },
      })
      let isPlayed = true
      let needed = 0
      let before = 0
      for await (const { failure, call } of playSolution(desktop, solution)) {
        isPlayed = failure === undefined
        if (!call?.isOptional) needed += meter.steps - before
        before = meter.steps
      }
      if (!isPlayed) continue
      steps = Math.min(steps ?? Number.POSITIVE_INFINITY, needed)
      targets.push(...meter.targets, ...focused)
    }
    return this.#solutions.keep(key, { steps, targets })
  }
}

/** The element that has the keyboard, which keys and texts without an element act on. */
function focusedIn(computer: SyntheticComputer): readonly ActionTarget[] {
  return computer.windows().flatMap(({ uid, focused }) => {
    const tree = focused ? computer.tree(uid) : undefined
    const element = tree && [...walk(tree)].find((each) => each.focused)
    return element ? [{ window: uid, element: element.id }] : []
  })
}

/**
 * How many of these actions were on an element of the scenario that no solution acts on. Null without a solution. A part of
 * an element, such as a cell of a row or the label of a field, counts as the element. Windows of faults are not counted.
 */
export function otherElements(
  actions: readonly ActionTarget[],
  { steps, targets }: SolutionUse,
  { handles }: Pick<Scenario, 'handles'>,
): number | null {
  if (steps === null) return null
  const isOfTask = ({ window, element }: ActionTarget) =>
    targets.some((target) => target.window === window && isSameElement(target.element, element))
  return actions.filter((action) => handles.has(action.window) && !isOfTask(action)).length
}

/** Whether an id is another one, a part of it such as `row-1.name` of `row-1`, or what a platform adds, such as `label:name`. */
function isSameElement(a: string, b: string): boolean {
  const [one, other] = [a, b].map((id) => id.replace(/^[a-z]+:/, ''))
  return one === other || one!.startsWith(`${other}.`) || other!.startsWith(`${one}.`)
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
