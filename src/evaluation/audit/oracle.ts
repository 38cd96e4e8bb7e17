import type { FastifyInstance } from 'fastify'
import { createFastifyApp } from '../../compose/rest-app.ts'
import { toolsFor } from '../../observer/registry.ts'
import { HARNESS_HEADER } from '../../protocols/http/audience.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { plausibleArguments } from './arguments.ts'
import { openAttempt } from './attempt.ts'
import { type AuditSecrets, secretIn } from './secrets.ts'

/** A request of an agent over HTTP. */
export interface AgentRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that shows an agent what only the harness may know. */
export interface OpenDoor {
  readonly request: AgentRequest
  readonly message: string
}

const TOKEN = 'token-of-the-agent'
const HARNESS_TOKEN = 'token-of-the-harness-that-no-agent-has'
/** What an agent may try as the token of the harness. */
const GUESSES = [undefined, '', TOKEN, 'harness', 'null', `Bearer ${TOKEN}`]

/**
 * Asks for the oracle over HTTP and MCP with the token of an agent: with every tool and route of the harness, with guessed
 * harness tokens, and in what every route of agents answers at the start.
 */
export async function findOpenDoor(scenario: Scenario, secrets: AuditSecrets): Promise<OpenDoor | undefined> {
  const { desktop } = openAttempt(scenario)
  const app = await createFastifyApp(desktop, { token: TOKEN, harnessToken: HARNESS_TOKEN })
  try {
    for (const request of harnessRequests(scenario)) {
      const { status, body } = await send(app, request)
      if (status < 400 && !isRefusal(body))
        return { request, message: `${request.method} ${request.path} is not refused to agents` }
    }
    for (const request of agentRequests()) {
      const { body } = await send(app, request)
      const found = secretIn(body, [...secrets.answers, ...secrets.oracles])
      if (found !== undefined)
        return { request, message: `${request.method} ${request.path} shows agents ${JSON.stringify(found)}` }
    }
    return undefined
  } finally {
    await app.close()
  }
}

/** Whether an answer of MCP, which has the status 200, refuses the call. */
const isRefusal = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  ('error' in body || (body as { readonly result?: { readonly isError?: boolean } }).result?.isError === true)

const harnessNames = (): readonly string[] => {
  const agentTools = new Set(toolsFor('agent').map(({ name }) => name))
  return toolsFor('harness').flatMap(({ name }) => (agentTools.has(name) ? [] : [name]))
}

/** Requests that must be refused. */
function harnessRequests(scenario: Scenario): readonly AgentRequest[] {
  const yaml = `${scenario.name}.yaml`
  const requests: AgentRequest[] = [
    ...harnessNames().map((name) => ({ method: 'POST' as const, path: `/api/tool/${name}`, body: {} })),
    { method: 'GET', path: '/sessions' },
    { method: 'GET', path: '/scenarios' },
    { method: 'GET', path: '/api/inspector/view' },
    { method: 'POST', path: '/sessions', body: { scenario: scenario.name } },
    { method: 'POST', path: '/api/scenario/load', body: { scenario: scenario.name } },
    ...['fork', 'rewind', 'advance', 'reset', 'step'].map((name) => ({
      method: 'POST' as const,
      path: `/api/session/${name}`,
      body: {},
    })),
    { method: 'POST', path: '/api/assert_state', body: { predicate: [{ kind: 'window_exists', title_regex: '.' }] } },
    { method: 'POST', path: '/api/trace/start', body: {} },
    { method: 'POST', path: '/api/replay/start', body: { path: 'trace.jsonl' } },
    { method: 'DELETE', path: '/sessions/memory' },
    ...[`/scenarios/${yaml}`, `/${yaml}`, `/scenarios/..%2f${yaml}`].map((path) => ({ method: 'GET' as const, path })),
    ...harnessNames().map((name) => mcpRequest('tools/call', { name, arguments: {} })),
  ]
  return requests.flatMap((request) =>
    GUESSES.map((guess) => (guess === undefined ? request : { ...request, headers: { [HARNESS_HEADER]: guess } })),
  )
}

/** Requests that agents may make, whose answers must not show what the oracles expect. */
const agentRequests = (): readonly AgentRequest[] => [
  ...['/openapi.json', '/asyncapi.json', '/api/healthz', '/api/metrics', '/api/tools', '/api/nothing'].map((path) => ({
    method: 'GET' as const,
    path,
  })),
  ...toolsFor('agent')
    .filter(({ kind, name }) => kind === 'look' && !name.startsWith('wait'))
    .map((tool) => ({
      method: 'POST' as const,
      path: `/api/tool/${tool.name}`,
      body: plausibleArguments(tool, undefined),
    })),
  mcpRequest('tools/list', {}),
  mcpRequest('resources/list', {}),
]

const MCP_HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-06-18',
}

const mcpRequest = (method: string, params: object): AgentRequest => ({
  method: 'POST',
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method, params },
  headers: MCP_HEADERS,
})

async function send(
  app: FastifyInstance,
  { method, path, body, headers }: AgentRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const session = path === '/mcp' ? await mcpSession(app) : {}
  const reply = await app.inject({
    method,
    url: path,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${TOKEN}`,
      ...(path === '/mcp' && MCP_HEADERS),
      ...headers,
      ...session,
    },
    ...(body !== undefined && { payload: body as object }),
  })
  return { status: reply.statusCode, body: parsed(reply.body) }
}

const mcpSessions = new WeakMap<FastifyInstance, Readonly<Record<string, string>>>()

/** The header of a conversation over MCP, which is opened once for each server. */
async function mcpSession(app: FastifyInstance): Promise<Readonly<Record<string, string>>> {
  const known = mcpSessions.get(app)
  if (known) return known
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'audit', version: '1' } }
  const reply = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host: 'localhost', authorization: `Bearer ${TOKEN}`, ...MCP_HEADERS },
    payload: { jsonrpc: '2.0', id: 0, method: 'initialize', params },
  })
  const id = reply.headers['mcp-session-id']
  const session: Readonly<Record<string, string>> = typeof id === 'string' ? { 'mcp-session-id': id } : {}
  mcpSessions.set(app, session)
  return session
}

/** The JSON of an answer; of an event stream, its last message. */
function parsed(text: string): unknown {
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data:') && line.length > 'data:'.length + 1)
    .at(-1)
  try {
    return JSON.parse(data === undefined ? text : data.slice('data:'.length))
  } catch {
    return text
  }
}
