import type * as z from 'zod'
import { describeIssues, isTooDeep, MAX_LISTED_ISSUES, problemWords } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { didYouMean, shortened } from '../../base/strings.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import { parseJson } from '../http/json.ts'
import type { Socket } from '../http/sockets.ts'
import type { Environments, Lease } from './environments.ts'
import type { Episode } from './episode.ts'
import { answerRpc, parseError, refuseRpc } from './mcp.ts'
import { ENVIRONMENT, errorFrame, INCOMING } from './wire.ts'

/** With this many queued frames, the socket is paused. */
const MAX_QUEUED_FRAMES = 16
const NORMAL_CLOSURE = 1000

/** What the sockets of a server share. */
export interface SocketContext {
  readonly environments: Environments
  readonly sessions: DesktopSessions
  /** Called with unexpected internal errors. */
  readonly onBug: (cause: unknown) => void
}

/** A frame of the server. */
type Frame = object

/** Serves episodes: on a new environment, or on one that a request over HTTP opened. */
export function serveEpisodes(socket: Socket, sessionId: string | null, context: SocketContext): void {
  const { environments, sessions, onBug } = context
  const lease = sessionId === null ? environments.open() : attached(environments, sessionId)
  serveFrames(socket, {
    lease,
    onBug,
    answer: (text, episode) => answerFrame(text, episode, context),
    refuse: (fault) => refusalOf(fault, sessions),
  })
}

/** Serves JSON-RPC on the tools of a new environment. */
export function serveTools(socket: Socket, { environments, onBug }: SocketContext): void {
  serveFrames(socket, {
    lease: environments.open(),
    onBug,
    answer: async (text, episode) => {
      const read = readJson(text)
      return 'problem' in read ? parseError(read.problem) : answerRpc(read.value, environments, episode)
    },
    refuse: refuseRpc,
  })
}

const attached = async (environments: Environments, id: string): Promise<Lease> => environments.attach(id)

interface FrameService {
  readonly lease: Promise<Lease>
  readonly onBug: SocketContext['onBug']
  /** Undefined for a frame that ends the connection. */
  readonly answer: (text: string, episode: Episode) => Promise<Frame | undefined>
  /** The one frame of a client that gets no environment. */
  readonly refuse: (fault: Fault) => Frame
}

/** Answers frames in order, as soon as the environment is open. It is released after the last frame. */
function serveFrames(socket: Socket, { lease, onBug, answer, refuse }: FrameService): void {
  const frames = new SerialQueue()
  let waiting = 0
  let isOpen = true
  const handle = async (text: string): Promise<void> => {
    const { episode } = await lease
    const reply = isOpen ? await answer(text, episode) : undefined
    if (reply === undefined) socket.close(NORMAL_CLOSURE)
    else socket.send(JSON.stringify(reply))
    await socket.drained()
    if (--waiting === 0) socket.resume()
  }
  socket.onMessage((text) => {
    if (++waiting === MAX_QUEUED_FRAMES) socket.pause()
    frames.run(() => handle(text)).catch(() => {})
  })
  socket.onClose(() => {
    isOpen = false
    const release = async () => {
      const { release } = await lease
      await frames.ended()
      await release()
    }
    release().catch(() => {})
  })
  lease.catch((thrown: unknown) => {
    const fault = Fault.from(thrown)
    if (fault.cause !== undefined) onBug(fault.cause)
    socket.send(JSON.stringify(refuse(fault)))
    socket.close(NORMAL_CLOSURE)
  })
}

/** Why a client gets no environment. */
function refusalOf({ code, message }: Fault, { size, limit }: DesktopSessions): Frame {
  if (code === 'SessionNotFound' || code === 'Conflict') return errorFrame('SESSION_ERROR', message)
  if (code !== 'Busy') return errorFrame('FACTORY_ERROR', message, { factory_name: ENVIRONMENT })
  const problem = `${size} environments are open, which is the limit; close one, or connect again later`
  return errorFrame('CAPACITY_REACHED', problem, { active_sessions: size, max_sessions: limit })
}

async function answerFrame(
  text: string,
  episode: Episode,
  { environments, onBug }: SocketContext,
): Promise<Frame | undefined> {
  const read = readJson(text)
  if ('problem' in read) return errorFrame('INVALID_JSON', read.problem)
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return errorFrame('VALIDATION_ERROR', 'a frame is an object such as {"type": "reset", "data": {}}')
  const { type } = value as { readonly type?: unknown }
  if (!isKnown(type)) return errorFrame('UNKNOWN_TYPE', unknownType(type))
  const frame = INCOMING[type].safeParse(value)
  if (!frame.success) return invalid(frame.error)
  try {
    return await dispatch(frame.data, episode, environments)
  } catch (thrown) {
    const fault = Fault.from(thrown)
    if (fault.cause !== undefined) onBug(fault.cause)
    // The arguments of a reset are judged by the scenario too.
    const isInvalid = type === 'reset' && (fault.code === 'BadRequest' || fault.code === 'ScenarioInvalid')
    return errorFrame(isInvalid ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR', fault.message, { fault: fault.code })
  }
}

type FrameType = keyof typeof INCOMING
type IncomingFrame = { [Type in FrameType]: z.output<(typeof INCOMING)[Type]> }[FrameType]

const TYPES = Object.keys(INCOMING)

const isKnown = (type: unknown): type is FrameType => typeof type === 'string' && TYPES.includes(type)

function unknownType(type: unknown): string {
  const known = `a frame has one of the types ${TYPES.join(', ')}`
  if (typeof type !== 'string') return known
  return `${known}, not ${JSON.stringify(shortened(type))}${didYouMean(type.slice(0, 100), TYPES)}`
}

async function dispatch(
  frame: IncomingFrame,
  episode: Episode,
  environments: Environments,
): Promise<Frame | undefined> {
  switch (frame.type) {
    case 'reset':
      return { type: 'observation', data: await episode.reset(frame.data ?? {}) }
    case 'step':
      return { type: 'observation', data: await episode.step(frame.data) }
    case 'state':
      return { type: 'state', data: episode.state() }
    case 'mcp':
      return { type: 'mcp', data: await answerRpc(frame.data, environments, episode) }
    case 'close':
      return undefined
  }
}

/** The error frame for what does not fit its schema, with the place of each problem. */
function invalid(error: z.ZodError): Frame {
  const errors = error.issues.slice(0, MAX_LISTED_ISSUES).map((issue) => ({
    loc: issue.path.map((step) => (typeof step === 'number' ? step : String(step))),
    msg: problemWords(issue),
  }))
  return errorFrame('VALIDATION_ERROR', describeIssues(error), { errors })
}

function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    const value = parseJson(text)
    return isTooDeep(value) ? { problem: 'Invalid JSON: it is nested too deep' } : { value }
  } catch (thrown) {
    return { problem: `Invalid JSON: ${(thrown as Error).message}` }
  }
}
