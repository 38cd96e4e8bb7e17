import assert from 'node:assert/strict'
import { CreateReply } from '../../agent-webkit/contract.ts'
import { createSession } from '../../agent-webkit/driver.ts'
import { check } from '../check.ts'

check('agent-webkit:create:answer', async ({ http }) => {
  const answer = await http.post('/sessions', {})
  assert.ok(answer.status === 200 || answer.status === 201, `POST /sessions answers ${answer.status}`)
  answer.json(CreateReply)
})

check('agent-webkit:create:options', async ({ http, random }) => {
  const all = { model: 'claude-opus-4-7', permission_mode: 'default', cwd: '/' }
  const keys = random.shuffle(['model', 'permission_mode', 'cwd'] as const)
  for (const count of [1, 2, 3]) {
    const body = Object.fromEntries(keys.slice(0, count).map((key) => [key, all[key]]))
    const answer = await http.post('/sessions', body)
    assert.ok(answer.status < 300, `${JSON.stringify(body)} answers ${answer.status}: ${answer.text}`)
  }
})

check('agent-webkit:create:unique', async (context) => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => createSession(context)))
  assert.equal(new Set(ids).size, ids.length, `ids repeat: ${ids.join(', ')}`)
})

check('agent-webkit:create:unknown-keys', async ({ http, random }) => {
  const answer = await http.post('/sessions', { [random.word()]: 1 })
  assert.ok(answer.status < 300, `an unknown key answers ${answer.status}: ${answer.text}`)
})

check('agent-webkit:create:status', async ({ http }) => {
  assert.equal((await http.post('/sessions', {})).status, 200)
})

check(
  'agent-webkit:create:malformed',
  async ({ http }) => {
    for (const raw of ['{"model":', '[]', '"hello"', '7', '{"model": 7}', '{"cwd": {}}', '{"permission_mode": []}']) {
      const answer = await http.send({ method: 'POST', path: '/sessions', raw, deliberate: true })
      assert.ok([400, 422].includes(answer.status), `${raw} answers ${answer.status} instead of 400 or 422`)
    }
  },
  { pool: 'dangerous' },
)
