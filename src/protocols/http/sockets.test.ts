import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
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
    notFoundStatus: 404,
    forbiddenStatus: 403,
    route: () => (socket) => accepted.push(socket),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close(), end)
  const { port } = server.address() as AddressInfo
  const url = `ws://127.0.0.1:${port}/`
  const dial = async () => {
    const client = new WebSocket(url)
    closers.push(() => client.terminate())
    await once(client, 'open')
    return { client, socket: accepted.at(-1)! }
  }
  return { dial, server, port, end }
}

it('disconnects a reader that is far behind, without affecting others', async () => {
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

it('makes senders wait for a slow reader', async () => {
  const { dial } = await listen()
  const { client, socket } = await dial()
  expect(socket.drained()).toBeUndefined()
  client.pause()
  const frames: number[] = []
  client.on('message', (data) => frames.push(String(data).length))
  while (!socket.drained()) socket.send('x'.repeat(MIB))
  const drained = socket.drained()
  client.resume()
  await drained
  expect(socket.drained()).toBeUndefined()
  client.terminate()
})

it('waiting for a reader ends when the reader goes', async () => {
  const { dial } = await listen()
  const { client, socket } = await dial()
  client.pause()
  while (!socket.drained()) socket.send('x'.repeat(MIB))
  const drained = socket.drained()
  client.terminate()
  await drained
  expect(socket.drained()).toBeUndefined()
})

it('a request that offers another protocol is answered as if it had not', async () => {
  const { server, port } = await listen()
  server.on('request', (request, reply) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => reply.end(JSON.stringify([request.method, request.url, request.headers, body])))
  })
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  const ask = async (method: string, body: string) => {
    const offer =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA'
    socket.write(
      `${method} /somewhere?a=b HTTP/1.1\r\nHost: localhost\r\n${offer}\r\nContent-Length: ${body.length}\r\nX-Own: yes\r\n\r\n${body}`,
    )
    const [answer] = await once(socket, 'data')
    return String(answer).split('\r\n\r\n')[1]
  }
  const headers = (length: number) => ({ host: 'localhost', 'content-length': String(length), 'x-own': 'yes' })
  // Twice on one connection, which goes on as any other does.
  expect(JSON.parse((await ask('GET', ''))!)).toEqual(['GET', '/somewhere?a=b', headers(0), ''])
  expect(JSON.parse((await ask('POST', '{"some":1}'))!)).toEqual(['POST', '/somewhere?a=b', headers(10), '{"some":1}'])
})

it('closes every socket with going away at shutdown, after all sent data', async () => {
  const { dial, end } = await listen()
  const { client, socket } = await dial()
  const heard: string[] = []
  client.on('message', (data) => heard.push(String(data)))
  const closed = once(client, 'close')
  socket.send('last')
  end()
  const [code, reason] = await closed
  expect([code, String(reason), heard]).toEqual([1001, 'the server shuts down', ['last']])
  expect(socket.send('more')).toBe(false)
})

it('does not wait for a slow reader at shutdown', async () => {
  const { dial, server, end } = await listen()
  const { client, socket } = await dial()
  client.pause()
  while (!socket.drained()) socket.send('x'.repeat(MIB))
  end()
  await new Promise((resolve) => server.close(resolve))
  expect(client.readyState).toBe(client.OPEN)
})
