import * as z from 'zod'
import { FAULTS, type FaultCode } from '../../base/fault.ts'
import { CatalogueFault } from '../faults/catalogue.ts'
import type { ChosenFault } from '../faults/fault-kind.ts'
import { TOOL_NAMES } from '../tools.ts'
import { StateNames } from './common.ts'

export const PlannedFault = z.strictObject({
  on: z
    .strictObject({ tool: z.enum(TOOL_NAMES).describe('Any tool of the observer') })
    .describe('The tool whose calls fail'),
  times: z.int().min(1).max(1_000_000).describe('How many calls fail').default(1),
  skip: z.int().min(0).max(1_000_000).describe('How many calls succeed first').default(0),
  in: StateNames.describe('The states in which calls count; all by default').optional(),
  code: z.enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]]).describe('The code of the error'),
  message: z.string().describe('The message of the error').optional(),
})
export type PlannedFault = z.infer<typeof PlannedFault>

/** An entry of `faults`: calls of a tool that fail, or a fault of the catalogue. */
export type WrittenFault = PlannedFault | ChosenFault
export const WrittenFault: z.ZodType<WrittenFault> = z.union([PlannedFault, CatalogueFault])

/** Whether an entry is a fault of the catalogue. */
export const isCatalogueFault = (fault: WrittenFault): fault is ChosenFault => 'fault' in fault

/** Whether an entry plans failures of calls. */
export const isPlannedFault = (fault: WrittenFault): fault is PlannedFault => !isCatalogueFault(fault)
