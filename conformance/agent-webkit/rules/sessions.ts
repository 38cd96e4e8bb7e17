import assert from 'node:assert/strict'
import { assertStatus, fail } from '../../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../../probe/http.ts'
import { changeStatus, eventNameOf, onSuccess } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { ProxiedRequest, SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { agentWebkitContract, CreateReply } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, createSession, parseEvent, subscribe } from '../driver.ts'
import { answerWith, isInput, loseEvents, repeatEvent } from '../sabotage.ts'

/** The session routes, all of which are guarded. */
const routes = (id: string) => [
  { method: 'POST', path: '/sessions', body: {} },
  { method: 'GET', path: `/sessions/${id}/stream` },
  { method: 'POST', path: `/sessions/${id}/input`, body: { type: 'interrupt' } },
  { method: 'DELETE', path: `/sessions/${id}` },
]

function token({ target }: TestContext): string {
  return target.token ?? fail('prerequisite: authentication cannot be tested without --token')
}

async function assertAllRefused(http: HttpProbe, id: string): Promise<void> {
  for (const route of routes(id)) {
    const answer = await http.send(route)
    assertRefused(answer, `${route.method} ${route.path}`)
  }
}

const assertRefused = ({ status }: HttpResponse, what: string) =>
  assert.ok(status >= 400 && status < 500, `${what} answers ${status}`)

const isCreation = ({ method, path }: ProxiedRequest) =>
  method === 'POST' && path.startsWith('/sessions') && !path.endsWith('/input')

const onSuccessOf = onSuccess(agentWebkitContract)

/** Creating a session. */
export const createRules = defineRules('create', {
  answer: {
    level: 'MUST',
    text: 'POST /sessions answers with a new session_id and protocol_version "1.0".',
    source: sources.create,
    basis: { states: 'POST /sessions answers with session_id and protocol_version "1.0".' },
    covers: ['W-E1'],
    check: async ({ http }) => {
      const answer = await http.post('/sessions', {})
      assert.ok(answer.status === 200 || answer.status === 201, `POST /sessions answers ${answer.status}`)
      answer.json(CreateReply)
    },
    sabotage: {
      'speaks protocol version 2.0': onSuccessOf('POST /sessions', (json) => {
        json.protocol_version = '2.0'
      }),
    },
  },

  options: {
    level: 'MUST',
    text: 'model, permission_mode and cwd may be given in any combination.',
    source: sources.create,
    basis: { states: 'model, permission_mode and cwd are all optional.' },
    covers: ['W-E1'],
    check: async ({ http, random }) => {
      const all = { model: 'claude-opus-4-7', permission_mode: 'default', cwd: '/' }
      const keys = random.shuffle(['model', 'permission_mode', 'cwd'] as const)
      for (const count of [1, 2, 3]) {
        const body = Object.fromEntries(keys.slice(0, count).map((key) => [key, all[key]]))
        const answer = await http.post('/sessions', body)
        assert.ok(answer.status < 300, `${JSON.stringify(body)} answers ${answer.status}: ${answer.text}`)
      }
    },
    sabotage: {
      'takes two options at most': answerWith(422, (one) => optionsOf(one).length > 2),
    },
  },

  unique: {
    level: 'MUST',
    text: 'Each creation makes its own session.',
    source: sources.create,
    basis: { states: 'POST /sessions creates a new session.' },
    covers: ['W-E1'],
    check: async (context) => {
      const ids = await Promise.all(Array.from({ length: 8 }, () => createSession(context)))
      assert.equal(new Set(ids).size, ids.length, `ids repeat: ${ids.join(', ')}`)
    },
    sabotage: {
      'gives every session the same id': onSuccessOf('POST /sessions', (json) => {
        json.session_id = 'one'
      }),
    },
  },

  'unknown-keys': {
    level: 'SHOULD',
    text: 'Unknown keys of a creation are ignored.',
    source: sources.reference,
    basis: { because: 'The document does not specify the effect of further keys; the reference server ignores them.' },
    covers: ['W-E1'],
    check: async ({ http, random }) => {
      const answer = await http.post('/sessions', { [random.word()]: 1 })
      assert.ok(answer.status < 300, `an unknown key answers ${answer.status}: ${answer.text}`)
    },
    sabotage: {
      'knows every option': answerWith(422, (one) =>
        optionsOf(one).some((key) => !/^(model|permission_mode|cwd)$/.test(key)),
      ),
    },
  },

  status: {
    level: 'SHOULD',
    text: 'A creation answers 200.',
    source: sources.reference,
    basis: { because: 'The document names no status; the reference server answers 200.' },
    covers: ['W-E1', 'W-D13'],
    check: async ({ http }) => {
      assertStatus(await http.post('/sessions', {}), 200)
    },
    sabotage: {
      'creates with 201': changeStatus(200, 201, isCreation),
    },
  },

  malformed: {
    level: 'SHOULD',
    text: 'Creating a session with a body that is not JSON, not an object or mistyped is refused with 400 or 422.',
    source: sources.create,
    basis: { because: 'The document names no status for a body that is not as described.' },
    covers: ['W-E1', 'W-X8'],
    pool: 'dangerous',
    check: async ({ http }) => {
      for (const raw of ['{"model":', '[]', '"hello"', '7', '{"model": 7}', '{"cwd": {}}', '{"permission_mode": []}']) {
        const answer = await http.send({ method: 'POST', path: '/sessions', raw, deliberate: true })
        assert.ok([400, 422].includes(answer.status), `${raw} answers ${answer.status} instead of 400 or 422`)
      }
    },
    sabotage: {
      'creates from anything': {
        changeRequest: (request) => {
          if (isCreation(request)) request.body = Buffer.from('{}')
        },
      },
    },
  },
})

/** Authentication. */
export const authRules = defineRules('auth', {
  missing: {
    level: 'MUST',
    text: 'Without a bearer token every session route is refused.',
    source: sources.auth,
    basis: { states: 'A bearer token is sent in the Authorization header unless the server has auth disabled.' },
    covers: ['W-X6'],
    tier: 'full',
    check: async (context) => {
      token(context)
      await assertAllRefused(context.withToken(undefined), await createSession(context))
    },
    sabotage: {
      'lets everyone in': lendToken(),
    },
  },

  wrong: {
    level: 'MUST',
    text: 'Every session route refuses a wrong bearer token.',
    source: sources.auth,
    basis: { states: 'A bearer token is sent in the Authorization header unless the server has auth disabled.' },
    covers: ['W-X6'],
    tier: 'full',
    check: async (context) => {
      const id = await createSession(context)
      for (const wrong of [`${token(context)}x`, token(context).slice(0, -1), context.random.word(24)])
        await assertAllRefused(context.withToken(wrong), id)
    },
    sabotage: {
      'lets every token in': lends(({ headers }) => headers.authorization !== undefined),
    },
  },

  status: {
    level: 'SHOULD',
    text: 'A request without a token answers 401.',
    source: sources.reference,
    basis: { because: 'The document names no status; 401 is what HTTP has for it.' },
    covers: ['W-X6'],
    tier: 'full',
    check: async (context) => {
      token(context)
      const id = await createSession(context)
      for (const shown of [undefined, context.random.word(24)])
        for (const route of routes(id)) {
          const { status } = await context.withToken(shown).send(route)
          // Another check tests whether it is refused at all.
          if (status >= 400) assert.equal(status, 401, `${route.method} ${route.path} answers ${status}`)
        }
    },
    sabotage: {
      'answers 403 without a token': changeStatus(401, 403),
    },
  },

  first: {
    level: 'SHOULD',
    text: 'The token is checked before the session and the body.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'Responses that depend on the session would reveal to strangers which sessions exist.' },
    covers: ['W-X6'],
    tier: 'full',
    pool: 'dangerous',
    check: async (context) => {
      token(context)
      const http = context.withToken(undefined)
      const unknown = await http.post(`/sessions/${context.random.word()}/input`, { type: 'interrupt' })
      assertStatus(unknown, 401, 'for an unknown session')
      const broken = await http.send({ method: 'POST', path: '/sessions', raw: '{"model":', deliberate: true })
      assertStatus(broken, 401, 'for a broken body')
    },
    sabotage: {
      'looks for the session before the token': answerWith(
        404,
        (one) => isInput(one) && one.headers.authorization === undefined,
      ),
    },
  },

  'header-only': {
    level: 'MUST',
    text: 'A token in the query string does not count.',
    source: sources.auth,
    basis: {
      states: 'The token is in the Authorization header; clients that cannot set headers work only with auth disabled.',
    },
    covers: ['W-X6'],
    tier: 'full',
    check: async (context) => {
      const http = context.withToken(undefined)
      const query = new URLSearchParams({ token: token(context), access_token: token(context) })
      const answer = await http.post(`/sessions?${query}`, {})
      assertRefused(answer, 'a token in the query')
    },
    sabotage: {
      'takes a token from the query': readsQuery(),
    },
  },
})

/** Closing a session. */
export const closeRules = defineRules('close', {
  answer: {
    level: 'SHOULD',
    text: 'DELETE answers 204.',
    source: sources.delete,
    basis: { because: 'The document names no status; the reference server answers 204.' },
    covers: ['W-E4'],
    check: async (context) => {
      const client = await connect(context)
      assertStatus(await context.http.delete(client.path), 204)
    },
    sabotage: {
      'answers 200 to DELETE': changeStatus(204, 200, (request) => request.method === 'DELETE'),
    },
  },

  done: {
    level: 'MUST',
    text: 'DELETE sends a final done to every live subscriber, then ends the stream.',
    source: sources.delete,
    basis: { states: 'DELETE closes all subscribers with a final done.' },
    covers: ['W-V12', 'W-T6'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const other = await subscribe(context, client.id)
      await client.runTurn(context.profile.phrase('hello'))
      await context.http.delete(client.path)
      for (const { stream } of [client, other]) {
        await stream.end()
        const last = stream.events.at(-1)
        assert.equal(last?.event, 'done', `the last event is ${last?.event}`)
        parseEvent(last, 'done')
        assert.equal(stream.events.filter((seen) => seen.event === 'done').length, 1, 'the number of done events')
      }
    },
    sabotage: {
      'says nothing at the end': repeatEvent('done', 0),
      'says done twice': repeatEvent('done', 2),
    },
  },

  parked: {
    level: 'MUST',
    text: 'DELETE ends a session also while a permission is pending.',
    source: sources.delete,
    basis: { states: 'DELETE tears the session down and closes all subscribers with a final done.' },
    covers: ['W-T6'],
    needs: ['permission:request'],
    check: async (context) => {
      const client = await connect(context)
      await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const { status } = await context.http.delete(client.path)
      assert.ok(status < 300, `DELETE answers ${status}`)
      await client.stream.end()
      assert.equal(client.stream.events.at(-1)?.event, 'done', 'the last event')
    },
    sabotage: {
      'ends waiting sessions in silence': {
        alsoBreaks: ['close:done'],
        ...loseEvents((frame) => eventNameOf(frame) === 'done'),
      },
    },
  },

  gone: {
    level: 'SHOULD',
    text: 'After DELETE inputs and streams of the session answer 404, a resume too.',
    source: sources.reference,
    basis: { because: 'The document names no status; the reference server answers 404.' },
    covers: ['W-X5', 'W-R7'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      await context.http.delete(client.path)
      assertStatus(await client.postInput({ type: 'interrupt' }), 404)
      for (const cursor of [undefined, 1]) {
        const { stream } = await subscribe(context, client.id, cursor)
        assertStatus(stream, 404, `a stream with the cursor ${cursor ?? '(none)'}`)
      }
    },
    sabotage: {
      'keeps deleted sessions': {
        changeRequest: (request) => {
          if (request.method === 'DELETE') request.path = '/sessions/none'
        },
      },
    },
  },

  twice: {
    level: 'SHOULD',
    text: 'Deleting an unknown or deleted session answers 204.',
    source: sources.reference,
    basis: { because: 'The document names no status; the reference server answers 204.' },
    covers: ['W-D12', 'W-E4'],
    check: async (context) => {
      const client = await connect(context)
      await context.http.delete(client.path)
      assertStatus(await context.http.delete(client.path), 204)
      assertStatus(await context.http.delete(`/sessions/${context.random.word(12)}`), 204)
    },
    sabotage: {
      'answers 404 to a second DELETE': secondDelete(),
    },
  },

  alone: {
    level: 'MUST',
    text: 'Deleting one session leaves the others as they are.',
    source: sources.delete,
    basis: { states: 'DELETE names one session, and closes its subscribers.' },
    covers: ['W-E4'],
    needs: ['turn:result'],
    check: async (context) => {
      const [one, other] = [await connect(context), await connect(context)]
      await context.http.delete(one.path)
      await one.stream.end()
      await other.runTurn(context.profile.phrase('hello'))
    },
    sabotage: {
      'falls silent when any session ends': silentAfterDelete(),
    },
  },
})

/** Accepts all matching requests by using a previously accepted token. */
function lends(fits: (request: ProxiedRequest) => boolean): SabotageBehavior {
  let token: string | string[] | undefined
  return {
    changeRequest: (request) => {
      const { authorization } = request.headers
      if (token === undefined || !fits(request)) token ??= authorization
      else request.headers.authorization = token
    },
  }
}

/** Accepts the token of a query string. */
function readsQuery(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      const token = new URL(request.path, 'http://host').searchParams.get('token')
      if (token !== null) request.headers.authorization = `Bearer ${token}`
    },
  }
}

function optionsOf(request: ProxiedRequest): readonly string[] {
  if (!isCreation(request)) return []
  try {
    return Object.keys(JSON.parse(request.body.toString()) ?? {})
  } catch {
    return []
  }
}

function silentAfterDelete(): SabotageBehavior {
  let isSilent = false
  return {
    changeRequest: ({ method }) => {
      isSilent ||= method === 'DELETE'
    },
    changeFrames: () => (frame) => (isSilent && eventNameOf(frame) !== 'done' ? [] : [frame]),
  }
}

/** Remembers an accepted token and uses it for all clients. */
function lendToken(): SabotageBehavior {
  let token: string | undefined
  return {
    changeRequest: (request) => {
      const given = request.headers.authorization
      if (token === undefined && typeof given === 'string') token = given
      if (token !== undefined) request.headers.authorization = token
    },
  }
}

function secondDelete(): SabotageBehavior {
  const seen = new Set<string>()
  return {
    changeResponse: (response, request) => {
      if (request.method !== 'DELETE') return
      if (seen.has(request.path)) response.status = 404
      seen.add(request.path)
    },
  }
}
