import assert from 'node:assert/strict'
import { breakOnce, generateSamples } from '../../contract/contract.ts'
import { assertStatus, assertSuccess } from '../../probe/failure.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { message } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, createSession, outcomeOf, permissionResponse } from '../driver.ts'
import { answerInputWith, answerWith, isInput } from '../sabotage.ts'

/** Sends a deliberately wrong body. */
const sendWrong = (context: TestContext, id: string, raw: string) =>
  context.http.send({ method: 'POST', path: `/sessions/${id}/input`, raw, deliberate: true })

/** A red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

/** Sets each mode, and then the one that leaves things as they were. */
async function assertModes(context: TestContext, modes: readonly string[]): Promise<void> {
  const client = await connect(context)
  for (const mode of modes)
    assertSuccess(await client.postInput({ type: 'set_permission_mode', mode }), `the mode ${mode}`)
}

/** Messages of the client. */
export const inputRules = defineRules('input', {
  text: {
    level: 'MUST',
    text: 'A user_message of text answers 204 without a body and starts a turn.',
    source: sources.input,
    basis: { states: 'user_message takes content; a success answers 204 No Content.' },
    covers: ['W-E3', 'W-M1'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const answer = await client.postInput({ type: 'user_message', content: context.profile.phrase('hello') })
      assertStatus(answer, 204)
      assert.equal(answer.bytes.length, 0, 'a 204 has no body')
      await client.nextEvent('result')
    },
    sabotage: {
      'answers 200 to inputs': changeStatus(204, 200, isInput),
    },
  },

  blocks: {
    level: 'MUST',
    text: 'A user_message may carry text and image blocks.',
    source: sources.messages,
    basis: { states: 'content is a string or an array of text and image blocks.' },
    covers: ['W-M1'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const content = [
        { type: 'text', text: context.profile.phrase('hello') },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      ]
      const answer = await client.postInput({ type: 'user_message', content })
      assertSuccess(answer)
      await client.nextEvent('result')
    },
    sabotage: {
      'refuses pictures': answerInputWith(400, '"image"'),
    },
  },

  generated: {
    level: 'SHOULD',
    text: 'Every message that fits the schema is accepted.',
    source: sources.messages,
    basis: { because: 'The document defines the fields of each type, but not which models and tasks a server has.' },
    covers: ['W-M1', 'W-M2', 'W-M5', 'W-M6', 'W-M7'],
    check: async (context) => {
      const id = await createSession(context)
      for (const name of ['interrupt', 'set_permission_mode', 'set_model', 'stop_task'] as const)
        for (const sample of generateSamples(message[name], context.random.split(name), 5)) {
          const answer = await context.http.post(`/sessions/${id}/input`, sample)
          const isOurChoice = name === 'set_permission_mode' && answer.status === 400
          assert.ok(
            outcomeOf(answer) === 204 || isOurChoice,
            `${JSON.stringify(sample)} answers ${answer.status}: ${answer.text}`,
          )
        }
    },
  },

  'interrupt-idle': {
    level: 'SHOULD',
    text: 'An interrupt is accepted also when no turn runs.',
    source: sources.reference,
    basis: {
      because:
        'The document does not specify the response to an interrupt without a turn; the reference server answers 204.',
    },
    covers: ['W-M2', 'W-T3'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      assertSuccess(await client.postInput({ type: 'interrupt' }))
      await client.runTurn(context.profile.phrase('hello'))
    },
    sabotage: {
      'refuses to be interrupted when idle': {
        alsoBreaks: ['input:generated'],
        ...answerInputWith(409, '"interrupt"}'),
      },
    },
  },

  mode: {
    level: 'MUST',
    text: 'set_permission_mode is accepted with the mode "default".',
    source: sources.messages,
    basis: { states: 'set_permission_mode takes mode; the mode of the sample is "default".' },
    covers: ['W-M5'],
    check: (context) => assertModes(context, ['default']),
    sabotage: {
      'refuses the documented mode': answerInputWith(400, '"mode":"default"'),
    },
  },

  modes: {
    level: 'SHOULD',
    text: 'set_permission_mode is accepted with "acceptEdits" and "plan".',
    source: sources.reference,
    basis: { because: 'The document does not list the modes; the agent kit behind the reference server has these.' },
    covers: ['W-M5'],
    check: (context) => assertModes(context, ['acceptEdits', 'plan', 'default']),
    sabotage: {
      'refuses every other mode': answerInputWith(400, 'acceptEdits'),
    },
  },

  model: {
    level: 'MUST',
    text: 'set_model is accepted with a name and with null.',
    source: sources.messages,
    basis: { states: 'set_model takes model, a string or null.' },
    covers: ['W-M6'],
    check: async (context) => {
      const client = await connect(context)
      for (const model of ['claude-opus-4-7', null])
        assertSuccess(await client.postInput({ type: 'set_model', model }), `the model ${model}`)
    },
    sabotage: {
      'refuses models': answerInputWith(400, 'claude-opus'),
    },
  },

  'stop-task': {
    level: 'SHOULD',
    text: 'stop_task is accepted, also for a task that does not run.',
    source: sources.messages,
    basis: {
      because: 'The document lists stop_task with task_id, but does not specify the response to an unknown task.',
    },
    covers: ['W-M7'],
    check: async (context) => {
      const client = await connect(context)
      assertSuccess(await client.postInput({ type: 'stop_task', task_id: context.random.word() }))
    },
    sabotage: {
      'stops nothing': { alsoBreaks: ['input:generated'], ...answerInputWith(404, '"stop_task"') },
    },
  },

  'unknown-type': {
    level: 'SHOULD',
    text: 'A message with an unknown type, or none, answers 400.',
    source: sources.reference,
    basis: { because: 'The document names no status for it; the reference server answers 400.' },
    covers: ['W-X3'],
    pool: 'dangerous',
    check: async (context) => {
      const id = await createSession(context)
      for (const raw of [`{"type":"${context.random.word()}"}`, '{"content":"hello"}', '{"type":7}', '{}']) {
        const answer = await sendWrong(context, id, raw)
        assertStatus(answer, 400, raw)
      }
    },
    sabotage: {
      'answers 422 for a malformed input': {
        alsoBreaks: ['input:not-json'],
        ...changeStatus(400, 422, (request) => isInput(request)),
      },
    },
  },

  'not-json': {
    level: 'SHOULD',
    text: 'A body that is empty or not JSON answers 400.',
    source: sources.reference,
    basis: { because: 'The document names no status for it; the reference server answers 400.' },
    covers: ['W-X3'],
    pool: 'dangerous',
    check: async (context) => {
      const id = await createSession(context)
      for (const raw of ['', '{"type":"interrupt"', 'type=interrupt', '{"type":"interrupt"}}']) {
        const answer = await sendWrong(context, id, raw)
        assertStatus(answer, 400, raw || '(empty)')
      }
    },
  },

  'missing-field': {
    level: 'SHOULD',
    text: 'A message without one of its required fields answers 400.',
    source: sources.messages,
    basis: { because: 'The document lists the fields and names no status; the reference server answers 400.' },
    covers: ['W-X3', 'W-M1', 'W-M3', 'W-M4', 'W-M5', 'W-M7'],
    pool: 'dangerous',
    check: async (context) => {
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
          assertStatus(answer, 400, `${name} without ${broken.path}`)
        }
    },
    sabotage: {
      'accepts what lacks something': answerWith(
        204,
        (one) => isInput(one) && one.body.includes('permission_response') && !one.body.includes('behavior'),
      ),
    },
  },

  'not-object': {
    level: 'SHOULD',
    text: 'A JSON body that is not an object answers 400.',
    source: sources.input,
    basis: { because: 'All inbound messages are JSON objects; the document names no status for others.' },
    covers: ['W-X8'],
    pool: 'dangerous',
    check: async (context) => {
      const id = await createSession(context)
      for (const raw of ['null', '[]', '"interrupt"', '7', 'true']) {
        const answer = await sendWrong(context, id, raw)
        assertStatus(answer, 400, raw)
      }
    },
    sabotage: {
      'accepts what is no object': answerWith(204, (one) => isInput(one) && String(one.body) === '7'),
    },
  },

  'content-type': {
    level: 'SHOULD',
    text: 'Content that is neither text nor blocks answers 400, and the session continues.',
    source: sources.messages,
    basis: { because: 'The document defines the type of content, but no status for other types.' },
    covers: ['W-D10'],
    needs: ['turn:result'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      for (const content of [7, null, { text: 'hello' }, [7], [{ type: 'text' }]]) {
        const answer = await sendWrong(context, client.id, JSON.stringify({ type: 'user_message', content }))
        assertStatus(answer, 400, `the content ${JSON.stringify(content)}`)
      }
      await client.runTurn(context.profile.phrase('hello'))
    },
    sabotage: {
      'accepts content that is none': answerInputWith(204, '"content":7'),
    },
  },

  'unknown-session': {
    level: 'SHOULD',
    text: 'An input to an unknown session answers 404.',
    source: sources.reference,
    basis: { because: 'The document names no status; the reference server answers 404.' },
    covers: ['W-X5'],
    check: async ({ http, random }) => {
      const answer = await http.post(`/sessions/${random.word(12)}/input`, { type: 'interrupt' })
      assertStatus(answer, 404)
    },
  },

  large: {
    level: 'SHOULD',
    text: 'An input of 8 MB is accepted, since images travel inline.',
    source: sources.messages,
    basis: { because: 'Images travel inline; the document sets no limit.' },
    covers: ['W-D11'],
    tier: 'sdk',
    pool: 'dangerous',
    timeoutMs: 30_000,
    check: async (context) => {
      const client = await connect(context)
      const image = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(8 * 1024 * 1024) },
      }
      const content = [{ type: 'text', text: context.profile.phrase('hello') }, image]
      const answer = await client.postInput({ type: 'user_message', content })
      assertSuccess(answer)
    },
    sabotage: {
      'refuses large inputs': answerWith(413, (one) => isInput(one) && one.body.length > 5_000_000),
    },
  },

  backpressure: {
    level: 'SHOULD',
    text: 'When 128 messages wait behind a parked turn, the next is refused with 503, a Retry-After and the code "backpressure".',
    source: sources.reference,
    basis: { because: 'The document does not mention it; the reference server refuses it this way.' },
    covers: ['W-X7'],
    tier: 'sdk',
    needs: ['permission:request'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const hello = { type: 'user_message', content: context.profile.phrase('hello') }
      let accepted = 0
      let answer = await client.postInput(hello)
      while (outcomeOf(answer) === 204 && accepted < 200) {
        accepted++
        answer = await client.postInput(hello)
      }
      assertStatus(answer, 503, `${accepted} messages wait, and none is refused`)
      assert.ok(accepted >= 128, `the ${accepted + 1}th message is refused already`)
      assert.match(answer.headers['retry-after'] ?? '', /^\d+$/)
      assert.equal((answer.json() as { code?: unknown }).code, 'backpressure', 'code')
      await client.postInput(permissionResponse(asked, { behavior: 'deny', interrupt: true }))
    },
    sabotage: {
      'says nothing of coming again': {
        changeResponse: (response) => {
          if (response.status === 503) delete response.headers['retry-after']
        },
      },
    },
  },
})
