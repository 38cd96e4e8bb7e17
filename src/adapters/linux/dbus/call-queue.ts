import { Fault } from '../../../base/fault.ts'

/** The most calls to a program at the same time. The others wait, so that a stopped program affects only itself. */
const MAX_PENDING_CALLS = 400
const CHECK_INTERVAL_MS = 50

interface PendingCall {
  readonly withinMs: number
  readonly sentMs: number
  fail(error: Error): void
}

interface QueuedCall {
  readonly start: () => void
  fail(error: Error): void
}

/**
 * The calls to one program. A busy program answers slowly but keeps answering; a stopped one does not answer at all. Only
 * the latter is a fault. Then all pending and queued calls of the program time out together.
 */
export class CallQueue {
  readonly #pending = new Set<PendingCall>()
  readonly #queue = new Set<QueuedCall>()
  #lastReplyMs = 0
  #isSending = false
  /** Timed out, without a reply since. One call at a time detects its return, so that calls do not pile up. */
  #isSilent = false
  #lastCheckMs = 0
  #timer: NodeJS.Timeout | undefined

  /** Sends a call when it is its turn. `send` calls back with the reply or an error, possibly before it returns. */
  send<T>(withinMs: number, send: (answer: (error: Error | undefined, value: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        const question: PendingCall = {
          withinMs,
          sentMs: Date.now(),
          fail: (error) => {
            this.#pending.delete(question)
            reject(error)
          },
        }
        this.#pending.add(question)
        if (!this.#timer) this.#startTimer()
        try {
          send((error, value) => {
            this.#lastReplyMs = Date.now()
            this.#isSilent = false
            this.#pending.delete(question)
            this.#next()
            if (error) return reject(error)
            resolve(value)
          })
        } catch (error) {
          question.fail(error as Error)
        }
      }
      this.#queue.add({ start, fail: reject })
      this.#next()
    })
  }

  /** Sends queued calls up to the limit. Not re-entrant: a connection that has ended calls back immediately. */
  #next(): void {
    if (this.#isSending) return
    this.#isSending = true
    for (const next of this.#queue) {
      if (this.#pending.size >= (this.#isSilent ? 1 : MAX_PENDING_CALLS)) break
      this.#queue.delete(next)
      next.start()
    }
    this.#isSending = false
    if (this.#pending.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #startTimer(): void {
    this.#lastCheckMs = Date.now()
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref()
  }

  #check(): void {
    const now = Date.now()
    // This process was too busy to receive replies.
    if (now - this.#lastCheckMs > 3 * CHECK_INTERVAL_MS) this.#lastReplyMs = now
    this.#lastCheckMs = now
    const silent = [...this.#pending].find(
      ({ sentMs, withinMs }) => now - Math.max(sentMs, this.#lastReplyMs) > withinMs,
    )
    if (!silent) return
    const error = new Fault('Timeout', `the application has not answered for ${silent.withinMs} ms`)
    this.#isSilent = true
    const waiting = [...this.#pending, ...this.#queue]
    this.#queue.clear()
    for (const one of waiting) one.fail(error)
    this.#next()
  }
}
