/** Shows the progress of a run: one updating line on a terminal, plain lines elsewhere. */
export interface Progress {
  started(id: string): void
  /** `isNegative`: the check did not pass, so it is repeated before it counts. */
  ended(id: string, isNegative: boolean, tookMs: number): void
  /** So many of the failed checks were repeated in `tookMs`. */
  repeated(count: number, total: number, tookMs: number): void
  /** Prints a separate line. */
  print(text: string): void
  finish(): void
}

export const SILENT: Progress = {
  started: () => {},
  ended: () => {},
  repeated: () => {},
  print: () => {},
  finish: () => {},
}

/** Milliseconds after which the progress names a check. */
const SLOW_MS = 3000
/** Milliseconds of work after which an estimate of the rest is worth something. */
const MIN_MEASURED_MS = 2000

/** An estimate of the time for the rest, from the time that `done` of `total` took. */
export function describeRest(done: number, total: number, tookMs: number): string {
  if (done === 0 || done >= total || tookMs < MIN_MEASURED_MS) return ''
  const seconds = Math.ceil((tookMs / done) * (total - done) * 0.001)
  return `, about ${seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`
}

export function createProgress(out: NodeJS.WritableStream & { readonly isTTY?: boolean }, total: number): Progress {
  const running = new Map<string, number>()
  let done = 0
  let suspects = 0
  let details = 0
  const startedAt = performance.now()

  const line = () => {
    const now = performance.now()
    const slow = [...running].filter(([, since]) => now - since > SLOW_MS).map(([id]) => id)
    const waiting = slow.length > 0 ? `, waiting for ${slow.slice(0, 2).join(', ')}${slow.length > 2 ? ' …' : ''}` : ''
    return `${done}/${total} checks run, ${suspects} to repeat${describeRest(done, total, now - startedAt)}${waiting}`
  }
  const redraw = () => out.write(`\r\u001b[2K${line()}`)
  const timer = out.isTTY ? setInterval(redraw, 250) : undefined
  timer?.unref()

  return {
    started: (id) => void running.set(id, performance.now()),
    ended: (id, isNegative, tookMs) => {
      running.delete(id)
      done++
      if (isNegative) suspects++
      if (out.isTTY) return void redraw()
      // One line per quarter keeps a log short; slow checks are named.
      const quarter = Math.floor((done * 4) / total)
      if (tookMs > SLOW_MS * 2) out.write(`${id} took ${(tookMs / 1000).toFixed(1)} s\n`)
      if (quarter > details) out.write(`${line()}\n`)
      details = Math.max(details, quarter)
    },
    repeated: (count, all, tookMs) => {
      const text = `${count}/${all} repeated${describeRest(count, all, tookMs)}`
      if (out.isTTY) return void out.write(`\r\u001b[2K${text}`)
      if (Math.floor((count * 4) / all) > Math.floor(((count - 1) * 4) / all)) out.write(`${text}\n`)
    },
    print: (text) => void out.write(`${out.isTTY ? '\r\u001b[2K' : ''}${text}\n`),
    finish: () => {
      clearInterval(timer)
      if (out.isTTY) out.write('\r\u001b[2K')
    },
  }
}
