import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import {
  ENDPOINT_BEHAVIOURS,
  type EndpointBehaviour,
  TEST_TIMEOUTS,
} from '../../../test/support/agent/endpoint-behaviours.ts'
import { finishChunk, startModelEndpoint, textChunks } from '../../../test/support/agent/model-endpoint.ts'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { createAgent } from '../engine.ts'
import type { AgentEvent } from '../events.ts'
import type { Toolbox } from '../toolbox.ts'
import { endpointModel } from './model-client.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const BACK = [...textChunks('Back.'), finishChunk('stop')]

/** A manual clock that records its sleeps. */
function watchedClock() {
  const clock = manualClock()
  const slept: number[] = []
  const sleep: typeof clock.sleep = (ms, signal) => {
    slept.push(ms)
    return clock.sleep(ms, signal)
  }
  return { clock: { ...clock, now: clock.now, sleep }, slept }
}

/** One test per behaviour of a group. */
function testBehaviours(behaviours: Readonly<Record<string, EndpointBehaviour>>): void {
  it.each(Object.entries(behaviours))('%s', async (_name, behaviour) => {
    const { reply, times = Number.POSITIVE_INFINITY, fails, message, text = '', calls = [], waits = [] } = behaviour
    let requests = 0
    const server = await startModelEndpoint((response) => {
      requests += 1
      if (requests <= times) return reply(response)
      for (const one of BACK) response.write(`data: ${JSON.stringify(one)}\n\n`)
      response.end()
    })
    closers.push(server.close)
    const { clock, slept } = watchedClock()
    const executed: unknown[] = []
    const bugs: unknown[] = []
    const toolbox: Toolbox = {
      list: () => [{ name: 'look', description: '', input: { type: 'object' } }],
      call: async (_name, args) => {
        executed.push(args)
        return { ok: true, result: 'seen' }
      },
    }
    const model = endpointModel({ baseUrl: server.baseUrl, key: 'k', model: 'm', clock, timeouts: TEST_TIMEOUTS })
    const agent = createAgent({ model, clock, onBug: (bug) => bugs.push(bug) })
    const session = agent.open({ toolbox })
    const events: AgentEvent[] = []
    session.listen((event) => events.push(event))
    const run = session.send({ text: 'go' })
    for (const ms of waits) {
      while (!slept.includes(ms)) await turn()
      await clock.advance(ms)
    }
    const end = await run.ended
    expect(bugs).toEqual([])
    expect(executed).toEqual(calls)
    expect(events.filter((event) => event.type === 'error')).toMatchObject(fails === undefined ? [] : [{ code: fails }])
    expect(end.outcome).toBe(fails === undefined ? 'finished' : 'failed')
    if (fails !== 'model_too_large') expect(end.text).toBe(text)
    if (message) expect(end.failure).toMatch(message)
    expect(end.failure ?? '').not.toContain('secret')
  })
}

describe('[AG74] [AG71] [AG77] reads a response that is', () => testBehaviours(ENDPOINT_BEHAVIOURS.complete))
describe('[AG64] executes or refuses', () => testBehaviours(ENDPOINT_BEHAVIOURS.calls))
describe('[AG65] keeps apart', () => testBehaviours(ENDPOINT_BEHAVIOURS.separateCalls))
describe('[AG69] [AG70] [AG72] fails without quoting the endpoint after', () =>
  testBehaviours(ENDPOINT_BEHAVIOURS.unusable))
describe('[AG73] ends', () => testBehaviours(ENDPOINT_BEHAVIOURS.tooLarge))
describe('[AG76] [AG79] [AG77] [AG78] retries, then names the reason of', () =>
  testBehaviours(ENDPOINT_BEHAVIOURS.statuses))
describe('[AG75] times out on an endpoint that', () => testBehaviours(ENDPOINT_BEHAVIOURS.timeouts))
