import assert from 'node:assert/strict'
import { assertAgree } from '../../compare/differences.ts'
import { notOffered, parseAs, parseJson } from '../../probe/failure.ts'
import { isEventStream } from '../../probe/http.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { changeData } from '../../suite/generated-sabotages.ts'
import { defineRules } from '../../suite/rules.ts'
import type { ProxiedRequest, SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { mcpChecks, streamableHttp } from '../mcp-checks.ts'
import { ENDPOINT, isResponse, type McpHttpClient, openMcpHttp, postMessage, RpcError } from '../mcp-driver.ts'
import { hideTool, inAnswer, inCall, inGreeting, inListing, inText, toolIn } from '../mcp-sabotage.ts'

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

/** The events of the response to a request, when the server answers with an event stream. */
async function eventsOfRequest(client: McpHttpClient): Promise<readonly SseEvent[]> {
  const stream = await client.post('ping')
  if (!isEventStream(stream.headers)) notOffered(`POST ${ENDPOINT} answers with JSON`)
  await stream.end()
  return stream.events
}

const isMcp = ({ path }: ProxiedRequest): boolean => path.split('?')[0] === '/mcp'

const isPost = (request: ProxiedRequest): boolean => request.method === 'POST' && isMcp(request)

/** Changes the messages on event streams, as on standard output. */
const overHttp = ({ changeMessage }: SabotageBehavior): SabotageBehavior => ({
  changeFrames: () => (frame) => [
    frame.includes('"jsonrpc"') ? changeData(frame, (message) => changeMessage?.(message as never)) : frame,
  ],
})

const inRequest = (change: (request: ProxiedRequest) => void): SabotageBehavior => ({
  changeRequest: (request) => {
    if (isMcp(request)) change(request)
  },
})

/** Replaces one status of a request without another effect. */
const status = (from: number, to: number) => changeStatus(from, to, isPost)

/** Why MCP over HTTP is to do what MCP over standard input and output does. */
const SAME_OVER_HTTP = {
  because: 'The document has MCP on standard input and output only; a transport changes no result.',
}

/** The Model Context Protocol over Streamable HTTP. */
export const mcpHttpRules = defineRules('mcp-http', ['mcp-http:initialize'], {
  initialize: {
    level: 'SHOULD',
    text: 'A POST of initialize to /mcp answers with a protocol version, the server’s name and the capability tools.',
    source: sources.streamableHttp,
    basis: {
      states: 'A server has one endpoint that supports POST; a request is answered with JSON or an event stream.',
    },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const client = await openMcpHttp(context)
      assert.deepEqual((await client.request('ping')).result, {}, 'result')
    },
    sabotage: {
      'MCP over HTTP: has no name': overHttp(
        inGreeting((result) => {
          delete result.serverInfo.name
        }),
      ),
    },
  },

  tools: {
    level: 'SHOULD',
    text: 'Over HTTP: tools/list lists the documented tools, each with a description and an object as input schema.',
    source: sources.mcpReference,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.tools(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: hides a tool': overHttp(inListing(hideTool)),
    },
  },

  arguments: {
    level: 'SHOULD',
    text: 'Over HTTP: every documented argument is in the input schema, and the documented ones are required.',
    source: sources.mcpReference,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.arguments(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: hides an argument': overHttp(
        inListing((tools) => {
          delete toolIn(tools, 'click_element').inputSchema.properties.selector
        }),
      ),
    },
  },

  call: {
    level: 'SHOULD',
    text: 'Over HTTP: tools/call answers with text that is the JSON of the same answer over REST.',
    source: sources.mcpReference,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.call(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: counts no windows': overHttp(
        inText((json) => {
          delete json.count
        }),
      ),
    },
  },

  act: {
    level: 'SHOULD',
    text: 'Over HTTP: an action over MCP answers with a receipt.',
    source: sources.mcpReference,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.act(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: sends receipts without a name': overHttp(
        inText((json) => {
          delete json.action
        }),
      ),
    },
  },

  picture: {
    level: 'SHOULD',
    text: 'Over HTTP: a screenshot comes as image content.',
    source: sources.mcp,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.picture(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: shows no picture': overHttp(
        inCall((result) => {
          result.content = [{ type: 'text', text: '{}' }]
        }),
      ),
    },
  },

  'is-error': {
    level: 'SHOULD',
    text: 'Over HTTP: a failed tool answers with isError and the error object as text.',
    source: sources.mcp,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.isError(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: calls failures successes': overHttp(
        inCall((result) => {
          delete result.isError
        }),
      ),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'Over HTTP: an unknown method is error -32601.',
    source: sources.mcp,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.unknown(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: knows every method': overHttp(
        inAnswer((message) => {
          if (message.error?.code !== -32601) return
          delete message.error
          message.result = {}
        }),
      ),
    },
  },

  'unknown-tool': {
    level: 'SHOULD',
    text: 'Over HTTP: a call of an unknown tool is an error, of the protocol or of the tool.',
    source: sources.mcp,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.unknownTool(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: knows every tool': overHttp(
        inAnswer((message) => {
          if (!message.error && !message.result?.isError) return
          delete message.error
          message.result = { content: [{ type: 'text', text: '{"error":"Unknown tool"}' }] }
        }),
      ),
    },
  },

  gates: {
    level: 'SHOULD',
    text: 'Over HTTP: tools that act list dry_run and confirm_token among their arguments.',
    source: sources.mcpReference,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.gates(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: lists no tokens': overHttp(
        inListing((tools) => {
          for (const tool of tools) delete tool.inputSchema.properties?.confirm_token
        }),
      ),
    },
  },

  version: {
    level: 'SHOULD',
    text: 'Over HTTP: when a client requests a version that the server offered, the server returns it; it never returns an unknown version.',
    source: sources.mcp,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.version(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: supports a version that never was': overHttp(
        inGreeting((result) => {
          // What the server answers to a version that it does not support.
          if (result.protocolVersion === '2025-11-25') result.protocolVersion = '1999-12-31'
        }),
      ),
    },
  },

  versions: {
    level: 'SHOULD',
    text: 'Over HTTP: the two latest versions of the protocol are supported.',
    source: sources.mcp,
    basis: SAME_OVER_HTTP,
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.versions(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: supports one version': overHttp(
        inGreeting((result) => {
          result.protocolVersion = '2024-11-05'
        }),
      ),
    },
  },

  desktop: {
    level: 'SHOULD',
    text: 'MCP over HTTP and REST serve the same desktop.',
    source: 'good sense',
    basis: { because: 'Both are at one address, and --mode both serves one desktop over both.' },
    covers: ['O-M6'],
    tier: 'full',
    check: (context) => mcpChecks.desktop(streamableHttp, context),
    sabotage: {
      'MCP over HTTP: shows another desktop than REST': overHttp(
        inText((json) => {
          if (json.windows) json.count = json.windows.splice(1).length
        }),
      ),
    },
  },

  'session-id': {
    level: 'SHOULD',
    text: 'Each client gets another session id, of visible ASCII characters.',
    source: sources.streamableHttp,
    basis: { states: 'The session id is globally unique and has only characters from 0x21 to 0x7E.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const ids = [(await openSession(context)).sessionId, (await openSession(context)).sessionId]
      for (const id of ids) assert.match(id, /^[\x21-\x7e]+$/, 'a session id has other characters than visible ASCII')
      assert.notEqual(ids[0], ids[1], 'two clients have the same session id')
    },
    sabotage: {
      'MCP over HTTP: gives every client the same session id': {
        changeStreamHeaders: (headers) => {
          if ('mcp-session-id' in headers) headers['mcp-session-id'] = 'session'
        },
      },
    },
  },

  'without-session': {
    level: 'SHOULD',
    text: 'A request without the session id of its client is refused with 400.',
    source: sources.streamableHttp,
    basis: { states: 'Servers that require a session id answer requests without one with 400, except initialize.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      await openSession(context)
      const { status } = await postMessage(context, PING)
      assert.equal(status, 400, 'the status')
    },
    sabotage: {
      'MCP over HTTP: serves requests without a session id': status(400, 200),
    },
  },

  'unknown-session': {
    level: 'SHOULD',
    text: 'A request with an unknown session id is refused with 404.',
    source: sources.streamableHttp,
    basis: { because: 'The protocol has 404 for ended sessions; a client connects anew only after this status.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      await openSession(context)
      const { status } = await postMessage(context, PING, { 'mcp-session-id': context.random.word().repeat(3) })
      assert.equal(status, 404, 'the status')
    },
    sabotage: {
      'MCP over HTTP: calls unknown sessions bad requests': status(404, 400),
    },
  },

  delete: {
    level: 'SHOULD',
    text: 'After DELETE, requests with the session id are refused with 404.',
    source: sources.streamableHttp,
    basis: { states: 'A client ends its session with DELETE; requests with an ended session are answered with 404.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const { headers } = await openSession(context)
      const ended = await context.http.delete(ENDPOINT, { headers })
      if (ended.status === 405) notOffered(`DELETE ${ENDPOINT} answers 405`)
      assert.ok(ended.status < 300, `DELETE ${ENDPOINT} answers ${ended.status}`)
      const { status } = await postMessage(context, PING, headers)
      assert.equal(status, 404, 'a request after DELETE')
    },
    sabotage: {
      'MCP over HTTP: forgets no client': {
        changeRequest: (request) => {
          if (request.method === 'DELETE' && isMcp(request)) request.path = '/nowhere'
        },
        changeResponse: (answer, { method, path }) => {
          if (method === 'DELETE' && path === '/nowhere') answer.status = 200
        },
      },
    },
  },

  notification: {
    level: 'SHOULD',
    text: 'A notification is answered with 202 and no body.',
    source: sources.streamableHttp,
    basis: { states: 'A server that accepts a notification or a response answers with 202 without a body.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const { headers } = await openMcpHttp(context)
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'none' } }
      const { status, text } = await postMessage(context, message, headers)
      assert.deepEqual({ status, text }, { status: 202, text: '' })
    },
    sabotage: {
      'MCP over HTTP: answers notifications with 200': status(202, 200),
    },
  },

  get: {
    level: 'SHOULD',
    text: 'GET is answered with an event stream, or with 405.',
    source: sources.streamableHttp,
    basis: { states: 'GET is answered with an event stream, or with 405 by a server that offers none.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const { headers } = await openMcpHttp(context)
      const { status, headers: answered } = await context.stream(ENDPOINT, { headers })
      if (status === 405) return
      const [type] = (answered['content-type'] ?? '').split(';')
      assert.deepEqual({ status, type }, { status: 200, type: 'text/event-stream' })
    },
    sabotage: {
      'MCP over HTTP: answers GET with an error': inRequest((request) => {
        if (request.method === 'GET') request.headers.accept = 'text/html'
      }),
    },
  },

  accept: {
    level: 'MAY',
    text: 'A request that accepts neither JSON nor event streams is refused with 406.',
    source: sources.streamableHttp,
    basis: { because: 'The protocol requires clients to accept both, but does not specify the answer to others.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const { headers } = await openMcpHttp(context)
      const { status } = await postMessage(context, PING, { ...headers, accept: 'text/html' })
      assert.equal(status, 406, 'the status')
    },
    sabotage: {
      'MCP over HTTP: sends what was not accepted': inRequest((request) => {
        if (request.method === 'POST') request.headers.accept = 'application/json, text/event-stream'
      }),
    },
  },

  'version-header': {
    level: 'SHOULD',
    text: 'A request with an unknown MCP-Protocol-Version is refused with 400.',
    source: sources.streamableHttp,
    basis: { states: 'An invalid or unsupported MCP-Protocol-Version is answered with 400.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const { headers } = await openMcpHttp(context)
      const { status } = await postMessage(context, PING, { ...headers, 'mcp-protocol-version': '1999-12-31' })
      assert.equal(status, 400, 'the status')
    },
    sabotage: {
      'MCP over HTTP: reads no version header': inRequest(({ headers }) => {
        delete headers['mcp-protocol-version']
      }),
    },
  },

  origin: {
    level: 'SHOULD',
    text: 'A request from a foreign web page is refused with 403.',
    source: sources.streamableHttp,
    basis: { states: 'Servers validate the header Origin, and answer an invalid one with 403.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const { headers } = await openMcpHttp(context)
      const { status } = await postMessage(context, PING, { ...headers, origin: 'http://evil.example' })
      assert.equal(status, 403, 'the status')
    },
    sabotage: {
      'MCP over HTTP: trusts every web page': inRequest(({ headers }) => {
        delete headers.origin
      }),
    },
  },

  'parse-error': {
    level: 'SHOULD',
    text: 'A body that is not JSON is refused with 400 and error -32700.',
    source: sources.streamableHttp,
    basis: { because: 'The protocol has an HTTP error with an optional JSON-RPC error; JSON-RPC defines the code.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const { headers } = await openMcpHttp(context)
      const raw = '{"jsonrpc":"2.0",'
      const accept = 'application/json, text/event-stream'
      const { status, text } = await context.stream(ENDPOINT, {
        method: 'POST',
        raw,
        deliberate: true,
        headers: { accept, 'content-type': 'application/json', ...headers },
      })
      const { error } = parseJson(text, 'the answer to a body that is not JSON') as { readonly error?: unknown }
      assert.deepEqual({ status, code: parseAs(RpcError, error, 'the error').code }, { status: 400, code: -32700 })
    },
    sabotage: {
      'MCP over HTTP: calls broken bodies invalid requests': {
        changeResponse: ({ json }) => {
          const { error } = (json ?? {}) as { readonly error?: { code?: unknown } }
          if (error?.code === -32700) error.code = -32600
        },
      },
    },
  },

  'stream-end': {
    level: 'SHOULD',
    text: 'The event stream of a request ends after its response, which is sent once.',
    source: sources.streamableHttp,
    basis: { states: 'The server ends the event stream of a request after its response.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const events = await eventsOfRequest(await openMcpHttp(context))
      const responses = events.filter(({ data }) => isResponse(data))
      assert.equal(responses.length, 1, 'the number of responses on the stream')
      assertAgree({ 'the last event': events.at(-1), 'the answer': responses[0] })
    },
    sabotage: {
      'MCP over HTTP: answers twice': {
        changeFrames: () => (frame) => (frame.includes('"result"') ? [frame, frame] : [frame]),
      },
    },
  },

  'event-ids': {
    level: 'SHOULD',
    text: 'The ids of events are unique within a session.',
    source: sources.streamableHttp,
    basis: { states: 'An event id is unique across all streams of the session.' },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const client = await openMcpHttp(context, LATEST)
      const events = [...(await eventsOfRequest(client)), ...(await eventsOfRequest(client))]
      const ids = events.flatMap(({ id }) => id ?? [])
      if (ids.length === 0) notOffered('events have no ids')
      assert.equal(new Set(ids).size, ids.length, `an id occurs twice: ${ids.join(', ')}`)
    },
    sabotage: {
      'MCP over HTTP: numbers the events of each stream anew': {
        changeFrames: () => {
          let next = 1
          return (frame) => [frame.replace(/^id: .*$/m, () => `id: ${next++}`)]
        },
      },
    },
  },

  resume: {
    level: 'SHOULD',
    text: 'GET with Last-Event-ID sends the events of that stream that followed.',
    source: sources.streamableHttp,
    basis: {
      states: 'The server may use Last-Event-ID to replay the messages that followed on the stream that broke off.',
    },
    covers: ['O-M6'],
    tier: 'full',
    check: async (context) => {
      const client = await openMcpHttp(context, LATEST)
      const [first, ...others] = await eventsOfRequest(client)
      const response = others.find(({ data }) => isResponse(data))
      if (first?.id === undefined || !response) notOffered('no event with an id comes before the response')
      const resumed = await context.stream(ENDPOINT, { headers: { ...client.headers, 'last-event-id': first.id } })
      const { id, data } = await resumed.until('the response', (event) => isResponse(event.data), RESUME_MS)
      assertAgree({ 'the replayed event': { id, data }, 'the answer': { id: response.id, data: response.data } })
    },
    sabotage: {
      'MCP over HTTP: resumes nothing': inRequest(({ headers }) => {
        delete headers['last-event-id']
      }),
    },
  },
})
