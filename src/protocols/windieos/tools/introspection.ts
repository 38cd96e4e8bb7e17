import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import type { ServerContext } from '../context.ts'
import { extractQuery, fullMessage, systemPrompt } from '../conversation/prompt.ts'
import { authorizeUser } from '../memory/routes.ts'
import { Overrides, PromptPreview, QueryPlan, validateBody, validateQuery } from '../requests.ts'
import { identify } from '../routes.ts'
import { allModels } from '../users/models.ts'
import { settingsSnapshot, type UserSettings } from '../users/settings.ts'
import type { UserRegistry } from '../users/users.ts'
import type { AgentDefinition } from '../wire.ts'
import { acceptedTools, allTools, type OfferedTool, offeredTools } from './definition.ts'
import { flatTool, isComputerUse } from './tools.ts'

/** Routes that show the model's input (WindieOS document, "Introspection"). */
export function introspectionRoutes(app: FastifyInstance, server: ServerContext, users: UserRegistry): void {
  const introspection = (request: FastifyRequest) =>
    introspect(server, users, request, validateQuery(Overrides, request.query))

  app.get('/api/sdk/models', async (request) => ({
    config: settingsSnapshot(introspection(request).config),
    models: allModels(server.catalogue),
  }))

  app.get('/api/sdk/tool-schemas', async (request) => {
    const { config, canonical, provided } = introspection(request)
    return {
      config: settingsSnapshot(config),
      canonical_tool_schemas: canonical.map(flatTool),
      provider_tool_schemas: provided.map(flatTool),
    }
  })

  app.get<{ Params: { name: string } }>('/api/sdk/tool-capabilities/:name', async (request) => {
    const { config, canonical, provided } = introspection(request)
    const { name } = request.params
    const tool = canonical.find((candidate) => candidate.name === name)
    if (!tool) throw new Fault('ElementNotFound', `there is no tool ${JSON.stringify(name)}`)
    const projected = provided.find((candidate) => candidate.name === name)
    return {
      config: settingsSnapshot(config),
      capability: {
        name,
        description: tool.description,
        execution_target: tool.where === 'client' ? 'local_runtime' : 'backend',
        computer_use: isComputerUse(name),
        enabled: projected !== undefined,
      },
      canonical_tool_schema: flatTool(tool),
      ...(projected && { provider_tool_schema: flatTool(projected) }),
    }
  })

  app.get('/api/sdk/system-prompt', async (request) => {
    const { config, definition, provided } = introspection(request)
    return {
      config: settingsSnapshot(config),
      system_prompt: systemPrompt({ opening: openingOf(server), definition, tools: provided }),
    }
  })

  app.post('/api/sdk/prompt-preview', async (request) => {
    identify(server, request)
    return previewOf(server, users, request, validateBody(PromptPreview, request.body))
  })

  app.post('/api/sdk/query-plan', async (request) => {
    identify(server, request)
    const { conversation_ref, ...asked } = validateBody(QueryPlan, request.body)
    const preview = previewOf(server, users, request, asked)
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

/** The opening of the system prompt, from the first profile. */
const openingOf = ({ agent }: ServerContext): string | undefined => agent.profiles[0]?.system_prompt

interface Introspection {
  readonly config: UserSettings
  readonly definition: AgentDefinition | undefined
  readonly canonical: readonly OfferedTool[]
  readonly provided: readonly OfferedTool[]
}

/** The settings and tools for a request: those of the user's session, with the overrides of the request. */
function introspect(
  server: ServerContext,
  users: UserRegistry,
  request: FastifyRequest,
  { user_id, model_id, model_provider, interaction_mode }: Overrides,
  wanted?: AgentDefinition,
): Introspection {
  authorizeUser(server, request, user_id)
  const user = users.find(user_id ?? identify(server, request).userId)
  const [client] = user?.clients ?? []
  const config: UserSettings = {
    ...(user?.config ?? users.defaults),
    ...(model_id && { selected_model_id: model_id }),
    ...(model_provider && { model_provider }),
    ...(interaction_mode && { interaction_mode }),
  }
  const definition = wanted ?? client?.toolset.definition
  const backend = server.backendTools.list()
  // A definition has its own tools, as in a session.
  const accepted = wanted ? acceptedTools(wanted, backend) : (client?.toolset.accepted ?? [])
  const tools = { definition, accepted, backend }
  return { config, definition, canonical: allTools(tools), provided: offeredTools({ ...tools, config }) }
}

function previewOf(server: ServerContext, users: UserRegistry, request: FastifyRequest, asked: PromptPreview) {
  const { config, definition, canonical, provided } = introspect(
    server,
    users,
    request,
    asked,
    asked.agent_definition ?? undefined,
  )
  const withTools = asked.include_tools ?? true
  const system_prompt = systemPrompt({
    opening: openingOf(server),
    definition,
    tools: provided,
    workspacePath: asked.workspace_path,
  })
  const given = asked.messages ?? []
  const raw = asked.user_query_raw
  const last = given.findLast(({ role }) => role === 'user')?.content
  const written = typeof last === 'string' ? last : undefined
  const full = raw == null && written === undefined ? undefined : fullMessage(raw ?? extractQuery(written!), written)
  const prompt_messages = given.length > 0 ? given : full ? [{ role: 'user', content: full.content }] : []
  return {
    config: settingsSnapshot(config),
    system_prompt,
    prompt_messages,
    canonical_tool_schemas: withTools ? canonical.map(flatTool) : [],
    provider_tool_schemas: withTools ? provided.map(flatTool) : [],
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
    ...tokenCounts(server, [
      system_prompt,
      JSON.stringify(prompt_messages),
      withTools ? JSON.stringify(provided.map(flatTool)) : '',
    ]),
  }
}

/** Counts tokens, or returns the reason why that failed. */
function tokenCounts(server: ServerContext, texts: readonly string[]) {
  try {
    const count = texts.reduce((sum, text) => sum + server.countTokens(text), 0)
    return { prompt_token_count: count, token_count_error: null }
  } catch (thrown) {
    server.onBug(thrown)
    return { prompt_token_count: null, token_count_error: 'the tokens could not be counted' }
  }
}
