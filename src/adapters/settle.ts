import type { Awaitable } from '../base/awaitable.ts'

const POLL_MS = 30
/** The wait for programs that show no change. */
const MAX_SILENCE_MS = 120
const MAX_CHANGING_MS = 600

/** What is looked at while a program processes an action. */
export interface SettledDesktop {
  /** A text that differs when the program has shown an effect. */
  content(): Awaitable<string>
  /** A text that differs when a window has opened or closed. */
  windows(): Awaitable<string>
  /** Waits. Throws when all input is stopped. */
  pause(ms: number): Promise<void>
  now(): number
}

/**
 * Prepares the wait after an action on a desktop whose programs report no changes. The returned function looks until there is
 * a change and no further one follows. With `settleMs`, it also waits that long for a window to open or close; 0 does not wait.
 */
export async function watchSettling(
  desktop: SettledDesktop,
  settleMs: number | undefined,
): Promise<() => Promise<void>> {
  if (settleMs === 0) return async () => {}
  const [content, windows] = [await desktop.content(), await desktop.windows()]
  /** Looks until a text satisfies the condition or the time has passed. Returns the last text. */
  const look = async (read: () => Awaitable<string>, isGood: (text: string, last: string) => boolean, ms: number) => {
    const deadline = desktop.now() + ms
    for (let last = content; ; ) {
      const text = await read()
      if (isGood(text, last) || desktop.now() >= deadline) return text
      last = text
      await desktop.pause(POLL_MS)
    }
  }
  return async () => {
    const changed = await look(desktop.content, (text) => text !== content, MAX_SILENCE_MS)
    if (changed !== content) {
      await desktop.pause(POLL_MS)
      await look(desktop.content, (text, last) => text === last, MAX_CHANGING_MS)
    }
    if (settleMs !== undefined) await look(desktop.windows, (text) => text !== windows, settleMs)
  }
}
