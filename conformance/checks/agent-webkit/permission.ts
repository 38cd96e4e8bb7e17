import assert from 'node:assert/strict'
import type { SseEvent } from '../../probe/sse.ts'
import { check } from '../check.ts'
import { attach, dataOf, numberOf, only, openTalk, reply, settle, type Talk } from './client.ts'

check('agent-webkit:permission:request', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const { correlation_id, tool_name } = dataOf(asked, 'permission_request')
  const use = await talk.stream
    .until('a tool_use with the id of the request', isUseOf(correlation_id), bench.patienceMs / 4)
    .catch(() => answered(talk, asked, correlation_id))
  assert.equal(tool_name, dataOf(use, 'tool_use').tool_name)
})

const isUseOf = (id: string) => (seen: SseEvent) =>
  seen.event === 'tool_use' && dataOf(seen, 'tool_use').tool_use_id === id

/** Some announce a tool only when it may run. */
async function answered(talk: Talk, asked: SseEvent, id: string): Promise<SseEvent> {
  await talk.input(reply(asked))
  return talk.stream.until('a tool_use with the id of the request', isUseOf(id))
}

check('agent-webkit:permission:after-use', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const { correlation_id } = dataOf(asked, 'permission_request')
  const told = talk.stream.events.slice(0, talk.stream.events.indexOf(asked))
  assert.ok(told.some(isUseOf(correlation_id)), 'no tool_use with that id comes before the request')
  await settle()
  assert.equal(only(talk.stream.events, 'permission_request').length, 1, 'it is asked twice')
})

check('agent-webkit:permission:updated', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const { input } = dataOf(asked, 'permission_request')
  const answer = await talk.input(reply(asked, { behavior: 'allow', updated_input: input, updated_permissions: [] }))
  assert.equal(answer.status, 204, answer.text)
  await talk.next('result', asked)
})

check('agent-webkit:permission:waits', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  await settle(500)
  const after = talk.since(asked).map((seen) => seen.event)
  assert.ok(!after.includes('result') && !after.includes('tool_result'), `the turn goes on: ${after.join(', ')}`)
})

check('agent-webkit:permission:allow', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const answer = await talk.input(reply(asked))
  assert.equal(answer.status, 204, answer.text)
  const result = await talk.next('tool_result', asked)
  const { tool_use_id, is_error } = dataOf(result, 'tool_result')
  assert.equal(tool_use_id, dataOf(asked, 'permission_request').correlation_id)
  assert.equal(is_error, false)
  await talk.next('result', asked)
})

check('agent-webkit:permission:deny', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  assert.equal((await talk.input(reply(asked, { behavior: 'deny', message: 'no' }))).status, 204)
  const result = await talk.next('result', asked)
  const between = talk.since(asked).filter((seen) => numberOf(seen) < numberOf(result))
  for (const seen of only(between, 'tool_result')) {
    const { tool_use_id, is_error } = dataOf(seen, 'tool_result')
    if (tool_use_id === dataOf(asked, 'permission_request').correlation_id) assert.equal(is_error, true)
  }
})

check('agent-webkit:permission:deny-goes-on', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  await talk.input(reply(asked, { behavior: 'deny', message: 'no' }))
  await talk.next('result', asked)
  assert.ok(only(talk.since(asked), 'message_complete').length > 0, 'the agent says nothing to the refusal')
})

check('agent-webkit:permission:deny-interrupt', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  assert.equal((await talk.input(reply(asked, { behavior: 'deny', interrupt: true }))).status, 204)
  await talk.next('result', asked)
  await settle()
  assert.deepEqual(only(talk.since(asked), 'message_complete'), [])
  assert.equal(only(talk.since(asked), 'result').length, 1)
})

check('agent-webkit:permission:allow-interrupt', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const answer = await talk.input(reply(asked, { behavior: 'allow', interrupt: true }))
  if (answer.status === 400) return
  assert.equal(answer.status, 204)
  assert.equal(dataOf(await talk.next('tool_result', asked), 'tool_result').is_error, false)
})

check('agent-webkit:permission:second', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  assert.equal((await talk.input(reply(asked))).status, 204)
  assert.equal((await talk.input(reply(asked))).status, 409)
  assert.equal((await talk.input(reply(asked, { behavior: 'deny', message: 'no' }))).status, 409)
  const result = await talk.next('result', asked)
  assert.equal((await talk.input(reply(asked))).status, 409, 'after the turn')
  await settle()
  assert.equal(only(talk.since(asked), 'tool_result').length, 1, `the tool ran twice before #${result.id}`)
})

check('agent-webkit:permission:never-asked', async (bench) => {
  const talk = await openTalk(bench)
  const message = { type: 'permission_response', correlation_id: bench.random.word(), behavior: 'allow' }
  assert.equal((await talk.input(message)).status, 409)
})

check('agent-webkit:permission:race', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      talk.input(reply(asked, { behavior: index % 2 === 0 ? 'allow' : 'deny' })),
    ),
  )
  const statuses = answers.map((answer) => answer.status).sort()
  assert.deepEqual(statuses, [204, ...Array.from({ length: 23 }, () => 409)])
  await talk.next('result', asked)
})

check('agent-webkit:permission:wrong-kind', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const { correlation_id } = dataOf(asked, 'permission_request')
  const wrong = await talk.input({ type: 'question_response', correlation_id, answers: [] })
  assert.equal(wrong.status, 409)
  assert.equal((await talk.input(reply(asked))).status, 204, 'the permission is no longer pending')
})

check(
  'agent-webkit:permission:behavior',
  async (bench) => {
    const talk = await openTalk(bench)
    const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
    const raw = JSON.stringify(reply(asked, { behavior: bench.random.word() }))
    const answer = await bench.http.send({ method: 'POST', path: `${talk.path}/input`, raw, deliberate: true })
    assert.equal(answer.status, 400)
  },
  { lane: 'dangerous' },
)

check('agent-webkit:permission:late-subscriber', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  talk.stream.close()
  const late = await attach(bench, talk.id, 0)
  const seen = await late.next('permission_request')
  assert.deepEqual(seen.data, asked.data)
  assert.equal((await late.input(reply(seen))).status, 204)
  await late.next('result', seen)
})
