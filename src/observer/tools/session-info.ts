import * as z from 'zod'
import { andThen } from '../../base/awaitable.ts'
import { rewardOf } from '../oracles/oracles.ts'
import type { Parts } from '../session/context.ts'
import type { PictureParts } from '../session/parts.ts'
import { defineTool } from '../tool.ts'

const sessionInfo = defineTool({
  name: 'session_info',
  kind: 'look',
  audience: 'harness',
  summary: 'Get the state of the session: scenario, state, seed, steps, reward, and how the agent ended its run.',
  input: z.object({}),
  output: z.object({
    session_id: z.string(),
    audience: z.enum(['all', 'agent']).describe('The tools that callers may use without the harness token'),
    scenario: z.string().nullable(),
    state: z.string().nullable(),
    seed: z.number().nullable(),
    step: z
      .int()
      .nullable()
      .describe('The number of changes of the desktop, as session_rewind and session_fork count them'),
    reward: z.number().nullable().describe('1: the success oracles hold; -1: a failure oracle holds; else 0'),
    episode_actions: z.int().describe('The number of actions of session_step in this episode, refused ones included'),
    finished: z
      .object({ status: z.enum(['done', 'infeasible']), text: z.string() })
      .nullable()
      .describe('The arguments of finish'),
  }),
  faults: [],
  traits: { idempotent: true },
  run: (_, context: PictureParts & Parts<'id' | 'audience' | 'episode'>) => {
    const { simulation } = context.computer
    return andThen(simulation ? rewardOf(context, simulation) : null, (reward) => ({
      session_id: context.id,
      audience: context.audience,
      scenario: simulation?.scenario ?? null,
      state: simulation?.state ?? null,
      seed: simulation?.seed ?? null,
      step: simulation?.stepCount ?? null,
      reward,
      episode_actions: context.episode.actions,
      finished: context.episode.finish ?? null,
    }))
  },
})

export const sessionInfoTools = [sessionInfo]
