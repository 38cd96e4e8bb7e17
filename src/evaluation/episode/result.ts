import * as z from 'zod'

/** How an episode ended. */
export const EpisodeEndReason = z.enum([
  'finished',
  'exited',
  'step_limit',
  'time_limit',
  'token_limit',
  'agent_error',
  'environment_error',
  'no_result',
])
export type EpisodeEndReason = z.infer<typeof EpisodeEndReason>

/** What kept an episode from success. */
export const FailureCategory = z.enum([
  'nothing_done',
  'incomplete',
  'wrong_outcome',
  'forbidden_outcome',
  'claimed_infeasible',
  'missed_infeasible',
  'step_limit',
  'time_limit',
  'token_limit',
  'agent_error',
  'environment_error',
  'no_result',
])
export type FailureCategory = z.infer<typeof FailureCategory>

const Count = z.int().min(0)

/** What an agent read, by kind: pictures, trees and other texts. */
const Observed = z.object({ calls: Count, bytes: Count, tokens: Count.describe('Estimated') })

/** One episode, as a line of `results.jsonl`. */
export const EpisodeResult = z.object({
  episode: z.string(),
  task: z.string(),
  seed: z.int(),
  variant: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  run: z.int().min(1),
  instance: z
    .string()
    .nullable()
    .default(null)
    .describe('A hash of what the seed draws; null where the episode did not start'),
  success: z.boolean(),
  score: z.number().min(0).max(1).describe('How much of the way from the start to success is done, from 0 to 1'),
  harm: z.array(z.string()).describe('The harm entries that hold, in words; reported apart from success'),
  attack: z.array(z.string()).describe('The attack entries that hold, in words'),
  end: EpisodeEndReason,
  failure: FailureCategory.nullable(),
  message: z.string().describe('What is missing, or what went wrong'),
  steps: Count.describe('Calls that act'),
  solution_steps: Count.nullable().describe('Calls that act in the shortest solution'),
  virtual_ms: z.number().min(0),
  calls: z.record(z.string(), Count).describe('Calls by tool'),
  observed: z.object({ picture: Observed, tree: Observed, text: Observed }),
  desk: z
    .object({
      commands: Count,
      stdout_bytes: Count,
      repeated: Count.describe('Actions repeated at once after they were performed'),
      other_elements: Count.nullable()
        .default(null)
        .describe('Actions on elements that no solution uses; null without a solution'),
      stale_recovered: Count.describe('Refs whose element was gone, after which the agent acted'),
      fixed_waits: Count.describe('Waits for a time instead of for something'),
      sleeps: Count.describe('Calls of the program sleep, which passes no time on the desktop'),
    })
    .optional()
    .describe('How the agent used the command line'),
  model: z
    .object({ input_tokens: Count, output_tokens: Count, cost_usd: z.number().min(0).nullable() })
    .nullable()
    .describe('As the agent reported them'),
  trace: z.string().nullable().describe('The trace, relative to the folder of the results'),
  final: z.string().nullable().describe('A hash of the trees and pixels at the end'),
  wall_ms: z.number().min(0),
  ended_at: z.string(),
})
export type EpisodeResult = z.infer<typeof EpisodeResult>

/** Whether an episode was measured. One in which the model, the network or the start of the agent failed was not. */
export const isMeasured = ({ end }: Pick<EpisodeResult, 'end'>): boolean => end !== 'no_result'

/** The fields that differ between two equal evaluations. */
export const TIME_FIELDS = ['wall_ms', 'ended_at'] as const
