import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { startWindieos, type TestClient } from '../../../test/support/protocols/windieos.ts'
import type { Model, ModelStepResult } from '../../agent/models/model.ts'
import { fromPixels } from '../../paint/picture.ts'

// Facts such as [I-S03] are listed in facts.ts.

afterEach(cleanUp)

const click = { call: 'mouse_control', with: { action: 'click', x: 100, y: 200 }, as: 'clicked' }
const type = { call: 'keyboard_control', with: { action: 'type', text: 'Hello' }, as: 'typed' }
const one = { turns: [{ steps: [click, { say: '{{results.clicked.ok}}: {{results.clicked.text}}' }] }] }
const two = {
  turns: [{ steps: [{ calls: [click, type] }, { say: '{{results.clicked.text}} {{results.typed.text}}' }] }],
}

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}`,
  execution_target: 'local_runtime',
  schema: { type: 'object' },
  ...more,
})
const bringing = (tools: readonly unknown[], more: object = {}) => ({
  version: 1,
  tools: { mode: 'default_plus_client', client_manifest: { version: 1, tools }, ...more },
})

/** The names of the tools that the model of a client may use. */
async function offered({ query }: TestClient): Promise<readonly string[]> {
  const schemas = (await query('hello')).find((event) => event.type === 'tool-schemas')!
  return (schemas.payload.tool_schemas as { function: { name: string } }[]).map((schema) => schema.function.name)
}

it.each(['client_only', 'default_plus_client'])(
  '[I-H26] [I-H27] a preview with a definition of the mode %s equals the prompt of such a session',
  async (mode) => {
    const note = (name: string) => ({
      name,
      description: 'Save.',
      execution_target: 'local_runtime',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
    })
    const tools = { mode, client_manifest: { tools: [note('save_note'), note('web_search')] } }
    const agent_definition = { system_prompt: { mode: 'replace', content: 'You take notes.' }, tools }
    const { client, post } = await startWindieos()
    // Another session of the same user, with tools of its own.
    await client({ definition: { tools: { client_manifest: { tools: [note('other')] } } } })
    const asked = { user_query_raw: 'hello', agent_definition }
    const [, preview] = await post('/api/sdk/prompt-preview', asked)
    const [, plan] = await post('/api/sdk/query-plan', asked)
    const { query } = await client({ user: 'grace', definition: agent_definition })
    const events = await query('hello')
    const sent = (type: string) => events.find((event) => event.type === type)!.payload
    type Nested = { readonly type: string; readonly function: object }
    const schemas = (sent('tool-schemas').tool_schemas as Nested[]).map((tool) => ({
      type: tool.type,
      ...tool.function,
    }))
    expect(schemas.map((tool) => (tool as { name?: string }).name)).toContain('save_note')
    expect(preview.provider_tool_schemas).toEqual(schemas)
    expect(preview.canonical_tool_schemas).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'save_note' })]),
    )
    expect(preview.system_prompt).toBe(sent('system-prompt').content)
    const planned = plan.transparency_events as { type: string; payload: Record<string, unknown> }[]
    expect(planned.find(({ type }) => type === 'tool-schemas')!.payload.tool_schemas).toEqual(schemas)
  },
)

describe('a call', () => {
  it('[I-S03] [I-S04] [I-C06] [I-A10] [I-A12] goes to the client, which receives the result that the model uses', async () => {
    const { client } = await startWindieos({}, { script: one })
    const { sendMessage, next, ended, turn } = await client()
    const id = sendMessage('query', { text: 'click', conversation_ref: 'conv' })
    const call = await next('tool-call')
    const { request_id } = call.payload
    expect(call.payload).toEqual({
      tool_name: 'mouse_control',
      parameters: { action: 'click', x: 100, y: 200 },
      request_id: expect.any(String),
      metadata: { tool_call_id: expect.any(String) },
    })
    sendMessage('tool-result', {
      request_id,
      success: true,
      data: {
        output: 'Clicked submit button',
        screenshot_ref: 'shot.jpg',
        screenshot: 'aGk=',
        capture_meta: { frame_id: 'frame-1' },
        system_state: { active_window: 'Browser', mouse_position: '(100, 200)' },
        system_state_internal: { screen_resolution: '1920x1080' },
        display_attachments: [],
        anything: 'else',
      },
      error: null,
    })
    await ended(id)
    expect(turn(id).at(-1)!.payload.final_response).toBe('true: Clicked submit button')
    expect(turn(id).map(({ sequence }) => sequence)).toEqual(turn(id).map((_, index) => index + 1))
    expect(turn(id).find(({ type }) => type === 'tool-output')!.payload).toEqual({
      tool_name: 'mouse_control',
      success: true,
      execution_time: expect.any(Number),
      output: 'Clicked submit button',
      error: null,
      screenshot_ref: 'shot.jpg',
      request_id,
      metadata: { ...(call.payload.metadata as object), active_window: 'Browser' },
    })
  })

  it('[I-S03] [I-S04] [I-S11] carries the id that the provider of the model gave it', async () => {
    const call = (providerId: string) => ({ tool: 'mouse_control', args: { action: 'click', x: 1, y: 2 }, providerId })
    const model: Model = {
      name: 'naming',
      async *run() {
        yield { do: 'call', calls: [call('call_64_0')] }
        yield { do: 'call', calls: [call('call_64_1'), call('call_64_2')] }
      },
    }
    const { client } = await startWindieos({}, { model })
    const { sendMessage, next, ended, turn } = await client()
    const id = sendMessage('query', { text: 'click', conversation_ref: 'conv' })
    const { request_id, metadata } = (await next('tool-call')).payload
    expect(metadata).toEqual({ tool_call_id: 'call_64_0' })
    expect(request_id).not.toBe('call_64_0')
    sendMessage('tool-result', { request_id, success: false, error: 'no', data: { screenshot: 'aGk=' } })
    const { bundle_id, tools } = (await next('tool-bundle')).payload
    expect(tools).toMatchObject([{ tool_call_id: 'call_64_1' }, { tool_call_id: 'call_64_2' }])
    const step = { tool: 'mouse_control', status: 'ok', output: 'x' }
    sendMessage('tool-bundle-result', { bundle_id, status: 'success', step_results: [step, step] })
    await ended(id)
    const outputs = turn(id).filter(({ type }) => type === 'tool-output')
    expect(outputs.map(({ payload }) => payload.metadata)).toEqual(
      ['call_64_0', 'call_64_1', 'call_64_2'].map((tool_call_id) => ({ tool_call_id })),
    )
    expect(outputs[0]!.payload).toMatchObject({ success: false, output: 'no', error: 'no', screenshot: 'aGk=' })
  })

  it('[I-C06] [I-C07] [I-A10] shows the model the pictures that went with its results', async () => {
    const seen: unknown[] = []
    const model: Model = {
      name: 'watching',
      async *run() {
        const call = { tool: 'mouse_control', args: { action: 'click', x: 1, y: 2 } }
        for (const calls of [[call], [call], [call, call], [call]]) {
          const { results }: ModelStepResult = yield { do: 'call', calls }
          seen.push(
            results.map(({ ok, images = [] }) => [ok, ...images.map(({ mimeType, base64 }) => [mimeType, base64])]),
          )
        }
      },
    }
    const { client, upload, logged } = await startWindieos({}, { model })
    const png = Buffer.from(await fromPixels(1, 1, new Uint8Array(4).fill(255)).png())
    const [, { artifact_id }] = await upload(new Uint8Array(png))
    const { sendMessage, next, ended, received } = await client()
    const id = sendMessage('query', { text: 'click', conversation_ref: 'conv' })
    const call = async (data: object) => {
      const { request_id } = (await next('tool-call', received.length)).payload
      sendMessage('tool-result', { request_id, success: true, data })
    }
    const first = (await next('tool-call')).payload
    sendMessage('tool-result', { request_id: first.request_id, success: true, data: { screenshot_ref: artifact_id } })
    await call({ screenshot: `data:image/png;base64,${png.toString('base64')}` })
    const { bundle_id } = (await next('tool-bundle')).payload
    const step = { tool: 'mouse_control', status: 'ok', output: 'x' }
    sendMessage('tool-bundle-result', {
      bundle_id,
      status: 'success',
      step_results: [step, step],
      screenshot_ref: artifact_id,
    })
    await call({ screenshot_ref: 'gone.png' })
    await ended(id)
    const picture = ['image/png', png.toString('base64')]
    expect(seen).toEqual([[[true, picture]], [[true, picture]], [[true], [true, picture]], [[true]]])
    expect(logged).toEqual(['MEMORY_STORE_ERROR'])
  })

  it('[I-C06] may fail, with the reason in its output', async () => {
    const { client, logged } = await startWindieos({}, { script: one })
    const { sendMessage, next, ended } = await client()
    const id = sendMessage('query', { text: 'click', conversation_ref: 'conv' })
    const { request_id } = (await next('tool-call')).payload
    sendMessage('tool-result', { request_id, success: false, data: { output: 'nothing is there' }, error: 'no target' })
    expect((await ended(id)).payload.final_response).toBe('false: nothing is there')
    expect(logged).toEqual(['TOOL_EXECUTION_ERROR'])
  })

  it('[I-A44] ignores results without a pending call, and duplicates', async () => {
    const { client, logged, server } = await startWindieos({}, { script: one })
    const { sendMessage, next, ended, received } = await client()
    sendMessage('tool-result', { request_id: 'nobody', success: true, data: {} })
    const id = sendMessage('query', { text: 'click', conversation_ref: 'conv' })
    const { request_id } = (await next('tool-call')).payload
    sendMessage('tool-result', { request_id, success: true, data: { output: 'first' } })
    sendMessage('tool-result', { request_id, success: true, data: { output: 'second' } })
    expect((await ended(id)).payload.final_response).toBe('true: first')
    expect(received.filter((message) => message.type === 'error')).toEqual([])
    expect([logged.length, server.bugs]).toEqual([2, []])
  })

  it('[I-S11] [I-C07] [I-A13] goes in one bundle with others of its message', async () => {
    const { client } = await startWindieos({}, { script: two })
    const { sendMessage, next, ended } = await client()
    const id = sendMessage('query', { text: 'both', conversation_ref: 'conv' })
    const bundle = (await next('tool-bundle')).payload
    expect(bundle).toEqual({
      bundle_id: expect.any(String),
      tools: [
        { name: 'mouse_control', args: { action: 'click', x: 100, y: 200 }, tool_call_id: expect.any(String) },
        { name: 'keyboard_control', args: { action: 'type', text: 'Hello' }, tool_call_id: expect.any(String) },
      ],
    })
    sendMessage('tool-bundle-result', {
      bundle_id: bundle.bundle_id,
      status: 'partial_failure',
      step_results: [
        { tool: 'mouse_control', status: 'ok', output: { stdout: 'line' }, debug_trace: 'x', toolCallId: 'c' },
        { tool: 'keyboard_control', status: 'error', output: 'no field' },
      ],
      screenshot_ref: null,
      capture_meta: { frame_id: 'frame-1' },
      display_attachments: [],
      system_state: { active_window: 'a', mouse_position: 'b' },
      error: 'one step failed',
    })
    expect((await ended(id)).payload.final_response).toBe('{"stdout":"line"} no field')
  })

  it('fails when the client does not answer in time', async () => {
    const clock = manualClock()
    const { client } = await startWindieos({ toolTimeoutMs: 1000 }, { script: one, clock })
    const { sendMessage, next, ended } = await client()
    const id = sendMessage('query', { text: 'click', conversation_ref: 'conv' })
    await next('tool-call')
    await clock.advance(1000)
    expect((await ended(id)).payload.final_response).toBe('false: Tool mouse_control was not answered within 1 s.')
  })

  it('[I-E07] of a tool that is not offered is a failure the model reads', async () => {
    const { client, logged } = await startWindieos({}, { script: one })
    const { query } = await client({ definition: { tools: { disabled_tools: ['mouse_control'] } } })
    expect((await query('click')).at(-1)!.payload.final_response).toBe('false: there is no tool "mouse_control"')
    expect(logged[0]).toBe('TOOL_NOT_FOUND')
  })
})

describe('a manifest', () => {
  it('[I-S19] [I-K11] [I-A48] [I-E06] is judged tool by tool', async () => {
    const { client, logged } = await startWindieos()
    const { next } = await client({
      definition: bringing([
        tool('save_note'),
        tool('web_search'),
        tool('save_note'),
        tool('9lives'),
        { name: 'bare', execution_target: 'local_runtime', schema: {} },
        tool('far', { execution_target: 'backend' }),
        'nothing',
      ]),
    })
    expect((await next('client-tool-manifest')).payload).toEqual({
      accepted: [{ name: 'save_note', description: 'Does save_note', execution_target: 'local_runtime' }],
      rejected: [
        { name: 'web_search', reason: 'reserved backend tool names cannot be overridden' },
        { name: 'save_note', reason: 'another tool has this name already' },
        { name: '9lives', reason: expect.stringMatching(/^name: /) },
        { name: 'bare', reason: expect.stringMatching(/^description: /) },
        { name: 'far', reason: 'only the tools of the backend run there' },
        { name: 'tool_6', reason: expect.stringMatching(/^tool: /) },
      ],
    })
    expect(new Set(logged)).toEqual(new Set(['TOOL_VALIDATION_ERROR']))
  })

  it('[I-L15] accepts a name of 96 characters and refuses one of 97', async () => {
    const { client } = await startWindieos()
    const { next } = await client({ definition: bringing([tool('a'.repeat(96)), tool('b'.repeat(97))]) })
    const { accepted, rejected } = (await next('client-tool-manifest')).payload as Record<string, { name: string }[]>
    expect([accepted!.length, rejected!.map(({ name }) => name.length)]).toEqual([1, [97]])
  })

  it('[I-A52] [I-S20] is sent only if there is one; the catalogue always', async () => {
    const { client } = await startWindieos()
    const { next, received } = await client({ definition: { tools: { mode: 'client_only' } } })
    const { remote_tools } = (await next('remote-tool-catalog')).payload as {
      remote_tools: { name: string; enabled: boolean }[]
    }
    expect(received).toHaveLength(1)
    expect(remote_tools.every(({ enabled }) => !enabled)).toBe(true)
    // A tool that the client executes is not a remote tool, although the script has an answer for it.
    expect(remote_tools.map(({ name }) => name)).toEqual(['web_search', 'run_command', 'broken_tool'])
  })

  it('[I-C04] can be replaced between turns', async () => {
    const { client } = await startWindieos()
    const guest = await client({ definition: bringing([tool('before')]) })
    await guest.next('client-tool-manifest')
    const tools = { mode: 'replace_client_manifest', client_manifest: { version: 1, tools: [tool('after')] } }
    expect((await guest.reply(guest.sendMessage('update-settings', { tools }))).payload).toEqual({
      updated_keys: ['tools'],
    })
    const names = await offered(guest)
    expect([names.includes('before'), names.includes('after')]).toEqual([false, true])
  })
})

describe('a definition narrows', () => {
  it.each([
    ['client_only', bringing([tool('save_note')], { mode: 'client_only' }), ['save_note']],
    [
      'explicit',
      bringing([tool('save_note')], {
        mode: 'explicit',
        available_tools: ['screenshot', 'browser'],
        disabled_tools: ['browser'],
      }),
      ['screenshot', 'save_note'],
    ],
    [
      'capabilities',
      {
        tools: { available_tools: ['web_search', 'browser', 'wait'], disabled_capabilities: ['web_search', 'browser'] },
      },
      ['wait'],
    ],
    [
      'remote tools of choice',
      { tools: { mode: 'client_only', enabled_remote_tools: ['web_search'] } },
      ['web_search'],
    ],
  ])('by %s', async (_what, definition, names) => {
    const { client } = await startWindieos()
    expect(await offered(await client({ definition }))).toEqual(names)
  })

  it('[I-A16] in chat mode to server tools', async () => {
    const { client } = await startWindieos()
    const guest = await client()
    guest.sendMessage('update-settings', { interaction_mode: 'chat' })
    expect(await offered(guest)).toEqual(['web_search', 'run_command', 'broken_tool'])
  })

  it('[I-A14] and built-in tools keep the server schema', async () => {
    const { client } = await startWindieos()
    const { query } = await client({ definition: bringing([tool('wait')], { mode: 'client_only' }) })
    const schemas = (await query('hello')).find((event) => event.type === 'tool-schemas')!.payload
    expect(schemas.tool_schemas).toEqual([
      {
        type: 'function',
        function: {
          name: 'wait',
          description: 'Let time pass.',
          parameters: {
            type: 'object',
            properties: { seconds: { type: 'number', description: 'How long' } },
            required: ['seconds'],
          },
        },
      },
    ])
  })
})
