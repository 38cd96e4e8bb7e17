import * as z from 'zod'
import { Name, StateNames } from './common.ts'
import { outcomeFields } from './effect.ts'
import { Trigger } from './trigger.ts'

export const Reaction = z.strictObject({
  id: Name.describe('A name for happened and for the log of the run')
    .meta({ examples: ['order-sent'] })
    .optional(),
  on: Trigger.describe('The event that starts it'),
  in: StateNames.describe('The state or states in which it is active; all by default').optional(),
  ...outcomeFields,
})
export type Reaction = z.infer<typeof Reaction>
