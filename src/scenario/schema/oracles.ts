import * as z from 'zod'
import { Predicate } from '../oracle.ts'

/** The section `oracles`. */
export const WrittenOracles = z.strictObject({
  success: z.array(Predicate).nullable().describe('All of them must hold at the end').optional(),
  failure: z.array(Predicate).nullable().describe('None of them may hold').optional(),
})
