import assert from 'node:assert/strict'
import type { SseEvent } from '../../probe/sse.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { flood } from '../flood.ts'
import { attach, newest, numberOf, openTalk, settle, type Talk, told } from './client.ts'
import { overflow } from './stream.ts'

/** Milliseconds in which what a server holds reaches a reader; a keepalive, which might wake it, comes later. */
const PROMPT_MS = 10_000

/** A session with a subscriber that reads and one that has stopped reading while the agent said several megabytes. */
async function stall(bench: Bench) {
  const talk = await openTalk(bench)
  const stalled = await attach(bench, talk.id)
  await stalled.next('session_ready')
  stalled.stream.pause()
  await flood(bench, async (text) => {
    const before = talk.stream.events.length
    const after = newest(talk.stream)
    await talk.say(text)
    await talk.next('result', after, PROMPT_MS * 2)
    return talk.stream.events.slice(before).reduce((sum, seen) => sum + seen.raw.length, 0)
  })
  return { talk, stalled }
}

/** Reads on; gives what was told up to the last event, or up to the end of the stream if the server gives the reader up. */
async function readOn(stalled: Talk, last: SseEvent): Promise<readonly SseEvent[]> {
  // By then nothing happens any more that would wake a server that sleeps.
  await settle(500)
  stalled.stream.resume()
  const startedAt = performance.now()
  const isOver = () => stalled.stream.ended || stalled.stream.events.some((seen) => seen.id === last.id)
  while (!isOver() && performance.now() - startedAt < PROMPT_MS) await settle(20)
  return stalled.stream.events.filter((seen) => seen.id !== undefined)
}

/** Fails unless what a subscriber was told is what another one was told first. */
function assertBeginning(heard: readonly SseEvent[], whole: readonly SseEvent[]): void {
  const gap = heard.findIndex((seen, at) => seen.id !== whole[at]?.id)
  const before = whole[gap - 1]?.id ?? 'nothing'
  assert.equal(gap, -1, `after ${before} comes ${heard[gap]?.id} instead of ${whole[gap]?.id}, and nothing says so`)
}

check(
  'agent-webkit:stream:stalled',
  async (bench) => {
    const other = await openTalk(bench)
    const { talk, stalled } = await stall(bench)
    const before = newest(other.stream)
    await other.say(bench.profile.phrase('hello'))
    await other.next('result', before, PROMPT_MS * 2)
    const last = talk.stream.events.at(-1)!
    const heard = await readOn(stalled, last)
    assertBeginning(heard, talk.stream.events)
    if (heard.at(-1)?.id === last.id) return
    assert.ok(
      stalled.stream.ended,
      `${PROMPT_MS} ms after it reads on, nothing follows #${heard.at(-1)?.id} of #${last.id}`,
    )
    // A server may end the stream of a reader it has waited for; what it held is there for whoever comes back.
    const again = await attach(bench, talk.id, numberOf(heard.at(-1)!))
    if (again.stream.status === 412) return
    await again.stream.until('the last event', (seen) => seen.id === last.id, PROMPT_MS)
    assertBeginning([...heard, ...again.stream.events], talk.stream.events)
  },
  { timeoutMs: 60_000, lane: 'dangerous' },
)

check(
  'agent-webkit:stream:slow',
  async (bench) => {
    const { talk, stalled } = await stall(bench)
    await overflow(bench, talk)
    const last = talk.stream.events.at(-1)!
    const heard = await readOn(stalled, last)
    assertBeginning(heard, talk.stream.events)
    assert.ok(stalled.stream.ended || heard.at(-1)?.id === last.id, 'it is neither told all nor ended')
  },
  { timeoutMs: 60_000, lane: 'dangerous' },
)

/** Milliseconds of short turns, and how many there are at least. */
const TURNS_MS = 4000
const MIN_TURNS = 3
const MAX_TURNS = 40

check(
  'agent-webkit:stream:wakeups',
  async (bench) => {
    const talk = await openTalk(bench)
    const others = [await attach(bench, talk.id), await attach(bench, talk.id)]
    const startedAt = performance.now()
    const hello = bench.profile.phrase('hello')
    const hasTime = () => performance.now() - startedAt < TURNS_MS
    for (let turns = 0; turns < MIN_TURNS || (turns < MAX_TURNS && hasTime()); turns++) {
      const before = newest(talk.stream)
      // The second turn begins while the first one is being sent.
      await talk.say(hello)
      await settle(bench.random.int(0, 4))
      await talk.say(hello)
      const first = await talk.next('result', before, PROMPT_MS)
      const second = await talk.next('result', first, PROMPT_MS)
      for (const { stream } of others)
        await stream.until(`the result #${second.id}`, (seen) => seen.id === second.id, PROMPT_MS)
    }
    for (const { stream } of others) assert.deepEqual(told(stream.events), told(talk.stream.events))
  },
  { timeoutMs: 60_000 },
)
