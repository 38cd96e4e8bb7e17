/** Thrown when a run or a call was stopped. It is not a failure and is not reported. */
export const STOPPED = Symbol('stopped')

/** A failure declared by the model. */
export class Failure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Returns the result of the promise. Rejects at once if the signal aborts first. */
export function abortable<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(STOPPED)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promised.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
