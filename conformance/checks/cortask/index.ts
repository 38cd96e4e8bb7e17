import './broken.ts'
import './chat.ts'
import './connecting.ts'
import './requests.ts'
import './rest.ts'
import './runs.ts'
import './stopping.ts'
import type { Bench } from '../../bench.ts'
import { fail } from '../../probe/failure.ts'
import { isBroadcast } from './client.ts'

/** Milliseconds after which a gateway that says nothing to a chat it cannot run is taken for one that never does. */
const SILENCE_MS = 1000

/** Whether this is a Cortask gateway at all: others have a `/ws` too, and answer a chat in words of their own. */
export async function greet({ socket: open, random }: Bench): Promise<void> {
  const socket = await open('/ws')
  // It runs nowhere, for there is no such workspace.
  socket.send({ type: 'chat', sessionKey: random.word(), message: '', workspaceId: random.word() })
  const answered = socket.until('an answer', (one) => !isBroadcast(one), { timeoutMs: SILENCE_MS })
  const said = await answered.catch(() => undefined)
  if (socket.closed !== undefined) fail(`a chat is answered by closing the socket with ${socket.closed}`)
  if (said && !('sessionKey' in said) && !('error' in said)) fail(`a chat is answered with ${JSON.stringify(said)}`)
}
