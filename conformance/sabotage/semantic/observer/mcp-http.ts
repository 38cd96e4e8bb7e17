import { changeStatus, defineSabotages, type SabotageBehavior } from '../../behaviors.ts'
import { changeData } from '../../generated.ts'
import type { ProxiedRequest } from '../../sabotage.ts'
import { hideTool, inAnswer, inCall, inGreeting, inListing, inText, toolIn } from './mcp.ts'

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

/** Faults of MCP over Streamable HTTP. */
export const mcpHttpSabotages = defineSabotages('observer', {
  'MCP over HTTP: has no name': [
    'mcp-http:initialize',
    overHttp(
      inGreeting((result) => {
        result.serverInfo.name = ''
      }),
    ),
  ],
  'MCP over HTTP: hides a tool': ['mcp-http:tools', overHttp(inListing(hideTool))],
  'MCP over HTTP: hides an argument': [
    'mcp-http:arguments',
    overHttp(
      inListing((tools) => {
        delete toolIn(tools, 'click_element').inputSchema.properties.selector
      }),
    ),
  ],
  'MCP over HTTP: counts no windows': [
    'mcp-http:call',
    overHttp(
      inText((json) => {
        delete json.count
      }),
    ),
  ],
  'MCP over HTTP: sends receipts without a name': [
    'mcp-http:act',
    overHttp(
      inText((json) => {
        delete json.action
      }),
    ),
  ],
  'MCP over HTTP: shows no picture': [
    'mcp-http:picture',
    overHttp(
      inCall((result) => {
        result.content = [{ type: 'text', text: '{}' }]
      }),
    ),
  ],
  'MCP over HTTP: calls failures successes': [
    'mcp-http:is-error',
    overHttp(
      inCall((result) => {
        delete result.isError
      }),
    ),
  ],
  'MCP over HTTP: knows every method': [
    'mcp-http:unknown',
    overHttp(
      inAnswer((message) => {
        if (message.error?.code !== -32601) return
        delete message.error
        message.result = {}
      }),
    ),
  ],
  'MCP over HTTP: knows every tool': [
    'mcp-http:unknown-tool',
    overHttp(
      inAnswer((message) => {
        if (!message.error && !message.result?.isError) return
        delete message.error
        message.result = { content: [{ type: 'text', text: '{"error":"Unknown tool"}' }] }
      }),
    ),
  ],
  'MCP over HTTP: lists no tokens': [
    'mcp-http:gates',
    overHttp(
      inListing((tools) => {
        for (const tool of tools) delete tool.inputSchema.properties?.confirm_token
      }),
    ),
  ],
  'MCP over HTTP: supports a version that never was': [
    'mcp-http:version',
    overHttp(
      inGreeting((result) => {
        // What the server answers to a version that it does not support.
        if (result.protocolVersion === '2025-11-25') result.protocolVersion = '1999-12-31'
      }),
    ),
  ],
  'MCP over HTTP: supports one version': [
    'mcp-http:versions',
    overHttp(
      inGreeting((result) => {
        result.protocolVersion = '2024-11-05'
      }),
    ),
  ],
  'MCP over HTTP: shows another desktop than REST': [
    'mcp-http:desktop',
    overHttp(
      inText((json) => {
        if (json.windows) json.count = json.windows.splice(1).length
      }),
    ),
  ],
  'MCP over HTTP: gives every client the same session id': [
    'mcp-http:session-id',
    {
      changeStreamHeaders: (headers) => {
        if ('mcp-session-id' in headers) headers['mcp-session-id'] = 'session'
      },
    },
  ],
  'MCP over HTTP: serves requests without a session id': ['mcp-http:without-session', status(400, 200)],
  'MCP over HTTP: calls unknown sessions bad requests': ['mcp-http:unknown-session', status(404, 400)],
  'MCP over HTTP: forgets no client': [
    'mcp-http:delete',
    {
      changeRequest: (request) => {
        if (request.method === 'DELETE' && isMcp(request)) request.path = '/nowhere'
      },
      changeResponse: (answer, { method, path }) => {
        if (method === 'DELETE' && path === '/nowhere') answer.status = 200
      },
    },
  ],
  'MCP over HTTP: answers notifications with 200': ['mcp-http:notification', status(202, 200)],
  'MCP over HTTP: answers GET with an error': [
    'mcp-http:get',
    inRequest((request) => {
      if (request.method === 'GET') request.headers.accept = 'text/html'
    }),
  ],
  'MCP over HTTP: sends what was not accepted': [
    'mcp-http:accept',
    inRequest((request) => {
      if (request.method === 'POST') request.headers.accept = 'application/json, text/event-stream'
    }),
  ],
  'MCP over HTTP: reads no version header': [
    'mcp-http:version-header',
    inRequest(({ headers }) => {
      delete headers['mcp-protocol-version']
    }),
  ],
  'MCP over HTTP: trusts every web page': [
    'mcp-http:origin',
    inRequest(({ headers }) => {
      delete headers.origin
    }),
  ],
  'MCP over HTTP: calls broken bodies invalid requests': [
    'mcp-http:parse-error',
    {
      changeResponse: ({ json }) => {
        const { error } = (json ?? {}) as { readonly error?: { code?: unknown } }
        if (error?.code === -32700) error.code = -32600
      },
    },
  ],
  'MCP over HTTP: answers twice': [
    'mcp-http:stream-end',
    { changeFrames: () => (frame) => (frame.includes('"result"') ? [frame, frame] : [frame]) },
  ],
  'MCP over HTTP: numbers the events of each stream anew': [
    'mcp-http:event-ids',
    {
      changeFrames: () => {
        let next = 1
        return (frame) => [frame.replace(/^id: .*$/m, () => `id: ${next++}`)]
      },
    },
  ],
  'MCP over HTTP: resumes nothing': [
    'mcp-http:resume',
    inRequest(({ headers }) => {
      delete headers['last-event-id']
    }),
  ],
})
