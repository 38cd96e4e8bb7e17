import { dirname } from 'node:path'
import { Fault } from '../../../base/fault.ts'
import { refusal, swayWays } from '../capabilities.ts'
import type { DesktopBackend } from '../desktop-backend.ts'
import { openWaylandClipboard } from './clipboard.ts'
import { openWayland } from './connection.ts'
import { openWaylandInput } from './input.ts'
import { openOutputCapture } from './screencopy.ts'
import { openSwayIpc } from './sway-ipc.ts'
import { swayMonitors, swayWindowSystem } from './sway-windows.ts'

/** The sockets of a session of sway. */
export interface SwaySockets {
  readonly wayland: string
  readonly ipc: string
}

/** Opens the desktop of sway: windows through its IPC, everything else through Wayland. `signal` stops all input. */
export async function openSwayDesktop(
  { wayland, ipc: ipcPath }: SwaySockets,
  signal: AbortSignal,
): Promise<DesktopBackend> {
  const ipc = await openSwayIpc(ipcPath)
  const connection = await openWayland(wayland, dirname(wayland)).catch((error) => {
    ipc.close()
    throw error
  })
  try {
    const windows = swayWindowSystem(ipc)
    const monitors = async () => swayMonitors(await ipc.outputs())
    const capture = openOutputCapture(connection, async () =>
      (await ipc.outputs()).filter(({ active }) => active).map(({ name, rect }) => ({ name, bounds: rect })),
    )
    const input = await openWaylandInput({ connection, windows, monitors, signal })
    const clipboard = await openWaylandClipboard(connection, dirname(wayland))
    const noPictures = () => {
      const interfaces = connection.globals.map(({ interfaceName }) => interfaceName)
      throw new Fault('PlatformUnsupported', refusal(swayWays(interfaces), 'pictures')!)
    }
    return {
      windows,
      input,
      ...(clipboard && { clipboard }),
      get ended() {
        return connection.ended || ipc.ended
      },
      monitors,
      captureArea: capture?.area ?? noPictures,
      captureWindow: capture?.window ?? noPictures,
      async close() {
        if (!connection.ended) await input.releaseAll().catch(() => {})
        connection.close()
        ipc.close()
      },
    }
  } catch (error) {
    connection.close()
    ipc.close()
    throw error
  }
}
