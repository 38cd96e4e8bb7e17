import * as z from 'zod'
import { Settings } from './wire.ts'

/** The response bodies (WindieOS document, "HTTP API"). */

const Facts = z.record(z.string(), z.unknown())
const count = z.int().min(0)

/** An error: a sentence, an object with choices, or a list of validation errors. */
export const ErrorResponse = z
  .strictObject({
    detail: z.union([
      z.string(),
      z.array(z.strictObject({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() })),
      z.looseObject({ message: z.string() }),
    ]),
  })
  .meta({ id: 'Problem' })

const identity = { success: z.literal(true), user_id: z.string(), install_id: z.string() }
export const RegisterResponse = z.strictObject({ ...identity, install_token: z.string() })
export const IdentityResponse = z.strictObject(identity)

const artifact = {
  artifact_id: z.string(),
  content_type: z.string(),
  size_bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  url: z.url(),
}
export const ArtifactResponse = z.strictObject(artifact)

const space = {
  provider_id: z.string(),
  model_id: z.string(),
  model_name: z.string(),
  dimension: z.int().min(1),
  embedding_space_version: z.string(),
}
export const EmbeddingResponse = z.strictObject({ embedding: z.array(z.number()), ...space })
export const EmbeddingHealth = z.strictObject({ status: z.string(), ...space })

export const SummaryResponse = z.strictObject({
  summary: z.string(),
  facts: z.array(z.string()),
  success: z.literal(true),
})
export const TitleResponse = z.strictObject({ title: z.string(), success: z.literal(true) })
export const SemanticHealth = z.strictObject({ status: z.string(), message: z.string() })

const Metadata = z
  .strictObject({
    source_id: z.string(),
    artifact_id: z.string().nullable(),
    content_type: z.string(),
    width: z.int().min(1),
    height: z.int().min(1),
  })
  .meta({ id: 'PictureFacts' })
const Point = z.strictObject({ x: z.int(), y: z.int() })
const Box = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
const Row = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    confidence: z.number().min(0).max(1),
    bbox: Box,
    center: Point,
    candidate_id: z.string().regex(/^ocr_[0-9a-f]{12}$/),
    score: z.number().min(0).max(1).nullable(),
  })
  .meta({ id: 'OcrRow' })
const Target = z.strictObject({ description: z.string(), center: Point, rank: z.int().min(1) })
const image = { image: Metadata }

export const OcrRows = z.strictObject({ ...image, results: z.array(Row) })
export const OcrMatches = z.strictObject({ ...image, query: z.string(), threshold: z.number(), matches: z.array(Row) })
export const OcrMatch = z.strictObject({ ...image, query: z.string(), threshold: z.number(), match: Row })
export const OcrCandidate = z.strictObject({ ...image, candidate_id: z.string(), match: Row })
export const Overlay = z.strictObject({ ...image, ...artifact, annotation_count: count }).meta({ id: 'Overlay' })
export const OcrInspection = z.strictObject({
  ...image,
  query: z.string().nullable(),
  threshold: z.number(),
  results: z.array(Row),
  ranked_matches: z.array(Row),
  accepted_matches: z.array(Row),
  resolved_match: Row.nullable(),
  resolution_error: z.strictObject({ status_code: z.int(), detail: z.unknown() }).nullable(),
  overlay: Overlay.nullable(),
})
export const LocateResponse = z.strictObject({ ...image, description: z.string(), match: Target })
export const LocateAllResponse = z.strictObject({ ...image, description: z.string(), matches: z.array(Target) })
export const DescribeResponse = z.strictObject({ ...image, region: Box.nullable(), description: z.string() })

const Snapshot = Settings.pick({
  model_mode: true,
  model_provider: true,
  selected_model_id: true,
  interaction_mode: true,
})
const config = { config: Snapshot }
const Tool = z
  .strictObject({
    type: z.literal('function'),
    name: z.string(),
    description: z.string(),
    parameters: Facts,
  })
  .meta({ id: 'ToolSchema' })
export const ModelsResponse = z.strictObject({
  ...config,
  models: z.array(z.looseObject({ id: z.string(), provider: z.string(), display_name: z.string() })),
})
const schemas = { canonical_tool_schemas: z.array(Tool), provider_tool_schemas: z.array(Tool) }
export const ToolSchemas = z.strictObject({ ...config, ...schemas })
export const Capability = z.strictObject({
  ...config,
  capability: Facts,
  canonical_tool_schema: Tool.optional(),
  provider_tool_schema: Tool.optional(),
})
export const SystemPrompt = z.strictObject({ ...config, system_prompt: z.string() })
const preview = {
  ...config,
  ...schemas,
  system_prompt: z.string(),
  prompt_messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  user_message_full: z
    .strictObject({
      content: z.string(),
      metadata: z.strictObject({
        original_query: z.string(),
        context_type: z.literal('initial'),
        injected_context: z.string(),
        active_window: z.string().nullable(),
      }),
    })
    .nullable(),
  prompt_token_count: count.nullable(),
  token_count_error: z.string().nullable(),
}
export const PromptPreviewResponse = z.strictObject(preview)
export const QueryPlanResponse = z.strictObject({
  ...preview,
  query_message: z.strictObject({ type: z.literal('query'), payload: Facts }),
  transparency_events: z.array(z.strictObject({ type: z.string(), payload: Facts })),
})

const Run = z
  .strictObject({
    run_id: z.string(),
    workspace_id: z.string(),
    agent_id: z.string().nullable(),
    query: z.string(),
    requested_by: z.string().nullable(),
    files: z.array(Facts),
    metadata: Facts,
    status: z.enum(['awaiting_worker', 'queued', 'running', 'paused', 'completed', 'failed', 'stopped']),
    control_mode: z.enum(['agent_only', 'shared_control', 'human_override']),
    conversation_ref: z.string(),
    worker_id: z.string().nullable(),
    vm_id: z.string().nullable(),
    user_id: z.string().nullable(),
    session_id: z.string().nullable(),
    query_message_id: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Run' })
const Event = z
  .strictObject({
    seq: z.int().min(1),
    timestamp: z.iso.datetime(),
    event_type: z.string(),
    source: z.string(),
    payload: Facts,
  })
  .meta({ id: 'RunEvent' })
export const RunCreated = z.strictObject({ run: Run, events: z.array(Event) })
export const RunRead = z.strictObject({ run: Run })
export const RunChanged = z.strictObject({ run: Run, latest_event: Event })
export const RunEvents = z.strictObject({ run_id: z.string(), events: z.array(Event), next_after_seq: count })
export const HeartbeatResponse = z.strictObject({
  worker: z.looseObject({ worker_id: z.string(), last_heartbeat_at: z.iso.datetime() }),
  assigned_run: Run.pick({
    run_id: true,
    workspace_id: true,
    agent_id: true,
    conversation_ref: true,
    query: true,
    requested_by: true,
    files: true,
    metadata: true,
    control_mode: true,
  }).nullable(),
  control_commands: z.array(Facts),
})
export const StopAllResponse = z.strictObject({
  workspace_id: z.string().nullable(),
  stopped_run_ids: z.array(z.string()),
  count,
})
