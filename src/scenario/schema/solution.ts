import * as z from 'zod'
import { TOOL_NAMES } from '../tools.ts'

/** One step of a reference solution: a tool of the observer and its arguments. */
export const SolutionStep = z.strictObject({
  call: z.enum(TOOL_NAMES).describe('A tool of the observer'),
  with: z.record(z.string(), z.unknown()).describe('The arguments of the tool').default({}),
})
export type SolutionStep = z.infer<typeof SolutionStep>
