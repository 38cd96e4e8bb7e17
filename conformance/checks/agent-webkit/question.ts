import assert from 'node:assert/strict'
import type { Bench } from '../../bench.ts'
import { check } from '../../check.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { dataOf, numberOf, only, openTalk } from './talk.ts'

/** The first option of every question, as the official client sends it. */
function answerOf(asked: SseEvent) {
  const { correlation_id, questions } = dataOf(asked, 'ask_user_question')
  const answers = questions.questions.map(({ question, options }) => ({
    question,
    selectedOptions: options.slice(0, 1).map((option) => option.label),
  }))
  return { type: 'question_response', correlation_id, answers }
}

async function askQuestion(bench: Bench) {
  const talk = await openTalk(bench)
  return { talk, asked: await talk.ask(bench.profile.phrase('question'), 'ask_user_question') }
}

check('agent-webkit:question:request', async (bench) => {
  const { talk, asked } = await askQuestion(bench)
  const { correlation_id } = dataOf(asked, 'ask_user_question')
  const uses = only(talk.stream.events, 'tool_use').filter((seen) => numberOf(seen) < numberOf(asked))
  const use = uses.map((seen) => dataOf(seen, 'tool_use')).find((one) => one.tool_use_id === correlation_id)
  assert.equal(use?.tool_name, 'AskUserQuestion')
  assert.deepEqual(only(talk.stream.events, 'permission_request'), [])
})

check('agent-webkit:question:answer', async (bench) => {
  const { talk, asked } = await askQuestion(bench)
  const answer = await talk.input(answerOf(asked))
  assert.equal(answer.status, 204, answer.text)
  await talk.next('result', asked)
})

check('agent-webkit:question:second', async (bench) => {
  const { talk, asked } = await askQuestion(bench)
  const answers = await Promise.all([1, 2, 3, 4].map(() => talk.input(answerOf(asked))))
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 409, 409, 409])
})

check('agent-webkit:hook:answer', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('hook'), 'hook_decision_request')
  const { correlation_id } = dataOf(asked, 'hook_decision_request')
  const message = { type: 'permission_response', correlation_id, behavior: 'allow' }
  assert.equal((await talk.input(message)).status, 204)
  assert.equal((await talk.input(message)).status, 409)
  await talk.next('result', asked)
})
