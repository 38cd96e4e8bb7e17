/** A value or a promise of it. A synthetic desktop answers synchronously, a real one asynchronously. */
export type Awaitable<T> = T | Promise<T>

/** Applies a function to a value: synchronously to a plain value, which saves a turn of the event loop, else when it resolves. */
export const andThen = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** The result of some work, or of `onError` when it throws or rejects. */
export function orElse<T>(work: () => Awaitable<T>, onError: (thrown: unknown) => T): Awaitable<T> {
  try {
    const value = work()
    return value instanceof Promise ? value.catch(onError) : value
  } catch (thrown) {
    return onError(thrown)
  }
}

/** Calls functions with a value, in order. Each starts after the previous one has finished. */
export function callInOrder<T>(
  functions: readonly ((value: T) => Awaitable<void>)[],
  value: T,
  from = 0,
): Awaitable<void> {
  for (let at = from; at < functions.length; at++) {
    const done = functions[at]!(value)
    if (done instanceof Promise) return done.then(() => callInOrder(functions, value, at + 1))
  }
}

/** Processes the items in order. Each starts after the previous one has finished. */
export function forEachInOrder<T>(
  items: readonly T[],
  each: (item: T) => Awaitable<unknown>,
  from = 0,
): Awaitable<void> {
  for (let at = from; at < items.length; at++) {
    const done = each(items[at]!)
    if (done instanceof Promise) return done.then(() => forEachInOrder(items, each, at + 1))
  }
}

/** Longer work in one turn of the event loop delays other clients noticeably. */
const TURN_MS = 25

/** Callers that wait for a turn. Each turn of the event loop resumes one, so many callers together block no longer than one. */
const waiting: (() => void)[] = []

function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })

/**
 * Lets other clients proceed during long work. `pause` returns a promise to await once this work has blocked the event loop
 * for too long, else undefined. The result of the work must not depend on when it pauses.
 */
export function yieldingWork(nowMs: () => number = () => performance.now()): {
  readonly pause: () => Promise<void> | undefined
} {
  let sinceMs = nowMs()
  return {
    pause: () => {
      if (nowMs() - sinceMs < TURN_MS) return undefined
      return nextTurn().then(() => {
        sinceMs = nowMs()
      })
    },
  }
}

/** Thrown when a run or a call was stopped. It is not a failure and is not reported. */
export const STOPPED = Symbol('stopped')

/** Returns the result of the promise. Rejects at once if the signal aborts first. */
export function abortable<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(STOPPED)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promised.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
