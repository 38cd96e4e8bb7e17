import assert from 'node:assert/strict'
import { fail } from '../../probe/failure.ts'
import type { Http, HttpAnswer } from '../../probe/http.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { createSession } from './client.ts'

/** The session routes, all of which are guarded. */
const routes = (id: string) => [
  { method: 'POST', path: '/sessions', body: {} },
  { method: 'GET', path: `/sessions/${id}/stream` },
  { method: 'POST', path: `/sessions/${id}/input`, body: { type: 'interrupt' } },
  { method: 'DELETE', path: `/sessions/${id}` },
]

function token({ subject }: Bench): string {
  return subject.token ?? fail('prerequisite: no --token was given, so nothing can be said of authentication')
}

async function assertAllRefused(http: Http, id: string): Promise<void> {
  for (const route of routes(id)) {
    const answer = await http.send(route)
    assertRefused(answer, `${route.method} ${route.path}`)
  }
}

const assertRefused = ({ status }: HttpAnswer, what: string) =>
  assert.ok(status >= 400 && status < 500, `${what} answers ${status}`)

check('agent-webkit:auth:missing', async (bench) => {
  token(bench)
  await assertAllRefused(bench.withToken(undefined), await createSession(bench))
})

check('agent-webkit:auth:wrong', async (bench) => {
  const id = await createSession(bench)
  for (const wrong of [`${token(bench)}x`, token(bench).slice(0, -1), bench.random.word(24)])
    await assertAllRefused(bench.withToken(wrong), id)
})

check('agent-webkit:auth:status', async (bench) => {
  token(bench)
  const id = await createSession(bench)
  for (const shown of [undefined, bench.random.word(24)])
    for (const route of routes(id)) {
      const { status } = await bench.withToken(shown).send(route)
      // Whether it is refused at all is for another check to say.
      if (status >= 400) assert.equal(status, 401, `${route.method} ${route.path} answers ${status}`)
    }
})

check(
  'agent-webkit:auth:first',
  async (bench) => {
    token(bench)
    const http = bench.withToken(undefined)
    const unknown = await http.post(`/sessions/${bench.random.word()}/input`, { type: 'interrupt' })
    assert.equal(unknown.status, 401, 'for an unknown session')
    const broken = await http.send({ method: 'POST', path: '/sessions', raw: '{"model":', deliberate: true })
    assert.equal(broken.status, 401, 'for a broken body')
  },
  { lane: 'dangerous' },
)

check('agent-webkit:auth:header-only', async (bench) => {
  const http = bench.withToken(undefined)
  const query = new URLSearchParams({ token: token(bench), access_token: token(bench) })
  const answer = await http.post(`/sessions?${query}`, {})
  assertRefused(answer, 'a token in the query')
})
