/** Thrown where a run, or one call of it, was stopped: nobody's failure, and told to nobody. */
export const STOPPED = Symbol('stopped')

/** A failure that the model itself declares. */
export class Failure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** What was promised, unless the signal comes first: then nothing waits any longer. */
export function abortable<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(STOPPED)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promised.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
