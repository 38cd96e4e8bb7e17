import * as z from 'zod'
import { StateNames } from './common.ts'
import { outcomeFields } from './outcome.ts'
import { Trigger } from './trigger.ts'

export const Reaction = z.strictObject({
  on: Trigger.describe('The event'),
  in: StateNames.describe('The state or states in which it is active; all by default').optional(),
  ...outcomeFields,
})
export type Reaction = z.infer<typeof Reaction>
