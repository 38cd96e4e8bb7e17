import assert from 'node:assert/strict'
import * as z from 'zod'
import { check } from '../../check.ts'
import { Plan, Preview } from '../../contract/windieos.ts'

const Configured = z.looseObject({
  config: z.looseObject({ selected_model_id: z.string(), model_provider: z.string(), interaction_mode: z.string() }),
})

check('windieos:introspection:models', async ({ http }) => {
  const query = '?model_id=some-model&model_provider=some-provider&interaction_mode=agent'
  const { config } = (await http.get(`/api/sdk/models${query}`)).json(Configured)
  assert.deepEqual(
    [config.selected_model_id, config.model_provider, config.interaction_mode],
    ['some-model', 'some-provider', 'agent'],
  )
  const plain = (await http.get('/api/sdk/models')).json(Configured).config
  assert.notEqual(plain.selected_model_id, 'some-model', 'the parameters have changed the configuration')
})

const Schemas = z.looseObject({ canonical_tool_schemas: z.array(z.looseObject({ name: z.string() })).min(1) })

check('windieos:introspection:tools', async ({ http, random }) => {
  const { canonical_tool_schemas: tools } = (await http.get('/api/sdk/tool-schemas')).json(Schemas)
  assert.equal(new Set(tools.map((tool) => tool.name)).size, tools.length, 'a tool is listed twice')
  const { name } = random.pick(tools)
  const answer = await http.get(`/api/sdk/tool-capabilities/${name}`)
  assert.equal(answer.status, 200, name)
  assert.equal((await http.get(`/api/sdk/tool-capabilities/${random.word(12)}`)).status, 404)
})

const CONTEXT = '<system_context><active_window>Terminal</active_window></system_context>'
const BODY = {
  interaction_mode: 'agent',
  include_tools: true,
  user_query_raw: 'open file',
  messages: [{ role: 'user', content: `${CONTEXT}\n<user_query>open file</user_query>` }],
}

check('windieos:introspection:prompt', async ({ http }) => {
  const { system_prompt } = (await http.get('/api/sdk/system-prompt?interaction_mode=agent')).json(
    z.looseObject({ system_prompt: z.string() }),
  )
  assert.equal((await http.post('/api/sdk/prompt-preview', BODY)).json(Preview).system_prompt, system_prompt)
})

check('windieos:introspection:preview', async ({ http }) => {
  const preview = (await http.post('/api/sdk/prompt-preview', BODY)).json(Preview)
  assert.equal(preview.prompt_token_count === null, preview.token_count_error !== null)
  const { content, metadata } = preview.user_message_full ?? {}
  assert.ok(content?.includes('<user_query>open file</user_query>'))
  assert.deepEqual(
    [metadata?.original_query, metadata?.context_type, metadata?.active_window],
    ['open file', 'initial', 'Terminal'],
  )
  assert.equal(metadata?.injected_context, CONTEXT)
  assert.ok(preview.prompt_messages.length > 0 && preview.canonical_tool_schemas.length > 0)
})

check('windieos:introspection:plan', async ({ http, random }) => {
  const conversation_ref = `conv-${random.word()}`
  const plan = (await http.post('/api/sdk/query-plan', { ...BODY, conversation_ref })).json(Plan)
  assert.deepEqual(
    [plan.query_message.payload.text, plan.query_message.payload.conversation_ref],
    ['open file', conversation_ref],
  )
  assert.deepEqual(
    plan.transparency_events.map((event) => event.type),
    ['system-prompt', 'user-message-full', 'tool-schemas'],
  )
})
