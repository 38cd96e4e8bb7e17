import assert from 'node:assert/strict'
import * as z from 'zod'
import type { Message } from '../../probe/websocket.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { type Client, clientOn, connect, read, settle, workspaceOf } from './client.ts'

/** A run that waits for a permission. */
async function askPermission(bench: Bench) {
  const client = await connect(bench)
  const key = client.chat(bench.profile.phrase('permission'))
  const { requestId } = read(await client.next('permission_request'), 'permission_request')
  return { client, key, requestId }
}

const answer = (client: Client, requestId: string, approved: unknown) =>
  client.socket.sendRaw(JSON.stringify({ type: 'permission_response', requestId, approved }))

/** Whether the tools of a finished run failed. */
const failedTools = (client: Client, key: string) =>
  client
    .of(key)
    .filter((one) => one.type === 'tool_result')
    .map((one) => read(one, 'tool_result').isError === true)

check('cortask:permission:request', async (bench) => {
  const { client, key } = await askPermission(bench)
  await settle()
  assert.ok(!client.of(key).some((one) => one.type === 'tool_result' || one.type === 'done'), 'the run does not wait')
})

check('cortask:permission:after-start', async (bench) => {
  const { client } = await askPermission(bench)
  const types = client.socket.messages.map((one) => one.type)
  const started = types.indexOf('tool_call_start')
  assert.ok(started >= 0 && started < types.indexOf('permission_request'), 'no tool call has begun')
})

check('cortask:permission:approve', async (bench) => {
  const { client, key, requestId } = await askPermission(bench)
  client.socket.send({ type: 'permission_response', requestId, approved: true })
  assert.equal((await client.end(key)).type, 'done')
  const failed = failedTools(client, key)
  assert.ok(failed.length > 0 && !failed.includes(true), `what was approved failed, or did not run: ${failed.join()}`)
})

check('cortask:permission:deny', async (bench) => {
  const { client, key, requestId } = await askPermission(bench)
  client.socket.send({ type: 'permission_response', requestId, approved: false })
  await client.end(key)
  assert.ok(!failedTools(client, key).includes(false), 'what was denied succeeded')
})

check('cortask:permission:denied-result', async (bench) => {
  const { client, key, requestId } = await askPermission(bench)
  client.socket.send({ type: 'permission_response', requestId, approved: false })
  assert.equal((await client.end(key)).type, 'done')
  assert.deepEqual(failedTools(client, key), [true])
})

check(
  'cortask:permission:not-boolean',
  async (bench) => {
    for (const approved of ['true', 1, null, undefined]) {
      const { client, key, requestId } = await askPermission(bench)
      answer(client, requestId, approved)
      assert.equal((await client.end(key)).type, 'done')
      assert.deepEqual(failedTools(client, key), [true], `${JSON.stringify(approved)} approves`)
    }
  },
  { lane: 'dangerous' },
)

check('cortask:permission:unknown', async (bench) => {
  const { client, key, requestId } = await askPermission(bench)
  client.socket.send({ type: 'permission_response', requestId: bench.random.word(16), approved: true })
  client.socket.send({ type: 'questionnaire_response', requestId: bench.random.word(16), responses: {} })
  await settle()
  assert.ok(!client.of(key).some((one) => one.type === 'tool_result'), 'an unknown answer lets the tool run')
  client.socket.send({ type: 'permission_response', requestId, approved: false })
  client.socket.send({ type: 'permission_response', requestId, approved: true })
  await client.end(key)
  await settle()
  assert.deepEqual(failedTools(client, key), [true], 'the second answer counts')
  assert.ok(!client.socket.messages.some((one) => one.type === 'error'))
})

check('cortask:permission:other-socket', async (bench) => {
  const { client, key, requestId } = await askPermission(bench)
  const other = await connect(bench)
  other.socket.send({ type: 'permission_response', requestId, approved: true })
  assert.equal((await client.end(key)).type, 'done')
})

check(
  'cortask:permission:timeout',
  async (bench) => {
    const scale = bench.profile.has('time-scale') ? bench.profile.known('time-scale', z.number().positive()) : 1
    const http = scale === 1 ? bench.http : await bench.satellite('fast')
    const socket = await bench.socketAt(http.base.href, '/ws')
    const client = clientOn(bench, socket, await workspaceOf(bench, http))
    const key = client.chat(bench.profile.phrase('permission'))
    await client.next('permission_request')
    const askedAt = performance.now()
    const goesOn = (one: Message) => one.sessionKey === key && ['tool_result', 'done', 'error'].includes(one.type)
    const after = socket.messages.length
    await socket.until('the denial', goesOn, { after, timeoutMs: 70_000 / scale + 5000 })
    const waitedMs = (performance.now() - askedAt) * scale
    assert.ok(waitedMs > 55_000, `it is denied after ${Math.round(waitedMs / 1000)} s already`)
    await client.end(key)
    assert.ok(!failedTools(client, key).includes(false), 'what nobody approved succeeded')
  },
  { timeoutMs: 90_000, lane: 'satellite' },
)

/** A run that waits for answers. */
async function askQuestions(bench: Bench) {
  const client = await connect(bench)
  const key = client.chat(bench.profile.phrase('question'))
  const { requestId, data } = read(await client.next('questionnaire_request'), 'questionnaire_request')
  const responses = Object.fromEntries(
    data.questions.map(({ id, type, options }): [string, string | string[]] => {
      const values = options?.map((option) => option.value) ?? ['anything']
      return [id, type === 'multiple' ? values.slice(0, 2) : values[0]!]
    }),
  )
  return { client, key, requestId, responses }
}

check('cortask:questionnaire:answer', async (bench) => {
  const { client, key, requestId, responses } = await askQuestions(bench)
  await settle()
  assert.ok(!client.of(key).some((one) => one.type === 'done'), 'the run does not wait')
  client.socket.send({ type: 'questionnaire_response', requestId, responses })
  assert.equal((await client.end(key)).type, 'done')
})

check('cortask:questionnaire:extra', async (bench) => {
  const asked = await askQuestions(bench)
  const extra = { ...asked.responses, [bench.random.word()]: 'unasked' }
  asked.client.socket.send({ type: 'questionnaire_response', requestId: asked.requestId, responses: extra })
  assert.equal((await asked.client.end(asked.key)).type, 'done')
  const skipped = await askQuestions(bench)
  skipped.client.socket.send({ type: 'questionnaire_response', requestId: skipped.requestId, responses: {} })
  assert.equal((await skipped.client.end(skipped.key)).type, 'done')
})

check(
  'cortask:questionnaire:malformed',
  async (bench) => {
    const { client, key, requestId, responses } = await askQuestions(bench)
    client.socket.sendRaw(JSON.stringify({ type: 'questionnaire_response', requestId }))
    await settle()
    client.socket.send({ type: 'questionnaire_response', requestId, responses })
    assert.equal((await client.end(key)).type, 'done')
  },
  { lane: 'dangerous' },
)

check(
  'cortask:questionnaire:kept',
  async (bench) => {
    const { client, requestId, responses } = await askQuestions(bench)
    client.socket.terminate()
    const again = await connect(bench)
    await settle()
    const after = again.socket.messages.length
    again.socket.send({ type: 'questionnaire_response', requestId, responses })
    await settle()
    const refusal = again.socket.messages.slice(after).find((one) => one.type === 'error')
    assert.equal(refusal, undefined, `the answer is refused: ${JSON.stringify(refusal)}`)
    await again.run(bench.profile.phrase('hello'))
  },
  { lane: 'dangerous' },
)

check(
  'cortask:questionnaire:reconnect',
  async (bench) => {
    const { client, key, requestId, responses } = await askQuestions(bench)
    client.socket.terminate()
    const again = await connect(bench)
    await settle()
    again.socket.send({ type: 'questionnaire_response', requestId, responses })
    assert.equal((await again.end(key)).type, 'done')
  },
  { lane: 'dangerous' },
)
