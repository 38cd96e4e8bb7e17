import * as z from 'zod'
import { Milliseconds, Name, StateNames } from './common.ts'
import { outcomeFields } from './effect.ts'
import { Trigger } from './trigger.ts'

export const Timer = z.strictObject({
  id: Name.describe('A name for happened and for the log of the run')
    .meta({ examples: ['reminder'] })
    .optional(),
  in: StateNames.describe(
    'The states in which it runs, all by default: it starts when one of them is entered and ends when it is left',
  ).optional(),
  on: Trigger.describe(
    'Starts at this event, and restarts when it happens again; {text} is the text of the last event',
  ).optional(),
  after_ms: z
    .union([Milliseconds, z.strictObject({ between: z.tuple([Milliseconds, Milliseconds]) })])
    .describe(
      'Fires once, this long after the state is entered or the event: a number, or two of which the seed draws one between',
    )
    .optional(),
  every_ms: Milliseconds.min(10).describe('Fires repeatedly').optional(),
  ...outcomeFields,
})
export type Timer = z.infer<typeof Timer>
