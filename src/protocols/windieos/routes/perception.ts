import type { FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import { intersect, type Rect } from '../../../desktop/model/geometry.ts'
import { type Annotation, annotate } from '../../../paint/annotations/set-of-marks.ts'
import type { Picture } from '../../../paint/picture.ts'
import type { LocatedTarget, Ocr, VisionLocator } from '../../../perception/perception.ts'
import type { Answer, Route } from '../../http/route.ts'
import { openImage, type RequestImage } from '../artifacts.ts'
import type { Identity } from '../context.ts'
import { status } from '../errors.ts'
import { findCandidate, type OcrRow, rankBySimilarity, resolveText, toOcrRows } from '../ocr-rows.ts'
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
} from '../requests.ts'
import {
  DescribeResponse,
  LocateAllResponse,
  LocateResponse,
  OcrCandidate,
  OcrInspection,
  OcrMatch,
  OcrMatches,
  OcrRows,
  Overlay,
} from '../responses.ts'
import { answers, artifactBody, artifactReader, identify, type RouteContext, route } from '../route.ts'

const DEFAULT_THRESHOLD = 0.8
const DEFAULT_MAX_RESULTS = 10
const MAX_CACHED_PICTURES = 32

/** A route about one picture: identifies the caller, validates the body, then opens the picture. */
const pictureRoute = <Asked extends { readonly image: ImageInput }, Response extends z.ZodType>(
  path: string,
  summary: string,
  [body, response, ...problems]: readonly [z.ZodType<Asked>, Response, ...(readonly number[])],
  answer: (
    server: RouteContext,
    image: RequestImage,
    asked: Asked,
    caller: Caller,
  ) => Promise<Answer<{ readonly 200: Response }>>,
): Route<RouteContext> =>
  route(
    { method: 'post', path: `/api/sdk/${path}`, summary, body, responses: answers(response, 404, ...problems) },
    async (server, { body, request }) => {
      const identity = identify(server, request)
      const asked = body()
      const image = await openImage(server.artifacts, asked.image, artifactReader(server, identity))
      return answer(server, image, asked, { identity, request })
    },
  )

/** OCR and vision routes (WindieOS document, "Perception"). Callers are identified before a picture is opened. */
export const PERCEPTION_ROUTES: readonly Route<RouteContext>[] = [
  pictureRoute('ocr/run', 'All text of a picture.', [OcrRun, OcrRows], async ({ readRows }, image) => ({
    image: image.metadata,
    results: await readRows(image),
  })),

  pictureRoute(
    'ocr/inspect',
    'All text, and the matches of a query.',
    [Inspect, OcrInspection],
    async (server, image, { text, include_overlay, show_labels, ...asked }, caller) => {
      const { threshold, maxResults } = limitsOf(asked)
      const results = await server.readRows(image)
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
        overlay: include_overlay ? await overlay(server, image, marked, show_labels ?? true, caller) : null,
      }
    },
  ),

  pictureRoute('ocr/find-text', 'Text similar to a query.', [Search, OcrMatches], (server, image, asked) =>
    search(server, image, asked, limitsOf(asked).threshold),
  ),

  // Without a threshold, the request includes weak candidates.
  pictureRoute(
    'ocr/find-text-candidates',
    'All text, most similar first.',
    [Search, OcrMatches],
    (server, image, asked) => search(server, image, asked, asked.threshold ?? 0),
  ),

  pictureRoute(
    'ocr/resolve-text',
    'The only match of a query.',
    [Search, OcrMatch, 409],
    async ({ readRows }, image, { text: query, ...asked }) => {
      const { threshold } = limitsOf(asked)
      return { image: image.metadata, query, threshold, match: resolveText(await readRows(image), query, threshold) }
    },
  ),

  pictureRoute(
    'ocr/resolve-candidate',
    'A row by its candidate id.',
    [ResolveCandidate, OcrCandidate],
    async ({ readRows }, image, { candidate_id }) => ({
      image: image.metadata,
      candidate_id,
      match: findCandidate(await readRows(image), candidate_id),
    }),
  ),

  pictureRoute(
    'ocr/overlay',
    'The picture with framed text.',
    [OcrOverlay, Overlay],
    async (server, image, { text, candidate_id, show_labels, ...asked }, caller) => {
      const { threshold, maxResults } = limitsOf(asked)
      const rows = await server.readRows(image)
      const found = text ? rankBySimilarity(rows, text).filter(({ score }) => score >= threshold) : rows
      const chosen = candidate_id
        ? [findCandidate(rows, candidate_id)]
        : found.slice(0, text ? maxResults : (asked.max_results ?? undefined))
      return overlay(server, image, chosen, show_labels ?? true, caller)
    },
  ),

  pictureRoute(
    'vision/locate',
    'The position of an element.',
    [Locate, LocateResponse],
    async ({ locator }, image, { description }) => {
      const [best] = await requireVision(locator).locate(image.picture, description)
      if (!best) throw new Fault('ElementNotFound', `nothing in the picture is ${JSON.stringify(description)}`)
      return { image: image.metadata, description, match: targetOf(best, 0) }
    },
  ),

  pictureRoute(
    'vision/locate-all',
    'The position of an element, as a list.',
    [LocateAll, LocateAllResponse],
    async ({ locator }, image, { description }) => {
      const found = await requireVision(locator).locate(image.picture, description)
      // The document specifies only the best match, as a list of one.
      return { image: image.metadata, description, matches: found.slice(0, 1).map(targetOf) }
    },
  ),

  pictureRoute(
    'vision/describe',
    'A description of a picture or a part of it.',
    [Describe, DescribeResponse],
    async ({ locator }, image, { region }) => {
      const part = region ? partOf(image, region) : undefined
      const { width, height } = part ?? image.metadata
      return {
        image: { ...image.metadata, width, height },
        region: part ? { x: 0, y: 0, width, height } : null,
        description: await requireVision(locator).describe(image.picture, part),
      }
    },
  ),

  pictureRoute(
    'vision/overlay',
    'The picture with points and regions.',
    [VisionOverlay, Overlay],
    async (server, image, { result, show_labels }, caller) => {
      const labelled = show_labels ?? true
      const marks = [...(result.regions ?? []), ...(result.points ?? [])].map(
        ({ label, color, ...at }): Annotation => ({
          at,
          ...(label && labelled && { label }),
          ...(color && { colour: color }),
        }),
      )
      return save(server, image, { picture: annotate(image.picture, marks), count: marks.length }, caller)
    },
  ),
]

/** Saves an annotated picture as an artifact of the caller. */
async function save(
  { artifacts }: RouteContext,
  image: RequestImage,
  { picture, count }: { readonly picture: Picture; readonly count: number },
  { identity, request }: Caller,
) {
  const artifact = await artifacts.save(await picture.png(), 'image/png', identity.userId)
  return { image: image.metadata, ...artifactBody(artifact, request), annotation_count: count }
}

function overlay(server: RouteContext, image: RequestImage, rows: readonly OcrRow[], labels: boolean, caller: Caller) {
  const frames = rows.map((row) => frameOf(row, labels))
  return save(server, image, { picture: annotate(image.picture, frames), count: rows.length }, caller)
}

/** The rows similar to a text, with a score of at least `minScore`. */
async function search(
  { readRows }: RouteContext,
  image: RequestImage,
  { text: query, ...asked }: z.output<typeof Search>,
  minScore: number,
) {
  const { threshold, maxResults } = limitsOf(asked)
  const matches = rankBySimilarity(await readRows(image), query).filter(({ score }) => score >= minScore)
  return { image: image.metadata, query, threshold, matches: matches.slice(0, maxResults) }
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
export function ocrReader(ocr: Ocr | undefined): (image: RequestImage) => Promise<readonly OcrRow[]> {
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
