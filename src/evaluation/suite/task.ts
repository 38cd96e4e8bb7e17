import type { WrittenFaults } from '../../scenario/faults/catalogue.ts'
import type { VariantChoices, WrittenChoices } from '../../scenario/variants/axis.ts'
import type { EpisodeBudget } from './budget.ts'

/** A scenario of a suite with the seeds, variants and limits in which it is played. */
export interface EvaluationTask {
  readonly id: string
  /** The file of the scenario; absolute. */
  readonly file: string
  readonly seeds: readonly number[]
  readonly runs: number
  /** Axes that are the same in every episode. */
  readonly variant: WrittenChoices
  readonly faults: WrittenFaults
  readonly tags: readonly string[]
  readonly difficulty: 'easy' | 'medium' | 'hard' | undefined
  readonly budget: EpisodeBudget
  /** The variants of each seed, of which the first is the scenario as it is. */
  readonly variantsOf: (seed: number) => readonly VariantChoices[]
  /** A SHA-256 over the texts of the scenario and of what it includes, and over the settings of the task. */
  readonly hash: string
}

/** One attempt of an agent at a task. */
export interface PlannedEpisode {
  /** Such as `login/seed-1/run-2` or `login/seed-1/theme=dark/run-2`. Unique in an evaluation. */
  readonly id: string
  readonly task: string
  readonly file: string
  readonly seed: number
  /** Empty for the scenario as it is. */
  readonly variant: WrittenChoices
  readonly faults: WrittenFaults
  /** Counts from 1. */
  readonly run: number
  readonly budget: EpisodeBudget
}

/** The episodes of tasks, in the order of tasks, seeds, variants and runs. A variant that is drawn twice is played once. */
export function episodesOf(tasks: readonly EvaluationTask[]): readonly PlannedEpisode[] {
  return tasks.flatMap((task) =>
    task.seeds.flatMap((seed) => {
      const variants = new Map<string, WrittenChoices>()
      for (const drawn of task.variantsOf(seed)) {
        const variant: WrittenChoices = { ...drawn, ...task.variant }
        const axes = Object.entries(variant).map(([axis, value]) => `${axis}=${value}`)
        const place = [task.id, `seed-${seed}`, ...(axes.length > 0 ? [axes.join(',')] : [])].join('/')
        variants.set(place, variant)
      }
      return [...variants].flatMap(([place, variant]) =>
        Array.from({ length: task.runs }, (_, index) => ({
          id: `${place}/run-${index + 1}`,
          task: task.id,
          file: task.file,
          seed,
          variant,
          faults: task.faults,
          run: index + 1,
          budget: task.budget,
        })),
      )
    }),
  )
}
