import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { event } from '../../agent-webkit/contract.ts'
import {
  assertContiguous,
  type Client,
  connect,
  createSession,
  eventIdOf,
  newestEventId,
  parseEvent,
  SETTLE_MS,
  subscribe,
  toComparable,
} from '../../agent-webkit/driver.ts'
import { fail } from '../../probe/failure.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

check('agent-webkit:stream:opens', async (context) => {
  const { stream } = await connect(context)
  assert.equal(stream.status, 200)
  assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream\s*(;|$)/)
})

check('agent-webkit:stream:headers', async (context) => {
  const { stream } = await connect(context)
  assert.match(stream.headers['cache-control'] ?? '', /no-cache|no-store/)
  assert.equal(stream.headers['x-accel-buffering'], 'no')
})

check('agent-webkit:stream:first', async (context) => {
  const { stream, id } = await connect(context)
  const first = await stream.until('its first event', () => true)
  assert.equal(parseEvent(first, 'session_ready').session_id, id)
})

check('agent-webkit:stream:framing', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  for (const { id, raw, data } of client.stream.events) {
    assert.match(id ?? '', /^\d+$/, `the id is to be a number:\n${raw}`)
    assert.match(raw, /^event: ?./m, `an event is to have a name:\n${raw}`)
    assert.equal(typeof data, 'object', `data is to be a JSON object:\n${raw}`)
  }
})

check('agent-webkit:stream:lines', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  for (const { raw } of client.stream.events) {
    const fields = raw.split('\n').map((line) => line.slice(0, line.indexOf(':')))
    assert.deepEqual(fields.sort(), ['data', 'event', 'id'], `a frame is to have one of each:\n${raw}`)
  }
})

check('agent-webkit:stream:known-events', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  await client.runTurn(context.profile.phrase('tool'))
  const unknown = client.stream.events.map((seen) => seen.event).filter((name) => !(name in event))
  assert.deepEqual(unknown, [])
})

check('agent-webkit:stream:ids', async (context) => {
  const client = await connect(context)
  for (const purpose of ['hello', 'tool', 'hello']) await client.runTurn(context.profile.phrase(purpose))
  const ids = client.stream.events.map(eventIdOf)
  for (const [at, id] of ids.entries()) assert.ok(at === 0 || id > ids[at - 1]!, `after ${ids[at - 1]} comes ${id}`)
})

check('agent-webkit:stream:contiguous', async (context) => {
  const client = await connect(context)
  for (const purpose of ['hello', 'tool', 'hello']) await client.runTurn(context.profile.phrase(purpose))
  assertContiguous(client.stream.events, 1)
})

check('agent-webkit:stream:resume', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  const whole = client.stream.events
  const places = [1, whole.length - 1, context.random.int(1, whole.length - 1)]
  for (const place of places) {
    const cursor = eventIdOf(whole[place - 1]!)
    const { stream } = await subscribe(context, client.id, cursor)
    await stream.until('the last event', (seen) => seen.id === whole.at(-1)!.id)
    assert.deepEqual(
      toComparable(stream.events),
      toComparable(whole.slice(place)),
      `resuming after ${cursor} returns other events`,
    )
  }
})

check('agent-webkit:stream:resume-live', async (context) => {
  const client = await connect(context)
  await client.nextEvent('session_ready')
  await client.sendText(context.profile.phrase('long'))
  await client.stream.until('a third event', () => client.stream.events.length >= 3)
  const cursor = eventIdOf(client.stream.events[1]!)
  const late = await subscribe(context, client.id, cursor)
  const result = await client.nextEvent('result')
  await late.nextEvent('result', cursor)
  const since = client.eventsSince(cursor).filter((seen) => eventIdOf(seen) <= eventIdOf(result))
  assert.deepEqual(toComparable(late.stream.events), toComparable(since))
  await assertWhole(context, client)
})

check('agent-webkit:stream:identical', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  const again = await subscribe(context, client.id)
  await again.nextEvent('result')
  const frames = (one: Client) => one.stream.events.map((seen) => seen.raw)
  assert.deepEqual(frames(again), frames(client))
})

check('agent-webkit:stream:everything', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  const count = client.stream.events.length
  const again = await subscribe(context, client.id, 0)
  await again.nextEvent('result')
  assert.ok(again.stream.events.length >= count, 'the cursor 0 replays too little')
  assert.equal(again.stream.events[0]!.id, client.stream.events[0]!.id)
})

check('agent-webkit:stream:no-cursor', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  for (const cursor of [undefined, '', '00']) {
    const again = await subscribe(context, client.id, cursor)
    await again.nextEvent('result')
    assert.deepEqual(
      toComparable(again.stream.events),
      toComparable(client.stream.events),
      `the cursor "${cursor ?? '(none)'}"`,
    )
  }
})

check('agent-webkit:stream:newest', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  const cursor = newestEventId(client.stream)
  const waiting = await subscribe(context, client.id, cursor)
  assert.equal(waiting.stream.status, 200)
  await pause(SETTLE_MS)
  assert.deepEqual(waiting.stream.events, [], 'no event was expected')
  const events = await client.runTurn(context.profile.phrase('hello'))
  await waiting.nextEvent('result', cursor)
  assert.deepEqual(toComparable(waiting.stream.events), toComparable(events))
  await assertWhole(context, client)
})

check('agent-webkit:stream:future', async (context) => {
  const client = await connect(context)
  await client.nextEvent('session_ready')
  const { stream } = await subscribe(context, client.id, 1_000_000)
  assert.equal(stream.status, 200)
  await client.runTurn(context.profile.phrase('hello'))
  await pause(SETTLE_MS)
  assert.deepEqual(stream.events, [], 'no event has passed the cursor')
})

check(
  'agent-webkit:stream:malformed',
  async (context) => {
    const id = await createSession(context)
    for (const cursor of ['abc', '-1', '1.5', '0x1', '1 2']) {
      const { stream } = await subscribe(context, id, cursor)
      assert.equal(stream.status, 400, `the cursor "${cursor}" answers ${stream.status}`)
    }
  },
  { pool: 'dangerous' },
)

/** Fails unless a subscriber from the start received all events that a new subscriber receives. */
async function assertWhole(context: TestContext, client: Client): Promise<void> {
  const again = await subscribe(context, client.id, 0)
  const last = client.stream.events.at(-1)!
  await again.stream.until('the last event', (seen) => seen.id === last.id)
  const upToLast = again.stream.events.filter((seen) => eventIdOf(seen) <= eventIdOf(last))
  assert.deepEqual(toComparable(client.stream.events), toComparable(upToLast), 'a buffered event was not replayed')
}

/**
 * Sends prompts with long answers until the session has emitted more events than its ring holds. Returns the newest
 * id.
 */
export async function overflow(context: TestContext, client: Client): Promise<number> {
  const ring = context.profile.has('ring') ? context.profile.known('ring', z.number().int()) : 1000
  const enough = client.stream.events.length + ring + 1
  while (client.stream.events.length <= enough) {
    const before = newestEventId(client.stream)
    await client.sendText(context.profile.phrase('burst'))
    await client.nextEvent('result', before, OVERFLOW_MS)
  }
  return newestEventId(client.stream)
}
const OVERFLOW_MS = 30_000

/** The number of the oldest event held, which is replayed first. */
async function oldestHeld(context: TestContext, id: string): Promise<number> {
  const { stream } = await subscribe(context, id)
  return eventIdOf(await stream.until('the oldest event held', () => true))
}

/** The smallest cursor that still resumes, found by halving. */
async function oldestCursor(context: TestContext, id: string, last: number): Promise<number> {
  let refused = 0
  let accepted = last
  while (accepted - refused > 1) {
    const middle = Math.floor((refused + accepted) / 2)
    const { stream } = await subscribe(context, id, middle)
    stream.close()
    if (stream.status === 200) accepted = middle
    else refused = middle
  }
  return accepted
}

check(
  'agent-webkit:stream:evicted',
  async (context) => {
    const client = await connect(context)
    await overflow(context, client)
    const oldest = await oldestHeld(context, client.id)
    const ids = client.stream.events.map(eventIdOf)
    // The one after the cursor is not held any more.
    const evicted = ids[ids.indexOf(oldest) - 2] ?? fail('prerequisite: no event was evicted from the ring')
    for (const cursor of [ids[0]!, evicted]) {
      const { stream } = await subscribe(context, client.id, cursor)
      assert.equal(
        stream.status,
        412,
        `the cursor ${cursor} answers ${stream.status} although the ring starts at ${oldest}`,
      )
    }
  },
  { timeoutMs: 60_000 },
)

check(
  'agent-webkit:stream:edge',
  async (context) => {
    const client = await connect(context)
    const last = await overflow(context, client)
    const cursor = await oldestCursor(context, client.id, last)
    const { stream } = await subscribe(context, client.id, cursor)
    const first = await stream.until('the oldest event held', () => true)
    assert.equal(first.id, String(cursor + 1), 'the edge of the ring loses an event')
    assert.equal(
      await oldestHeld(context, client.id),
      eventIdOf(first),
      'the cursor before the oldest held event is refused',
    )
  },
  { timeoutMs: 60_000 },
)

check(
  'agent-webkit:stream:ring',
  async (context) => {
    const client = await connect(context)
    const last = await overflow(context, client)
    const oldest = await oldestHeld(context, client.id)
    const held = client.stream.events.filter((seen) => eventIdOf(seen) >= oldest && eventIdOf(seen) <= last).length
    assert.ok(held >= 1000, `only ${held} events are held`)
  },
  { timeoutMs: 60_000 },
)

check(
  'agent-webkit:stream:zero-after-eviction',
  async (context) => {
    const client = await connect(context)
    await overflow(context, client)
    for (const cursor of [undefined, 0]) {
      const { stream } = await subscribe(context, client.id, cursor)
      assert.equal(stream.status, 200, `the cursor ${cursor ?? '(none)'} answers ${stream.status}`)
    }
  },
  { timeoutMs: 60_000 },
)

check('agent-webkit:stream:subscribers', async (context) => {
  const first = await connect(context)
  const others = await Promise.all([1, 2, 3, 4].map(() => subscribe(context, first.id)))
  await first.runTurn(context.profile.phrase('hello'))
  for (const other of others) {
    await other.nextEvent('result')
    assert.deepEqual(toComparable(other.stream.events), toComparable(first.stream.events))
  }
})

check(
  'agent-webkit:stream:leaving',
  async (context) => {
    const staying = await connect(context)
    const leaving = await subscribe(context, staying.id)
    await staying.sendText(context.profile.phrase('long'))
    await leaving.stream.until('a second event', () => leaving.stream.events.length >= 2)
    leaving.stream.close()
    await staying.nextEvent('result')
    await staying.runTurn(context.profile.phrase('hello'))
    await assertWhole(context, staying)
  },
  { pool: 'dangerous' },
)

check('agent-webkit:stream:prompt', async (context) => {
  const clients = [await connect(context)]
  for (let more = 0; more < 4; more++) clients.push(await subscribe(context, clients[0]!.id))
  await clients[0]!.sendText(context.profile.phrase('burst'))
  const results = clients.map((client) => client.nextEvent('result', 0, 12_000))
  const last = eventIdOf((await Promise.all(results))[0]!)
  const [first, ...others] = clients.map((client) =>
    client.stream.events.map((seen) => seen.id).filter((id) => Number(id) <= last),
  )
  for (const other of others) assert.deepEqual(other, first, 'one subscriber received fewer events than another')
})

check('agent-webkit:stream:unknown', async (context) => {
  const { stream } = await subscribe(context, context.random.word(12))
  assert.equal(stream.status, 404)
})

check(
  'agent-webkit:stream:keepalive',
  async (context) => {
    const { stream } = await connect(context)
    const comment = await stream.comment(KEEPALIVE_MS)
    assert.match(comment, /keepalive/, 'the comment is to be "keepalive"')
  },
  { timeoutMs: 30_000 },
)
/** The documented 15 seconds, and some for a loaded machine. */
const KEEPALIVE_MS = 18_000

check(
  'agent-webkit:stream:alive',
  async (context) => {
    const client = await connect(context)
    await client.stream.comment(KEEPALIVE_MS)
    await client.runTurn(context.profile.phrase('hello'))
    assert.equal(client.stream.ended, false, 'the stream ended after its keepalive')
  },
  { timeoutMs: 40_000 },
)
