import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { type Awaitable, andThen } from '../../base/async.ts'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { callNow } from '../../observer/call.ts'
import { type JsonChunk, toJsonChunks } from '../../observer/json.ts'
import { ResultBytes, type ToolResult, toRefusal } from '../../observer/result.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import { audienceOf, type HarnessAccess } from '../http/guard.ts'
import { parseJson } from '../http/json.ts'
import type { Socket } from '../http/sockets.ts'
import { nextBatch } from './reply.ts'

/** The path of a desktop's socket, at the root or below `/sessions/ID`. */
export const SOCKET_PATH = '/api/session/socket'

const MAX_CALLS = 1024
/** Once the results of a message context this length, the remaining calls are not run. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** After this many calls of a list, other clients are served. */
const CALLS_PER_BATCH = 64
/** With this many queued messages, the socket is paused. */
const MAX_QUEUED_MESSAGES = 64

/** One call of a tool. */
const SocketCall = z
  .strictObject({
    tool: z.string(),
    args: z.record(z.string(), z.unknown()).optional(),
    session_id: z.string().optional().describe("Another desktop than the socket's own"),
    id: z.union([z.string(), z.number()]).optional().describe('Given back with the answer'),
    binary: z
      .boolean()
      .optional()
      .describe(
        'Send raw pixels of session_step and session_reset as a binary frame after the answer; screenshot.data is then {"frame": n}, the n-th from 0',
      ),
  })
  .meta({ id: 'SocketCall' })

/** A client message: a call, or a list of calls that run in order. The reply has the same shape. */
export const SocketMessage = z.union([SocketCall, z.array(SocketCall).min(1).max(MAX_CALLS)])

/** Finds the desktop of a socket path. Undefined for other paths. The returned function throws `SessionNotFound`. */
export function socketSession(sessions: DesktopSessions, path: string): (() => DesktopSession) | undefined {
  if (path === SOCKET_PATH) return () => sessions.first
  if (!path.startsWith('/sessions/') || !path.endsWith(SOCKET_PATH)) return undefined
  const id = path.slice('/sessions/'.length, -SOCKET_PATH.length)
  return () => sessions.get(id)
}

/** The desktops of a socket, and the credentials of its client. */
interface SocketContext {
  readonly sessions: DesktopSessions
  /** The desktop of this socket. */
  readonly own: () => DesktopSession
  /** The headers of the handshake. */
  readonly headers: IncomingHttpHeaders
  readonly harness: HarnessAccess
}

/** Answers the messages of a socket in order. */
export function serveCalls(socket: Socket, context: SocketContext): void {
  let waiting = 0
  let open = true
  const messages = new SerialQueue()
  const answer = async (text: string) => {
    if (open) {
      const frames: Buffer[] = []
      socket.send(joinChunks(await answerTo(text, frames, context)))
      for (const frame of frames) {
        await socket.drained()
        socket.sendBytes(frame)
      }
    }
    await socket.drained()
    if (--waiting === 0) socket.resume()
  }
  socket.onClose(() => {
    open = false
  })
  socket.onMessage((text) => {
    if (++waiting === MAX_QUEUED_MESSAGES) socket.pause()
    const read = nextBatch()
    void messages.run(() => read.then(() => answer(text)))
  })
}

/** @param frames Receives what is sent in binary frames after the answer. */
async function answerTo(text: string, frames: Buffer[], context: SocketContext): Promise<readonly JsonChunk[]> {
  let asked: unknown
  try {
    asked = parseJson(text)
  } catch (error) {
    if (error instanceof Fault) return toJsonChunks(toRefusal(error).body)
    return toError(`the message is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(asked)) return toJsonChunks(await answerOf(asked, frames, context))
  if (asked.length === 0 || asked.length > MAX_CALLS)
    return toError(`a message has 1 to ${MAX_CALLS} calls, not ${asked.length}`)
  const answers: JsonChunk[] = []
  let length = 0
  for (const [index, each] of asked.entries()) {
    if (index % CALLS_PER_BATCH === CALLS_PER_BATCH - 1) await nextBatch()
    const sent = frames.length
    const answer = length > MAX_ANSWER_BYTES ? tooLarge(each) : answerOf(each, frames, context)
    const pieces = toJsonChunks(answer instanceof Promise ? await answer : answer)
    answers.push(index === 0 ? '[' : ',', ...pieces)
    for (const piece of [...pieces, ...frames.slice(sent)]) length += piece.length
  }
  answers.push(']')
  return answers
}

function answerOf(
  asked: unknown,
  frames: Buffer[],
  { sessions, own, headers, harness }: SocketContext,
): Awaitable<ToolResult> {
  const read = SocketCall.safeParse(asked)
  if (!read.success) return withId(asked, toRefusal(new Fault('BadRequest', describeIssues(read.error))).body)
  const { tool, args, session_id, binary = false } = read.data
  try {
    const session = session_id === undefined ? own() : sessions.get(session_id)
    const audience = audienceOf(session, headers, harness)
    return andThen(callNow(session, tool, args, SOCKET[audience]), ({ body }) =>
      withId(asked, binary ? withFrames(body, frames) : body),
    )
  } catch (thrown) {
    return withId(asked, toRefusal(Fault.from(thrown)).body)
  }
}

/** The result with a number in place of the pixels of its observation, which are added to the frames. */
function withFrames(body: ToolResult, frames: Buffer[]): ToolResult {
  const observation = body.observation as ToolResult | undefined
  const screenshot = observation?.screenshot as ToolResult | undefined
  if (!(screenshot?.data instanceof ResultBytes)) return body
  const frame = frames.push(screenshot.data.bytes) - 1
  return { ...body, observation: { ...observation, screenshot: { ...screenshot, data: { frame } } } }
}

const SOCKET = {
  agent: { caller: 'socket', audience: 'agent' },
  harness: { caller: 'socket', audience: 'harness' },
} as const

const tooLarge = (asked: unknown): ToolResult =>
  withId(
    asked,
    toRefusal(new Fault('TooLarge', 'the previous results fill 16 MiB, so this call was not run; send it again')).body,
  )

function withId(asked: unknown, body: ToolResult): ToolResult {
  const id = typeof asked === 'object' && asked !== null && 'id' in asked ? asked.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? { ...body, id } : body
}

const toError = (message: string): readonly JsonChunk[] =>
  toJsonChunks(toRefusal(new Fault('BadRequest', message)).body)

/** Joins the chunks of a message, as bytes if any chunk is bytes. */
const joinChunks = (pieces: readonly JsonChunk[]): string | Buffer =>
  pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
