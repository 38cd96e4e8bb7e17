import { AssertionError } from 'node:assert/strict'
import * as z from 'zod'
import { fail, notOffered, parseAs, parseJson, withTimeout } from '../probe/failure.ts'
import { isEventStream } from '../probe/http.ts'
import type { McpClient, McpResponse } from '../probe/mcp.ts'
import type { SseStream } from '../probe/sse.ts'
import type { TestContext } from '../suite/test-context.ts'
import { Refusal } from './shapes.ts'

/** The server's side of a conversation over any transport. */
export type McpPeer = Pick<McpClient, 'request'>

const VERSION = '2025-06-18'

const connected = new WeakMap<McpClient, McpClient>()

/** A session on standard input and output that has shaken hands, or that names its revision when the server does not shake hands. */
export async function connect(mcp: McpClient): Promise<McpClient> {
  const known = connected.get(mcp)
  if (known) return known
  const { result, error } = await mcp.request('initialize', greetingOf(VERSION))
  const stateless = toStateless(mcp)
  const isStateless = error !== undefined && (await speaksStateless(stateless))
  if (!isStateless) {
    parseAs(InitializeResult, result, 'the answer to initialize')
    mcp.notify('notifications/initialized')
  }
  const client: McpClient = isStateless ? Object.assign(Object.create(mcp), stateless) : mcp
  connected.set(mcp, client)
  return client
}

/** The params of initialize. */
const greetingOf = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'conformance', version: '1.0' },
})

/** Shakes hands. Ends the check as not offered when the server speaks only the revision without handshakes. */
export async function initialize(mcp: McpPeer, protocolVersion = VERSION) {
  const { result, error } = await mcp.request('initialize', greetingOf(protocolVersion))
  if (error && (await speaksStateless(toStateless(mcp)))) notOffered(`initialize is error ${error.code}`)
  return parseAs(InitializeResult, result, 'the answer to initialize')
}

export async function call(mcp: McpPeer, name: string, args: object = {}) {
  const { result, error } = await mcp.request('tools/call', { name, arguments: args })
  if (error) fail(`tools/call ${name} is error ${error.code}: ${error.message}`)
  return parseAs(ToolCallResult, result, `the answer to tools/call ${name}`)
}

/** The JSON that a tool answered as text. */
export function parsedTextOf({ content }: z.infer<typeof ToolCallResult>): unknown {
  const text = content.find((item) => item.type === 'text')
  if (text?.type !== 'text') fail('the answer has no text')
  return parseJson(text.text as string, 'the text of the answer')
}

export async function listTools(mcp: McpPeer) {
  const { result } = await mcp.request('tools/list', {})
  return parseAs(ToolListResult, result, 'the answer to tools/list').tools
}

/** The endpoint of MCP below the server's address. */
export const ENDPOINT = '/mcp'
/** What a client has to accept. */
const ACCEPT = 'application/json, text/event-stream'
/** The statuses of a server that does not have the endpoint. */
const ABSENT: ReadonlySet<number> = new Set([404, 405, 501])

/** A client of MCP over Streamable HTTP that has shaken hands. Its session ends with the check. */
export interface McpHttpClient extends McpPeer {
  readonly greeting: z.infer<typeof InitializeResult>
  /** Absent when the server has no sessions. */
  readonly sessionId: string | undefined
  /** The headers of each request after initialize. */
  readonly headers: Readonly<Record<string, string>>
  /** Sends a request and returns the response to it as it arrives. */
  post(method: string, params?: unknown, headers?: Readonly<Record<string, string>>): Promise<SseStream>
}

/** Sends one message. */
export const postMessage = (
  context: TestContext,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<SseStream> =>
  context.stream(ENDPOINT, { method: 'POST', body: message, headers: { accept: ACCEPT, ...headers } })

/** Connects a client. Ends the check as not offered when the server does not have the endpoint. */
export async function openMcpHttp(context: TestContext, protocolVersion = VERSION): Promise<McpHttpClient> {
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: greetingOf(protocolVersion) }
  const answered = await postMessage(context, message)
  if (ABSENT.has(answered.status)) notOffered(`POST ${ENDPOINT} answers ${answered.status}`)
  if (answered.status === 400 && (await speaksStateless(statelessHttpPeer(context)).catch(() => false)))
    notOffered('initialize answers 400')
  const { result } = await responseIn(answered, 1)
  const greeting = parseAs(InitializeResult, result, 'the answer to initialize')
  const { 'mcp-session-id': sessionId } = answered.headers
  const headers = {
    'mcp-protocol-version': greeting.protocolVersion,
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  }
  if (sessionId !== undefined) context.onEnd(() => context.http.delete(ENDPOINT, { headers }).catch(() => undefined))
  await postMessage(context, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
  let nextId = 2
  const post: McpHttpClient['post'] = (method, params, more) =>
    postMessage(context, { jsonrpc: '2.0', id: nextId++, method, params }, { ...headers, ...more })
  return {
    greeting,
    sessionId,
    headers,
    post,
    request: async (method, params) => {
      const id = nextId
      return responseIn(await post(method, params), id)
    },
  }
}

/** The response with an id, in an event stream or as JSON. */
export async function responseIn(answered: SseStream, id: number): Promise<McpResponse> {
  if (answered.status !== 200) fail(`POST ${ENDPOINT} answers ${answered.status}: ${answered.text.slice(0, 200)}`)
  return readResponse(answered, id)
}

/** As `responseIn`, with any status. */
async function readResponse(answered: SseStream, id: number): Promise<McpResponse> {
  const isStream = isEventStream(answered.headers)
  const message = isStream
    ? (await answered.until(`the response ${id}`, ({ data }) => isResponse(data) && data.id === id)).data
    : parseJson(answered.text, `the answer of POST ${ENDPOINT}`)
  if (!isResponse(message) || message.id !== id) fail(`POST ${ENDPOINT} has no response with the id ${id}`)
  return message
}

/** The revision in which requests stand for themselves. */
export const STATELESS = '2026-07-28'

/** The `_meta` of a request of that revision. */
const envelopeOf = (protocolVersion: string) => ({
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'conformance', version: '1.0' },
})

/** Sends requests that name a revision in their `_meta`. */
export const toStateless = (mcp: McpPeer, protocolVersion = STATELESS): McpPeer => ({
  request: (method, params = {}) => mcp.request(method, { _meta: envelopeOf(protocolVersion), ...(params as object) }),
})

/** A response over HTTP, with its status and its headers. */
export interface HttpReply extends McpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Sends one request of the revision over HTTP, by itself. `headers` replace those that repeat the body. */
export async function askStateless(
  context: TestContext,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
  protocolVersion = STATELESS,
): Promise<HttpReply> {
  const name = params.name ?? params.uri
  const message = { jsonrpc: '2.0', id: 1, method, params: { _meta: envelopeOf(protocolVersion), ...params } }
  const answered = await postMessage(context, message, {
    'mcp-protocol-version': protocolVersion,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': String(name) }),
    ...headers,
  })
  if (ABSENT.has(answered.status) && !answered.text.includes('"jsonrpc"'))
    notOffered(`POST ${ENDPOINT} answers ${answered.status}`)
  return { status: answered.status, headers: answered.headers, ...(await readResponse(answered, 1)) }
}

/** A client of the revision over HTTP. */
export const statelessHttpPeer = (context: TestContext): McpPeer => ({
  request: (method, params = {}) => askStateless(context, method, params as Readonly<Record<string, unknown>>),
})

/** Milliseconds after which a server that does not answer `server/discover` is one of older revisions. */
const DISCOVER_MS = 5000

/**
 * Whether a server speaks the revision. A listing counts too, so that a server whose `server/discover` is broken is
 * judged.
 */
export async function speaksStateless(peer: McpPeer): Promise<boolean> {
  const discovered = await withTimeout(DISCOVER_MS, peer.request('server/discover'), 'server/discover').catch(
    toUnanswered,
  )
  if (discovered === undefined || DiscoverResult.safeParse(discovered.result).success) return discovered !== undefined
  const { result } = await peer.request('tools/list')
  return typeof result === 'object' && result !== null && 'resultType' in result && 'tools' in result
}

/** Older servers may stay silent, or exit, when a request comes before initialize. */
function toUnanswered(error: unknown): undefined {
  if (!(error instanceof AssertionError)) throw error
}

/** Whether a message is a response. */
export const isResponse = (message: unknown): message is McpResponse =>
  typeof message === 'object' && message !== null && ('result' in message || 'error' in message)

/** The answer to initialize. */
export const InitializeResult = z.looseObject({
  protocolVersion: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  // The protocol has two texts here, of any length; an SDK leaves the version empty.
  serverInfo: z.looseObject({ name: z.string(), version: z.string() }),
  capabilities: z.looseObject({ tools: z.looseObject({}) }),
})

/** The answer to server/discover of a server that speaks the revision. */
export const DiscoverResult = z.looseObject({
  resultType: z.literal('complete'),
  supportedVersions: z.array(z.string()).refine((versions) => versions.includes(STATELESS), `${STATELESS} is missing`),
  capabilities: z.looseObject({ tools: z.looseObject({}) }),
})

/** The answer to tools/list. */
export const ToolListResult = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string().min(1),
      description: z.string().min(1),
      inputSchema: z.looseObject({
        type: z.literal('object'),
        properties: z.record(z.string(), z.unknown()).default({}),
        required: z.array(z.string()).default([]),
      }),
    }),
  ),
  nextCursor: z.string().optional(),
})

const Content = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('image'),
    data: z.base64(),
    mimeType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  }),
  z.looseObject({ type: z.literal('resource') }),
  z.looseObject({ type: z.literal('resource_link') }),
])
/** The answer to tools/call. */
export const ToolCallResult = z.looseObject({ content: z.array(Content).min(1), isError: z.boolean().optional() })

/** The error of a request that the protocol refuses. */
export const RpcError = z.looseObject({ code: z.int(), message: z.string() })

/** The text content of a failed tool call. */
export const ToolFailure = Refusal
