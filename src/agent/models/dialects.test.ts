import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { VENDORS } from '../../../test/support/agent/vendors/index.ts'
import { startVendor, type Vendor, type VendorReply } from '../../../test/support/agent/vendors/vendor.ts'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { type AgentSessionOptions, createAgent } from '../engine.ts'
import type { AgentEvent } from '../events.ts'
import type { ChatMessage } from '../history/history.ts'
import { DEFAULT_PROFILE } from '../profiles.ts'
import type { Toolbox } from '../toolbox.ts'
import { anthropicDialect } from './dialects/anthropic.ts'
import { endpointModel } from './model-client.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const png = { mimeType: 'image/png', base64: 'aGk=' }
const toolbox: Toolbox = {
  list: () => [{ name: 'look', description: 'Look around.', input: { type: 'object' } }],
  call: async (_name, args) => ({ ok: args.at !== 'nowhere', result: args, text: 'a form', images: [png] }),
}

async function open(vendor: Vendor, replies: readonly VendorReply[], options: AgentSessionOptions = {}) {
  const server = await startVendor(vendor, ...replies)
  closers.push(server.close)
  const manual = manualClock()
  const slept: number[] = []
  const sleep: typeof manual.sleep = (ms, signal) => {
    slept.push(ms)
    return manual.sleep(ms, signal)
  }
  const clock = { ...manual, now: manual.now, sleep }
  const { dialect } = vendor
  const model = endpointModel({ dialect, baseUrl: server.baseUrl, key: 'k', model: 'm-1.0', clock, retries: 1 })
  const profiles = [{ ...DEFAULT_PROFILE, system_prompt: 'Be brief.' }]
  const session = createAgent({ model, profiles, clock }).open({ toolbox, ...options })
  const events: AgentEvent[] = []
  session.listen((event) => events.push(event))
  return { session, events, clock, slept, ...server }
}

const textsOf = (events: readonly AgentEvent[], type: 'text_delta' | 'thinking_delta') =>
  events.map((event) => (event.type === type ? event.text : '')).join('')

describe.each(VENDORS.map((vendor) => [vendor.dialect.name, vendor] as const))('in the dialect %s', (_name, vendor) => {
  it('[AG82] streams thoughts and text, and counts the reported usage', async () => {
    const { session, events, problems, requests } = await open(vendor, [{ think: 'Hm.', say: 'Hello', usage: [12, 3] }])
    const end = await session.send({ text: 'hi', images: [png] }).ended
    expect(end).toMatchObject({ outcome: 'finished', text: 'Hello', usage: { inputTokens: 12, outputTokens: 3 } })
    expect(textsOf(events, 'thinking_delta')).toBe('Hm.')
    expect(textsOf(events, 'text_delta')).toBe('Hello')
    expect(problems).toEqual([])
    expect(JSON.stringify(requests[0]!.body)).toContain('aGk=')
    expect(JSON.stringify(requests[0]!.body)).toContain('Be brief.')
  })

  it('[AG83] [AG84] sends the result of every call, with its image, and the thinking that led to it', async () => {
    const { session, events, problems, requests } = await open(vendor, [
      { think: 'Hm.', say: 'Looking.', calls: [{ name: 'look', args: { at: 'left' } }, { name: 'look' }] },
      { calls: [{ name: 'look', args: { at: 'nowhere' } }] },
      { say: 'Done.' },
    ])
    expect((await session.send({ text: 'go' }).ended).text).toBe('Done.')
    expect(problems).toEqual([])
    const results = events.filter((event) => event.type === 'tool_result')
    expect(results.map(({ args, ok }) => [args, ok])).toEqual([
      [{ at: 'left' }, true],
      [{}, true],
      [{ at: 'nowhere' }, false],
    ])
    expect(requests).toHaveLength(3)
    expect(JSON.stringify(requests[2]!.body).split('aGk=')).toHaveLength(4)
  })

  it('[AG83] [AG23] accepts every history: calls without results, results without calls, neighbours of one role', async () => {
    const messages: readonly ChatMessage[] = [
      { role: 'assistant', text: '', calls: [], atMs: 0 },
      { role: 'assistant', text: 'I look.', calls: [], atMs: 0 },
      { role: 'tool', callId: 'x', tool: 'look', ok: true, text: 'a tree', atMs: 0 },
      { role: 'user', text: 'one', atMs: 0 },
      { role: 'user', text: 'two', images: [png, { mimeType: 'image/heic', base64: 'aGk=' }], atMs: 0 },
    ]
    const { session, problems, requests } = await open(vendor, [{ say: 'Fine.' }], { history: { messages } })
    await session.send({ text: 'now' }).ended
    expect(problems.filter((problem) => !/is empty|role of the one before|not of the user/.test(problem))).toEqual([])
    if (vendor.dialect.name !== 'openai') expect(problems).toEqual([])
    for (const text of ['I look.', 'look: a tree', 'one', 'two', 'image/heic', 'now'])
      expect(JSON.stringify(requests[0]!.body)).toContain(text)
  })

  it('[AG64] refuses a call with malformed arguments, or fails where the endpoint could not read it', async () => {
    const { session, events, problems } = await open(vendor, ['malformed call', { say: 'Sorry.' }])
    const end = await session.send({ text: 'go' }).ended
    expect(events.filter((event) => event.type === 'tool_result' && event.ok)).toEqual([])
    expect(problems).toEqual([])
    if (vendor.dialect.name === 'gemini') expect(end.failure).toMatch(/could not read/)
    else expect(end.text).toBe('Sorry.')
  })

  describe('[AG86] [AG69] names the reason of a failure', () => {
    it.each([
      ['refusal', /the model refused: (?:I cannot do that\.|the prompt was blocked \(PROHIBITED_CONTENT\))$/],
      ['too long', /length limit/],
      ['cut in the middle', /ended before it was finished/],
      ['error event', /it reported an error/],
      ['not JSON', /not JSON/],
      ['empty', /is empty/],
      ['nothing', /nothing was sent/],
      ['unauthorized', /does not accept the key/],
      ['context too long', /longer than the model's context/],
    ] as const)('%s', async (mishap, message) => {
      const { session } = await open(vendor, [mishap])
      const end = await session.send({ text: 'go' }).ended
      expect(end.outcome).toBe('failed')
      expect(end.failure).toMatch(message)
      expect(end.failure).not.toContain('secret')
    })
  })

  describe('[AG76] [AG87] asks again after a pause', () => {
    it.each([
      ['busy for 7 s', 7000],
      ['busy', vendor.dialect.name === 'gemini' ? 7000 : 500],
      ['overloaded', 500],
    ] as const)('%s', async (mishap, ms) => {
      const { session, clock, slept, requests } = await open(vendor, [mishap, { say: 'Back.' }])
      const run = session.send({ text: 'go' })
      while (!slept.includes(ms)) await turn()
      expect(requests).toHaveLength(1)
      await clock.advance(ms)
      expect((await run.ended).text).toBe('Back.')
    })
  })
})

it('[AG85] sends a paused answer back and continues', async () => {
  const answer = (stop_reason: string, text: string) => ({
    type: 'message',
    content: [{ type: 'text', text }],
    stop_reason,
    usage: { input_tokens: 1, output_tokens: 1 },
  })
  const [vendor] = VENDORS.filter(({ dialect }) => dialect === anthropicDialect)
  const paused: Vendor = {
    ...vendor!,
    events: ({ say = '' }, number) => [answer(number === 1 ? 'pause_turn' : 'end_turn', say)],
  }
  const { session, requests } = await open(paused, [{ say: 'Half and ' }, { say: 'whole.' }])
  expect((await session.send({ text: 'go' }).ended).text).toBe('Half and whole.')
  expect(requests[1]!.body.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'text', text: 'Half and ' }] },
  ])
})
