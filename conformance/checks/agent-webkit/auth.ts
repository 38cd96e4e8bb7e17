import assert from 'node:assert/strict'
import { createSession } from '../../agent-webkit/driver.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

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

check('agent-webkit:auth:missing', async (context) => {
  token(context)
  await assertAllRefused(context.withToken(undefined), await createSession(context))
})

check('agent-webkit:auth:wrong', async (context) => {
  const id = await createSession(context)
  for (const wrong of [`${token(context)}x`, token(context).slice(0, -1), context.random.word(24)])
    await assertAllRefused(context.withToken(wrong), id)
})

check('agent-webkit:auth:status', async (context) => {
  token(context)
  const id = await createSession(context)
  for (const shown of [undefined, context.random.word(24)])
    for (const route of routes(id)) {
      const { status } = await context.withToken(shown).send(route)
      // Another check tests whether it is refused at all.
      if (status >= 400) assert.equal(status, 401, `${route.method} ${route.path} answers ${status}`)
    }
})

check(
  'agent-webkit:auth:first',
  async (context) => {
    token(context)
    const http = context.withToken(undefined)
    const unknown = await http.post(`/sessions/${context.random.word()}/input`, { type: 'interrupt' })
    assert.equal(unknown.status, 401, 'for an unknown session')
    const broken = await http.send({ method: 'POST', path: '/sessions', raw: '{"model":', deliberate: true })
    assert.equal(broken.status, 401, 'for a broken body')
  },
  { pool: 'dangerous' },
)

check('agent-webkit:auth:header-only', async (context) => {
  const http = context.withToken(undefined)
  const query = new URLSearchParams({ token: token(context), access_token: token(context) })
  const answer = await http.post(`/sessions?${query}`, {})
  assertRefused(answer, 'a token in the query')
})
