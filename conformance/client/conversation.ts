import { createRecorder, type Frame, type Recorder } from '../probe/frame.ts'

/** Ends a flow whose subject the client never reached; what was not judged is then not tried. */
export class NotReached extends Error {}

/** Ends a flow whose client did not even begin its conversation, which it did in the first flow. */
export class NotStarted extends Error {}

/** What was found about one requirement in one conversation. */
export interface Assessment {
  readonly status: 'passed' | 'failed' | 'unjudged'
  readonly why?: string
}

export interface AssessOptions {
  /** The server goes on as if nothing had happened, so that later failures are no consequence of this one. */
  readonly isMild?: boolean
}

/** Records what a client does, judges it, and waits for it. */
export interface FlowContext {
  readonly recorder: Recorder
  /** The client has ended, or its time is up. */
  readonly isOver: boolean
  /** Milliseconds to wait for something that the client does at once. */
  readonly responseTimeoutMs: number
  /**
   * Records that a requirement was tried, and its failure when there is a problem; gives whether it holds. After a
   * failure that is not mild the further failures of the conversation are not judged: they may be its consequence.
   */
  assess(id: string, problem: string | undefined, options?: AssessOptions): boolean
  /** Waits until `find` gives something; undefined when the conversation is over or the time is up first. */
  until<T>(find: () => T | undefined, timeoutMs?: number): Promise<T | undefined>
  /** As `until`, but ends the flow when it does not happen. */
  need<T>(what: string, find: () => T | undefined, timeoutMs?: number): Promise<T>
  /** As `need` for the beginning of the conversation: a client may be slow to start. */
  waitForStart(what: string, find: () => true | undefined): Promise<void>
  /** Waits, so that what the client does in this time can be seen; less when the conversation is over. */
  pause(ms: number): Promise<void>
  /** Makes those who wait look again. */
  notifyChange(): void
}

/** A judge with the side that its driver needs. */
export interface Conversation extends FlowContext {
  readonly assessments: ReadonlyMap<string, Assessment>
  readonly frames: readonly Frame[]
  /** The requirement whose failure may explain what follows. */
  readonly spoiledBy: string | undefined
  end(): void
}

interface Limits {
  readonly token: string
  readonly responseTimeoutMs: number
  /** Milliseconds that the whole conversation may take. */
  readonly timeoutMs: number
}

/** The judge of one conversation. */
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
        assessments.set(id, { status: 'unjudged', why: `not judged because of ${spoiledBy}: ${problem}` })
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
