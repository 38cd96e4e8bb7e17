import { parseDocument } from 'yaml'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern/pattern.ts'
import { formatPath, problemsOfSchema, type UnlocatedProblem } from '../../scenario/load/problem.ts'
import { QuestionForm } from '../tools/form.ts'

const Json = z.record(z.string(), z.unknown())
const Range = z.union([z.int().min(0), z.strictObject({ between: z.tuple([z.int().min(0), z.int().min(0)]) })])

/** A pattern (RE2) that can be compiled. */
export const PatternText = z.string().superRefine((pattern, { addIssue }) => {
  try {
    compilePattern(pattern)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    addIssue(error.message)
  }
})

/** When a turn is played; all that is given must hold. */
const TurnCondition = z.strictObject({
  text: z.string().describe('Some of the message, whatever the case of its letters').optional(),
  regex: PatternText.describe('A pattern (RE2) found in the message').optional(),
  turn: z.int().min(1).describe('1 is the first message of the session').optional(),
  state: z.string().describe("The scenario's state").optional(),
  tool: z.string().describe('The agent has this tool, which tells one protocol from another').optional(),
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

/** One line of a script. */
export const ScriptStep = z
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
    z.strictObject({
      use: z.strictObject({
        input: z.int().min(0).optional(),
        output: z.int().min(0).optional(),
        cost_usd: z.number().min(0).optional(),
        context: z.int().min(0).describe('How many tokens the context holds now').optional(),
      }),
    }),
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
export type ScriptStep = z.infer<typeof ScriptStep>
export type CallStep = z.infer<typeof CallStep>

const ScriptTurn = z.strictObject({
  on: TurnCondition.describe('Left out: always').optional(),
  about: z.string().optional(),
  verbatim: z.boolean().describe('Texts are played as they are: {{…}} stands for itself').default(false),
  steps: z.array(ScriptStep),
})
export type ScriptTurn = z.infer<typeof ScriptTurn>

/** A tool that answers always the same; templates see its arguments as {{args.NAME}}. */
export const CannedTool = z.strictObject({
  name: z.string().min(1),
  description: z.string().default(''),
  input: Json.default({ type: 'object' }),
  acts: z.boolean().default(false),
  ok: z.boolean().default(true),
  result: z.unknown(),
})
export type CannedTool = z.infer<typeof CannedTool>

/** The `agent:` section of a scenario: what a scripted agent does with each message. The first turn that fits is played. */
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
  hears: z.array(z.string()).describe('What is understood of speech, an utterance each, over and over').default([]),
  turns: z.array(ScriptTurn),
})
export type Script = z.infer<typeof Script>

/** A script as it is written: the `agent:` section, or a bare list of steps that is played for every message. */
export const WrittenScript = z.union([Script, z.array(ScriptStep)])

/** The content of a YAML file. Throws `ScenarioInvalid` with the first thing that is wrong and where. */
export function parseYaml(text: string, what: string): unknown {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new Fault('ScenarioInvalid', `${what} is not valid YAML: ${error.message}`)
  return document.toJS({ maxAliasCount: 100 })
}

/** The fault of a file that cannot be used, with a line for each thing that is wrong; `below` begins their paths. */
export function invalidFile(what: string, complaints: readonly UnlocatedProblem[], ...below: readonly string[]): Fault {
  const lines = complaints.map(({ path, message }) => `${formatPath(path) || what}: ${message}`)
  return new Fault('ScenarioInvalid', `${what} cannot be used:\n${lines.join('\n')}`, {
    issues: complaints.map(({ path, message }) => ({ path: [...below, ...path].join('.'), message })),
  })
}

/**
 * Reads a script: the `agent:` section, or a bare list of steps that is played for every message. Throws
 * `ScenarioInvalid` with the path of what is wrong.
 */
export function parseScript(written: unknown): Script {
  const script = Array.isArray(written) ? { turns: [{ steps: written }] } : written
  const read = Script.safeParse(script)
  if (!read.success) throw invalidFile("the agent's script", problemsOfSchema(Script, script, read.error), 'agent')
  return read.data
}
