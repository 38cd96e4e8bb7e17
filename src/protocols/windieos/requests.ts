import * as z from 'zod'
import { problemWords } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { readJson } from '../http/app.ts'
import { AgentDefinition } from './wire.ts'

/** The request bodies, in the spelling of the document (WindieOS document, "HTTP API"). Unknown keys are errors. */

export const Register = z.strictObject({ operating_system: z.string().max(256).nullish() })

/** Parses and validates a body. Throws `BadRequest` with one entry per problem. */
export function validateBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return validate(schema, readJson(body), 'body')
}

/** Validates a query string. Throws `BadRequest` with one entry per problem. */
export const validateQuery = <Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> =>
  validate(schema, query, 'query')

function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Fault('BadRequest', 'the request is invalid', {
    detail: result.error.issues.map((issue) => ({
      loc: [where, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))],
      msg: problemWords(issue),
      type: issue.code,
    })),
  })
}

const text = (maxLength: number) => z.string().max(maxLength)

/** A picture in a request: an artifact or base64, exactly one of them. */
export const ImageInput = z
  .strictObject({ artifact_id: z.string().min(1).nullish(), image_base64: z.string().min(1).nullish() })
  .refine(
    ({ artifact_id, image_base64 }) => (artifact_id == null) !== (image_base64 == null),
    'give exactly one of artifact_id and image_base64',
  )
  .meta({ id: 'ImageInput' })
export type ImageInput = z.infer<typeof ImageInput>

const image = { image: ImageInput }
const Query = text(2000).min(1)
const threshold = z.number().min(0).max(1).nullish()
const max_results = z.int().min(1).max(1000).nullish()
const show_labels = z.boolean().nullish()
const search = { ...image, text: Query, threshold, max_results }
const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be #rrggbb')

/** The bodies of the routes below `/api/sdk/ocr` and `/api/sdk/vision`. */
export const OcrRun = z.strictObject(image)
export const Inspect = z.strictObject({
  ...search,
  text: Query.nullish(),
  include_overlay: z.boolean().nullish(),
  show_labels,
})
export const Search = z.strictObject(search)
export const ResolveCandidate = z.strictObject({ ...image, candidate_id: text(64).min(1) })
export const OcrOverlay = z.strictObject({
  ...search,
  text: Query.nullish(),
  candidate_id: text(64).nullish(),
  show_labels,
})
export const Locate = z.strictObject({ ...image, description: Query })
export const LocateAll = z.strictObject({ ...image, description: Query, max_results })
const Region = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
export const Describe = z.strictObject({ ...image, region: Region.nullish() })
export const VisionOverlay = z.strictObject({
  ...image,
  result: z.looseObject({
    points: z
      .array(z.looseObject({ x: z.number(), y: z.number(), label: z.string().nullish(), color: Colour.nullish() }))
      .max(1000)
      .nullish(),
    regions: z
      .array(z.looseObject({ ...Region.shape, label: z.string().nullish(), color: Colour.nullish() }))
      .max(1000)
      .nullish(),
  }),
  show_labels,
})

const MAX_MESSAGE_BYTES = 32 * 1024
const MAX_EMBEDDED_CHARACTERS = 8192
const MAX_TOTAL_CHARACTERS = 65_536

/** Text of at most 32 KiB of UTF-8. */
const LongText = z
  .string()
  .refine((value) => Buffer.byteLength(value) <= MAX_MESSAGE_BYTES, 'must be at most 32768 bytes')
const UserId = z
  .string()
  .min(1)
  .refine((id) => id !== 'default_user', 'must not be default_user')

/** The bodies of the memory services. */
export const Embed = z.strictObject({ text: text(MAX_EMBEDDED_CHARACTERS), model_name: text(128).nullish() })
export const EmbedMany = z
  .strictObject({ texts: z.array(text(MAX_EMBEDDED_CHARACTERS)).min(1).max(256), model_name: text(128).nullish() })
  .refine(
    ({ texts }) => texts.reduce((sum, { length }) => sum + length, 0) <= MAX_TOTAL_CHARACTERS,
    `must have at most ${MAX_TOTAL_CHARACTERS} characters in total`,
  )
export const Summarize = z.strictObject({ conversations: z.array(LongText).max(100), user_id: UserId })
export const TitleRequest = z.strictObject({
  user_id: UserId,
  user_message: LongText,
  assistant_message: LongText,
  model_id: text(256).nullish(),
  model_provider: text(128).nullish(),
})

const id = text(256).nullish()

/** The overrides of introspection requests. */
export const Overrides = z.strictObject({
  user_id: id,
  model_id: id,
  model_provider: id,
  interaction_mode: z.enum(['chat', 'agent']).nullish(),
})
export type Overrides = z.infer<typeof Overrides>

const preview = {
  ...Overrides.shape,
  include_tools: z.boolean().nullish(),
  workspace_path: z.string().nullish(),
  user_query_raw: z.string().nullish(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).nullish(),
  agent_definition: AgentDefinition.nullish(),
}
export const PromptPreview = z.strictObject(preview)
export type PromptPreview = z.infer<typeof PromptPreview>
export const QueryPlan = z.strictObject({ ...preview, conversation_ref: z.string().nullish() })

const name = z.string().min(1).max(256)
const Facts = z.record(z.string(), z.unknown())

/** The bodies of the runs control plane. */
export const CreateRun = z.strictObject({
  workspace_id: name,
  query: z.string().min(1),
  agent_id: name.nullish(),
  requested_by: name.nullish(),
  files: z
    .array(z.strictObject({ artifact_id: name, filename: z.string().nullish(), content_type: z.string().nullish() }))
    .default([]),
  metadata: Facts.optional(),
})
export type CreateRun = z.infer<typeof CreateRun>

export const EventsQuery = z.strictObject({
  after_seq: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
})

export const Heartbeat = z.strictObject({
  workspace_id: name,
  worker_id: name,
  vm_id: name,
  user_id: name,
  session_id: name,
  agent_id: name.nullish(),
  status: z.string().min(1).max(64),
  metadata: Facts.default({}),
})
export type Heartbeat = z.infer<typeof Heartbeat>

const ControlMode = z.enum(['agent_only', 'shared_control', 'human_override'])
export const ControlRun = z
  .strictObject({
    action: z.enum(['pause', 'resume', 'stop', 'set-control-mode']),
    control_mode: ControlMode.nullish(),
    requested_by: name.nullish(),
  })
  .refine(({ action, control_mode }) => action !== 'set-control-mode' || control_mode != null, {
    path: ['control_mode'],
    message: 'set-control-mode needs a control_mode',
  })
export type ControlRun = z.infer<typeof ControlRun>

export const StopAll = z.strictObject({ workspace_id: z.string().nullish(), requested_by: name.nullish() })

export const WorkerDispatched = z.strictObject({
  worker_id: name,
  user_id: name,
  turn_ref: name,
  conversation_ref: name.nullish(),
})
export type WorkerDispatched = z.infer<typeof WorkerDispatched>

export const RelayEvent = z.strictObject({ event_type: name, source: name, payload: Facts })
export type RelayEvent = z.infer<typeof RelayEvent>
