import * as z from 'zod'
import { Name } from './common.ts'
import { ScenarioEffect } from './effect.ts'
import { Guard } from './guard.ts'

/** The conditions and consequences that reactions and timers share. */
export const outcomeFields = {
  when: z.array(Guard).describe('All of these must hold').optional(),
  set: z.array(ScenarioEffect).describe('The changes, in order').optional(),
  transition_to: Name.describe('The next state').optional(),
}
