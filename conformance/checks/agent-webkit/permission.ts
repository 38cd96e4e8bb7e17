import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Client,
  connect,
  eventIdOf,
  eventsNamed,
  parseEvent,
  permissionResponse,
  SETTLE_MS,
  subscribe,
} from '../../agent-webkit/driver.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { check } from '../check.ts'

check('agent-webkit:permission:request', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const { correlation_id, tool_name } = parseEvent(asked, 'permission_request')
  const use = await client.stream
    .until('a tool_use with the id of the request', isUseOf(correlation_id), context.responseTimeoutMs / 4)
    .catch(() => answered(client, asked, correlation_id))
  assert.equal(tool_name, parseEvent(use, 'tool_use').tool_name)
})

const isUseOf = (id: string) => (seen: SseEvent) =>
  seen.event === 'tool_use' && parseEvent(seen, 'tool_use').tool_use_id === id

/** Some servers announce a tool only when it may run. */
async function answered(client: Client, asked: SseEvent, id: string): Promise<SseEvent> {
  await client.postInput(permissionResponse(asked))
  return client.stream.until('a tool_use with the id of the request', isUseOf(id))
}

check('agent-webkit:permission:after-use', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const { correlation_id } = parseEvent(asked, 'permission_request')
  const details = client.stream.events.slice(0, client.stream.events.indexOf(asked))
  assert.ok(details.some(isUseOf(correlation_id)), 'no tool_use with that id comes before the request')
  await pause(SETTLE_MS)
  assert.equal(eventsNamed(client.stream.events, 'permission_request').length, 1, 'the permission is requested twice')
})

check('agent-webkit:permission:updated', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const { input } = parseEvent(asked, 'permission_request')
  const answer = await client.postInput(
    permissionResponse(asked, { behavior: 'allow', updated_input: input, updated_permissions: [] }),
  )
  assert.equal(answer.status, 204, answer.text)
  await client.nextEvent('result', asked)
})

check('agent-webkit:permission:waits', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  await pause(500)
  const after = client.eventsSince(asked).map((seen) => seen.event)
  assert.ok(!after.includes('result') && !after.includes('tool_result'), `the turn continues: ${after.join(', ')}`)
})

check('agent-webkit:permission:allow', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const answer = await client.postInput(permissionResponse(asked))
  assert.equal(answer.status, 204, answer.text)
  const result = await client.nextEvent('tool_result', asked)
  const { tool_use_id, is_error } = parseEvent(result, 'tool_result')
  assert.equal(tool_use_id, parseEvent(asked, 'permission_request').correlation_id)
  assert.equal(is_error, false)
  await client.nextEvent('result', asked)
})

check('agent-webkit:permission:deny', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  assert.equal((await client.postInput(permissionResponse(asked, { behavior: 'deny', message: 'no' }))).status, 204)
  const result = await client.nextEvent('result', asked)
  const between = client.eventsSince(asked).filter((seen) => eventIdOf(seen) < eventIdOf(result))
  for (const seen of eventsNamed(between, 'tool_result')) {
    const { tool_use_id, is_error } = parseEvent(seen, 'tool_result')
    if (tool_use_id === parseEvent(asked, 'permission_request').correlation_id) assert.equal(is_error, true)
  }
})

check('agent-webkit:permission:deny-goes-on', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  await client.postInput(permissionResponse(asked, { behavior: 'deny', message: 'no' }))
  await client.nextEvent('result', asked)
  assert.ok(
    eventsNamed(client.eventsSince(asked), 'message_complete').length > 0,
    'the agent does not respond to the refusal',
  )
})

check('agent-webkit:permission:deny-interrupt', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  assert.equal((await client.postInput(permissionResponse(asked, { behavior: 'deny', interrupt: true }))).status, 204)
  await client.nextEvent('result', asked)
  await pause(SETTLE_MS)
  assert.deepEqual(eventsNamed(client.eventsSince(asked), 'message_complete'), [])
  assert.equal(eventsNamed(client.eventsSince(asked), 'result').length, 1)
})

check('agent-webkit:permission:allow-interrupt', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const answer = await client.postInput(permissionResponse(asked, { behavior: 'allow', interrupt: true }))
  if (answer.status === 400) return
  assert.equal(answer.status, 204)
  assert.equal(parseEvent(await client.nextEvent('tool_result', asked), 'tool_result').is_error, false)
})

check('agent-webkit:permission:second', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  assert.equal((await client.postInput(permissionResponse(asked))).status, 204)
  assert.equal((await client.postInput(permissionResponse(asked))).status, 409)
  assert.equal((await client.postInput(permissionResponse(asked, { behavior: 'deny', message: 'no' }))).status, 409)
  const result = await client.nextEvent('result', asked)
  assert.equal((await client.postInput(permissionResponse(asked))).status, 409, 'after the turn')
  await pause(SETTLE_MS)
  assert.equal(
    eventsNamed(client.eventsSince(asked), 'tool_result').length,
    1,
    `the tool ran twice before #${result.id}`,
  )
})

check('agent-webkit:permission:never-asked', async (context) => {
  const client = await connect(context)
  const message = { type: 'permission_response', correlation_id: context.random.word(), behavior: 'allow' }
  assert.equal((await client.postInput(message)).status, 409)
})

check('agent-webkit:permission:race', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      client.postInput(permissionResponse(asked, { behavior: index % 2 === 0 ? 'allow' : 'deny' })),
    ),
  )
  const statuses = answers.map((answer) => answer.status).sort()
  assert.deepEqual(statuses, [204, ...Array.from({ length: 23 }, () => 409)])
  await client.nextEvent('result', asked)
})

check('agent-webkit:permission:wrong-kind', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const { correlation_id } = parseEvent(asked, 'permission_request')
  const wrong = await client.postInput({ type: 'question_response', correlation_id, answers: [] })
  assert.equal(wrong.status, 409)
  assert.equal((await client.postInput(permissionResponse(asked))).status, 204, 'the permission is no longer pending')
})

check(
  'agent-webkit:permission:behavior',
  async (context) => {
    const client = await connect(context)
    const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
    const raw = JSON.stringify(permissionResponse(asked, { behavior: context.random.word() }))
    const answer = await context.http.send({ method: 'POST', path: `${client.path}/input`, raw, deliberate: true })
    assert.equal(answer.status, 400)
  },
  { pool: 'dangerous' },
)

check('agent-webkit:permission:late-subscriber', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  client.stream.close()
  const late = await subscribe(context, client.id, 0)
  const seen = await late.nextEvent('permission_request')
  assert.deepEqual(seen.data, asked.data)
  assert.equal((await late.postInput(permissionResponse(seen))).status, 204)
  await late.nextEvent('result', seen)
})
