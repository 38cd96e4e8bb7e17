import { WebSocket } from 'ws'
import type { Contract } from '../contract/contract.ts'
import { fail, withTimeout } from './failure.ts'
import { type FrameRecorder, quoteMessage, shorten } from './frame.ts'

export type SocketMessage = Readonly<Record<string, unknown>> & { readonly type: string }

export interface SocketOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly origin?: string
}

/** An open socket. It keeps all messages, so checks can inspect earlier ones. */
export interface Socket {
  readonly messages: readonly SocketMessage[]
  /** The close code once it is closed. */
  readonly closed: number | undefined
  send(message: unknown): void
  /** Sends something wrong on purpose: text as it is, bytes as a binary frame. */
  sendRaw(data: string | Buffer, binary?: boolean): void
  /** The first message that fits, among those from `after` on and those to come. */
  until(
    what: string,
    fits: (message: SocketMessage) => boolean,
    options?: { timeoutMs?: number; after?: number },
  ): Promise<SocketMessage>
  /** The code the server closes with. */
  closing(timeoutMs?: number): Promise<number>
  close(code?: number): void
  /** Stops reading: data waits in the kernel, then at the server. */
  pause(): void
  resume(): void
  /** Drops the connection without a closing handshake. */
  terminate(): void
  /** Terminates the connection after the check. */
  dispose(): void
}

/** A handshake that succeeded, or the HTTP status it was refused with. */
export type SocketAttempt = { readonly socket: Socket; readonly refused?: undefined } | { readonly refused: number }

export function openSocket(
  url: string,
  contract: Contract,
  recorder: FrameRecorder,
  options: SocketOptions,
  responseTimeoutMs: number,
): Promise<SocketAttempt> {
  const connection = new WebSocket(url, {
    headers: options.headers ?? {},
    ...(options.origin !== undefined && { origin: options.origin }),
    perMessageDeflate: false,
    maxPayload: 256 * 1024 * 1024,
  })
  const origin = options.origin === undefined ? '' : ` from ${options.origin}`
  recorder.add({ direction: 'sent', channel: 'ws', title: `connect ${new URL(url).pathname}${origin}`, text: '' })
  const socket = follow(connection, contract, recorder, responseTimeoutMs)
  const opened = new Promise<SocketAttempt>((resolve, reject) => {
    connection.on('open', () => {
      recorder.add({ direction: 'received', channel: 'ws', title: 'open', text: '' })
      resolve({ socket })
    })
    connection.on('unexpected-response', (request, response) => {
      recorder.add({ direction: 'received', channel: 'ws', title: `refused with ${response.statusCode}`, text: '' })
      request.destroy()
      resolve({ refused: response.statusCode ?? 0 })
    })
    connection.on('error', (error) => {
      try {
        fail(`the WebSocket ${url} cannot be opened: ${error.message}`)
      } catch (failure) {
        reject(failure)
      }
    })
  })
  return withTimeout(responseTimeoutMs, opened, `the WebSocket ${url} to open`).catch((failure) => {
    connection.terminate()
    throw failure
  })
}

function follow(connection: WebSocket, contract: Contract, recorder: FrameRecorder, responseTimeoutMs: number): Socket {
  const messages: SocketMessage[] = []
  const waiting = new Set<() => void>()
  let closed: number | undefined
  let reason = ''
  const wake = () => {
    for (const look of [...waiting]) look()
  }
  connection.on('message', (data) => {
    const text = data.toString()
    const message = readMessage(text)
    messages.push(message)
    recorder.add({
      direction: 'received',
      channel: 'ws',
      title: message.type,
      text: quoteMessage(text),
      shape: message.type in contract.events ? `event ${message.type}` : 'event ?',
      value: message,
    })
    wake()
  })
  connection.on('close', (code, details) => {
    closed = code
    reason = details.toString()
    recorder.add({ direction: 'received', channel: 'ws', title: `close ${code}`, text: reason })
    wake()
  })

  function watch<T>(what: string, look: () => T | undefined, timeoutMs: number): Promise<T> {
    let stop = () => {}
    const found = new Promise<T>((resolve, reject) => {
      const again = () => {
        const value = look()
        if (value !== undefined) return resolve(value)
        if (closed === undefined) return
        try {
          fail(`the socket closed with ${closed}${reason && ` (${reason})`} before ${what}`)
        } catch (failure) {
          reject(failure)
        }
      }
      stop = () => waiting.delete(again)
      waiting.add(again)
      again()
    })
    return withTimeout(timeoutMs, found, what).finally(() => stop())
  }

  return {
    messages,
    get closed() {
      return closed
    },
    send: (message) => {
      const type = String((message as { type?: unknown }).type)
      const text = JSON.stringify(message)
      recorder.add({
        direction: 'sent',
        channel: 'ws',
        title: type,
        text: shorten(text),
        ...(type in contract.messages && { shape: `message ${type}`, value: message }),
      })
      connection.send(text)
    },
    sendRaw: (data, binary = typeof data !== 'string') => {
      const text = typeof data === 'string' ? shorten(data) : `${data.length} bytes`
      recorder.add({ direction: 'sent', channel: 'ws', title: 'raw', text, deliberate: true })
      connection.send(data, { binary })
    },
    until: (what, fits, { timeoutMs = responseTimeoutMs, after = 0 } = {}) =>
      watch(what, () => messages.slice(after).find(fits), timeoutMs),
    closing: (timeoutMs = responseTimeoutMs) => watch('the socket to close', () => closed, timeoutMs),
    close: (code = 1000) => connection.close(code),
    pause: () => connection.pause(),
    resume: () => connection.resume(),
    terminate: () => {
      recorder.add({ direction: 'sent', channel: 'ws', title: 'drop the connection', text: '' })
      connection.terminate()
    },
    dispose: () => connection.terminate(),
  }
}

/** Values other than objects with a `type` get the type `?`; the shape check then reports them. */
function readMessage(text: string): SocketMessage {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string')
      return value as SocketMessage
    return { type: '?', value }
  } catch {
    return { type: '?', value: text }
  }
}
