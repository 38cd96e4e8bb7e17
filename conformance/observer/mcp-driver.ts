import * as z from 'zod'
import { fail, notOffered, parseAs, parseJson } from '../probe/failure.ts'
import { isEventStream } from '../probe/http.ts'
import type { McpClient, McpResponse } from '../probe/mcp.ts'
import type { SseStream } from '../probe/sse.ts'
import type { TestContext } from '../run/test-context.ts'
import { Refusal } from './shapes.ts'

/** The server's side of a conversation over any transport. */
export type McpPeer = Pick<McpClient, 'request'>

const VERSION = '2025-06-18'

const greeted = new WeakSet<McpClient>()

/** A session on standard input and output that has shaken hands. */
export async function connect(mcp: McpClient): Promise<McpClient> {
  if (greeted.has(mcp)) return mcp
  await initialize(mcp)
  mcp.notify('notifications/initialized')
  greeted.add(mcp)
  return mcp
}

/** The params of initialize. */
const greetingOf = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'conformance', version: '1.0' },
})

/** Shakes hands. */
export async function initialize(mcp: McpPeer, protocolVersion = VERSION) {
  const { result } = await mcp.request('initialize', greetingOf(protocolVersion))
  return parseAs(InitializeResult, result, 'the answer to initialize')
}

export async function call(mcp: McpPeer, name: string, args: object = {}) {
  const { result, error } = await mcp.request('tools/call', { name, arguments: args })
  if (error) fail(`tools/call ${name} is error ${error.code}: ${error.message}`)
  return parseAs(ToolCallResult, result, `the answer to tools/call ${name}`)
}

/** The JSON that a tool answered as text. */
export function textOf({ content }: z.infer<typeof ToolCallResult>): unknown {
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
  if (answered.status !== 200) fail(`POST ${ENDPOINT} answers ${answered.status}: ${answered.body.slice(0, 200)}`)
  const isStream = isEventStream(answered.headers)
  const message = isStream
    ? (await answered.until(`the response ${id}`, ({ data }) => isResponse(data) && data.id === id)).data
    : parseJson(answered.body, `the answer of POST ${ENDPOINT}`)
  if (!isResponse(message) || message.id !== id) fail(`POST ${ENDPOINT} has no response with the id ${id}`)
  return message
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
