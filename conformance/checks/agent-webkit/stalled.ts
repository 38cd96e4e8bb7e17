import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, connect, eventIdOf, newestEventId, subscribe, toComparable } from '../../agent-webkit/driver.ts'
import { flood } from '../../probe/flood.ts'
import type { SseEvent } from '../../probe/sse.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { overflow } from './stream.ts'

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

check(
  'agent-webkit:stream:stalled',
  async (context) => {
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
  { timeoutMs: 60_000, pool: 'dangerous' },
)

check(
  'agent-webkit:stream:slow',
  async (context) => {
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
  { timeoutMs: 60_000, pool: 'dangerous' },
)

/** Milliseconds of short turns, and how many there are at least. */
const TURNS_MS = 4000
const MIN_TURNS = 3
const MAX_TURNS = 40

check(
  'agent-webkit:stream:wakeups',
  async (context) => {
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
    for (const { stream } of others) assert.deepEqual(toComparable(stream.events), toComparable(client.stream.events))
  },
  { timeoutMs: 60_000 },
)
