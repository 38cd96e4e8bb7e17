import './files.ts'
import './flows.ts'
import './meta.ts'
import './sessions.ts'
import './sockets.ts'
import './stops.ts'
import assert from 'node:assert/strict'
import type { Bench } from '../../bench.ts'
import { Health } from '../../contract/navi.ts'

/** Whether this is a Navi server at all. */
export async function greet({ http }: Bench): Promise<void> {
  const answer = await http.get('/health')
  assert.equal(answer.status, 200, `GET /health answers ${answer.status}`)
  answer.json(Health)
}
