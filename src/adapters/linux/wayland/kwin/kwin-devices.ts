import { setTimeout as sleep } from 'node:timers/promises'
import { TYPING_FAKE_INPUT } from '../../capabilities.ts'
import type { WaylandConnection } from '../connection.ts'
import type { PointerDevice } from '../virtual-input.ts'

/** The pointer and keyboard that KWin gives programs with its permission. */
export interface KWinDevices extends PointerDevice {
  /** Presses or releases the key of a keysym. KWin makes one where the keyboard layout has none. */
  key(keysym: number, isDown: boolean): void
}

const [RELEASED, PRESSED] = [0, 1]
const AXES = { vertical: 0, horizontal: 1 } as const
/** What toolkits count as a click of the wheel. KWin sends no clicks beside it. */
const WHEEL_STEP = 10
const FAKE_INPUT = 'org_kde_kwin_fake_input'

/** Opens pointer and keyboard. Undefined when KWin does not permit them to this program, or is too old. */
export function openKWinDevices(connection: WaylandConnection): KWinDevices | undefined {
  const offered = connection.globals.find(({ interfaceName }) => interfaceName === FAKE_INPUT)?.version ?? 0
  const input = offered < TYPING_FAKE_INPUT ? undefined : connection.bind(FAKE_INPUT, TYPING_FAKE_INPUT)
  if (!input) return undefined
  input.send('authenticate', 'Backlot', 'An agent controls this desktop')
  /** KWin takes the time of an event from its clock, so events wait for theirs. */
  let sent = Promise.resolve()
  const enqueue = (send: () => void, afterMs = 0) => {
    sent = sent.then(async () => {
      if (afterMs > 0) await sleep(afterMs)
      if (!connection.ended) send()
    })
  }
  return {
    get ended() {
      return connection.ended
    },
    move: ({ x, y }) => enqueue(() => input.send('pointer_motion_absolute', x, y)),
    button: (code, isDown, afterMs) => enqueue(() => input.send('button', code, isDown ? PRESSED : RELEASED), afterMs),
    wheel: (axis, turn) => enqueue(() => input.send('axis', AXES[axis], turn * WHEEL_STEP)),
    key: (keysym, isDown) => enqueue(() => input.send('keyboard_keysym', keysym, isDown ? PRESSED : RELEASED)),
    async sync() {
      await sent
      await connection.sync()
    },
  }
}
