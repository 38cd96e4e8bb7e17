import { openScreenCapture } from './capture.ts'
import type { DesktopBackend } from './desktop-backend.ts'
import { openDesktopInput } from './input/input.ts'
import { listMonitors, openDisplay } from './x11/display.ts'
import { type XWindow, xWindowSystem } from './x11/x-windows.ts'

/** Opens the desktop of an X server. `signal` stops all input. */
export async function openX11Desktop(
  name: string,
  signal: AbortSignal,
  yieldToPersonMs: number | undefined,
): Promise<DesktopBackend<XWindow>> {
  const display = await openDisplay(name)
  const capture = await openScreenCapture(display)
  const input = await openDesktopInput(display, signal, yieldToPersonMs)
  return {
    windows: xWindowSystem(display),
    input,
    get ended() {
      return display.ended
    },
    monitors: () => listMonitors(display),
    captureArea: capture.area,
    captureWindow: capture.window,
    async close() {
      // A connection that has ended can release nothing.
      if (!display.ended) await input.releaseAll().catch(() => {})
      capture.close()
      display.close()
    },
  }
}
