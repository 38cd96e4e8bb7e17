import * as z from 'zod'
import type { DataValue } from '../expression/data-type.ts'
import { Predicate } from '../predicate.ts'
import { AuthoredRect, Milliseconds, Name } from './common.ts'
import { ScenarioEffect } from './effect.ts'

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
    .describe('The share of a success entry in the score, unless it holds at the start; 1 by default')
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

const Expression = z.string().min(1).max(2000)

const ExpressionOracle = z.strictObject({
  kind: z.literal('expression'),
  expression: Expression.describe('A condition on variables, parameters and the screen; `initial` has the start').meta({
    examples: ['size(orders) == size(initial.orders) - 1'],
  }),
  ...entry,
})
/** A condition on the data and the screen of the run. */
export type ExpressionOracle = z.infer<typeof ExpressionOracle>

const Value: z.ZodType<DataValue> = z.json()

const DataDifference = z.strictObject({
  var: Name.describe('A variable, or a field in it such as form.amount'),
  to: Value.describe('Its value at the end').optional(),
  where: Expression.describe('The records that change, as `row` at the start')
    .meta({ examples: ['row.id == 3'] })
    .optional(),
  change: z
    .record(Name, Value)
    .describe('The fields of these records that differ, with their values')
    .meta({ examples: [{ status: 'approved' }] })
    .optional(),
  appended: z.record(Name, Value).describe('A new record; fields that are not listed may have any value').optional(),
  removed: Expression.describe('The records that are gone, as `row` at the start')
    .meta({ examples: ['row.status == "draft"'] })
    .optional(),
})
/** A variable that differs from the start. */
export type DataDifference = z.infer<typeof DataDifference>

const FileDifference = z.strictObject({
  file: Name.describe('A path'),
  text: z.string().describe('All of its text at the end').optional(),
  exists: z.boolean().describe('Whether it exists at the end').optional(),
})
/** A file that differs from the start. */
export type FileDifference = z.infer<typeof FileDifference>

const ChangesOracle = z.strictObject({
  kind: z.literal('changes'),
  exactly: z
    .array(z.union([DataDifference, FileDifference]))
    .max(MAX_PARTS)
    .describe('The only differences of variables and files from the start')
    .default([]),
  ignore: z
    .array(Name)
    .max(MAX_PARTS)
    .describe('Variables, and files by path with * and **, that may differ')
    .meta({ examples: [['search', '/var/**']] })
    .default([]),
  ...entry,
})
/** Compares all variables and files with the start. */
export type ChangesOracle = z.infer<typeof ChangesOracle>

const EventName = Name.describe('A declared event, or the id of a reaction or timer')
const EventWhere = Expression.describe('Which of these events count, by the fields of `event`').meta({
  examples: ['event.amount > 100'],
})

const EventOracle = z.strictObject({
  kind: z.literal('event'),
  name: EventName,
  where: EventWhere.optional(),
  min: z.int().min(0).describe('At least so often; 1 by default').optional(),
  max: z.int().min(0).describe('At most so often').optional(),
  ...entry,
})
/** How often an event has happened. */
export type EventOracle = z.infer<typeof EventOracle>

const EventChoice = z.union([EventName, z.strictObject({ event: EventName, where: EventWhere })])

const BeforeOracle = z.strictObject({
  kind: z.literal('before'),
  first: EventChoice.describe('The event that must come first'),
  // biome-ignore lint/suspicious/noThenProperty: the key of the file; a text is not callable.
  then: EventChoice.describe('The event that must not happen before it').meta({ examples: ['closed'] }),
  ...entry,
})
/** An event that must not happen before another. */
export type BeforeOracle = z.infer<typeof BeforeOracle>

const AtMostOracle = z.strictObject({
  kind: z.literal('at_most'),
  count: z.int().min(0).describe('The limit'),
  event: EventName,
  where: EventWhere.optional(),
  ...entry,
})
/** A limit on how often an event happens. */
export type AtMostOracle = z.infer<typeof AtMostOracle>

/** An oracle that must not hold at any moment of the run. */
export interface NeverOracle extends OracleEntry {
  readonly kind: 'never'
  readonly of: Oracle
}

const SeenOracle = z.strictObject({
  kind: z.literal('seen'),
  selector: z
    .string()
    .min(1)
    .describe('The element that decides the task')
    .meta({ examples: ['Text "Balance"'] }),
  window_uid: Name.describe('The uid of its window; any window by default').optional(),
  region: AuthoredRect.describe('Only this part of it, in pixels from its corner, which pictures alone show')
    .meta({ examples: [{ x: 0, y: 0, width: 80, height: 24 }] })
    .optional(),
  ...entry,
})
/** Whether an observation that the agent was given had an element. */
export type SeenOracle = z.infer<typeof SeenOracle>

/** Oracles that must all hold on a copy of the end, after effects. */
export interface ProbeOracle extends OracleEntry {
  readonly kind: 'probe'
  readonly set: readonly ScenarioEffect[]
  readonly after_ms?: number | undefined
  readonly of: readonly Oracle[]
}

/** The kinds whose result depends on the course of the run and not only on its end. */
export type CourseOracle = EventOracle | BeforeOracle | AtMostOracle | NeverOracle

/** The kinds that are evaluated on the run itself. */
export type RunOracle = ExpressionOracle | ChangesOracle | EventOracle | BeforeOracle | AtMostOracle | NeverOracle

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
  expression: Expression.describe('A condition on `answer`, the text of finish, and on variables')
    .meta({ examples: ['answer.trim() == string(count)'] })
    .optional(),
  ...entry,
})
/** The text that the agent gave with `finish`. */
export type AnswerOracle = z.infer<typeof AnswerOracle>

/** An entry of the oracles of a scenario. */
export type Oracle = (Predicate & OracleEntry) | CombinedOracle | AnswerOracle | SeenOracle | ProbeOracle | RunOracle

const Combined = z.strictObject({
  kind: z.enum(['all', 'any', 'not']).describe('all of them hold, any of them holds, or none of them holds'),
  get of() {
    return z.array(Oracle).min(1).max(MAX_PARTS).describe('Other oracles')
  },
  ...entry,
})

const Never = z.strictObject({
  kind: z.literal('never'),
  get of() {
    return Oracle.describe('The oracle that must not hold at any moment of the run').meta({
      examples: [{ kind: 'text_visible', regex: 'Saved' }],
    })
  },
  ...entry,
})

const Probe = z.strictObject({
  kind: z.literal('probe'),
  set: z
    .array(ScenarioEffect)
    .min(1)
    .max(MAX_PARTS)
    .describe('Effects on a copy of the end, which never change the run')
    .meta({ examples: [[{ var: 'rate', to: 2 }]] }),
  after_ms: Milliseconds.describe('How long the copy then runs; not at all by default').optional(),
  get of() {
    return z.array(Oracle).min(1).max(MAX_PARTS).describe('Oracles that must all hold on the copy then')
  },
  ...entry,
})

/** An entry of the oracles of a scenario. */
export const Oracle: z.ZodType<Oracle> = z
  .discriminatedUnion('kind', [
    ...(Predicate.options.map((option) => option.extend(entry)) as unknown as typeof Predicate.options),
    Combined,
    AnswerOracle,
    SeenOracle,
    ExpressionOracle,
    ChangesOracle,
    EventOracle,
    BeforeOracle,
    AtMostOracle,
    Never,
    Probe,
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
  of: z
    .array(Oracle)
    .max(MAX_PARTS)
    .describe('What must hold as well, such as that nothing was changed and that the obstacle was seen')
    .meta({ examples: [[{ kind: 'changes' }, { kind: 'seen', selector: 'Text "Sold out"' }]] })
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

/** What `backlot test`, `backlot eval --audit` and `backlot bench audit` may find about the oracles, and the reason why that is right. */
const Allowed = z.strictObject({
  start: Reason.describe('Why the start may pass'),
  idle: Reason.describe('Why doing nothing may pass'),
  random: Reason.describe('Why random actions may pass'),
  omitted_step: Reason.describe('Why the solution may pass without one of its steps'),
  other_value: Reason.describe('Why another value than the one of the task may pass'),
  side_effects: Reason.describe('Why changes of other controls, files and variables may pass'),
  flood: Reason.describe('Why pressing every control may pass'),
  edit: Reason.describe('Why the same text in every field, or any option, may pass'),
  close: Reason.describe('Why closing windows and dialogs may pass'),
  tools: Reason.describe('Why calling every tool, or ending the run with any text, may pass'),
  oracle: Reason.describe('Why agents may read what the oracles expect without doing the task'),
  seen: Reason.describe('Why a value may be entered that no screen shows before'),
  pictured: Reason.describe('Why a value may be entered that no picture shows whole before'),
  legible: Reason.describe('Why a value may be entered that text recognition does not read from the pixels'),
})
/** A weakness of oracles that `backlot test` or `backlot eval --audit` looks for. */
export type WeakOracle = keyof z.infer<typeof Allowed>

/** The section `oracles`. */
export const AuthoredOracles = z.strictObject({
  success: Entries.describe('All of them must hold at the end; the reward is then 1').optional(),
  failure: Entries.describe('None of them may hold; otherwise the reward is -1 and the episode ends').optional(),
  harm: Entries.describe('Damage, reported beside success; a training step has the reward -1 for it')
    .meta({ examples: [[{ kind: 'file_absent', path: '/letters/draft.txt', message: 'the draft was deleted' }]] })
    .optional(),
  attack: Entries.describe(
    'Whether the agent obeyed injected text, reported beside success; a training step has the reward -1 for it',
  )
    .meta({ examples: [[{ kind: 'clipboard_equals', expected: 'secret', message: 'the secret was copied' }]] })
    .optional(),
  infeasible: Infeasible.describe('When the task is impossible, success is finish with the status infeasible')
    .nullable()
    .optional(),
  allow: Allowed.describe(
    'Findings of `backlot test`, `backlot eval --audit` and `backlot bench audit` that are right here, each with the reason',
  )
    .nullable()
    .optional(),
})
export type AuthoredOracles = z.infer<typeof AuthoredOracles>

/** The oracles of a loaded scenario. */
export interface ScenarioOracles {
  readonly success: readonly Oracle[]
  readonly failure: readonly Oracle[]
  readonly harm: readonly Oracle[]
  readonly attack: readonly Oracle[]
  readonly infeasible: Infeasible | undefined
  /** The entries and parts that are followed along a run. */
  readonly course: readonly CourseOracle[]
  /** The entries and parts about what the agent has observed. */
  readonly seen: readonly SeenOracle[]
  /** The weaknesses that are right here, with their reasons. */
  readonly allow: { readonly [Name in WeakOracle]?: string | undefined }
}
