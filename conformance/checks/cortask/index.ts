import './broken.ts'
import './chat.ts'
import './connecting.ts'
import './requests.ts'
import './rest.ts'
import './runs.ts'
import './stopping.ts'
import { fail } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import type { TestContext } from '../../run/test-context.ts'
import { isBroadcast } from './client.ts'

/** Milliseconds after which a gateway that says nothing to a chat it cannot run is taken for one that never does. */
const SILENCE_MS = 1000

/** Whether this is a Cortask gateway at all: others have a `/ws` too, and answer a chat in words of their own. */
export async function handshake({ socket: open, random }: TestContext): Promise<void> {
  const socket = await open('/ws')
  // It runs nowhere, for there is no such workspace.
  socket.send({ type: 'chat', sessionKey: random.word(), message: '', workspaceId: random.word() })
  // Words of welcome are not documented, and do no harm.
  const isAnswer = (one: SocketMessage) => 'sessionKey' in one || 'error' in one
  const answer = await socket.until('an answer', isAnswer, { timeoutMs: SILENCE_MS }).catch(() => undefined)
  if (socket.closed !== undefined) fail(`a chat is answered by closing the socket with ${socket.closed}`)
  const other = socket.messages.find((one) => !isBroadcast(one))
  if (!answer && other) fail(`a chat is answered with ${JSON.stringify(other)}`)
}
