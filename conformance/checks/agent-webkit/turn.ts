import assert from 'node:assert/strict'
import { check } from '../../check.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { dataOf, newest, numberOf, only, openTalk, reply, settle } from './talk.ts'

/** The text a message holds. */
const textOf = (complete: SseEvent): string =>
  dataOf(complete, 'message_complete')
    .message.content.map((block) => (block.type === 'text' ? (block as { text: string }).text : ''))
    .join('')

/** The `tool_use` blocks a message holds. */
const toolsOf = (complete: SseEvent): readonly { id: string; name: string }[] =>
  dataOf(complete, 'message_complete').message.content.filter(
    (block): block is { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> } =>
      block.type === 'tool_use',
  )

check('agent-webkit:turn:order', async (bench) => {
  const talk = await openTalk(bench)
  for (const purpose of ['hello', 'tool']) {
    const events = await talk.turn(bench.profile.phrase(purpose))
    const place = (name: string, fits: (data: never) => boolean) =>
      events.findIndex((seen) => seen.event === name && fits(seen.data as never))
    for (const complete of only(events, 'message_complete'))
      for (const tool of toolsOf(complete)) {
        const announced = place('tool_use', (data: { tool_use_id: string }) => data.tool_use_id === tool.id)
        const answered = place('tool_result', (data: { tool_use_id: string }) => data.tool_use_id === tool.id)
        assert.ok(events.indexOf(complete) < announced, `tool_use ${tool.id} comes before its message_complete`)
        assert.ok(announced < answered, `tool_result ${tool.id} comes before its tool_use, or not at all`)
      }
    assert.equal(events.at(-1)!.event, 'result')
  }
  assert.ok(only(talk.stream.events, 'tool_use').length > 0, 'prerequisite: the phrase "tool" used no tool')
})

check('agent-webkit:turn:result', async (bench) => {
  const talk = await openTalk(bench)
  for (const purpose of ['hello', 'tool']) await talk.turn(bench.profile.phrase(purpose))
  await settle()
  assert.equal(only(talk.stream.events, 'result').length, 2)
  for (const result of only(talk.stream.events, 'result')) dataOf(result, 'result')
})

check('agent-webkit:turn:deltas', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('long'))
  const completed = new Set<string>()
  const joined = new Map<string, string>()
  for (const seen of events) {
    if (seen.event === 'message_delta') {
      const { message_id, delta } = dataOf(seen, 'message_delta')
      assert.ok(!completed.has(message_id), `a delta of ${message_id} comes after its message_complete`)
      const text = typeof delta.text === 'string' ? delta.text : ''
      joined.set(message_id, (joined.get(message_id) ?? '') + text)
    }
    if (seen.event === 'message_complete') {
      const { message_id } = dataOf(seen, 'message_complete')
      completed.add(message_id)
      if (joined.has(message_id)) assert.equal(joined.get(message_id), textOf(seen), `the deltas of ${message_id}`)
    }
  }
  for (const id of joined.keys()) assert.ok(completed.has(id), `${id} is never completed`)
  assert.ok(completed.size > 0, 'the turn has no message_complete')
})

check('agent-webkit:turn:delta-form', async (bench) => {
  const talk = await openTalk(bench)
  const deltas = only(await talk.turn(bench.profile.phrase('long')), 'message_delta')
  for (const seen of deltas) {
    const { delta } = dataOf(seen, 'message_delta')
    const known = delta.type === undefined || delta.type === 'text' || delta.type === 'input_json_delta'
    assert.ok(known, `the official reducer shows nothing of ${JSON.stringify(delta)}`)
    if (delta.type !== 'input_json_delta') assert.equal(typeof delta.text, 'string')
  }
  assert.ok(deltas.length > 0, 'a long answer streams no message_delta')
})

check('agent-webkit:turn:message-ids', async (bench) => {
  const talk = await openTalk(bench)
  for (const purpose of ['hello', 'tool', 'hello']) await talk.turn(bench.profile.phrase(purpose))
  const messages = only(talk.stream.events, 'message_complete').map((seen) => dataOf(seen, 'message_complete'))
  assert.equal(new Set(messages.map((one) => one.message_id)).size, messages.length, 'a message_id repeats')
  for (const one of messages) assert.equal(one.message.id, one.message_id)
})

check('agent-webkit:turn:tool', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('tool'))
  const ids = only(events, 'message_complete').flatMap((seen) => toolsOf(seen).map((tool) => tool.id))
  assert.ok(ids.length > 0, 'prerequisite: the phrase "tool" used no tool')
  const announced = only(events, 'tool_use').map((seen) => dataOf(seen, 'tool_use').tool_use_id)
  const answered = only(events, 'tool_result').map((seen) => dataOf(seen, 'tool_result').tool_use_id)
  assert.deepEqual(announced, ids)
  assert.deepEqual([...answered].sort(), [...ids].sort())
})

check('agent-webkit:turn:serial', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  await talk.say(bench.profile.phrase('hello'))
  await settle(300)
  assert.deepEqual(
    talk.since(asked).map((seen) => seen.event),
    [],
    'the second turn begins while the first one waits',
  )
  await talk.input(reply(asked))
  const first = await talk.next('result', asked)
  const second = await talk.next('result', first)
  const between = talk.since(first).filter((seen) => numberOf(seen) < numberOf(second))
  assert.ok(only(between, 'message_complete').length > 0, 'the second message got no answer')
})

check('agent-webkit:turn:session-id', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('hello'))
  assert.equal(dataOf(events.at(-1)!, 'result').session_id, talk.id)
})

check('agent-webkit:turn:interrupt', async (bench) => {
  const talk = await openTalk(bench)
  await talk.next('session_ready')
  await talk.say(bench.profile.phrase('endless'))
  await talk.stream.until('the turn to begin', (seen) => numberOf(seen) >= 2)
  assert.equal((await talk.input({ type: 'interrupt' })).status, 204)
  const result = await talk.next('result')
  await settle()
  assert.equal(newest(talk.stream), numberOf(result), 'something follows the result of an interrupted turn')
})

check('agent-webkit:turn:interrupt-keeps', async (bench) => {
  const talk = await openTalk(bench)
  await talk.next('session_ready')
  await talk.say(bench.profile.phrase('endless'))
  await talk.stream.until('the turn to begin', (seen) => numberOf(seen) >= 2)
  await talk.say(bench.profile.phrase('hello'))
  await talk.input({ type: 'interrupt' })
  const interrupted = await talk.next('result')
  const kept = await talk.next('result', interrupted)
  const between = talk.since(interrupted).filter((seen) => numberOf(seen) < numberOf(kept))
  assert.ok(only(between, 'message_complete').length > 0, 'the waiting message got no answer')
})

check('agent-webkit:turn:interrupt-parked', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  await talk.input({ type: 'interrupt' })
  await talk.next('result', asked)
  assert.equal((await talk.input(reply(asked))).status, 409)
})

check('agent-webkit:turn:error', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('error'))
  const errors = only(events, 'error')
  assert.ok(errors.length > 0, 'prerequisite: the phrase "error" made no error')
  for (const seen of errors) dataOf(seen, 'error')
  await talk.turn(bench.profile.phrase('hello'))
})

check('agent-webkit:turn:mcp', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('mcp'))
  dataOf(only(events, 'mcp_status_change')[0] ?? events.at(-1)!, 'mcp_status_change')
})
