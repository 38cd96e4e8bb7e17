import * as z from 'zod'
import { EpisodeBudget } from './budget.ts'

const MAX_SEEDS = 10_000

/** The seeds of a task: a range such as `1..20`, or a list. */
const Seeds = z.union([
  z
    .string()
    .regex(/^\d{1,9}\.\.\d{1,9}$/, {
      error: 'a range such as 1..20 of at most nine digits each, or a list of whole numbers',
      abort: true,
    })
    .refine((written) => sizeOf(written) > 0, {
      error: ({ input }) => `the range of seeds ${input} is empty; the lower seed comes first`,
    })
    .refine((written) => sizeOf(written) <= MAX_SEEDS, {
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
export function seedsOf(written: z.infer<typeof Seeds>): readonly number[] {
  if (typeof written !== 'string') return [...new Set(written)]
  const [low] = boundsOf(written)
  return Array.from({ length: sizeOf(written) }, (_, index) => low + index)
}
