import { pipeline, type Readable, Transform, type Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { audienceIn, type McpOptions, observerMcp } from './connection.ts'
import { PROTOCOL_VERSION, serveStatelessStdio } from './stateless.ts'
import type { JsonObject } from './translate.ts'

/**
 * Serves a session over a pair of streams until the input ends and all requests are answered. Each request is of the revision that
 * it names. A line that is not a JSON-RPC message gets an error. A line that is too long ends the connection. Resolves to whether
 * a client has initialised, or sent a request that names its revision.
 */
export async function serveStdio(options: McpOptions, input: Readable, output: Writable): Promise<boolean> {
  const lines = pipeline(input, normaliseLines(), () => {})
  const wire = new StdioServerTransport(lines, output)
  const ended = new Promise<void>((resolve) => {
    lines.once('end', resolve)
    lines.once('close', resolve)
  })
  const { session, name, version, audience = audienceIn(session) } = options
  const server = observerMcp(options)
  const [older, stateless] = [channelOf(wire), channelOf(wire)]
  const closed = new Promise<void>((resolve) => {
    wire.onclose = () => {
      older.onclose?.()
      stateless.onclose?.()
      resolve()
    }
  })
  wire.onerror = (error) => {
    if (error.name === 'SyntaxError')
      refuse(wire, null, { code: -32700, message: 'Parse error: one JSON object per line' })
    if (error.name.endsWith('ZodError'))
      refuse(wire, null, { code: -32600, message: 'Invalid Request: not a JSON-RPC 2.0 message' })
    if (error.message.startsWith('ReadBuffer exceeded'))
      refuse(wire, null, { code: -32600, message: 'Invalid Request: too long' })
  }
  const { track, whenAnswered } = trackPending(wire)
  let current = older
  let hasStateless = false
  wire.onmessage = (message) => {
    track(message)
    if ('method' in message && 'id' in message) {
      const revision = revisionOf(message)
      if (typeof revision === 'string' && revision !== PROTOCOL_VERSION) {
        refuse(wire, message.id, unsupported(revision))
        return
      }
      current = revision === undefined ? older : stateless
    }
    // Notifications are for the server of the last request.
    hasStateless ||= current === stateless
    current.onmessage?.(message)
  }
  await server.connect(older)
  const ending = serveStatelessStdio({ name, version }, { session, audience }, stateless)
  // Buffered input arrives immediately.
  await wire.start()
  await Promise.race([ended.then(whenAnswered), closed])
  await server.close()
  await ending.close()
  await wire.close()
  return hasStateless || server.getClientVersion() !== undefined
}

/** What a server gets of a wire that several share: messages that are passed on, and no power to close it. */
interface Channel extends Transport {
  onmessage?: (message: JSONRPCMessage) => void
}

function channelOf(wire: Transport): Channel {
  const channel: Channel = {
    start: async () => {},
    send: (message, options) => wire.send(message, options),
    close: async () => channel.onclose?.(),
  }
  return channel
}

/** The revision that a request names, as each does from 2026-07-28 on. */
function revisionOf({ params }: { readonly params?: { readonly _meta?: object | undefined } | undefined }): unknown {
  return (params?._meta as JsonObject | undefined)?.['io.modelcontextprotocol/protocolVersion']
}

/** The library refuses unknown revisions in the first request only. */
const unsupported = (requested: string) => ({
  code: -32022,
  message: `Unsupported protocol version: ${requested.slice(0, 100)}`,
  data: { supported: [PROTOCOL_VERSION], requested: requested.slice(0, 100) },
})

const LINE_END = 0x0a
/** Windows shells write it before the first line. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Removes a byte order mark and ends the last line. */
function normaliseLines(): Transform {
  let last: number | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const marked = last === undefined && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
      last = chunk.at(-1)
      done(null, marked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk)
    },
    flush(done) {
      done(null, last === undefined || last === LINE_END ? undefined : '\n')
    },
  })
}

/** Tracks the requests that wait for an answer. `whenAnswered` resolves when there are none. */
function trackPending(transport: Transport): {
  readonly track: (message: JSONRPCMessage) => void
  readonly whenAnswered: () => Promise<void>
} {
  const waiting = new Set<unknown>()
  let settle = () => {}
  const done = (id: unknown) => {
    waiting.delete(id)
    if (waiting.size === 0) settle()
  }
  const track = (message: JSONRPCMessage): void => {
    if ('method' in message && 'id' in message) waiting.add(message.id)
    // Cancelled requests are not answered.
    if ('method' in message && message.method === 'notifications/cancelled') done(message.params?.requestId)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    await send(message, options)
    if (!('method' in message)) done(message.id)
  }
  const whenAnswered = () =>
    new Promise<void>((resolve) => {
      settle = resolve
      if (waiting.size === 0) resolve()
    })
  return { track, whenAnswered }
}

/** JSON-RPC requires a null id for what has none, which the library's type does not allow. */
function refuse(transport: Transport, id: RequestId | null, error: object): void {
  void transport.send({ jsonrpc: '2.0', id, error } as JSONRPCMessage)
}
