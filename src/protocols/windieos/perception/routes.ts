import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import { intersect, type Rect } from '../../../desktop/model/geometry.ts'
import { type Annotation, annotate } from '../../../paint/annotate.ts'
import type { Picture } from '../../../paint/picture.ts'
import type { LocatedTarget, Ocr, Perception, VisionLocator } from '../../../perception/perception.ts'
import { openImage, type RequestImage } from '../artifacts/images.ts'
import type { ServerContext } from '../context.ts'
import { status } from '../errors.ts'
import {
  Describe,
  type ImageInput,
  Inspect,
  Locate,
  LocateAll,
  OcrOverlay,
  OcrRun,
  ResolveCandidate,
  Search,
  VisionOverlay,
  validateBody,
} from '../requests.ts'
import { artifactBody, artifactReader, identify } from '../routes.ts'
import type { Identity } from '../users/identity.ts'
import { findCandidate, type OcrRow, rankBySimilarity, resolveText, toOcrRows } from './ocr-rows.ts'

const DEFAULT_THRESHOLD = 0.8
const DEFAULT_MAX_RESULTS = 10
const MAX_CACHED_PICTURES = 32

/** OCR and vision routes (WindieOS document, "Perception"). Callers are identified before a picture is opened. */
export function perceptionRoutes(app: FastifyInstance, server: ServerContext, { ocr, locator }: Perception): void {
  const { artifacts } = server
  const read = reader(ocr)

  /** A route about one picture: identifies the caller, validates the body, then opens the picture. */
  const route = <Schema extends z.ZodType<{ readonly image: ImageInput }>>(
    path: string,
    schema: Schema,
    answer: (image: RequestImage, asked: z.output<Schema>, caller: Caller) => Promise<unknown>,
  ) =>
    app.post(`/api/sdk/${path}`, async (request) => {
      const identity = identify(server, request)
      const asked = validateBody(schema, request.body)
      const image = await openImage(artifacts, asked.image, artifactReader(server, identity))
      return answer(image, asked, { identity, request })
    })

  async function save(image: RequestImage, picture: Picture, count: number, { identity, request }: Caller) {
    const artifact = await artifacts.save(await picture.png(), 'image/png', identity.userId)
    return { image: image.metadata, ...artifactBody(artifact, request), annotation_count: count }
  }

  function overlay(image: RequestImage, rows: readonly OcrRow[], labels: boolean, caller: Caller) {
    const frames = rows.map((row) => frameOf(row, labels))
    return save(image, annotate(image.picture, frames), rows.length, caller)
  }

  route('ocr/run', OcrRun, async (image) => ({ image: image.metadata, results: await read(image) }))

  route('ocr/inspect', Inspect, async (image, { text, include_overlay, show_labels, ...asked }, caller) => {
    const { threshold, maxResults } = limitsOf(asked)
    const results = await read(image)
    const matches = text ? rankBySimilarity(results, text) : []
    const accepted = matches.filter(({ score }) => score >= threshold).slice(0, maxResults)
    const { match, error } = text ? tryResolve(() => resolveText(results, text, threshold)) : {}
    const marked = text ? accepted : results
    return {
      image: image.metadata,
      query: text ?? null,
      threshold,
      results,
      ranked_matches: matches.slice(0, maxResults),
      accepted_matches: accepted,
      resolved_match: match ?? null,
      resolution_error: error ?? null,
      overlay: include_overlay ? await overlay(image, marked, show_labels ?? true, caller) : null,
    }
  })

  /** The rows similar to a text, with a score of at least `minScore`. */
  const search = async (image: RequestImage, { text: query, ...asked }: z.output<typeof Search>, minScore: number) => {
    const { threshold, maxResults } = limitsOf(asked)
    const matches = rankBySimilarity(await read(image), query).filter(({ score }) => score >= minScore)
    return { image: image.metadata, query, threshold, matches: matches.slice(0, maxResults) }
  }

  route('ocr/find-text', Search, (image, asked) => search(image, asked, limitsOf(asked).threshold))

  // Without a threshold, the request includes weak candidates.
  route('ocr/find-text-candidates', Search, (image, asked) => search(image, asked, asked.threshold ?? 0))

  route('ocr/resolve-text', Search, async (image, { text: query, ...asked }) => {
    const { threshold } = limitsOf(asked)
    return { image: image.metadata, query, threshold, match: resolveText(await read(image), query, threshold) }
  })

  route('ocr/resolve-candidate', ResolveCandidate, async (image, { candidate_id }) => ({
    image: image.metadata,
    candidate_id,
    match: findCandidate(await read(image), candidate_id),
  }))

  route('ocr/overlay', OcrOverlay, async (image, { text, candidate_id, show_labels, ...asked }, caller) => {
    const { threshold, maxResults } = limitsOf(asked)
    const rows = await read(image)
    const found = text ? rankBySimilarity(rows, text).filter(({ score }) => score >= threshold) : rows
    const chosen = candidate_id
      ? [findCandidate(rows, candidate_id)]
      : found.slice(0, text ? maxResults : (asked.max_results ?? undefined))
    return overlay(image, chosen, show_labels ?? true, caller)
  })

  route('vision/locate', Locate, async (image, { description }) => {
    const [best] = await requireVision(locator).locate(image.picture, description)
    if (!best) throw new Fault('ElementNotFound', `nothing in the picture is ${JSON.stringify(description)}`)
    return { image: image.metadata, description, match: targetOf(best, 0) }
  })

  route('vision/locate-all', LocateAll, async (image, { description }) => {
    const found = await requireVision(locator).locate(image.picture, description)
    // The document specifies only the best match, as a list of one.
    return { image: image.metadata, description, matches: found.slice(0, 1).map(targetOf) }
  })

  route('vision/describe', Describe, async (image, { region }) => {
    const part = region ? partOf(image, region) : undefined
    const { width, height } = part ?? image.metadata
    return {
      image: { ...image.metadata, width, height },
      region: part ? { x: 0, y: 0, width, height } : null,
      description: await requireVision(locator).describe(image.picture, part),
    }
  })

  route('vision/overlay', VisionOverlay, async (image, { result, show_labels }, caller) => {
    const labelled = show_labels ?? true
    const marks = [...(result.regions ?? []), ...(result.points ?? [])].map(
      ({ label, color, ...at }): Annotation => ({
        at,
        ...(label && labelled && { label }),
        ...(color && { colour: color }),
      }),
    )
    return save(image, annotate(image.picture, marks), marks.length, caller)
  })
}

/** The identity and the request of a caller. */
interface Caller {
  readonly identity: Identity
  readonly request: FastifyRequest
}

const limitsOf = (asked: {
  readonly threshold?: number | null | undefined
  readonly max_results?: number | null | undefined
}) => ({
  threshold: asked.threshold ?? DEFAULT_THRESHOLD,
  maxResults: asked.max_results ?? DEFAULT_MAX_RESULTS,
})

/** Reads pictures and caches the rows of the latest ones, because clients send several requests per picture. */
function reader(ocr: Ocr | undefined): (image: RequestImage) => Promise<readonly OcrRow[]> {
  const cache = new Map<string, Promise<readonly OcrRow[]>>()
  return (image) => {
    if (!ocr) throw new Fault('PlatformUnsupported', 'text recognition is not configured', unavailable('ocr'))
    const rows = cache.get(image.sha256) ?? ocr.read(image.picture).then(toOcrRows)
    cache.delete(image.sha256)
    cache.set(image.sha256, rows)
    rows.catch(() => cache.delete(image.sha256))
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED_PICTURES && oldest !== undefined) cache.delete(oldest)
    return rows
  }
}

function requireVision(locator: VisionLocator | undefined): VisionLocator {
  if (locator) return locator
  throw new Fault('PlatformUnsupported', 'vision is not configured', unavailable('vision'))
}

const unavailable = (capability: string) => ({
  detail: { message: `${capability} is not available on this server`, capability },
})

/** Returns expected errors of resolving, so that they appear beside the matches. */
function tryResolve(work: () => OcrRow) {
  try {
    return { match: work() }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    return { error: { status_code: status[thrown.code], detail: thrown.context.detail ?? thrown.message } }
  }
}

const frameOf = ({ bbox, text }: OcrRow, labels: boolean): Annotation => ({ at: bbox, ...(labels && { label: text }) })

const targetOf = ({ description, center }: LocatedTarget, rank: number) => ({
  description,
  center: { x: Math.round(center.x), y: Math.round(center.y) },
  rank: rank + 1,
})

/** The part of the picture that a region covers. Throws `BadRequest` if it begins outside. */
function partOf({ metadata: { width, height } }: RequestImage, region: Rect): Rect {
  const whole = { x: 0, y: 0, width, height }
  const inside = region.x >= 0 && region.y >= 0 && region.x < width && region.y < height
  const part = inside ? intersect(region, whole) : undefined
  if (part) return part
  throw new Fault('BadRequest', `the region must begin inside the picture, which has ${width} × ${height} pixels`)
}
