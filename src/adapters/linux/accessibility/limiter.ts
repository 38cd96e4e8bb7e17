export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `most` tasks at once. The others wait in order. */
export function createLimiter(most: number): Limiter {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free--
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
