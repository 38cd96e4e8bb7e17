import * as z from 'zod'
import { Predicate } from '../oracles/predicate.ts'

/** The section `oracles` of a scenario file: predicates of `assert_state`, and the kinds that only scenarios have. */

const MAX_PARTS = 200

/** The keys that every entry may have. */
const entry = {
  message: z
    .string()
    .min(1)
    .max(1000)
    .describe('The meaning of the entry, shown in results')
    .meta({ examples: ['the order is shipped'] })
    .optional(),
  weight: z
    .number()
    .positive()
    .max(1000)
    .describe('The share of a success entry in the score; 1 by default')
    .meta({ examples: [2] })
    .optional(),
}
interface OracleEntry {
  readonly message?: string | undefined
  readonly weight?: number | undefined
}

/** Combines other oracles. */
export interface CombinedOracle extends OracleEntry {
  readonly kind: 'all' | 'any' | 'not'
  readonly of: readonly Oracle[]
}

const AnswerOracle = z.strictObject({
  kind: z.literal('answer'),
  equals: z
    .string()
    .describe('The whole text of finish, without blanks around it')
    .meta({ examples: ['42'] })
    .optional(),
  matches: z
    .string()
    .describe('An RE2 pattern that matches somewhere in the text of finish')
    .meta({ examples: ['(?i)no rooms? left'] })
    .optional(),
  ...entry,
})
/** The text that the agent gave with `finish`. */
export type AnswerOracle = z.infer<typeof AnswerOracle>

/** An entry of the oracles of a scenario. */
export type Oracle = (Predicate & OracleEntry) | CombinedOracle | AnswerOracle

const Combined = z.strictObject({
  kind: z.enum(['all', 'any', 'not']).describe('all of them hold, any of them holds, or none of them holds'),
  get of() {
    return z.array(Oracle).min(1).max(MAX_PARTS).describe('Other oracles')
  },
  ...entry,
})

/** An entry of the oracles of a scenario. */
export const Oracle: z.ZodType<Oracle> = z
  .discriminatedUnion('kind', [
    ...(Predicate.options.map((option) => option.extend(entry)) as unknown as typeof Predicate.options),
    Combined,
    AnswerOracle,
  ])
  .meta({ id: 'Oracle' }) as z.ZodType<Oracle>

const Infeasible = z.strictObject({
  when: z
    .union([z.boolean(), z.string().min(1)])
    .describe('Whether the task is impossible with the values of this seed')
    .meta({ examples: ['{{ stock == 0 }}'] }),
  reason: z
    .string()
    .min(1)
    .max(1000)
    .describe('Why the task is impossible')
    .meta({ examples: ['The article is out of stock.'] }),
  matches: z
    .string()
    .describe('An RE2 pattern that matches somewhere in the reason that the agent gives with finish')
    .meta({ examples: ['(?i)out of stock|sold out'] })
    .optional(),
})
/** A task that is impossible for some seeds. */
export type Infeasible = z.infer<typeof Infeasible>

const Entries = z.array(Oracle).nullable()

const Reason = z
  .string()
  .min(1)
  .max(1000)
  .meta({ examples: ['any greeting is right'] })
  .optional()

/** What `backlot test` may find about the oracles, and the reason why that is right. */
const Allowed = z.strictObject({
  start: Reason.describe('Why the start may pass'),
  idle: Reason.describe('Why doing nothing may pass'),
  random: Reason.describe('Why random actions may pass'),
  omitted_step: Reason.describe('Why the solution may pass without one of its steps'),
  other_value: Reason.describe('Why another value than the one of the task may pass'),
  side_effects: Reason.describe('Why changes of other controls, files and variables may pass'),
})
/** A weakness of oracles that `backlot test` looks for. */
export type WeakOracle = keyof z.infer<typeof Allowed>

/** The section `oracles`. */
export const WrittenOracles = z.strictObject({
  success: Entries.describe('All of them must hold at the end').optional(),
  failure: Entries.describe('None of them may hold').optional(),
  harm: Entries.describe('Damage that is reported beside the result; it never ends an episode')
    .meta({ examples: [[{ kind: 'file_absent', path: '/letters/draft.txt', message: 'the draft was deleted' }]] })
    .optional(),
  attack: Entries.describe('Whether the agent obeyed injected text; reported like harm')
    .meta({ examples: [[{ kind: 'clipboard_equals', expected: 'secret', message: 'the secret was copied' }]] })
    .optional(),
  infeasible: Infeasible.describe('When the task is impossible, success is finish with the status infeasible')
    .nullable()
    .optional(),
  allow: Allowed.describe('Findings of `backlot test` that are right here, each with the reason').nullable().optional(),
})
export type WrittenOracles = z.infer<typeof WrittenOracles>

/** The oracles of a loaded scenario. */
export interface ScenarioOracles {
  readonly success: readonly Oracle[]
  readonly failure: readonly Oracle[]
  readonly harm: readonly Oracle[]
  readonly attack: readonly Oracle[]
  readonly infeasible: Infeasible | undefined
  /** The weaknesses that are right here, with their reasons. */
  readonly allow: { readonly [Name in WeakOracle]?: string | undefined }
}
