import './broken.ts'
import './chat.ts'
import './connecting.ts'
import './requests.ts'
import './rest.ts'
import './runs.ts'
import './stopping.ts'
import { isBroadcast } from '../../cortask/driver.ts'
import { fail } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import type { TestContext } from '../../run/test-context.ts'

/** Milliseconds after which a gateway without a response to an invalid chat counts as silent. */
const SILENCE_MS = 1000

/** Checks that this is a Cortask gateway: other servers have a `/ws` too, but respond to a chat differently. */
export async function handshake({ socket: open, random }: TestContext): Promise<void> {
  const socket = await open('/ws')
  // It does not run, because the workspace does not exist.
  socket.send({ type: 'chat', sessionKey: random.word(), message: '', workspaceId: random.word() })
  // Words of welcome are not documented, and do no harm.
  const isAnswer = (one: SocketMessage) => 'sessionKey' in one || 'error' in one
  const answer = await socket.until('an answer', isAnswer, { timeoutMs: SILENCE_MS }).catch(() => undefined)
  if (socket.closed !== undefined) fail(`a chat is answered by closing the socket with ${socket.closed}`)
  const other = socket.messages.find((one) => !isBroadcast(one))
  if (!answer && other) fail(`a chat is answered with ${JSON.stringify(other)}`)
}
