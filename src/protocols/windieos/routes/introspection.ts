import type { FastifyRequest } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import type { Route } from '../../http/route.ts'
import type { ServerContext } from '../context.ts'
import { extractQuery, fullMessage, systemPrompt } from '../conversation/prompt.ts'
import { Overrides, PromptPreview, QueryPlan } from '../requests.ts'
import {
  Capability,
  ModelsResponse,
  PromptPreviewResponse,
  QueryPlanResponse,
  SystemPrompt,
  ToolSchemas,
} from '../responses.ts'
import { answers, identify, type RouteContext, route } from '../route.ts'
import { allModels, settingsSnapshot, type UserSettings } from '../settings.ts'
import { acceptedTools, allTools, flatTool, isComputerUse, type OfferedTool, offeredTools } from '../tools.ts'
import type { AgentDefinition } from '../wire.ts'
import { authorizeUser } from './memory.ts'

/** Routes that show the model's input (WindieOS document, "Introspection"). */
export const INTROSPECTION_ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'get',
      path: '/api/sdk/models',
      summary: 'The models, and the settings.',
      query: Overrides,
      responses: answers(ModelsResponse),
    },
    (server, { query, request }) => ({
      config: settingsSnapshot(introspect(server, request, query()).config),
      models: allModels(server.catalogue),
    }),
  ),
  route(
    {
      method: 'get',
      path: '/api/sdk/tool-schemas',
      summary: 'All tools, and those of the session.',
      query: Overrides,
      responses: answers(ToolSchemas),
    },
    (server, { query, request }) => {
      const { config, canonical, provided } = introspect(server, request, query())
      return {
        config: settingsSnapshot(config),
        canonical_tool_schemas: canonical.map(flatTool),
        provider_tool_schemas: provided.map(flatTool),
      }
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/sdk/tool-capabilities/{name}',
      summary: 'The capability of a tool.',
      query: Overrides,
      responses: answers(Capability, 404),
    },
    (server, { params: { name }, query, request }) => {
      const { config, canonical, provided } = introspect(server, request, query())
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
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/sdk/system-prompt',
      summary: 'The system prompt.',
      query: Overrides,
      responses: answers(SystemPrompt),
    },
    (server, { query, request }) => {
      const { config, definition, provided } = introspect(server, request, query())
      return {
        config: settingsSnapshot(config),
        system_prompt: systemPrompt({ opening: openingOf(server), definition, tools: provided }),
      }
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/sdk/prompt-preview',
      summary: 'The prompt of a model.',
      body: PromptPreview,
      responses: answers(PromptPreviewResponse),
    },
    (server, { body, request }) => {
      identify(server, request)
      return previewOf(server, request, body())
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/sdk/query-plan',
      summary: 'The first events of a query.',
      body: QueryPlan,
      responses: answers(QueryPlanResponse),
    },
    (server, { body, request }) => {
      identify(server, request)
      const { conversation_ref, ...asked } = body()
      const preview = previewOf(server, request, asked)
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
    },
  ),
]

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
  server: RouteContext,
  request: FastifyRequest,
  { user_id, model_id, model_provider, interaction_mode }: Overrides,
  wanted?: AgentDefinition,
): Introspection {
  const { users } = server
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

function previewOf(server: RouteContext, request: FastifyRequest, asked: PromptPreview) {
  const { config, definition, canonical, provided } = introspect(
    server,
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
            context_type: 'initial' as const,
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
