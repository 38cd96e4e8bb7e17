import assert from 'node:assert/strict'
import { message } from '../../contract/agent-webkit.ts'
import { breakOnce, samples } from '../../contract/payload.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { createSession, openTalk, reply } from './client.ts'

/** Sends a body that is wrong on purpose. */
const sendWrong = (bench: Bench, id: string, raw: string) =>
  bench.http.send({ method: 'POST', path: `/sessions/${id}/input`, raw, deliberate: true })

check('agent-webkit:input:text', async (bench) => {
  const talk = await openTalk(bench)
  const answer = await talk.input({ type: 'user_message', content: bench.profile.phrase('hello') })
  assert.equal(answer.status, 204)
  assert.equal(answer.bytes.length, 0, 'a 204 has no body')
  await talk.next('result')
})

/** A red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

check('agent-webkit:input:blocks', async (bench) => {
  const talk = await openTalk(bench)
  const content = [
    { type: 'text', text: bench.profile.phrase('hello') },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
  ]
  const answer = await talk.input({ type: 'user_message', content })
  assert.equal(answer.status, 204, answer.text)
  await talk.next('result')
})

check('agent-webkit:input:generated', async (bench) => {
  const id = await createSession(bench)
  for (const name of ['interrupt', 'set_permission_mode', 'set_model', 'stop_task'] as const)
    for (const sample of samples(message[name], bench.random.split(name), 5)) {
      const answer = await bench.http.post(`/sessions/${id}/input`, sample)
      const isOurChoice = name === 'set_permission_mode' && answer.status === 400
      assert.ok(
        answer.status === 204 || isOurChoice,
        `${JSON.stringify(sample)} answers ${answer.status}: ${answer.text}`,
      )
    }
})

check('agent-webkit:input:interrupt-idle', async (bench) => {
  const talk = await openTalk(bench)
  assert.equal((await talk.input({ type: 'interrupt' })).status, 204)
  await talk.turn(bench.profile.phrase('hello'))
})

/** Sets each mode, and then the one that leaves things as they were. */
async function assertModes(bench: Bench, modes: readonly string[]): Promise<void> {
  const talk = await openTalk(bench)
  for (const mode of modes)
    assert.equal((await talk.input({ type: 'set_permission_mode', mode })).status, 204, `the mode ${mode}`)
}

check('agent-webkit:input:mode', (bench) => assertModes(bench, ['default']))
check('agent-webkit:input:modes', (bench) => assertModes(bench, ['acceptEdits', 'plan', 'default']))

check('agent-webkit:input:model', async (bench) => {
  const talk = await openTalk(bench)
  for (const model of ['claude-opus-4-7', null])
    assert.equal((await talk.input({ type: 'set_model', model })).status, 204, `the model ${model}`)
})

check('agent-webkit:input:stop-task', async (bench) => {
  const talk = await openTalk(bench)
  assert.equal((await talk.input({ type: 'stop_task', task_id: bench.random.word() })).status, 204)
})

check(
  'agent-webkit:input:unknown-type',
  async (bench) => {
    const id = await createSession(bench)
    for (const raw of [`{"type":"${bench.random.word()}"}`, '{"content":"hello"}', '{"type":7}', '{}']) {
      const answer = await sendWrong(bench, id, raw)
      assert.equal(answer.status, 400, `${raw} answers ${answer.status}`)
    }
  },
  { lane: 'dangerous' },
)

check(
  'agent-webkit:input:not-json',
  async (bench) => {
    const id = await createSession(bench)
    for (const raw of ['', '{"type":"interrupt"', 'type=interrupt', '{"type":"interrupt"}}']) {
      const answer = await sendWrong(bench, id, raw)
      assert.equal(answer.status, 400, `${raw || '(empty)'} answers ${answer.status}`)
    }
  },
  { lane: 'dangerous' },
)

check(
  'agent-webkit:input:missing-field',
  async (bench) => {
    const id = await createSession(bench)
    for (const name of [
      'user_message',
      'permission_response',
      'question_response',
      'set_permission_mode',
      'stop_task',
    ] as const)
      for (const broken of breakOnce(message[name], bench.random.split(name), 'missing')) {
        if (broken.path === 'answers' || broken.path === 'type') continue
        const answer = await sendWrong(bench, id, JSON.stringify(broken.value))
        assert.equal(answer.status, 400, `${name} without ${broken.path} answers ${answer.status}`)
      }
  },
  { lane: 'dangerous' },
)

check(
  'agent-webkit:input:not-object',
  async (bench) => {
    const id = await createSession(bench)
    for (const raw of ['null', '[]', '"interrupt"', '7', 'true']) {
      const answer = await sendWrong(bench, id, raw)
      assert.equal(answer.status, 400, `${raw} answers ${answer.status}`)
    }
  },
  { lane: 'dangerous' },
)

check(
  'agent-webkit:input:content-type',
  async (bench) => {
    const talk = await openTalk(bench)
    for (const content of [7, null, { text: 'hello' }, [7], [{ type: 'text' }]]) {
      const answer = await sendWrong(bench, talk.id, JSON.stringify({ type: 'user_message', content }))
      assert.equal(answer.status, 400, `the content ${JSON.stringify(content)} answers ${answer.status}`)
    }
    await talk.turn(bench.profile.phrase('hello'))
  },
  { lane: 'dangerous' },
)

check('agent-webkit:input:unknown-session', async ({ http, random }) => {
  const answer = await http.post(`/sessions/${random.word(12)}/input`, { type: 'interrupt' })
  assert.equal(answer.status, 404)
})

check(
  'agent-webkit:input:large',
  async (bench) => {
    const talk = await openTalk(bench)
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(8 * 1024 * 1024) },
    }
    const content = [{ type: 'text', text: bench.profile.phrase('hello') }, image]
    const answer = await talk.input({ type: 'user_message', content })
    assert.equal(answer.status, 204, answer.text)
  },
  { timeoutMs: 30_000, lane: 'dangerous' },
)

check(
  'agent-webkit:input:backpressure',
  async (bench) => {
    const talk = await openTalk(bench)
    const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
    const hello = { type: 'user_message', content: bench.profile.phrase('hello') }
    let accepted = 0
    let answer = await talk.input(hello)
    while (answer.status === 204 && accepted < 200) {
      accepted++
      answer = await talk.input(hello)
    }
    assert.equal(answer.status, 503, `${accepted} messages wait and none is refused`)
    assert.ok(accepted >= 128, `the ${accepted + 1}th message is refused already`)
    assert.match(answer.headers['retry-after'] ?? '', /^\d+$/)
    assert.equal((answer.json() as { code?: unknown }).code, 'backpressure')
    await talk.input(reply(asked, { behavior: 'deny', interrupt: true }))
  },
  { lane: 'dangerous' },
)
