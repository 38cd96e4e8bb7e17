import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Awaitable } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { CallOptions } from '../../observer/call.ts'
import { HARNESS_HINT } from '../../observer/gates/audience.ts'
import { type JsonChunk, toJsonChunks } from '../../observer/json.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import { PERSON, PERSON_HEADER } from '../../viewer/model/live.ts'
import { audienceOf, type HarnessAccess } from '../http/guard.ts'
import type { HttpReply } from './translate.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Longer strings are converted to bytes once, because Node would measure and copy them several times. */
const MAX_STRING_LENGTH = 16_384

/** A reply in its wire form. */
export interface SerializedReply {
  readonly status: number
  readonly json: readonly JsonChunk[]
}

/** Serializes a reply. */
export const serialize = ({ status, body, cached }: HttpReply): SerializedReply => ({
  status,
  json: toJsonChunks(body, cached).map(toBytesIfLong),
})

const toBytesIfLong = (piece: JsonChunk): JsonChunk =>
  typeof piece === 'string' && piece.length > MAX_STRING_LENGTH ? Buffer.from(piece) : piece

/** Serializes and sends a reply. */
export const sendReply = (reply: FastifyReply, answer: HttpReply): FastifyReply =>
  sendSerialized(reply, serialize(answer))

/** Sends all chunks in one system call without copying them. Fastify would need them as one string or Buffer. */
export function sendSerialized(reply: FastifyReply, { status, json }: SerializedReply): FastifyReply {
  reply.hijack()
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  let length = 0
  for (const piece of json) length += Buffer.byteLength(piece)
  headers['content-type'] = JSON_TYPE
  headers['content-length'] = length
  const { raw } = reply
  raw.writeHead(status, headers)
  raw.cork()
  const last = json.length - 1
  for (let index = 0; index < last; index++) raw.write(json[index])
  raw.end(json[last])
  return reply
}

/** The options of a REST call by audience. They are shared objects, because every request needs one. */
const REST = {
  agent: { caller: 'rest', audience: 'agent' },
  harness: { caller: 'rest', audience: 'harness' },
} as const

const AS_PERSON = { caller: PERSON, audience: 'harness' } as const

/**
 * The options of a call over REST: who calls, and as which audience.
 * @throws `BadRequest` for an unknown caller, `PermissionDenied` for an agent that calls as a person.
 */
export function callerOf(session: DesktopSession, headers: IncomingHttpHeaders, harness: HarnessAccess): CallOptions {
  const audience = audienceOf(session, headers, harness)
  const named = headers[PERSON_HEADER]
  if (named === undefined) return REST[audience]
  if (named !== PERSON)
    throw new Fault('BadRequest', `X-Caller: ${JSON.stringify(named)} is not a caller; expected ${PERSON}, or none`)
  if (audience === 'agent')
    throw new Fault('PermissionDenied', `X-Caller: only the harness may call as a person; ${HARNESS_HINT}`)
  return AS_PERSON
}

/** A request in three phases. Errors of any phase go to `refuse`, which must not throw. */
export interface BatchTask<Done, Written> {
  readonly work: () => Awaitable<Done>
  readonly write: (done: Done) => Written
  readonly send: (written: Written) => unknown
  readonly refuse: (thrown: unknown) => unknown
}

type AnyTask = BatchTask<unknown, unknown>

let waiting: AnyTask[] = []

/**
 * Runs a task after all available requests have been read. Tasks of one batch are processed in order, then all are serialized,
 * then all are sent. This takes a quarter of the time, because alternating system calls evict the code from the processor's
 * caches. An asynchronous task continues on its own.
 */
export function runInBatch<Done, Written>(task: BatchTask<Done, Written>): void {
  if (waiting.push(task as AnyTask) === 1) setImmediate(runBatch)
}

/** Resolves after the earlier tasks of the batch. */
export const nextBatch = (): Promise<unknown> =>
  new Promise((send, refuse) => runInBatch({ work: noop, write: noop, send, refuse }))

const noop = (): void => {}

/** Marks a task that left the batch. */
const DETACHED = Symbol('detached')

function runBatch(): void {
  const tasks = waiting
  waiting = []
  const done = tasks.map(startTask)
  const written = tasks.map((task, index) =>
    done[index] === DETACHED ? DETACHED : attempt(task, task.write, done[index]),
  )
  for (const [index, task] of tasks.entries()) if (written[index] !== DETACHED) attempt(task, task.send, written[index])
}

function startTask(task: AnyTask): unknown {
  try {
    const done = task.work()
    if (!(done instanceof Promise)) return done
    done.then(task.write).then(task.send).catch(task.refuse)
  } catch (thrown) {
    task.refuse(thrown)
  }
  return DETACHED
}

function attempt<Given>(task: AnyTask, go: (given: Given) => unknown, given: Given): unknown {
  try {
    return go(given)
  } catch (thrown) {
    task.refuse(thrown)
    return DETACHED
  }
}
