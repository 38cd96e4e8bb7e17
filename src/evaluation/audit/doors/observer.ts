import type { FastifyInstance } from 'fastify'
import { createFastifyApp } from '../../../compose/rest-app.ts'
import { toolsFor } from '../../../observer/registry.ts'
import { HARNESS_HEADER } from '../../../protocols/http/audience.ts'
import { resourcesFor } from '../../../protocols/observer-mcp/resources.ts'
import type { Scenario } from '../../../scenario/scenario.ts'
import { plausibleArguments } from '../arguments.ts'
import { openAttempt } from '../attempt.ts'
import {
  AGENT_HEADERS,
  type AgentRequest,
  type DoorAnswer,
  GUESSES,
  harnessNames,
  type OpenProbedDoor,
  TOKEN,
} from './door.ts'

/** The tools over REST and MCP: every tool and route of the harness, guessed harness tokens, and all that agents can read. */
export const openObserverDoor: OpenProbedDoor = async (scenario, access) => {
  const { desktop } = openAttempt(scenario)
  const app = await createFastifyApp(desktop, { token: TOKEN, ...access })
  return {
    refused: harnessRequests(scenario),
    allowed: agentRequests(desktop.computer.windows().map(({ uid }) => uid)),
    send: (request) => send(app, request),
    close: () => app.close(),
  }
}

/** Requests that must be refused. */
function harnessRequests(scenario: Scenario): readonly AgentRequest[] {
  const yaml = `${scenario.name}.yaml`
  const requests: AgentRequest[] = [
    ...harnessNames().map((name) => ({ method: 'POST' as const, path: `/api/tool/${name}`, body: {} })),
    { method: 'GET', path: '/sessions' },
    { method: 'GET', path: '/scenarios' },
    { method: 'GET', path: '/api/inspector/screen' },
    { method: 'GET', path: '/api/inspector/explain?call=1' },
    { method: 'GET', path: '/api/inspector/select?selector=Button' },
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

async function send(app: FastifyInstance, { method, path, body, headers }: AgentRequest): Promise<DoorAnswer> {
  const reply = await app.inject({
    method: method as 'GET' | 'POST' | 'DELETE',
    url: path,
    headers: { ...AGENT_HEADERS, ...headers, ...(path === '/mcp' && (await conversationOf(app, headers))) },
    ...(body !== undefined && { payload: body as object }),
  })
  return { status: reply.statusCode, body: parsed(reply.body) }
}

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
