import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { decode } from '../../compare/pixels.ts'
import { inside } from '../../compare/rectangle.ts'
import { assertStatus, fail, parseAs } from '../../probe/failure.ts'
import type { HttpResponse } from '../../probe/http.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { Artifact, Box, ConversationRow, ImageFacts } from '../contract.ts'
import { sources } from '../document.ts'
import { askPerception, PICTURE, storedArtifact, upload, uploadPicture } from '../driver.ts'
import { changeStatusAt, onSuccessOf } from '../sabotage.ts'

const WHOLE = { x: 0, y: 0, width: 640, height: 360 }

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

const Resolved = z.looseObject({ match: ConversationRow })

const Inspected = z.looseObject({
  results: z.array(ConversationRow),
  ranked_matches: z.array(ConversationRow),
  accepted_matches: z.array(ConversationRow),
  resolved_match: ConversationRow.nullable(),
  resolution_error: z.looseObject({ status_code: z.int() }).nullable(),
  overlay: Artifact.nullable(),
})

/** Fails unless the overlay can be fetched and has the size of the picture. */
async function assertOverlay({ http }: TestContext, answer: HttpResponse, annotations: number): Promise<void> {
  const overlay = answer.json(Artifact.extend({ annotation_count: z.int() }))
  assert.ok(overlay.annotation_count >= annotations, `${overlay.annotation_count} annotations`)
  const { bytes } = await http.get(`/api/artifacts/${overlay.artifact_id}`)
  const { width, height } = decode(bytes.toString('base64'), 'the overlay')
  assert.deepEqual({ width, height }, { width: 640, height: 360 })
  assert.equal(overlay.sha256, createHash('sha256').update(bytes).digest('hex'), 'sha256')
  assert.ok(!bytes.equals(PICTURE), 'no annotation is drawn')
}

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
  const own = { image: await uploadPicture(http), ...OWN }
  if (!profile.has('screen')) return [own]
  const { url, shows } = profile.known('screen', Screen)
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  const isPng = bytes[0] === 0x89
  const data = isPng
    ? bytes.toString('base64')
    : z.looseObject({ data: z.string() }).parse(JSON.parse(String(bytes))).data
  const { width, height } = decode(data, `the picture at ${url}`)
  const { artifact_id } = storedArtifact(await upload(http, Buffer.from(data, 'base64')))
  return [own, { image: { artifact_id }, width, height, description: shows }]
}

const Point = z.looseObject({ x: z.number(), y: z.number() })

/** The point in a response; the document does not specify its field names. */
function pointOf(found: unknown, what: string): z.infer<typeof Point> {
  const { center = found } = Object(found) as Readonly<Record<string, unknown>>
  return parseAs(Point, center, `the point of ${what}`)
}

/** Recognition of text. */
export const ocrRules = defineRules('ocr', ['artifact:round'], {
  run: {
    level: 'MUST',
    text: 'OCR reads rows within the picture, each with the middle of its box.',
    source: sources.perception,
    basis: { states: 'Rows have text, confidence, bbox and center.' },
    covers: ['H11'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const { image, results } = (await askPerception(http, 'ocr/run', { image: await uploadPicture(http) })).json(
        Results,
      )
      assert.deepEqual({ width: image.width, height: image.height }, { width: 640, height: 360 })
      for (const row of results) assertPlaced(row)
      const words = results.map((row) => row.text).join(' ')
      for (const word of ['Search', 'Settings', 'Cancel'])
        assert.ok(words.includes(word), `"${word}" is not read: ${words}`)
      assert.equal(new Set(results.map((row) => row.candidate_id)).size, results.length, 'a candidate_id repeats')
    },
    sabotage: {
      'shifts the boxes it reads': onSuccessOf('POST /api/sdk/ocr/run', (json) => {
        for (const row of json.results) row.bbox.x += 2000
      }),
      'centres elsewhere': onSuccessOf('POST /api/sdk/ocr/run', (json) => {
        for (const row of json.results) row.center.x += 20
      }),
      'gives all candidates one id': onSuccessOf('POST /api/sdk/ocr/run', (json) => {
        for (const row of json.results) row.candidate_id = 'ocr_1'
      }),
    },
  },

  find: {
    level: 'MUST',
    text: 'find-text returns the rows whose score meets the threshold.',
    source: sources.perception,
    basis: { states: 'Rows whose fuzzy score meets the threshold are returned.' },
    covers: ['H13', 'A17'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const body = { image: await uploadPicture(http), text: 'Search Amazon', threshold: 0.8, max_results: 10 }
      const matches = rowsOf(await askPerception(http, 'ocr/find-text', body))
      assert.ok(matches.length > 0, 'the text is not found')
      for (const row of matches) assert.ok((row.score ?? 0) >= 0.8, `"${row.text}" scores ${row.score}`)
      assert.deepEqual(
        rowsOf(await askPerception(http, 'ocr/find-text', { ...body, text: 'Quarterly whale report' })),
        [],
        'the matches of a text that is not in the picture',
      )
    },
    sabotage: {
      'finds below the threshold': onSuccessOf('POST /api/sdk/ocr/find-text', (json) => {
        for (const row of json.matches) row.score = 0.1
      }),
      'finds nothing': onSuccessOf('POST /api/sdk/ocr/find-text', (json) => {
        json.matches = []
      }),
    },
  },

  candidates: {
    level: 'MUST',
    text: 'find-text-candidates ranks rows from the best on.',
    source: sources.perception,
    basis: { states: 'Ranked rows are returned, also those with lower scores.' },
    covers: ['H14', 'A17', 'A18'],
    needs: ['artifact:round', 'ocr:run'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const body = { image: await uploadPicture(http), text: 'Cancel', max_results: 5 }
      const matches = rowsOf(await askPerception(http, 'ocr/find-text-candidates', body))
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
    sabotage: {
      'ranks backwards': onSuccessOf('POST /api/sdk/ocr/find-text-candidates', (json) => {
        json.matches.reverse()
        if (json.matches.length > 1) json.matches[0].score = 0
      }),
    },
  },

  matches: {
    level: 'SHOULD',
    text: 'find-text and its candidates answer with image, query and matches.',
    source: sources.sdk,
    basis: { because: 'The document does not define the shape; the official SDK reads this one.' },
    covers: ['H13', 'H14'],
    tier: 'sdk',
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const body = { image: await uploadPicture(http), text: 'Settings', threshold: 0.8, max_results: 10 }
      const shape = z.looseObject({ image: ImageFacts, query: z.string(), matches: z.array(ConversationRow) })
      for (const path of ['ocr/find-text', 'ocr/find-text-candidates'])
        assert.equal((await askPerception(http, path, body)).json(shape).query, 'Settings', 'query')
    },
    sabotage: {
      'names no query': onSuccessOf('POST /api/sdk/ocr/find-text', (json) => {
        delete json.query
      }),
    },
  },

  resolve: {
    level: 'MUST',
    text: 'resolve-text returns the one row that contains the text.',
    source: sources.perception,
    basis: { states: 'One text is resolved to one target; the point is the middle of its box.' },
    covers: ['H15'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const body = { image: await uploadPicture(http), text: 'Settings', threshold: 0.8 }
      const { match } = (await askPerception(http, 'ocr/resolve-text', body)).json(Resolved)
      assertPlaced(match)
      // The word is on the button at 340,110 of 240 × 56 pixels.
      assert.ok(inside({ x: 340, y: 110, width: 240, height: 56 }, match.bbox), JSON.stringify(match.bbox))
    },
    sabotage: {
      'resolves something else': onSuccessOf('POST /api/sdk/ocr/resolve-text', (json) => {
        json.match.bbox.x -= 300
        json.match.center.x -= 300
      }),
    },
  },

  ambiguous: {
    level: 'MUST',
    text: 'A text that occurs twice answers 409, and one that does not occur answers 404.',
    source: sources.perception,
    basis: { states: 'Ambiguous text answers 409, missing text 404.' },
    covers: ['H15', 'X409', 'X404', 'A19'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const image = await uploadPicture(http)
      const twice = await askPerception(http, 'ocr/resolve-text', { image, text: 'Cancel', threshold: 0.8 })
      assertStatus(twice, 409)
      const never = await askPerception(http, 'ocr/resolve-text', {
        image,
        text: 'Quarterly whale report',
        threshold: 0.8,
      })
      assertStatus(never, 404)
    },
    sabotage: {
      'calls ambiguity missing': changeStatus(409, 404),
    },
  },

  choices: {
    level: 'SHOULD',
    text: 'The refusal of an ambiguous text brings the choices as resolver_payload.',
    source: sources.perception,
    basis: { because: 'The document includes it when the backend can surface the choices.' },
    covers: ['H15', 'A20'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const image = await uploadPicture(http)
      const twice = await askPerception(http, 'ocr/resolve-text', { image, text: 'Cancel', threshold: 0.8 })
      assert.ok(twice.text.includes('resolver_payload'), 'the choices are not reported')
    },
    sabotage: {
      'hides the choices': {
        changeResponse: (response) => {
          if (response.status === 409) response.json = { detail: 'ambiguous' }
        },
      },
    },
  },

  candidate: {
    level: 'MUST',
    text: 'A candidate is resolved to its own box.',
    source: sources.perception,
    basis: { states: 'A candidate_id is resolved to its exact bbox and center.' },
    covers: ['H16'],
    needs: ['artifact:round', 'ocr:run'],
    timeoutMs: 60_000,
    check: async ({ http, random }) => {
      const image = await uploadPicture(http)
      const { results } = (await askPerception(http, 'ocr/run', { image })).json(Results)
      const row = random.pick(results)
      const answer = await askPerception(http, 'ocr/resolve-candidate', { image, candidate_id: row.candidate_id })
      const match = partOf(answer, 'match')
      const { bbox, center } = parseAs(
        ConversationRow.pick({ bbox: true, center: true }),
        match,
        'the resolved candidate',
      )
      assertAgree({
        'the resolved match': { bbox, center },
        'the row of results': { bbox: row.bbox, center: row.center },
      })
    },
    sabotage: {
      'resolves candidates elsewhere': onSuccessOf('POST /api/sdk/ocr/resolve-candidate', (json) => {
        json.match.center.y += 9
      }),
    },
  },

  'candidate-unknown': {
    level: 'SHOULD',
    text: 'An unknown candidate answers 404.',
    source: sources.perception,
    basis: { because: 'The document names no status for a candidate that is not there.' },
    covers: ['H16', 'X404'],
    needs: ['artifact:round', 'ocr:run'],
    timeoutMs: 60_000,
    check: async ({ http, random }) => {
      const body = { image: await uploadPicture(http), candidate_id: `ocr_${random.word(12)}` }
      assertStatus(await askPerception(http, 'ocr/resolve-candidate', body), 404)
    },
    sabotage: {
      'calls unknown candidates bad': changeStatusAt(404, 400, '/api/sdk/ocr/resolve-candidate'),
    },
  },

  inspect: {
    level: 'MUST',
    text: 'inspect bundles rows, ranked and accepted matches, and reports a failed resolution without failing.',
    source: sources.perception,
    basis: { states: 'The bundle has results, ranked_matches, accepted_matches, resolved_match or resolution_error.' },
    covers: ['H12'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const image = await uploadPicture(http)
      const inspect = async (text: string) =>
        (await askPerception(http, 'ocr/inspect', { image, text, threshold: 0.8, include_overlay: true })).json(
          Inspected,
        )
      const found = await inspect('Settings')
      assert.equal(found.resolution_error, null, 'resolution_error')
      const ids = found.results.map((row) => row.candidate_id)
      for (const row of found.ranked_matches) assert.ok(ids.includes(row.candidate_id), 'a match is not a row')
      for (const row of found.accepted_matches) assert.ok((row.score ?? 0) >= 0.8, `a match has the score ${row.score}`)
      assert.ok(found.overlay, 'the overlay is missing')
      const twice = await inspect('Cancel')
      assert.deepEqual(
        { resolved_match: twice.resolved_match, status_code: twice.resolution_error?.status_code },
        { resolved_match: null, status_code: 409 },
      )
      assert.equal(
        (await inspect('Quarterly whale report')).resolution_error?.status_code,
        404,
        'the status_code of resolution_error',
      )
    },
    sabotage: {
      'inspects without errors': onSuccessOf('POST /api/sdk/ocr/inspect', (json) => {
        json.resolution_error = null
      }),
    },
  },

  overlay: {
    level: 'MUST',
    text: 'An overlay is an artifact that can be fetched, of the size of the image.',
    source: sources.perception,
    basis: { states: 'The overlay is saved as an artifact, with its size, digest and url.' },
    covers: ['H17'],
    timeoutMs: 60_000,
    check: async (context) => {
      const answer = await askPerception(context.http, 'ocr/overlay', {
        image: await uploadPicture(context.http),
        show_labels: true,
      })
      await assertOverlay(context, answer, 1)
    },
    sabotage: {
      'counts no annotations': {
        alsoBreaks: ['vision:overlay'],
        ...onSuccessOf('POST /api/sdk/ocr/overlay', (json) => {
          json.annotation_count = 0
        }),
      },
    },
  },
})

/** Other perception of pictures. */
export const visionRules = defineRules('vision', ['artifact:round'], {
  locate: {
    level: 'MUST',
    text: 'A description is located within the picture, or 503 reports that there is no model.',
    source: sources.perception,
    basis: { states: 'The configured vision model predicts one point from a description.' },
    covers: ['H18', 'H19', 'X503', 'A21'],
    timeoutMs: 60_000,
    check: async (context) => {
      for (const { image, width, height, description } of await sights(context)) {
        const answer = await askPerception(context.http, 'vision/locate', { image, description })
        const all = await askPerception(context.http, 'vision/locate-all', { image, description })
        assert.equal(answer.status, all.status, 'the status')
        if (answer.status === 503) {
          answer.json(z.looseObject({ detail: z.unknown() }))
          continue
        }
        const center = pointOf(partOf(answer, 'match'), answer.what)
        const whole = { x: 0, y: 0, width, height }
        assert.ok(inside(whole, { ...center, width: 0, height: 0 }), 'the point lies outside the picture')
        const [best] = Object.values(Object(all.json()) as object).find(Array.isArray) ?? []
        assertAgree({ best: pointOf(best, all.what), 'the rows of all matches': center }, 'the center')
      }
    },
    sabotage: {
      'locates by 500': changeStatusAt(503, 500, '/api/sdk/vision'),
    },
  },

  describe: {
    level: 'MUST',
    text: 'A region that starts outside answers 422; one that extends beyond the edge is trimmed.',
    source: sources.perception,
    basis: { states: 'An origin outside the image answers 422; a region past the edge is trimmed.' },
    covers: ['H20', 'X422', 'A23'],
    timeoutMs: 60_000,
    check: async (context) => {
      for (const { image, width, height } of await sights(context)) {
        const describe = (region: z.infer<typeof Box>) =>
          askPerception(context.http, 'vision/describe', { image, region })
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
    sabotage: {
      'does not trim regions': onSuccessOf('POST /api/sdk/vision/describe', (json) => {
        if (json.region) json.region.width = 300
      }),
    },
  },

  crop: {
    level: 'SHOULD',
    text: 'The image of a trimmed region has the size of the crop, and a region without a size answers 422.',
    source: sources.perception,
    basis: { because: 'The document reports metadata of the crop but does not specify the names.' },
    covers: ['H20', 'A22', 'A23', 'A24'],
    timeoutMs: 60_000,
    check: async (context) => {
      for (const { image, width, height } of await sights(context)) {
        const region = { x: width - 40, y: height - 60, width: 300, height: 300 }
        const trimmed = await askPerception(context.http, 'vision/describe', { image, region })
        if (trimmed.status === 503) continue
        const { image: facts } = trimmed.json(z.looseObject({ image: ImageFacts }))
        assert.deepEqual({ width: facts.width, height: facts.height }, { width: 40, height: 60 })
        const none = await askPerception(context.http, 'vision/describe', {
          image,
          region: { x: 0, y: 0, width: 0, height: 10 },
        })
        assertStatus(none, 422, `an empty region`)
      }
    },
    sabotage: {
      'describes the whole image': onSuccessOf('POST /api/sdk/vision/describe', (json) => {
        json.image.width += 600
      }),
    },
  },

  overlay: {
    level: 'MUST',
    text: 'Points and regions are drawn onto the picture and kept as an artifact.',
    source: sources.perception,
    basis: { states: 'Points and regions are rendered onto the image, and the overlay is saved as an artifact.' },
    covers: ['H21'],
    check: async (context) => {
      const result = {
        points: [{ x: 100, y: 100, label: 'here' }],
        regions: [{ x: 40, y: 110, width: 240, height: 56, color: '#ff0000' }],
      }
      const answer = await askPerception(context.http, 'vision/overlay', {
        image: await uploadPicture(context.http),
        result,
        show_labels: true,
      })
      if (answer.status !== 200) fail(`it answers ${answer.status}: ${answer.text}`)
      await assertOverlay(context, answer, 2)
    },
  },
})
