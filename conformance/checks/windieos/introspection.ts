import assert from 'node:assert/strict'
import * as z from 'zod'
import { Plan, Preview } from '../../windieos/contract.ts'
import { check } from '../check.ts'

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
})

check('windieos:introspection:unknown-tool', async ({ http, random }) => {
  assert.equal((await http.get(`/api/sdk/tool-capabilities/${random.word(12)}`)).status, 404)
})

check('windieos:introspection:catalog', async ({ http }) => {
  const catalog = z.looseObject({ models: z.array(z.looseObject({ id: z.string().min(1) })) })
  const ids = (await http.get('/api/sdk/models')).json(catalog).models.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, 'a model is listed twice')
})

const nameOf = (tool: Readonly<Record<string, unknown>>) =>
  String(tool.name ?? (Object(tool.function) as Readonly<Record<string, unknown>>).name)

check('windieos:introspection:pruned', async ({ http }) => {
  const shape = Schemas.extend({ provider_tool_schemas: z.array(z.looseObject({})) })
  const { canonical_tool_schemas, provider_tool_schemas } = (await http.get('/api/sdk/tool-schemas')).json(shape)
  const names = canonical_tool_schemas.map(nameOf)
  assert.deepEqual(
    provider_tool_schemas.map(nameOf).filter((name) => !names.includes(name)),
    [],
    'the model is shown tools that the backend does not know',
  )
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
  const asked = { ...BODY, conversation_ref, workspace_path: '/absolute/workspace/path' }
  const plan = (await http.post('/api/sdk/query-plan', asked)).json(Plan)
  const { text, conversation_ref: planned, workspace_path } = plan.query_message.payload
  assert.deepEqual([text, planned, workspace_path], ['open file', conversation_ref, asked.workspace_path])
  assert.deepEqual(
    plan.transparency_events.map((event) => event.type),
    ['system-prompt', 'user-message-full', 'tool-schemas'],
  )
})
