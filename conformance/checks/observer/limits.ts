import assert, { AssertionError } from 'node:assert/strict'
import { fillNameField, showScenario, toQuery } from '../../observer/driver.ts'
import type { HttpProbe, HttpRequest, HttpResponse } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

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

check(
  'observer:limits:body',
  async ({ http }) => {
    const raw = `{"action":"type","value":"${'x'.repeat(BODY_BYTES)}"}`
    const answer = await survived(http, { method: 'POST', path: '/api/action', raw })
    if (answer) assert.ok(answer.status >= 400, `it answers ${answer.status}`)
  },
  { pool: 'dangerous' },
)

/** A pattern with exponential backtracking on forty letters. */
const ENDLESS = '(a+)+#'
const SOON_MS = 3000

check(
  'observer:limits:pattern',
  async (context) => {
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
  { pool: 'dangerous', timeoutMs: 60_000 },
)

async function assertSoon(http: HttpProbe, request: HttpRequest): Promise<void> {
  const answer = await survived(http, { ...request, timeoutMs: SOON_MS })
  assert.ok(answer, `${request.method} ${request.path} is not answered within ${SOON_MS} ms`)
}

/** A file that exists on every POSIX system, and one that never exists. On other systems both are missing. */
const FILES = (context: TestContext) => ['/etc/passwd', `/etc/${context.random.word(16)}`] as const

check('observer:files:silent', async (context) => {
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
})
