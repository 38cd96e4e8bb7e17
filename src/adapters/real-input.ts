import type { Awaitable } from '../base/async.ts'
import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import type { Point } from '../desktop/model/geometry.ts'
import { REAL_DESKTOP_LIMITS } from './capabilities.ts'

/** Detects a person at the same mouse and keyboard, who has priority. */
export interface UserActivity {
  /** Waits until no person has used mouse or keyboard for long enough. Throws `Timeout` when a person does not stop. */
  waitUntilIdle(): Promise<void>
  /** Throws `Timeout` when a person has moved the pointer away from `from` or used a key or button. */
  requireIdle(from: Point): Promise<void>
  /** Marks all input that the system has processed until now as own input. */
  recordOwnInput(): void
}

/** The time of the last input of the system, in milliseconds of the given clock. */
export type LastInput = () => Promise<number>

interface UserActivityOptions {
  readonly yieldMs: number
  readonly lastInput: LastInput
  readonly pointer: () => Promise<Point>
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
}

/** Clocks of server and client differ by less, and no person acts faster. */
const CLOCK_TOLERANCE_MS = 25
const POLL_INTERVAL_MS = 50
const MAX_WAIT_MS = 30_000

/** Detects input of a person: input of the system that is later than the last own input. */
export function watchUserActivity({ yieldMs, lastInput, pointer, now, pause }: UserActivityOptions): UserActivity {
  let ownMs = Number.NEGATIVE_INFINITY
  let personMs = Number.NEGATIVE_INFINITY
  const look = async () => {
    const atMs = await lastInput()
    if (atMs > ownMs + CLOCK_TOLERANCE_MS) personMs = Math.max(personMs, atMs)
    return personMs + yieldMs - now()
  }
  return {
    async waitUntilIdle() {
      const deadline = now() + MAX_WAIT_MS
      for (let leftMs = await look(); leftMs > 0; leftMs = await look()) {
        if (now() > deadline)
          throw new Fault(
            'Timeout',
            `a person has used mouse or keyboard for ${MAX_WAIT_MS} ms; the action was not performed`,
          )
        await pause(Math.min(leftMs, POLL_INTERVAL_MS))
      }
    },
    async requireIdle(from) {
      const { x, y } = await pointer()
      if (x !== from.x || y !== from.y) personMs = now()
      if ((await look()) > 0) throw new Fault('Timeout', 'a person has used mouse or keyboard; the action was aborted')
    },
    recordOwnInput() {
      ownMs = now()
    },
  }
}

/** For a desktop where agents never yield. */
export const NO_USER: UserActivity = {
  waitUntilIdle: async () => {},
  requireIdle: async () => {},
  recordOwnInput: () => {},
}

/** Toolkits lose clicks that are shorter, or closer together, than those of a person. */
export const HOLD_MS = 8

/** The minimum time between two presses. */
export const GAP_MS = 20

/** Within this time and distance a second click counts as a double click. */
export const DOUBLE_CLICK_MS = 420

/** The distance of a double click; see `DOUBLE_CLICK_MS`. */
export const DOUBLE_CLICK_PX = 8

/** The minimum number of pointer movements of a drag. */
export const MIN_DRAG_STEPS = 12

/** The maximum time for a program to process typed text. A program that takes longer counts as hanging. */
export const MAX_TYPING_PING_MS = 1500

/** The number of key strokes that are sent before the focus is checked again. */
export const MAX_STROKES_AT_ONCE = 24

/** The maximum time to wait for the user to release modifier keys. */
export const MAX_HELD_KEYS_MS = 500

/** The maximum time for the focus to return to its window. */
export const MAX_FOCUS_RETURN_MS = 400

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

/** The fault for actions on the files and pages of a real desktop, and on a clipboard that it does not offer. */
export const noStorage = ({ type }: Action): Fault =>
  new Fault('PlatformUnsupported', REAL_DESKTOP_LIMITS[LIMITED.get(type) ?? 'clipboard'])

const LIMITED: ReadonlyMap<Action['type'], 'files' | 'simulation'> = new Map([
  ['write_file', 'files'],
  ['webmcp_call', 'simulation'],
])

/** The fault of an action that was aborted because all input was stopped. */
export const inputStopped = (): Fault => new Fault('PermissionDenied', 'all input was stopped by the operator')

/** The fault for keys that would reach another window than the one that had the keyboard. `typed` characters were sent. */
export const keyboardTaken = (typed: number): Fault =>
  new Fault(
    'WindowOccluded',
    typed === 0
      ? 'another window took the keyboard; nothing was typed into it'
      : `another window took the keyboard after ${typed} characters; nothing was typed into it`,
    { typed },
  )
