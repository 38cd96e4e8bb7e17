import assert from 'node:assert/strict'
import * as z from 'zod'
import { Detail } from '../../agent-webkit/contract.ts'
import { createSession } from '../../agent-webkit/driver.ts'
import { notOffered } from '../../probe/failure.ts'
import { check } from '../check.ts'

check('agent-webkit:other:path', async ({ http, random }) => {
  const unknown = await http.get(`/${random.word()}`)
  assert.equal(unknown.status, 404)
  unknown.json()
  const wrong = await http.send({ method: 'PUT', path: '/sessions', body: {} })
  assert.ok([404, 405].includes(wrong.status), `PUT /sessions answers ${wrong.status}`)
  wrong.json()
})

check(
  'agent-webkit:other:detail',
  async (context) => {
    const id = await createSession(context)
    const refused = [
      await context.http.get(`/${context.random.word()}`),
      await context.http.send({ method: 'PUT', path: '/sessions', body: {} }),
      await context.http.send({ method: 'POST', path: `/sessions/${id}/input`, raw: '{', deliberate: true }),
      await context.http.post(`/sessions/${context.random.word()}/input`, { type: 'interrupt' }),
      await context.http.get(`/sessions/${context.random.word()}/stream`),
    ]
    for (const answer of refused) answer.json(Detail)
  },
  { pool: 'dangerous' },
)

const GenUi = z.looseObject({
  tools: z.array(z.looseObject({ short_name: z.string().regex(/^[a-z][a-z0-9_]*$/), schema: z.looseObject({}) })),
})

check('agent-webkit:other:genui', async ({ http }) => {
  const answer = await http.get('/genui/schema')
  if (answer.status === 404) notOffered('GET /genui/schema answers 404')
  answer.json(GenUi)
})

check('agent-webkit:other:cors', async ({ http }) => {
  const answer = await http.post('/sessions', {}, { headers: { origin: 'https://evil.example' } })
  const allowed = answer.headers['access-control-allow-origin']
  assert.ok(allowed !== '*' && allowed !== 'https://evil.example', `a foreign origin is allowed: ${allowed}`)
})
