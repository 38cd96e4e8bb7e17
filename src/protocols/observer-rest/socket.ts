import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { type Awaitable, andThen } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import { describeIssues } from '../../base/issues.ts'
import { callNow } from '../../observer/call.ts'
import { type JsonChunk, toJsonChunks } from '../../observer/json/json.ts'
import { toRefusal } from '../../observer/refusal.ts'
import type { ToolResult } from '../../observer/result.ts'
import type { Session } from '../../observer/session/session.ts'
import type { Sessions } from '../../observer/session/sessions.ts'
import { parseJson } from '../http/json.ts'
import type { Socket } from '../http/sockets.ts'
import { audienceOf, type HarnessAccess } from './audience.ts'
import { nextBatch } from './batch.ts'

/** Where the socket of a desktop is, at the root or below `/sessions/ID`. */
export const SOCKET_PATH = '/api/session/socket'

const MAX_CALLS = 1024
/** Letters or bytes of answers in one message, after which nothing more is done for it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** After as many calls of a list other clients have their turn. */
const TURN = 64
/** Messages that may wait before no more are read. */
const MAX_WAITING = 64

/** One call of a tool. */
const SocketCall = z
  .strictObject({
    tool: z.string(),
    args: z.record(z.string(), z.unknown()).optional(),
    session_id: z.string().optional().describe("Another desktop than the socket's own"),
    id: z.union([z.string(), z.number()]).optional().describe('Given back with the answer'),
  })
  .meta({ id: 'SocketCall' })

/** What a client sends: a call, or several that are made in order. The answer is one, or as many. */
export const SocketMessage = z.union([SocketCall, z.array(SocketCall).min(1).max(MAX_CALLS)])

/** The desktop whose socket is at a path. Throws `SessionNotFound`; undefined where no socket is. */
export function socketSession(sessions: Sessions, path: string): (() => Session) | undefined {
  if (path === SOCKET_PATH) return () => sessions.first
  if (!path.startsWith('/sessions/') || !path.endsWith(SOCKET_PATH)) return undefined
  const id = path.slice('/sessions/'.length, -SOCKET_PATH.length)
  return () => sessions.get(id)
}

/** The desktops that a socket reaches, and who its client is. */
interface Reach {
  readonly sessions: Sessions
  /** The desktop whose socket this is. */
  readonly own: () => Session
  /** The headers of the handshake. */
  readonly headers: IncomingHttpHeaders
  readonly harness: HarnessAccess
}

/** Answers the calls of a socket, message by message, in the order in which they came. */
export function serveCalls(socket: Socket, reach: Reach): void {
  let waiting = 0
  let open = true
  let last: Promise<void> = Promise.resolve()
  const answer = async (text: string) => {
    if (open) socket.send(whole(await answerTo(text, reach)))
    await socket.drained()
    if (--waiting === 0) socket.resume()
  }
  socket.onClose(() => {
    open = false
  })
  socket.onMessage((text) => {
    if (++waiting === MAX_WAITING) socket.pause()
    const read = nextBatch()
    last = last.then(() => read).then(() => answer(text))
  })
}

async function answerTo(text: string, reach: Reach): Promise<readonly JsonChunk[]> {
  let asked: unknown
  try {
    asked = parseJson(text)
  } catch (error) {
    if (error instanceof Fault) return toJsonChunks(toRefusal(error).body)
    return refused(`the message is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(asked)) return toJsonChunks(await answerOf(asked, reach))
  if (asked.length === 0 || asked.length > MAX_CALLS)
    return refused(`a message has 1 to ${MAX_CALLS} calls, not ${asked.length}`)
  const answers: JsonChunk[] = []
  let length = 0
  for (const [place, each] of asked.entries()) {
    if (place % TURN === TURN - 1) await nextBatch()
    const answer = length > MAX_ANSWER_BYTES ? tooMuch(each) : answerOf(each, reach)
    const pieces = toJsonChunks(answer instanceof Promise ? await answer : answer)
    answers.push(place === 0 ? '[' : ',', ...pieces)
    for (const piece of pieces) length += piece.length
  }
  answers.push(']')
  return answers
}

function answerOf(asked: unknown, { sessions, own, headers, harness }: Reach): Awaitable<ToolResult> {
  const read = SocketCall.safeParse(asked)
  if (!read.success) return withId(asked, toRefusal(new Fault('BadRequest', describeIssues(read.error))).body)
  const { tool, args, session_id } = read.data
  try {
    const session = session_id === undefined ? own() : sessions.get(session_id)
    const audience = audienceOf(session, headers, harness)
    return andThen(callNow(session, tool, args, SOCKET[audience]), ({ body }) => withId(asked, body))
  } catch (thrown) {
    return withId(asked, toRefusal(Fault.from(thrown)).body)
  }
}

const SOCKET = {
  agent: { caller: 'socket', audience: 'agent' },
  harness: { caller: 'socket', audience: 'harness' },
} as const

const tooMuch = (asked: unknown): ToolResult =>
  withId(
    asked,
    toRefusal(new Fault('TooLarge', 'the answers before fill 16 MiB, so this was not done; send it once more')).body,
  )

function withId(asked: unknown, body: ToolResult): ToolResult {
  const id = typeof asked === 'object' && asked !== null && 'id' in asked ? asked.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? { ...body, id } : body
}

const refused = (message: string): readonly JsonChunk[] =>
  toJsonChunks(toRefusal(new Fault('BadRequest', message)).body)

/** A message in one piece; as bytes where a part is bytes already. */
const whole = (pieces: readonly JsonChunk[]): string | Buffer =>
  pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
