import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { changeStatus, eventNameOf } from '../../suite/behaviors.ts'
import { flood } from '../../suite/flood.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import {
  assertWhole,
  type Client,
  connect,
  eventIdOf,
  newestEventId,
  overflow,
  subscribe,
  toComparable,
} from '../driver.ts'
import { idOf, loseEvents } from '../sabotage.ts'

/**
 * Milliseconds in which pending events reach a reader; shorter than the keepalive interval, which could wake the
 * server.
 */
const PROMPT_MS = 10_000

/** A session with a subscriber that reads, and one that stopped reading while the agent sent several megabytes. */
async function stall(context: TestContext) {
  const client = await connect(context)
  const stalled = await subscribe(context, client.id)
  await stalled.nextEvent('session_ready')
  stalled.stream.pause()
  await flood(context, async (text) => {
    const before = client.stream.events.length
    const after = newestEventId(client.stream)
    await client.sendText(text)
    await client.nextEvent('result', after, PROMPT_MS * 2)
    return client.stream.events.slice(before).reduce((sum, seen) => sum + seen.raw.length, 0)
  })
  return { talk: client, stalled }
}

/**
 * Continues reading. Returns the events up to the last one, or up to the end of the stream if the server drops the
 * reader.
 */
async function readOn(stalled: Client, last: SseEvent): Promise<readonly SseEvent[]> {
  // By then, no further event can wake an idle server.
  await pause(500)
  stalled.stream.resume()
  const startedAt = performance.now()
  const isOver = () => stalled.stream.ended || stalled.stream.events.some((seen) => seen.id === last.id)
  while (!isOver() && performance.now() - startedAt < PROMPT_MS) await pause(20)
  return stalled.stream.events.filter((seen) => seen.id !== undefined)
}

/** Fails unless the events of a subscriber are the first events of another one. */
function assertBeginning(received: readonly SseEvent[], whole: readonly SseEvent[]): void {
  const gap = received.findIndex((seen, at) => seen.id !== whole[at]?.id)
  const before = whole[gap - 1]?.id ?? 'nothing'
  assert.equal(gap, -1, `after ${before} comes ${received[gap]?.id} instead of ${whole[gap]?.id}, without any notice`)
}

/** Milliseconds of short turns, and how many there are at least. */
const TURNS_MS = 4000

const MIN_TURNS = 3

const MAX_TURNS = 40

/** The documented 15 seconds, and some for a loaded machine. */
const KEEPALIVE_MS = 18_000

/** Several, slow and silent subscribers of a stream. */
export const subscriberRules = defineRules('stream', ['stream:opens'], {
  subscribers: {
    level: 'MUST',
    text: 'Any number of subscribers see the same events under the same ids.',
    source: sources.stream,
    basis: { states: 'Any number of clients may subscribe to a session, each with its own cursor.' },
    covers: ['W-R5'],
    needs: ['stream:opens', 'stream:framing', 'stream:prompt', 'turn:result'],
    check: async (context) => {
      const first = await connect(context)
      const others = await Promise.all([1, 2, 3, 4].map(() => subscribe(context, first.id)))
      // A loss now and then shows in a long answer only.
      for (const purpose of ['hello', 'long']) await first.runTurn(context.profile.phrase(purpose))
      const last = first.stream.events.at(-1)!
      for (const other of others) {
        await other.nextEvent('result', eventIdOf(last) - 1)
        assertAgree({
          'the other stream': toComparable(other.stream.events),
          'the first stream': toComparable(first.stream.events),
        })
      }
    },
    sabotage: {
      'forgets the second subscriber': loseEvents((_, place, stream) => stream > 0 && place > 2),
    },
  },

  leaving: {
    level: 'MUST',
    text: 'A subscriber that leaves affects neither the session nor the other subscribers.',
    source: sources.stream,
    basis: { states: 'Any number of clients may subscribe to a session, each with its own cursor.' },
    covers: ['W-R5', 'W-T10'],
    needs: ['stream:opens', 'stream:framing', 'stream:prompt', 'stream:subscribers', 'turn:result'],
    pool: 'dangerous',
    check: async (context) => {
      const staying = await connect(context)
      const leaving = await subscribe(context, staying.id)
      await staying.sendText(context.profile.phrase('long'))
      await leaving.stream.until('a second event', () => leaving.stream.events.length >= 2)
      leaving.stream.close()
      await staying.nextEvent('result')
      await staying.runTurn(context.profile.phrase('hello'))
      await assertWhole(context, staying)
    },
    sabotage: {
      'tells nobody when one has left': loseEvents((frame, _, stream) => stream === 0 && idOf(frame) === 4),
    },
  },

  prompt: {
    level: 'MUST',
    text: 'Events of a burst arrive without waiting for the next keepalive.',
    source: sources.stream,
    basis: { states: 'Server to client is a stream of events; the keepalive is a comment frame between them.' },
    covers: ['W-D2'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const clients = [await connect(context)]
      for (let more = 0; more < 4; more++) clients.push(await subscribe(context, clients[0]!.id))
      await clients[0]!.sendText(context.profile.phrase('burst'))
      await Promise.all(clients.map((client) => client.nextEvent('result', 0, 12_000)))
    },
    sabotage: {
      'tells the fifth subscriber no result': loseEvents(
        (frame, _, stream) => stream === 4 && eventNameOf(frame) === 'result',
      ),
    },
  },

  wakeups: {
    level: 'MUST',
    text: 'Events that happen while earlier ones are being sent arrive without waiting for another event.',
    source: sources.stream,
    basis: { states: 'Server to client is a stream of events; each subscriber has its own cursor.' },
    covers: ['W-D2'],
    needs: ['stream:opens', 'stream:subscribers', 'turn:result'],
    timeoutMs: 60_000,
    check: async (context) => {
      const client = await connect(context)
      const others = [await subscribe(context, client.id), await subscribe(context, client.id)]
      const startedAt = performance.now()
      const hello = context.profile.phrase('hello')
      const hasTime = () => performance.now() - startedAt < TURNS_MS
      for (let turns = 0; turns < MIN_TURNS || (turns < MAX_TURNS && hasTime()); turns++) {
        const before = newestEventId(client.stream)
        // The second turn starts while the server still sends the first one.
        await client.sendText(hello)
        await pause(context.random.int(0, 4))
        await client.sendText(hello)
        const first = await client.nextEvent('result', before, PROMPT_MS)
        const second = await client.nextEvent('result', first, PROMPT_MS)
        for (const { stream } of others)
          await stream.until(`the result #${second.id}`, (seen) => seen.id === second.id, PROMPT_MS)
      }
      for (const { stream } of others)
        assertAgree({
          'the other stream': toComparable(stream.events),
          'the first stream': toComparable(client.stream.events),
        })
    },
    sabotage: {
      'keeps back the last event after twenty turns': holdsBack((passed) => passed.turns > 20),
    },
  },

  stalled: {
    level: 'MUST',
    text: 'A subscriber that does not read delays no other subscriber, and continues reading where it stopped.',
    source: sources.stream,
    basis: { states: 'Any number of clients subscribe immediately, each with a cursor independent of the others.' },
    covers: ['W-D3', 'W-R5'],
    needs: ['stream:opens', 'stream:prompt', 'turn:result'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const other = await connect(context)
      const { talk: client, stalled } = await stall(context)
      const before = newestEventId(other.stream)
      await other.sendText(context.profile.phrase('hello'))
      await other.nextEvent('result', before, PROMPT_MS * 2)
      const last = client.stream.events.at(-1)!
      const received = await readOn(stalled, last)
      assertBeginning(received, client.stream.events)
      if (received.at(-1)?.id === last.id) return
      assert.ok(
        stalled.stream.ended,
        `${PROMPT_MS} ms after the reader resumes, no event follows #${received.at(-1)?.id} of #${last.id}`,
      )
      // A server may end the stream of a slow reader; a reconnect gets the held events.
      const again = await subscribe(context, client.id, eventIdOf(received.at(-1)!))
      if (again.stream.status === 412) return
      await again.stream.until('the last event', (seen) => seen.id === last.id, PROMPT_MS)
      assertBeginning([...received, ...again.stream.events], client.stream.events)
    },
    sabotage: {
      'keeps back the end of several megabytes': holdsBack((passed) => passed.bytes > 2_000_000),
    },
  },

  slow: {
    level: 'MUST',
    text: 'A subscriber that falls behind by more than the buffer does not lose events silently.',
    source: sources.stream,
    basis: { states: 'Replay starts right after the cursor, or 412 reports that events are lost.' },
    covers: ['W-D3'],
    needs: ['stream:opens', 'stream:prompt', 'turn:result', 'stream:stalled'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const { talk: client, stalled } = await stall(context)
      await overflow(context, client)
      const last = client.stream.events.at(-1)!
      const received = await readOn(stalled, last)
      assertBeginning(received, client.stream.events)
      assert.ok(
        stalled.stream.ended || received.at(-1)?.id === last.id,
        'the reader neither receives all events nor is disconnected',
      )
    },
    sabotage: {
      'loses the nine hundredth event': loseEvents((frame, _, stream) => stream % 2 === 1 && idOf(frame) === 900),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'The stream of an unknown session answers 404.',
    source: sources.reference,
    basis: { because: 'The document names no status; the reference server answers 404.' },
    covers: ['W-X5'],
    check: async (context) => {
      const { stream } = await subscribe(context, context.random.word(12))
      assertStatus(stream, 404)
    },
    sabotage: {
      'answers 409 for an unknown session': {
        alsoBreaks: ['input:unknown-session', 'close:gone'],
        ...changeStatus(404, 409),
      },
    },
  },

  keepalive: {
    level: 'MUST',
    text: 'An idle stream carries a comment every 15 seconds.',
    source: sources.stream,
    basis: { states: 'A keepalive comment is sent every 15 seconds.' },
    covers: ['W-F2'],
    timeoutMs: 30_000,
    check: async (context) => {
      const { stream } = await connect(context)
      await stream.comment('keepalive', KEEPALIVE_MS)
    },
    sabotage: {
      'sends no keepalive': { changeFrames: () => (frame) => (frame.startsWith(':') ? [] : [frame]) },
      'calls its keepalive ping': { changeFrames: () => (frame) => [frame.replace(/^: ?keepalive/, ': ping')] },
    },
  },

  alive: {
    level: 'MUST',
    text: 'A stream continues after its keepalive.',
    source: sources.stream,
    basis: { states: 'A keepalive comment is sent every 15 seconds; done is what ends a session.' },
    covers: ['W-D1', 'W-F2'],
    needs: ['stream:opens', 'turn:result'],
    timeoutMs: 40_000,
    check: async (context) => {
      const client = await connect(context)
      // What it is called is judged by keepalive.
      await client.stream.comment('', KEEPALIVE_MS)
      await client.runTurn(context.profile.phrase('hello'))
      assert.equal(client.stream.ended, false, 'the stream ended after its keepalive')
    },
    sabotage: {
      'is silent after its keepalive': silentAfter((frame) => frame.startsWith(':')),
    },
  },
})

/** Holds each frame back until the next one comes, once so much has passed. */
function holdsBack(fits: (passed: { readonly bytes: number; readonly turns: number }) => boolean): SabotageBehavior {
  return {
    changeFrames: () => {
      const passed = { bytes: 0, turns: 0 }
      let held: readonly string[] = []
      return (frame) => {
        passed.bytes += frame.length
        if (eventNameOf(frame) === 'result') passed.turns++
        if (frame.startsWith(':')) return [frame]
        const sent = held
        held = fits(passed) ? [frame] : []
        return held.length > 0 ? sent : [...sent, frame]
      }
    },
  }
}

function silentAfter(fits: (frame: string) => boolean): SabotageBehavior {
  return {
    changeFrames: () => {
      let isSilent = false
      return (frame) => {
        if (isSilent) return []
        isSilent = fits(frame)
        return [frame]
      }
    },
  }
}
