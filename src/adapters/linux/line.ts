import { Fault } from '../../base/fault.ts'

/** A program is asked this much at once; the rest waits, so that a stopped one holds up nobody but itself. */
const UNDER_WAY_MOST = 400
const LOOK_EVERY_MS = 50

interface Question {
  readonly withinMs: number
  readonly sentMs: number
  fail(error: Error): void
}

interface Queued {
  readonly start: () => void
  fail(error: Error): void
}

/**
 * The questions to one program. A busy program answers slowly but goes on answering, a stopped one falls silent: only
 * silence is a fault, and then everything that waits for the program is given up together.
 */
export class Line {
  readonly #underWay = new Set<Question>()
  readonly #queue: Queued[] = []
  #heardMs = 0
  #lookedMs = 0
  #watch: NodeJS.Timeout | undefined

  /** Sends a question when it is its turn; `send` calls back with the answer or a refusal. */
  ask<T>(withinMs: number, send: (answer: (error: Error | undefined, value: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        const question: Question = {
          withinMs,
          sentMs: Date.now(),
          fail: (error) => {
            this.#underWay.delete(question)
            reject(error)
          },
        }
        this.#underWay.add(question)
        if (!this.#watch) this.#startWatch()
        send((error, value) => {
          this.#heardMs = Date.now()
          this.#underWay.delete(question)
          this.#next()
          if (error) return reject(error)
          resolve(value)
        })
      }
      if (this.#underWay.size < UNDER_WAY_MOST) return start()
      this.#queue.push({ start, fail: reject })
    })
  }

  #next(): void {
    if (this.#underWay.size < UNDER_WAY_MOST) this.#queue.shift()?.start()
    if (this.#underWay.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #startWatch(): void {
    this.#lookedMs = Date.now()
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  #look(): void {
    const now = Date.now()
    // We were too busy ourselves to hear anything.
    if (now - this.#lookedMs > 3 * LOOK_EVERY_MS) this.#heardMs = now
    this.#lookedMs = now
    const silent = [...this.#underWay].find(({ sentMs, withinMs }) => now - Math.max(sentMs, this.#heardMs) > withinMs)
    if (!silent) return
    const error = new Fault('Timeout', `the application has not answered for ${silent.withinMs} ms`)
    const waiting = [...this.#underWay, ...this.#queue.splice(0)]
    for (const one of waiting) one.fail(error)
    this.#next()
  }
}
