import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { CurrentUser, RegisteredInstall } from '../contract.ts'
import { sources } from '../document.ts'
import { assertClientError, upload } from '../driver.ts'
import { changeStatusAt, onSuccessOf } from '../sabotage.ts'

const register = async (http: HttpProbe) =>
  (await http.post('/api/install/register', { operating_system: 'Linux' })).json(RegisteredInstall)

/** The address of a server that authenticates installs. */
const hosted = async (context: TestContext): Promise<HttpProbe> => context.auxiliary('hosted')

const as = ({ install_token }: { readonly install_token: string }) => ({
  headers: { authorization: `Bearer ${install_token}` },
})

/** Registration of installs. */
export const installRules = defineRules('install', {
  register: {
    level: 'MUST',
    text: 'A registration needs no token and gives each install its own identity.',
    source: sources.install,
    basis: { states: 'Registration needs no login, and answers with user_id, install_id and install_token.' },
    covers: ['H01', 'X200'],
    check: async ({ http }) => {
      const [one, other] = [await register(http), await register(http)]
      for (const key of ['user_id', 'install_id', 'install_token'] as const)
        assert.notEqual(one[key], other[key], `two installs share their ${key}`)
    },
    sabotage: {
      'gives every install one token': onSuccessOf('POST /api/install/register', (json) => {
        json.install_token = 'token'
      }),
    },
  },

  system: {
    level: 'SHOULD',
    text: 'The operating system of a registration may be missing or null.',
    source: sources.install,
    basis: { because: 'The sample has operating_system; the official client may omit it.' },
    covers: ['H01', 'A07'],
    check: async ({ http }) => {
      for (const body of [{}, { operating_system: null }, { operating_system: 'unknown' }])
        assertStatus(await http.post('/api/install/register', body), 200, JSON.stringify(body))
    },
    sabotage: {
      'needs an operating system': {
        changeResponse: (response, request) => {
          if (request.path === '/api/install/register' && !request.body.includes('Linux')) response.status = 422
        },
      },
    },
  },

  me: {
    level: 'SHOULD',
    text: 'An install token is answered with its own identity.',
    source: sources.sdk,
    basis: { because: 'The document does not mention the route; the official SDK calls it.' },
    covers: ['H36'],
    tier: 'sdk',
    pool: 'auxiliary',
    timeoutMs: 60_000,
    check: async (context) => {
      const http = await hosted(context)
      const install = await register(http)
      const me = (await http.get('/api/install/me', as(install))).json(CurrentUser)
      assert.deepEqual(
        { user_id: me.user_id, install_id: me.install_id },
        { user_id: install.user_id, install_id: install.install_id },
      )
    },
    sabotage: {
      'knows an install by another name': onSuccessOf('GET /api/install/me', (json) => {
        json.user_id = 'other'
      }),
    },
  },
})

/** Authentication of installs. */
export const authRules = defineRules('auth', {
  missing: {
    level: 'MUST',
    text: 'Where installs are authenticated an /api route without a token, or with a wrong one, is refused.',
    source: sources.install,
    basis: { states: 'Hosted requests on /api need a bearer token, except the registration.' },
    covers: ['X401', 'E11', 'A28'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
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
    sabotage: {
      'answers 404 without a token': changeStatus(401, 404),
    },
  },

  status: {
    level: 'SHOULD',
    text: 'A request refused for a missing install token answers 401.',
    source: sources.install,
    basis: { because: 'The document names no status; 401 is what HTTP has for it.' },
    covers: ['X401'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await hosted(context)
      for (const path of ['/api/embeddings/health', '/api/sdk/models', '/api/artifacts/none.png'])
        for (const headers of [{}, { authorization: 'Bearer wnd_install_nobody' }]) {
          const { status } = await http.get(path, { headers })
          assert.equal(status, 401, `${path} answers ${status}`)
        }
    },
    sabotage: {
      'answers 403 without a token': changeStatus(401, 403),
    },
  },

  foreign: {
    level: 'MUST',
    text: 'Where installs are authenticated, a claim to be another user is refused.',
    source: sources.introspection,
    basis: { states: 'A user_id must be that of the authenticated identity; others are rejected.' },
    covers: ['X403', 'H26', 'H06', 'A25', 'A27'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await hosted(context)
      const [me, other] = [await register(http), await register(http)]
      const asked = [
        http.post('/api/sdk/prompt-preview', { user_id: other.user_id, messages: [] }, as(me)),
        http.post('/api/semantic/summarize', { user_id: other.user_id, conversations: ['a: b'] }, as(me)),
      ]
      for (const answer of await Promise.all(asked)) assertClientError(answer.status, answer.what)
    },
    sabotage: {
      'believes every claim': changeStatusAt(403, 200, '/api/'),
    },
  },

  artifacts: {
    level: 'SHOULD',
    text: 'Where installs are authenticated, no install can read the artifacts of another one.',
    source: sources.artifacts,
    basis: { because: 'The document does not specify who may fetch an artifact; a screenshot is private.' },
    covers: ['H10', 'X404'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await hosted(context)
      const [me, other] = [await register(http), await register(http)]
      const mine = await upload(
        context.withTokenAt(http.base.href, me.install_token),
        Buffer.from('private'),
        'text/plain',
      )
      const { artifact_id } = mine.json(z.looseObject({ artifact_id: z.string() }))
      assertStatus(await http.get(`/api/artifacts/${artifact_id}`, as(me)), 200)
      const foreign = await http.get(`/api/artifacts/${artifact_id}`, as(other))
      assert.ok([403, 404].includes(foreign.status), `another install is answered ${foreign.status}`)
    },
    sabotage: {
      'shows artifacts to everybody': lendsToken(),
    },
  },
})

/** Fetches artifacts with the token that uploaded the last one. */
function lendsToken(): SabotageBehavior {
  let token: string | string[] | undefined
  return {
    changeRequest: (request) => {
      if (!request.path.startsWith('/api/artifacts/')) return
      if (request.method === 'POST') token = request.headers.authorization
      else request.headers.authorization = token
    },
  }
}
