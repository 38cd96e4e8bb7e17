import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus, fail } from '../../probe/failure.ts'
import { changeStatus, eventNameOf } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import {
  assertWhole,
  type Client,
  connect,
  createSession,
  eventIdOf,
  newestEventId,
  overflow,
  SETTLE_MS,
  subscribe,
  toComparable,
} from '../driver.ts'
import { idOf } from '../sabotage.ts'

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

/** Changes the cursor of a stream. */
const cursors = (change: (header: string | undefined) => string | undefined): SabotageBehavior => ({
  changeRequest: (request) => {
    if (!request.path.endsWith('/stream')) return
    const given = request.headers['last-event-id']
    const header = change(typeof given === 'string' ? given : undefined)
    if (header === undefined) delete request.headers['last-event-id']
    else request.headers['last-event-id'] = header
  },
})

const lower = (header: string | undefined) =>
  header !== undefined && Number(header) > 1 && Number(header) < 100_000 ? String(Number(header) - 1) : header

/** Resuming a stream from a cursor. */
export const resumeRules = defineRules('stream', ['stream:opens'], {
  resume: {
    level: 'MUST',
    text: 'With Last-Event-ID n the stream continues with n+1 and does not repeat events.',
    source: sources.stream,
    basis: { states: 'Last-Event-ID replays from after that sequence number.' },
    covers: ['W-R4', 'W-D20'],
    needs: ['stream:framing', 'stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      const whole = client.stream.events
      const places = [1, whole.length - 1, context.random.int(1, whole.length - 1)]
      for (const place of places) {
        const cursor = eventIdOf(whole[place - 1]!)
        const { stream } = await subscribe(context, client.id, cursor)
        await stream.until('the last event', (seen) => seen.id === whole.at(-1)!.id)
        assertAgree({
          [`the stream after ${cursor}`]: toComparable(stream.events),
          'the whole stream': toComparable(whole.slice(place)),
        })
      }
    },
    sabotage: {
      'ignores the cursor': withoutCursor(),
      'takes the cursor one too high': cursor((id) => id + 1),
      'takes the cursor one too low': cursor((id) => Math.max(0, id - 1)),
    },
  },

  'resume-live': {
    level: 'MUST',
    text: 'A resume in the middle of a turn joins replay and live events into one sequence.',
    source: sources.stream,
    basis: {
      states: 'Last-Event-ID replays from after that sequence number; each subscriber has its own cursor.',
    },
    covers: ['W-R4', 'W-D20'],
    needs: ['stream:opens', 'stream:resume', 'stream:prompt', 'stream:subscribers', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.nextEvent('session_ready')
      await client.sendText(context.profile.phrase('long'))
      await client.stream.until('a third event', () => client.stream.events.length >= 3)
      const cursor = eventIdOf(client.stream.events[1]!)
      const late = await subscribe(context, client.id, cursor)
      const result = await client.nextEvent('result')
      // The document names no size of the ring, and a small one may have dropped the event after the cursor.
      if (late.stream.status === 412) return
      await late.nextEvent('result', cursor)
      const since = client.eventsSince(cursor).filter((seen) => eventIdOf(seen) <= eventIdOf(result))
      assertAgree({ 'the late stream': toComparable(late.stream.events), 'the first stream': toComparable(since) })
      await assertWhole(context, client)
    },
    sabotage: {
      'loses the end of a message for those who resume': {
        changeFrames: () => {
          let first: number | undefined
          return (frame) => {
            first ??= frame.startsWith(':') ? undefined : idOf(frame)
            const isResumed = first !== undefined && first > 1
            return isResumed && eventNameOf(frame) === 'message_complete' ? [] : [frame]
          }
        },
      },
    },
  },

  identical: {
    level: 'SHOULD',
    text: 'A replayed frame is the frame that was sent, byte for byte.',
    source: sources.reference,
    basis: { because: 'The document requires a replay, but not identical bytes.' },
    covers: ['W-R4'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      const again = await subscribe(context, client.id)
      await again.nextEvent('result')
      const frames = (one: Client) => one.stream.events.map((seen) => seen.raw)
      assertAgree({ 'the second replay': frames(again), 'the first stream': frames(client) })
    },
    sabotage: {
      'replays in other bytes': respace(),
    },
  },

  everything: {
    level: 'MUST',
    text: 'With the cursor 0 everything still held is replayed.',
    source: sources.stream,
    basis: {
      states: 'The cursor is a non-negative integer, and what follows it is replayed; session_ready comes first.',
    },
    covers: ['W-R2', 'W-X1'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      const count = client.stream.events.length
      const again = await subscribe(context, client.id, 0)
      await again.nextEvent('result')
      assert.ok(again.stream.events.length >= count, 'the cursor 0 replays too little')
      assertAgree(
        { 'the second stream': again.stream.events[0]!.id, 'the first stream': client.stream.events[0]!.id },
        'the first id',
      )
    },
  },

  'no-cursor': {
    level: 'SHOULD',
    text: 'Without a cursor, with an empty one or with 00 everything still held is replayed.',
    source: sources.reference,
    basis: { because: 'The document does not specify where a stream without a cursor starts.' },
    covers: ['W-R2', 'W-X1'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      for (const cursor of [undefined, '', '00']) {
        const again = await subscribe(context, client.id, cursor)
        await again.nextEvent('result')
        assertAgree({
          [`the stream with the cursor "${cursor ?? '(none)'}"`]: toComparable(again.stream.events),
          'the first stream': toComparable(client.stream.events),
        })
      }
    },
    sabotage: {
      'takes 00 for another number': cursors((header) => (header === '00' ? '2' : header)),
    },
  },

  newest: {
    level: 'MUST',
    text: 'With the newest id the stream opens, waits, and then delivers new events.',
    source: sources.stream,
    basis: { states: 'Last-Event-ID replays from after that sequence number.' },
    covers: ['W-R3'],
    needs: ['stream:framing', 'stream:opens', 'stream:resume', 'stream:subscribers', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      const cursor = newestEventId(client.stream)
      const waiting = await subscribe(context, client.id, cursor)
      assertStatus(waiting.stream, 200)
      await pause(SETTLE_MS)
      assert.deepEqual(waiting.stream.events, [], 'no event was expected')
      const events = await client.runTurn(context.profile.phrase('hello'))
      await waiting.nextEvent('result', cursor)
      assertAgree({
        'the stream that waited': toComparable(waiting.stream.events),
        'the first stream': toComparable(events),
      })
      await assertWhole(context, client)
    },
    sabotage: {
      'sends each event with the next one': { alsoBreaks: ['turn:result'], ...late() },
    },
  },

  future: {
    level: 'SHOULD',
    text: 'A cursor beyond the newest id opens a silent stream.',
    source: sources.reference,
    basis: {
      because:
        'The document does not specify the response to a cursor beyond the newest id; the reference server waits.',
    },
    covers: ['W-R3', 'W-D6'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.nextEvent('session_ready')
      const { stream } = await subscribe(context, client.id, 1_000_000)
      assertStatus(stream, 200)
      await client.runTurn(context.profile.phrase('hello'))
      await pause(SETTLE_MS)
      assert.deepEqual(stream.events, [], 'no event has passed the cursor')
    },
    sabotage: {
      'tells of what was before a cursor to come': cursors((header) => (Number(header) > 100_000 ? undefined : header)),
    },
  },

  malformed: {
    level: 'MUST',
    text: 'A cursor that is not a non-negative integer answers 400.',
    source: sources.stream,
    basis: { states: 'A Last-Event-ID that is not a non-negative integer answers 400.' },
    covers: ['W-X1'],
    pool: 'dangerous',
    check: async (context) => {
      const id = await createSession(context)
      for (const cursor of ['abc', '-1', '1.5', '0x1', '1 2']) {
        const { stream } = await subscribe(context, id, cursor)
        assertStatus(stream, 400, `the cursor "${cursor}"`)
      }
    },
    sabotage: {
      'accepts a malformed cursor': malformedAsNone(),
    },
  },

  evicted: {
    level: 'MUST',
    text: 'A cursor whose next event has left the buffer answers 412.',
    source: sources.stream,
    basis: { states: 'A requested sequence number that has left the ring buffer answers 412.' },
    covers: ['W-X2'],
    needs: ['stream:opens', 'stream:prompt', 'turn:result'],
    timeoutMs: 60_000,
    check: async (context) => {
      const client = await connect(context)
      await overflow(context, client)
      const oldest = await oldestHeld(context, client.id)
      const ids = client.stream.events.map(eventIdOf)
      // The one after the cursor is not held any more.
      const evicted = ids[ids.indexOf(oldest) - 2] ?? fail('prerequisite: no event was evicted from the ring')
      for (const cursor of [ids[0]!, evicted]) {
        const { stream } = await subscribe(context, client.id, cursor)
        assertStatus(stream, 412, `the cursor ${cursor}`)
      }
    },
    sabotage: {
      'answers 400 for an evicted cursor': changeStatus(412, 400),
    },
  },

  edge: {
    level: 'SHOULD',
    text: 'The cursor just before the oldest held event still resumes, because no event is missing.',
    source: sources.stream,
    basis: {
      because: 'Taken literally, 412 is correct here too; the reference server resumes, because no event is missing.',
    },
    covers: ['W-X2'],
    needs: ['stream:opens', 'stream:prompt', 'turn:result'],
    timeoutMs: 60_000,
    check: async (context) => {
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
    sabotage: {
      'refuses the last cursor that loses nothing': cursors((header) => lower(header)),
    },
  },

  ring: {
    level: 'SHOULD',
    text: 'At least the newest 1,000 events of a session are held.',
    source: sources.reference,
    basis: { because: 'The document names a ring buffer and no size; the reference server holds 1,000.' },
    covers: ['W-R1'],
    needs: ['stream:opens', 'stream:prompt', 'turn:result'],
    timeoutMs: 60_000,
    check: async (context) => {
      const client = await connect(context)
      const last = await overflow(context, client)
      const oldest = await oldestHeld(context, client.id)
      const held = client.stream.events.filter((seen) => eventIdOf(seen) >= oldest && eventIdOf(seen) <= last).length
      assert.ok(held >= 1000, `only ${held} events are held`)
    },
    sabotage: {
      'replays nine hundred events': cursorsAtLeast(),
    },
  },

  'zero-after-eviction': {
    level: 'SHOULD',
    text: 'Without a cursor, a stream opens even when event 1 has been evicted.',
    source: sources.reference,
    basis: {
      because: 'The document does not specify this case; the reference server opens the stream.',
    },
    covers: ['W-R2', 'W-D5'],
    needs: ['stream:opens', 'stream:prompt', 'turn:result'],
    timeoutMs: 60_000,
    check: async (context) => {
      const client = await connect(context)
      await overflow(context, client)
      for (const cursor of [undefined, 0]) {
        const { stream } = await subscribe(context, client.id, cursor)
        assertStatus(stream, 200, `the cursor ${cursor ?? '(none)'}`)
      }
    },
    sabotage: {
      'refuses an explicit 0': {
        alsoBreaks: ['stream:everything'],
        ...cursors((header) => (header === '0' ? '-1' : header)),
      },
    },
  },
})

/** Replays less than the server holds, from any cursor. */
function cursorsAtLeast(): SabotageBehavior {
  return {
    changeFrames: () => {
      let first: number | undefined
      return (frame) => {
        const id = idOf(frame)
        if (Number.isNaN(id)) return [frame]
        first ??= id
        return first > 1 && id < first + 500 ? [] : [frame]
      }
    },
  }
}

/** Events are held back until the next one comes. */
function late(): SabotageBehavior {
  return {
    changeFrames: () => {
      let held: string | undefined
      return (frame) => {
        const sent = held === undefined ? [] : [held]
        held = frame
        return sent
      }
    },
  }
}

/** Sends different bytes on the first stream than on the next one. */
function respace(): SabotageBehavior {
  let streams = 0
  return {
    changeFrames: () => {
      const isFirst = streams++ % 2 === 0
      return (frame) => [isFirst ? frame : frame.replace(/^data: ?\{/m, 'data: { ')]
    },
  }
}

function withoutCursor(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      delete request.headers['last-event-id']
    },
  }
}

function cursor(change: (id: number) => number): SabotageBehavior {
  return {
    changeRequest: (request) => {
      const id = request.headers['last-event-id']
      if (typeof id === 'string' && /^\d+$/.test(id)) request.headers['last-event-id'] = String(change(Number(id)))
    },
  }
}

function malformedAsNone(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      if (!/^\d*$/.test(String(request.headers['last-event-id'] ?? ''))) delete request.headers['last-event-id']
    },
  }
}
