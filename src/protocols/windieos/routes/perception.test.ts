import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp } from '../../../../test/support/protocols/cleanup.ts'
import { type JsonBody, startWindieos } from '../../../../test/support/protocols/windieos.ts'
import { button, desktop, edit, text, window } from '../../../desktop/model/builders.ts'
import { fromImage } from '../../../paint/canvas/skia.ts'
import { createPainter } from '../../../paint/painter.ts'
import { fromPixels, type Picture } from '../../../paint/picture.ts'
import type { Ocr } from '../../../perception/perception.ts'
import { createSceneIndex, sceneOcrOr } from '../../../perception/scene-index.ts'
import { sceneLocator } from '../../../perception/scene-locator.ts'

// Facts such as [I-H11] are listed in facts.ts.

afterEach(cleanUp)

const FORM = desktop(
  window(
    'Sign in',
    { uid: 'w', bounds: { x: 0, y: 0, width: 360, height: 260 } },
    text('Welcome back'),
    edit('Username', { value: 'alice' }),
    button('Continue', { traits: { presses: 'enter' } }),
    button('Cancel'),
    text('Same'),
    text('Same'),
  ),
)

const UNREAD: Ocr = { name: 'nothing', read: async () => [] }

/** A server that knows one picture, uploaded already. */
async function gallery() {
  const scenes = createSceneIndex()
  const picture = createPainter().window(FORM, 'w')
  const [shown] = FORM.windows
  scenes.remember(picture, [shown!])
  const perception = { ocr: sceneOcrOr(scenes, UNREAD), locator: sceneLocator(scenes) }
  const served = await startWindieos({ perception })
  const [, { artifact_id }] = await served.upload(new Uint8Array(await picture.png()))
  const image = { artifact_id: String(artifact_id) }
  const ocr = (route: string, body: object) => served.post(`/api/sdk/ocr/${route}`, { image, ...body })
  const vision = (route: string, body: object) => served.post(`/api/sdk/vision/${route}`, { image, ...body })
  const metadata = {
    source_id: artifact_id,
    artifact_id,
    content_type: 'image/png',
    width: picture.width,
    height: picture.height,
  }
  const centerOf = (name: string) => {
    const { bounds } = shown!.tree.children.find((child) => child.name === name)!
    return { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }
  }
  return { ...served, picture, image, ocr, vision, metadata, centerOf }
}

const near = (point: unknown, { x, y }: { x: number; y: number }) => {
  const { x: left, y: top } = point as { x: number; y: number }
  return Math.abs(left - x) <= 3 && Math.abs(top - y) <= 3
}

const textsOf = (rows: unknown) => (rows as JsonBody[]).map((row) => row.text)

describe('reading', () => {
  it('[I-H11] returns every row with its box, its centre and a unique name', async () => {
    const { ocr, metadata } = await gallery()
    const [status, { image, results }] = await ocr('run', {})
    expect([status, image]).toEqual([200, metadata])
    expect(textsOf(results)).toEqual(expect.arrayContaining(['Welcome back', 'alice', 'Continue', 'Cancel']))
    const rows = results as JsonBody[]
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => String(index)))
    for (const { bbox, center, candidate_id, score, confidence } of rows) {
      const { x, y, width, height } = bbox as { x: number; y: number; width: number; height: number }
      expect(center).toEqual({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) })
      expect([candidate_id, score, confidence]).toEqual([expect.stringMatching(/^ocr_[0-9a-f]{12}$/), null, 1])
    }
  })

  it('[I-H11] reads the same picture inline, as base64 or as a data URL', async () => {
    const { post, picture } = await gallery()
    const base64 = Buffer.from(await picture.png()).toString('base64')
    for (const image_base64 of [base64, `data:image/png;base64,${base64}`]) {
      const [status, { image, results }] = await post('/api/sdk/ocr/run', { image: { image_base64 } })
      expect([status, (image as JsonBody).artifact_id, (results as unknown[]).length]).toEqual([200, null, 7])
    }
  })

  it('[I-H13] [I-A18] finds text in any case, with a similarity score', async () => {
    const { ocr, metadata } = await gallery()
    const [status, { matches, ...more }] = await ocr('find-text', { text: 'CONTINUE' })
    expect([status, more, textsOf(matches), (matches as JsonBody[])[0]!.score]).toEqual([
      200,
      { image: metadata, query: 'CONTINUE', threshold: 0.8 },
      ['Continue'],
      1,
    ])
    expect(textsOf((await ocr('find-text', { text: 'Continua', threshold: 0.5 }))[1].matches)).toEqual(['Continue'])
    expect((await ocr('find-text', { text: 'Zebra' }))[1].matches).toEqual([])
  })

  it('[I-H14] [I-A17] ranks weaker rows too, unless a threshold is given', async () => {
    const { ocr } = await gallery()
    const scores = async (more: object) =>
      ((await ocr('find-text-candidates', { text: 'Cancel', ...more }))[1].matches as JsonBody[]).map(
        ({ score }) => score,
      )
    const all = (await scores({})) as number[]
    expect([all.length, all[0], all.toSorted((one, other) => other - one)]).toEqual([7, 1, all])
    expect([(await scores({ threshold: 0.9 })).length, (await scores({ max_results: 2 })).length]).toEqual([1, 2])
  })

  it('[I-H15] resolves a text to the one place to click', async () => {
    const { ocr, metadata, centerOf } = await gallery()
    const [status, { match, ...more }] = await ocr('resolve-text', { text: 'Continue' })
    expect([status, more]).toEqual([200, { image: metadata, query: 'Continue', threshold: 0.8 }])
    expect(near((match as JsonBody).center, centerOf('Continue'))).toBe(true)
  })

  it('[I-X409] [I-X404] [I-A19] [I-A20] lists the candidates of an ambiguous or missing text', async () => {
    const { ocr } = await gallery()
    const [twice, { detail: choices }] = await ocr('resolve-text', { text: 'Same' })
    const payload = (choices as { resolver_payload: { candidates: JsonBody[] } }).resolver_payload
    expect([twice, textsOf(payload.candidates)]).toEqual([409, ['Same', 'Same']])
    const [missing, { detail }] = await ocr('resolve-text', { text: 'Zebra' })
    expect([missing, (detail as JsonBody).message]).toEqual([404, 'the picture has no text similar to "Zebra"'])
  })

  it('[I-H16] resolves a row by its name', async () => {
    const { ocr, metadata } = await gallery()
    const [row] = ((await ocr('run', {}))[1].results as JsonBody[]).filter(({ text: read }) => read === 'Cancel')
    const { candidate_id } = row!
    expect(await ocr('resolve-candidate', { candidate_id })).toEqual([
      200,
      { image: metadata, candidate_id, match: row },
    ])
    expect((await ocr('resolve-candidate', { candidate_id: 'ocr_000000000000' }))[0]).toBe(404)
  })

  it('[I-H12] inspects: all rows, ranked and accepted matches, and the resolved match or the error', async () => {
    const { ocr, metadata } = await gallery()
    const [status, found] = await ocr('inspect', { text: 'Cancel', include_overlay: true })
    expect([
      status,
      Object.keys(found),
      textsOf(found.accepted_matches),
      (found.resolved_match as JsonBody).text,
    ]).toEqual([
      200,
      [
        'image',
        'query',
        'threshold',
        'results',
        'ranked_matches',
        'accepted_matches',
        'resolved_match',
        'resolution_error',
        'overlay',
      ],
      ['Cancel'],
      'Cancel',
    ])
    expect([found.image, found.resolution_error, (found.overlay as JsonBody).annotation_count]).toEqual([
      metadata,
      null,
      1,
    ])
    const [, missing] = await ocr('inspect', { text: 'Zebra' })
    expect([missing.resolved_match, (missing.resolution_error as JsonBody).status_code, missing.overlay]).toEqual([
      null,
      404,
      null,
    ])
    const [, bare] = await ocr('inspect', {})
    expect([bare.query, bare.ranked_matches, bare.resolution_error]).toEqual([null, [], null])
  })

  it('[I-H17] draws matches onto the picture, as an artifact', async () => {
    const { ocr, metadata, url, picture } = await gallery()
    const [status, overlay] = await ocr('overlay', { text: 'Continue' })
    expect([status, overlay]).toEqual([
      200,
      {
        image: metadata,
        artifact_id: expect.stringMatching(/\.png$/),
        content_type: 'image/png',
        size_bytes: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        url: `${url}/api/artifacts/${overlay.artifact_id}`,
        annotation_count: 1,
      },
    ])
    const drawn = await fromImage(Buffer.from(await (await fetch(String(overlay.url))).arrayBuffer()))
    expect([drawn.width, drawn.height]).toEqual([picture.width, picture.height])
    expect(Buffer.compare(drawn.pixels(), picture.pixels())).not.toBe(0)
    expect((await ocr('overlay', {}))[1].annotation_count).toBe(7)
  })
})

describe('looking', () => {
  it('[I-H18] [I-A21] locates an element by its description', async () => {
    const { vision, metadata, centerOf } = await gallery()
    const [status, { match, ...more }] = await vision('locate', { description: 'the blue continue button' })
    expect([status, more]).toEqual([200, { image: metadata, description: 'the blue continue button' }])
    expect(match).toEqual({ description: 'Button "Continue"', center: centerOf('Continue'), rank: 1 })
    expect((await vision('locate', { description: 'a purple elephant' }))[0]).toBe(404)
  })

  it('[I-H19] lists the best match alone', async () => {
    const { vision, centerOf } = await gallery()
    const [status, { matches }] = await vision('locate-all', { description: 'field with alice', max_results: 5 })
    expect([status, matches]).toEqual([
      200,
      [{ description: 'Edit "Username"', center: centerOf('Username'), rank: 1 }],
    ])
    expect((await vision('locate-all', { description: 'a purple elephant' }))[1].matches).toEqual([])
  })

  it('[I-H20] [I-A22] [I-A24] describes all of a picture, or a part that is trimmed to it', async () => {
    const { vision, metadata, picture } = await gallery()
    const [, whole] = await vision('describe', {})
    expect([whole.image, whole.region, whole.description]).toEqual([
      metadata,
      null,
      expect.stringContaining('"Continue"'),
    ])
    const region = { x: 10, y: 10, width: 10_000, height: 30 }
    const [, part] = await vision('describe', { region })
    const size = { width: picture.width - 10, height: 30 }
    expect([part.image, part.region]).toEqual([
      { ...metadata, ...size },
      { x: 0, y: 0, ...size },
    ])
  })

  it.each([
    { x: -1, y: 0, width: 5, height: 5 },
    { x: 360, y: 0, width: 5, height: 5 },
    { x: 0, y: 260, width: 5, height: 5 },
    { x: 0, y: 0, width: 0, height: 5 },
  ])('[I-A23] [I-X422] refuses the part %o', async (region) => {
    const { vision } = await gallery()
    expect((await vision('describe', { region }))[0]).toBe(422)
  })

  it('[I-H21] draws points and regions', async () => {
    const { vision, url, picture } = await gallery()
    const [status, overlay] = await vision('overlay', {
      result: {
        points: [{ x: 20, y: 20, label: 'here', color: '#00ff00' }],
        regions: [{ x: 50, y: 60, width: 30, height: 20 }],
        image: {},
      },
      show_labels: false,
    })
    expect([status, overlay.annotation_count]).toEqual([200, 2])
    const drawn = await fromImage(
      Buffer.from(await (await fetch(`${url}/api/artifacts/${overlay.artifact_id}`)).arrayBuffer()),
    )
    const at = (from: Picture, x: number, y: number) => [
      ...from.pixels().subarray((y * from.width + x) * 4, (y * from.width + x) * 4 + 3),
    ]
    expect([at(drawn, 20, 20), at(drawn, 65, 60), at(drawn, 200, 200)]).toEqual([
      [0, 255, 0],
      [209, 26, 42],
      at(picture, 200, 200),
    ])
  })
})

describe('a request about a picture', () => {
  const at = { x: 0, y: 0 }
  it.each([
    ['2000 characters of text', 'ocr/find-text', (n: number) => ({ text: 'x'.repeat(n) }), 2000],
    ['1000 results', 'ocr/find-text', (n: number) => ({ text: 'x', max_results: n }), 1000],
    ['a threshold of 1', 'ocr/find-text', (n: number) => ({ text: 'x', threshold: n }), 1],
    ['2000 characters of description', 'vision/locate-all', (n: number) => ({ description: 'x'.repeat(n) }), 2000],
    ['1000 points', 'vision/overlay', (n: number) => ({ result: { points: Array(n).fill(at) } }), 1000],
    [
      '1000 regions',
      'vision/overlay',
      (n: number) => ({ result: { regions: Array(n).fill({ ...at, width: 1, height: 1 }) } }),
      1000,
    ],
  ])('[I-X422] is at most %s', async (_what, route, body, most) => {
    const { post, image } = await gallery()
    const statusOf = async (n: number) => (await post(`/api/sdk/${route}`, { image, ...body(n) }))[0]
    expect([await statusOf(most), await statusOf(most + 1)]).toEqual([200, 422])
  })

  it('[I-X422] requires at least one result, one character and a threshold of 0 or more', async () => {
    const { ocr } = await gallery()
    const statuses = []
    for (const body of [{ max_results: 0 }, { max_results: 1 }, { threshold: -0.1 }, { threshold: 0 }, { text: '' }])
      statuses.push((await ocr('find-text', { text: 'x', ...body }))[0])
    expect(statuses).toEqual([422, 200, 422, 200, 422])
  })
})

describe('a picture', () => {
  it.each([
    ['neither source', {}, 422],
    ['both sources', { artifact_id: 'a', image_base64: 'aGk=' }, 422],
    ['bad base64', { image_base64: 'no base64!' }, 422],
    ['base64 of no picture', { image_base64: 'aGk=' }, 422],
    ['an artifact that is not there', { artifact_id: 'gone.png' }, 404],
  ])('[I-X422] with %s is refused', async (_what, image, status) => {
    const { post } = await gallery()
    expect((await post('/api/sdk/ocr/run', { image }))[0]).toBe(status)
  })

  it('[I-X503] is 503 without a vision model', async () => {
    const { post, upload } = await startWindieos()
    const white = fromPixels(4, 2, new Uint8Array(32).fill(255))
    const [, { artifact_id }] = await upload(new Uint8Array(await white.png()))
    const image = { artifact_id }
    expect([
      await post('/api/sdk/ocr/run', { image }),
      await post('/api/sdk/vision/locate', { image, description: 'x' }),
    ]).toEqual([
      [503, { detail: { message: 'ocr is not available on this server', capability: 'ocr' } }],
      [503, { detail: { message: 'vision is not available on this server', capability: 'vision' } }],
    ])
  })

  it('of unknown origin is looked at by a vision model, where there is one', async () => {
    const asked: string[] = []
    const vision = {
      model: 'm',
      describe: async (_picture: Picture, prompt: string) => {
        asked.push(prompt)
        return { text: asked.length === 1 ? 'It is here: {"x": 2, "y": 1}' : 'A white field.', tokens: 1 }
      },
    }
    const { post } = await startWindieos({ perception: { locator: sceneLocator(createSceneIndex(), vision) } })
    const png = await fromPixels(4, 2, new Uint8Array(32).fill(255)).png()
    const image = { image_base64: Buffer.from(png).toString('base64') }
    const [, { match }] = await post('/api/sdk/vision/locate', { image, description: 'the field' })
    const [, { description }] = await post('/api/sdk/vision/describe', { image })
    expect([match, description]).toEqual([
      { description: 'the field', center: { x: 2, y: 1 }, rank: 1 },
      'A white field.',
    ])
    expect(asked[0]).toContain('the field')
  })
})
