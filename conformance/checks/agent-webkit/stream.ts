import assert from 'node:assert/strict'
import * as z from 'zod'
import { event } from '../../contract/agent-webkit.ts'
import { fail } from '../../probe/failure.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import {
  assertContiguous,
  attach,
  createSession,
  dataOf,
  newest,
  numberOf,
  openTalk,
  settle,
  type Talk,
  told,
} from './client.ts'

check('agent-webkit:stream:opens', async (bench) => {
  const { stream } = await openTalk(bench)
  assert.equal(stream.status, 200)
  assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream\s*(;|$)/)
})

check('agent-webkit:stream:headers', async (bench) => {
  const { stream } = await openTalk(bench)
  assert.match(stream.headers['cache-control'] ?? '', /no-cache|no-store/)
  assert.equal(stream.headers['x-accel-buffering'], 'no')
})

check('agent-webkit:stream:first', async (bench) => {
  const { stream, id } = await openTalk(bench)
  const first = await stream.until('its first event', () => true)
  assert.equal(dataOf(first, 'session_ready').session_id, id)
})

check('agent-webkit:stream:framing', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  for (const { id, raw, data } of talk.stream.events) {
    assert.match(id ?? '', /^\d+$/, `the id is to be a number:\n${raw}`)
    assert.match(raw, /^event: ?./m, `an event is to have a name:\n${raw}`)
    assert.equal(typeof data, 'object', `data is to be a JSON object:\n${raw}`)
  }
})

check('agent-webkit:stream:lines', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  for (const { raw } of talk.stream.events) {
    const fields = raw.split('\n').map((line) => line.slice(0, line.indexOf(':')))
    assert.deepEqual(fields.sort(), ['data', 'event', 'id'], `a frame is to have one of each:\n${raw}`)
  }
})

check('agent-webkit:stream:known-events', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  await talk.turn(bench.profile.phrase('tool'))
  const unknown = talk.stream.events.map((seen) => seen.event).filter((name) => !(name in event))
  assert.deepEqual(unknown, [])
})

check('agent-webkit:stream:ids', async (bench) => {
  const talk = await openTalk(bench)
  for (const purpose of ['hello', 'tool', 'hello']) await talk.turn(bench.profile.phrase(purpose))
  const ids = talk.stream.events.map(numberOf)
  for (const [at, id] of ids.entries()) assert.ok(at === 0 || id > ids[at - 1]!, `after ${ids[at - 1]} comes ${id}`)
})

check('agent-webkit:stream:contiguous', async (bench) => {
  const talk = await openTalk(bench)
  for (const purpose of ['hello', 'tool', 'hello']) await talk.turn(bench.profile.phrase(purpose))
  assertContiguous(talk.stream.events, 1)
})

check('agent-webkit:stream:resume', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  const whole = talk.stream.events
  const places = [1, whole.length - 1, bench.random.int(1, whole.length - 1)]
  for (const place of places) {
    const cursor = numberOf(whole[place - 1]!)
    const { stream } = await attach(bench, talk.id, cursor)
    await stream.until('the last event', (seen) => seen.id === whole.at(-1)!.id)
    assert.deepEqual(told(stream.events), told(whole.slice(place)), `resuming after ${cursor} gives other events`)
  }
})

check('agent-webkit:stream:resume-live', async (bench) => {
  const talk = await openTalk(bench)
  await talk.next('session_ready')
  await talk.say(bench.profile.phrase('long'))
  await talk.stream.until('a third event', () => talk.stream.events.length >= 3)
  const cursor = numberOf(talk.stream.events[1]!)
  const late = await attach(bench, talk.id, cursor)
  const result = await talk.next('result')
  await late.next('result', cursor)
  const since = talk.since(cursor).filter((seen) => numberOf(seen) <= numberOf(result))
  assert.deepEqual(told(late.stream.events), told(since))
  await assertWhole(bench, talk)
})

check('agent-webkit:stream:identical', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  const again = await attach(bench, talk.id)
  await again.next('result')
  const frames = (one: Talk) => one.stream.events.map((seen) => seen.raw)
  assert.deepEqual(frames(again), frames(talk))
})

check('agent-webkit:stream:everything', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  const count = talk.stream.events.length
  const again = await attach(bench, talk.id, 0)
  await again.next('result')
  assert.ok(again.stream.events.length >= count, 'the cursor 0 replays too little')
  assert.equal(again.stream.events[0]!.id, talk.stream.events[0]!.id)
})

check('agent-webkit:stream:no-cursor', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  for (const cursor of [undefined, '', '00']) {
    const again = await attach(bench, talk.id, cursor)
    await again.next('result')
    assert.deepEqual(told(again.stream.events), told(talk.stream.events), `the cursor "${cursor ?? '(none)'}"`)
  }
})

check('agent-webkit:stream:newest', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  const cursor = newest(talk.stream)
  const waiting = await attach(bench, talk.id, cursor)
  assert.equal(waiting.stream.status, 200)
  await settle()
  assert.deepEqual(waiting.stream.events, [], 'nothing has happened since')
  const events = await talk.turn(bench.profile.phrase('hello'))
  await waiting.next('result', cursor)
  assert.deepEqual(told(waiting.stream.events), told(events))
  await assertWhole(bench, talk)
})

check('agent-webkit:stream:future', async (bench) => {
  const talk = await openTalk(bench)
  await talk.next('session_ready')
  const { stream } = await attach(bench, talk.id, 1_000_000)
  assert.equal(stream.status, 200)
  await talk.turn(bench.profile.phrase('hello'))
  await settle()
  assert.deepEqual(stream.events, [], 'no event has passed the cursor')
})

check(
  'agent-webkit:stream:malformed',
  async (bench) => {
    const id = await createSession(bench)
    for (const cursor of ['abc', '-1', '1.5', '0x1', '1 2']) {
      const { stream } = await attach(bench, id, cursor)
      assert.equal(stream.status, 400, `the cursor "${cursor}" answers ${stream.status}`)
    }
  },
  { lane: 'dangerous' },
)

/** Fails unless a subscriber that was there from the start was told all that a new one is. */
async function assertWhole(bench: Bench, talk: Talk): Promise<void> {
  const again = await attach(bench, talk.id, 0)
  const last = talk.stream.events.at(-1)!
  await again.stream.until('the last event', (seen) => seen.id === last.id)
  const upToLast = again.stream.events.filter((seen) => numberOf(seen) <= numberOf(last))
  assert.deepEqual(told(talk.stream.events), told(upToLast), 'an event that is held was not told')
}

/** Says something talkative until the session has emitted more events than its ring holds; gives the id of the newest. */
export async function overflow(bench: Bench, talk: Talk): Promise<number> {
  const ring = bench.profile.has('ring') ? bench.profile.known('ring', z.number().int()) : 1000
  const enough = talk.stream.events.length + ring + 1
  while (talk.stream.events.length <= enough) {
    const before = newest(talk.stream)
    await talk.say(bench.profile.phrase('burst'))
    await talk.next('result', before, OVERFLOW_MS)
  }
  return newest(talk.stream)
}
const OVERFLOW_MS = 30_000

/** The number of the oldest event held, which is replayed first. */
async function oldestHeld(bench: Bench, id: string): Promise<number> {
  const { stream } = await attach(bench, id)
  return numberOf(await stream.until('the oldest event held', () => true))
}

/** The smallest cursor that still resumes, found by halving. */
async function oldestCursor(bench: Bench, id: string, last: number): Promise<number> {
  let refused = 0
  let accepted = last
  while (accepted - refused > 1) {
    const middle = Math.floor((refused + accepted) / 2)
    const { stream } = await attach(bench, id, middle)
    stream.close()
    if (stream.status === 200) accepted = middle
    else refused = middle
  }
  return accepted
}

check(
  'agent-webkit:stream:evicted',
  async (bench) => {
    const talk = await openTalk(bench)
    await overflow(bench, talk)
    const oldest = await oldestHeld(bench, talk.id)
    const ids = talk.stream.events.map(numberOf)
    // The one after the cursor is not held any more.
    const evicted = ids[ids.indexOf(oldest) - 2] ?? fail('prerequisite: nothing has left the ring')
    for (const cursor of [ids[0]!, evicted]) {
      const { stream } = await attach(bench, talk.id, cursor)
      assert.equal(
        stream.status,
        412,
        `the cursor ${cursor} answers ${stream.status} although the ring begins at ${oldest}`,
      )
    }
  },
  { timeoutMs: 60_000 },
)

check(
  'agent-webkit:stream:edge',
  async (bench) => {
    const talk = await openTalk(bench)
    const last = await overflow(bench, talk)
    const cursor = await oldestCursor(bench, talk.id, last)
    const { stream } = await attach(bench, talk.id, cursor)
    const first = await stream.until('the oldest event held', () => true)
    assert.equal(first.id, String(cursor + 1), 'the edge of the ring loses an event')
    assert.equal(
      await oldestHeld(bench, talk.id),
      numberOf(first),
      'the cursor before the oldest held event is refused',
    )
  },
  { timeoutMs: 60_000 },
)

check(
  'agent-webkit:stream:ring',
  async (bench) => {
    const talk = await openTalk(bench)
    const last = await overflow(bench, talk)
    const oldest = await oldestHeld(bench, talk.id)
    const held = talk.stream.events.filter((seen) => numberOf(seen) >= oldest && numberOf(seen) <= last).length
    assert.ok(held >= 1000, `only ${held} events are held`)
  },
  { timeoutMs: 60_000 },
)

check(
  'agent-webkit:stream:zero-after-eviction',
  async (bench) => {
    const talk = await openTalk(bench)
    await overflow(bench, talk)
    for (const cursor of [undefined, 0]) {
      const { stream } = await attach(bench, talk.id, cursor)
      assert.equal(stream.status, 200, `the cursor ${cursor ?? '(none)'} answers ${stream.status}`)
    }
  },
  { timeoutMs: 60_000 },
)

check('agent-webkit:stream:subscribers', async (bench) => {
  const first = await openTalk(bench)
  const others = await Promise.all([1, 2, 3, 4].map(() => attach(bench, first.id)))
  await first.turn(bench.profile.phrase('hello'))
  for (const other of others) {
    await other.next('result')
    assert.deepEqual(told(other.stream.events), told(first.stream.events))
  }
})

check(
  'agent-webkit:stream:leaving',
  async (bench) => {
    const staying = await openTalk(bench)
    const leaving = await attach(bench, staying.id)
    await staying.say(bench.profile.phrase('long'))
    await leaving.stream.until('a second event', () => leaving.stream.events.length >= 2)
    leaving.stream.close()
    await staying.next('result')
    await staying.turn(bench.profile.phrase('hello'))
    await assertWhole(bench, staying)
  },
  { lane: 'dangerous' },
)

check('agent-webkit:stream:prompt', async (bench) => {
  const talks = [await openTalk(bench)]
  for (let more = 0; more < 4; more++) talks.push(await attach(bench, talks[0]!.id))
  await talks[0]!.say(bench.profile.phrase('burst'))
  const results = talks.map((talk) => talk.next('result', 0, 12_000))
  const last = numberOf((await Promise.all(results))[0]!)
  const [first, ...others] = talks.map((talk) =>
    talk.stream.events.map((seen) => seen.id).filter((id) => Number(id) <= last),
  )
  for (const other of others) assert.deepEqual(other, first, 'one subscriber is told less than another')
})

check('agent-webkit:stream:unknown', async (bench) => {
  const { stream } = await attach(bench, bench.random.word(12))
  assert.equal(stream.status, 404)
})

check(
  'agent-webkit:stream:keepalive',
  async (bench) => {
    const { stream } = await openTalk(bench)
    const comment = await stream.comment(KEEPALIVE_MS)
    assert.match(comment, /keepalive/, 'the comment is to be "keepalive"')
  },
  { timeoutMs: 30_000 },
)
/** The documented 15 seconds, and some for a loaded machine. */
const KEEPALIVE_MS = 18_000

check(
  'agent-webkit:stream:alive',
  async (bench) => {
    const talk = await openTalk(bench)
    await talk.stream.comment(KEEPALIVE_MS)
    await talk.turn(bench.profile.phrase('hello'))
    assert.equal(talk.stream.ended, false, 'the stream ended after its keepalive')
  },
  { timeoutMs: 40_000 },
)
