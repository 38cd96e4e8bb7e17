import assert from 'node:assert/strict'
import * as z from 'zod'
import type { HttpProbe } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { CurrentUser, Embedding, RegisteredInstall } from '../../windieos/contract.ts'
import { upload } from '../../windieos/driver.ts'
import { check } from '../check.ts'

const register = async (http: HttpProbe) =>
  (await http.post('/api/install/register', { operating_system: 'Linux' })).json(RegisteredInstall)

check('windieos:install:register', async ({ http }) => {
  const [one, other] = [await register(http), await register(http)]
  for (const key of ['user_id', 'install_id', 'install_token'] as const)
    assert.notEqual(one[key], other[key], `two installs share their ${key}`)
})

check('windieos:install:system', async ({ http }) => {
  for (const body of [{}, { operating_system: null }, { operating_system: 'unknown' }])
    assert.equal((await http.post('/api/install/register', body)).status, 200, JSON.stringify(body))
})

/** The address of a server that authenticates installs. */
const hosted = async (context: TestContext): Promise<HttpProbe> => context.auxiliary('hosted')

const as = ({ install_token }: { readonly install_token: string }) => ({
  headers: { authorization: `Bearer ${install_token}` },
})

check(
  'windieos:install:me',
  async (context) => {
    const http = await hosted(context)
    const install = await register(http)
    const me = (await http.get('/api/install/me', as(install))).json(CurrentUser)
    assert.deepEqual([me.user_id, me.install_id], [install.user_id, install.install_id])
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:auth:missing',
  async (context) => {
    const http = await hosted(context)
    const routes = [
      ['GET', '/api/embeddings/health'],
      ['GET', '/api/sdk/models'],
      ['GET', '/api/artifacts/none.png'],
      ['POST', '/api/embeddings/'],
      ['POST', '/api/sdk/ocr/run'],
    ] as const
    for (const [method, path] of routes)
      for (const headers of [{}, { authorization: 'Bearer wnd_install_nobody' }]) {
        const answer = await http.send({
          method,
          path,
          headers,
          ...(method === 'POST' && { raw: '{}', deliberate: true }),
        })
        assert.ok([401, 403].includes(answer.status), `${method} ${path} answers ${answer.status}`)
      }
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:auth:status',
  async (context) => {
    const http = await hosted(context)
    for (const path of ['/api/embeddings/health', '/api/sdk/models', '/api/artifacts/none.png'])
      for (const headers of [{}, { authorization: 'Bearer wnd_install_nobody' }]) {
        const { status } = await http.get(path, { headers })
        assert.equal(status, 401, `${path} answers ${status}`)
      }
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:auth:foreign',
  async (context) => {
    const http = await hosted(context)
    const [me, other] = [await register(http), await register(http)]
    const asked = [
      http.post('/api/sdk/prompt-preview', { user_id: other.user_id, messages: [] }, as(me)),
      http.post('/api/semantic/summarize', { user_id: other.user_id, conversations: ['a: b'] }, as(me)),
    ]
    for (const answer of await Promise.all(asked)) assertRefused(answer.status, answer.what)
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:auth:artifacts',
  async (context) => {
    const http = await hosted(context)
    const [me, other] = [await register(http), await register(http)]
    const mine = await upload(
      context.withTokenAt(http.base.href, me.install_token),
      Buffer.from('private'),
      'text/plain',
    )
    const { artifact_id } = mine.json(z.looseObject({ artifact_id: z.string() }))
    assert.equal((await http.get(`/api/artifacts/${artifact_id}`, as(me))).status, 200)
    const foreign = await http.get(`/api/artifacts/${artifact_id}`, as(other))
    assert.ok([403, 404].includes(foreign.status), `another install is answered ${foreign.status}`)
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

const embed = async (http: HttpProbe, text: string) =>
  (await http.post('/api/embeddings/', { text, model_name: 'default' })).json(Embedding)

check('windieos:embedding:one', async ({ http, random }) => {
  const { embedding, dimension } = await embed(http, random.word(20))
  assert.equal(embedding.length, dimension)
  assert.ok(embedding.every(Number.isFinite))
})

check('windieos:embedding:space', async ({ http, random }) => {
  const { dimension, embedding_space_version, provider_id, model_id } = await embed(http, random.word(20))
  assert.equal(embedding_space_version, `${provider_id}:${model_id}:${dimension}`)
})

const likeness = (one: readonly number[], other: readonly number[]) => {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

check('windieos:embedding:same', async ({ http }) => {
  const [once, again, near, far] = await Promise.all(
    [
      'The invoice of March is paid.',
      'The invoice of March is paid.',
      'The invoice of April is paid.',
      'Whales sing under water at night.',
    ].map((text) => embed(http, text)),
  )
  assert.deepEqual(again!.embedding, once!.embedding)
  const [close, distant] = [likeness(once!.embedding, near!.embedding), likeness(once!.embedding, far!.embedding)]
  assert.ok(close > distant, `the likely text is at ${close.toFixed(3)}, the unlikely one at ${distant.toFixed(3)}`)
})

check('windieos:embedding:health', async ({ http }) => {
  const health = (await http.get('/api/embeddings/health')).json(z.looseObject({ embedding_space_version: z.string() }))
  assert.equal(health.embedding_space_version, (await embed(http, 'space')).embedding_space_version)
})

check('windieos:embedding:limits', async ({ http }) => {
  const status = async (text: string, model_name = 'default') =>
    (await http.post('/api/embeddings/', { text, model_name })).status
  assert.equal(await status('a'.repeat(8192)), 200)
  assertRefused(await status('a'.repeat(8193)), 'a text of 8193 characters')
  assertRefused(await status('a', 'm'.repeat(129)), 'a model name of 129 characters')
})

const assertRefused = (status: number, what: string) =>
  assert.ok(status >= 400 && status < 500, `${what} answers ${status}`)

check('windieos:limit:status', async ({ http }) => {
  const model_name = 'default'
  const post = async (path: string, body: object) => (await http.post(path, body)).status
  assert.equal(await post('/api/embeddings/', { text: 'a'.repeat(8193), model_name }), 422)
  assert.equal(await post('/api/embeddings/', { text: 'a', model_name: 'm'.repeat(129) }), 422)
  assert.notEqual(await post('/api/embeddings/', { text: 'a', model_name: 'm'.repeat(128) }), 422)
  assert.equal((await summarize(http, ['a'.repeat(KB32 + 1)])).status, 422)
  assert.equal((await title(http, 'a'.repeat(KB32 + 1))).status, 422)
})

check('windieos:semantic:bytes', async ({ http }) => {
  // Two bytes each, so that this is over the limit by bytes and not by characters.
  assertRefused((await summarize(http, ['é'.repeat(KB32 / 2 + 1)])).status, 'a conversation of 32 KB and two bytes')
})

const Embedded = z.looseObject({ embeddings: z.array(z.array(z.number())), dimension: z.int() })

/** The document does not name the field that holds the texts. */
const fieldOf = (profile: TestContext['profile']) =>
  profile.has('embedding-field') ? profile.known('embedding-field', z.string()) : 'texts'

/** Requests embeddings of the internal service, with or without a key. */
const embedMany = ({ profile }: TestContext, http: HttpProbe, texts: readonly string[], key: string | undefined) =>
  http.post(
    '/embed',
    { [fieldOf(profile)]: texts },
    key === undefined ? {} : { headers: { 'x-windie-embedding-key': key } },
  )

check(
  'windieos:embed:key',
  async (context) => {
    const http = await context.auxiliary('embedding')
    const key = context.profile.known('embedding-key', z.string())
    assert.equal((await http.get('/health')).status, 200)
    for (const wrong of [undefined, `${key}x`]) {
      const { status } = await embedMany(context, http, ['a'], wrong)
      assert.ok([401, 403].includes(status), `the key ${wrong ?? '(none)'} answers ${status}`)
    }
    const { embeddings, dimension } = (await embedMany(context, http, ['a', 'b'], key)).json(Embedded)
    assert.deepEqual(
      embeddings.map((one) => one.length),
      [dimension, dimension],
    )
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:embed:answer',
  async (context) => {
    const http = await context.auxiliary('embedding')
    const answer = await embedMany(context, http, ['a'], context.profile.known('embedding-key', z.string()))
    const details = Embedding.omit({ embedding: true }).extend({
      queue_wait_ms: z.number(),
      service_time_ms: z.number(),
    })
    answer.json(details)
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:embed:limits',
  async (context) => {
    const http = await context.auxiliary('embedding')
    const key = context.profile.known('embedding-key', z.string())
    const status = async (texts: readonly string[]) => (await embedMany(context, http, texts, key)).status
    const many = (count: number, length: number) => Array.from({ length: count }, () => 'a'.repeat(length))
    assert.deepEqual([await status(many(256, 1)), await status(many(8, 8192))], [200, 200])
    for (const [what, texts] of [
      ['no text', []],
      ['257 texts', many(257, 1)],
      ['a text of 8193 characters', many(1, 8193)],
      ['73728 characters', many(9, 8192)],
    ] as const)
      assertRefused(await status(texts), what)
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

const summarize = (http: HttpProbe, conversations: readonly string[], user_id = 'conformance') =>
  http.post('/api/semantic/summarize', { conversations, user_id })
const title = (http: HttpProbe, user_message: string, assistant_message = 'Yes.', user_id = 'conformance') =>
  http.post('/api/semantic/title', { user_id, user_message, assistant_message })

const KB32 = 32 * 1024

check('windieos:semantic:summary', async ({ http }) => {
  assert.equal((await summarize(http, ['user: I live in Lisbon.\nassistant: Noted.'])).status, 200)
  const small = Array.from({ length: 100 }, (_, at) => `user: number ${at}`)
  assert.equal((await summarize(http, small)).status, 200)
  assertRefused((await summarize(http, [...small, 'one more'])).status, 'the 101st conversation')
  assert.equal((await summarize(http, ['a'.repeat(KB32)])).status, 200)
  assertRefused((await summarize(http, ['a'.repeat(KB32 + 1)])).status, 'a conversation over 32 KB')
})

check('windieos:semantic:title', async ({ http }) => {
  const shape = z.looseObject({ title: z.string().min(1).max(200) })
  ;(await title(http, 'How do I renew my passport?')).json(shape)
  assert.equal((await title(http, 'a'.repeat(KB32), 'b'.repeat(KB32))).status, 200)
  assertRefused((await title(http, 'a'.repeat(KB32 + 1))).status, 'a message of the user over 32 KB')
  assertRefused((await title(http, 'a', 'b'.repeat(KB32 + 1))).status, 'a message of the assistant over 32 KB')
})

check('windieos:semantic:default-user', async ({ http }) => {
  const answers = [await summarize(http, ['a: b'], 'default_user'), await title(http, 'a', 'b', 'default_user')]
  for (const answer of answers) assertRefused(answer.status, answer.what)
})

check('windieos:semantic:health', async ({ http }) => {
  assert.equal((await http.get('/api/semantic/health')).status, 200)
})
