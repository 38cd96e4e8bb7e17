import './files.ts'
import './flows.ts'
import './meta.ts'
import './sessions.ts'
import './sockets.ts'
import './stops.ts'
import assert from 'node:assert/strict'
import * as z from 'zod'
import type { HttpProbe } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'

/** Checks that this is a Navi server: it creates a session with a profile. */
export async function handshake({ http, profile }: TestContext): Promise<void> {
  const profile_id = profile.has('profile') ? profile.known('profile', z.string()) : await firstProfile(http)
  const answer = await http.post('/sessions', { profile_id })
  assert.ok(answer.status >= 200 && answer.status < 300, `POST /sessions answers ${answer.status}: ${answer.text}`)
  answer.json(z.looseObject({ session_id: z.string().min(1) }))
}

async function firstProfile(http: HttpProbe): Promise<string> {
  const answer = await http.get('/agents/profiles')
  assert.equal(answer.status, 200, `GET /agents/profiles answers ${answer.status}`)
  return answer.json(z.array(z.looseObject({ id: z.string() })).min(1))[0]!.id
}
