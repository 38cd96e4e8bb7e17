import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { decode } from '../../compare/pixels.ts'
import { inside } from '../../compare/tree.ts'
import { fail, notOffered, parseAs } from '../../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { Artifact, Box, ConversationRow, ImageFacts } from '../../windieos/contract.ts'
import { upload } from '../../windieos/driver.ts'
import { check } from '../check.ts'

/** A 640 × 360 picture with the texts "Search Amazon" and "Settings" once, and "Cancel" twice. */
const PICTURE = readFileSync(new URL('../../pictures/buttons.png', import.meta.url))
const WHOLE = { x: 0, y: 0, width: 640, height: 360 }

const stored = (answer: HttpResponse) => {
  assert.ok([200, 201].includes(answer.status), `an upload answers ${answer.status}: ${answer.text}`)
  return answer.json(Artifact)
}

async function picture(http: HttpProbe): Promise<{ readonly artifact_id: string }> {
  const { artifact_id } = stored(await upload(http, PICTURE))
  return { artifact_id }
}

/** Text recognition may be slow, and a backend may not have it. */
async function ask(http: HttpProbe, path: string, body: unknown): Promise<HttpResponse> {
  const answer = await http.post(`/api/sdk/${path}`, body, { timeoutMs: 30_000 })
  if (answer.status === 503 && path.startsWith('ocr/')) notOffered(`${answer.what} answers 503`)
  return answer
}

const SLOW = { timeoutMs: 60_000 }

check('windieos:artifact:round', async ({ http }) => {
  const artifact = stored(await upload(http, PICTURE))
  assert.equal(artifact.size_bytes, PICTURE.length)
  assert.equal(artifact.sha256, createHash('sha256').update(PICTURE).digest('hex'))
  assert.equal(artifact.content_type, 'image/png')
  assert.ok(new URL(artifact.url).pathname.endsWith(`/api/artifacts/${artifact.artifact_id}`), artifact.url)
  const fetched = await http.get(`/api/artifacts/${artifact.artifact_id}`)
  assert.ok(fetched.bytes.equals(PICTURE), 'other bytes come back')
  assert.match(fetched.headers['content-type'] ?? '', /^image\/png/)
})

check('windieos:artifact:status', async ({ http }) => {
  assert.equal((await upload(http, PICTURE)).status, 200)
})

check('windieos:artifact:kinds', async ({ http }) => {
  const { artifact_id } = stored(await upload(http, Buffer.from('%PDF-1.4 nothing'), 'application/pdf'))
  assert.match((await http.get(`/api/artifacts/${artifact_id}`)).headers['content-type'] ?? '', /^application\/pdf/)
})

check('windieos:artifact:unknown', async ({ http, random }) => {
  for (const name of [`${random.word(16)}.png`, '..%2f..%2fetc%2fpasswd', '%2e%2e'])
    assert.equal((await http.get(`/api/artifacts/${name}`)).status, 404, name)
})

check('windieos:artifact:no-file', async ({ http }) => {
  assert.equal((await upload(http, Buffer.from('x'), 'text/plain', 'other')).status, 422)
})

check(
  'windieos:artifact:size',
  async ({ http }) => {
    const answer = await upload(http, Buffer.alloc(26 * 1024 * 1024, 65), 'application/octet-stream').catch(
      () => undefined,
    )
    // A server may close the connection before the client has sent everything.
    if (answer) assert.equal(answer.status, 413)
    stored(await upload(http, Buffer.from('small'), 'text/plain'))
  },
  { ...SLOW, pool: 'dangerous' },
)

check(
  'windieos:image:source',
  async ({ http }) => {
    const { artifact_id } = await picture(http)
    const base64 = PICTURE.toString('base64')
    for (const image of [
      { artifact_id },
      { image_base64: base64 },
      { image_base64: `data:image/png;base64,${base64}` },
    ])
      assert.equal((await ask(http, 'ocr/run', { image })).status, 200, Object.keys(image).join())
    for (const image of [{}, { artifact_id, image_base64: base64 }, { image_base64: 'no picture' }]) {
      const answer = await ask(http, 'ocr/run', { image })
      const { status } = answer
      assert.ok(status >= 400 && status < 500, `${Object.keys(image).join()} answers ${status}`)
    }
  },
  SLOW,
)

check('windieos:image:unknown', async ({ http, random }) => {
  const image = { artifact_id: `${random.word(16)}.png` }
  for (const path of ['ocr/run', 'ocr/overlay']) assert.equal((await ask(http, path, { image })).status, 404, path)
})

/** A named part of a response, or the response itself: the document does not specify which. */
function partOf(answer: HttpResponse, name: string): unknown {
  const json = Object(answer.json()) as Readonly<Record<string, unknown>>
  return json[name] ?? json
}

const Results = z.looseObject({ image: ImageFacts, results: z.array(ConversationRow) })

/** The rows of a response; the document does not specify their name. */
function rowsOf(answer: HttpResponse): readonly z.infer<typeof ConversationRow>[] {
  const json = Object(answer.json()) as Readonly<Record<string, unknown>>
  const rows = json.matches ?? Object.values(json).find(Array.isArray)
  return parseAs(z.array(ConversationRow), rows, `the rows of ${answer.what}`)
}

/** Fails unless a row lies within the picture and its centre in the middle of its box. */
function assertPlaced({ bbox, center, text }: z.infer<typeof ConversationRow>): void {
  assert.ok(inside(WHOLE, bbox), `"${text}" lies outside the picture`)
  assert.ok(Math.abs(bbox.x + bbox.width / 2 - center.x) <= 1, `the centre of "${text}" is not the middle of its box`)
  assert.ok(Math.abs(bbox.y + bbox.height / 2 - center.y) <= 1, `the centre of "${text}" is not the middle of its box`)
}

check(
  'windieos:ocr:run',
  async ({ http }) => {
    const { image, results } = (await ask(http, 'ocr/run', { image: await picture(http) })).json(Results)
    assert.deepEqual([image.width, image.height], [640, 360])
    for (const row of results) assertPlaced(row)
    const words = results.map((row) => row.text).join(' ')
    for (const word of ['Search', 'Settings', 'Cancel'])
      assert.ok(words.includes(word), `"${word}" is not read: ${words}`)
    assert.equal(new Set(results.map((row) => row.candidate_id)).size, results.length, 'a candidate_id repeats')
  },
  SLOW,
)

check(
  'windieos:ocr:find',
  async ({ http }) => {
    const body = { image: await picture(http), text: 'Search Amazon', threshold: 0.8, max_results: 10 }
    const matches = rowsOf(await ask(http, 'ocr/find-text', body))
    assert.ok(matches.length > 0, 'the text is not found')
    for (const row of matches) assert.ok((row.score ?? 0) >= 0.8, `"${row.text}" scores ${row.score}`)
    assert.deepEqual(rowsOf(await ask(http, 'ocr/find-text', { ...body, text: 'Quarterly whale report' })), [])
  },
  SLOW,
)

check(
  'windieos:ocr:candidates',
  async ({ http }) => {
    const body = { image: await picture(http), text: 'Cancel', max_results: 5 }
    const matches = rowsOf(await ask(http, 'ocr/find-text-candidates', body))
    const scores = matches.map((row) => row.score ?? 0)
    assert.deepEqual(
      scores,
      [...scores].sort((one, other) => other - one),
      'the scores do not fall',
    )
    assert.ok(
      matches.length <= 5 && matches.filter((row) => row.text.includes('Cancel')).length >= 2,
      'both are to be listed',
    )
  },
  SLOW,
)

const Resolved = z.looseObject({ match: ConversationRow })

check(
  'windieos:ocr:resolve',
  async ({ http }) => {
    const body = { image: await picture(http), text: 'Settings', threshold: 0.8 }
    const { match } = (await ask(http, 'ocr/resolve-text', body)).json(Resolved)
    assertPlaced(match)
    // The word is on the button at 340,110 of 240 × 56 pixels.
    assert.ok(inside({ x: 340, y: 110, width: 240, height: 56 }, match.bbox), JSON.stringify(match.bbox))
  },
  SLOW,
)

check(
  'windieos:ocr:ambiguous',
  async ({ http }) => {
    const image = await picture(http)
    const twice = await ask(http, 'ocr/resolve-text', { image, text: 'Cancel', threshold: 0.8 })
    assert.equal(twice.status, 409)
    const never = await ask(http, 'ocr/resolve-text', { image, text: 'Quarterly whale report', threshold: 0.8 })
    assert.equal(never.status, 404)
  },
  SLOW,
)

check(
  'windieos:ocr:choices',
  async ({ http }) => {
    const image = await picture(http)
    const twice = await ask(http, 'ocr/resolve-text', { image, text: 'Cancel', threshold: 0.8 })
    assert.ok(twice.text.includes('resolver_payload'), 'the choices are not reported')
  },
  SLOW,
)

check(
  'windieos:ocr:matches',
  async ({ http }) => {
    const body = { image: await picture(http), text: 'Settings', threshold: 0.8, max_results: 10 }
    const shape = z.looseObject({ image: ImageFacts, query: z.string(), matches: z.array(ConversationRow) })
    for (const path of ['ocr/find-text', 'ocr/find-text-candidates'])
      assert.equal((await ask(http, path, body)).json(shape).query, 'Settings')
  },
  SLOW,
)

check(
  'windieos:ocr:candidate-unknown',
  async ({ http, random }) => {
    const body = { image: await picture(http), candidate_id: `ocr_${random.word(12)}` }
    assert.equal((await ask(http, 'ocr/resolve-candidate', body)).status, 404)
  },
  SLOW,
)

check(
  'windieos:ocr:candidate',
  async ({ http, random }) => {
    const image = await picture(http)
    const { results } = (await ask(http, 'ocr/run', { image })).json(Results)
    const row = random.pick(results)
    const answer = await ask(http, 'ocr/resolve-candidate', { image, candidate_id: row.candidate_id })
    const match = partOf(answer, 'match')
    const { bbox, center } = parseAs(
      ConversationRow.pick({ bbox: true, center: true }),
      match,
      'the resolved candidate',
    )
    assert.deepEqual([bbox, center], [row.bbox, row.center])
  },
  SLOW,
)

const Inspected = z.looseObject({
  results: z.array(ConversationRow),
  ranked_matches: z.array(ConversationRow),
  accepted_matches: z.array(ConversationRow),
  resolved_match: ConversationRow.nullable(),
  resolution_error: z.looseObject({ status_code: z.int() }).nullable(),
  overlay: Artifact.nullable(),
})

check(
  'windieos:ocr:inspect',
  async ({ http }) => {
    const image = await picture(http)
    const inspect = async (text: string) =>
      (await ask(http, 'ocr/inspect', { image, text, threshold: 0.8, include_overlay: true })).json(Inspected)
    const found = await inspect('Settings')
    assert.equal(found.resolution_error, null)
    const ids = found.results.map((row) => row.candidate_id)
    for (const row of found.ranked_matches) assert.ok(ids.includes(row.candidate_id), 'a match is not a row')
    for (const row of found.accepted_matches) assert.ok((row.score ?? 0) >= 0.8)
    assert.ok(found.overlay, 'the overlay is missing')
    const twice = await inspect('Cancel')
    assert.deepEqual([twice.resolved_match, twice.resolution_error?.status_code], [null, 409])
    assert.equal((await inspect('Quarterly whale report')).resolution_error?.status_code, 404)
  },
  SLOW,
)

/** Fails unless the overlay can be fetched and has the size of the picture. */
async function assertOverlay({ http }: TestContext, answer: HttpResponse, annotations: number): Promise<void> {
  const overlay = answer.json(Artifact.extend({ annotation_count: z.int() }))
  assert.ok(overlay.annotation_count >= annotations, `${overlay.annotation_count} annotations`)
  const { bytes } = await http.get(`/api/artifacts/${overlay.artifact_id}`)
  const { width, height } = decode(bytes.toString('base64'), 'the overlay')
  assert.deepEqual([width, height], [640, 360])
  assert.equal(overlay.sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.ok(!bytes.equals(PICTURE), 'no annotation is drawn')
}

check(
  'windieos:ocr:overlay',
  async (context) => {
    const answer = await ask(context.http, 'ocr/overlay', { image: await picture(context.http), show_labels: true })
    await assertOverlay(context, answer, 1)
  },
  SLOW,
)

/** A picture to be looked at, with its size and something that is on it. */
interface Sight {
  readonly image: { readonly artifact_id: string }
  readonly width: number
  readonly height: number
  readonly description: string
}

const OWN = { width: WHOLE.width, height: WHOLE.height, description: 'the Settings button' }

const Screen = z.strictObject({ url: z.url(), shows: z.string() })

/**
 * The suite's picture and the picture of the profile, because some servers recognise only their own screen. Its
 * address responds with a PNG file, or with JSON that has one as base64 in `data`.
 */
async function sights({ http, profile }: TestContext): Promise<readonly Sight[]> {
  const own = { image: await picture(http), ...OWN }
  if (!profile.has('screen')) return [own]
  const { url, shows } = profile.known('screen', Screen)
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  const isPng = bytes[0] === 0x89
  const data = isPng
    ? bytes.toString('base64')
    : z.looseObject({ data: z.string() }).parse(JSON.parse(String(bytes))).data
  const { width, height } = decode(data, `the picture at ${url}`)
  const { artifact_id } = stored(await upload(http, Buffer.from(data, 'base64')))
  return [own, { image: { artifact_id }, width, height, description: shows }]
}

const Point = z.looseObject({ x: z.number(), y: z.number() })

/** The point in a response; the document does not specify its field names. */
function pointOf(found: unknown, what: string): z.infer<typeof Point> {
  const { center = found } = Object(found) as Readonly<Record<string, unknown>>
  return parseAs(Point, center, `the point of ${what}`)
}

check(
  'windieos:vision:locate',
  async (context) => {
    for (const { image, width, height, description } of await sights(context)) {
      const answer = await ask(context.http, 'vision/locate', { image, description })
      const all = await ask(context.http, 'vision/locate-all', { image, description })
      assert.equal(answer.status, all.status)
      if (answer.status === 503) {
        answer.json(z.looseObject({ detail: z.unknown() }))
        continue
      }
      const center = pointOf(partOf(answer, 'match'), answer.what)
      const whole = { x: 0, y: 0, width, height }
      assert.ok(inside(whole, { ...center, width: 0, height: 0 }), 'the point lies outside the picture')
      const [best] = Object.values(Object(all.json()) as object).find(Array.isArray) ?? []
      assert.deepEqual(pointOf(best, all.what), center, 'the best of all matches is another one')
    }
  },
  SLOW,
)

check(
  'windieos:vision:describe',
  async (context) => {
    for (const { image, width, height } of await sights(context)) {
      const describe = (region: z.infer<typeof Box>) => ask(context.http, 'vision/describe', { image, region })
      for (const origin of [
        { x: width, y: 0 },
        { x: -1, y: 0 },
        { x: 0, y: 9999 },
      ]) {
        const answer = await describe({ ...origin, width: 10, height: 10 })
        assert.ok([422, 503].includes(answer.status), `a region at ${origin.x},${origin.y} answers ${answer.status}`)
      }
      const trimmed = await describe({ x: width - 40, y: height - 60, width: 300, height: 300 })
      if (trimmed.status === 503) continue
      const { region } = trimmed.json(z.looseObject({ region: Box }))
      assert.deepEqual(region, { x: 0, y: 0, width: 40, height: 60 })
    }
  },
  SLOW,
)

check(
  'windieos:vision:crop',
  async (context) => {
    for (const { image, width, height } of await sights(context)) {
      const region = { x: width - 40, y: height - 60, width: 300, height: 300 }
      const trimmed = await ask(context.http, 'vision/describe', { image, region })
      if (trimmed.status === 503) continue
      const { image: facts } = trimmed.json(z.looseObject({ image: ImageFacts }))
      assert.deepEqual([facts.width, facts.height], [40, 60])
      const none = await ask(context.http, 'vision/describe', { image, region: { x: 0, y: 0, width: 0, height: 10 } })
      assert.equal(none.status, 422, `an empty region answers ${none.status}`)
    }
  },
  SLOW,
)

check('windieos:vision:overlay', async (context) => {
  const result = {
    points: [{ x: 100, y: 100, label: 'here' }],
    regions: [{ x: 40, y: 110, width: 240, height: 56, color: '#ff0000' }],
  }
  const answer = await ask(context.http, 'vision/overlay', {
    image: await picture(context.http),
    result,
    show_labels: true,
  })
  if (answer.status !== 200) fail(`it answers ${answer.status}: ${answer.text}`)
  await assertOverlay(context, answer, 2)
})
