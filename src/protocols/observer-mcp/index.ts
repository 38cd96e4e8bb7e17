import * as z from 'zod'
import type { DoorDefinition } from '../door.ts'
import { requestFault } from '../http/status.ts'
import type { McpHttp } from './http.ts'

const PATH = '/mcp'

/** MCP over Streamable HTTP on the observer's port. The MCP library is loaded by the first request. */
export const mcpDoor: DoorDefinition = {
  name: 'mcp',
  path: PATH,
  headers: {
    request: ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'],
    response: ['mcp-session-id'],
  },
  loadOperations: async () => {
    const { DesktopQuery } = await import('./http.ts')
    const message = z.looseObject({ jsonrpc: z.literal('2.0') })
    const error = message.extend({ error: z.looseObject({ code: z.int(), message: z.string() }) })
    const refused = { 400: error, 401: error, 403: error, 404: error }
    return [
      {
        method: 'post',
        path: PATH,
        summary: 'MCP over Streamable HTTP: one JSON-RPC message. The response to a request is an event stream.',
        query: DesktopQuery,
        body: message,
        responses: { 200: 'text/event-stream', 202: null, ...refused },
      },
      {
        method: 'get',
        path: PATH,
        summary: 'The events of a client of MCP that belong to no request, or of a stream that it resumes.',
        responses: { 200: 'text/event-stream', ...refused },
      },
      {
        method: 'delete',
        path: PATH,
        summary: 'End a client of MCP, and the desktop that was opened for it.',
        responses: { 200: null, ...refused },
      },
    ]
  },
  loadProbes: async () => {
    const { mcpProbe, statelessProbe } = await import('./probe.ts')
    return [mcpProbe, statelessProbe]
  },
  open: (context) => {
    let loading: Promise<McpHttp> | undefined
    let loaded: McpHttp | undefined
    const load = () => {
      loading ??= import('./http.ts').then(({ createMcpHttp }) => {
        loaded = createMcpHttp(context)
        return loaded
      })
      return loading
    }
    return {
      addRoutes: (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
        scope.setErrorHandler(async (error, request, reply) => {
          const { refusalOf } = await import('./http.ts')
          return reply.send(refusalOf(requestFault(error, request)))
        })
        scope.route({
          method: ['GET', 'POST', 'DELETE'],
          url: PATH,
          exposeHeadRoute: false,
          handler: async (request, reply) => (await load()).handle(request, reply),
        })
      },
      // GET opens a stream of events.
      calledSession: (request) => (request.method === 'POST' ? loaded?.sessionOf(request) : undefined),
      close: async () => {
        const opened = await loading
        await opened?.close()
      },
    }
  },
}
