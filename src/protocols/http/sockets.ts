import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { type AccessPolicy, isAllowed } from './guard.ts'

/** A connection as protocols use it. Tests may pass an in-memory pair. */
export interface Socket {
  /** Sends a text, given as a string or as UTF-8 bytes. Returns false when the connection is closed. */
  send(text: string | Buffer): boolean
  /** Sends a binary frame, whose bytes must not change afterwards. Returns false when the connection is closed. */
  sendBytes(bytes: Buffer): boolean
  close(code?: number, reason?: string): void
  /** Ends the connection without a closing handshake, like a network failure. */
  terminate(): void
  /** Binary frames are read as text. */
  onMessage(listener: (text: string) => void): void
  /** Receives every frame unchanged. */
  onFrame(listener: (data: Buffer, binary: boolean) => void): void
  onClose(listener: () => void): void
  /** Resolves to whether the peer has read everything sent so far: on its pong, its closing handshake, or its loss. */
  delivered(): Promise<boolean>
  /** Resolves when the peer has caught up or disconnected. Undefined if it is not behind. */
  drained(): Promise<void> | undefined
  /** Stops reading from the network until `resume`. Messages already read are still delivered. */
  pause(): void
  resume(): void
}

/** Options for accepting sockets. */
export interface SocketOptions extends AccessPolicy {
  /** The largest frame in bytes. A larger one closes its socket with 1009. */
  readonly maxPayload: number
  /** Returns the handler for a decoded path and its query, a status that rejects the upgrade, or undefined for an unknown path. */
  readonly route: (
    path: string,
    headers: IncomingHttpHeaders,
    query: URLSearchParams,
  ) => ((socket: Socket) => void) | number | undefined
  /** The status of an upgrade at an unknown path. */
  readonly notFoundStatus: number
  /** The status for a page of a foreign origin. */
  readonly forbiddenStatus: number
}

/** Senders that can wait do so when a reader is this many bytes behind. */
const HIGH_WATER_MARK_BYTES = 1024 * 1024
/** A reader this far behind is disconnected. WindieOS echoes its largest message twice in one frame. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024

/** Receiving a longer text takes so long that it is handled in a separate turn of the event loop. */
const MAX_SYNC_LENGTH = 1024 * 1024

const GOING_AWAY = 1001

/** Waits for the next turn of the event loop after a long text. Undefined for a short one. */
export const yieldIfLong = (text: string): Promise<void> | undefined =>
  text.length > MAX_SYNC_LENGTH ? yieldToEventLoop() : undefined

/** Accepts WebSockets at a server. Returns a function that closes all of them. */
export function acceptSockets(server: Server, options: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.maxPayload })
  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    // A client may go away in the middle of its handshake.
    duplex.on('error', () => {})
    if (request.headers.upgrade?.toLowerCase() !== 'websocket')
      return handleWithoutUpgrade(server, request, duplex, head)
    if (!isAllowed(request.headers, options)) return refuse(duplex, options.forbiddenStatus)
    const path = pathOf(request.url ?? '/')
    const serve = path === undefined ? undefined : options.route(path, request.headers, queryOf(request.url ?? '/'))
    if (typeof serve !== 'function') return refuse(duplex, serve ?? options.notFoundStatus)
    sockets.handleUpgrade(request, duplex, head, (socket) => serve(wrap(socket, duplex)))
  })
  return () => {
    sockets.close()
    for (const socket of sockets.clients) socket.close(GOING_AWAY, 'the server shuts down')
    // Sent data is on its way by then. Slow readers do not delay the shutdown.
    setImmediate(() => {
      for (const socket of sockets.clients) socket.terminate()
    })
  }
}

const UPGRADE_HEADERS: ReadonlySet<string> = new Set(['upgrade', 'connection', 'http2-settings'])

/** Parses a request that offers another protocol, as HTTP/2 clients do, again without the offer. */
function handleWithoutUpgrade(
  server: Server,
  { method, url, rawHeaders }: IncomingMessage,
  duplex: Duplex,
  head: Buffer,
): void {
  let text = `${method} ${url} HTTP/1.1\r\n`
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!UPGRADE_HEADERS.has(rawHeaders[at]!.toLowerCase())) text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`
  duplex.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
  server.emit('connection', duplex)
}

/** Returns undefined for a path that cannot be decoded. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?')[0]!)
  } catch {
    return undefined
  }
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'))

function refuse(duplex: Duplex, status: number): void {
  duplex.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** Joins everything sent in one turn of the event loop into one write. */
function corkUntilNextTick(duplex: Duplex): void {
  if (duplex.writableCorked > 0) return
  duplex.cork()
  process.nextTick(() => duplex.uncork())
}

const AS_TEXT = { binary: false }
const AS_BYTES = { binary: true }

function wrap(socket: WebSocket, duplex: Duplex): Socket {
  // `ws` closes the socket after an oversized or malformed frame.
  socket.on('error', () => {})
  const whenDelivered = deliveriesOf(socket)
  const send = (data: string | Buffer, as: { readonly binary: boolean }): boolean => {
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
    if (socket.readyState !== socket.OPEN) return false
    corkUntilNextTick(duplex)
    socket.send(data, as)
    return true
  }
  return {
    send: (text) => send(text, AS_TEXT),
    sendBytes: (bytes) => send(bytes, AS_BYTES),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => {
      // Data sent before this call is still delivered.
      while (duplex.writableCorked > 0) duplex.uncork()
      socket.terminate()
    },
    onMessage: (listener) => void socket.on('message', (data: RawData) => listener(String(data))),
    // `ws` delivers each frame as one buffer on the server side.
    onFrame: (listener) =>
      void socket.on('message', (data: RawData, binary: boolean) => listener(data as Buffer, binary)),
    onClose: (listener) => void socket.on('close', listener),
    delivered: whenDelivered,
    drained: () => {
      if (socket.bufferedAmount < HIGH_WATER_MARK_BYTES || socket.readyState !== socket.OPEN) return undefined
      return new Promise((resolve) => {
        const settle = () => {
          duplex.off('drain', settle)
          duplex.off('close', settle)
          resolve()
        }
        duplex.once('drain', settle)
        duplex.once('close', settle)
      })
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
}

/** The code of a connection that ends without a closing handshake. */
const ABNORMAL = 1006

/**
 * Returns a function that resolves when the peer has read all frames sent before: a pong returns only after that. False when
 * the connection was lost.
 */
function deliveriesOf(socket: WebSocket): () => Promise<boolean> {
  const waiting = new Map<string, (wasRead: boolean) => void>()
  let pings = 0
  const settle = (name: string, wasRead: boolean) => {
    waiting.get(name)?.(wasRead)
    waiting.delete(name)
  }
  socket.on('pong', (data: Buffer) => settle(String(data), true))
  socket.on('close', (code: number) => {
    for (const name of waiting.keys()) settle(name, code !== ABNORMAL)
  })
  return () =>
    new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) return resolve(false)
      const name = String(++pings)
      waiting.set(name, resolve)
      socket.ping(name)
    })
}
