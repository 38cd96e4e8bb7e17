import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

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
export const hasBody = ({ headers }: IncomingMessage): boolean =>
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
