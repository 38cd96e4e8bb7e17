import * as z from 'zod'

/** Every message of the main socket, both ways, in the spelling of the document (WindieOS document, "WebSocket API"). */

const Json = z.record(z.string(), z.unknown())
const Ref = z.string().min(1).max(512)
const Text = z.string()

const JsonSchema = Json.describe('JSON Schema of the arguments')

/** A tool of a client. Each is validated separately, so that one invalid entry does not fail the session. */
export const ClientTool = z.looseObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,95}$/, 'must be a letter and up to 95 letters, digits, _ or -'),
  description: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  execution_target: z.enum(['local_runtime', 'backend']),
  schema: JsonSchema,
  executable_schema: JsonSchema.nullish(),
  argument_resolution: z.enum(['passthrough', 'backend_grounding']).nullish(),
})
export type ClientTool = z.infer<typeof ClientTool>

const Manifest = z.strictObject({ version: z.literal(1).optional(), tools: z.array(z.unknown()) })
const PromptLayer = z.looseObject({ content: Text, priority: z.number().optional() })

/** A client's definition of its agent. It can only narrow the server's tools. */
export const AgentDefinition = z
  .looseObject({
    version: z.literal(1).optional(),
    mode: z.enum(['default', 'default_plus_overrides']).optional(),
    system_prompt: z
      .looseObject({ mode: z.enum(['default', 'replace']).optional(), content: Text.nullish() })
      .nullish(),
    tools: z
      .looseObject({
        mode: z.enum(['default', 'default_plus_client', 'client_only', 'explicit']).optional(),
        client_manifest: Manifest.nullish(),
        available_tools: z.array(Text).nullish(),
        enabled_remote_tools: z.array(Text).nullish(),
        disabled_tools: z.array(Text).nullish(),
        disabled_capabilities: z.array(z.enum(['ocr', 'vision', 'embeddings', 'web_search', 'browser'])).nullish(),
      })
      .nullish(),
    prompt_layers: z.array(PromptLayer).nullish(),
    skills: z.array(Json).nullish(),
    agents_md: z.array(PromptLayer).nullish(),
    plugins: z.array(Json).nullish(),
    runtime: z
      .looseObject({
        operating_system: Text.nullish(),
        workspace_path: Text.nullish(),
        coordinate_methods: z.array(z.enum(['manual', 'ocr', 'prediction'])).nullish(),
      })
      .nullish(),
    metadata: Json.nullish(),
  })
  .meta({ id: 'AgentDefinition' })
export type AgentDefinition = z.infer<typeof AgentDefinition>

/** The `metadata.role` of a client that executes the tool calls of other clients. */
export const RUNTIME_ROLE = 'local_runtime'

/** The first frame. It has no envelope and no other keys. */
export const Handshake = z.strictObject({
  type: z.literal('handshake'),
  user_id: z.string().min(1),
  agent_definition: AgentDefinition.nullish(),
})

/** The envelope of every later message. Fields that the server sets itself are ignored. */
export const Envelope = z.strictObject({
  id: z.string().min(1).max(256),
  type: z.string().min(1),
  payload: Json,
  timestamp: z.unknown().optional(),
  user_id: z.unknown().optional(),
  session_id: z.unknown().optional(),
  conversation_ref: z.unknown().optional(),
  turn_ref: z.unknown().optional(),
})
export type Envelope = z.infer<typeof Envelope>

/** The settings a client may change (WindieOS document, "update-settings"). */
export const SettingsUpdate = z.strictObject({
  model_mode: z.enum(['online', 'local']).optional(),
  model_provider: z.string().min(1).max(128).optional(),
  selected_model_id: z.string().min(1).max(256).optional(),
  interaction_mode: z.enum(['chat', 'agent']).optional(),
  speech_mode_enabled: z.boolean().optional(),
  wakeword_enabled: z.boolean().optional(),
  wakeword_stt_enabled: z.boolean().optional(),
  browser_automation_enabled: z.boolean().optional(),
  include_query_screenshot: z.boolean().optional(),
  provider_api_keys: z
    .record(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
      z.strictObject({ enabled: z.boolean().optional(), api_key: z.string().optional() }),
    )
    .optional(),
  tools: z.strictObject({ mode: z.literal('replace_client_manifest'), client_manifest: Manifest }).optional(),
  agent_definition: AgentDefinition.optional(),
})
export type SettingsUpdate = z.infer<typeof SettingsUpdate>

const SystemState = z.looseObject({ active_window: z.unknown(), mouse_position: z.unknown() }).nullish()

const HistoryEntry = z
  .looseObject({
    role: z.enum(['user', 'assistant', 'tool']),
    content: z.unknown(),
    message_type: z.enum(['user_query', 'assistant_response', 'tool_output', 'context_compaction']).nullish(),
    tool_name: Text.nullish(),
    correlation_id: Text.nullish(),
    screenshot_ref: Text.nullish(),
  })
  .meta({ id: 'HistoryEntry' })
export type HistoryEntry = z.infer<typeof HistoryEntry>

const Shots = { screenshot_ref: Text.nullish(), screenshot: Text.nullish(), capture_meta: Json.nullish() }

/** The payload of each message of a client, by its type. Top-level keys are closed sets. */
export const Incoming = {
  query: z.strictObject({
    text: Text,
    conversation_ref: Ref,
    content: Text.nullish(),
    query_context: Json.nullish(),
    screenshot_ref: Text.nullish(),
    screenshot_refs: z.array(Text).nullish(),
    system_state_internal: Json.nullish(),
    revision_id: Text.nullish(),
    capture_meta: Json.nullish(),
    workspace_path: Text.nullish(),
    repo_instruction_messages: z.array(z.unknown()).nullish(),
    client_prompt_layers: z.array(PromptLayer).nullish(),
    agent_definition: AgentDefinition.nullish(),
  }),
  'rehydrate-conversation': z.strictObject({
    conversation_ref: Ref,
    messages: z.array(HistoryEntry),
    rehydrate_mode: z.literal('replace').nullish(),
    workspace_path: Text.nullish(),
    repo_instruction_messages: z.array(z.unknown()).nullish(),
    model_history: z.looseObject({ rows: z.array(HistoryEntry) }).nullish(),
  }),
  'load-settings': z.strictObject({ client_version: z.unknown().optional() }),
  'update-settings': SettingsUpdate,
  'list-models': z.strictObject({}),
  'tool-result': z.strictObject({
    request_id: z.string().min(1),
    success: z.boolean(),
    data: z.looseObject({ output: z.unknown().optional(), system_state: SystemState, ...Shots }).nullish(),
    error: z.unknown().optional(),
  }),
  'tool-bundle-result': z.strictObject({
    bundle_id: z.string().min(1),
    status: z.enum(['success', 'partial_failure', 'failure']),
    step_results: z.array(z.looseObject({ tool: Text, status: z.enum(['ok', 'error']), output: z.unknown() })),
    display_attachments: z.array(z.unknown()).nullish(),
    system_state: SystemState,
    error: z.unknown().optional(),
    ...Shots,
  }),
  'wakeword-detected': z.strictObject({}),
  'stop-query': z.strictObject({ conversation_ref: Text.nullish(), turn_ref: Text.nullish() }),
  'compact-history': z.strictObject({ force: z.boolean().optional(), conversation_ref: Ref }),
} as const

export type IncomingType = keyof typeof Incoming
export type Payload<Type extends IncomingType> = z.infer<(typeof Incoming)[Type]>

export const isIncoming = (type: string): type is IncomingType => Object.hasOwn(Incoming, type)

/** A tool as models read it; the socket nests it (WindieOS document, "tool-schemas"). */
const NestedTool = z
  .strictObject({
    type: z.literal('function'),
    function: z.strictObject({ name: Text, description: Text, parameters: Json }),
  })
  .meta({ id: 'NestedTool' })

const Entry = z.strictObject({ enabled: z.boolean(), api_key: z.literal('') })

/** The settings as sent to clients, without keys. */
export const Settings = z.strictObject({
  model_mode: z.enum(['online', 'local']),
  model_provider: Text,
  selected_model_id: Text,
  interaction_mode: z.enum(['chat', 'agent']),
  speech_mode_enabled: z.boolean(),
  wakeword_enabled: z.boolean(),
  wakeword_stt_enabled: z.boolean(),
  browser_automation_enabled: z.boolean(),
  include_query_screenshot: z.boolean(),
  provider_api_keys: z.record(Text, Entry),
})
export type Settings = z.infer<typeof Settings>

const ModelEntry = z.looseObject({ id: Text, provider: Text, display_name: Text }).meta({ id: 'ModelEntry' })
const count = z.int().min(0)
const Compaction = { reason: Text, strategy: Text, before_tokens: count }

/** Events of a turn or another operation, numbered within it. */
const Streamed = {
  'query-accepted': z.strictObject({ status: z.literal('accepted') }),
  'system-prompt': z.strictObject({ content: Text }),
  'user-message-full': z.strictObject({
    content: Text,
    metadata: z.strictObject({
      has_screenshot: z.boolean(),
      has_memory: z.boolean(),
      original_query: Text,
      context_type: z.literal('initial'),
      injected_context: Text,
      active_window: Text.nullable(),
    }),
  }),
  'assistant-message-full': z.strictObject({ content: Text }),
  'tool-schemas': z.strictObject({ tool_schemas: z.array(NestedTool) }),
  'llm-thought': z.strictObject({ status: Text }),
  'streaming-response': z.strictObject({ text: Text }),
  'streaming-complete': z.strictObject({ final_response: Text, model_id: Text, model_provider: Text }),
  'tool-call': z.strictObject({
    tool_name: Text,
    parameters: Json,
    request_id: Text,
    metadata: z.strictObject({ tool_call_id: Text, skip_local_execution: z.literal(true).optional() }),
  }),
  'tool-bundle': z.strictObject({
    bundle_id: Text,
    tools: z.array(z.strictObject({ name: Text, args: Json, tool_call_id: Text })).min(2),
  }),
  'tool-output': z.strictObject({
    tool_name: Text,
    success: z.boolean(),
    execution_time: z.number().min(0).describe('Seconds'),
    output: Text,
    error: Text.nullable(),
    screenshot_ref: Text.optional(),
    screenshot: Text.optional(),
    request_id: Text,
    metadata: z.strictObject({ tool_call_id: Text, active_window: Text.optional() }),
  }),
  'web-search-progress': z.strictObject({ text: Text, request_id: Text }),
  'token-count': z.strictObject({
    prompt_tokens: count,
    visible_output_tokens: count,
    thinking_tokens: count.nullable(),
    output_tokens_total: count,
    total_tokens: count,
    conversation_tokens: count,
    usage_source: z.enum(['provider', 'estimated']),
  }),
  'context-compaction-started': z.strictObject({ ...Compaction, projected_tokens: count }),
  'context-compaction-completed': z.strictObject({
    ...Compaction,
    after_tokens: count,
    removed_messages: count,
    summary_preview: Text,
    skipped_reason: Text.nullable(),
    replacement_history_entries: z.array(z.strictObject({ role: Text, content: Text, message_type: Text })),
  }),
  'context-compaction-failed': z.strictObject({ ...Compaction, error: Text }),
  'model-history-updated': z.strictObject({
    checkpoint_id: Text,
    revision_id: Text,
    created_at: Text,
    rows: z.array(
      z.strictObject({
        id: Text,
        conversation_ref: Text,
        revision_id: Text,
        role: Text,
        message_type: Text,
        content: Text,
      }),
    ),
  }),
  'trace-event': z.strictObject({
    path: Text,
    stage: Text,
    status: z.enum(['started', 'succeeded', 'failed', 'skipped']),
    message: Text,
  }),
} as const

/** Events outside of turns. They belong to no conversation and have no number. */
const Aside = {
  'client-tool-manifest': z.strictObject({
    accepted: z.array(z.strictObject({ name: Text, description: Text, execution_target: Text })),
    rejected: z.array(z.strictObject({ name: Text, reason: Text })),
  }),
  'remote-tool-catalog': z.strictObject({
    remote_tools: z.array(
      z.strictObject({
        name: Text,
        description: Text,
        enabled: z.boolean(),
        available: z.boolean(),
        reason_unavailable: Text.nullable(),
      }),
    ),
  }),
  'settings-loaded': z.strictObject({ config: Settings }),
  'settings-updated': z.strictObject({ updated_keys: z.array(Text) }),
  'models-listed': z.strictObject({
    local: z.array(ModelEntry),
    online: z.array(ModelEntry),
    vision: z.array(ModelEntry),
  }),
  'audio-chunk': z.strictObject({ audio: z.base64(), sample_rate: z.literal(22_050) }),
  'wakeword-activated': z.strictObject({
    speech_mode_enabled: z.boolean(),
    greeting: Text,
    status: z.literal('listening'),
  }),
  'wakeword-greeting': z.strictObject({ text: Text }),
  'stop-query-ack': z.strictObject({ conversation_ref: Text.nullable(), turn_ref: Text.nullable() }),
} as const

const ErrorPayload = z.strictObject({ message: Text })

export type StreamedType = keyof typeof Streamed
export type AsideType = keyof typeof Aside

/** A streamed event before it has a number. */
export type StreamedEvent = {
  [Type in StreamedType]: { readonly type: Type; readonly payload: z.infer<(typeof Streamed)[Type]> }
}[StreamedType]

export type AsideEvent = {
  [Type in AsideType]: { readonly type: Type; readonly payload: z.infer<(typeof Aside)[Type]> }
}[AsideType]

const stamp = { id: Text, timestamp: z.iso.datetime(), user_id: Text }

/** Every frame of the server on the main socket, by its type. */
export const Frames: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    Object.entries(Streamed).map(([type, payload]) => [
      type,
      z.strictObject({
        ...stamp,
        type: z.literal(type),
        payload,
        event_id: z.string().min(1),
        sequence: z.int().min(1),
        conversation_ref: Ref,
        turn_ref: Ref,
      }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(Aside).map(([type, payload]) => [
      type,
      z.strictObject({ ...stamp, type: z.literal(type), payload }),
    ]),
  ),
  error: z.strictObject({
    ...stamp,
    type: z.literal('error'),
    payload: ErrorPayload,
    conversation_ref: Ref.optional(),
    turn_ref: Ref.optional(),
  }),
}

/** Every message of a client after the handshake, by its type. */
export const Messages: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(Incoming).map(([type, payload]) => [type, Envelope.extend({ type: z.literal(type), payload })]),
)

/** Every server message on the main socket. Tests validate each frame against it. */
export const Outgoing = z.union(Object.values(Frames))
/** A frame as a client reads it. */
export interface Outgoing {
  readonly id: string
  readonly type: StreamedType | AsideType | 'error'
  readonly payload: Readonly<Record<string, unknown>>
  readonly timestamp: string
  readonly user_id: string
  readonly event_id?: string
  readonly sequence?: number
  readonly conversation_ref?: string
  readonly turn_ref?: string
}
