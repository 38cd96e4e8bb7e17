import assert from 'node:assert/strict'
import { call, textOf } from '../../observer/mcp-driver.ts'
import { ENDPOINT, isResponse, type McpHttpClient, openMcpHttp, postMessage } from '../../observer/mcp-http-driver.ts'
import { RpcError } from '../../observer/mcp-shapes.ts'
import { Windows } from '../../observer/shapes.ts'
import { notOffered, parseAs, parseJson } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

const PING = { jsonrpc: '2.0', id: 'ping', method: 'ping' }
const LATEST = '2025-11-25'
/** How long a resumed event may take, in milliseconds. */
const RESUME_MS = 3_000

/** A client of a server that has sessions. */
async function openSession(context: TestContext): Promise<McpHttpClient & { readonly sessionId: string }> {
  const client = await openMcpHttp(context)
  const { sessionId } = client
  if (sessionId === undefined) notOffered('initialize answers without Mcp-Session-Id')
  return { ...client, sessionId }
}

check('observer:mcp-http:initialize', async (context) => {
  const client = await openMcpHttp(context)
  assert.deepEqual((await client.request('ping')).result, {})
})

check('observer:mcp-http:desktop', async (context) => {
  const client = await openMcpHttp(context)
  const overMcp = parseAs(Windows, textOf(await call(client, 'list_windows')), 'list_windows over MCP')
  const overRest = (await context.http.get('/api/windows')).json(Windows)
  assert.deepEqual(overMcp.windows, overRest.windows)
})

check('observer:mcp-http:session-id', async (context) => {
  const ids = [(await openSession(context)).sessionId, (await openSession(context)).sessionId]
  for (const id of ids) assert.match(id, /^[\x21-\x7e]+$/, 'a session id has other characters than visible ASCII')
  assert.notEqual(ids[0], ids[1], 'two clients have the same session id')
})

check('observer:mcp-http:without-session', async (context) => {
  await openSession(context)
  const { status } = await postMessage(context, PING)
  assert.equal(status, 400)
})

check('observer:mcp-http:unknown-session', async (context) => {
  await openSession(context)
  const { status } = await postMessage(context, PING, { 'mcp-session-id': context.random.word().repeat(3) })
  assert.equal(status, 404)
})

check('observer:mcp-http:delete', async (context) => {
  const { headers } = await openSession(context)
  const ended = await context.http.delete(ENDPOINT, { headers })
  if (ended.status === 405) notOffered(`DELETE ${ENDPOINT} answers 405`)
  assert.ok(ended.status < 300, `DELETE ${ENDPOINT} answers ${ended.status}`)
  const { status } = await postMessage(context, PING, headers)
  assert.equal(status, 404, 'a request after DELETE')
})

check('observer:mcp-http:notification', async (context) => {
  const { headers } = await openMcpHttp(context)
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'none' } }
  const { status, body } = await postMessage(context, message, headers)
  assert.deepEqual([status, body], [202, ''])
})

check('observer:mcp-http:get', async (context) => {
  const { headers } = await openMcpHttp(context)
  const { status, headers: answered } = await context.stream(ENDPOINT, { headers })
  if (status === 405) return
  const [type] = (answered['content-type'] ?? '').split(';')
  assert.deepEqual([status, type], [200, 'text/event-stream'])
})

check('observer:mcp-http:accept', async (context) => {
  const { headers } = await openMcpHttp(context)
  const { status } = await postMessage(context, PING, { ...headers, accept: 'text/html' })
  assert.equal(status, 406)
})

check('observer:mcp-http:version-header', async (context) => {
  const { headers } = await openMcpHttp(context)
  const { status } = await postMessage(context, PING, { ...headers, 'mcp-protocol-version': '1999-12-31' })
  assert.equal(status, 400)
})

check('observer:mcp-http:origin', async (context) => {
  const { headers } = await openMcpHttp(context)
  const { status } = await postMessage(context, PING, { ...headers, origin: 'http://evil.example' })
  assert.equal(status, 403)
})

check('observer:mcp-http:parse-error', async (context) => {
  const { headers } = await openMcpHttp(context)
  const raw = '{"jsonrpc":"2.0",'
  const accept = 'application/json, text/event-stream'
  const { status, body } = await context.stream(ENDPOINT, {
    method: 'POST',
    raw,
    deliberate: true,
    headers: { accept, 'content-type': 'application/json', ...headers },
  })
  const { error } = parseJson(body, 'the answer to a body that is not JSON') as { readonly error?: unknown }
  assert.deepEqual([status, parseAs(RpcError, error, 'the error').code], [400, -32700])
})

/** The events of the response to a request, when the server answers with an event stream. */
async function eventsOfRequest(client: McpHttpClient): Promise<readonly SseEvent[]> {
  const stream = await client.post('ping')
  if (!(stream.headers['content-type'] ?? '').startsWith('text/event-stream'))
    notOffered(`POST ${ENDPOINT} answers with JSON`)
  await stream.end()
  return stream.events
}

check('observer:mcp-http:stream-end', async (context) => {
  const events = await eventsOfRequest(await openMcpHttp(context))
  const responses = events.filter(({ data }) => isResponse(data))
  assert.equal(responses.length, 1, 'the number of responses on the stream')
  assert.equal(events.at(-1), responses[0], 'the last event')
})

check('observer:mcp-http:event-ids', async (context) => {
  const client = await openMcpHttp(context, LATEST)
  const events = [...(await eventsOfRequest(client)), ...(await eventsOfRequest(client))]
  const ids = events.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) notOffered('events have no ids')
  assert.equal(new Set(ids).size, ids.length, `an id occurs twice: ${ids.join(', ')}`)
})

check('observer:mcp-http:resume', async (context) => {
  const client = await openMcpHttp(context, LATEST)
  const [first, ...others] = await eventsOfRequest(client)
  const response = others.find(({ data }) => isResponse(data))
  if (first?.id === undefined || !response) notOffered('no event with an id comes before the response')
  const resumed = await context.stream(ENDPOINT, { headers: { ...client.headers, 'last-event-id': first.id } })
  const { id, data } = await resumed.until('the response', (event) => isResponse(event.data), RESUME_MS)
  assert.deepEqual({ id, data }, { id: response.id, data: response.data })
})
