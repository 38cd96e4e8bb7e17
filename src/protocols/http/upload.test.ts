import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import { afterEach, describe, expect, it } from 'vitest'
import { serve, type TestServer } from '../../../test/support/protocols/serve.ts'
import { Fault } from '../../base/fault.ts'
import { modelFreeServices } from '../../perception/open-perception.ts'
import { memoryStore } from '../../stores/memory.ts'
import { navi } from '../navi/server.ts'
import { windieos } from '../windieos/server.ts'
import { createApp } from './app.ts'
import { receiveFile } from './upload.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

interface Place {
  readonly server: TestServer
  readonly path: string
  /** The files that are kept. */
  readonly kept: () => readonly string[]
  /** The status of a form that cannot be used. */
  readonly refused: number
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'form-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  navi: async () => {
    const dataFolder = newFolder()
    const server = await serve((agent, onBug) => navi({ agent, onBug, store: memoryStore(), dataFolder }))
    const made = await fetch(`${server.url}/sessions`, { method: 'POST', body: '{"profile_id":"default"}' })
    const { session_id } = (await made.json()) as { session_id: string }
    return { server, path: `/sessions/${session_id}/files`, kept: () => filesBelow(dataFolder), refused: 422 }
  },
  windieos: async () => {
    const dataFolder = newFolder()
    const server = await serve((agent, onBug) =>
      windieos({
        agent,
        onBug,
        dataFolder,
        store: memoryStore(),
        ...modelFreeServices,
      }),
    )
    return { server, path: '/api/artifacts', kept: () => filesBelow(dataFolder), refused: 422 }
  },
}

const MIB = 1024 * 1024
const HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

describe.each(Object.keys(PLACES))('a form for %s', (name) => {
  async function open() {
    const place = await PLACES[name]!()
    closers.push(place.server.close)
    return place
  }

  it.each([
    ['has no boundary', 'multipart/form-data', HEAD],
    ['ends in the middle of its file', 'multipart/form-data; boundary=x', `${HEAD}half of a fi`],
    ['ends in the middle of a head', 'multipart/form-data; boundary=x', HEAD.slice(0, 30)],
    ['is not a form', 'multipart/form-data; boundary=x', '{"a":1}'],
    ['is empty', 'multipart/form-data; boundary=x', ''],
    ['has a head that is none', 'multipart/form-data; boundary=x', '--x\r\n:::\r\n\r\na\r\n--x--\r\n'],
    [
      'has a file without a name in another field',
      'multipart/form-data; boundary=x',
      `${HEAD.replace('"file"', '"other"')}a\r\n--x--\r\n`,
    ],
  ])('that %s is refused, and nothing of it is kept', async (_what, type, body) => {
    const { server, path, kept, refused } = await open()
    const answer = await fetch(server.url + path, { method: 'POST', headers: { 'content-type': type }, body })
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([refused, ['detail']])
    expect([kept(), server.bugs]).toEqual([[], []])
  })

  it('whose sender disconnects leaves no file and reports no internal error', async () => {
    const { server, path, kept } = await open()
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '100000' }
    const sent = request(server.url + path, { method: 'POST', headers })
    sent.on('error', () => {})
    sent.write(`${HEAD}${'a'.repeat(50_000)}`)
    while (kept().length === 0) await new Promise((resolve) => setImmediate(resolve))
    sent.destroy()
    while (kept().length > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(server.bugs).toEqual([])
  })

  it('without a file name is accepted or refused with a message', async () => {
    const { server, path } = await open()
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const sent = request(server.url + path, { method: 'POST', headers })
    sent.end(
      '--x\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream\r\n\r\na\r\n--x--\r\n',
    )
    const [response] = await once(sent, 'response')
    await text(response)
    expect([response.statusCode < 500, server.bugs]).toEqual([true, []])
  })
})

/** A server that passes the file of a form to `take`, and the internal errors that it reports. */
async function taking(take: (file: Readable) => Promise<unknown>) {
  const bugs: unknown[] = []
  const app = createApp({
    bodyLimit: MIB,
    cors: false,
    hosts: [],
    origins: [],
    sendFault: ({ code }, reply) => reply.status(500).send({ code }),
    onBug: (cause) => bugs.push(cause),
  })
  closers.push(() => app.close())
  await app.register(multipart)
  const limit = { bytes: 16 * MIB, tooLarge: () => new Fault('TooLarge') }
  app.post('/', async (asked) => ({ taken: await receiveFile(asked, limit, ({ file }) => take(file)) }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  closers.push(() => agent.destroy())
  const send = async (...files: readonly string[]) => {
    const body = `${files.map((file) => `${HEAD}${file}\r\n`).join('')}--x--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': body.length }
    const sent = request(url, { method: 'POST', headers, agent })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return JSON.parse(await text(response))
  }
  return { send, bugs }
}

const LONG = 'a'.repeat(2 * MIB)

it('a failing disk is not reported as a malformed form, and the connection stays open', async () => {
  const nowhere = join(newFolder(), 'missing', 'a.txt')
  const { send, bugs } = await taking((file) => pipeline(file, createWriteStream(nowhere)))
  const answer = { code: 'Internal' }
  expect([await send(LONG), await send(LONG)]).toEqual([answer, answer])
  const bug = expect.objectContaining({ code: 'ENOENT' })
  expect(bugs).toEqual([bug, bug])
})

it('accepts the first of several files in a form, and the connection stays open', async () => {
  const { send } = await taking(text)
  const answer = { taken: 'a' }
  expect([await send('a', LONG, LONG), await send('a', LONG)]).toEqual([answer, answer])
})
