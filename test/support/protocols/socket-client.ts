import { once } from 'node:events'
import { WebSocket } from 'ws'
import type * as z from 'zod'

/** A WebSocket client for tests. It records all messages and validates each against the protocol. */
export async function connectSocket<Message extends { readonly type: string }>(
  url: string,
  path: string,
  protocol: z.ZodType<Message>,
  headers: Record<string, string> = {},
) {
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
  const received: Message[] = []
  const waiting = new Set<() => void>()
  const closed = once(socket, 'close').then(([code, reason]) => [code, String(reason)])
  socket.on('message', (data) => {
    received.push(protocol.parse(JSON.parse(String(data))))
    for (const wake of waiting) wake()
  })
  await once(socket, 'open')

  /** Resolves to the first matching message from an index on, received or future. */
  const read = (fits: (message: Message) => boolean, from = 0) =>
    new Promise<Message>((resolve) => {
      const look = () => {
        const found = received.slice(from).find(fits)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  return {
    socket,
    received,
    closed,
    read,
    until: (type: Message['type'], from = 0) => read((message) => message.type === type, from),
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  }
}

/** The response status of an upgrade. 101 if it is accepted. */
export const upgradeStatus = (url: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
    socket.on('error', () => {})
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      resolve(response.statusCode!)
    })
  })
