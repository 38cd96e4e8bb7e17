import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The most concurrent connections. Additional ones are closed as they arrive. */
const MAX_CONNECTIONS = 2048
/** The time in which the head of a request must arrive. */
const HEAD_TIMEOUT_MS = 20_000
/** In each interval, an incomplete body must bring the minimum. Large uploads over slow lines still succeed. */
export const BODY_CHECK_INTERVAL_MS = 30_000
export const MIN_BODY_BYTES_PER_CHECK = 16 * 1024
const TIMED_OUT = `HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`

/** Limits the connections of a server, and its waiting time for the head and the body of a request. */
export function limitConnections(app: FastifyInstance): void {
  const server = app.server as Server
  server.maxConnections = MAX_CONNECTIONS
  server.headersTimeout = HEAD_TIMEOUT_MS
  /** Requests whose body is arriving, with the bytes that their connection had received at the last check. */
  const arriving = new Map<IncomingMessage, number>()
  const timer = setInterval(() => {
    for (const [request, before] of arriving) {
      const { socket } = request
      if (request.complete || socket.destroyed) arriving.delete(request)
      else if (socket.bytesRead - before >= MIN_BODY_BYTES_PER_CHECK) arriving.set(request, socket.bytesRead)
      else {
        arriving.delete(request)
        // A second response cannot follow one that has started.
        if (socket.bytesWritten === 0) socket.write(TIMED_OUT)
        socket.destroySoon()
      }
    }
  }, BODY_CHECK_INTERVAL_MS)
  timer.unref()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // Requests injected by tests have no connection.
    if (raw.complete || !(raw.socket instanceof Socket) || !hasBody(raw)) return done()
    arriving.set(raw, raw.socket.bytesRead)
    reply.raw.once('close', () => arriving.delete(raw))
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}

/** The longest time, and the most bytes, that a closing connection waits for the rest of a body. */
const LINGER_MS = 10_000
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * Lets clients read a response that ends the connection before their body has arrived. A server that closes such a connection at once
 * resets it, and the client finds an error of its socket instead of the response (RFC 9112, section 9.6).
 */
export function lingerAtEnd(server: Server): void {
  server.on('request', (request) => {
    const { socket } = request
    if (!hasBody(request)) return
    // Node calls this after the last response of a connection.
    const destroySoon = () => {
      restore()
      if (request.complete) socket.destroySoon()
      else discardRest(request)
    }
    const restore = () => {
      if (socket.destroySoon === destroySoon) delete (socket as Partial<Socket>).destroySoon
    }
    socket.destroySoon = destroySoon
    request.once('close', restore)
  })
}

/** Whether a request announces a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined

/** Ends the server's side of the connection, and the connection itself after the body, or at the limits. */
function discardRest(request: IncomingMessage): void {
  const { socket } = request
  const end = () => socket.destroy()
  const timer = setTimeout(end, LINGER_MS)
  let bytes = 0
  socket.once('close', () => clearTimeout(timer)).end()
  request
    .on('data', ({ length }: Buffer) => {
      bytes += length
      if (bytes > MAX_DISCARDED_BYTES) end()
    })
    .once('end', () => socket.destroySoon())
    .resume()
}
