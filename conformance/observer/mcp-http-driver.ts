import type * as z from 'zod'
import { fail, notOffered, parseAs, parseJson } from '../probe/failure.ts'
import type { McpResponse } from '../probe/mcp.ts'
import type { SseStream } from '../probe/sse.ts'
import type { TestContext } from '../run/test-context.ts'
import { greetingOf, type McpPeer, VERSION } from './mcp-driver.ts'
import { InitializeResult } from './mcp-shapes.ts'

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
  const isStream = (answered.headers['content-type'] ?? '').startsWith('text/event-stream')
  const message = isStream
    ? (await answered.until(`the response ${id}`, ({ data }) => isResponse(data) && data.id === id)).data
    : parseJson(answered.body, `the answer of POST ${ENDPOINT}`)
  if (!isResponse(message) || message.id !== id) fail(`POST ${ENDPOINT} has no response with the id ${id}`)
  return message
}

/** Whether a message is a response. */
export const isResponse = (message: unknown): message is McpResponse =>
  typeof message === 'object' && message !== null && ('result' in message || 'error' in message)
