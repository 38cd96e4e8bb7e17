import { describe, expect, it } from 'vitest'
import { VENDORS } from '../../test/support/agent/vendors/index.ts'
import type { VendorAnswer, VendorReply, VendorRequest } from '../../test/support/agent/vendors/vendor.ts'
import { SOLUTIONS } from '../../test/support/reference-agent/solutions.ts'
import { solve } from '../../test/support/reference-agent/solve.ts'
import type { AgentDesktop } from './desktop.ts'
import { formatAgentEvent } from './report.ts'

const [openAi] = VENDORS

const picturesIn = ({ body }: VendorRequest) => JSON.stringify(body).split('iVBORw0KGgo').length - 1
const count = (request: VendorRequest, text: string) => JSON.stringify(request.body).split(text).length - 1
const calling = (name: string, args: Record<string, unknown> = {}): VendorAnswer => ({ calls: [{ name, args }] })
const INFEASIBLE = calling('finish', { status: 'infeasible', text: 'no such button' })

describe.each(VENDORS.map((vendor) => [vendor.dialect.name, vendor] as const))('with %s', (_name, vendor) => {
  it('[RA1] [RA16] [RA14] solves a scenario through everything that an endpoint does', async () => {
    const [first, second, third, fourth, last] = SOLUTIONS.calendar
    const replies: readonly VendorReply[] = [
      'busy for 7 s',
      { ...first, think: 'A new event.' },
      'cut in the middle',
      'error event',
      second,
      'malformed call',
      'not JSON',
      third,
      'overloaded',
      'empty',
      'too long',
      fourth,
      'busy',
      last,
    ]
    const { result, reward, problems, pausedMs, requests } = await solve(vendor, 'calendar', replies, {
      observe: 'tree',
    })
    expect(result).toMatchObject({ outcome: 'done', text: '' })
    expect(reward).toBe(1)
    expect(problems).toEqual([])
    expect(requests).toHaveLength(replies.length)
    expect(pausedMs).toBeGreaterThan(7000)
  })
})

it('[RA2] skips the calls after one that fails, and reports them to the model', async () => {
  const replies = [
    {
      calls: [
        { name: 'click_element', args: { selector: 'Button "Nowhere"' } },
        { name: 'type_text', args: { text: 'lost' } },
      ],
    },
    INFEASIBLE,
  ]
  const { events, requests, problems } = await solve(openAi!, 'login', replies, { observe: 'tree' })
  expect(problems).toEqual([])
  expect(events.flatMap((event) => (event.type === 'call' ? event.tool : []))).toEqual(['click_element', 'finish'])
  expect(count(requests[1]!, 'Not executed, because a call before it failed.')).toBe(1)
  expect(count(requests[1]!, 'Nowhere')).toBeGreaterThan(1)
})

it('[RA3] ends as infeasible with the reason of the model, and tells the desktop', async () => {
  const { result, session } = await solve(openAi!, 'login', [INFEASIBLE], { observe: 'tree' })
  expect(result).toMatchObject({ outcome: 'infeasible', text: 'no such button', steps: 1 })
  expect(session.context.episode.finish).toEqual({ status: 'infeasible', text: 'no such button' })
})

it('[RA4] offers tools and observations that fit each other', async () => {
  const seen = async (observe: 'screenshot' | 'tree') => {
    const { requests } = await solve(openAi!, 'login', [INFEASIBLE], { observe })
    const tools = (requests[0]!.body.tools as { function: { name: string } }[]).map((tool) => tool.function.name)
    return { tools, pictures: picturesIn(requests[0]!), trees: count(requests[0]!, 'Windows, the front one first') }
  }
  const pixels = await seen('screenshot')
  expect(pixels).toMatchObject({ pictures: 1, trees: 0 })
  expect(pixels.tools).toContain('mouse_click')
  expect(pixels.tools).not.toContain('click_element')
  const tree = await seen('tree')
  expect(tree).toMatchObject({ pictures: 0, trees: 1 })
  expect(tree.tools).toContain('click_element')
  expect(tree.tools).not.toContain('mouse_click')
})

it('[RA5] refuses a point outside of the picture', async () => {
  const replies = [calling('mouse_click', { x: 9000, y: 10 }), INFEASIBLE]
  const { events, requests } = await solve(openAi!, 'login', replies, { observe: 'screenshot' })
  expect(events).toContainEqual(expect.objectContaining({ type: 'result', ok: false }))
  expect(count(requests[1]!, 'x 9000 is outside of the picture')).toBe(1)
})

it('[RA8] sends the newest screenshots and the newest tree only', async () => {
  const move = (x: number) => calling('move_pointer', { x, y: 300 })
  const { requests } = await solve(openAi!, 'login', [move(200), move(300), move(400), move(500), INFEASIBLE])
  expect(requests.map(picturesIn)).toEqual([1, 2, 2, 2, 2])
  expect(requests.map((request) => count(request, 'Windows, the front one first'))).toEqual([1, 1, 1, 1, 1])
  expect(count(requests[4]!, 'is not shown any more')).toBe(3)
})

it('[RA10] [RA11] ends when steps or tokens are used up', async () => {
  const looking = [calling('press_keys', { keys: 'tab' })]
  const steps = await solve(openAi!, 'login', looking, { observe: 'tree', maxSteps: 3 })
  expect(steps.result).toMatchObject({ outcome: 'out_of_steps', steps: 3 })
  expect(steps.requests).toHaveLength(3)
  const tokens = await solve(openAi!, 'login', [{ ...looking[0]!, usage: [400, 100] }], {
    observe: 'tree',
    maxTokens: 900,
  })
  expect(tokens.result).toMatchObject({ outcome: 'out_of_tokens', inputTokens: 800, outputTokens: 200 })
  const cut = await solve(openAi!, 'login', ['nothing'], { observe: 'tree' })
  expect(cut.result.inputTokens).toBeGreaterThan(100)
})

it('[RA11] estimates the tokens of an endpoint that reports zeros, with those of the calls', async () => {
  const long = calling('type_text', { text: 'x'.repeat(4000) })
  const run = await solve(openAi!, 'login', [{ ...long, usage: [0, 0] }], { observe: 'tree', maxSteps: 1 })
  expect(run.result.inputTokens).toBeGreaterThan(1000)
  expect(run.result.outputTokens).toBeGreaterThan(1000)
})

it('[RA9] keeps the task in every request, however small the window', async () => {
  const replies = [{ say: 'I would log in. '.repeat(200) }, { say: 'Or not. '.repeat(200) }, INFEASIBLE]
  const { requests } = await solve(openAi!, 'login', replies, {
    observe: 'tree',
    task: 'Feed the cat.',
    maxContextTokens: 1500,
  })
  expect(requests.map((request) => count(request, 'Feed the cat.') > 0)).toEqual([true, true, true])
  expect((requests[2]!.body.messages as unknown[])[0]).toMatchObject({ content: expect.stringContaining('cat') })
})

it('[RA22] ends as failed when the desktop is lost', async () => {
  const desktop: AgentDesktop = {
    call: async () => ({ ok: false, body: { error: { message: 'the desktop cannot be reached' } }, isLost: true }),
  }
  const { result, requests } = await solve(openAi!, 'login', [INFEASIBLE], { desktop })
  expect(result).toMatchObject({ outcome: 'failed', text: 'the desktop cannot be reached', steps: 0 })
  expect(requests).toEqual([])
})

it('[RA12] [RA15] tells the model about unknown tools, and ends after three', async () => {
  const { result, requests, problems } = await solve(openAi!, 'login', [calling('open_door')], { observe: 'tree' })
  expect(result).toMatchObject({ outcome: 'failed', steps: 3 })
  expect(count(requests[1]!, 'There is no tool open_door. Use click_element')).toBe(1)
  expect(problems).toEqual([])
})

it('[RA13] reminds a model that calls no tool', async () => {
  const { result, requests } = await solve(openAi!, 'login', [{ say: 'I would log in.' }, INFEASIBLE], {
    observe: 'tree',
  })
  expect(result.outcome).toBe('infeasible')
  expect(count(requests[1]!, 'You called no tool.')).toBe(1)
})

describe('[RA15] [RA16] ends a run after', () => {
  it.each([
    ['empty', 'failed', 3],
    ['not JSON', 'unavailable', 3],
    ['malformed call', 'failed', 3],
    ['refusal', 'refused', 1],
    ['unauthorized', 'unavailable', 1],
    // With the two retries of each request.
    ['busy', 'unavailable', 3],
  ] as const)('%s', async (mishap, outcome, requests) => {
    const run = await solve(openAi!, 'login', [mishap], { observe: 'tree' })
    expect(run.result.outcome).toBe(outcome)
    expect(run.requests).toHaveLength(requests)
    expect(run.result.text).not.toContain('secret')
  })
})

it('[RA17] tells the model that nothing changes, then ends as stuck', async () => {
  const { result, requests } = await solve(openAi!, 'login', [calling('wait', { duration_ms: 5 })], {
    observe: 'tree',
  })
  expect(result).toMatchObject({ outcome: 'stuck', steps: 8 })
  expect(count(requests[3]!, 'The screen has not changed for 3 steps')).toBe(1)
})

it('[RA1] stops when the caller does', async () => {
  const stop = new AbortController()
  const run = solve(openAi!, 'login', ['silent'], {
    observe: 'tree',
    signal: stop.signal,
    report: ({ type }) => type === 'task' && setTimeout(() => stop.abort(), 100),
  })
  expect((await run).result.outcome).toBe('stopped')
})

it('[RA18] formats each event as one line without control characters', () => {
  const lines = [
    formatAgentEvent({ type: 'task', text: 'Log\nin', model: 'm', dialect: 'openai' }),
    formatAgentEvent({ type: 'call', step: 2, tool: 'type_text', args: { text: 'a\u001b[2Jb' } }),
    formatAgentEvent({ type: 'result', step: 2, tool: 'type_text', ok: false, text: 'x'.repeat(999) }),
    formatAgentEvent({ type: 'usage', step: 2, inputTokens: 10, outputTokens: 5, totalTokens: 30, latencyMs: 4 }),
  ]
  expect(lines[0]).toBe('     task     Log in [m, openai]')
  expect(lines[1]).toMatch(/^ {2}2 {2}call {5}type_text /)
  expect(lines[2]).toHaveLength(315)
  expect(lines[3]).toBe('  2  tokens   10 in, 5 out, 30 in all')
  for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f]/)
})
