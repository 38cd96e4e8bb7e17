import * as z from 'zod'
import type { Contract, Operation } from '../contract/contract.ts'
import { sources } from './document.ts'

const text = z.string()
const record = z.record(text, z.unknown())

/** The response to a reset or a step, over HTTP and in frames. */
export const Result = z.looseObject({
  observation: record,
  reward: z.union([z.number(), z.boolean()]).nullable(),
  done: z.boolean(),
  metadata: record.nullish(),
})

export const State = z.looseObject({ episode_id: text.nullish(), step_count: z.int().nonnegative() })

export const Health = z.looseObject({ status: z.enum(['healthy', 'unhealthy', 'degraded']) })

export const Metadata = z.looseObject({
  name: text,
  description: text,
  readme_content: text.nullish(),
  version: text.nullish(),
  author: text.nullish(),
  documentation_url: text.nullish(),
})

export const Schemas = z.looseObject({
  action: record,
  observation: record,
  state: record,
  reset_observation: record.nullish(),
})

export const RpcReply = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([text, z.int()]).nullable(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.int(), message: text }).nullish(),
})

const Trouble = z.looseObject({
  detail: z.union([text, z.array(z.looseObject({ loc: z.array(z.unknown()), msg: text }))]),
})

export const Split = z.looseObject({ name: text.min(1), type: z.enum(['train', 'validation', 'test']) })

export const ErrorFrame = z.looseObject({
  type: z.literal('error'),
  data: z.looseObject({
    message: text,
    code: z.enum([
      'INVALID_JSON',
      'UNKNOWN_TYPE',
      'VALIDATION_ERROR',
      'EXECUTION_ERROR',
      'CAPACITY_REACHED',
      'FACTORY_ERROR',
      'SESSION_ERROR',
    ]),
  }),
})

const REFUSALS = {
  400: Trouble,
  401: Trouble,
  403: Trouble,
  404: Trouble,
  422: Trouble,
  500: 'text',
  503: Trouble,
} as const

const operation = (covers: string, source: string, answer: z.ZodType, body?: z.ZodType): Operation => ({
  covers: [covers],
  source,
  responses: { 200: answer, ...REFUSALS },
  ...(body && { body }),
})
const task = (covers: string, answer: z.ZodType, body?: z.ZodType): Operation => ({
  ...operation(covers, sources.tasks, answer, body),
  optional: true,
})

const SplitName = z.looseObject({ split: text })

/** Environment servers of OpenEnv. */
export const openenvContract: Contract = {
  protocol: 'openenv',
  shapes: { ErrorFrame, Health, Metadata, Result, RpcReply, Schemas, Split, State, Trouble },
  errors: {
    because: 'The document lists few refusals of requests; its servers answer an object with a detail.',
    covers: ['OE-R2'],
  },
  operations: {
    'GET /health': operation('OE-R4', sources.http, Health),
    'GET /metadata': operation('OE-R5', sources.http, Metadata),
    'GET /schema': operation('OE-R6', sources.http, Schemas),
    'GET /openapi.json': operation(
      'OE-R7',
      sources.validation,
      z.looseObject({ info: z.looseObject({ version: text }), paths: record }),
    ),
    'POST /reset': operation('OE-R1', sources.http, Result, z.looseObject({ seed: z.int().nonnegative().nullish() })),
    'POST /step': operation('OE-R2', sources.http, Result, z.looseObject({ action: record })),
    'GET /state': operation('OE-R3', sources.http, State),
    'POST /mcp': operation('OE-R8', sources.rpc, RpcReply),
    'GET /list_environments': task('OE-T1', z.array(text.min(1)).min(1)),
    'GET /{env_name}/splits': task('OE-T2', z.array(Split)),
    'POST /{env_name}/tasks': task('OE-T3', z.looseObject({ tasks: z.array(z.unknown()), env_name: text }), SplitName),
    'POST /{env_name}/num_tasks': task('OE-T4', z.looseObject({ num_tasks: z.int().nonnegative() }), SplitName),
    'POST /{env_name}/task': task('OE-T5', z.looseObject({ task: z.unknown() }), SplitName.extend({ index: z.int() })),
    'POST /{env_name}/task_range': task('OE-T6', z.looseObject({ tasks: z.array(z.unknown()) }), SplitName),
  },
  events: {
    observation: {
      covers: ['OE-F1'],
      source: sources.socket,
      schema: z.looseObject({ type: z.literal('observation'), data: Result }),
    },
    state: {
      covers: ['OE-F2'],
      source: sources.socket,
      schema: z.looseObject({ type: z.literal('state'), data: State }),
    },
    error: { covers: ['OE-F3'], source: sources.types, schema: ErrorFrame },
    mcp: {
      covers: ['OE-F4'],
      source: sources.socket,
      schema: z.looseObject({ type: z.literal('mcp'), data: RpcReply }),
    },
  },
  messages: {
    reset: {
      covers: ['OE-M1'],
      source: sources.types,
      schema: z.strictObject({ type: z.literal('reset'), data: record.optional() }),
    },
    step: {
      covers: ['OE-M2'],
      source: sources.types,
      schema: z.strictObject({ type: z.literal('step'), data: record }),
    },
    state: { covers: ['OE-M3'], source: sources.types, schema: z.strictObject({ type: z.literal('state') }) },
    close: { covers: ['OE-M4'], source: sources.types, schema: z.strictObject({ type: z.literal('close') }) },
    mcp: { covers: ['OE-M5'], source: sources.types, schema: z.strictObject({ type: z.literal('mcp'), data: record }) },
  },
}
