import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import { Plan, Preview } from '../contract.ts'
import { sources } from '../document.ts'
import { changeStatusAt, onSuccessOf } from '../sabotage.ts'

const Configured = z.looseObject({
  config: z.looseObject({ selected_model_id: z.string(), model_provider: z.string(), interaction_mode: z.string() }),
})

const Schemas = z.looseObject({ canonical_tool_schemas: z.array(z.looseObject({ name: z.string() })).min(1) })

const nameOf = (tool: Readonly<Record<string, unknown>>) =>
  String(tool.name ?? (Object(tool.function) as Readonly<Record<string, unknown>>).name)

const CONTEXT = '<system_context><active_window>Terminal</active_window></system_context>'

const BODY = {
  interaction_mode: 'agent',
  include_tools: true,
  user_query_raw: 'open file',
  messages: [{ role: 'user', content: `${CONTEXT}\n<user_query>open file</user_query>` }],
}

/** What a backend tells about its models, tools and turns. */
export const introspectionRules = defineRules('introspection', {
  models: {
    level: 'MUST',
    text: 'The configuration shows the query parameters, which do not change it.',
    source: sources.introspection,
    basis: { states: 'The catalog comes with the configuration; query parameters override it.' },
    covers: ['H22'],
    check: async ({ http }) => {
      const query = '?model_id=some-model&model_provider=some-provider&interaction_mode=agent'
      const { config } = (await http.get(`/api/sdk/models${query}`)).json(Configured)
      assert.deepEqual(
        {
          selected_model_id: config.selected_model_id,
          model_provider: config.model_provider,
          interaction_mode: config.interaction_mode,
        },
        { selected_model_id: 'some-model', model_provider: 'some-provider', interaction_mode: 'agent' },
      )
      const plain = (await http.get('/api/sdk/models')).json(Configured).config
      assert.notEqual(plain.selected_model_id, 'some-model', 'the parameters have changed the configuration')
    },
    sabotage: {
      'ignores overrides': {
        changeRequest: (request) => {
          request.path = request.path.replace(/^\/api\/sdk\/models\?.*/, '/api/sdk/models')
        },
      },
    },
  },

  catalog: {
    level: 'SHOULD',
    text: 'models is a list of models with unique ids.',
    source: sources.sdk,
    basis: { because: 'The document does not name the field of the catalog; the official SDK reads this one.' },
    covers: ['H22'],
    tier: 'sdk',
    check: async ({ http }) => {
      const catalog = z.looseObject({ models: z.array(z.looseObject({ id: z.string().min(1) })) })
      const ids = (await http.get('/api/sdk/models')).json(catalog).models.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, 'a model is listed twice')
    },
    sabotage: {
      'lists a model twice': onSuccessOf('GET /api/sdk/models', (json) => {
        json.models.push(json.models[0])
      }),
    },
  },

  tools: {
    level: 'MUST',
    text: 'Every canonical tool can be requested by its name.',
    source: sources.introspection,
    basis: { states: 'Metadata and schemas of one tool are returned by its name, and of all together.' },
    covers: ['H23', 'H24', 'A14'],
    check: async ({ http, random }) => {
      const { canonical_tool_schemas: tools } = (await http.get('/api/sdk/tool-schemas')).json(Schemas)
      assert.equal(new Set(tools.map((tool) => tool.name)).size, tools.length, 'a tool is listed twice')
      const { name } = random.pick(tools)
      const answer = await http.get(`/api/sdk/tool-capabilities/${name}`)
      assertStatus(answer, 200, name)
    },
    sabotage: {
      'knows no tool by its name': changeStatusAt(200, 404, '/api/sdk/tool-capabilities'),
      'lists a tool twice': onSuccessOf('GET /api/sdk/tool-schemas', (json) => {
        json.canonical_tool_schemas.push(json.canonical_tool_schemas[0])
      }),
    },
  },

  'unknown-tool': {
    level: 'SHOULD',
    text: 'An unknown tool answers 404.',
    source: sources.introspection,
    basis: { because: 'The document names no status for a tool that is not there.' },
    covers: ['H24', 'X404'],
    check: async ({ http, random }) => {
      assertStatus(await http.get(`/api/sdk/tool-capabilities/${random.word(12)}`), 404)
    },
    sabotage: {
      'calls unknown tools bad': changeStatusAt(404, 400, '/api/sdk/tool-capabilities'),
    },
  },

  pruned: {
    level: 'SHOULD',
    text: 'The model receives tools of the backend, after its policy.',
    source: sources.introspection,
    basis: { because: 'Provider schemas come after pruning; tools of a client may be among them.' },
    covers: ['A16', 'H23'],
    check: async ({ http }) => {
      const shape = Schemas.extend({ provider_tool_schemas: z.array(z.looseObject({})) })
      const { canonical_tool_schemas, provider_tool_schemas } = (await http.get('/api/sdk/tool-schemas')).json(shape)
      const names = canonical_tool_schemas.map(nameOf)
      assert.deepEqual(
        provider_tool_schemas.map(nameOf).filter((name) => !names.includes(name)),
        [],
        'the model is shown tools that the backend does not know',
      )
    },
    sabotage: {
      'shows the model another tool': onSuccessOf('GET /api/sdk/tool-schemas', (json) => {
        json.provider_tool_schemas.push({ type: 'function', name: 'unheard_of', parameters: {} })
      }),
    },
  },

  prompt: {
    level: 'SHOULD',
    text: 'The system prompt is the one a preview shows.',
    source: sources.introspection,
    basis: { because: 'Both are the rendered system prompt; the document does not specify that they are equal.' },
    covers: ['H25', 'H26'],
    check: async ({ http }) => {
      const { system_prompt } = (await http.get('/api/sdk/system-prompt?interaction_mode=agent')).json(
        z.looseObject({ system_prompt: z.string() }),
      )
      assertAgree(
        {
          'the second preview': (await http.post('/api/sdk/prompt-preview', BODY)).json(Preview).system_prompt,
          'the first preview': system_prompt,
        },
        'system_prompt',
      )
    },
    sabotage: {
      'previews another prompt': onSuccessOf('POST /api/sdk/prompt-preview', (json) => {
        json.system_prompt += '.'
      }),
    },
  },

  preview: {
    level: 'MUST',
    text: 'A preview counts its tokens or reports why it cannot, and shows the message with its context.',
    source: sources.introspection,
    basis: { states: 'The preview has prompt_messages, user_message_full, prompt_token_count and token_count_error.' },
    covers: ['H26'],
    check: async ({ http }) => {
      const preview = (await http.post('/api/sdk/prompt-preview', BODY)).json(Preview)
      assert.equal(
        preview.prompt_token_count === null,
        preview.token_count_error !== null,
        'whether prompt_token_count is null when there is an error',
      )
      const { content, metadata } = preview.user_message_full ?? {}
      assert.ok(content?.includes('<user_query>open file</user_query>'), 'the prompt does not hold the query')
      assert.deepEqual(
        {
          original_query: metadata?.original_query,
          context_type: metadata?.context_type,
          active_window: metadata?.active_window,
        },
        { original_query: 'open file', context_type: 'initial', active_window: 'Terminal' },
      )
      assert.equal(metadata?.injected_context, CONTEXT, 'injected_context')
      assert.ok(
        preview.prompt_messages.length > 0 && preview.canonical_tool_schemas.length > 0,
        'the preview has no messages or no tools',
      )
    },
    sabotage: {
      'counts tokens and fails': onSuccessOf('POST /api/sdk/prompt-preview', (json) => {
        json.token_count_error = 'no'
      }),
    },
  },

  plan: {
    level: 'MUST',
    text: 'A plan holds the query and the three transparency events in their order, and does not start a run.',
    source: sources.introspection,
    basis: {
      states:
        'query_message is a preview and not dispatched; transparency_events are those of the first turn, in order.',
    },
    covers: ['H27', 'A26'],
    check: async ({ http, random }) => {
      const conversation_ref = `conv-${random.word()}`
      const asked = { ...BODY, conversation_ref, workspace_path: '/absolute/workspace/path' }
      const plan = (await http.post('/api/sdk/query-plan', asked)).json(Plan)
      const { text, conversation_ref: planned, workspace_path } = plan.query_message.payload
      assert.deepEqual(
        { text, planned, workspace_path },
        { text: 'open file', planned: conversation_ref, workspace_path: asked.workspace_path },
      )
      assert.deepEqual(
        plan.transparency_events.map((event) => event.type),
        ['system-prompt', 'user-message-full', 'tool-schemas'],
        'the types of the transparency_events',
      )
    },
    sabotage: {
      'plans in another order': onSuccessOf('POST /api/sdk/query-plan', (json) => {
        json.transparency_events.reverse()
      }),
    },
  },
})
