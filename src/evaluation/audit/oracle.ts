import type { FastifyInstance } from 'fastify'
import { createFastifyApp } from '../../compose/rest-app.ts'
import { toolsFor } from '../../observer/registry.ts'
import { HARNESS_HEADER, type HarnessAccess } from '../../protocols/http/audience.ts'
import { resourcesFor } from '../../protocols/observer-mcp/resources.ts'
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
const GUESSES = ['', TOKEN, 'harness', 'null', `Bearer ${TOKEN}`]

/**
 * Asks for the oracle over HTTP and MCP with the token of an agent: with every tool and route of the harness, with guessed
 * harness tokens, and in what every route of agents answers at the start.
 * @param access How the server knows the harness; by default by a token that agents do not have.
 */
export async function findOpenDoor(
  scenario: Scenario,
  secrets: AuditSecrets,
  access: HarnessAccess = { harnessToken: HARNESS_TOKEN },
): Promise<OpenDoor | undefined> {
  const { desktop } = openAttempt(scenario)
  const app = await createFastifyApp(desktop, { token: TOKEN, ...access })
  try {
    for (const request of harnessRequests(scenario)) {
      if (!isRefused(await send(app, request)))
        return { request, message: `${request.method} ${request.path} is not refused to agents` }
    }
    for (const request of agentRequests(desktop.computer.windows().map(({ uid }) => uid))) {
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

const REFUSED: ReadonlySet<number> = new Set([401, 403, 404, 405])

/** Whether a request is refused to its caller. One whose arguments are wrong has passed the door. */
const isRefused = ({ status, body }: Awaited<ReturnType<typeof send>>): boolean =>
  REFUSED.has(status) || JSON.stringify(body).includes('PermissionDenied')

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
  const [tool] = harnessNames()
  const guarded: readonly AgentRequest[] = [
    { method: 'POST', path: `/api/tool/${tool}`, body: {} },
    { method: 'GET', path: '/sessions' },
    mcpRequest('tools/call', { name: tool, arguments: {} }),
  ]
  return [
    ...requests,
    ...GUESSES.flatMap((guess) =>
      guarded.map((request) => ({ ...request, headers: { ...request.headers, [HARNESS_HEADER]: guess } })),
    ),
  ]
}

/** Requests that agents may make, whose answers must not show what the oracles expect. */
const agentRequests = (windows: readonly string[]): readonly AgentRequest[] => [
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
  ...windows.map((window_uid) => ({
    method: 'POST' as const,
    path: '/api/tool/get_window_structure',
    body: { window_uid },
  })),
  mcpRequest('tools/list', {}),
  mcpRequest('resources/list', {}),
  ...resourcesFor('agent').map(({ uri }) => mcpRequest('resources/read', { uri })),
]

const MCP_VERSION = '2025-06-18'
const MCP_HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': MCP_VERSION,
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
  const reply = await app.inject({
    method,
    url: path,
    headers: { ...AGENT_HEADERS, ...headers, ...(path === '/mcp' && (await conversationOf(app, headers))) },
    ...(body !== undefined && { payload: body as object }),
  })
  return { status: reply.statusCode, body: parsed(reply.body) }
}

const AGENT_HEADERS = { host: 'localhost', authorization: `Bearer ${TOKEN}` }

/** The conversations over MCP of a server, by the token of the harness with which they were opened. */
const conversations = new WeakMap<FastifyInstance, Map<string, Readonly<Record<string, string>>>>()

/** The header of a conversation over MCP. The audience of a conversation is that of the request which opens it. */
async function conversationOf(
  app: FastifyInstance,
  headers: AgentRequest['headers'],
): Promise<Readonly<Record<string, string>>> {
  const opened = conversations.get(app) ?? new Map<string, Readonly<Record<string, string>>>()
  conversations.set(app, opened)
  const guess = JSON.stringify(headers ?? {})
  const known = opened.get(guess)
  if (known) return known
  const params = { protocolVersion: MCP_VERSION, capabilities: {}, clientInfo: { name: 'audit', version: '1' } }
  const reply = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...AGENT_HEADERS, ...MCP_HEADERS, ...headers },
    payload: { jsonrpc: '2.0', id: 0, method: 'initialize', params },
  })
  const id = reply.headers['mcp-session-id']
  if (typeof id !== 'string') throw new Error(`MCP opened no conversation: ${reply.statusCode} ${reply.body}`)
  const conversation = { 'mcp-session-id': id }
  opened.set(guess, conversation)
  return conversation
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
