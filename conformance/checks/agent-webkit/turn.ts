import assert from 'node:assert/strict'
import { AssistantMessage } from '../../contract/agent-webkit.ts'
import { fits } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { check } from '../check.ts'
import { dataOf, numberOf, only, openTalk, reply, settle } from './client.ts'

type Block = Readonly<Record<string, unknown>>

/** The blocks a message holds; the document leaves their form open. */
function blocksOf(complete: SseEvent): readonly Block[] {
  const { content } = dataOf(complete, 'message_complete').message
  return Array.isArray(content) ? content.filter((block): block is Block => Object(block) === block) : []
}

/** The text a message holds. */
const textOf = (complete: SseEvent): string =>
  blocksOf(complete)
    .map((block) => (block.type === 'text' ? String(block.text) : ''))
    .join('')

/** The ids of the `tool_use` blocks a message holds. */
const toolsOf = (complete: SseEvent): readonly string[] =>
  blocksOf(complete).flatMap((block) => (block.type === 'tool_use' ? [String(block.id)] : []))

/** The tool_use_ids of the events of one name. */
const idsOf = (events: readonly SseEvent[], name: 'tool_use' | 'tool_result'): readonly string[] =>
  only(events, name).map((seen) => dataOf(seen, name).tool_use_id)

/** The place of the event of that name for a tool; -1 when there is none. */
const placeOf = (events: readonly SseEvent[], name: 'tool_use' | 'tool_result', id: string): number =>
  events.findIndex((seen) => seen.event === name && dataOf(seen, name).tool_use_id === id)

check('agent-webkit:turn:order', async (bench) => {
  const talk = await openTalk(bench)
  for (const purpose of ['hello', 'tool']) {
    const events = await talk.turn(bench.profile.phrase(purpose))
    for (const id of idsOf(events, 'tool_use'))
      assert.ok(
        placeOf(events, 'tool_use', id) < placeOf(events, 'tool_result', id),
        `tool_result ${id} comes before its tool_use, or not at all`,
      )
    assert.equal(events.at(-1)!.event, 'result')
  }
  assert.ok(only(talk.stream.events, 'tool_use').length > 0, 'prerequisite: the phrase "tool" used no tool')
})

check('agent-webkit:turn:complete-first', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('tool'))
  const completed = new Set<string>()
  for (const seen of events) {
    if (seen.event === 'message_complete') completed.add(dataOf(seen, 'message_complete').message_id)
    if (seen.event !== 'tool_use') continue
    const { message_id, tool_use_id } = dataOf(seen, 'tool_use')
    assert.ok(completed.has(message_id), `tool_use ${tool_use_id} comes before its message_complete`)
  }
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
  const completed = new Set<string>()
  const begun = new Set<string>()
  for (const seen of await talk.turn(bench.profile.phrase('long'))) {
    if (seen.event === 'message_delta') {
      const { message_id } = dataOf(seen, 'message_delta')
      assert.ok(!completed.has(message_id), `a delta of ${message_id} comes after its message_complete`)
      begun.add(message_id)
    }
    if (seen.event === 'message_complete') completed.add(dataOf(seen, 'message_complete').message_id)
  }
  for (const id of begun) assert.ok(completed.has(id), `${id} is never completed`)
  assert.ok(completed.size > 0, 'the turn has no message_complete')
})

check('agent-webkit:turn:delta-text', async (bench) => {
  const talk = await openTalk(bench)
  const joined = new Map<string, string>()
  for (const seen of await talk.turn(bench.profile.phrase('long'))) {
    if (seen.event === 'message_delta') {
      const { message_id, delta } = dataOf(seen, 'message_delta')
      const text = typeof delta.text === 'string' ? delta.text : ''
      joined.set(message_id, (joined.get(message_id) ?? '') + text)
    }
    if (seen.event !== 'message_complete') continue
    const { message_id } = dataOf(seen, 'message_complete')
    if (joined.has(message_id)) assert.equal(joined.get(message_id), textOf(seen), `the deltas of ${message_id}`)
  }
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
})

check('agent-webkit:turn:message-form', async (bench) => {
  const talk = await openTalk(bench)
  for (const purpose of ['hello', 'tool']) await talk.turn(bench.profile.phrase(purpose))
  for (const seen of only(talk.stream.events, 'message_complete')) {
    const { message_id, message } = dataOf(seen, 'message_complete')
    assert.equal(fits(AssistantMessage, message, `the message ${message_id}`).id, message_id)
  }
})

check('agent-webkit:turn:tool', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('tool'))
  const announced = idsOf(events, 'tool_use')
  assert.ok(announced.length > 0, 'prerequisite: the phrase "tool" used no tool')
  assert.deepEqual([...idsOf(events, 'tool_result')].sort(), [...announced].sort())
})

check('agent-webkit:turn:tool-blocks', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('tool'))
  assert.deepEqual(idsOf(events, 'tool_use'), only(events, 'message_complete').flatMap(toolsOf))
})

/** Events of a turn; servers of tools may report changes at any time. */
const ofTurns = (events: readonly SseEvent[]) => events.filter((seen) => seen.event !== 'mcp_status_change')

check('agent-webkit:turn:serial', async (bench) => {
  const talk = await openTalk(bench)
  const asked = await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  await talk.say(bench.profile.phrase('hello'))
  await settle(300)
  assert.deepEqual(
    ofTurns(talk.since(asked)).map((seen) => seen.event),
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
  const ready = await talk.next('session_ready')
  await talk.say(bench.profile.phrase('endless'))
  await talk.stream.until('the turn to begin', (seen) => numberOf(seen) > numberOf(ready))
  assert.equal((await talk.input({ type: 'interrupt' })).status, 204)
  const result = await talk.next('result')
  await settle()
  assert.deepEqual(ofTurns(talk.since(result)), [], 'something follows the result of an interrupted turn')
})

check('agent-webkit:turn:interrupt-keeps', async (bench) => {
  const talk = await openTalk(bench)
  const ready = await talk.next('session_ready')
  await talk.say(bench.profile.phrase('endless'))
  await talk.stream.until('the turn to begin', (seen) => numberOf(seen) > numberOf(ready))
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
  await talk.say(bench.profile.phrase('error'))
  dataOf(await talk.next('error'), 'error')
})

check('agent-webkit:turn:error-ends', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('error'))
  await talk.turn(bench.profile.phrase('hello'))
})

check('agent-webkit:turn:mcp', async (bench) => {
  const talk = await openTalk(bench)
  const events = await talk.turn(bench.profile.phrase('mcp'))
  dataOf(only(events, 'mcp_status_change')[0] ?? events.at(-1)!, 'mcp_status_change')
})
