import assert from 'node:assert/strict'
import * as z from 'zod'
import './auth.ts'
import './close.ts'
import './create.ts'
import './input.ts'
import './other.ts'
import './permission.ts'
import './question.ts'
import './stalled.ts'
import './stream.ts'
import './turn.ts'
import type { TestContext } from '../../run/test-context.ts'

/** Checks that this is an agent-webkit server: it creates a session. */
export async function handshake({ http }: TestContext): Promise<void> {
  const answer = await http.post('/sessions', {})
  assert.ok(answer.status >= 200 && answer.status < 300, `POST /sessions answers ${answer.status}: ${answer.text}`)
  answer.json(z.looseObject({ session_id: z.string().min(1) }))
}
