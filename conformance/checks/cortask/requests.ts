import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { type Client, connect, createClient, getWorkspaceId, parseEvent, SETTLE_MS } from '../../cortask/driver.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** A run that waits for a permission. */
async function askPermission(context: TestContext) {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('permission'))
  const { requestId } = parseEvent(await client.nextEvent('permission_request'), 'permission_request')
  return { client, key, requestId }
}

const answer = (client: Client, requestId: string, approved: unknown) =>
  client.socket.sendRaw(JSON.stringify({ type: 'permission_response', requestId, approved }))

/** Whether the tools of a finished run failed. */
const failedTools = (client: Client, key: string) =>
  client
    .eventsOf(key)
    .filter((one) => one.type === 'tool_result')
    .map((one) => parseEvent(one, 'tool_result').isError === true)

check('cortask:permission:request', async (context) => {
  const { client, key } = await askPermission(context)
  await pause(SETTLE_MS)
  assert.ok(
    !client.eventsOf(key).some((one) => one.type === 'tool_result' || one.type === 'done'),
    'the run does not wait',
  )
})

check('cortask:permission:after-start', async (context) => {
  const { client } = await askPermission(context)
  const types = client.socket.messages.map((one) => one.type)
  const started = types.indexOf('tool_call_start')
  assert.ok(started >= 0 && started < types.indexOf('permission_request'), 'no tool call has begun')
})

check('cortask:permission:approve', async (context) => {
  const { client, key, requestId } = await askPermission(context)
  client.socket.send({ type: 'permission_response', requestId, approved: true })
  assert.equal((await client.end(key)).type, 'done')
  const failed = failedTools(client, key)
  assert.ok(failed.length > 0 && !failed.includes(true), `an approved tool failed or did not run: ${failed.join()}`)
})

check('cortask:permission:deny', async (context) => {
  const { client, key, requestId } = await askPermission(context)
  client.socket.send({ type: 'permission_response', requestId, approved: false })
  await client.end(key)
  assert.ok(!failedTools(client, key).includes(false), 'a denied tool succeeded')
})

check('cortask:permission:denied-result', async (context) => {
  const { client, key, requestId } = await askPermission(context)
  client.socket.send({ type: 'permission_response', requestId, approved: false })
  assert.equal((await client.end(key)).type, 'done')
  assert.deepEqual(failedTools(client, key), [true])
})

check(
  'cortask:permission:not-boolean',
  async (context) => {
    for (const approved of ['true', 1, null, undefined]) {
      const { client, key, requestId } = await askPermission(context)
      answer(client, requestId, approved)
      assert.equal((await client.end(key)).type, 'done')
      assert.deepEqual(failedTools(client, key), [true], `${JSON.stringify(approved)} approves`)
    }
  },
  { pool: 'dangerous' },
)

check('cortask:permission:unknown', async (context) => {
  const { client, key, requestId } = await askPermission(context)
  client.socket.send({ type: 'permission_response', requestId: context.random.word(16), approved: true })
  client.socket.send({ type: 'questionnaire_response', requestId: context.random.word(16), responses: {} })
  await pause(SETTLE_MS)
  assert.ok(!client.eventsOf(key).some((one) => one.type === 'tool_result'), 'an unknown answer lets the tool run')
  client.socket.send({ type: 'permission_response', requestId, approved: false })
  client.socket.send({ type: 'permission_response', requestId, approved: true })
  await client.end(key)
  await pause(SETTLE_MS)
  assert.deepEqual(failedTools(client, key), [true], 'the second answer counts')
  assert.ok(!client.socket.messages.some((one) => one.type === 'error'))
})

check('cortask:permission:other-socket', async (context) => {
  const { client, key, requestId } = await askPermission(context)
  const other = await connect(context)
  other.socket.send({ type: 'permission_response', requestId, approved: true })
  assert.equal((await client.end(key)).type, 'done')
})

check(
  'cortask:permission:timeout',
  async (context) => {
    const scale = context.profile.has('time-scale') ? context.profile.known('time-scale', z.number().positive()) : 1
    const http = scale === 1 ? context.http : await context.auxiliary('fast')
    const socket = await context.socketAt(http.base.href, '/ws')
    const client = createClient(context, socket, await getWorkspaceId(context, http))
    const key = client.chat(context.profile.phrase('permission'))
    await client.nextEvent('permission_request')
    const askedAt = performance.now()
    const goesOn = (one: SocketMessage) => one.sessionKey === key && ['tool_result', 'done', 'error'].includes(one.type)
    const after = socket.messages.length
    await socket.until('the denial', goesOn, { after, timeoutMs: 70_000 / scale + 5000 })
    const waitedMs = (performance.now() - askedAt) * scale
    assert.ok(waitedMs > 55_000, `it is denied after ${Math.round(waitedMs / 1000)} s already`)
    await client.end(key)
    assert.ok(!failedTools(client, key).includes(false), 'a tool without approval succeeded')
  },
  { timeoutMs: 90_000, pool: 'auxiliary' },
)

/** A run that waits for answers. */
async function askQuestions(context: TestContext) {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('question'))
  const { requestId, data } = parseEvent(await client.nextEvent('questionnaire_request'), 'questionnaire_request')
  const responses = Object.fromEntries(
    data.questions.map(({ id, type, options }): [string, string | string[]] => {
      const values = options?.map((option) => option.value) ?? ['anything']
      return [id, type === 'multiple' ? values.slice(0, 2) : values[0]!]
    }),
  )
  return { client, key, requestId, responses }
}

check('cortask:questionnaire:answer', async (context) => {
  const { client, key, requestId, responses } = await askQuestions(context)
  await pause(SETTLE_MS)
  assert.ok(!client.eventsOf(key).some((one) => one.type === 'done'), 'the run does not wait')
  client.socket.send({ type: 'questionnaire_response', requestId, responses })
  assert.equal((await client.end(key)).type, 'done')
})

check('cortask:questionnaire:extra', async (context) => {
  const asked = await askQuestions(context)
  const extra = { ...asked.responses, [context.random.word()]: 'unasked' }
  asked.client.socket.send({ type: 'questionnaire_response', requestId: asked.requestId, responses: extra })
  assert.equal((await asked.client.end(asked.key)).type, 'done')
  const skipped = await askQuestions(context)
  skipped.client.socket.send({ type: 'questionnaire_response', requestId: skipped.requestId, responses: {} })
  assert.equal((await skipped.client.end(skipped.key)).type, 'done')
})

check(
  'cortask:questionnaire:malformed',
  async (context) => {
    const { client, key, requestId, responses } = await askQuestions(context)
    client.socket.sendRaw(JSON.stringify({ type: 'questionnaire_response', requestId }))
    await pause(SETTLE_MS)
    client.socket.send({ type: 'questionnaire_response', requestId, responses })
    assert.equal((await client.end(key)).type, 'done')
  },
  { pool: 'dangerous' },
)

check(
  'cortask:questionnaire:kept',
  async (context) => {
    const { client, requestId, responses } = await askQuestions(context)
    client.socket.terminate()
    const again = await connect(context)
    await pause(SETTLE_MS)
    const after = again.socket.messages.length
    again.socket.send({ type: 'questionnaire_response', requestId, responses })
    await pause(SETTLE_MS)
    const refusal = again.socket.messages.slice(after).find((one) => one.type === 'error')
    assert.equal(refusal, undefined, `the answer is refused: ${JSON.stringify(refusal)}`)
    await again.run(context.profile.phrase('hello'))
  },
  { pool: 'dangerous' },
)

check(
  'cortask:questionnaire:reconnect',
  async (context) => {
    const { client, key, requestId, responses } = await askQuestions(context)
    client.socket.terminate()
    const again = await connect(context)
    await pause(SETTLE_MS)
    again.socket.send({ type: 'questionnaire_response', requestId, responses })
    assert.equal((await again.end(key)).type, 'done')
  },
  { pool: 'dangerous' },
)
