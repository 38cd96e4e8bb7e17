import type { ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import {
  type EndpointReply,
  finishChunk,
  reasoningChunk,
  startModelEndpoint,
  textChunks,
  toolCallChunks,
  usageChunk,
} from '../../../test/support/agent/model-endpoint.ts'
import { virtualClock } from '../../base/clock.ts'
import { type AgentSessionOptions, createAgent } from '../engine.ts'
import type { AgentEvent } from '../events.ts'
import { DEFAULT_PROFILE } from '../profiles.ts'
import type { Toolbox } from '../toolbox.ts'
import { endpointModel } from './model-client.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const toolbox: Toolbox = {
  list: () => [{ name: 'look', description: 'Look around.', input: { type: 'object' } }],
  call: async (_name, args) => ({ ok: true, result: { seen: args } }),
}

async function open(replies: readonly EndpointReply[], options: AgentSessionOptions = {}) {
  const server = await startModelEndpoint(...replies)
  closers.push(server.close)
  const model = endpointModel({ baseUrl: server.baseUrl, key: 'k', model: 'm', maxTurns: 3, retries: 1 })
  const session = createAgent({ model, profiles: [{ ...DEFAULT_PROFILE, system_prompt: 'Be brief.' }] }).open({
    toolbox,
    ...options,
  })
  const events: AgentEvent[] = []
  session.listen((event) => events.push(event))
  return { session, events, requests: server.requests }
}

it('streams thoughts and text, and counts the reported usage', async () => {
  const { session, events, requests } = await open([
    [reasoningChunk('Hm.'), ...textChunks('Hel', 'lo'), usageChunk(12, 3)],
  ])
  const end = await session.send({ text: 'hi', images: [{ mimeType: 'image/png', base64: 'aGk=' }] }).ended
  expect(end).toMatchObject({ outcome: 'finished', text: 'Hello', usage: { inputTokens: 12, outputTokens: 3 } })
  expect(events.map((event) => event.type)).toEqual([
    'run_started',
    'message_start',
    'thinking_delta',
    'text_delta',
    'text_delta',
    'usage',
    'message_end',
    'run_ended',
  ])
  expect(requests[0]).toMatchObject({
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
    ],
    tools: [
      { function: { name: 'look' } },
      { function: { name: 'ask_user' } },
      { function: { name: 'spawn_agent' } },
      { function: { name: 'switch_profile' } },
    ],
  })
})

it('[AG91] sends the source of an SVG image, and a note for each unsupported file', async () => {
  const { session, requests } = await open([textChunks('ok')])
  const svg = { mimeType: 'image/svg+xml', base64: Buffer.from('<svg/>').toString('base64') }
  const png = { mimeType: 'image/png', base64: 'aGk=' }
  await session.send({ text: 'look', images: [svg, png, { mimeType: 'image/heic', base64: 'aGk=' }] }).ended
  const [, { content }] = requests[0]!.messages as [unknown, { readonly content: readonly { readonly text: string }[] }]
  expect(content.map((part) => part.text ?? part)).toEqual([
    'look\n[Attached file without a name (image/svg+xml, 6 bytes)]\n<svg/>\n' +
      '[Attached file without a name (image/heic, 2 bytes): its contents cannot be shown]',
    { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
  ])
})

it('[AG81] counts the last of several usage reports', async () => {
  const { session, events } = await open([
    [...textChunks('a'), usageChunk(12, 1), ...textChunks('b'), usageChunk(12, 2), usageChunk(12, 3)],
  ])
  expect((await session.send({ text: 'hi' }).ended).usage).toMatchObject({ inputTokens: 12, outputTokens: 3 })
  expect(events.filter((event) => event.type === 'usage')).toHaveLength(1)
})

it('[AG41] sends less of a conversation when the tools take more of the window', async () => {
  const sent = async (description: string) => {
    const tools: Toolbox = { ...toolbox, list: () => [{ name: 'look', description, input: {} }] }
    const { session, requests } = await open([textChunks('ok')], { toolbox: tools, history: { messages: past } })
    await session.send({ text: 'go' }).ended
    return JSON.stringify(requests[0]!.messages).length
  }
  const past = Array.from({ length: 100 }, () => ({ role: 'user' as const, text: 'x'.repeat(1000), atMs: 0 }))
  expect(await sent('x'.repeat(160_000))).toBeLessThan((await sent('x')) * 0.6)
})

it('[AG38] does not offer questions if the client cannot be asked', async () => {
  const { session, requests } = await open([textChunks('Hello')], { capabilities: { questions: 'skip' } })
  await session.send({ text: 'hi' }).ended
  const { tools } = requests[0] as { readonly tools: readonly { readonly function: { readonly name: string } }[] }
  expect(tools.map((tool) => tool.function.name)).toEqual(['look', 'spawn_agent', 'switch_profile'])
})

it('[AG13] limits the requests of one run, and reports the limit in the answer', async () => {
  const { session, requests } = await open([toolCallChunks(0, 'a', 'look', '{}')])
  const text = '(Stopped after 3 rounds of tool calls without an answer.)'
  expect(await session.send({ text: 'go' }).ended).toMatchObject({ outcome: 'finished', text })
  expect(requests).toHaveLength(3)
})

it('[AG64] executes tools and continues with their results, and refuses malformed calls', async () => {
  const { session, events, requests } = await open([
    [
      ...textChunks('Looking.'),
      ...toolCallChunks(0, 'a', 'look', '{"at":', '"left"}'),
      ...toolCallChunks(1, 'b', 'look', 'not json'),
    ],
    textChunks('Done.'),
  ])
  expect((await session.send({ text: 'go' }).ended).text).toBe('Done.')
  const results = events.filter((event) => event.type === 'tool_result')
  expect(results.map(({ args, ok }) => [args, ok])).toEqual([
    [{ at: 'left' }, true],
    [{}, false],
  ])
  expect(requests[1]!.messages).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [{ id: 'a', function: { arguments: '{"at":"left"}' } }, { id: 'b' }],
    },
    { role: 'tool', tool_call_id: 'a', content: '{"seen":{"at":"left"}}' },
    {
      role: 'tool',
      tool_call_id: 'b',
      content: expect.stringMatching(/^The arguments are not a whole JSON object, so nothing was done: "not json"/),
    },
  ])
})

it('[AG21] sends the images of tools after the results of all calls, in this run and later ones', async () => {
  const shot = { mimeType: 'image/png', base64: 'aGk=' }
  const toolbox: Toolbox = {
    list: () => [{ name: 'look', description: '', input: { type: 'object' } }],
    call: async () => ({ ok: true, result: { data: 'aGk=' }, text: 'a form', images: [shot] }),
  }
  const { session, requests, events } = await open(
    [[...toolCallChunks(0, 'a', 'look', '{}'), ...toolCallChunks(1, 'b', 'look', '{}')], textChunks('Done.')],
    { toolbox },
  )
  await session.send({ text: 'go' }).ended
  await session.send({ text: 'and now?' }).ended
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }
  const pictures = { role: 'user', content: [{ type: 'text', text: 'What the tools show:' }, image, image] }
  const first = requests[1]!.messages as unknown[]
  expect(first.slice(-3)).toMatchObject([
    { role: 'tool', tool_call_id: 'a', content: 'a form' },
    { role: 'tool', tool_call_id: 'b', content: 'a form' },
    pictures,
  ])
  const second = requests[2]!.messages as { role: string }[]
  expect(second.map(({ role }) => role).slice(-6)).toEqual(['assistant', 'tool', 'tool', 'user', 'assistant', 'user'])
  expect(second.at(-3)).toEqual(pictures)
  expect(events.filter((event) => event.type === 'tool_result').map(({ output }) => output)).toEqual([
    { data: 'aGk=' },
    { data: 'aGk=' },
  ])
})

it('[AG23] sends earlier messages and images, with a result for every call', async () => {
  const { session, requests } = await open([textChunks('Fine.')], {
    history: {
      messages: [
        { role: 'user', text: 'covered', atMs: 0 },
        { role: 'user', text: 'before', modelText: 'before, with files', atMs: 0 },
        { role: 'user', text: 'see', images: [{ mimeType: 'image/png', base64: 'aGk=' }], atMs: 0 },
        { role: 'assistant', text: '', calls: [{ id: 'x', tool: 'look', args: {} }], atMs: 0 },
      ],
      summary: { text: 'Summary.', covers: 1, atMs: 0 },
    },
  })
  await session.send({ text: 'now' }).ended
  expect(requests[0]!.messages).toEqual([
    { role: 'system', content: 'Be brief.\n\nSummary.' },
    { role: 'user', content: 'before, with files' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'x', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'x', content: '' },
    { role: 'user', content: 'now' },
  ])
})

it('[AG23] sends a result without a call as a message', async () => {
  const { session, requests } = await open([textChunks('Fine.')], {
    history: {
      messages: [
        { role: 'assistant', text: 'I look.', calls: [], atMs: 0 },
        { role: 'tool', callId: 'x', tool: 'look', ok: true, text: 'a tree', atMs: 0 },
      ],
    },
  })
  await session.send({ text: 'now' }).ended
  expect(requests[0]!.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: 'I look.' },
    { role: 'user', content: 'look: a tree' },
    { role: 'user', content: 'now' },
  ])
})

it('[AG76] retries when the endpoint is busy, and fails without quoting it', async () => {
  const again = await open([503, textChunks('Back.')])
  expect((await again.session.send({ text: 'go' }).ended).text).toBe('Back.')
  const refused = await open([401])
  const end = await refused.session.send({ text: 'go' }).ended
  expect(end).toMatchObject({
    outcome: 'failed',
    failure: "the model's endpoint does not accept the key: it answered 401",
  })
})

it('runs a nested agent through the same endpoint', async () => {
  const { session, events, requests } = await open([
    toolCallChunks(0, 'a', 'spawn_agent', '{"task":"count"}'),
    textChunks('Three.'),
    textChunks('It says three.'),
  ])
  expect((await session.send({ text: 'go' }).ended).text).toBe('It says three.')
  expect(requests[1]).toMatchObject({ messages: [{}, { role: 'user', content: 'count' }] })
  expect(events.find((event) => event.type === 'tool_result')).toMatchObject({ text: 'Three.', subagent: false })
})

it('[AG80] sends the key if there is one, and otherwise no authorization', async () => {
  const server = await startModelEndpoint([...textChunks('Hi.'), finishChunk('stop')])
  closers.push(server.close)
  for (const key of ['k', undefined]) {
    const model = endpointModel({ baseUrl: server.baseUrl, model: 'm', ...(key !== undefined && { key }) })
    await createAgent({ model }).open().send({ text: 'hi' }).ended
  }
  expect(server.headers.map(({ authorization }) => authorization)).toEqual(['Bearer k', undefined])
})

it('[AG79] names an endpoint that cannot be reached', async () => {
  const server = await startModelEndpoint(textChunks('Hi.'))
  server.close()
  const model = endpointModel({ baseUrl: server.baseUrl, model: 'm', clock: virtualClock() })
  const end = await createAgent({ model }).open().send({ text: 'hi' }).ended
  expect(end).toMatchObject({ outcome: 'failed', failure: "the model's endpoint cannot be reached" })
})

it('[AG41] [AG46] fits into the window of the profile after any number of tool calls', async () => {
  const tree: Toolbox = {
    list: () => [{ name: 'look', description: '', input: { type: 'object' } }],
    call: async () => ({ ok: true, result: 'node '.repeat(4000) }),
  }
  const server = await startModelEndpoint(
    ...Array.from({ length: 24 }, (_, at) => toolCallChunks(0, `c${at}`, 'look', '{}')),
    textChunks('Done.'),
  )
  closers.push(server.close)
  const model = endpointModel({ baseUrl: server.baseUrl, model: 'm' })
  const session = createAgent({ model, profiles: [{ ...DEFAULT_PROFILE, max_context_tokens: 1000 }] }).open({
    toolbox: tree,
  })
  const end = await session.send({ text: 'The task.' }).ended
  expect(end).toMatchObject({ outcome: 'finished', text: 'Done.', contextTokens: 1000, maxContextTokens: 1000 })
  expect(server.requests).toHaveLength(25)
  for (const { messages } of server.requests) {
    expect(JSON.stringify(messages).length).toBeLessThan(6000)
    expect(messages).toContainEqual({ role: 'user', content: 'The task.' })
  }
})

it('[AG45] retries once with half of the context if it is too long for the model', async () => {
  const tooLong = (response: ServerResponse) =>
    response.writeHead(400).end('{"error":{"message":"This model has a maximum context length of 8192 tokens."}}')
  const messages = Array.from({ length: 200 }, (_, at) => ({
    role: 'user' as const,
    text: `Fact ${at}. `.repeat(9),
    atMs: 0,
  }))
  const { session, requests } = await open([tooLong, textChunks('Fine.')], { history: { messages } })
  expect((await session.send({ text: 'now' }).ended).text).toBe('Fine.')
  const [first, second] = requests.map((request) => JSON.stringify(request.messages).length)
  expect(second! / first!).toBeLessThan(0.7)
  expect(requests[1]!.messages).toContainEqual({ role: 'user', content: 'now' })
})
