import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import {
  AgentProfile,
  CreatedSession,
  PinResult,
  Reply,
  Session,
  SessionContext,
  SessionRow,
} from '../../navi/contract.ts'
import { connect, createSession, getMessages } from '../../navi/driver.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

const listed = async ({ http }: TestContext) => (await http.get('/sessions')).json(z.array(SessionRow))
const mine = async (context: TestContext, id: string) => (await listed(context)).find((row) => row.session_id === id)
const sendMessage = async ({ http }: TestContext, id: string, content: string) =>
  (await http.post(`/sessions/${id}/messages`, { content })).json(Reply)

check('navi:session:create', async ({ http }) => {
  const [profile] = (await http.get('/agents/profiles')).json(z.array(AgentProfile).min(1))
  const answers = [1, 2].map(() => http.post('/sessions', { profile_id: profile!.id }))
  const created = (await Promise.all(answers)).map((answer) => {
    assert.equal(answer.status, 201)
    return answer.json(CreatedSession)
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
  { pool: 'dangerous' },
)

check('navi:session:list', async (context) => {
  const ids = [await createSession(context), await createSession(context), await createSession(context)]
  for (const id of ids) {
    await sendMessage(context, id, context.profile.phrase('hello'))
    await pause(20)
  }
  await context.http.patch(`/sessions/${ids[0]}/pin`, { pinned: true })
  const rows = await listed(context)
  const order = rows.map((row) => row.session_id).filter((id) => ids.includes(id))
  assert.deepEqual(order, [ids[0], ids[2], ids[1]])
  const firstLoose = rows.findIndex((row) => !row.pinned)
  assert.ok(
    rows.slice(firstLoose).every((row) => !row.pinned),
    'a pinned session comes after one that is not',
  )
})

check('navi:session:preview', async (context) => {
  const id = await createSession(context)
  await sendMessage(context, id, context.profile.phrase('hello'))
  const messages = await getMessages(context, id)
  const row = await mine(context, id)
  assert.equal(row?.message_count, messages.length)
  const last = messages.findLast((item) => typeof item.content === 'string')?.content ?? ''
  assert.equal(row?.preview, [...last].slice(-60).join(''))
})

check('navi:session:history', async (context) => {
  const { id, run } = await connect(context)
  const asked = context.profile.phrase('tool')
  await run(asked)
  const messages = await getMessages(context, id)
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

check('navi:session:delete', async (context) => {
  const id = await createSession(context)
  assert.equal((await context.http.delete(`/sessions/${id}`)).status, 204)
  assert.equal((await context.http.get(`/sessions/${id}`)).status, 404)
  assert.equal(await mine(context, id), undefined)
})

check('navi:session:pin', async (context) => {
  const id = await createSession(context)
  for (const pinned of [true, false]) {
    const answer = await context.http.patch(`/sessions/${id}/pin`, { pinned })
    const details = answer.json(PinResult)
    assert.deepEqual([details.session_id, details.pinned], [id, pinned])
    assert.equal((await mine(context, id))?.pinned, pinned)
  }
})

check('navi:session:context', async (context) => {
  const id = await createSession(context)
  await sendMessage(context, id, context.profile.phrase('hello'))
  const { message_count, context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
  assert.equal(message_count, items.length)
})

check('navi:session:chars', async (context) => {
  const id = await createSession(context)
  await sendMessage(context, id, context.profile.phrase('hello'))
  const { total_chars, context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
  const chars = items.map((item) => item.content ?? '')
  const counts = [chars.join('').length, [...chars.join('')].length]
  assert.ok(counts.includes(total_chars), `total_chars is ${total_chars}, the contents have ${counts[0]}`)
})

check('navi:message:answer', async (context) => {
  const id = await createSession(context)
  const reply = await sendMessage(context, id, context.profile.phrase('hello'))
  assert.ok(reply.content.length > 0)
  const { messages, last_active, created_at } = (await context.http.get(`/sessions/${id}`)).json(Session)
  assert.equal(messages.at(-1)?.content, reply.content)
  assert.ok(Date.parse(last_active) >= Date.parse(created_at))
})

check(
  'navi:message:empty',
  async (context) => {
    const id = await createSession(context)
    for (const raw of ['{}', '{"content":""}', '{"content":7}']) {
      const answer = await context.http.send({
        method: 'POST',
        path: `/sessions/${id}/messages`,
        raw,
        deliberate: true,
      })
      assert.equal(answer.status, 422, `${raw} answers ${answer.status}`)
    }
  },
  { pool: 'dangerous' },
)

check('navi:message:busy', async (context) => {
  const { id, socket, sendText, nextEvent, path } = await connect(context)
  sendText(context.profile.phrase('endless'))
  await nextEvent('stream_delta')
  const hello = { content: context.profile.phrase('hello') }
  const waiting = context.http.post(`/sessions/${id}/messages`, hello, { timeoutMs: context.responseTimeoutMs * 3 })
  await pause(300)
  const ends = socket.messages.filter((one) => ['stream_end', 'stream_stopped', 'error'].includes(one.type))
  assert.deepEqual(ends, [], 'the run ended')
  await context.http.post(`${path}/stop`)
  const { status } = await waiting
  assert.ok(status === 200 || status === 409, `POST /messages answers ${status}`)
})

check('navi:message:failure', async (context) => {
  const id = await createSession(context)
  const answer = await context.http.post(`/sessions/${id}/messages`, { content: context.profile.phrase('error') })
  assert.equal(answer.status, 500)
})
