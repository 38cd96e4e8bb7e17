import { createRecorder, type Frame, type FrameRecorder } from '../probe/frame.ts'

/** Thrown when the client does not reach the subject of a flow; its remaining requirements are not tried. */
export class NotReached extends Error {}

/** Thrown when the client does not start its conversation, unlike in the first flow. */
export class NotStarted extends Error {}

/** The result of one requirement in one conversation. */
export interface Assessment {
  readonly status: 'passed' | 'failed' | 'unjudged'
  readonly why?: string
}

export interface AssessOptions {
  /** The server continues normally, so later failures are not consequences of this one. */
  readonly isMild?: boolean
}

/** Records the messages of a client, judges requirements, and waits for the client. */
export interface FlowContext {
  readonly recorder: FrameRecorder
  /** The client has exited, or its time is up. */
  readonly isOver: boolean
  /** Milliseconds to wait for an immediate reaction of the client. */
  readonly responseTimeoutMs: number
  /**
   * Records that a requirement was tried, and its failure when there is a problem. Returns whether it holds. After a
   * failure that is not mild, later failures of the conversation are not judged, because they may be consequences.
   */
  assess(id: string, problem: string | undefined, options?: AssessOptions): boolean
  /** Waits until `find` returns a value; undefined when the conversation ends or the timeout elapses first. */
  until<T>(find: () => T | undefined, timeoutMs?: number): Promise<T | undefined>
  /** As `until`, but throws `NotReached` on a timeout. */
  need<T>(what: string, find: () => T | undefined, timeoutMs?: number): Promise<T>
  /** As `need` for the start of the conversation, with a longer timeout. */
  waitForStart(what: string, find: () => true | undefined): Promise<void>
  /** Waits for actions of the client; returns early when the conversation is over. */
  pause(ms: number): Promise<void>
  /** Re-evaluates all waiting conditions. */
  notifyChange(): void
}

/** A flow context with the functions for its driver. */
export interface Conversation extends FlowContext {
  readonly assessments: ReadonlyMap<string, Assessment>
  readonly frames: readonly Frame[]
  /** The requirement whose failure may explain later ones. */
  readonly spoiledBy: string | undefined
  end(): void
}

interface Limits {
  readonly token: string
  readonly responseTimeoutMs: number
  /** Milliseconds for the whole conversation. */
  readonly timeoutMs: number
}

/** Opens one conversation. */
export function openConversation({ token, responseTimeoutMs, timeoutMs }: Limits): Conversation {
  const record = createRecorder(token)
  const assessments = new Map<string, Assessment>()
  const waiting = new Set<() => void>()
  let isOver = false
  let spoiledBy: string | undefined

  const changed = () => {
    for (const look of [...waiting]) look()
  }
  const until = <T>(find: () => T | undefined, timeoutMs = responseTimeoutMs): Promise<T | undefined> =>
    new Promise((resolve) => {
      const settle = (found: T | undefined) => {
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      const timer = setTimeout(() => settle(undefined), timeoutMs)
      const look = () => {
        const found = find()
        if (found !== undefined || isOver) settle(found)
      }
      waiting.add(look)
      look()
    })

  return {
    recorder: record,
    assessments,
    responseTimeoutMs,
    get frames() {
      return record.frames
    },
    get isOver() {
      return isOver
    },
    get spoiledBy() {
      return spoiledBy
    },
    assess(id, problem, { isMild = false } = {}) {
      const before = assessments.get(id)
      if (problem === undefined) {
        if (!before) assessments.set(id, { status: 'passed' })
        return true
      }
      if (before?.status === 'failed') return false
      if (spoiledBy !== undefined && spoiledBy !== id) {
        assessments.set(id, { status: 'unjudged', why: `${problem} (not judged, because ${spoiledBy} failed)` })
        return false
      }
      assessments.set(id, { status: 'failed', why: problem })
      if (!isMild) spoiledBy = id
      return false
    },
    until,
    async need(what, find, timeoutMs) {
      const found = await until(find, timeoutMs)
      if (found === undefined) throw new NotReached(`the client did not ${what}`)
      return found
    },
    async waitForStart(what, find) {
      if (!(await until(find, timeoutMs))) throw new NotStarted(`the client did not ${what}`)
    },
    pause: async (ms) => void (await until(() => undefined, ms)),
    notifyChange: changed,
    end() {
      isOver = true
      changed()
    },
  }
}
