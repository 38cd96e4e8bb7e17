import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createApp } from './app.ts'

// Rules such as [PRO25] are stated in SPEC.md of the parent folder.

const BODY = Buffer.alloc(4 * 1024 * 1024, 'x')

/** Sends a request in one write. Resolves with the first line of the response, or with the error of the socket. */
const statusLineOf = (port: number, head: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (data) => {
      heard += String(data)
      // As a client that reads after it has sent everything.
      if (socket.writableLength === 0) socket.end()
    })
    socket.on('error', ({ message }) => resolve(message))
    socket.on('close', () => resolve(heard.split('\r\n', 1)[0]!))
    socket.write(Buffer.concat([Buffer.from(head), BODY]), () => heard !== '' && socket.end())
  })

it.each([
  ['too large', '/', ''],
  ['too large, of a client that closes', '/', 'connection: close\r\n'],
  ['of a foreign page', '/', 'connection: close\r\norigin: http://evil.example\r\n'],
  ['for a missing route', '/missing', 'connection: close\r\n'],
])('[PRO25] lets a client read the response to a body %s', async (_, path, headers) => {
  const app = createApp({
    hosts: [],
    origins: [],
    bodyLimit: 1024,
    cors: false,
    sendFault: (fault, reply) => reply.status(fault.code === 'TooLarge' ? 413 : 403).send(fault.message),
    onBug: () => {},
  })
  app.post('/', async () => 'read')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { readonly port: number }
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}content-length: ${BODY.length}\r\n\r\n`
  const heard = await Promise.all(Array.from({ length: 12 }, () => statusLineOf(port, head)))
  expect(new Set(heard).size).toBe(1)
  expect(heard[0]).toMatch(/^HTTP\/1\.1 4\d\d /)
  await app.close()
})
