import assert from 'node:assert/strict'
import * as z from 'zod'
import { SessionRow, Workspace } from '../../cortask/contract.ts'
import { connect, parseEvent } from '../../cortask/driver.ts'
import { check } from '../check.ts'

check('cortask:rest:start', async ({ http }) => {
  for (const path of ['/api/health', '/api/onboarding/status'])
    assert.equal((await http.get(path)).status, 200, `${path} does not answer`)
})

check('cortask:rest:workspaces', async ({ http, random }) => {
  const [first] = (await http.get('/api/workspaces')).json(z.array(Workspace).min(1))
  const opened = (await http.post(`/api/workspaces/${first!.id}/open`, {})).json(Workspace)
  assert.equal(opened.id, first!.id)
  assert.equal((await http.post(`/api/workspaces/${random.word(16)}/open`, {})).status, 404)
})

check('cortask:rest:sessions', async (context) => {
  const client = await connect(context)
  const query = `?workspaceId=${encodeURIComponent(client.workspaceId)}`
  const text = `${context.profile.phrase('hello')} ${context.random.word()}`
  const [first] = await client.run(text)
  const id = encodeURIComponent(String(first!.sessionKey))
  const rows = (await context.http.get(`/api/sessions${query}`)).json(z.array(SessionRow))
  const row = rows.find((one) => one.id === first!.sessionKey)
  assert.equal(row?.title, text.slice(0, 80))
  const shape = SessionRow.extend({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) })
  const { messages } = (await context.http.get(`/api/sessions/${id}${query}`)).json(shape)
  assert.deepEqual(
    messages.slice(0, 2).map((one) => one.role),
    ['user', 'assistant'],
  )
  assert.equal((await context.http.delete(`/api/sessions/${id}${query}`)).status, 204)
  assert.equal((await context.http.get(`/api/sessions/${id}${query}`)).status, 404)
})

const Broadcast = z.strictObject({ method: z.enum(['GET', 'POST']), path: z.string(), body: z.unknown().optional() })

for (const [id, type, purpose] of [
  ['cortask:broadcast:channel', 'channel:status', 'start-channel'],
  ['cortask:broadcast:session', 'session:refresh', 'update-session'],
] as const)
  check(id, async (context) => {
    const clients = [await connect(context), await connect(context)]
    const { method, path, body } = context.profile.known(purpose, Broadcast)
    // `{workspace}` is replaced by the workspace of the clients.
    const raw = JSON.stringify(body ?? {}).replaceAll('{workspace}', clients[0]!.workspaceId)
    const answer = await context.http.send({ method, path, raw })
    assert.ok(answer.status < 300, `${path} answers ${answer.status}`)
    for (const client of clients) parseEvent(await client.nextEvent(type), type)
  })
