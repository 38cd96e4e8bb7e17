import assert from 'node:assert/strict'
import { Questions } from '../../contract/agent-webkit.ts'
import { fits } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { dataOf, only, openTalk } from './client.ts'

/** The first option of every question, as the official client sends it. */
function answerOf(asked: SseEvent) {
  const { correlation_id, questions } = dataOf(asked, 'ask_user_question')
  const read = Questions.safeParse(Array.isArray(questions) ? { questions } : questions)
  const answers = (read.data?.questions ?? []).map(({ question, options }) => ({
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
  const isUse = (seen: SseEvent) => seen.event === 'tool_use' && dataOf(seen, 'tool_use').tool_use_id === correlation_id
  const use = await talk.stream
    .until('a tool_use with the id of the question', isUse, bench.patienceMs / 4)
    .catch(async () => {
      // Some announce a tool only with what it gave.
      await talk.input(answerOf(asked))
      return talk.stream.until('a tool_use with the id of the question', isUse)
    })
  assert.equal(dataOf(use, 'tool_use').tool_name, 'AskUserQuestion')
})

check('agent-webkit:question:alone', async (bench) => {
  const { talk, asked } = await askQuestion(bench)
  const { correlation_id } = dataOf(asked, 'ask_user_question')
  const before = talk.stream.events.slice(0, talk.stream.events.indexOf(asked))
  assert.ok(
    only(before, 'tool_use').some((seen) => dataOf(seen, 'tool_use').tool_use_id === correlation_id),
    'no tool_use with that id comes before the question',
  )
  assert.deepEqual(only(talk.stream.events, 'permission_request'), [])
})

check('agent-webkit:question:form', async (bench) => {
  const { asked } = await askQuestion(bench)
  fits(Questions, dataOf(asked, 'ask_user_question').questions, 'questions')
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
