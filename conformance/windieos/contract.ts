import * as z from 'zod'
import type { Contract, Operation, ResponseBody } from '../contract/contract.ts'

const text = z.string()
const id = text.min(1)
const whole = z.int().nonnegative()

const Point = z.looseObject({ x: z.number(), y: z.number() })
export const Box = z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })

export const ImageFacts = z.looseObject({
  source_id: id,
  artifact_id: text.nullable(),
  content_type: id,
  width: z.int().positive(),
  height: z.int().positive(),
})

export const ConversationRow = z.looseObject({
  id,
  text,
  confidence: z.number().min(0).max(1),
  bbox: Box,
  center: Point,
  candidate_id: id,
  score: z.number().nullable(),
})

export const Artifact = z.looseObject({
  artifact_id: id,
  content_type: id,
  size_bytes: whole,
  sha256: text.regex(/^[0-9a-f]{64}$/),
  url: z.url(),
})

const Overlay = Artifact.extend({ image: ImageFacts, annotation_count: whole })

export const Embedding = z.looseObject({
  embedding: z.array(z.number()).min(1),
  provider_id: id,
  model_id: id,
  model_name: id,
  dimension: z.int().positive(),
  embedding_space_version: id,
})

const Health = z.looseObject({
  status: z.literal('healthy'),
  provider_id: id,
  model_id: id,
  model_name: id,
  dimension: z.int().positive(),
  embedding_space_version: id,
})

export const RegisteredInstall = z.looseObject({
  success: z.literal(true),
  user_id: id,
  install_id: id,
  install_token: id,
})
export const CurrentUser = z.looseObject({ user_id: id, install_id: id })

const Config = z.looseObject({
  model_mode: z.enum(['online', 'local']),
  model_provider: text,
  selected_model_id: text,
  interaction_mode: z.enum(['chat', 'agent']),
})

const FlatTool = z.looseObject({ type: z.literal('function'), name: id, parameters: z.looseObject({}) })

export const Preview = z.looseObject({
  config: Config,
  system_prompt: text,
  prompt_messages: z.array(z.looseObject({ role: text })),
  canonical_tool_schemas: z.array(FlatTool),
  provider_tool_schemas: z.array(z.looseObject({})),
  user_message_full: z.looseObject({ content: text, metadata: z.looseObject({}) }).nullable(),
  prompt_token_count: whole.nullable(),
  token_count_error: text.nullable(),
})

export const Plan = Preview.extend({
  query_message: z.looseObject({
    type: z.literal('query'),
    payload: z.looseObject({ text, conversation_ref: text, workspace_path: text.optional() }),
  }),
  transparency_events: z.array(z.looseObject({ type: text, payload: z.looseObject({}) })),
})

/** The document names no statuses; `runs:states` requires those that clients use. */
export const Run = z.looseObject({
  run_id: id,
  status: id,
  control_mode: z.enum(['agent_only', 'shared_control', 'human_override']),
  conversation_ref: id,
})

export const RunEvent = z.looseObject({
  seq: z.int().positive(),
  timestamp: text,
  event_type: id,
  source: id,
  payload: z.looseObject({}),
})

export const Heartbeat = z.looseObject({
  worker: z.looseObject({ worker_id: id, workspace_id: id, status: text, last_heartbeat_at: text }),
  assigned_run: z
    .looseObject({ run_id: id, workspace_id: id, conversation_ref: id, query: text, control_mode: text })
    .nullable(),
  control_commands: z.array(z.looseObject({})),
})

export const RunAnswer = z.looseObject({ run: Run })
export const RunEvents = z.looseObject({ run_id: id, events: z.array(RunEvent), next_after_seq: whole })

/** An error: an object with a `detail`. */
export const Detail = z.looseObject({ detail: z.unknown() })

const STATUSES = [400, 401, 403, 404, 409, 413, 415, 422, 503] as const
const HTTP = 'WindieOS API reference, HTTP'

const operation = (
  covers: string,
  answer: ResponseBody,
  body?: z.ZodType,
  more: Partial<Operation> = {},
): Operation => ({
  covers: [covers],
  source: HTTP,
  responses: { ...Object.fromEntries(STATUSES.map((status) => [status, Detail])), 200: answer },
  ...(body && { body }),
  ...more,
})

/** An operation that creates something; the document does not specify 200 or 201. */
const created = (made: Operation): Operation => ({
  ...made,
  responses: { ...made.responses, 201: made.responses[200]! },
})

/** An answer of a picture model, which a server need not have. */
const vision = (covers: string, answer: ResponseBody, body: z.ZodType) =>
  operation(covers, answer, body, { optional: true })

const image = z.looseObject({ artifact_id: text.optional(), image_base64: text.optional() })
const search = {
  image,
  text,
  threshold: z.number().optional(),
  max_results: z.int().optional(),
}
const Target = z.looseObject({ description: text, center: Point })
const ANY = z.looseObject({})

const previewBody = z.looseObject({ user_query_raw: text.optional(), messages: z.array(z.looseObject({})).optional() })

export const event = {
  'streaming-response': z.looseObject({ text }),
  'audio-chunk': z.looseObject({ audio: z.base64(), sample_rate: z.int().positive() }),
  'tool-call': z.looseObject({
    tool_name: id,
    parameters: ANY,
    request_id: id,
    metadata: z.looseObject({ tool_call_id: id }),
  }),
  'tool-output': z.looseObject({
    tool_name: id,
    success: z.boolean(),
    execution_time: z.number(),
    output: z.unknown(),
  }),
  'llm-thought': z.looseObject({ status: text }),
  error: z.looseObject({ message: id }),
  'streaming-complete': z.looseObject({ final_response: text.optional() }),
  'settings-loaded': z.looseObject({ config: Config.extend({ provider_api_keys: z.record(text, z.looseObject({})) }) }),
  'settings-updated': z.looseObject({ updated_keys: z.array(text) }),
  'models-listed': z.looseObject({
    local: z.array(z.looseObject({ id, provider: id, display_name: id })),
    online: z.array(z.looseObject({ id, provider: id, display_name: id })),
    vision: z.array(z.looseObject({ id, provider: id, display_name: id })),
  }),
  'tool-bundle': z.looseObject({
    bundle_id: id,
    tools: z.array(z.looseObject({ name: id, args: ANY })).min(1),
  }),
  'wakeword-activated': z.looseObject({ speech_mode_enabled: z.boolean(), greeting: text, status: text }),
  'wakeword-greeting': z.looseObject({ text }),
  'system-prompt': z.looseObject({ content: text }),
  'user-message-full': z.looseObject({ content: text, metadata: ANY }),
  'assistant-message-full': z.looseObject({ content: text }),
  'tool-schemas': z.looseObject({
    tool_schemas: z.array(
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: id, parameters: ANY }) }),
    ),
  }),
  'token-count': z.looseObject({
    prompt_tokens: whole,
    visible_output_tokens: whole,
    thinking_tokens: whole.nullable(),
    output_tokens_total: whole,
    total_tokens: whole,
    conversation_tokens: whole,
    usage_source: z.enum(['provider', 'estimated']),
  }),
  'client-tool-manifest': z.looseObject({
    accepted: z.array(z.looseObject({ name: id, description: id, execution_target: id })),
    rejected: z.array(z.looseObject({ name: text, reason: id })),
  }),
  'remote-tool-catalog': ANY,
}

const ALONE = ['remote-tool-catalog', 'audio-chunk', 'tool-bundle', 'llm-thought', 'tool-output']
const NUMBERS: Readonly<Record<keyof typeof event, string>> = {
  'streaming-response': 'S01',
  'audio-chunk': 'S02',
  'tool-call': 'S03',
  'tool-output': 'S04',
  'llm-thought': 'S05',
  error: 'S06',
  'streaming-complete': 'S07',
  'settings-loaded': 'S08',
  'settings-updated': 'S09',
  'models-listed': 'S10',
  'tool-bundle': 'S11',
  'wakeword-activated': 'S12',
  'wakeword-greeting': 'S13',
  'system-prompt': 'S14',
  'user-message-full': 'S15',
  'assistant-message-full': 'S16',
  'tool-schemas': 'S17',
  'token-count': 'S18',
  'client-tool-manifest': 'S19',
  'remote-tool-catalog': 'S20',
}

/** A message in its envelope. */
const enveloped = (type: string, payload: z.ZodType) =>
  z.looseObject({ id, type: z.literal(type), payload, timestamp: text.optional() })

/** The flat messages of the transcription socket. */
const transcription = {
  status: z.looseObject({ type: z.literal('status'), client_id: text.regex(/^[0-9a-f]{32}$/) }),
  realtime: z.looseObject({ type: z.literal('realtime'), text, is_final: z.boolean() }),
  utterance_end: z.looseObject({ type: z.literal('utterance_end') }),
}

/** The backend of WindieOS: its routes, its socket and its transcription socket. */
export const windieosContract: Contract = {
  protocol: 'windieos',
  shapes: {
    Artifact,
    Box,
    ConversationRow,
    CurrentUser,
    Detail,
    Embedding,
    Heartbeat,
    ImageFacts,
    Plan,
    Preview,
    RegisteredInstall,
    Run,
    RunAnswer,
    RunEvent,
    RunEvents,
  },
  errors: {
    because: 'The document names some statuses and no body; servers of its kind answer an object with a detail.',
    covers: ['X401', 'X404', 'X422'],
  },
  operations: {
    'POST /api/install/register': operation(
      'H01',
      RegisteredInstall,
      z.looseObject({ operating_system: text.nullish() }),
    ),
    'GET /api/install/me': operation('H36', CurrentUser, undefined, { optional: true }),
    'POST /api/embeddings/': operation('H02', Embedding, z.looseObject({ text, model_name: text.optional() })),
    'GET /api/embeddings/health': operation('H03', Health),
    'POST /api/semantic/summarize': operation(
      'H06',
      z.looseObject({ summary: text, facts: z.array(text), success: z.literal(true) }),
      z.looseObject({ conversations: z.array(text), user_id: text }),
    ),
    'POST /api/semantic/title': operation(
      'H07',
      z.looseObject({ title: text.min(1), success: z.literal(true) }),
      z.looseObject({ user_id: text, user_message: text, assistant_message: text }),
    ),
    'GET /api/semantic/health': operation('H08', z.looseObject({ status: z.literal('healthy'), message: text })),
    'POST /api/artifacts/': created(operation('H09', Artifact)),
    'GET /api/artifacts/{artifact_id}': operation('H10', 'bytes'),
    'POST /api/sdk/ocr/run': operation(
      'H11',
      z.looseObject({ image: ImageFacts, results: z.array(ConversationRow) }),
      z.looseObject({ image }),
    ),
    'POST /api/sdk/ocr/inspect': operation(
      'H12',
      z.looseObject({
        image: ImageFacts,
        results: z.array(ConversationRow),
        ranked_matches: z.array(ConversationRow),
        accepted_matches: z.array(ConversationRow),
        resolved_match: ConversationRow.nullable(),
        resolution_error: z.looseObject({ status_code: z.int(), detail: z.unknown() }).nullable(),
        overlay: Artifact.nullable(),
      }),
      z.looseObject({ ...search, text: text.optional() }),
    ),
    'POST /api/sdk/ocr/find-text': operation('H13', ANY, z.looseObject(search)),
    'POST /api/sdk/ocr/find-text-candidates': operation('H14', ANY, z.looseObject(search)),
    'POST /api/sdk/ocr/resolve-text': operation(
      'H15',
      z.looseObject({ image: ImageFacts, query: text, threshold: z.number(), match: ConversationRow }),
      z.looseObject(search),
    ),
    'POST /api/sdk/ocr/resolve-candidate': operation('H16', ANY, z.looseObject({ image, candidate_id: text })),
    'POST /api/sdk/ocr/overlay': operation('H17', Overlay, z.looseObject({ ...search, text: text.optional() })),
    'POST /api/sdk/vision/locate': vision(
      'H18',
      z.looseObject({ image: ImageFacts, description: text, match: Target }),
      z.looseObject({ image, description: text }),
    ),
    'POST /api/sdk/vision/locate-all': vision(
      'H19',
      z.looseObject({ image: ImageFacts, description: text, matches: z.array(Target) }),
      z.looseObject({ image, description: text, max_results: z.int().optional() }),
    ),
    'POST /api/sdk/vision/describe': vision(
      'H20',
      z.looseObject({ image: ImageFacts, region: Box.nullable(), description: text }),
      z.looseObject({ image, region: Box.optional() }),
    ),
    'POST /api/sdk/vision/overlay': operation('H21', Overlay, z.looseObject({ image, result: ANY })),
    'GET /api/sdk/models': operation('H22', z.looseObject({ config: Config })),
    'GET /api/sdk/tool-schemas': operation(
      'H23',
      z.looseObject({
        canonical_tool_schemas: z.array(FlatTool),
        provider_tool_schemas: z.array(z.looseObject({})),
      }),
    ),
    'GET /api/sdk/tool-capabilities/{tool_name}': operation('H24', ANY),
    'GET /api/sdk/system-prompt': operation('H25', z.looseObject({ config: Config, system_prompt: text.min(1) })),
    'POST /api/sdk/prompt-preview': operation('H26', Preview, previewBody),
    'POST /api/sdk/query-plan': operation('H27', Plan, previewBody),
    'POST /api/runs/': created(
      operation(
        'H28',
        z.looseObject({ run: Run, events: z.array(RunEvent) }),
        z.looseObject({ workspace_id: text, query: text }),
      ),
    ),
    'GET /api/runs/{run_id}': operation('H29', ANY),
    'GET /api/runs/{run_id}/events': operation('H30', RunEvents),
    'POST /api/runs/workers/heartbeat': operation(
      'H31',
      Heartbeat,
      z.looseObject({ workspace_id: text, worker_id: text, status: text }),
    ),
    'POST /api/runs/{run_id}/control': operation('H32', ANY, z.looseObject({ action: text })),
    'POST /api/runs/stop-all': operation(
      'H33',
      z.looseObject({ stopped_run_ids: z.array(text), count: whole }),
      z.looseObject({ workspace_id: text.nullish() }),
    ),
    'POST /api/runs/{run_id}/worker-dispatched': operation(
      'H34',
      ANY,
      z.looseObject({ worker_id: text, user_id: text, turn_ref: text }),
    ),
    'POST /api/runs/{run_id}/events': operation(
      'H35',
      ANY,
      z.looseObject({ event_type: text, source: text, payload: ANY }),
    ),
  },
  events: {
    ...Object.fromEntries(
      Object.entries(event).map(([type, payload]) => [
        type,
        {
          covers: [NUMBERS[type as keyof typeof event]],
          source: 'WindieOS API reference, backend to client messages',
          schema:
            type === 'error'
              ? z.union([enveloped(type, payload), z.looseObject({ type: z.literal('error'), message: text })])
              : enveloped(type, payload),
          ...(ALONE.includes(type) && { optional: true }),
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(transcription).map(([type, schema], at) => [
        type,
        {
          covers: [['T05', 'T06', 'T07'][at]!],
          source: 'WindieOS API reference, transcription',
          schema,
          ...(type !== 'status' && { optional: true }),
        },
      ]),
    ),
  },
  messages: {},
}
