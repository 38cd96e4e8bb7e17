import assert from 'node:assert/strict'
import * as z from 'zod'
import { Context, Created, Pinned, Profile, Reply, Row, Session } from '../../contract/navi.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { createSession, messagesOf, settle, visit } from './client.ts'

const listed = async ({ http }: Bench) => (await http.get('/sessions')).json(z.array(Row))
const mine = async (bench: Bench, id: string) => (await listed(bench)).find((row) => row.session_id === id)
const say = async ({ http }: Bench, id: string, content: string) =>
  (await http.post(`/sessions/${id}/messages`, { content })).json(Reply)

check('navi:session:create', async ({ http }) => {
  const [profile] = (await http.get('/agents/profiles')).json(z.array(Profile).min(1))
  const answers = [1, 2].map(() => http.post('/sessions', { profile_id: profile!.id }))
  const created = (await Promise.all(answers)).map((answer) => {
    assert.equal(answer.status, 201)
    return answer.json(Created)
  })
  assert.notEqual(created[0]!.session_id, created[1]!.session_id)
  assert.equal(created[0]!.profile_id, profile!.id)
})

check('navi:session:unknown-profile', async ({ http, random }) => {
  assert.equal((await http.post('/sessions', { profile_id: random.word(16) })).status, 404)
})

check(
  'navi:session:malformed',
  async ({ http }) => {
    for (const raw of ['', '{', '[]', 'null', '{}', '{"profile_id":7}']) {
      const answer = await http.send({ method: 'POST', path: '/sessions', raw, deliberate: true })
      assert.equal(answer.status, 422, `${raw || '(empty)'} answers ${answer.status}`)
    }
  },
  { lane: 'dangerous' },
)

check('navi:session:list', async (bench) => {
  const ids = [await createSession(bench), await createSession(bench), await createSession(bench)]
  for (const id of ids) {
    await say(bench, id, bench.profile.phrase('hello'))
    await settle(20)
  }
  await bench.http.patch(`/sessions/${ids[0]}/pin`, { pinned: true })
  const rows = await listed(bench)
  const order = rows.map((row) => row.session_id).filter((id) => ids.includes(id))
  assert.deepEqual(order, [ids[0], ids[2], ids[1]])
  const firstLoose = rows.findIndex((row) => !row.pinned)
  assert.ok(
    rows.slice(firstLoose).every((row) => !row.pinned),
    'a pinned session comes after one that is not',
  )
})

check('navi:session:preview', async (bench) => {
  const id = await createSession(bench)
  await say(bench, id, bench.profile.phrase('hello'))
  const messages = await messagesOf(bench, id)
  const row = await mine(bench, id)
  assert.equal(row?.message_count, messages.length)
  const last = messages.findLast((item) => typeof item.content === 'string')?.content ?? ''
  assert.equal(row?.preview, [...last].slice(-60).join(''))
})

check('navi:session:history', async (bench) => {
  const { id, run } = await visit(bench)
  const asked = bench.profile.phrase('tool')
  await run(asked)
  const messages = await messagesOf(bench, id)
  assert.deepEqual([messages[0]?.role, messages[0]?.content], ['user', asked])
  assert.equal(messages.at(-1)?.role, 'assistant')
  const called = new Set<string>()
  for (const item of messages) {
    for (const { id: call } of item.tool_calls ?? []) called.add(call)
    if (item.role === 'tool') assert.ok(called.has(item.tool_call_id ?? ''), 'a tool item answers no call before it')
  }
  assert.ok(called.size > 0, 'prerequisite: the phrase "tool" used no tool')
})

check('navi:session:unknown', async ({ http, random }) => {
  const path = `/sessions/${random.word(16)}`
  const answers = [
    http.get(path),
    http.delete(path),
    http.patch(`${path}/pin`, { pinned: true }),
    http.get(`${path}/context`),
    http.post(`${path}/messages`, { content: 'hello' }),
  ]
  for (const answer of await Promise.all(answers))
    assert.equal(answer.status, 404, `${answer.what} answers ${answer.status}`)
})

check('navi:session:delete', async (bench) => {
  const id = await createSession(bench)
  assert.equal((await bench.http.delete(`/sessions/${id}`)).status, 204)
  assert.equal((await bench.http.get(`/sessions/${id}`)).status, 404)
  assert.equal(await mine(bench, id), undefined)
})

check('navi:session:pin', async (bench) => {
  const id = await createSession(bench)
  for (const pinned of [true, false]) {
    const answer = await bench.http.patch(`/sessions/${id}/pin`, { pinned })
    const told = answer.json(Pinned)
    assert.deepEqual([told.session_id, told.pinned], [id, pinned])
    assert.equal((await mine(bench, id))?.pinned, pinned)
  }
})

check('navi:session:context', async (bench) => {
  const id = await createSession(bench)
  await say(bench, id, bench.profile.phrase('hello'))
  const { message_count, context } = (await bench.http.get(`/sessions/${id}/context`)).json(Context)
  assert.equal(message_count, context.length)
})

check('navi:session:chars', async (bench) => {
  const id = await createSession(bench)
  await say(bench, id, bench.profile.phrase('hello'))
  const { total_chars, context } = (await bench.http.get(`/sessions/${id}/context`)).json(Context)
  const chars = context.map((item) => item.content ?? '')
  const counts = [chars.join('').length, [...chars.join('')].length]
  assert.ok(counts.includes(total_chars), `total_chars is ${total_chars}, the contents have ${counts[0]}`)
})

check('navi:message:answer', async (bench) => {
  const id = await createSession(bench)
  const reply = await say(bench, id, bench.profile.phrase('hello'))
  assert.ok(reply.content.length > 0)
  const { messages, last_active, created_at } = (await bench.http.get(`/sessions/${id}`)).json(Session)
  assert.equal(messages.at(-1)?.content, reply.content)
  assert.ok(Date.parse(last_active) >= Date.parse(created_at))
})

check(
  'navi:message:empty',
  async (bench) => {
    const id = await createSession(bench)
    for (const raw of ['{}', '{"content":""}', '{"content":7}']) {
      const answer = await bench.http.send({ method: 'POST', path: `/sessions/${id}/messages`, raw, deliberate: true })
      assert.equal(answer.status, 422, `${raw} answers ${answer.status}`)
    }
  },
  { lane: 'dangerous' },
)

check('navi:message:busy', async (bench) => {
  const { id, socket, say: sayHere, next, path } = await visit(bench)
  sayHere(bench.profile.phrase('endless'))
  await next('stream_delta')
  const hello = { content: bench.profile.phrase('hello') }
  const waiting = bench.http.post(`/sessions/${id}/messages`, hello, { timeoutMs: bench.patienceMs * 3 })
  await settle(300)
  const ends = socket.messages.filter((one) => ['stream_end', 'stream_stopped', 'error'].includes(one.type))
  assert.deepEqual(ends, [], 'the run ended')
  await bench.http.post(`${path}/stop`)
  const { status } = await waiting
  assert.ok(status === 200 || status === 409, `POST /messages answers ${status}`)
})

check('navi:message:failure', async (bench) => {
  const id = await createSession(bench)
  const answer = await bench.http.post(`/sessions/${id}/messages`, { content: bench.profile.phrase('error') })
  assert.equal(answer.status, 500)
})
