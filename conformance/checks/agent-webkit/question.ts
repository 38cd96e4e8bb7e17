import assert from 'node:assert/strict'
import { Questions } from '../../agent-webkit/contract.ts'
import { connect, eventsNamed, parseEvent } from '../../agent-webkit/driver.ts'
import { parseAs } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** The first option of every question, as the official client sends it. */
function answerOf(asked: SseEvent) {
  const { correlation_id, questions } = parseEvent(asked, 'ask_user_question')
  const read = Questions.safeParse(Array.isArray(questions) ? { questions } : questions)
  const answers = (read.data?.questions ?? []).map(({ question, options }) => ({
    question,
    selectedOptions: options.slice(0, 1).map((option) => option.label),
  }))
  return { type: 'question_response', correlation_id, answers }
}

async function askQuestion(context: TestContext) {
  const client = await connect(context)
  return { talk: client, asked: await client.sendUntil(context.profile.phrase('question'), 'ask_user_question') }
}

check('agent-webkit:question:request', async (context) => {
  const { talk: client, asked } = await askQuestion(context)
  const { correlation_id } = parseEvent(asked, 'ask_user_question')
  const isUse = (seen: SseEvent) =>
    seen.event === 'tool_use' && parseEvent(seen, 'tool_use').tool_use_id === correlation_id
  const use = await client.stream
    .until('a tool_use with the id of the question', isUse, context.responseTimeoutMs / 4)
    .catch(async () => {
      // Some servers announce a tool only with its result.
      await client.postInput(answerOf(asked))
      return client.stream.until('a tool_use with the id of the question', isUse)
    })
  assert.equal(parseEvent(use, 'tool_use').tool_name, 'AskUserQuestion')
})

check('agent-webkit:question:alone', async (context) => {
  const { talk: client, asked } = await askQuestion(context)
  const { correlation_id } = parseEvent(asked, 'ask_user_question')
  const before = client.stream.events.slice(0, client.stream.events.indexOf(asked))
  assert.ok(
    eventsNamed(before, 'tool_use').some((seen) => parseEvent(seen, 'tool_use').tool_use_id === correlation_id),
    'no tool_use with that id comes before the question',
  )
  assert.deepEqual(eventsNamed(client.stream.events, 'permission_request'), [])
})

check('agent-webkit:question:form', async (context) => {
  const { asked } = await askQuestion(context)
  parseAs(Questions, parseEvent(asked, 'ask_user_question').questions, 'questions')
})

check('agent-webkit:question:answer', async (context) => {
  const { talk: client, asked } = await askQuestion(context)
  const answer = await client.postInput(answerOf(asked))
  assert.equal(answer.status, 204, answer.text)
  await client.nextEvent('result', asked)
})

check('agent-webkit:question:second', async (context) => {
  const { talk: client, asked } = await askQuestion(context)
  const answers = await Promise.all([1, 2, 3, 4].map(() => client.postInput(answerOf(asked))))
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 409, 409, 409])
})

check('agent-webkit:hook:answer', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('hook'), 'hook_decision_request')
  const { correlation_id } = parseEvent(asked, 'hook_decision_request')
  const message = { type: 'permission_response', correlation_id, behavior: 'allow' }
  assert.equal((await client.postInput(message)).status, 204)
  assert.equal((await client.postInput(message)).status, 409)
  await client.nextEvent('result', asked)
})
