import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { type AccessPolicy, isAllowed } from './guard.ts'

/** What a protocol needs of a connection; in tests a pair in memory will do. */
export interface Socket {
  /** Sends a text, perhaps as its bytes in UTF-8. False when nobody is there to hear it any more. */
  send(text: string | Buffer): boolean
  close(code?: number, reason?: string): void
  /** Ends the connection without a word, as a network does. */
  terminate(): void
  /** Binary frames are read as text. */
  onMessage(hear: (text: string) => void): void
  /** Every frame as it came. */
  onFrame(hear: (data: Buffer, binary: boolean) => void): void
  onClose(hear: () => void): void
  /** Whether all that was sent so far has been read: known with the reader's pong, its closing handshake or its loss. */
  delivered(): Promise<boolean>
  /** Ends when the reader has caught up, or has gone; undefined for one that is not behind. */
  drained(): Promise<void> | undefined
  /** Reads no more from the network until `resume`; what has been read is still heard. */
  pause(): void
  resume(): void
}

/** How sockets are let in. */
export interface SocketOptions extends AccessPolicy {
  /** Largest frame in bytes; a larger one closes its socket with 1009. */
  readonly maxPayload: number
  /** What to do with a socket at a path, decoded and without its query: undefined when there is nothing, or a status that refuses it. */
  readonly route: (path: string, headers: IncomingHttpHeaders) => ((socket: Socket) => void) | number | undefined
  /** The status of an upgrade at a path where there is nothing. */
  readonly notFoundStatus: number
  /** The status for a page of a foreign origin. */
  readonly forbiddenStatus: number
}

/** How many bytes a reader may be behind before who can wait for it does. */
const BEHIND = 1024 * 1024
/** A reader this far behind, in bytes, is given up. The largest message that WindieOS takes comes back twice in one frame. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024

/** Texts from this length on are dealt with in a turn of their own: receiving one has taken long enough. */
const MAX_LENGTH_AT_ONCE = 1024 * 1024

const GOING_AWAY = 1001

/** Waits for the next turn of the event loop after a long text was received; undefined for one that needs no pause. */
export const yieldIfLong = (text: string): Promise<void> | undefined =>
  text.length > MAX_LENGTH_AT_ONCE ? breathe() : undefined

/** Takes WebSockets at a server; returns how to end them all. */
export function acceptSockets(server: Server, options: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.maxPayload })
  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    // A client may go away in the middle of its handshake.
    duplex.on('error', () => {})
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return readAgain(server, request, duplex, head)
    if (!isAllowed(request.headers, options)) return refuse(duplex, options.forbiddenStatus)
    const path = pathOf(request.url ?? '/')
    const serve = path === undefined ? undefined : options.route(path, request.headers)
    if (typeof serve !== 'function') return refuse(duplex, serve ?? options.notFoundStatus)
    sockets.handleUpgrade(request, duplex, head, (socket) => serve(wrap(socket, duplex)))
  })
  return () => {
    sockets.close()
    for (const socket of sockets.clients) socket.close(GOING_AWAY, 'the server shuts down')
    // What was sent is on its way by then; who does not read it is not waited for.
    setImmediate(() => {
      for (const socket of sockets.clients) socket.terminate()
    })
  }
}

const OFFER: ReadonlySet<string> = new Set(['upgrade', 'connection', 'http2-settings'])

/** A request that offers another protocol, as HTTP/2 clients do, is read once more without the offer. */
function readAgain(server: Server, { method, url, rawHeaders }: IncomingMessage, duplex: Duplex, head: Buffer): void {
  let text = `${method} ${url} HTTP/1.1\r\n`
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!OFFER.has(rawHeaders[at]!.toLowerCase())) text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`
  duplex.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
  server.emit('connection', duplex)
}

/** Undefined for what cannot be decoded. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?')[0]!)
  } catch {
    return undefined
  }
}

function refuse(duplex: Duplex, status: number): void {
  duplex.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** What is sent in one go leaves in one go. */
function together(duplex: Duplex): void {
  if (duplex.writableCorked > 0) return
  duplex.cork()
  process.nextTick(() => duplex.uncork())
}

const AS_TEXT = { binary: false }

function wrap(socket: WebSocket, duplex: Duplex): Socket {
  // An oversized or malformed frame: `ws` closes the socket by itself.
  socket.on('error', () => {})
  let pings = 0
  return {
    send: (text) => {
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
      if (socket.readyState !== socket.OPEN) return false
      together(duplex)
      socket.send(text, AS_TEXT)
      return true
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => {
      // What was sent before is on its way; a network drops what comes after.
      while (duplex.writableCorked > 0) duplex.uncork()
      socket.terminate()
    },
    onMessage: (hear) => void socket.on('message', (data: RawData) => hear(String(data))),
    // A server's frames come whole, as one buffer.
    onFrame: (hear) => void socket.on('message', (data: RawData, binary: boolean) => hear(data as Buffer, binary)),
    onClose: (hear) => void socket.on('close', hear),
    delivered: () => received(socket, String(++pings)),
    drained: () => {
      if (socket.bufferedAmount < BEHIND || socket.readyState !== socket.OPEN) return undefined
      return new Promise((resolve) => {
        duplex.once('drain', resolve)
        duplex.once('close', resolve)
      })
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
}

/** The code of a connection that ends without a closing handshake. */
const ABNORMAL = 1006

/** A pong comes back only after all frames before its ping have been read. */
function received(socket: WebSocket, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve(false)
    const settle = (wasRead: boolean) => {
      socket.off('pong', onPong)
      socket.off('close', onClose)
      resolve(wasRead)
    }
    const onPong = (data: Buffer) => void (String(data) === name && settle(true))
    const onClose = (code: number) => settle(code !== ABNORMAL)
    socket.on('pong', onPong)
    socket.on('close', onClose)
    socket.ping(name)
  })
}
