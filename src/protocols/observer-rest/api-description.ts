import * as z from 'zod'
import { FAULTS, type FaultCode } from '../../base/fault.ts'
import { groupsOf } from '../../base/lists.ts'
import { ALL_TOOLS, answerSchema } from '../../observer/registry.ts'
import type { Tool } from '../../observer/tool.ts'
import type { ApiDescription, HttpOperation } from '../http/document.ts'
import {
  type ErrorShape,
  InspectorExplain,
  InspectorFile,
  InspectorScreen,
  InspectorSelect,
  requireTool,
  TOOL_ROUTES,
} from './routes.ts'
import { CreateSession } from './sessions.ts'
import { SOCKET_PATH, SocketMessage } from './socket.ts'
import { LegacyAction, legacyStatus, status } from './translate.ts'

const Envelope = z.object({ ok: z.literal(true), success: z.literal(true) })

/** The codes of refusals. Those of the agent protocols do not occur. */
const CODES = Object.keys(FAULTS).filter((code) => code !== 'Conflict' && code !== 'EventsEvicted')

const Problem = z
  .object({
    code: z.enum(CODES),
    message: z.string(),
    recoverable: z.boolean(),
    suggested_next_tool: z.string().nullable(),
    context: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Problem' })

const Refusal = z
  .looseObject({ ok: z.literal(false), success: z.literal(false), error: Problem })
  .meta({ id: 'Refusal', description: 'The error of a rejected request (observer document, "Errors")' })

const LegacyRefusal = z
  .looseObject({
    ok: z.literal(false),
    success: z.literal(false),
    error: z.string(),
    code: z.string(),
    error_detail: Problem,
  })
  .meta({ id: 'LegacyRefusal', description: 'The error in the shape of version 1' })

const Desktop = z
  .object({
    session_id: z.string(),
    base_url: z.string().describe('The prefix of the other paths'),
    scenario: z.string().nullable(),
    state: z.string().nullable(),
    task: z.string().nullable().describe('The task of the agent'),
    seed: z.int().nullable(),
    variant: z
      .record(z.string(), z.string())
      .optional()
      .describe('The axes in which the scenario differs from its file'),
    variant_warnings: z.array(z.string()).optional().describe('What the variant could not do'),
    step_count: z.int(),
    audience: z.enum(['all', 'agent']).describe('The tools that callers may use without the harness token'),
    finished: z.object({ status: z.enum(['done', 'infeasible']), text: z.string() }).nullable(),
  })
  .meta({ id: 'Desktop' })

const Answered = z
  .looseObject({ ok: z.boolean(), success: z.boolean(), id: z.union([z.string(), z.number()]).optional() })
  .meta({ id: 'SocketAnswer', description: 'The same result as over REST' })

/** The faults of the gates in front of every tool. */
const GATES: readonly FaultCode[] = ['BadRequest', 'Unauthorized', 'PermissionDenied', 'BudgetExceeded', 'RateLimited']

function answersOf(tool: Tool, shape?: ErrorShape): Pick<HttpOperation, 'responses' | 'refusals'> {
  const codes = [...new Set([...GATES, ...tool.faults])]
  const statusOf = (code: FaultCode) => (shape === 'legacy' ? legacyStatus(code) : status[code])
  const byStatus = groupsOf(codes, statusOf)
  const schema = shape === 'legacy' ? LegacyRefusal : Refusal
  return {
    responses: { 200: answerSchema(tool), ...refusals([...byStatus.keys()], schema) },
    refusals: Object.fromEntries(byStatus),
  }
}

const refusals = (statuses: readonly number[], schema: z.ZodType): HttpOperation['responses'] =>
  Object.fromEntries([...new Set(statuses)].sort().map((code) => [code, schema]))

const REFUSED = refusals([400, 401, 403], Refusal)

/** The operation of a route that calls one tool. */
function operationOf(verb: string, path: string, tool: Tool, shape?: ErrorShape): HttpOperation {
  const method = verb.toLowerCase() as HttpOperation['method']
  return {
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    tags: [tool.audience],
    summary: tool.summary,
    ...(method === 'post' ? { body: tool.input, bodyOptional: true } : { query: tool.input }),
    ...answersOf(tool, shape),
  }
}

const routed = new Set(TOOL_ROUTES.map(([, , tool]) => tool))

/** The description from which the OpenAPI and AsyncAPI documents are generated, using the route table and the tools' schemas. */
export const observerApi: ApiDescription = {
  title: 'Observer REST API',
  version: '2.0.0',
  description: 'A desktop to observe and to act on. Every tool is also available at POST /api/tool/NAME.',
  url: 'http://127.0.0.1:5001',
  bearer: true,
  prefixes: ['/sessions/{session_id}'],
  channels: [
    {
      name: 'calls',
      over: 'ws',
      address: SOCKET_PATH,
      toServer: { calls: SocketMessage },
      toClient: { answers: z.union([Answered, z.array(Answered)]) },
    },
  ],
  operations: [
    ...TOOL_ROUTES.map(([method, path, tool, shape]) => ({
      ...operationOf(method, path, requireTool(tool), shape),
      id: tool,
    })),
    ...ALL_TOOLS.filter(({ name }) => !routed.has(name)).map((tool) => ({
      ...operationOf('POST', `/api/tool/${tool.name}`, tool),
      id: tool.name,
    })),
    operationOf('GET', '/api/bring_to_foreground', requireTool('bring_to_foreground'), 'legacy'),
    {
      method: 'post',
      path: '/api/hover',
      summary: 'Move the pointer to a position or an element.',
      body: z.union([requireTool('hover_at').input, requireTool('hover_element').input]),
      ...answersOf(requireTool('hover_element')),
    },
    {
      method: 'post',
      path: '/api/action',
      summary: 'The only action route of version 1.',
      body: LegacyAction,
      ...answersOf(requireTool('click_at'), 'legacy'),
    },
    {
      method: 'get',
      path: '/api/tools',
      summary: 'The names of all tools.',
      responses: { 200: Envelope.extend({ tools: z.array(z.string()) }), ...REFUSED },
    },
    {
      method: 'post',
      path: '/api/tool/{name}',
      summary: 'Call a tool by its name.',
      body: z.record(z.string(), z.unknown()),
      bodyOptional: true,
      responses: { 200: Envelope.loose(), ...REFUSED, 404: Refusal },
    },
    {
      method: 'get',
      path: '/api/tool/{name}',
      summary: 'Call a read-only tool.',
      responses: { 200: Envelope.loose(), ...REFUSED, 404: Refusal },
    },
    {
      method: 'get',
      path: '/api/inspector/screen',
      summary: 'The screen, the windows, the scenario and the log of calls. Does not affect the run.',
      query: InspectorScreen,
      responses: { 200: z.looseObject({ ok: z.literal(true), version: z.string() }), ...REFUSED },
    },
    {
      method: 'get',
      path: '/api/inspector/explain',
      summary: 'Why reactions and timers match the actions of a call or not. Does not affect the run.',
      query: InspectorExplain,
      responses: {
        200: z.looseObject({ ok: z.literal(true), call: z.string(), actions: z.array(z.unknown()) }),
        ...REFUSED,
        501: Refusal,
      },
    },
    {
      method: 'get',
      path: '/api/inspector/file',
      summary: 'The text of a file of the desktop. Does not affect the run.',
      query: InspectorFile,
      responses: {
        200: z.looseObject({ ok: z.literal(true), path: z.string(), content: z.string() }),
        ...REFUSED,
        501: Refusal,
      },
    },
    {
      method: 'get',
      path: '/api/inspector/select',
      summary: 'The elements that a selector matches, or a selector for an element. Does not affect the run.',
      query: InspectorSelect,
      responses: {
        200: z.looseObject({ ok: z.literal(true), count: z.int(), selector: z.string().nullable() }),
        ...REFUSED,
        404: Refusal,
      },
    },
    {
      method: 'get',
      path: '/api/healthz',
      summary: 'Whether it is up, and how it was set up.',
      responses: { 200: Envelope.loose(), ...REFUSED },
    },
    {
      method: 'get',
      path: '/api/metrics',
      summary: 'Figures for Prometheus.',
      responses: { 200: 'text/plain', ...REFUSED },
    },
    {
      method: 'post',
      path: '/sessions',
      summary: 'Open another desktop.',
      body: CreateSession,
      bodyOptional: true,
      responses: {
        201: Desktop.extend({ ok: z.literal(true), harness_token: z.string().optional() }),
        ...REFUSED,
        503: Refusal,
      },
    },
    {
      method: 'get',
      path: '/sessions',
      summary: 'All desktops.',
      responses: {
        200: z.object({
          ok: z.literal(true),
          count: z.int(),
          limit: z.int(),
          ttl_s: z.number(),
          sessions: z.array(Desktop.extend({ opened_at: z.number(), used_at: z.number() })),
        }),
        ...REFUSED,
      },
    },
    {
      method: 'get',
      path: '/scenarios',
      summary: "The scenarios of the gallery and of the operator's folders.",
      responses: {
        200: z.object({
          ok: z.literal(true),
          count: z.int(),
          scenarios: z.array(
            z.object({
              scenario: z.string().describe('The value for POST /sessions'),
              name: z.string(),
              task: z.string().nullable(),
              tags: z.array(z.string()),
              difficulty: z.enum(['easy', 'medium', 'hard']).nullable(),
            }),
          ),
        }),
        ...REFUSED,
      },
    },
    {
      method: 'delete',
      path: '/sessions/{session_id}',
      summary: 'Close a desktop.',
      responses: { 204: null, ...REFUSED, 404: Refusal },
    },
    {
      method: 'post',
      path: '/api/stop-all',
      summary: 'End all input on every desktop.',
      responses: { 200: Envelope.extend({ stopped: z.int() }), ...REFUSED },
    },
  ],
}
