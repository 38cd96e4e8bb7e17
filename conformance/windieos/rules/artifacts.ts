import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { assertStatus } from '../../probe/failure.ts'
import { refuseLargeBodies } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import { askPerception, PICTURE, storedArtifact, upload, uploadPicture } from '../driver.ts'
import { changeStatusAt, onSuccessOf } from '../sabotage.ts'

const MAX_FILE_BYTES = 25 * 1024 * 1024

/** Artifacts: uploads of pictures and files. */
export const artifactRules = defineRules('artifact', ['artifact:round'], {
  round: {
    level: 'MUST',
    text: 'An artifact comes back byte for byte with its type, and its size and digest are right.',
    source: sources.artifacts,
    basis: {
      states: 'An upload answers with artifact_id, content_type, size_bytes, sha256 and url, and is fetched by its id.',
    },
    covers: ['H09', 'H10', 'X200', 'A49', 'A50'],
    check: async ({ http }) => {
      const artifact = storedArtifact(await upload(http, PICTURE))
      assert.equal(artifact.size_bytes, PICTURE.length, 'size_bytes')
      assert.equal(artifact.sha256, createHash('sha256').update(PICTURE).digest('hex'), 'sha256')
      assert.equal(artifact.content_type, 'image/png', 'content_type')
      assert.ok(new URL(artifact.url).pathname.endsWith(`/api/artifacts/${artifact.artifact_id}`), artifact.url)
      const fetched = await http.get(`/api/artifacts/${artifact.artifact_id}`)
      assert.ok(fetched.bytes.equals(PICTURE), 'other bytes come back')
      assert.match(fetched.headers['content-type'] ?? '', /^image\/png/)
    },
    sabotage: {
      'counts one byte too many': onSuccessOf('POST /api/artifacts/', (json) => {
        json.size_bytes++
      }),
      'digests something else': onSuccessOf('POST /api/artifacts/', (json) => {
        json.sha256 = '0'.repeat(64)
      }),
    },
  },

  status: {
    level: 'SHOULD',
    text: 'An upload answers 200.',
    source: sources.sdk,
    basis: { because: 'The document defines no status; the official Python client accepts no other.' },
    covers: ['X200', 'H09'],
    tier: 'sdk',
    check: async ({ http }) => {
      assertStatus(await upload(http, PICTURE), 200)
    },
    sabotage: {
      'creates artifacts with 201': changeStatusAt(200, 201, '/api/artifacts/'),
    },
  },

  kinds: {
    level: 'MUST',
    text: 'Artifacts need not be images.',
    source: sources.runs,
    basis: { states: 'Files of a run are artifacts, such as a PDF.' },
    covers: ['H09'],
    check: async ({ http }) => {
      const { artifact_id } = storedArtifact(await upload(http, Buffer.from('%PDF-1.4 nothing'), 'application/pdf'))
      assert.match((await http.get(`/api/artifacts/${artifact_id}`)).headers['content-type'] ?? '', /^application\/pdf/)
    },
    sabotage: {
      'calls every artifact a JPEG': {
        alsoBreaks: ['artifact:round'],
        changeResponse: (response, request) => {
          if (request.method === 'GET' && request.path.startsWith('/api/artifacts/'))
            response.headers['content-type'] = 'image/jpeg'
        },
      },
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'An unknown artifact answers 404, and so does a name that leads elsewhere.',
    source: sources.artifacts,
    basis: { because: 'The document names no status; nothing outside the artifacts should be read.' },
    covers: ['H10', 'X404'],
    check: async ({ http, random }) => {
      for (const name of [`${random.word(16)}.png`, '..%2f..%2fetc%2fpasswd', '%2e%2e'])
        assertStatus(await http.get(`/api/artifacts/${name}`), 404, name)
    },
    sabotage: {
      'answers 400 for unknown artifacts': changeStatusAt(404, 400, '/api/artifacts/'),
    },
  },

  'no-file': {
    level: 'SHOULD',
    text: 'An upload without a file answers 422.',
    source: sources.artifacts,
    basis: { because: 'The upload has the field file; the document names no status.' },
    covers: ['H09', 'X422'],
    check: async ({ http }) => {
      assertStatus(await upload(http, Buffer.from('x'), 'text/plain', 'other'), 422)
    },
    sabotage: {
      'calls a missing file a bad request': changeStatusAt(422, 400, '/api/artifacts/'),
    },
  },

  size: {
    level: 'SHOULD',
    text: 'An artifact over the limit answers 413.',
    source: sources.artifacts,
    basis: { because: 'The document sets no limit.' },
    covers: ['L14', 'X413'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const answer = await upload(http, Buffer.alloc(26 * 1024 * 1024, 65), 'application/octet-stream').catch(
        () => undefined,
      )
      // A server may close the connection before the client has sent everything.
      if (answer) assertStatus(answer, 413)
      storedArtifact(await upload(http, Buffer.from('small'), 'text/plain'))
    },
    sabotage: {
      'calls a large file a bad request': refuseLargeBodies(MAX_FILE_BYTES, 400),
    },
  },
})

/** How a request names its image. */
export const imageRules = defineRules('image', ['artifact:round'], {
  source: {
    level: 'MUST',
    text: 'An image is given by an artifact or inline, as plain base64 or as a data URL, and by exactly one of them.',
    source: sources.perception,
    basis: { states: 'Exactly one of artifact_id and image_base64 is required, the latter plain or as a data URL.' },
    covers: ['H11', 'H13', 'X422'],
    timeoutMs: 60_000,
    check: async ({ http }) => {
      const { artifact_id } = await uploadPicture(http)
      const base64 = PICTURE.toString('base64')
      for (const image of [
        { artifact_id },
        { image_base64: base64 },
        { image_base64: `data:image/png;base64,${base64}` },
      ])
        assertStatus(await askPerception(http, 'ocr/run', { image }), 200, Object.keys(image).join())
      for (const image of [{}, { artifact_id, image_base64: base64 }, { image_base64: 'no picture' }]) {
        const answer = await askPerception(http, 'ocr/run', { image })
        const { status } = answer
        assert.ok(status >= 400 && status < 500, `${Object.keys(image).join()} answers ${status}`)
      }
    },
    sabotage: {
      'answers 500 for two images': changeStatusAt(422, 500, '/api/sdk/ocr'),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'An image of an unknown artifact answers 404.',
    source: sources.perception,
    basis: { because: 'The document names no status for an artifact that is not there.' },
    covers: ['H11', 'X404'],
    check: async ({ http, random }) => {
      const image = { artifact_id: `${random.word(16)}.png` }
      for (const path of ['ocr/run', 'ocr/overlay']) assertStatus(await askPerception(http, path, { image }), 404, path)
    },
    sabotage: {
      'answers 422 for unknown images': changeStatusAt(404, 422, '/api/sdk/ocr'),
    },
  },
})
