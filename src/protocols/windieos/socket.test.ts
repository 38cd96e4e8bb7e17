import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { cleanUp, onCleanup } from '../../../test/support/protocols/cleanup.ts'
import { connectWindieos, distinctTypes, startWindieos } from '../../../test/support/protocols/windieos.ts'
import type { ModelRequest } from '../../agent/models/model.ts'
import { fromPixels } from '../../paint/picture.ts'
import type { Outgoing } from './wire.ts'

// Facts such as [I-K01] are listed in facts.ts. The clients of these tests check every frame against the protocol.

afterEach(cleanUp)

/** A socket that sends one frame; the code it is closed with. */
function closeCode(url: string, frame: string | undefined, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers })
  onCleanup(() => socket.terminate())
  return new Promise((resolve) => {
    socket.on('open', () => frame !== undefined && socket.send(frame))
    socket.on('close', resolve)
  })
}

const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) })

const hello = (more: object = {}) => JSON.stringify({ type: 'handshake', user_id: 'u', ...more })

describe('the handshake', () => {
  it('[I-W01] [I-K01] [I-K08] [I-K09] [I-C00] is followed by the catalogue of server tools', async () => {
    const { client } = await startWindieos()
    const { received, next, sendMessage, reply } = await client()
    await next('remote-tool-catalog')
    await reply(sendMessage('list-models'))
    expect(received.map(({ type }) => type)).toEqual(['remote-tool-catalog', 'models-listed'])
    expect(received[0]).toEqual({
      id: expect.any(String),
      type: 'remote-tool-catalog',
      user_id: 'user-123',
      timestamp: expect.any(String),
      payload: {
        remote_tools: expect.arrayContaining([
          {
            name: 'web_search',
            description: 'Search the web.',
            enabled: true,
            available: true,
            reason_unavailable: null,
          },
        ]),
      },
    })
  })

  it.each([
    ['[I-K05] [I-K10] a client_tool_manifest beside the definition', hello({ client_tool_manifest: {} })],
    ['[I-K03] a definition of an unknown mode', hello({ agent_definition: { mode: 'windie_default' } })],
    ['[I-K03] a definition that is nested too deep', hello({ agent_definition: { metadata: nested(65) } })],
  ])('[I-X1008] closes with 1008 on %s', async (_what, frame) => {
    const { url } = await startWindieos()
    expect(await closeCode(url, frame)).toBe(1008)
  })

  it('[I-K02] [I-K04] needs a token where installations register, and closes with 1008 without', async () => {
    const { url, post, client } = await startWindieos({ auth: 'install' })
    expect(await closeCode(url, hello())).toBe(1008)
    expect(await closeCode(url, hello(), { authorization: 'Bearer wnd_install_wrong' })).toBe(1008)
    const [, install] = await post('/api/install/register')
    const { next } = await client({ token: String(install.install_token) })
    expect((await next('remote-tool-catalog')).user_id).toBe(install.user_id)
  })

  it('[I-K06] [I-A4] uses the user of the token, or the claimed user without a token', async () => {
    const { post, client } = await startWindieos()
    const [, install] = await post('/api/install/register', { operating_system: 'Linux' })
    const named = await client({ token: String(install.install_token), user: 'somebody-else' })
    const claimed = await client({ user: 'somebody' })
    expect([
      (await named.next('remote-tool-catalog')).user_id,
      (await claimed.next('remote-tool-catalog')).user_id,
    ]).toEqual([install.user_id, 'somebody'])
  })

  it('[I-K09] queues messages that follow immediately', async () => {
    const { url, post } = await startWindieos({ auth: 'install' })
    const [, install] = await post('/api/install/register')
    const { sendMessage, reply } = await connectWindieos(url, { token: String(install.install_token) })
    expect((await reply(sendMessage('update-settings', { interaction_mode: 'chat' }))).payload).toEqual({
      updated_keys: ['interaction_mode'],
    })
  })

  it('[I-A43] is refused when repeated, and the socket stays open', async () => {
    const { client } = await startWindieos()
    const { send, sendMessage, next, reply } = await client()
    send({ type: 'handshake', user_id: 'u' })
    expect((await next('error')).payload.message).toMatch(/the message does not fit/)
    expect((await reply(sendMessage('handshake', {}))).payload.message).toMatch(/no message of the type "handshake"/)
  })
})

describe('the envelope', () => {
  it('[I-A3] [I-A2] ignores fields that the server sets itself, and accepts ids that are not UUIDs', async () => {
    const { client } = await startWindieos()
    const { sendMessage, reply } = await client()
    const id = sendMessage('list-models', {}, { user_id: 'u', session_id: 's', timestamp: 5, turn_ref: null })
    expect((await reply(id)).type).toBe('models-listed')
  })

  it.each([
    ['[I-A3] another key', { id: 'm1', type: 'list-models', payload: {}, operating_system: 'Linux' }, 'm1'],
    ['[I-A42] an unknown type', { id: 'm2', type: 'dance', payload: {} }, 'm2'],
    ['[I-E14] a payload that does not fit', { id: 'm3', type: 'query', payload: { text: 5 } }, 'm3'],
    ['no payload', { id: 'm4', type: 'list-models' }, 'm4'],
  ])('[I-S06] is refused with %s under its id, and the socket stays', async (_what, message, id) => {
    const { client, logged } = await startWindieos()
    const { send, sendMessage, reply } = await client()
    send(message)
    const error = await reply(id)
    expect([error.type, Object.keys(error.payload), 'conversation_ref' in error]).toEqual(['error', ['message'], false])
    expect((await reply(sendMessage('list-models'))).type).toBe('models-listed')
    expect(logged).toHaveLength(1)
  })

  it('[I-E14] answers invalid JSON with an error under a new id', async () => {
    const { client, logged } = await startWindieos()
    const { send, next } = await client()
    send('{')
    expect((await next('error')).payload).toEqual({ message: 'the message is not valid JSON' })
    expect(logged).toEqual(['PARSE_VALIDATION_ERROR'])
  })

  it.each([
    [65, 'the message is nested too deep'],
    [30_000, 'the message is nested too deep'],
    [2_000_000, 'the JSON has more than 300000 values'],
  ])('[I-E14] nested %i levels deep is refused, and the socket stays', async (levels, message) => {
    const { client, server, logged } = await startWindieos()
    const { send, sendMessage, next, reply } = await client()
    const entry = `{"role":"user","content":${'['.repeat(levels)}${']'.repeat(levels)}}`
    send(`{"id":"d","type":"rehydrate-conversation","payload":{"conversation_ref":"c","messages":[${entry}]}}`)
    expect((await next('error')).payload).toEqual({ message })
    expect((await reply(sendMessage('list-models'))).type).toBe('models-listed')
    expect([logged, server.bugs]).toEqual([['PARSE_VALIDATION_ERROR'], []])
  })

  it('[I-L01] [I-E12] accepts 10 MB and refuses a byte more; the socket stays open', async () => {
    const { client, logged } = await startWindieos()
    const { send, sendMessage, next, reply } = await client()
    const sized = (bytes: number) => {
      const frame = (fill: string) => JSON.stringify({ id: 'big', type: 'list-models', payload: {}, timestamp: fill })
      return frame('x'.repeat(bytes - frame('').length))
    }
    send(sized(10 * 1024 * 1024))
    expect((await reply('big')).type).toBe('models-listed')
    send(sized(10 * 1024 * 1024 + 1))
    expect((await next('error')).payload).toEqual({ message: 'a message has at most 10485760 bytes' })
    expect((await reply(sendMessage('list-models'))).type).toBe('models-listed')
    expect(logged).toEqual(['INPUT_SIZE_LIMIT_ERROR'])
  })

  it('[I-L01] is parsed quickly when it is full of unclosed tags', async () => {
    const { client } = await startWindieos()
    const { query } = await client()
    const content = `think it over ${'<user_query><system_context>'.repeat(300_000)}`
    expect((await query('hello', { content })).at(-1)!.type).toBe('streaming-complete')
  })

  it('[I-L01] answers every message of a burst in order', async () => {
    const { client, server } = await startWindieos({ limits: { messageBytes: 100_000 } })
    const { send, sendMessage, reply, received } = await client()
    const timestamp = 'x'.repeat(90_000)
    const ids = Array.from({ length: 200 }, (_, index) => `m${index}`)
    for (const id of ids) send({ id, type: 'list-models', payload: {}, timestamp })
    await reply(sendMessage('list-models'))
    expect(
      received.filter(({ type, id }) => type === 'models-listed' && id.startsWith('m')).map(({ id }) => id),
    ).toEqual(ids)
    expect(server.bugs).toEqual([])
  })

  it('[I-L01] closes with 1009 on a frame of more than four times as much', async () => {
    const { client } = await startWindieos({ limits: { messageBytes: 1000 } })
    const { send, closed, next } = await client()
    send('x'.repeat(4000))
    expect((await next('error')).payload).toEqual({ message: 'a message has at most 1000 bytes' })
    send('x'.repeat(4001))
    expect(((await closed) as readonly unknown[])[0]).toBe(1009)
  })

  it.each([
    ['an id of 256 characters', 256, (id: string) => ({ id, type: 'list-models', payload: {} })],
    [
      'a conversation_ref of 512 characters',
      512,
      (conversation_ref: string) => ({ id: 'm', type: 'compact-history', payload: { conversation_ref } }),
    ],
  ])('accepts %s and refuses one more', async (_what, most, message) => {
    const { client } = await startWindieos()
    const { send, next, received } = await client()
    await next('remote-tool-catalog')
    send(message('x'.repeat(most)))
    send(message('x'.repeat(most + 1)))
    await next('error')
    expect(received.filter(({ type }) => type === 'error')).toHaveLength(1)
    expect(received.at(-1)!.type).toBe('error')
  })

  it('[I-L02] [I-X503] refuses the 51st query immediately, and accepts another when one has ended', async () => {
    const { client } = await startWindieos()
    const { sendMessage, reply, next } = await client()
    const ids = Array.from({ length: 50 }, (_, index) =>
      sendMessage('query', { text: 'answer slowly', conversation_ref: `c${index}` }),
    )
    const refused = sendMessage('query', { text: 'answer slowly', conversation_ref: 'c50' })
    expect((await reply(refused)).payload).toEqual({ message: 'Too many concurrent requests. Please wait.' })
    await reply(sendMessage('stop-query', { conversation_ref: 'c0', turn_ref: ids[0] }))
    sendMessage('query', { text: 'hello', conversation_ref: 'c51' })
    expect((await next('streaming-complete')).conversation_ref).toBe('c51')
  })

  it('[I-L03] [I-E11] closes with 1008 after an hour without a frame', async () => {
    const clock = manualClock(Date.UTC(2026, 0, 1))
    const { client, logged } = await startWindieos({}, { clock })
    const { closed, next, sendMessage, reply } = await client()
    await next('remote-tool-catalog')
    await clock.advance(3_599_000)
    await reply(sendMessage('list-models'))
    await clock.advance(3_599_000)
    await reply(sendMessage('list-models'))
    await clock.advance(3_600_000)
    expect(await closed).toEqual([1008, 'receive timeout'])
    expect(logged).toEqual(['SESSION_ERROR'])
  })
})

/** The numbers of a turn, and that every event names it. */
function numbered(events: readonly Outgoing[], turn: string) {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  expect(new Set(events.map(({ turn_ref, conversation_ref }) => `${turn_ref} ${conversation_ref}`))).toEqual(
    new Set([`${turn} conv`]),
  )
}

describe('a turn', () => {
  it('[I-C01] [I-S21] [I-S14] [I-S15] [I-S17] [I-S05] [I-S01] [I-S16] [I-S18] [I-S07] [I-A1] [I-A39] sends its events in order, numbered from 1', async () => {
    const { client } = await startWindieos()
    const { query } = await client()
    const events = await query('think it over')
    expect(distinctTypes(events)).toEqual([
      'query-accepted',
      'system-prompt',
      'user-message-full',
      'tool-schemas',
      'llm-thought',
      'streaming-response',
      'assistant-message-full',
      'token-count',
      'streaming-complete',
    ])
    numbered(events, events[0]!.turn_ref!)
    const text = events.map(({ type, payload }) => (type === 'streaming-response' ? payload.text : '')).join('')
    expect([text, events.at(-1)!.payload]).toEqual([
      'I have thought it over.',
      {
        final_response: 'I have thought it over.',
        model_id: 'gpt-5.4@@gpt-5-4-none-thinking',
        model_provider: 'openai',
      },
    ])
  })

  it('[I-S18] [I-A35] has consistent counts, estimated or reported by the model', async () => {
    const { client, post } = await startWindieos()
    const { query } = await client()
    const counts = []
    for (const text of ['hello', 'think it over', 'spend tokens'])
      counts.push((await query(text)).find(({ type }) => type === 'token-count')!.payload as Record<string, number>)
    for (const count of counts) {
      expect(count.total_tokens).toBe(count.prompt_tokens! + count.output_tokens_total!)
      expect(count.output_tokens_total).toBe(count.visible_output_tokens! + (count.thinking_tokens ?? 0))
    }
    expect(counts.map(({ usage_source, thinking_tokens }) => [usage_source, thinking_tokens === null])).toEqual([
      ['estimated', true],
      ['estimated', false],
      ['provider', true],
    ])
    // The estimate includes the system prompt and the tools, as a preview of the prompt does.
    const [, preview] = await post('/api/sdk/prompt-preview', { user_query_raw: 'hello' })
    const previewed = Number(preview.prompt_token_count)
    expect(Math.abs(counts[0]!.prompt_tokens! - previewed)).toBeLessThan(previewed / 20)
    expect(counts[2]).toMatchObject({ prompt_tokens: 1234, output_tokens_total: 567, total_tokens: 1801 })
  })

  it('[I-S04] [I-S22] [I-A12] runs server tools and sends their results', async () => {
    const { client } = await startWindieos()
    const { query } = await client()
    const events = await query('search the web')
    expect(distinctTypes(events).slice(4)).toEqual([
      'llm-thought',
      'web-search-progress',
      'tool-output',
      'streaming-response',
      'assistant-message-full',
      'token-count',
      'streaming-complete',
    ])
    const output = events.find(({ type }) => type === 'tool-output')!.payload
    expect(output).toEqual({
      tool_name: 'web_search',
      success: true,
      execution_time: expect.any(Number),
      output: 'Sunny, 22 degrees (weather in Lisbon)',
      error: null,
      request_id: expect.any(String),
      metadata: { tool_call_id: output.request_id },
    })
  })

  it('[I-E05] reports a failing tool and continues', async () => {
    const { client, logged } = await startWindieos()
    const { query } = await client()
    const output = (await query('use a broken tool')).find(({ type }) => type === 'tool-output')!.payload
    expect([output.success, output.error]).toEqual([false, 'the tool is broken on purpose'])
    expect(logged).toEqual(['TOOL_EXECUTION_ERROR'])
  })

  it.each([
    ['[I-E02] LLM_ERROR', { message: 'the model cannot go on' }],
    ['[I-E03] LLM_API_ERROR', { message: 'no answer', code: 'api_error' }],
    ['[I-E04] LLM_RATE_LIMIT', { message: 'slower please', code: 'rate_limit' }],
  ])('[I-S06] ends with one error under its id, logged as %s', async (code, fail) => {
    const { client, logged } = await startWindieos(
      {},
      { script: { turns: [{ steps: [{ say: 'I will' }, { fail }] }] } },
    )
    const { sendMessage, reply, ended, received } = await client()
    const id = sendMessage('query', { text: 'go', conversation_ref: 'conv' })
    await ended(id)
    expect(await reply(id)).toMatchObject({
      payload: { message: fail.message },
      conversation_ref: 'conv',
      turn_ref: id,
    })
    expect(received.some(({ type }) => type === 'streaming-complete')).toBe(false)
    expect([`[I-E] ${logged[0]}`]).toEqual([code.replace(/E\d+/, 'E')])
  })

  it('[I-S28] reports a recovered failure without ending', async () => {
    const { client } = await startWindieos()
    const { query } = await client()
    const events = await query('stumble')
    expect(events.find(({ type }) => type === 'trace-event')!.payload).toEqual({
      path: 'model',
      stage: 'query_failed',
      status: 'failed',
      message: 'the model was busy once',
    })
    expect(events.at(-1)!.type).toBe('streaming-complete')
  })

  it('rejects the id of a running turn', async () => {
    const { client } = await startWindieos()
    const { send, reply, next } = await client()
    const message = { id: 'same', type: 'query', payload: { text: 'answer slowly', conversation_ref: 'conv' } }
    send(message)
    await next('query-accepted')
    send(message)
    expect((await reply('same')).payload).toBeDefined()
    expect((await next('error')).payload).toEqual({ message: 'a turn with the id "same" is already running' })
  })

  it('[I-C09] [I-S27] is stopped with only an acknowledgement', async () => {
    const { client } = await startWindieos()
    const { sendMessage, next, reply, received, query } = await client()
    const id = sendMessage('query', { text: 'answer slowly', conversation_ref: 'conv' })
    await next('streaming-response')
    const ack = await reply(sendMessage('stop-query', { conversation_ref: 'conv', turn_ref: id }))
    expect([ack.type, ack.payload]).toEqual(['stop-query-ack', { conversation_ref: 'conv', turn_ref: id }])
    const count = received.filter(({ turn_ref }) => turn_ref === id).length
    await query('hello')
    expect(received.filter(({ turn_ref }) => turn_ref === id)).toHaveLength(count)
    expect(received.filter(({ turn_ref }) => turn_ref === id).map(({ type }) => type)).not.toContain(
      'streaming-complete',
    )
  })

  it('[I-L17] ends with its connection, and the user’s session with the last of them', async () => {
    const { client, server } = await startWindieos()
    const first = await client({ user: 'ada' })
    first.sendMessage('update-settings', { interaction_mode: 'chat' })
    first.sendMessage('query', { text: 'answer slowly', conversation_ref: 'conv' })
    await first.next('streaming-response')
    first.socket.close()
    await first.closed
    const second = await client({ user: 'ada' })
    const reply = await second.reply(second.sendMessage('load-settings'))
    expect((reply.payload.config as { interaction_mode: string }).interaction_mode).toBe('agent')
    expect(server.bugs).toEqual([])
  })

  it('[I-A8] [I-A9] [I-S15] [I-A15] accepts every key of the clients, and previews the message as the model receives it', async () => {
    const { client, upload } = await startWindieos()
    const [, { artifact_id }] = await upload(new Uint8Array([1, 2, 3]))
    const { query } = await client()
    const content =
      '<system_context><active_window>Terminal</active_window></system_context><semantic_memory>likes tea</semantic_memory><user_query>look at this</user_query>'
    const events = await query('look at this', {
      content,
      query_context: {},
      screenshot_ref: artifact_id,
      screenshot_refs: [artifact_id],
      system_state_internal: { screen_resolution: '1920x1080' },
      revision_id: 'r1',
      capture_meta: {},
      workspace_path: '/project',
      repo_instruction_messages: [],
      client_prompt_layers: [{ content: 'Be brief.' }],
      agent_definition: { version: 1 },
    })
    expect(events.find(({ type }) => type === 'user-message-full')!.payload).toEqual({
      content,
      metadata: {
        has_screenshot: true,
        has_memory: true,
        original_query: 'look at this',
        context_type: 'initial',
        injected_context: '<system_context><active_window>Terminal</active_window></system_context>',
        active_window: 'Terminal',
      },
    })
    expect(String(events.find(({ type }) => type === 'system-prompt')!.payload.content)).toContain('Be brief.')
    expect(events.at(-1)!.payload.final_response).toBe('I see 1 pictures.')
  })

  it('[I-A10] refuses an inline picture, and a picture that is not there', async () => {
    const { client } = await startWindieos()
    const { sendMessage, reply } = await client()
    const inline = await reply(sendMessage('query', { text: 'x', conversation_ref: 'conv', screenshot: 'aGk=' }))
    const missing = await reply(sendMessage('query', { text: 'x', conversation_ref: 'conv', screenshot_ref: 'no.png' }))
    expect([inline.type, missing.payload]).toEqual(['error', { message: 'there is no artifact "no.png"' }])
  })

  it('[I-C01] shows the model a picture with its type, and rejects other artifacts', async () => {
    const seen: unknown[] = []
    const model = {
      name: 'watched',
      run: async function* ({ images }: ModelRequest) {
        seen.push(...images.map(({ mimeType }) => mimeType))
        yield { do: 'say' as const, text: 'ok' }
      },
    }
    const { client, upload } = await startWindieos({}, { model })
    const { query, sendMessage, reply } = await client()
    const png = new Uint8Array(await fromPixels(1, 1, new Uint8Array(4)).png())
    const uploaded = async (file: Uint8Array, type: string) => (await upload(file, type))[1].artifact_id
    await query('look', { screenshot_ref: await uploaded(png, 'application/octet-stream') })
    const text = await uploaded(Buffer.from('a letter'), 'text/plain')
    const refused = await reply(sendMessage('query', { text: 'x', conversation_ref: 'conv', screenshot_ref: text }))
    expect([seen, refused.payload]).toEqual([['image/png'], { message: `the artifact "${text}" is not a picture` }])
  })
})
