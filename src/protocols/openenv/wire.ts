import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { didYouMean, shortened } from '../../base/strings.ts'
import { toolsFor } from '../../observer/registry.ts'
import type { ToolResult } from '../../observer/result.ts'
import { FaultsArgument, SeedArgument, VariantArgument } from '../../observer/scenario-source.ts'
import { readBody, readValue } from '../http/app.ts'
import type { Readers } from '../http/route.ts'
import { HTTP_STATUS } from '../http/status.ts'

/** The name of the environment in the paths of the Task API. */
export const ENVIRONMENT = 'backlot'

const MAX_ID_LENGTH = 255
const MAX_ACTIONS = 128

/** Clients in Python send None for an argument that is not given. */
const withoutNulls = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
    : value

/** The arguments of a reset. */
export const ResetArguments = z.strictObject({
  seed: SeedArgument.optional().describe('The seed of all randomness; the same seed gives the same episode'),
  episode_id: z
    .string()
    .max(MAX_ID_LENGTH)
    .optional()
    .describe('Given back by the state; made by the server if omitted'),
  scenario: z
    .string()
    .optional()
    .describe('A name of the gallery, a path below the folders that the server may read, or YAML text'),
  variant: VariantArgument.optional(),
  faults: FaultsArgument.optional(),
  split: z.string().optional().describe('A split of the Task API, with index'),
  index: z.int().optional().describe('The task of the split: a scenario and a seed'),
  observe: z
    .enum(['tree', 'diff', 'outline', 'none'])
    .optional()
    .describe('The observation of the focused window; tree by default, outline is text of about a quarter of its size'),
  screenshot: z.boolean().optional().describe('Also observe a PNG of the primary monitor, in base64'),
  max_steps: z.int().min(1).optional().describe('Truncate the episode after this many actions'),
})
export type ResetArguments = z.infer<typeof ResetArguments>

/** The body of `POST /reset` and the data of a `reset` frame. */
export const ResetRequest = z.preprocess(withoutNulls, ResetArguments)

const Metadata = z.record(z.string(), z.unknown()).optional().describe('Ignored')

const TOOLS = toolsFor('agent').map(({ name }) => name)

const unknownTool = (name: unknown): string =>
  typeof name === 'string'
    ? `there is no tool ${JSON.stringify(shortened(name))} for agents${didYouMean(name.slice(0, 100), TOOLS)}`
    : 'expected the name of a tool'

const ToolCall = z.strictObject({
  tool: z
    .enum(TOOLS, { error: ({ input }) => unknownTool(input) })
    .describe('A tool of agents, as tools/list of /mcp lists them'),
  args: z.record(z.string(), z.unknown()).optional().describe('The arguments of the tool'),
})

/** One action of an agent, or several with one observation after the last. */
export const EpisodeAction = z.union(
  [
    ToolCall.extend({ metadata: Metadata }),
    z.strictObject({ actions: z.array(ToolCall).min(1).max(MAX_ACTIONS), metadata: Metadata }),
  ],
  {
    // Of the form that was meant.
    error: ({ input, errors }) => {
      const isList = typeof input === 'object' && input !== null && 'actions' in input
      const [one = [], several = []] = errors as readonly z.core.$ZodIssue[][]
      return describeIssues({ issues: isList ? several : one })
    },
  },
)
export type EpisodeAction = z.infer<typeof EpisodeAction>

/** The body of `POST /step`. */
export const StepRequest = z.looseObject({
  action: EpisodeAction,
  timeout_s: z.number().positive().nullish().describe('Ignored: an action never waits in the time of the server'),
  request_id: z.string().max(MAX_ID_LENGTH).nullish().describe('Ignored'),
})

/** What a policy sees. */
export const Observation = z.looseObject({
  task: z.string().nullable().describe('What the agent is asked to do'),
  tree_hash: z.string().optional(),
  windows: z.array(z.record(z.string(), z.unknown())).optional().describe('The open windows, the focused one first'),
  outline: z.string().optional().describe('The focused window as text'),
  screenshot_b64: z.string().optional().describe('A PNG'),
})

/** What only the trainer sees: scenario, seed, the outcome of the last action, score. */
const EpisodeMetadata = z.record(z.string(), z.unknown())

/** The response to a reset or a step. */
export const PlayResult = z.object({
  observation: Observation,
  reward: z.number().min(-1).max(1).nullable().describe('Null after a reset; 1 for success, -1 for failure and harm'),
  done: z.boolean().describe('Whether the episode was terminated or truncated; metadata has which'),
  metadata: EpisodeMetadata,
})

export const EpisodeState = z.looseObject({
  episode_id: z.string().nullable().describe('Null before the first reset'),
  step_count: z.int().min(0).describe('Steps since the last reset'),
  session_id: z.string().optional().describe('The session of the desktop: its live page is /web?session_id=…'),
})

export const SplitRequest = z.strictObject({ split: z.string() })
export const TaskRequest = SplitRequest.extend({ index: z.int() })
export const TaskRangeRequest = SplitRequest.extend({
  start: z.int().nullish().describe('Inclusive; negative from the end, as in a slice of Python'),
  stop: z.int().nullish().describe('Exclusive'),
})

/** A task: a scenario with a seed. */
export const Task = z.object({
  id: z.string(),
  split: z.string(),
  index: z.int(),
  scenario: z.string(),
  seed: z.int(),
  name: z.string(),
  task: z.string(),
  difficulty: z.enum(['easy', 'medium', 'hard']).nullable(),
  tags: z.array(z.string()),
})
export type Task = z.infer<typeof Task>

/** The frames of clients over `/ws`, by their type. */
export const INCOMING = {
  reset: z.strictObject({ type: z.literal('reset'), data: ResetRequest.optional() }),
  step: z.strictObject({ type: z.literal('step'), data: EpisodeAction }),
  state: z.strictObject({ type: z.literal('state') }),
  close: z.strictObject({ type: z.literal('close') }),
  mcp: z.strictObject({ type: z.literal('mcp'), data: z.record(z.string(), z.unknown()) }),
} as const

/** The codes of `error` frames. */
export const ERROR_CODES = [
  'INVALID_JSON',
  'UNKNOWN_TYPE',
  'VALIDATION_ERROR',
  'EXECUTION_ERROR',
  'CAPACITY_REACHED',
  'FACTORY_ERROR',
  'SESSION_ERROR',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** A JSON-RPC 2.0 response. */
export const RpcResponse = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).nullable(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown() }).optional(),
})
export type RpcResponse = z.infer<typeof RpcResponse>

/** The frames of the server over `/ws`, by their type. */
export const OUTGOING = {
  observation: z.object({ type: z.literal('observation'), data: PlayResult }),
  state: z.object({ type: z.literal('state'), data: EpisodeState }),
  mcp: z.object({ type: z.literal('mcp'), data: RpcResponse }),
  error: z.object({
    type: z.literal('error'),
    data: z.looseObject({
      message: z.string(),
      code: z.enum(ERROR_CODES),
      errors: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).optional(),
      active_sessions: z.int().optional().describe('With CAPACITY_REACHED'),
      max_sessions: z.int().optional().describe('With CAPACITY_REACHED'),
      factory_name: z.string().optional().describe('With FACTORY_ERROR'),
    }),
  }),
} as const

/** An `error` frame. */
export const errorFrame = (code: ErrorCode, message: string, facts: ToolResult = {}) => ({
  type: 'error',
  data: { message, code, ...facts },
})

/** Marks the faults of bodies and queries that do not fit their schema, which are 422 as in FastAPI. */
const MISFIT = { misfit: true }

const asMisfit = <T>(read: () => T): T => {
  try {
    return read()
  } catch (thrown) {
    const { code, message } = Fault.from(thrown)
    throw code === 'BadRequest' ? new Fault(code, message, MISFIT) : thrown
  }
}

/** How bodies and queries are read. */
export const READERS: Readers = {
  body: (schema, body) => asMisfit(() => readBody(schema, body)),
  query: (schema, query) => asMisfit(() => readValue(schema, query)),
}

export const statusOf = ({ code, context }: Fault): number => (context.misfit ? 422 : HTTP_STATUS[code])

/** The body of an error. */
export const Problem = z.object({
  detail: z.union([z.string(), z.array(z.looseObject({ loc: z.array(z.string()), msg: z.string() }))]),
})

export const errorBody = (fault: Fault): z.infer<typeof Problem> =>
  statusOf(fault) === 422
    ? { detail: [{ type: 'value_error', loc: ['body'], msg: fault.message }] }
    : { detail: fault.message }

/** The JSON Schemas of `GET /schema`. Clients complete observations by reward and done before they check them. */
export function schemas() {
  const whole = Observation.extend({ reward: PlayResult.shape.reward, done: z.boolean() })
  const json = (schema: z.ZodType, io: 'input' | 'output') =>
    z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as ToolResult
  return {
    action: json(EpisodeAction, 'input'),
    observation: json(whole, 'output'),
    reset_observation: json(whole, 'output'),
    state: json(EpisodeState, 'output'),
  }
}

/** The error response to a second socket, a web page, or a request without the token of the harness. */
export const harnessOnly = (): Fault =>
  new Fault(
    'PermissionDenied',
    'episodes with rewards are for the harness; send its token as X-Harness-Token, or serve without --tools agent',
  )
