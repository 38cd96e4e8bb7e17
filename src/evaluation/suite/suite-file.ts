import * as z from 'zod'
import type { AuthoredFaults } from '../../scenario/faults/catalogue.ts'
import type { AuthoredChoices, VariantChoices } from '../../scenario/variants/axis.ts'

/** What an agent may use in an episode. An omitted limit does not apply. */
export const EpisodeBudget = z.strictObject({
  max_steps: z.int().min(1).optional().describe('Calls that act; the next one is refused and ends the episode'),
  time_s: z.number().min(1).max(86_400).optional().describe('Seconds of real time; then the agent is ended'),
  tokens: z
    .int()
    .min(1)
    .optional()
    .describe('Tokens of the model, input and output together, as far as the agent reports them'),
})
export type EpisodeBudget = z.infer<typeof EpisodeBudget>

/** Applied where neither the suite nor the operator sets a limit, so that no episode runs forever. */
export const DEFAULT_BUDGET = { max_steps: 100, time_s: 600 } as const satisfies EpisodeBudget

const MAX_SEEDS = 10_000

/** The seeds of a task: a range such as `1..20`, or a list. */
const Seeds = z.union([
  z
    .string()
    .regex(/^\d{1,9}\.\.\d{1,9}$/, {
      error: 'a range such as 1..20 of at most nine digits each, or a list of whole numbers',
      abort: true,
    })
    .refine((text) => sizeOf(text) > 0, {
      error: ({ input }) => `the range of seeds ${input} is empty; the lower seed comes first`,
    })
    .refine((text) => sizeOf(text) <= MAX_SEEDS, {
      error: ({ input }) => `the range ${input} has more than ${MAX_SEEDS} seeds`,
    }),
  z
    .array(z.int().min(0, `expected a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`))
    .min(1)
    .max(MAX_SEEDS),
])

const boundsOf = (range: string) => range.split('..').map(Number) as [number, number]
function sizeOf(range: string): number {
  const [low, high] = boundsOf(range)
  return high - low + 1
}

const Runs = z.int().min(1).max(1000)
const Variants = z.int().min(0).max(1000)

const SuiteTask = z.strictObject({
  scenario: z
    .string()
    .min(1)
    .describe('A gallery name, a file, or a pattern such as desks/*.yaml, relative to the suite file'),
  exclude: z.array(z.string()).default([]).describe('File names that a pattern leaves out, without their ending'),
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/i, 'letters, digits, dots, hyphens and underscores')
    .optional()
    .describe('The name of the task; by default that of its file'),
  seeds: Seeds.optional(),
  runs: Runs.optional(),
  variants: Variants.optional(),
  variant: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  faults: z.array(z.union([z.string(), z.looseObject({ fault: z.string() })])).default([]),
  tags: z.array(z.string()).default([]).describe('Added to those of the scenario'),
  budget: EpisodeBudget.prefault({}),
})
export type SuiteTask = z.infer<typeof SuiteTask>

/** A suite: the scenarios that an agent is evaluated on, with seeds, variants and budgets. */
export const SuiteFile = z.strictObject({
  suite: z.string().min(1).max(80).describe('The name of the suite'),
  version: z.string().min(1).max(40).describe('Changes when results are no longer comparable'),
  about: z.string().default(''),
  seeds: Seeds.optional().describe('The seeds of tasks that name none; by default the seed of each scenario'),
  runs: Runs.optional().describe('The runs for each seed and variant; 1 by default'),
  variants: Variants.optional().describe('Variants drawn for each seed, besides the scenario as it is; 0 by default'),
  budget: EpisodeBudget.prefault({}),
  tasks: z.array(SuiteTask).min(1).max(10_000),
})
export type SuiteFile = z.infer<typeof SuiteFile>

/** The seeds of a range or list. */
export function seedsOf(text: z.infer<typeof Seeds>): readonly number[] {
  if (typeof text !== 'string') return [...new Set(text)]
  const [low] = boundsOf(text)
  return Array.from({ length: sizeOf(text) }, (_, index) => low + index)
}

/** A scenario of a suite with the seeds, variants and limits in which it is played. */
export interface EvaluationTask {
  readonly id: string
  /** The file of the scenario; absolute. */
  readonly file: string
  readonly seeds: readonly number[]
  readonly runs: number
  /** Axes that are the same in every episode. */
  readonly variant: AuthoredChoices
  readonly faults: AuthoredFaults
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
  readonly variant: AuthoredChoices
  readonly faults: AuthoredFaults
  /** Counts from 1. */
  readonly run: number
  readonly budget: EpisodeBudget
}

/** The episodes of tasks, in the order of tasks, seeds, variants and runs. A variant that is drawn twice is played once. */
export function episodesOf(tasks: readonly EvaluationTask[]): readonly PlannedEpisode[] {
  return tasks.flatMap((task) =>
    task.seeds.flatMap((seed) => {
      const variants = new Map<string, AuthoredChoices>()
      for (const drawn of task.variantsOf(seed)) {
        const variant: AuthoredChoices = { ...drawn, ...task.variant }
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
