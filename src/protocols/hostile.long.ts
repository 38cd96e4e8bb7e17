import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serve, type TestServer } from '../../test/support/protocols/serve.ts'
import { memoryStore } from '../stores/memory.ts'
import { agentWebkitApi } from './agent-webkit/routes.ts'
import { agentWebkit } from './agent-webkit/server.ts'
import { cortaskApi } from './cortask/routes.ts'
import { cortask } from './cortask/server.ts'
import type { ApiDescription } from './http/document.ts'
import { naviApi } from './navi/routes.ts'
import { navi } from './navi/server.ts'

// For any input: a readable response, no internal error, nothing about the machine, and the server continues.
// WindieOS has a test of its own, for it has secrets and pictures besides.

const REQUESTS = 1000
const FRAMES = 1000
const SECRET = 'agent-s3cret'
const STACK = /\n\s+at |node_modules|\.ts:\d+|\.js:\d+/

const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
const outside = `${folder}-outside.txt`
writeFileSync(outside, SECRET)
afterAll(() => {
  rmSync(folder, { recursive: true })
  rmSync(outside)
})

interface Target {
  readonly api: ApiDescription
  serve(): Promise<TestServer>
  /** An id of something that is there. */
  made(url: string): Promise<string>
  /** Where the socket is; undefined where there is none. */
  socket?(url: string, id: string): string
  readonly headers: Readonly<Record<string, string>>
  /** Bodies and messages that are nearly right, one part of each will not be. */
  near(id: string): readonly object[]
  /** Statuses above 499 that the document has. */
  readonly documented: readonly number[]
  /** What the socket is asked at the end, and what shows that it answers. */
  readonly still?: { readonly ask: object; readonly answered: string }
}

const jsonOf = async (answer: Response) => (await answer.json()) as Readonly<Record<string, string>>

const TARGETS: Readonly<Record<string, Target>> = {
  'agent-webkit': {
    api: agentWebkitApi,
    serve: () => serve((agent, onBug) => agentWebkit({ agent, onBug, auth: { disabled: false, token: SECRET } })),
    headers: { authorization: `Bearer ${SECRET}` },
    made: async (url) => {
      const headers = { authorization: `Bearer ${SECRET}` }
      return (await jsonOf(await fetch(`${url}/sessions`, { method: 'POST', body: '{}', headers }))).session_id!
    },
    near: () => [
      { type: 'user_message', content: 'run a command' },
      { type: 'user_message', content: [{ type: 'text', text: 'ask me' }] },
      { type: 'interrupt' },
      { type: 'permission_response', correlation_id: 'x', behavior: 'deny', message: 'no', interrupt: true },
      { type: 'question_response', correlation_id: 'x', answers: [] },
      { type: 'set_permission_mode', mode: 'plan' },
      { type: 'set_model', model: null },
      { type: 'stop_task', task_id: 'x' },
    ],
    documented: [503],
  },
  cortask: {
    api: cortaskApi,
    serve: () =>
      serve((agent, onBug) => {
        const workspaces = [{ id: 'w', name: 'w', rootPath: folder }]
        return cortask({ agent, onBug, store: memoryStore(), workspaces })
      }),
    headers: {},
    made: async () => 'w',
    socket: (url) => `${url.replace('http', 'ws')}/ws`,
    near: () => [
      { type: 'chat', sessionKey: 's', workspaceId: 'w', message: 'run a command' },
      {
        type: 'chat',
        sessionKey: 's',
        workspaceId: 'w',
        message: 'ask me',
        fileReferences: [`../${outside}`, outside],
      },
      {
        type: 'chat',
        sessionKey: 't',
        workspaceId: 'w',
        message: '',
        attachments: [{ mimeType: 'a/b', base64: 'aGk=' }],
      },
      { type: 'cancel', sessionKey: 's' },
      { type: 'permission_response', requestId: 'x', approved: true },
      { type: 'questionnaire_response', requestId: 'x', responses: {} },
    ],
    documented: [],
    still: { ask: { type: 'chat', sessionKey: 'last', workspaceId: 'w', message: 'hello' }, answered: '"last"' },
  },
  navi: {
    api: naviApi,
    serve: () => serve((agent, onBug) => navi({ agent, onBug, store: memoryStore(), dataFolder: folder })),
    headers: {},
    made: async (url) =>
      (await jsonOf(await fetch(`${url}/sessions`, { method: 'POST', body: '{"profile_id":"default"}' }))).session_id!,
    socket: (url, id) => `${url.replace('http', 'ws')}/ws/sessions/${id}`,
    near: (id) => [
      {
        type: 'message',
        content: 'think it over',
        images: ['aGk='],
        files: [{ name: 'a', size: 1, path: `../${id}` }],
      },
      { type: 'message', content: 'use two tools' },
      { profile_id: 'default' },
      { pinned: true },
      { content: 'hello' },
    ],
    // A model that fails is 500.
    documented: [500],
    still: { ask: { type: 'message', content: 'hello' }, answered: '"stream_' },
  },
}

/** Values that mean something somewhere, and values that mean nothing anywhere. */
const value = fc.oneof(
  fc.constantFrom<unknown>('default', 's', 'w', '__proto__', 'hello', '../x', [], {}, null, 1e308, 'x'.repeat(40_000)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: -3, max: 2000 }),
  fc.boolean(),
  fc.jsonValue({ maxDepth: 3 }),
)

/** An object with one of its parts replaced, or all of it. */
const spoiled = ([object, place, wrong]: readonly [object, number, unknown]): unknown => {
  const keys = Object.keys(object)
  const key = keys[place % (keys.length + 1)]
  return key === undefined ? wrong : { ...object, [key]: wrong }
}

const frameOf = (target: Target, id: string): fc.Arbitrary<string | Buffer> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...target.near(id)).map((body) => JSON.stringify(body)) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...target.near(id)), fc.nat(), value)
        .map((part) => JSON.stringify(spoiled(part)) ?? ''),
    },
    { weight: 1, arbitrary: value.map((each) => JSON.stringify(each) ?? '') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
  )

const leaks = (text: string): boolean => text.includes(SECRET) || STACK.test(text) || text.includes(import.meta.dirname)

it.each(Object.keys(TARGETS))(`%s answers ${REQUESTS} requests of a hostile client in words`, async (name) => {
  const target = TARGETS[name]!
  const server = await target.serve()
  const id = await target.made(server.url)
  const inside = fc.oneof(fc.constantFrom(id, 'telegram', '..', '%00'), fc.string({ maxLength: 20 }))
  const request = fc.tuple(
    fc.constantFrom(...target.api.operations.filter(({ path }) => !path.endsWith('/stream'))),
    inside,
    fc.constantFrom(undefined, undefined, 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'POST'),
    frameOf(target, id),
    fc.constantFrom('application/json', 'multipart/form-data', 'multipart/form-data; boundary=x'),
    fc.constantFrom(true, true, true, false),
  )
  const problems: string[] = []
  for (const [operation, part, other, body, type, known] of fc.sample(request, { numRuns: REQUESTS, seed: 5 })) {
    const method = other ?? operation.method.toUpperCase()
    // The one session is still wanted.
    const kept = part === id && method === 'DELETE'
    const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(kept ? 'other' : part))
    const answer = await fetch(server.url + path, {
      method,
      headers: { ...(known && target.headers), 'content-type': type },
      ...(!['GET', 'HEAD'].includes(method) && { body: body as string }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    if (leaks(text) || (answer.status >= 500 && !target.documented.includes(answer.status)))
      problems.push(`${answer.status} ${text.slice(0, 300)} to ${method} ${path} ${String(body).slice(0, 200)}`)
    if (answer.status >= 400 && method !== 'HEAD' && !/^\{"(detail|error)":/.test(text)) problems.push(text)
  }
  await server.close()
  expect(problems).toEqual([])
  expect(server.bugs).toEqual([])
})

it.each(Object.keys(TARGETS).filter((name) => TARGETS[name]!.socket))(
  `%s hears ${FRAMES} frames of a hostile client out, and goes on`,
  async (name) => {
    const target = TARGETS[name]!
    const server = await target.serve()
    const id = await target.made(server.url)
    const address = target.socket!(server.url, id)
    const received: string[] = []
    const socket = new WebSocket(address)
    socket.on('message', (data) => received.push(String(data)))
    await once(socket, 'open')
    for (const frame of fc.sample(frameOf(target, id), { numRuns: FRAMES, seed: 6 })) socket.send(frame)
    // When a socket answers this message, it has processed all earlier ones.
    const { ask, answered } = target.still!
    const before = received.length
    socket.send(JSON.stringify(ask))
    while (!received.slice(before).some((text) => text.includes(answered))) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (name === 'navi') socket.send(JSON.stringify(ask))
    }
    socket.close()
    await server.close()
    expect(received.filter(leaks)).toEqual([])
    expect(server.bugs).toEqual([])
  },
)
