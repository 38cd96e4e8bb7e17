import { setTimeout as sleep } from 'node:timers/promises'
import type { Pointer, ScreenSaverExtension } from 'x11'
import { Fault } from '../../../base/fault.ts'
import { NO_USER, type UserActivity, watchUserActivity } from '../../user-activity.ts'
import type { Display } from '../x11/display.ts'

/** Detects the person at a display, to whom agents yield for `yieldMs`. Without it agents never yield. */
export async function openUserActivity(
  display: Display,
  yieldMs: number | undefined,
  signal: AbortSignal,
): Promise<UserActivity> {
  if (yieldMs === undefined) return NO_USER
  const saver = await display.extension<ScreenSaverExtension>('screen-saver')
  if (!saver)
    throw new Fault(
      'PlatformUnsupported',
      'the X server has no MIT-SCREEN-SAVER extension, so input of a person cannot be distinguished from that of agents',
    )
  return watchUserActivity({
    yieldMs,
    now: Date.now,
    pointer: async () => {
      const { rootX, rootY } = await display.request<Pointer>((done) => display.client.QueryPointer(display.root, done))
      return { x: rootX, y: rootY }
    },
    pause: async (ms) => void (await sleep(ms, undefined, { signal }).catch(() => {})),
    lastInput: async () => {
      const { idle } = await display.request<{ idle: number }>((done) => saver.QueryInfo(display.root, done))
      return Date.now() - idle
    },
  })
}
