import { z } from 'zod'
import { Fault } from '../../base/fault.ts'
import { readJson } from '../app.ts'

/** The bodies of the routes, in the spelling of the document (WindieOS document, "HTTP API"). Keys are closed sets. */

export const Register = z.strictObject({ operating_system: z.string().max(256).nullish() })

/** The body as its schema has it. Throws `BadRequest` with one entry for each thing that is wrong. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return read(schema, readJson(body), 'body')
}

/** The query of an address as its schema has it. */
export const readQuery = <Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> =>
  read(schema, query, 'query')

function read<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Fault('BadRequest', 'the request does not fit', {
    detail: result.error.issues.map(({ path, message, code }) => ({
      loc: [where, ...path.map((key) => (typeof key === 'number' ? key : String(key)))],
      msg: message,
      type: code,
    })),
  })
}

const text = (most: number) => z.string().max(most)

/** A picture in a request: an artifact or base64, exactly one of them. */
export const ImageInput = z
  .strictObject({ artifact_id: z.string().min(1).nullish(), image_base64: z.string().min(1).nullish() })
  .refine(
    ({ artifact_id, image_base64 }) => (artifact_id == null) !== (image_base64 == null),
    'give exactly one of artifact_id and image_base64',
  )
export type ImageInput = z.infer<typeof ImageInput>

const image = { image: ImageInput }
const Query = text(2000).min(1)
const threshold = z.number().min(0).max(1).nullish()
const max_results = z.int().min(1).max(1000).nullish()
const show_labels = z.boolean().nullish()
const search = { ...image, text: Query, threshold, max_results }
const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be #rrggbb')

/** The bodies of the routes below `/api/sdk/ocr` and `/api/sdk/vision`. */
export const Run = z.strictObject(image)
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
export const Region = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
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
