import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** The request handlers of a scripted server. */
export interface Endpoint {
  /** Handles a request with its body. */
  request(request: http.IncomingMessage, response: http.ServerResponse, body: string): void
  /** The HTTP status that refuses a WebSocket, or undefined to accept it. */
  refuses?(request: http.IncomingMessage): number | undefined
  /** Handles a connection with an upgrade to `mcp`. */
  raw?(socket: Duplex): void
  connected?(socket: WebSocket, request: http.IncomingMessage): void
}

/** A listening server whose endpoint can change between conversations. */
export interface Host {
  readonly url: string
  readonly port: number
  close(): Promise<void>
  /** Closes all connections, and continues to listen. */
  drop(): void
}

/** Bytes of a body, or of a frame, after which the client is disconnected. */
const MAX_BODY = 64 * 1024 * 1024

/** Listens on 127.0.0.1, on any free port by default. */
export async function startHost(endpoint: () => Endpoint | undefined, port = 0): Promise<Host> {
  const server = http.createServer((request, response) => {
    // A connection that outlives its conversation could break during the next one.
    response.setHeader('connection', 'close')
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BODY) request.destroy()
      else chunks.push(chunk)
    })
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('end', () => {
      const now = endpoint()
      if (now) now.request(request, response, Buffer.concat(chunks).toString())
      else response.writeHead(503).end()
    })
  })
  const raw = new Set<Duplex>()
  const acceptor = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY })
  server.on('upgrade', (request, socket, head) => {
    const now = endpoint()
    const refused = now?.connected ? now.refuses?.(request) : 404
    socket.on('error', () => {})
    if (now?.raw && request.headers.upgrade === 'mcp') {
      raw.add(socket)
      socket.once('close', () => raw.delete(socket))
      socket.unshift(head)
      return now.raw(socket)
    }
    if (refused !== undefined) return socket.end(`HTTP/1.1 ${refused} Refused\r\ncontent-length: 0\r\n\r\n`)
    acceptor.handleUpgrade(request, socket, head, (joined) => {
      joined.on('error', () => {})
      now!.connected!(joined, request)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const drop = () => {
    for (const client of acceptor.clients) client.terminate()
    for (const socket of raw) socket.destroy()
    server.closeAllConnections()
  }
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    drop,
    close: () => {
      drop()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
