import { parseDocument } from 'yaml'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { PatternText } from '../../base/pattern.ts'
import { formatPath, problemsOfSchema, type UnlocatedProblem } from '../../scenario/source/problem.ts'
import { QuestionForm } from '../events.ts'

const Json = z.record(z.string(), z.unknown())
const Range = z.union([z.int().min(0), z.strictObject({ between: z.tuple([z.int().min(0), z.int().min(0)]) })])

/** The conditions of a turn. All given conditions must hold. */
const TurnCondition = z.strictObject({
  text: z.string().describe('A part of the message, ignoring case').optional(),
  regex: PatternText.describe('A pattern (RE2) found in the message').optional(),
  turn: z.int().min(1).describe('1 is the first message of the session').optional(),
  state: z.string().describe("The scenario's state").optional(),
  tool: z.string().describe('A tool that the agent must have; distinguishes protocols').optional(),
  nested: z.boolean().describe('Whether a nested agent is asked, with its task as the message').optional(),
})
export type TurnCondition = z.infer<typeof TurnCondition>

const Permission = z.union([
  z.string(),
  z.strictObject({ description: z.string().optional(), details: z.string().optional() }),
])

const Condition = z.strictObject({
  value: z.string().describe('A template, such as {{results.login.ok}}'),
  equals: z.string().optional(),
  matches: PatternText.describe('A pattern (RE2)').optional(),
})
export type Condition = z.infer<typeof Condition>

const CallStep = z.strictObject({
  call: z.string().describe('A tool'),
  id: z.string().min(1).describe('The id that the provider of a recorded model gave the call').optional(),
  with: Json.describe('Its arguments; templates are filled').default({}),
  as: z.string().describe('Name of the result, for {{results.NAME.text}}, .ok and .output').optional(),
  ask_permission: Permission.describe('The person is asked first').optional(),
  pieces: z.array(z.string()).describe('The arguments as JSON, in the pieces they are streamed in').optional(),
  problem: z.string().describe('Why the call is not made; it is the result').optional(),
})

const Pieces = z.union([z.string(), z.array(z.string()).describe('The pieces it is streamed in')])
const closing = z
  .boolean()
  .nullable()
  .describe(
    'Whether this is the answer; left out: when no call follows; null: unknown until it ends, as with a real model',
  )
  .optional()
const SayStep = z.strictObject({ say: Pieces, closing })
const ThinkStep = z.strictObject({ think: Pieces, closing })

const TokenUse = z.strictObject({
  input: z.int().min(0).optional(),
  output: z.int().min(0).optional(),
  cost_usd: z.number().min(0).optional(),
  context: z.int().min(0).describe('How many tokens the context holds now').optional(),
})

type Permission = z.infer<typeof Permission>

/** A step of a script. */
export type ScriptStep =
  | z.infer<typeof ThinkStep>
  | z.infer<typeof SayStep>
  | CallStep
  | { plan: string }
  | { calls: CallStep[] }
  | { ask_permission: Permission; as?: string | undefined }
  | { ask: QuestionForm; as?: string | undefined }
  | { spawn: { task: string; steps: ScriptStep[] }; as?: string | undefined }
  | { switch_profile: string; as?: string | undefined }
  | { use: z.infer<typeof TokenUse> }
  | { delay: z.infer<typeof Range> }
  | { fail: string | { message: string; code?: string | undefined; recoverable?: boolean | undefined } }
  | { disconnect: true }
  | { compress: true }
  | { status: { server: string; status: string } }
  | { hook: string; input: Record<string, unknown>; as?: string | undefined }
  | { repeat: { times: number; steps: ScriptStep[] } }
  | { if: Condition; do: ScriptStep[]; else?: ScriptStep[] | undefined }

/** The schema of a step. Its type is written out, because inferring a recursive type makes huge declarations. */
export const ScriptStep: z.ZodType<ScriptStep> & {
  readonly options: readonly { readonly shape: Readonly<Record<string, unknown>> }[]
} = z
  .union([
    ThinkStep,
    SayStep,
    z.strictObject({ plan: z.string().describe('Markdown') }),
    CallStep,
    z.strictObject({ calls: z.array(CallStep).min(1).describe('Several calls in one message') }),
    z.strictObject({ ask_permission: Permission, as: z.string().optional() }),
    z.strictObject({
      ask: QuestionForm.describe('Questions; the answers are {{answers.ID}}'),
      as: z.string().optional(),
    }),
    z.strictObject({
      spawn: z.strictObject({
        task: z.string(),
        get steps() {
          return z.array(ScriptStep)
        },
      }),
      as: z.string().optional(),
    }),
    z.strictObject({ switch_profile: z.string(), as: z.string().optional() }),
    z.strictObject({ use: TokenUse }),
    z.strictObject({ delay: Range.describe('Milliseconds') }),
    z.strictObject({
      fail: z.union([
        z.string(),
        z.strictObject({ message: z.string(), code: z.string().optional(), recoverable: z.boolean().optional() }),
      ]),
    }),
    z.strictObject({ disconnect: z.literal(true) }),
    z.strictObject({ compress: z.literal(true) }),
    z.strictObject({ status: z.strictObject({ server: z.string(), status: z.string() }) }),
    z.strictObject({ hook: z.string(), input: Json.default({}), as: z.string().optional() }),
    z.strictObject({
      repeat: z.strictObject({
        times: z.int().min(0).max(100_000),
        get steps() {
          return z.array(ScriptStep)
        },
      }),
    }),
    z.strictObject({
      if: Condition,
      get do() {
        return z.array(ScriptStep)
      },
      get else() {
        return z.array(ScriptStep).optional()
      },
    }),
  ])
  .meta({ id: 'ScriptStep' })
export type CallStep = z.infer<typeof CallStep>

const ScriptTurn = z.strictObject({
  on: TurnCondition.describe('Left out: always').optional(),
  about: z.string().optional(),
  verbatim: z.boolean().describe('Texts are played as they are: {{…}} stands for itself').default(false),
  steps: z.array(ScriptStep),
})
export type ScriptTurn = z.infer<typeof ScriptTurn>

/** A tool with a fixed result, which may use its arguments as {{args.NAME}}. */
export const CannedTool = z.strictObject({
  name: z.string().min(1),
  description: z.string().default(''),
  input: Json.default({ type: 'object' }),
  acts: z.boolean().default(false),
  ok: z.boolean().default(true),
  result: z.unknown(),
})
export type CannedTool = z.infer<typeof CannedTool>

/** The `agent:` section of a scenario: the turns of a scripted agent. The first turn whose conditions hold is played. */
export const Script = z.strictObject({
  seed: z.int().default(1),
  pace: z
    .strictObject({
      characters: z
        .tuple([z.int().min(1), z.int().min(1)])
        .describe('Size of a piece of text, from and to')
        .default([3, 12]),
      ms: z
        .tuple([z.int().min(0), z.int().min(0)])
        .describe('Pause before each piece, from and to')
        .default([0, 0]),
    })
    .prefault({}),
  tools: z.array(CannedTool).default([]),
  hears: z.array(z.string()).describe('Transcripts of speech input, one per utterance, repeated in a loop').default([]),
  turns: z.array(ScriptTurn),
})
export type Script = z.infer<typeof Script>

/** A script as written in a file: the `agent:` section, or only a list of steps that is played for every message. */
export const AuthoredScript = z.union([Script, z.array(ScriptStep)])

/** Parses a YAML file. Throws `ScenarioInvalid` with the first error and its position. */
export function parseYaml(text: string, what: string): unknown {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new Fault('ScenarioInvalid', `${what} is not valid YAML: ${error.message}`)
  return document.toJS({ maxAliasCount: 100 })
}

/** The fault of an invalid file, with one line per problem. The paths of the problems start with `below`. */
export function invalidFile(what: string, complaints: readonly UnlocatedProblem[], ...below: readonly string[]): Fault {
  const lines = complaints.map(({ path, message }) => `${formatPath(path) || what}: ${message}`)
  return new Fault('ScenarioInvalid', `${what} cannot be used:\n${lines.join('\n')}`, {
    issues: complaints.map(({ path, message }) => ({ path: [...below, ...path].join('.'), message })),
  })
}

/**
 * Parses a script: the `agent:` section, or only a list of steps that is played for every message. Throws
 * `ScenarioInvalid` with the path of each problem.
 */
export function parseScript(given: unknown): Script {
  const script = Array.isArray(given) ? { turns: [{ steps: given }] } : given
  const read = Script.safeParse(script)
  if (!read.success) throw invalidFile("the agent's script", problemsOfSchema(Script, script, read.error), 'agent')
  return read.data
}
