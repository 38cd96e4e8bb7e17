import { afterEach, expect, it } from 'vitest'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { serve, type TestServerOptions } from '../../../test/support/protocols/serve.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { Store } from '../../stores/store.ts'
import { type AgentWebkitOptions, agentWebkit } from './server.ts'

// Facts such as [W-K1] are listed in facts.ts. A server that is killed leaves its store as it is at that moment, so a
// second server over the same store knows what a restarted one would.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start(store: Store, options: Omit<AgentWebkitOptions, 'agent'> = {}, play: TestServerOptions = {}) {
  const server = await serve((agent, onBug) => agentWebkit({ agent, onBug, store, ...options }), play)
  closers.push(server.close)
  const call = (method: string, path: string, body?: unknown) =>
    fetch(server.url + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const create = async (body: unknown = {}) => {
    const made = (await (await call('POST', '/sessions', body)).json()) as { session_id: string }
    return made.session_id
  }
  const sendMessage = (id: string, content: string) =>
    call('POST', `/sessions/${id}/input`, { type: 'user_message', content })
  return { server, call, create, sendMessage }
}

interface Read {
  readonly id: number
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events of a stream until one fits, or until it ends. */
async function readUntil(url: string, fits: (read: Read) => boolean, after?: number): Promise<readonly Read[]> {
  const leaving = new AbortController()
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': String(after) }
  const response = await fetch(url, { headers, signal: leaving.signal })
  if (response.status !== 200) throw new Error(`the stream answers ${response.status}`)
  const seen: Read[] = []
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop()!
    for (const frame of frames) {
      const [, id, event, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(frame)!
      seen.push({ id: Number(id), event: event!, data: JSON.parse(data!) })
      if (!fits(seen.at(-1)!)) continue
      leaving.abort()
      return seen
    }
  }
  return seen
}

const isResult = ({ event }: Read) => event === 'result'
const textsIn = (seen: readonly Read[]) =>
  seen.flatMap(({ data }) => {
    const { delta } = data as { delta?: { text?: string } }
    return delta?.text ?? []
  })

it('[W-K1] [W-K2] a session that was killed between turns continues with the same numbers and history', async () => {
  const store = memoryStore()
  const before = await start(store)
  const id = await before.create()
  await before.sendMessage(id, 'hello')
  const first = await readUntil(`${before.server.url}/sessions/${id}/stream`, isResult)

  const turns = { turns: [{ on: { turn: 2 }, steps: [{ say: 'the second' }] }] }
  const after = await start(store, {}, { script: turns })
  const url = `${after.server.url}/sessions/${id}/stream`
  const held = await readUntil(url, isResult)
  expect(held).toEqual(first)
  await after.sendMessage(id, 'again')
  const second = await readUntil(url, isResult, first.at(-1)!.id)
  expect(second[0]!.id).toBe(first.at(-1)!.id + 1)
  expect(textsIn(second).join('')).toBe('the second')
})

it('[W-K3] a turn that was killed ends with an error and a result, after all that was read of it', async () => {
  const store = memoryStore()
  const before = await start(store)
  const id = await before.create()
  await before.sendMessage(id, 'answer slowly')
  const read = await readUntil(`${before.server.url}/sessions/${id}/stream`, ({ id }) => id === 3)

  const after = await start(store)
  const all = await readUntil(`${after.server.url}/sessions/${id}/stream`, isResult)
  expect(all.slice(0, read.length)).toEqual(read)
  expect(all.map((one) => one.id)).toEqual(all.map((_, index) => index + 1))
  expect(all.slice(-2)).toMatchObject([
    { event: 'error', data: { code: 'query_failed', message: 'the server was restarted during the turn' } },
    { event: 'result', data: { session_id: id, subtype: 'error_during_execution', is_error: true } },
  ])
  const rest = await readUntil(`${after.server.url}/sessions/${id}/stream`, isResult, read.at(-1)!.id)
  expect(rest).toEqual(all.slice(read.length))
  await after.sendMessage(id, 'hello')
  const answer = await readUntil(`${after.server.url}/sessions/${id}/stream`, isResult, all.at(-1)!.id)
  expect(textsIn(answer).join('')).toBe('You said: hello')
})

it('[W-K4] stores the mode, model and rules of the client', async () => {
  const store = memoryStore()
  const before = await start(store)
  const id = await before.create({ model: 'one', permission_mode: 'plan' })
  await before.call('POST', `/sessions/${id}/input`, { type: 'set_model', model: 'two' })
  await before.call('POST', `/sessions/${id}/input`, { type: 'set_permission_mode', mode: 'dontAsk' })

  const after = await start(store)
  await after.sendMessage(id, 'run a command')
  const seen = await readUntil(`${after.server.url}/sessions/${id}/stream`, isResult)
  expect(seen.map(({ event }) => event)).not.toContain('permission_request')
  expect(seen.find(({ event }) => event === 'tool_result')?.data).toMatchObject({ is_error: true })
  expect(seen.find(({ event }) => event === 'message_complete')?.data).toMatchObject({ message: { model: 'two' } })
})

it('[W-K1] a stopped server cuts its streams without done, and the next one continues', async () => {
  const store = memoryStore()
  const before = await start(store)
  const id = await before.create()
  await before.sendMessage(id, 'answer slowly')
  const reading = readUntil(`${before.server.url}/sessions/${id}/stream`, () => false)
  await readUntil(`${before.server.url}/sessions/${id}/stream`, ({ event }) => event === 'message_delta')
  await before.server.close()
  const read = await reading
  expect(read.map(({ event }) => event)).not.toContain('done')

  const after = await start(store)
  const rest = await readUntil(`${after.server.url}/sessions/${id}/stream`, isResult, read.at(-1)!.id)
  expect(rest.map(({ event }) => event).slice(-2)).toEqual(['error', 'result'])
})

it('[W-K2] keeps the same number of events after a restart', async () => {
  const store = memoryStore()
  const options = { ringSize: 50 }
  const before = await start(store, options)
  const id = await before.create()
  await before.sendMessage(id, 'answer at length')
  const read = await readUntil(`${before.server.url}/sessions/${id}/stream`, isResult).catch(() => [])
  const after = await start(store, options)
  const held = await readUntil(`${after.server.url}/sessions/${id}/stream`, isResult)
  expect(held).toHaveLength(50)
  expect(held.at(-1)).toMatchObject({ event: 'result' })
  expect(held.map((one) => one.id)).toEqual(held.map((_, index) => held[0]!.id + index))
  if (read.length > 0) expect(held.at(-1)!.id).toBe(read.at(-1)!.id)
  const evicted = await fetch(`${after.server.url}/sessions/${id}/stream`, {
    headers: { 'last-event-id': String(held[0]!.id - 2) },
  })
  expect(evicted.status).toBe(412)
})

it('[W-K5] removes all data of sessions that were deleted, or idle after a restart', async () => {
  const store = memoryStore()
  const before = await start(store)
  const [deleted, forgotten] = [await before.create(), await before.create()]
  await before.call('DELETE', `/sessions/${deleted}`)
  const clock = manualClock()
  const after = await start(store, {}, { clock })
  expect((await after.sendMessage(deleted, 'hello')).status).toBe(404)
  await clock.advance(330_000)
  expect((await after.sendMessage(forgotten, 'hello')).status).toBe(404)
  const third = await start(store)
  expect((await third.sendMessage(forgotten, 'hello')).status).toBe(404)
})
