import * as z from 'zod'
import type { Parts } from '../session/context.ts'
import { defineTool } from '../tool.ts'

const MAX_FINISH_TEXT_LENGTH = 10_000

const finish = defineTool({
  name: 'finish',
  kind: 'manage',
  audience: 'agent',
  summary:
    'End your run: done when the task is complete, infeasible when it is impossible. Put the answer to a question into text.',
  input: z.object({
    status: z.enum(['done', 'infeasible']).default('done').describe('Whether the task is complete or impossible'),
    text: z
      .string()
      .max(MAX_FINISH_TEXT_LENGTH)
      .default('')
      .describe('The answer to the task, or why it is infeasible'),
  }),
  output: z.object({ finished: z.object({ status: z.enum(['done', 'infeasible']), text: z.string() }) }),
  faults: [],
  traits: { idempotent: true, sequential: true },
  run: ({ input }, context: Parts<'episode'>) => ({ finished: context.episode.end(input) }),
})

export const finishTools = [finish]
