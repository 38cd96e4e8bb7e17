import { Fault } from '../../../base/fault.ts'

/** A program is asked this much at once; the rest waits, so that a stopped one holds up nobody but itself. */
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
 * The questions to one program. A busy program answers slowly but goes on answering, a stopped one falls silent: only
 * silence is a fault, and then everything that waits for the program is given up together.
 */
export class CallQueue {
  readonly #underWay = new Set<PendingCall>()
  readonly #queue = new Set<QueuedCall>()
  #heardMs = 0
  #isSending = false
  /** Given up and not heard of since: one question at a time finds out whether it is back, and thousands do not pile up. */
  #isSilent = false
  #lookedMs = 0
  #watch: NodeJS.Timeout | undefined

  /** Sends a question when it is its turn. `send` calls back with the answer or a refusal, also before it returns. */
  send<T>(withinMs: number, send: (answer: (error: Error | undefined, value: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        const question: PendingCall = {
          withinMs,
          sentMs: Date.now(),
          fail: (error) => {
            this.#underWay.delete(question)
            reject(error)
          },
        }
        this.#underWay.add(question)
        if (!this.#watch) this.#startWatch()
        try {
          send((error, value) => {
            this.#heardMs = Date.now()
            this.#isSilent = false
            this.#underWay.delete(question)
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

  /** Sends what there is room for. A connection that has ended answers at once, so this loop must not be entered again. */
  #next(): void {
    if (this.#isSending) return
    this.#isSending = true
    for (const next of this.#queue) {
      if (this.#underWay.size >= (this.#isSilent ? 1 : MAX_PENDING_CALLS)) break
      this.#queue.delete(next)
      next.start()
    }
    this.#isSending = false
    if (this.#underWay.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #startWatch(): void {
    this.#lookedMs = Date.now()
    this.#watch = setInterval(() => this.#look(), CHECK_INTERVAL_MS).unref()
  }

  #look(): void {
    const now = Date.now()
    // We were too busy ourselves to hear anything.
    if (now - this.#lookedMs > 3 * CHECK_INTERVAL_MS) this.#heardMs = now
    this.#lookedMs = now
    const silent = [...this.#underWay].find(({ sentMs, withinMs }) => now - Math.max(sentMs, this.#heardMs) > withinMs)
    if (!silent) return
    const error = new Fault('Timeout', `the application has not answered for ${silent.withinMs} ms`)
    this.#isSilent = true
    const waiting = [...this.#underWay, ...this.#queue]
    this.#queue.clear()
    for (const one of waiting) one.fail(error)
    this.#next()
  }
}
