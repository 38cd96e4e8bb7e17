import * as z from 'zod'

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
