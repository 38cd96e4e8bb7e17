import assert from 'node:assert/strict'
import { message } from '../../agent-webkit/contract.ts'
import { connect, createSession, permissionResponse } from '../../agent-webkit/driver.ts'
import { breakOnce, generateSamples } from '../../contract/payload.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** Sends a deliberately wrong body. */
const sendWrong = (context: TestContext, id: string, raw: string) =>
  context.http.send({ method: 'POST', path: `/sessions/${id}/input`, raw, deliberate: true })

check('agent-webkit:input:text', async (context) => {
  const client = await connect(context)
  const answer = await client.postInput({ type: 'user_message', content: context.profile.phrase('hello') })
  assert.equal(answer.status, 204)
  assert.equal(answer.bytes.length, 0, 'a 204 has no body')
  await client.nextEvent('result')
})

/** A red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

check('agent-webkit:input:blocks', async (context) => {
  const client = await connect(context)
  const content = [
    { type: 'text', text: context.profile.phrase('hello') },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
  ]
  const answer = await client.postInput({ type: 'user_message', content })
  assert.equal(answer.status, 204, answer.text)
  await client.nextEvent('result')
})

check('agent-webkit:input:generated', async (context) => {
  const id = await createSession(context)
  for (const name of ['interrupt', 'set_permission_mode', 'set_model', 'stop_task'] as const)
    for (const sample of generateSamples(message[name], context.random.split(name), 5)) {
      const answer = await context.http.post(`/sessions/${id}/input`, sample)
      const isOurChoice = name === 'set_permission_mode' && answer.status === 400
      assert.ok(
        answer.status === 204 || isOurChoice,
        `${JSON.stringify(sample)} answers ${answer.status}: ${answer.text}`,
      )
    }
})

check('agent-webkit:input:interrupt-idle', async (context) => {
  const client = await connect(context)
  assert.equal((await client.postInput({ type: 'interrupt' })).status, 204)
  await client.runTurn(context.profile.phrase('hello'))
})

/** Sets each mode, and then the one that leaves things as they were. */
async function assertModes(context: TestContext, modes: readonly string[]): Promise<void> {
  const client = await connect(context)
  for (const mode of modes)
    assert.equal((await client.postInput({ type: 'set_permission_mode', mode })).status, 204, `the mode ${mode}`)
}

check('agent-webkit:input:mode', (context) => assertModes(context, ['default']))
check('agent-webkit:input:modes', (context) => assertModes(context, ['acceptEdits', 'plan', 'default']))

check('agent-webkit:input:model', async (context) => {
  const client = await connect(context)
  for (const model of ['claude-opus-4-7', null])
    assert.equal((await client.postInput({ type: 'set_model', model })).status, 204, `the model ${model}`)
})

check('agent-webkit:input:stop-task', async (context) => {
  const client = await connect(context)
  assert.equal((await client.postInput({ type: 'stop_task', task_id: context.random.word() })).status, 204)
})

check(
  'agent-webkit:input:unknown-type',
  async (context) => {
    const id = await createSession(context)
    for (const raw of [`{"type":"${context.random.word()}"}`, '{"content":"hello"}', '{"type":7}', '{}']) {
      const answer = await sendWrong(context, id, raw)
      assert.equal(answer.status, 400, `${raw} answers ${answer.status}`)
    }
  },
  { pool: 'dangerous' },
)

check(
  'agent-webkit:input:not-json',
  async (context) => {
    const id = await createSession(context)
    for (const raw of ['', '{"type":"interrupt"', 'type=interrupt', '{"type":"interrupt"}}']) {
      const answer = await sendWrong(context, id, raw)
      assert.equal(answer.status, 400, `${raw || '(empty)'} answers ${answer.status}`)
    }
  },
  { pool: 'dangerous' },
)

check(
  'agent-webkit:input:missing-field',
  async (context) => {
    const id = await createSession(context)
    for (const name of [
      'user_message',
      'permission_response',
      'question_response',
      'set_permission_mode',
      'stop_task',
    ] as const)
      for (const broken of breakOnce(message[name], context.random.split(name), 'missing')) {
        if (broken.path === 'answers' || broken.path === 'type') continue
        const answer = await sendWrong(context, id, JSON.stringify(broken.value))
        assert.equal(answer.status, 400, `${name} without ${broken.path} answers ${answer.status}`)
      }
  },
  { pool: 'dangerous' },
)

check(
  'agent-webkit:input:not-object',
  async (context) => {
    const id = await createSession(context)
    for (const raw of ['null', '[]', '"interrupt"', '7', 'true']) {
      const answer = await sendWrong(context, id, raw)
      assert.equal(answer.status, 400, `${raw} answers ${answer.status}`)
    }
  },
  { pool: 'dangerous' },
)

check(
  'agent-webkit:input:content-type',
  async (context) => {
    const client = await connect(context)
    for (const content of [7, null, { text: 'hello' }, [7], [{ type: 'text' }]]) {
      const answer = await sendWrong(context, client.id, JSON.stringify({ type: 'user_message', content }))
      assert.equal(answer.status, 400, `the content ${JSON.stringify(content)} answers ${answer.status}`)
    }
    await client.runTurn(context.profile.phrase('hello'))
  },
  { pool: 'dangerous' },
)

check('agent-webkit:input:unknown-session', async ({ http, random }) => {
  const answer = await http.post(`/sessions/${random.word(12)}/input`, { type: 'interrupt' })
  assert.equal(answer.status, 404)
})

check(
  'agent-webkit:input:large',
  async (context) => {
    const client = await connect(context)
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(8 * 1024 * 1024) },
    }
    const content = [{ type: 'text', text: context.profile.phrase('hello') }, image]
    const answer = await client.postInput({ type: 'user_message', content })
    assert.equal(answer.status, 204, answer.text)
  },
  { timeoutMs: 30_000, pool: 'dangerous' },
)

check(
  'agent-webkit:input:backpressure',
  async (context) => {
    const client = await connect(context)
    const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
    const hello = { type: 'user_message', content: context.profile.phrase('hello') }
    let accepted = 0
    let answer = await client.postInput(hello)
    while (answer.status === 204 && accepted < 200) {
      accepted++
      answer = await client.postInput(hello)
    }
    assert.equal(answer.status, 503, `${accepted} messages wait, and none is refused`)
    assert.ok(accepted >= 128, `the ${accepted + 1}th message is refused already`)
    assert.match(answer.headers['retry-after'] ?? '', /^\d+$/)
    assert.equal((answer.json() as { code?: unknown }).code, 'backpressure')
    await client.postInput(permissionResponse(asked, { behavior: 'deny', interrupt: true }))
  },
  { pool: 'dangerous' },
)
