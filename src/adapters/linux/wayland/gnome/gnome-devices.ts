import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../../base/fault.ts'
import type { Point, Rect } from '../../../../desktop/model/geometry.ts'
import { BusError } from '../../dbus.ts'
import type { PointerDevice } from '../virtual-input.ts'
import type { GnomeKey } from './gnome-text.ts'

/** A pointer and a keyboard of our own in GNOME, through Mutter or through the portal. */
export interface GnomeDevices extends PointerDevice {
  /** Presses or releases a key. GNOME drops a keysym that the active layout does not have. */
  key(key: GnomeKey, isDown: boolean): void
  /** Ends the session of the devices, which releases all keys and buttons. */
  close(): Promise<void>
}

/** A session of Mutter or of the portal that takes events. Each call resolves when the event was taken. */
export interface GnomeInputSession {
  readonly ended: boolean
  /** Moves to a point on a monitor. `screen` is the rectangle around all monitors. */
  move(to: Point, screen: Rect): Promise<unknown>
  button(code: number, isDown: boolean): Promise<unknown>
  /** `axis` is 0 for the vertical one. */
  wheel(axis: number, turn: number): Promise<unknown>
  keysym(keysym: number, isDown: boolean): Promise<unknown>
  keycode(code: number, isDown: boolean): Promise<unknown>
  close(): Promise<void>
}

/** Sends events to a session in order, without waiting for each. `name` is what takes them, for faults. */
export function gnomeDevicesOf(session: GnomeInputSession, name: string): GnomeDevices {
  const pending = new Set<Promise<unknown>>()
  let turn: Promise<unknown> = Promise.resolve()
  let failure: unknown
  let ended = false

  const send = (event: Promise<unknown>) => {
    pending.add(event)
    event
      .catch((error) => {
        failure ??= error
      })
      .finally(() => pending.delete(event))
  }
  const next = (act: () => unknown) => {
    turn = turn.then(act)
  }
  return {
    get ended() {
      return ended || session.ended
    },
    // A movement may have to open another session first.
    move: (to, screen) =>
      next(() =>
        session.move(to, screen).catch((error) => {
          failure ??= error
        }),
      ),
    button: (code, isDown, afterMs) =>
      next(async () => {
        if (afterMs > 0) await sleep(afterMs)
        send(session.button(code, isDown))
      }),
    wheel: (axis, by) => next(() => send(session.wheel(axis === 'vertical' ? 0 : 1, by))),
    key: (key, isDown) =>
      next(() => send('keysym' in key ? session.keysym(key.keysym, isDown) : session.keycode(key.code, isDown))),
    async sync() {
      await turn
      await Promise.allSettled(pending)
      const error = failure
      failure = undefined
      if (error === undefined) return
      if (!(error instanceof BusError)) throw error
      ended = true
      throw new Fault(
        'PlatformUnsupported',
        `${name} has ended the control of pointer and keyboard (${error.message}); start the server again`,
      )
    },
    async close() {
      ended = true
      await session.close()
    },
  }
}
