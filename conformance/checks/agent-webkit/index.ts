import './auth.ts'
import './close.ts'
import './create.ts'
import './input.ts'
import './other.ts'
import './permission.ts'
import './question.ts'
import './stream.ts'
import './turn.ts'
import type { Bench } from '../../bench.ts'
import { createSession } from './talk.ts'

/** Whether this is an agent-webkit server at all. */
export async function greet(bench: Bench): Promise<void> {
  await createSession(bench)
}
