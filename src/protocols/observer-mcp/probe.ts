import { HARNESS_HEADER } from '../http/guard.ts'
import {
  type AccessProbe,
  type AgentRequest,
  HARNESS_GUESSES,
  type ProbeAnswer,
  type RawAnswer,
  type SendRequest,
} from '../probe.ts'
import { resourcesFor } from './resources.ts'

const MCP_VERSION = '2025-06-18'
const MCP_HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': MCP_VERSION,
}

const mcpRequest = (method: string, params: object, headers: AgentRequest['headers'] = {}): AgentRequest => ({
  method: 'POST',
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method, params },
  headers: { ...MCP_HEADERS, ...headers },
})

/** The header with the conversations of a server, by what stands for the client. */
const CONVERSATIONS = new WeakMap<SendRequest, Map<string, Readonly<Record<string, string>>>>()

/** The header of a conversation, which a client with the same headers keeps. */
async function conversationOf(send: SendRequest, headers: AgentRequest['headers'] = {}) {
  const opened = CONVERSATIONS.get(send) ?? new Map<string, Readonly<Record<string, string>>>()
  CONVERSATIONS.set(send, opened)
  const client = JSON.stringify(headers)
  const known = opened.get(client)
  if (known) return known
  const params = { protocolVersion: MCP_VERSION, capabilities: {}, clientInfo: { name: 'audit', version: '1' } }
  const { status, headers: replied, text } = await send(mcpRequest('initialize', params, headers))
  const id = replied['mcp-session-id']
  if (typeof id !== 'string') throw new Error(`MCP opened no conversation: ${status} ${text}`)
  const conversation = { 'mcp-session-id': id }
  opened.set(client, conversation)
  return conversation
}

/** The JSON of an answer; of an event stream, its last message. */
function read({ status, text }: RawAnswer): ProbeAnswer {
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data:') && line.length > 'data:'.length + 1)
    .at(-1)
  try {
    return { status, body: JSON.parse(data === undefined ? text : data.slice('data:'.length)) }
  } catch {
    return { status, body: text }
  }
}

const STATELESS_VERSION = '2026-07-28'

const statelessRequest = (method: string, params: object, headers: AgentRequest['headers'] = {}): AgentRequest => ({
  method: 'POST',
  path: '/mcp',
  body: {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'audit', version: '1' },
      },
    },
  },
  headers: {
    ...MCP_HEADERS,
    'mcp-protocol-version': STATELESS_VERSION,
    'mcp-method': method,
    ...('name' in params && { 'mcp-name': String(params.name) }),
    ...('uri' in params && { 'mcp-name': String(params.uri) }),
    ...headers,
  },
})

/** MCP from revision 2026-07-28 on, whose requests have no conversation. */
export const statelessProbe: AccessProbe = {
  title: 'MCP without sessions',
  refused: ({ harnessTools }) => {
    const call = (name: string | undefined, headers = {}) =>
      statelessRequest('tools/call', { name, arguments: {} }, headers)
    return [
      ...harnessTools.map((name) => call(name)),
      ...HARNESS_GUESSES.map((guess) => call(harnessTools[0], { [HARNESS_HEADER]: guess })),
    ]
  },
  allowed: () => [
    ...['server/discover', 'tools/list', 'resources/list'].map((method) => statelessRequest(method, {})),
    ...resourcesFor('agent').map(({ uri }) => statelessRequest('resources/read', { uri })),
  ],
  exchange: async (request, send) => read(await send(request)),
}

/** MCP over HTTP: the tools of the harness, also with guessed harness tokens, and what agents may list and read. */
export const mcpProbe: AccessProbe = {
  title: 'MCP',
  refused: ({ harnessTools }) => {
    const call = (name: string | undefined, headers = {}) => mcpRequest('tools/call', { name, arguments: {} }, headers)
    return [
      ...harnessTools.map((name) => call(name)),
      ...HARNESS_GUESSES.map((guess) => call(harnessTools[0], { [HARNESS_HEADER]: guess })),
    ]
  },
  allowed: () => [
    mcpRequest('tools/list', {}),
    mcpRequest('resources/list', {}),
    ...resourcesFor('agent').map(({ uri }) => mcpRequest('resources/read', { uri })),
  ],
  exchange: async (request, send) => {
    const conversation = await conversationOf(send, request.headers)
    return read(await send({ ...request, headers: { ...request.headers, ...conversation } }))
  },
}
