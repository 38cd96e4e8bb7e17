import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { distinctTypes, type JsonBody, startWindieos } from '../../../test/support/protocols/windieos.ts'
import type { ModelRequest } from '../../agent/models/model.ts'
import { DEFAULT_PROFILE } from '../../agent/profiles.ts'
import type { Outgoing } from './wire.ts'

// Facts such as [I-C02] are listed in facts.ts.

afterEach(cleanUp)

const CONFIG = {
  model_mode: 'online',
  model_provider: 'openai',
  selected_model_id: 'gpt-5.4@@gpt-5-4-none-thinking',
  interaction_mode: 'agent',
  speech_mode_enabled: false,
  wakeword_enabled: false,
  wakeword_stt_enabled: false,
  browser_automation_enabled: true,
  include_query_screenshot: true,
  provider_api_keys: {},
}

describe('settings', () => {
  it('[I-C03] [I-S08] are sent on request', async () => {
    const { client } = await startWindieos()
    const { sendMessage, reply } = await client()
    expect(await reply(sendMessage('load-settings', { client_version: '1' }))).toMatchObject({
      type: 'settings-loaded',
      payload: { config: CONFIG },
    })
  })

  it('[I-C04] [I-S09] [I-A36] [I-A38] [I-A47] change immediately, and keys are never sent', async () => {
    const { client } = await startWindieos()
    const { sendMessage, reply, received } = await client()
    const changes = {
      model_mode: 'local',
      model_provider: 'ollama',
      selected_model_id: 'llama-2-7b',
      interaction_mode: 'chat',
      speech_mode_enabled: true,
      wakeword_enabled: true,
      wakeword_stt_enabled: true,
      browser_automation_enabled: false,
      include_query_screenshot: false,
      provider_api_keys: { openai: { enabled: true, api_key: 'sk-secret' } },
    }
    const updated = await reply(sendMessage('update-settings', changes))
    expect([updated.type, updated.payload]).toEqual(['settings-updated', { updated_keys: Object.keys(changes) }])
    const load = async () => (await reply(sendMessage('load-settings'))).payload.config
    expect(await load()).toEqual({ ...changes, provider_api_keys: { openai: { enabled: true, api_key: '' } } })
    sendMessage('update-settings', { provider_api_keys: { openai: { enabled: false, api_key: '' }, other: {} } })
    expect(((await load()) as JsonBody).provider_api_keys).toEqual({
      openai: { enabled: false, api_key: '' },
      other: { enabled: true, api_key: '' },
    })
    expect(JSON.stringify(received)).not.toContain('sk-secret')
  })

  it('[I-C04] follow a model to its provider', async () => {
    const { client } = await startWindieos()
    const { sendMessage, reply } = await client()
    sendMessage('update-settings', { selected_model_id: 'llama-2-7b' })
    expect((await reply(sendMessage('load-settings'))).payload.config).toMatchObject({
      selected_model_id: 'llama-2-7b',
      model_provider: 'ollama',
    })
  })

  it.each([
    ['an unknown key', { colour: 'red' }],
    ['a value of another type', { speech_mode_enabled: 'yes' }],
    ['an unknown model', { interaction_mode: 'chat', selected_model_id: 'none' }],
    ['a model of another provider', { selected_model_id: 'llama-2-7b', model_provider: 'openai' }],
    ['an unknown provider', { interaction_mode: 'chat', model_provider: 'none' }],
    ['a provider name that is none', { provider_api_keys: { '../x': {} } }],
  ])('[I-A37] [I-E01] stay as they are when an update has %s', async (_what, changes) => {
    const { client, logged } = await startWindieos()
    const { sendMessage, reply } = await client()
    const error = await reply(sendMessage('update-settings', changes))
    expect([error.type, error.payload.message]).toEqual([
      'error',
      expect.stringMatching(/^Failed to update settings: /),
    ])
    expect((await reply(sendMessage('load-settings'))).payload.config).toEqual(CONFIG)
    expect(logged).toEqual(['CONFIG_ERROR'])
  })

  it('decide the model of the next query', async () => {
    const asked: (string | undefined)[] = []
    const model = {
      name: 'watched',
      run: async function* ({ model: name }: ModelRequest) {
        asked.push(name)
        yield { do: 'say' as const, text: 'ok' }
      },
    }
    const { client } = await startWindieos({}, { model })
    const { sendMessage, query } = await client()
    await query('one')
    sendMessage('update-settings', { selected_model_id: 'llama-2-7b' })
    const events = await query('two')
    expect([asked, events.at(-1)!.payload.model_id]).toEqual([
      ['gpt-5.4@@gpt-5-4-none-thinking', 'llama-2-7b'],
      'llama-2-7b',
    ])
  })

  it('[I-C04] do not change the model of a queued query', async () => {
    const asked: (string | undefined)[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const model = {
      name: 'watched',
      run: async function* ({ model: name }: ModelRequest) {
        asked.push(name)
        await released
        yield { do: 'say' as const, text: 'ok' }
      },
    }
    const { client } = await startWindieos({}, { model })
    const { sendMessage, reply, ended } = await client()
    const ask = (text: string) => sendMessage('query', { text, conversation_ref: 'conv' })
    const early = [ask('under way'), ask('waits')]
    await reply(sendMessage('update-settings', { selected_model_id: 'llama-2-7b' }))
    const late = ask('next')
    release()
    const ends = await Promise.all([...early, late].map(ended))
    const [before, after] = ['gpt-5.4@@gpt-5-4-none-thinking', 'llama-2-7b']
    expect(asked).toEqual([before, before, after])
    expect(ends.map(({ payload }) => [payload.model_id, payload.model_provider])).toEqual([
      [before, 'openai'],
      [before, 'openai'],
      [after, 'ollama'],
    ])
  })
})

describe('the system prompt', () => {
  it('[I-S14] is the prompt of the model, with the client’s text if it has one', async () => {
    const received: (string | undefined)[] = []
    const model = {
      name: 'watched',
      run: async function* ({ profile }: ModelRequest) {
        received.push(profile.system_prompt)
        yield { do: 'say' as const, text: 'ok' }
      },
    }
    const profiles = [{ ...DEFAULT_PROFILE, system_prompt: 'You are a clerk.' }]
    const { client, post } = await startWindieos({}, { model, profiles })
    const asked = { user_id: 'user-123', workspace_path: '/work', user_query_raw: 'hi' }
    const promptOf = (events: readonly Outgoing[]) =>
      events.find(({ type }) => type === 'system-prompt')?.payload.content
    const clerk = await client()
    const events = await clerk.query('hi', {
      workspace_path: '/work',
      client_prompt_layers: [{ content: 'Be brief.' }],
    })
    const [, { system_prompt: planned }] = await post('/api/sdk/query-plan', asked)
    const pirate = await client({ definition: { system_prompt: { mode: 'replace', content: 'You are a pirate.' } } })
    const other = await pirate.query('hi', { conversation_ref: 'other' })
    expect(received).toEqual([promptOf(events), promptOf(other)])
    expect(received).toEqual([`${planned}\n\nBe brief.`, expect.stringMatching(/^You are a pirate\.\n\nTools: /)])
    expect(planned).toMatch(/^You are a clerk\.\n\nWorkspace: \/work\nTools: /)
  })
})

describe('models', () => {
  it('[I-C05] [I-S10] are listed by where they run', async () => {
    const { client } = await startWindieos()
    const { sendMessage, reply } = await client()
    const { type, payload } = await reply(sendMessage('list-models'))
    expect([type, (payload.local as JsonBody[])[0]]).toEqual([
      'models-listed',
      { id: 'llama-2-7b', provider: 'ollama', display_name: 'llama-2-7b' },
    ])
    expect([(payload.online as JsonBody[]).length, (payload.vision as JsonBody[]).length]).toEqual([3, 1])
  })
})

/** A model that repeats what it remembers. */
const rememberer = {
  name: 'rememberer',
  run: async function* ({ context }: ModelRequest) {
    const words = context.messages.map((message) => {
      const images = message.role === 'user' ? (message.images?.length ?? 0) : 0
      return `${message.role} ${message.text}${images > 0 ? ` +${images}` : ''}`
    })
    yield { do: 'say' as const, text: words.join(' | ') }
  },
}

describe('a conversation', () => {
  const messages = (more: object = {}) => [
    { role: 'user', content: 'Earlier prompt', message_type: 'user_query', timestamp: 'x', ...more },
    { role: 'assistant', content: 'Earlier reply', message_type: 'assistant_response', tool_calls: [] },
    { role: 'tool', content: 'seen', message_type: 'tool_output', tool_name: 'screenshot', correlation_id: 'c' },
  ]

  it('[I-C02] [I-A40] is restored without events, including pictures', async () => {
    const { client, upload } = await startWindieos({}, { model: rememberer })
    const [, { artifact_id }] = await upload(new Uint8Array([1]))
    const { sendMessage, query, received } = await client()
    await query('before')
    const count = received.length
    sendMessage('rehydrate-conversation', {
      conversation_ref: 'conv',
      messages: messages({ screenshot_ref: artifact_id }),
      rehydrate_mode: 'replace',
      workspace_path: '/x',
      repo_instruction_messages: [],
      model_history: null,
    })
    const events = await query('and now?')
    expect(events.at(-1)!.payload.final_response).toBe(
      'user Earlier prompt +1 | assistant Earlier reply | tool seen | user and now?',
    )
    expect(received.slice(count)).toEqual(events)
  })

  it('[I-E09] is restored without missing pictures', async () => {
    const { client, logged } = await startWindieos({}, { model: rememberer })
    const { sendMessage, query } = await client()
    sendMessage('rehydrate-conversation', {
      conversation_ref: 'conv',
      messages: messages({ screenshot_ref: 'gone.png' }),
    })
    expect((await query('x')).at(-1)!.payload.final_response).toMatch(/^user Earlier prompt \|/)
    expect(logged).toEqual(['MEMORY_STORE_ERROR'])
  })

  it('[I-C02] is restored from the model’s own history if the client has it', async () => {
    const { client } = await startWindieos({}, { model: rememberer })
    const { sendMessage, query } = await client()
    const rows = [{ id: 'r1', role: 'user', content: 'From the rows' }]
    sendMessage('rehydrate-conversation', {
      conversation_ref: 'conv',
      messages: [],
      model_history: { checkpoint_id: 'c', rows },
    })
    expect((await query('x')).at(-1)!.payload.final_response).toBe('user From the rows | user x')
  })

  it('[I-C02] is restored with its workspace and instructions', async () => {
    const { client } = await startWindieos()
    const { sendMessage, query } = await client()
    const heed = (content: string) => [{ role: 'user', content }, 'no message']
    sendMessage('rehydrate-conversation', {
      conversation_ref: 'conv',
      messages: [],
      workspace_path: '/resumed',
      repo_instruction_messages: heed('Use tabs.'),
    })
    const prompt = async (more?: JsonBody) =>
      (await query('x', more)).find(({ type }) => type === 'system-prompt')!.payload.content
    expect(await prompt()).toMatch(/Workspace: \/resumed\n.*\n\nUse tabs\.$/s)
    const elsewhere = { workspace_path: '/other', repo_instruction_messages: heed('Use spaces.') }
    expect(await prompt(elsewhere)).toMatch(/Workspace: \/other\n.*\n\nUse spaces\.$/s)
  })

  it('[I-E08] is not restored during a turn', async () => {
    const { client, logged } = await startWindieos()
    const { sendMessage, next, reply } = await client()
    sendMessage('query', { text: 'answer slowly', conversation_ref: 'conv' })
    await next('streaming-response')
    const error = await reply(sendMessage('rehydrate-conversation', { conversation_ref: 'conv', messages: [] }))
    expect([error.type, logged]).toEqual(['error', ['MEMORY_ERROR']])
  })

  it('[I-C10] [I-S23] [I-S24] [I-S26] is compacted on request, under the name of the request', async () => {
    const { client } = await startWindieos({}, { model: rememberer })
    const { sendMessage, query, next, turn } = await client()
    await query('The first message. It is long.')
    await query('The second message.')
    const id = sendMessage('compact-history', { force: true, conversation_ref: 'conv' })
    const { rows } = (await next('model-history-updated')).payload as { readonly rows: readonly JsonBody[] }
    expect(distinctTypes(turn(id))).toEqual([
      'context-compaction-started',
      'context-compaction-completed',
      'model-history-updated',
    ])
    expect(turn(id).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    const { payload } = turn(id)[1]!
    expect(payload).toMatchObject({
      skipped_reason: null,
      removed_messages: 4,
      summary_preview: expect.stringContaining('user: The first message.'),
      replacement_history_entries: [{ role: 'user', message_type: 'context_compaction' }],
    })
    expect(rows).toMatchObject(payload.replacement_history_entries as JsonBody[])
    expect((await query('And now?')).at(-1)!.payload.final_response).toBe('user And now?')
  })

  it('[I-S23] [I-S24] [I-S26] is compacted when full, after the turn and as a separate operation', async () => {
    const { client } = await startWindieos()
    const { query, next, turn, received } = await client()
    await query('The first message. It is long.')
    const events = await query('fill the context')
    const { turn_ref } = await next('model-history-updated')
    expect(events.at(-1)!.type).toBe('streaming-complete')
    expect(received.indexOf(events.at(-1)!)).toBeLessThan(received.indexOf(turn(turn_ref!)[0]!))
    expect(turn(turn_ref!).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['context-compaction-started', 1],
      ['context-compaction-completed', 2],
      ['model-history-updated', 3],
    ])
    const { payload } = turn(turn_ref!)[1]!
    expect(payload).toMatchObject({ reason: 'full', skipped_reason: null, summary_preview: expect.any(String) })
    expect(Number(payload.after_tokens)).toBeLessThan(Number(payload.before_tokens))
  })

  it('[I-S24] is unchanged when there is nothing to shorten', async () => {
    const { client } = await startWindieos()
    const { sendMessage, next, received } = await client()
    sendMessage('compact-history', { conversation_ref: 'new' })
    expect((await next('context-compaction-completed')).payload).toMatchObject({
      skipped_reason: 'nothing to shorten',
      replacement_history_entries: [],
    })
    expect(received.some(({ type }) => type === 'model-history-updated')).toBe(false)
  })

  it('[I-S25] is not compacted during a turn', async () => {
    const { client } = await startWindieos()
    const { sendMessage, next } = await client()
    sendMessage('query', { text: 'answer slowly', conversation_ref: 'conv' })
    await next('streaming-response')
    sendMessage('compact-history', { force: true, conversation_ref: 'conv' })
    expect((await next('context-compaction-failed')).payload.error).toMatch(/is running/)
  })
})

describe('a message of a client', () => {
  it.each([
    ['query', { text: 'x', conversation_ref: 'c' }, 'conversation_ref'],
    ['rehydrate-conversation', { conversation_ref: 'c', messages: [] }, 'messages'],
    ['tool-result', { request_id: 'r', success: true }, 'success'],
    ['tool-bundle-result', { bundle_id: 'b', status: 'success', step_results: [] }, 'step_results'],
    ['compact-history', { conversation_ref: 'c' }, 'conversation_ref'],
    ['load-settings', {}, undefined],
    ['list-models', {}, undefined],
    ['wakeword-detected', {}, undefined],
    ['stop-query', {}, undefined],
  ])('%s is refused with an unknown key or without one it needs', async (type, payload, needed) => {
    const { client } = await startWindieos()
    const { sendMessage, reply } = await client()
    const unknown = await reply(sendMessage(type, { ...payload, nonsense: 1 }))
    expect([unknown.type, unknown.payload.message]).toEqual(['error', expect.stringContaining('nonsense')])
    if (needed === undefined) return
    const missing = await reply(
      sendMessage(type, Object.fromEntries(Object.entries(payload).filter(([key]) => key !== needed))),
    )
    expect([missing.type, missing.payload.message]).toEqual(['error', expect.stringContaining(needed)])
  })
})
