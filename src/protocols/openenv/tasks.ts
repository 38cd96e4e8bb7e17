import { Fault } from '../../base/fault.ts'
import { shortened } from '../../base/strings.ts'
import type { ListedScenario } from '../../observer/session/sessions.ts'
import type { Task } from './wire.ts'

/** The seeds of each split. No seed is in two splits. */
const SPLITS = {
  train: { from: 0, count: 100 },
  validation: { from: 100, count: 20 },
  test: { from: 120, count: 20 },
} as const
type Split = keyof typeof SPLITS
const NAMES = Object.keys(SPLITS) as readonly Split[]

/** The splits, as the Task API lists them. */
export const SPLIT_LIST = NAMES.map((name) => ({ name, type: name }))

/** A list of scenarios as tasks: all of them with the first seed of a split, then with the next one. */
export class TaskList {
  readonly #scenarios: readonly (ListedScenario & { readonly task: string })[]

  /** Scenarios without a task are not episodes. */
  constructor(scenarios: readonly ListedScenario[]) {
    this.#scenarios = scenarios.filter((each): each is ListedScenario & { readonly task: string } => each.task !== null)
  }

  /** Throws `BadRequest` for an unknown split. */
  count(split: string): number {
    return this.#scenarios.length * seedsOf(split).count
  }

  /** Throws `BadRequest` for an unknown split, and for an index out of range. */
  at(split: string, index: number): Task {
    const { from } = seedsOf(split)
    const count = this.count(split)
    if (index < 0 || index >= count)
      throw new Fault('BadRequest', `Invalid task index: ${split} has the indices 0 to ${count - 1}, not ${index}`)
    const { scenario, name, task, difficulty, tags } = this.#scenarios[index % this.#scenarios.length]!
    const seed = from + Math.floor(index / this.#scenarios.length)
    return { id: `${scenario}@${seed}`, split, index, scenario, seed, name, task, difficulty, tags: [...tags] }
  }

  /** A slice as in Python: negative positions count from the end. */
  slice(split: string, start?: number | null, stop?: number | null): readonly Task[] {
    const indices = Array.from({ length: this.count(split) }, (_, index) => index)
    return indices.slice(start ?? 0, stop ?? undefined).map((index) => this.at(split, index))
  }
}

function seedsOf(split: string): { readonly from: number; readonly count: number } {
  const name = NAMES.find((known) => known === split)
  if (name === undefined)
    throw new Fault('BadRequest', `split: expected ${NAMES.join(', ')}, not ${JSON.stringify(shortened(split))}`)
  return SPLITS[name]
}
