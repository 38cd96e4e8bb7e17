import assert, { AssertionError } from 'node:assert/strict'
import type { HttpProbe, HttpRequest, HttpResponse } from '../../probe/http.ts'
import type { AnyJson } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { fillNameField, findElement, getTree, getWindows, showScenario, toQuery } from '../driver.ts'
import { onRefusal } from '../sabotage.ts'

/** The response, or undefined when the server disconnects; then it must still respond to other requests. */
async function survived(http: HttpProbe, request: HttpRequest): Promise<HttpResponse | undefined> {
  let answer: HttpResponse | undefined
  try {
    answer = await http.send({ deliberate: true, ...request })
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error
  }
  const { status } = await http.get('/api/healthz')
  assert.equal(status, 200, `after ${request.method} ${request.path} healthz answers ${status}`)
  return answer
}

const BODY_BYTES = 64_000_000

/** A pattern with exponential backtracking on forty letters. */
const ENDLESS = '(a+)+#'

const SOON_MS = 3000

async function assertSoon(http: HttpProbe, request: HttpRequest): Promise<void> {
  const answer = await survived(http, { ...request, timeoutMs: SOON_MS })
  assert.ok(answer, `${request.method} ${request.path} is not answered within ${SOON_MS} ms`)
}

/** A file that exists on every POSIX system, and one that never exists. On other systems both are missing. */
const FILES = (context: TestContext) => ['/etc/passwd', `/etc/${context.random.word(16)}`] as const

/** Requests from other sites. */
export const guardRules = defineRules('guard', {
  host: {
    level: 'SHOULD',
    text: 'A request whose Host is not this machine is refused, as protection against DNS rebinding.',
    source: sources.commonPractice,
    basis: { because: 'Pages of other sites could drive the desktop by DNS rebinding.' },
    covers: ['O-R5'],
    tier: 'full',
    check: async ({ http }) => {
      const answer = await http.get('/api/windows', { headers: { host: 'evil.example' } })
      assert.ok(answer.status >= 400, `a request for evil.example answers ${answer.status}`)
    },
    sabotage: {
      'trusts every host': {
        changeRequest: (request) => {
          delete request.headers.host
        },
      },
    },
  },

  origin: {
    level: 'SHOULD',
    text: 'An action sent by a web page of a foreign origin is refused.',
    source: sources.commonPractice,
    basis: { because: 'Pages of other sites could drive the desktop.' },
    covers: ['O-R5'],
    tier: 'full',
    check: async ({ http }) => {
      const origin = 'https://evil.example'
      const answer = await http.post('/api/action', { action: 'key', value: 'escape' }, { headers: { origin } })
      assert.ok(answer.status >= 400, `an action from ${origin} answers ${answer.status}`)
    },
    sabotage: {
      'trusts every page': {
        changeRequest: (request) => {
          delete request.headers.origin
        },
      },
    },
  },

  'content-type': {
    level: 'SHOULD',
    text: 'An action sent as text/plain, which a page may send without a preflight, is refused.',
    source: sources.commonPractice,
    basis: { because: 'Pages of other sites may send text/plain without a preflight.' },
    covers: ['O-R5'],
    tier: 'full',
    check: async ({ http }) => {
      const raw = '{"action":"key","value":"escape"}'
      const headers = { 'content-type': 'text/plain' }
      const answer = await http.send({ method: 'POST', path: '/api/action', raw, headers, deliberate: true })
      assert.ok(answer.status >= 400, `an action sent as text/plain answers ${answer.status}`)
    },
    sabotage: {
      'reads any content type': {
        changeRequest: (request) => {
          if (request.headers['content-type']) request.headers['content-type'] = 'application/json'
        },
      },
    },
  },

  get: {
    level: 'SHOULD',
    text: 'GET on the tool route performs no action.',
    source: sources.commonPractice,
    basis: { because: 'Pages of other sites may send GET requests through an image.' },
    covers: ['O-E47'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const { element_id } = await findElement(http, 'Button[name="Open dialog"]')
      const before = await getTree(http)
      await http.get(`/api/tool/click_element?element_id=${element_id}`)
      assert.equal((await getTree(http)).tree_hash, before.tree_hash, 'GET clicked')
    },
    sabotage: {
      'acts on GET': {
        changeRequest: (request) => {
          const { pathname, searchParams } = new URL(request.path, 'http://host')
          if (request.method !== 'GET' || pathname !== '/api/tool/click_element') return
          const body = Buffer.from(JSON.stringify(Object.fromEntries(searchParams)))
          Object.assign(request, { method: 'POST', path: pathname, body })
          request.headers['content-type'] = 'application/json'
        },
      },
    },
  },

  'get-foreground': {
    level: 'SHOULD',
    text: 'A page of another site cannot raise a window by an image.',
    source: sources.commonPractice,
    basis: { because: 'Pages of other sites may send GET requests through an image.' },
    covers: ['O-E52'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const order = async () => (await getWindows(http)).map(({ window_uid }) => window_uid)
      const before = await order()
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
      await http.get(`/api/bring_to_foreground${toQuery({ window_uid: before.at(-1) })}`, { headers })
      assert.deepEqual(await order(), before, 'an image of another site raises a window')
    },
    sabotage: {
      'raises windows for images': {
        changeRequest: (request) => {
          if (!request.path.startsWith('/api/bring_to_foreground')) return
          for (const name of Object.keys(request.headers)) if (name.startsWith('sec-')) delete request.headers[name]
        },
      },
    },
  },
})

/** Values that a server has to survive. */
export const limitsRules = defineRules('limits', {
  body: {
    level: 'SHOULD',
    text: 'A body of 64 MB is refused, and the server keeps running.',
    source: sources.judgement,
    basis: { because: 'The document sets no limit; a few such bodies could fill the memory.' },
    covers: ['O-R5'],
    tier: 'full',
    pool: 'dangerous',
    check: async ({ http }) => {
      const raw = `{"action":"type","value":"${'x'.repeat(BODY_BYTES)}"}`
      const answer = await survived(http, { method: 'POST', path: '/api/action', raw })
      if (answer) assert.ok(answer.status >= 400, `it answers ${answer.status}`)
    },
    sabotage: {
      'takes any body': {
        changeRequest: (request) => {
          if (request.body.length > 10_000_000) request.body = Buffer.from('{"action":"type","value":"x"}')
        },
      },
    },
  },

  pattern: {
    level: 'SHOULD',
    text: 'An expression that backtracks without end does not hold up the server.',
    source: sources.judgement,
    basis: { because: 'The document takes expressions from clients; some of them take years on a short text.' },
    covers: ['O-C3', 'O-P5'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      await showScenario(context)
      await fillNameField(context.http, 'a'.repeat(40))
      const { http } = context
      const asks = [
        ['/api/wait_for', { any_of: [{ type: 'text_visible', regex: ENDLESS }], timeout_ms: 100, poll_ms: 50 }],
        ['/api/assert_state', { predicate: [{ kind: 'text_visible', regex: ENDLESS, mode: 'tree' }] }],
      ] as const
      for (const [path, body] of asks) await assertSoon(http, { method: 'POST', path, raw: JSON.stringify(body) })
      const selector = `//Edit[value~="${ENDLESS}"]`
      await assertSoon(http, { method: 'GET', path: `/api/find_element${toQuery({ selector })}` })
    },
    sabotage: {
      'tries every way an expression can fit': {
        changeResponse: (response, request) => {
          if (!request.body.includes('(a+)+#')) return
          // As long as the suite waits; the answer comes too late.
          const endAt = performance.now() + 3500
          while (performance.now() < endAt) response.headers['x-late'] = '1'
        },
      },
    },
  },
})

/** Files that a server may write. */
export const filesRules = defineRules('files', {
  silent: {
    level: 'SHOULD',
    text: 'Paths outside the readable folders reveal nothing: an existing file gets the same response as a missing one.',
    source: sources.judgement,
    basis: { because: 'The document takes paths from clients; the answers could search the disk.' },
    covers: ['O-E34', 'O-E38', 'O-P9'],
    tier: 'full',
    check: async (context) => {
      const ways = [
        ['/api/scenario/load', (path: string) => ({ path })],
        ['/api/replay/start', (path: string) => ({ path })],
        [
          '/api/assert_state',
          (path: string) => ({ predicate: [{ kind: 'screenshot_similar', reference_path: path, min_ssim: 0.9 }] }),
        ],
      ] as const
      for (const [way, bodyOf] of ways) {
        const details = await Promise.all(
          FILES(context).map(async (path) => {
            const { status, text } = await context.http.send({
              method: 'POST',
              path: way,
              raw: JSON.stringify(bodyOf(path)),
              deliberate: true,
            })
            // Steps and times differ from call to call.
            return { status, text: text.replaceAll(path, 'PATH').replace(/\d+(\.\d+)?/g, 'N') }
          }),
        )
        assert.deepEqual(details[0], details[1], `${way} distinguishes existing files from missing ones`)
      }
    },
    sabotage: {
      'tells which files are there': onRefusal('ScenarioInvalid', (response, request) => {
        if (request.body.includes('/etc/passwd')) (response.json as AnyJson).error.message = 'line 1 is no scenario'
      }),
    },
  },
})
