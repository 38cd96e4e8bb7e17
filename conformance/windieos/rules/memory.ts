import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import { type AnyJson, changeStatus, closeOnFrame, repeatMessages } from '../../suite/behaviors.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { Embedding } from '../contract.ts'
import { sources } from '../document.ts'
import { assertAlive, assertClientError, assertRefused, connect, SETTLE_MS, TEN_MB } from '../driver.ts'
import { changeStatusAt, onSuccessOf, refuseMessages } from '../sabotage.ts'

/** Sends a message that is too large; returns how it is refused. */
async function sendHuge(context: TestContext) {
  const client = await connect(context)
  await assertAlive(client)
  const after = client.socket.messages.length
  const payload = { text: 'A'.repeat(TEN_MB), conversation_ref: 'c' }
  client.socket.sendRaw(JSON.stringify({ id: 'huge', type: 'query', payload }))
  return { client, how: await assertRefused(client.socket, 'a message over 10 MB', after) }
}

/** The tasks that a connection may have at the same time. */
const MAX_TASKS = 50

/** Sends many queries at the same time; returns the client and the ids in order. */
async function askMany(context: TestContext, count: number) {
  const client = await connect(context)
  const text = context.profile.phrase('endless')
  const ids = Array.from({ length: count }, (_, at) =>
    client.send('query', { text, conversation_ref: `many-${context.random.word()}-${at}` }),
  )
  return { client, ids }
}

const embed = async (http: HttpProbe, text: string) =>
  (await http.post('/api/embeddings/', { text, model_name: 'default' })).json(Embedding)

const likeness = (one: readonly number[], other: readonly number[]) => {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

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

const summarize = (http: HttpProbe, conversations: readonly string[], user_id = 'conformance') =>
  http.post('/api/semantic/summarize', { conversations, user_id })

const title = (http: HttpProbe, user_message: string, assistant_message = 'Yes.', user_id = 'conformance') =>
  http.post('/api/semantic/title', { user_id, user_message, assistant_message })

const KB32 = 32 * 1024

/** Embeddings of texts. */
export const embeddingRules = defineRules('embedding', {
  one: {
    level: 'MUST',
    text: 'An embedding has its dimension.',
    source: sources.memory,
    basis: { states: 'An embedding comes with its dimension.' },
    covers: ['H02'],
    check: async ({ http, random }) => {
      const { embedding, dimension } = await embed(http, random.word(20))
      assertAgree({ 'the embedding': embedding.length, dimension: dimension }, 'the length')
      assert.ok(embedding.every(Number.isFinite), 'a number of the embedding is not finite')
    },
    sabotage: {
      'says another dimension': onSuccessOf('POST /api/embeddings/', (json) => {
        json.dimension++
      }),
    },
  },

  space: {
    level: 'SHOULD',
    text: 'The version of a space consists of provider, model and dimension.',
    source: sources.memory,
    basis: { because: 'It is so in every sample, and stated nowhere.' },
    covers: ['H02'],
    check: async ({ http, random }) => {
      const { dimension, embedding_space_version, provider_id, model_id } = await embed(http, random.word(20))
      assert.equal(embedding_space_version, `${provider_id}:${model_id}:${dimension}`, 'embedding_space_version')
    },
    sabotage: {
      'names another space': {
        alsoBreaks: ['embedding:health'],
        ...onSuccessOf('POST /api/embeddings/', (json) => {
          json.embedding_space_version = 'other:space:1'
        }),
      },
    },
  },

  same: {
    level: 'SHOULD',
    text: 'The same text has the same embedding, and a similar text is closer than a different one.',
    source: sources.memory,
    basis: {
      because: 'The document does not specify the numbers of an embedding; different texts should not look alike.',
    },
    covers: ['H02'],
    check: async ({ http }) => {
      const [once, again, near, far] = await Promise.all(
        [
          'The invoice of March is paid.',
          'The invoice of March is paid.',
          'The invoice of April is paid.',
          'Whales sing under water at night.',
        ].map((text) => embed(http, text)),
      )
      assertAgree({ 'the second answer': again!.embedding, 'the first answer': once!.embedding }, 'the embedding')
      const [close, distant] = [likeness(once!.embedding, near!.embedding), likeness(once!.embedding, far!.embedding)]
      assert.ok(close > distant, `the likely text is at ${close.toFixed(3)}, the unlikely one at ${distant.toFixed(3)}`)
    },
    sabotage: {
      'embeds by chance': onSuccessOf('POST /api/embeddings/', (json) => {
        json.embedding = json.embedding.map(() => Math.random())
      }),
      'embeds everything the same': onSuccessOf('POST /api/embeddings/', (json) => {
        json.embedding = json.embedding.map(() => 1)
      }),
    },
  },

  health: {
    level: 'SHOULD',
    text: 'The health of embeddings names the same space.',
    source: sources.memory,
    basis: { because: 'The health has the version of a space; the document does not specify that it is the same one.' },
    covers: ['H03'],
    check: async ({ http }) => {
      const health = (await http.get('/api/embeddings/health')).json(
        z.looseObject({ embedding_space_version: z.string() }),
      )
      assertAgree(
        {
          'the health': health.embedding_space_version,
          'the embedding': (await embed(http, 'space')).embedding_space_version,
        },
        'embedding_space_version',
      )
    },
  },

  limits: {
    level: 'MUST',
    text: 'A text of 8192 characters is embedded and one of 8193 refused; so is a model name of 129.',
    source: sources.memory,
    basis: { states: 'text has 8192 characters at most, and model_name 128.' },
    covers: ['L05', 'L06', 'X422'],
    check: async ({ http }) => {
      const status = async (text: string, model_name = 'default') =>
        (await http.post('/api/embeddings/', { text, model_name })).status
      assert.equal(await status('a'.repeat(8192)), 200, 'the status for 8192 characters')
      assertClientError(await status('a'.repeat(8193)), 'a text of 8193 characters')
      assertClientError(await status('a', 'm'.repeat(129)), 'a model name of 129 characters')
    },
    sabotage: {
      'takes texts of any length': {
        changeRequest: (request) => {
          if (request.path === '/api/embeddings/' && request.body.length > 8200)
            request.body = Buffer.from('{"text":"a"}')
        },
      },
    },
  },
})

/** Sizes and numbers that a backend refuses. */
export const limitRules = defineRules('limit', ['handshake:plain'], {
  status: {
    level: 'SHOULD',
    text: 'A request over a limit of the memory services answers 422.',
    source: sources.memory,
    basis: { because: 'The document sets the limits and names no status.' },
    covers: ['X422', 'L05', 'L06'],
    check: async ({ http }) => {
      const model_name = 'default'
      const post = async (path: string, body: object) => (await http.post(path, body)).status
      assert.equal(
        await post('/api/embeddings/', { text: 'a'.repeat(8193), model_name }),
        422,
        'the status for 8193 characters',
      )
      assert.equal(
        await post('/api/embeddings/', { text: 'a', model_name: 'm'.repeat(129) }),
        422,
        'the status for a model name of 129 characters',
      )
      assert.notEqual(await post('/api/embeddings/', { text: 'a', model_name: 'm'.repeat(128) }), 422)
      assertStatus(await summarize(http, ['a'.repeat(KB32 + 1)]), 422)
      assertStatus(await title(http, 'a'.repeat(KB32 + 1)), 422)
    },
    sabotage: {
      'calls what is over a limit bad': changeStatus(422, 400),
    },
  },

  message: {
    level: 'MUST',
    text: 'A message over 10 MB is refused.',
    source: sources.limits,
    basis: { states: 'A message has 10 MB at most.' },
    covers: ['L01', 'E12'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: 40_000,
    check: async (context) => void (await sendHuge(context)),
    sabotage: {
      'passes over large messages': {
        interceptSocket: () => ({ fromClient: (one) => (one.data.length > TEN_MB ? [] : [one]) }),
      },
    },
  },

  stays: {
    level: 'SHOULD',
    text: 'A message over 10 MB is answered with an error, and the socket stays.',
    source: sources.laterDocuments,
    basis: { because: 'The document sets the limit, but does not specify what happens to the socket.' },
    covers: ['L01', 'E12'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: 40_000,
    check: async (context) => {
      const { client, how } = await sendHuge(context)
      assert.equal(how, 'error', 'the socket closes')
      await assertAlive(client)
    },
    sabotage: {
      'hangs up at a large message': closeOnFrame(1009, ({ data }) => data.length > TEN_MB),
    },
  },

  tasks: {
    level: 'MUST',
    text: 'Fifty tasks of one connection are accepted.',
    source: sources.limits,
    basis: { states: 'A connection has 50 concurrent tasks at most.' },
    covers: ['L02'],
    tier: 'full',
    needs: ['query:stream'],
    pool: 'dangerous',
    timeoutMs: 40_000,
    check: async (context) => {
      const { client } = await askMany(context, MAX_TASKS)
      await pause(500)
      const refused = client.socket.messages.find((one) => one.type === 'error')
      client.socket.terminate()
      assert.equal(refused, undefined, `one of fifty is refused: ${JSON.stringify(refused?.payload)}`)
      assert.equal(client.socket.closed, undefined, 'the socket closed')
    },
    sabotage: {
      'takes ten tasks': tenTasks(),
    },
  },

  'more-tasks': {
    level: 'SHOULD',
    text: 'The fifty-first task of a connection is refused with an error.',
    source: sources.laterDocuments,
    basis: { because: 'The document sets the limit; a backend may let the task wait.' },
    covers: ['L02'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: 40_000,
    check: async (context) => {
      const { client, ids } = await askMany(context, MAX_TASKS + 10)
      const isError = ({ type }: SocketMessage) => type === 'error'
      await client.socket.until('a refusal', isError)
      await pause(SETTLE_MS)
      const refused = client.socket.messages.filter(isError).map((one) => one.id)
      client.socket.terminate()
      assert.ok(
        refused.every((id) => !ids.slice(0, MAX_TASKS).includes(String(id))),
        'one of the first fifty is refused',
      )
      assert.equal(refused.length, 10, `${refused.length} of sixty tasks are refused`)
    },
    sabotage: {
      'takes one task too many': dropFirst('error'),
      'takes any number of tasks': repeatMessages('error', 0),
    },
  },

  time: {
    level: 'MUST',
    text: 'A connection that is silent for an hour is closed with 1008.',
    source: sources.limits,
    basis: { states: 'The receive timeout is 3600 seconds.' },
    covers: ['L03', 'L18'],
    unchecked: 'it takes an hour of the server’s clock',
  },

  disconnect: {
    level: 'SHOULD',
    text: 'A disconnect cancels the tasks of the connection.',
    source: sources.laterDocuments,
    basis: { because: 'The document does not specify the effect of a disconnect on tasks; later documents do.' },
    covers: ['L17'],
    unchecked: 'a disconnected client cannot see a cancelled task',
  },

  reconnect: {
    level: 'MAY',
    text: 'A client reconnects five times at most.',
    source: sources.limits,
    basis: { because: 'The document names five attempts of a client.' },
    covers: ['L16', 'A51'],
    unchecked: 'it is a habit of a client',
  },

  local: {
    level: 'MAY',
    text: 'The socket of a local backend listens on localhost only.',
    source: sources.limits,
    basis: { because: 'The document states this for the desktop, and has hosted backends too.' },
    covers: ['A46'],
    unchecked: 'the suite receives the address of the server as an option',
  },

  rate: {
    level: 'MAY',
    text: 'A rate limit of the model, and an unknown or invalid tool, end in an ordinary error or a failed tool.',
    source: sources.errors,
    basis: { because: 'The document calls these codes internal.' },
    covers: ['E04', 'E06', 'E07', 'E10'],
    unchecked: 'they are seen in the log of a server only',
  },
})

/** The internal embedding service. */
export const embedRules = defineRules('embed', {
  key: {
    level: 'MUST',
    text: 'The internal service refuses requests without its key.',
    source: sources.service,
    basis: { states: 'The internal route requires x-windie-embedding-key, and fails closed without a configured key.' },
    covers: ['H05', 'H04', 'X401'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await context.auxiliary('embedding')
      const key = context.profile.known('embedding-key', z.string())
      assertStatus(await http.get('/health'), 200)
      for (const wrong of [undefined, `${key}x`]) {
        const { status } = await embedMany(context, http, ['a'], wrong)
        assert.ok([401, 403].includes(status), `the key ${wrong ?? '(none)'} answers ${status}`)
      }
      const { embeddings, dimension } = (await embedMany(context, http, ['a', 'b'], key)).json(Embedded)
      assert.deepEqual(
        embeddings.map((one) => one.length),
        [dimension, dimension],
        'the lengths of the embeddings',
      )
    },
    sabotage: {
      'embeds without a key': {
        changeRequest: (request) => {
          if (request.path === '/embed') request.headers['x-windie-embedding-key'] = 'conformance-embedding'
        },
      },
    },
  },

  answer: {
    level: 'MUST',
    text: 'The internal service names its provider, model and space, and reports how long a request waited and ran.',
    source: sources.service,
    basis: { states: 'The answer has embeddings, the space, queue_wait_ms and service_time_ms.' },
    covers: ['H05', 'A34'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await context.auxiliary('embedding')
      const startedAt = performance.now()
      const answer = await embedMany(context, http, ['a'], context.profile.known('embedding-key', z.string()))
      const tookMs = performance.now() - startedAt
      const details = Embedding.omit({ embedding: true }).extend({
        queue_wait_ms: z.number().min(0),
        service_time_ms: z.number().min(0),
      })
      const { queue_wait_ms, service_time_ms } = answer.json(details)
      assert.ok(
        queue_wait_ms + service_time_ms <= Math.ceil(tookMs),
        `the request took ${Math.round(tookMs)} ms, of which it waited ${queue_wait_ms} and ran ${service_time_ms}`,
      )
    },
    sabotage: {
      'reports always the same times': {
        changeResponse: (response, request) => {
          if (request.path === '/embed' && response.status === 200)
            Object.assign(response.json as AnyJson, { queue_wait_ms: 1500, service_time_ms: 4000 })
        },
      },
      'does not say how long embedding took': {
        changeResponse: (response, request) => {
          if (request.path === '/embed') delete (response.json as AnyJson)?.service_time_ms
        },
      },
    },
  },

  limits: {
    level: 'MUST',
    text: 'The internal service embeds 1 to 256 texts of 8192 characters and 65536 in all.',
    source: sources.service,
    basis: { states: '1 to 256 texts, 8192 characters each, 65536 characters in all.' },
    covers: ['H05', 'L07', 'L08'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await context.auxiliary('embedding')
      const key = context.profile.known('embedding-key', z.string())
      const status = async (texts: readonly string[]) => (await embedMany(context, http, texts, key)).status
      const many = (count: number, length: number) => Array.from({ length: count }, () => 'a'.repeat(length))
      assert.deepEqual(
        [await status(many(256, 1)), await status(many(8, 8192))],
        [200, 200],
        'the statuses for 256 texts and for 8 long ones',
      )
      for (const [what, texts] of [
        ['no text', []],
        ['257 texts', many(257, 1)],
        ['a text of 8193 characters', many(1, 8193)],
        ['73728 characters', many(9, 8192)],
      ] as const)
        assertClientError(await status(texts), what)
    },
    sabotage: {
      'embeds any number of texts': changeStatus(422, 200, ({ path }) => path === '/embed'),
    },
  },
})

/** Summaries of conversations. */
export const semanticRules = defineRules('semantic', {
  summary: {
    level: 'MUST',
    text: 'Conversations are summed up, 100 of them at most and 32 KB each.',
    source: sources.memory,
    basis: { states: 'Up to 100 conversations of 32 KB each are summarized.' },
    covers: ['H06', 'L09'],
    check: async ({ http }) => {
      assertStatus(await summarize(http, ['user: I live in Lisbon.\nassistant: Noted.']), 200)
      const small = Array.from({ length: 100 }, (_, at) => `user: number ${at}`)
      assertStatus(await summarize(http, small), 200)
      assertClientError((await summarize(http, [...small, 'one more'])).status, 'the 101st conversation')
      assertStatus(await summarize(http, ['a'.repeat(KB32)]), 200)
      assertClientError((await summarize(http, ['a'.repeat(KB32 + 1)])).status, 'a conversation over 32 KB')
    },
    sabotage: {
      'sums up any number of conversations': changeStatusAt(422, 200, '/api/semantic/summarize'),
    },
  },

  bytes: {
    level: 'SHOULD',
    text: 'The 32 KB of a conversation are bytes.',
    source: sources.memory,
    basis: { because: 'The document says KB, but not whether it counts bytes or characters.' },
    covers: ['A33'],
    check: async ({ http }) => {
      // Two bytes each, so that this is over the limit by bytes and not by characters.
      assertClientError(
        (await summarize(http, ['é'.repeat(KB32 / 2 + 1)])).status,
        'a conversation of 32 KB and two bytes',
      )
    },
    sabotage: {
      'counts limits in characters': changeStatus(422, 200, ({ body }) => body.includes('éé')),
    },
  },

  title: {
    level: 'MUST',
    text: 'A first turn gets a short title, from messages of 32 KB at most.',
    source: sources.memory,
    basis: { states: 'A title is made from messages of 32 KB at most each.' },
    covers: ['H07', 'L10'],
    check: async ({ http }) => {
      const shape = z.looseObject({ title: z.string().min(1).max(200) })
      ;(await title(http, 'How do I renew my passport?')).json(shape)
      assertStatus(await title(http, 'a'.repeat(KB32), 'b'.repeat(KB32)), 200)
      assertClientError((await title(http, 'a'.repeat(KB32 + 1))).status, 'a message of the user over 32 KB')
      assertClientError((await title(http, 'a', 'b'.repeat(KB32 + 1))).status, 'a message of the assistant over 32 KB')
    },
    sabotage: {
      'gives titles of any length': onSuccessOf('POST /api/semantic/title', (json) => {
        json.title = json.title.padEnd(201, '.')
      }),
    },
  },

  'default-user': {
    level: 'MUST',
    text: 'default_user is not a valid user.',
    source: sources.memory,
    basis: { states: 'user_id cannot be default_user.' },
    covers: ['L11', 'X422'],
    check: async ({ http }) => {
      const answers = [await summarize(http, ['a: b'], 'default_user'), await title(http, 'a', 'b', 'default_user')]
      for (const answer of answers) assertClientError(answer.status, answer.what)
    },
    sabotage: {
      'sums up for anybody': {
        changeRequest: (request) => {
          request.body = Buffer.from(request.body.toString('latin1').replaceAll('default_user', 'somebody'), 'latin1')
        },
      },
    },
  },

  health: {
    level: 'MUST',
    text: 'The semantic service reports that it is ready.',
    source: sources.memory,
    basis: { states: 'The health has status healthy and a message.' },
    covers: ['H08'],
    check: async ({ http }) => {
      assertStatus(await http.get('/api/semantic/health'), 200)
    },
    sabotage: {
      'is never ready to sum up': changeStatusAt(200, 503, '/api/semantic/health'),
    },
  },
})

/** Accepts ten queries per socket. */
function tenTasks(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let count = 0
      return refuseMessages(({ type }) => type === 'query' && ++count > 10).interceptSocket?.(wire) ?? {}
    },
  }
}

/** Drops the first message of a type on each socket. */
function dropFirst(type: string): SabotageBehavior {
  return {
    changeMessages: () => {
      let count = 0
      return (message) => (message.type === type && ++count === 1 ? [] : [message])
    },
  }
}
