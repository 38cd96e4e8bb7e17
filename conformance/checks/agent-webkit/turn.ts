import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { AssistantMessage } from '../../agent-webkit/contract.ts'
import {
  connect,
  eventIdOf,
  eventsNamed,
  parseEvent,
  permissionResponse,
  SETTLE_MS,
} from '../../agent-webkit/driver.ts'
import { parseAs } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { check } from '../check.ts'

type Block = Readonly<Record<string, unknown>>

/** The blocks a message holds; the document leaves their form open. */
function blocksOf(complete: SseEvent): readonly Block[] {
  const { content } = parseEvent(complete, 'message_complete').message
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
  eventsNamed(events, name).map((seen) => parseEvent(seen, name).tool_use_id)

/** The index of the event of that name for a tool; -1 when there is none. */
const placeOf = (events: readonly SseEvent[], name: 'tool_use' | 'tool_result', id: string): number =>
  events.findIndex((seen) => seen.event === name && parseEvent(seen, name).tool_use_id === id)

check('agent-webkit:turn:order', async (context) => {
  const client = await connect(context)
  for (const purpose of ['hello', 'tool']) {
    const events = await client.runTurn(context.profile.phrase(purpose))
    for (const id of idsOf(events, 'tool_use'))
      assert.ok(
        placeOf(events, 'tool_use', id) < placeOf(events, 'tool_result', id),
        `tool_result ${id} comes before its tool_use, or not at all`,
      )
    assert.equal(events.at(-1)!.event, 'result')
  }
  assert.ok(eventsNamed(client.stream.events, 'tool_use').length > 0, 'prerequisite: the phrase "tool" used no tool')
})

check('agent-webkit:turn:complete-first', async (context) => {
  const client = await connect(context)
  const events = await client.runTurn(context.profile.phrase('tool'))
  const completed = new Set<string>()
  for (const seen of events) {
    if (seen.event === 'message_complete') completed.add(parseEvent(seen, 'message_complete').message_id)
    if (seen.event !== 'tool_use') continue
    const { message_id, tool_use_id } = parseEvent(seen, 'tool_use')
    assert.ok(completed.has(message_id), `tool_use ${tool_use_id} comes before its message_complete`)
  }
})

check('agent-webkit:turn:result', async (context) => {
  const client = await connect(context)
  for (const purpose of ['hello', 'tool']) await client.runTurn(context.profile.phrase(purpose))
  await pause(SETTLE_MS)
  assert.equal(eventsNamed(client.stream.events, 'result').length, 2)
  for (const result of eventsNamed(client.stream.events, 'result')) parseEvent(result, 'result')
})

check('agent-webkit:turn:deltas', async (context) => {
  const client = await connect(context)
  const completed = new Set<string>()
  const begun = new Set<string>()
  for (const seen of await client.runTurn(context.profile.phrase('long'))) {
    if (seen.event === 'message_delta') {
      const { message_id } = parseEvent(seen, 'message_delta')
      assert.ok(!completed.has(message_id), `a delta of ${message_id} comes after its message_complete`)
      begun.add(message_id)
    }
    if (seen.event === 'message_complete') completed.add(parseEvent(seen, 'message_complete').message_id)
  }
  for (const id of begun) assert.ok(completed.has(id), `${id} is never completed`)
  assert.ok(completed.size > 0, 'the turn has no message_complete')
})

check('agent-webkit:turn:delta-text', async (context) => {
  const client = await connect(context)
  const joined = new Map<string, string>()
  for (const seen of await client.runTurn(context.profile.phrase('long'))) {
    if (seen.event === 'message_delta') {
      const { message_id, delta } = parseEvent(seen, 'message_delta')
      const text = typeof delta.text === 'string' ? delta.text : ''
      joined.set(message_id, (joined.get(message_id) ?? '') + text)
    }
    if (seen.event !== 'message_complete') continue
    const { message_id } = parseEvent(seen, 'message_complete')
    if (joined.has(message_id)) assert.equal(joined.get(message_id), textOf(seen), `the deltas of ${message_id}`)
  }
})

check('agent-webkit:turn:delta-form', async (context) => {
  const client = await connect(context)
  const deltas = eventsNamed(await client.runTurn(context.profile.phrase('long')), 'message_delta')
  for (const seen of deltas) {
    const { delta } = parseEvent(seen, 'message_delta')
    const known = delta.type === undefined || delta.type === 'text' || delta.type === 'input_json_delta'
    assert.ok(known, `the official reducer ignores ${JSON.stringify(delta)}`)
    if (delta.type !== 'input_json_delta') assert.equal(typeof delta.text, 'string')
  }
  assert.ok(deltas.length > 0, 'a long answer streams no message_delta')
})

check('agent-webkit:turn:message-ids', async (context) => {
  const client = await connect(context)
  for (const purpose of ['hello', 'tool', 'hello']) await client.runTurn(context.profile.phrase(purpose))
  const messages = eventsNamed(client.stream.events, 'message_complete').map((seen) =>
    parseEvent(seen, 'message_complete'),
  )
  assert.equal(new Set(messages.map((one) => one.message_id)).size, messages.length, 'a message_id repeats')
})

check('agent-webkit:turn:message-form', async (context) => {
  const client = await connect(context)
  for (const purpose of ['hello', 'tool']) await client.runTurn(context.profile.phrase(purpose))
  for (const seen of eventsNamed(client.stream.events, 'message_complete')) {
    const { message_id, message } = parseEvent(seen, 'message_complete')
    assert.equal(parseAs(AssistantMessage, message, `the message ${message_id}`).id, message_id)
  }
})

check('agent-webkit:turn:tool', async (context) => {
  const client = await connect(context)
  const events = await client.runTurn(context.profile.phrase('tool'))
  const announced = idsOf(events, 'tool_use')
  assert.ok(announced.length > 0, 'prerequisite: the phrase "tool" used no tool')
  assert.deepEqual([...idsOf(events, 'tool_result')].sort(), [...announced].sort())
})

check('agent-webkit:turn:tool-blocks', async (context) => {
  const client = await connect(context)
  const events = await client.runTurn(context.profile.phrase('tool'))
  assert.deepEqual(idsOf(events, 'tool_use'), eventsNamed(events, 'message_complete').flatMap(toolsOf))
})

/** Events of a turn; MCP servers may report changes at any time. */
const ofTurns = (events: readonly SseEvent[]) => events.filter((seen) => seen.event !== 'mcp_status_change')

check('agent-webkit:turn:serial', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  await client.sendText(context.profile.phrase('hello'))
  await pause(300)
  assert.deepEqual(
    ofTurns(client.eventsSince(asked)).map((seen) => seen.event),
    [],
    'the second turn starts while the first one waits',
  )
  await client.postInput(permissionResponse(asked))
  const first = await client.nextEvent('result', asked)
  const second = await client.nextEvent('result', first)
  const between = client.eventsSince(first).filter((seen) => eventIdOf(seen) < eventIdOf(second))
  assert.ok(eventsNamed(between, 'message_complete').length > 0, 'the second message got no answer')
})

check('agent-webkit:turn:session-id', async (context) => {
  const client = await connect(context)
  const events = await client.runTurn(context.profile.phrase('hello'))
  assert.equal(parseEvent(events.at(-1)!, 'result').session_id, client.id)
})

check('agent-webkit:turn:interrupt', async (context) => {
  const client = await connect(context)
  const ready = await client.nextEvent('session_ready')
  await client.sendText(context.profile.phrase('endless'))
  await client.stream.until('the turn to start', (seen) => eventIdOf(seen) > eventIdOf(ready))
  assert.equal((await client.postInput({ type: 'interrupt' })).status, 204)
  const result = await client.nextEvent('result')
  await pause(SETTLE_MS)
  assert.deepEqual(ofTurns(client.eventsSince(result)), [], 'something follows the result of an interrupted turn')
})

check('agent-webkit:turn:interrupt-keeps', async (context) => {
  const client = await connect(context)
  const ready = await client.nextEvent('session_ready')
  await client.sendText(context.profile.phrase('endless'))
  await client.stream.until('the turn to start', (seen) => eventIdOf(seen) > eventIdOf(ready))
  await client.sendText(context.profile.phrase('hello'))
  await client.postInput({ type: 'interrupt' })
  const interrupted = await client.nextEvent('result')
  const kept = await client.nextEvent('result', interrupted)
  const between = client.eventsSince(interrupted).filter((seen) => eventIdOf(seen) < eventIdOf(kept))
  assert.ok(eventsNamed(between, 'message_complete').length > 0, 'the waiting message got no answer')
})

check('agent-webkit:turn:interrupt-parked', async (context) => {
  const client = await connect(context)
  const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  await client.postInput({ type: 'interrupt' })
  await client.nextEvent('result', asked)
  assert.equal((await client.postInput(permissionResponse(asked))).status, 409)
})

check('agent-webkit:turn:error', async (context) => {
  const client = await connect(context)
  await client.sendText(context.profile.phrase('error'))
  parseEvent(await client.nextEvent('error'), 'error')
})

check('agent-webkit:turn:error-ends', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('error'))
  await client.runTurn(context.profile.phrase('hello'))
})

check('agent-webkit:turn:mcp', async (context) => {
  const client = await connect(context)
  const events = await client.runTurn(context.profile.phrase('mcp'))
  parseEvent(eventsNamed(events, 'mcp_status_change')[0] ?? events.at(-1)!, 'mcp_status_change')
})
