import * as z from 'zod'
import { TOOL_NAMES } from '../tools.ts'
import { Name } from './common.ts'

/** A reference solution: a list of calls, loops and branches. */

const MAX_STEPS = 1000

const Optional = z
  .literal(true)
  .describe('Success does not need it: the solution also passes without its optional steps')
  .optional()

const SolutionCall = z.strictObject({
  call: z
    .enum(TOOL_NAMES)
    .describe('A tool of the observer')
    .meta({ examples: ['click_element', 'type_text'] }),
  with: z
    .record(z.string(), z.unknown())
    .describe('The arguments of the tool; templates are filled when the call is made')
    .meta({ examples: [{ selector: 'Button "Save"' }] })
    .default({}),
  optional: Optional,
})
/** One call of a solution: a tool of the observer and its arguments. */
export type SolutionCall = z.infer<typeof SolutionCall>

/** Steps that are made for each value of a list. */
export interface SolutionLoop {
  readonly for: string | number | readonly unknown[]
  readonly as: string
  readonly do: readonly SolutionStep[]
  readonly optional?: true | undefined
}

/** Steps that are made when a condition holds, and others when it does not. */
export interface SolutionBranch {
  readonly if: string | boolean
  readonly then: readonly SolutionStep[]
  readonly else?: readonly SolutionStep[] | undefined
  readonly optional?: true | undefined
}

/** One step of a solution. */
export type SolutionStep = SolutionCall | SolutionLoop | SolutionBranch

const SolutionLoop = z.strictObject({
  for: z
    .union([z.string().min(1), z.int().min(0), z.array(z.unknown())])
    .describe('A list, a number of rounds, or an expression that gives one; evaluated when the step begins')
    .meta({ examples: ["orders.filter(o, o.status == 'open')"] }),
  as: Name.regex(/^[A-Za-z_]\w*$/)
    .describe('The name of the value in templates; NAME_index is its position from 0')
    .meta({ examples: ['order'] })
    .default('item'),
  get do() {
    return z.array(SolutionStep).min(1).max(MAX_STEPS).describe('The steps of each round')
  },
  optional: Optional,
})

const SolutionBranch = z.strictObject({
  if: z
    .union([z.boolean(), z.string().min(1)])
    .describe('An expression, evaluated when the step begins')
    .meta({ examples: ['stock > 0'] }),
  // biome-ignore lint/suspicious/noThenProperty: the key of the file; a list is not callable.
  get then() {
    return z.array(SolutionStep).max(MAX_STEPS).describe('The steps when it is true')
  },
  get else() {
    return z.array(SolutionStep).max(MAX_STEPS).describe('The steps when it is false').optional()
  },
  optional: Optional,
})

/** One step of a solution. */
export const SolutionStep: z.ZodType<SolutionStep> = z
  .union([SolutionCall, SolutionLoop, SolutionBranch])
  .meta({ id: 'SolutionStep' }) as z.ZodType<SolutionStep>

/** The section `solution`. */
export const AuthoredSolution = z.array(SolutionStep).max(MAX_STEPS)

/** The section `solutions`: alternatives by name. */
export const AuthoredSolutions = z
  .record(Name, AuthoredSolution)
  .refine((solutions) => Object.keys(solutions).length <= 20, { error: 'at most 20 solutions are allowed' })
