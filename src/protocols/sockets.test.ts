import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { acceptSockets, type Socket } from './sockets.ts'

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close()
})

const MIB = 1024 * 1024

/** A server on a free port, and its end of each socket that comes. */
async function listen() {
  const server = createServer()
  const accepted: Socket[] = []
  const end = acceptSockets(server, {
    hosts: [],
    origins: [],
    maxPayload: MIB,
    nowhere: 404,
    foreign: 403,
    at: () => (socket) => accepted.push(socket),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close(), end)
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const dial = async () => {
    const client = new WebSocket(url)
    closers.push(() => client.terminate())
    await once(client, 'open')
    return { client, socket: accepted.at(-1)! }
  }
  return { dial }
}

it('a reader who is far behind is given up, and the others read on', async () => {
  const { dial } = await listen()
  const [slow, quick] = [await dial(), await dial()]
  slow.client.pause()
  let heard = 0
  quick.client.on('message', () => heard++)
  const closed = new Promise<void>((resolve) => slow.socket.onClose(resolve))
  const piece = 'x'.repeat(MIB)
  let sent = 0
  while (slow.socket.send(piece)) {
    quick.socket.send('tick')
    sent++
    await new Promise((resolve) => setImmediate(resolve))
  }
  await closed
  // The kernel holds some of it besides.
  expect(sent).toBeLessThan(64)
  quick.socket.send('last')
  while (heard < sent + 1) await new Promise((resolve) => setImmediate(resolve))
  expect(slow.socket.send('more')).toBe(false)
})

it('a socket that is paused is not read from until it is resumed', async () => {
  const { dial } = await listen()
  const { client, socket } = await dial()
  const heard: string[] = []
  socket.onMessage((text) => heard.push(text))
  socket.pause()
  const text = 'x'.repeat(MIB / 2)
  for (let count = 0; count < 40; count++) client.send(text)
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect([heard.length, client.bufferedAmount > 0]).toEqual([0, true])
  socket.resume()
  while (heard.length < 40) await new Promise((resolve) => setImmediate(resolve))
  expect(heard.every((one) => one === text)).toBe(true)
})
