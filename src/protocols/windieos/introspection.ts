import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { Overrides, PromptPreview, QueryPlan, readBody, readQuery } from './bodies.ts'
import { acceptedOf, catalogueOf, type Offered, offeredTools } from './definition.ts'
import type { House } from './house.ts'
import { admit } from './memory.ts'
import { allModels } from './models.ts'
import { fullMessage, queryIn, systemPrompt } from './prompt.ts'
import { identify } from './routes.ts'
import { type Config, snapshotOf } from './settings.ts'
import { flat, isComputerUse } from './tools.ts'
import type { Users } from './users.ts'
import type { AgentDefinition } from './wire.ts'

/** What the server would tell a model, for those who want to see it (WindieOS document, "Introspection"). */
export function introspectionRoutes(app: FastifyInstance, house: House, users: Users): void {
  const view = (request: FastifyRequest) => viewOf(house, users, request, readQuery(Overrides, request.query))

  app.get('/api/sdk/models', async (request) => ({
    config: snapshotOf(view(request).config),
    models: allModels(house.catalogue),
  }))

  app.get('/api/sdk/tool-schemas', async (request) => {
    const { config, canonical, provided } = view(request)
    return {
      config: snapshotOf(config),
      canonical_tool_schemas: canonical.map(flat),
      provider_tool_schemas: provided.map(flat),
    }
  })

  app.get<{ Params: { name: string } }>('/api/sdk/tool-capabilities/:name', async (request) => {
    const { config, canonical, provided } = view(request)
    const { name } = request.params
    const tool = canonical.find((candidate) => candidate.name === name)
    if (!tool) throw new Fault('ElementNotFound', `there is no tool ${JSON.stringify(name)}`)
    const projected = provided.find((candidate) => candidate.name === name)
    return {
      config: snapshotOf(config),
      capability: {
        name,
        description: tool.description,
        execution_target: tool.where === 'client' ? 'local_runtime' : 'backend',
        computer_use: isComputerUse(name),
        enabled: projected !== undefined,
      },
      canonical_tool_schema: flat(tool),
      ...(projected && { provider_tool_schema: flat(projected) }),
    }
  })

  app.get('/api/sdk/system-prompt', async (request) => {
    const { config, definition, provided } = view(request)
    return {
      config: snapshotOf(config),
      system_prompt: systemPrompt({ opening: openingOf(house), definition, tools: provided }),
    }
  })

  app.post('/api/sdk/prompt-preview', async (request) => {
    identify(house, request)
    return previewOf(house, users, request, readBody(PromptPreview, request.body))
  })

  app.post('/api/sdk/query-plan', async (request) => {
    identify(house, request)
    const { conversation_ref, ...asked } = readBody(QueryPlan, request.body)
    const preview = previewOf(house, users, request, asked)
    const { user_message_full, system_prompt, provider_tool_schemas } = preview
    return {
      ...preview,
      query_message: {
        type: 'query',
        payload: {
          text: asked.user_query_raw ?? '',
          conversation_ref: conversation_ref ?? null,
          workspace_path: asked.workspace_path ?? null,
        },
      },
      transparency_events: [
        { type: 'system-prompt', payload: { content: system_prompt } },
        ...(user_message_full ? [{ type: 'user-message-full', payload: user_message_full }] : []),
        { type: 'tool-schemas', payload: { tool_schemas: provider_tool_schemas } },
      ],
    }
  })
}

/** What conversations begin with: the first profile is theirs. */
const openingOf = ({ agent }: House): string | undefined => agent.profiles[0]?.system_prompt

interface View {
  readonly config: Config
  readonly definition: AgentDefinition | undefined
  readonly canonical: readonly Offered[]
  readonly provided: readonly Offered[]
}

/** What holds for a request: the session of its user, where there is one, with the request's own wishes. */
function viewOf(
  house: House,
  users: Users,
  request: FastifyRequest,
  { user_id, model_id, model_provider, interaction_mode }: Overrides,
  wanted?: AgentDefinition,
): View {
  admit(house, request, user_id)
  const user = users.find(user_id ?? identify(house, request).userId)
  const [client] = user?.clients ?? []
  const config: Config = {
    ...(user?.config ?? users.defaults),
    ...(model_id && { selected_model_id: model_id }),
    ...(model_provider && { model_provider }),
    ...(interaction_mode && { interaction_mode }),
  }
  const definition = wanted ?? client?.toolset.definition
  const backend = house.backend.list()
  // A definition brings its own tools, as it does in a session.
  const accepted = wanted ? acceptedOf(wanted, backend) : (client?.toolset.accepted ?? [])
  const tools = { definition, accepted, backend }
  return { config, definition, canonical: catalogueOf(tools), provided: offeredTools({ ...tools, config }) }
}

function previewOf(house: House, users: Users, request: FastifyRequest, asked: PromptPreview) {
  const { config, definition, canonical, provided } = viewOf(
    house,
    users,
    request,
    asked,
    asked.agent_definition ?? undefined,
  )
  const withTools = asked.include_tools ?? true
  const system_prompt = systemPrompt({
    opening: openingOf(house),
    definition,
    tools: provided,
    workspacePath: asked.workspace_path,
  })
  const given = asked.messages ?? []
  const raw = asked.user_query_raw
  const last = given.findLast(({ role }) => role === 'user')?.content
  const written = typeof last === 'string' ? last : undefined
  const full = raw == null && written === undefined ? undefined : fullMessage(raw ?? queryIn(written!), written)
  const prompt_messages = given.length > 0 ? given : full ? [{ role: 'user', content: full.content }] : []
  return {
    config: snapshotOf(config),
    system_prompt,
    prompt_messages,
    canonical_tool_schemas: withTools ? canonical.map(flat) : [],
    provider_tool_schemas: withTools ? provided.map(flat) : [],
    user_message_full: full
      ? {
          content: full.content,
          metadata: {
            original_query: full.query,
            context_type: 'initial',
            injected_context: full.injectedContext,
            active_window: full.activeWindow,
          },
        }
      : null,
    ...counted(house, [
      system_prompt,
      JSON.stringify(prompt_messages),
      withTools ? JSON.stringify(provided.map(flat)) : '',
    ]),
  }
}

/** The count of tokens, or why there is none: one of the two. */
function counted(house: House, texts: readonly string[]) {
  try {
    const count = texts.reduce((sum, text) => sum + house.countTokens(text), 0)
    return { prompt_token_count: count, token_count_error: null }
  } catch (thrown) {
    house.onBug(thrown)
    return { prompt_token_count: null, token_count_error: 'the tokens could not be counted' }
  }
}
