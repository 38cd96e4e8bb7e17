import { dirname } from 'node:path'
import { Fault } from '../../../../base/fault.ts'
import { refusal, type SessionWays } from '../../capabilities.ts'
import { openBus } from '../../dbus.ts'
import type { DesktopBackend } from '../../desktop-backend.ts'
import { openWaylandClipboard } from '../clipboard.ts'
import { openWayland } from '../connection.ts'
import { openKWinDevices } from './kwin-devices.ts'
import { createKWinInput, refusedInput } from './kwin-input.ts'
import { openKWinPictures } from './kwin-pictures.ts'
import { openKWinScripts } from './kwin-scripts.ts'
import { type KWinWindow, kwinMonitors, kwinPointer, kwinWindowSystem, listKWinScreens } from './kwin-windows.ts'

/** How a session of KWin is reached, and how it gives its abilities. */
export interface KWinConnections {
  /** The socket of the compositor. */
  readonly wayland: string
  /** The address of the session bus. */
  readonly bus: string
  readonly ways: SessionWays
}

/** Opens the desktop of KWin: windows through its scripts, everything else through Wayland. `signal` stops all input. */
export async function openKWinDesktop(
  { wayland, bus: address, ways }: KWinConnections,
  signal: AbortSignal,
): Promise<DesktopBackend<KWinWindow>> {
  const folder = dirname(wayland)
  const bus = await openBus(address)
  const connection = await openWayland(wayland, folder).catch((error) => {
    bus.close()
    throw error
  })
  try {
    const scripts = openKWinScripts(bus, folder)
    const windows = kwinWindowSystem(scripts)
    const monitors = async () => kwinMonitors(await listKWinScreens(scripts))
    const pointerAt = () => kwinPointer(scripts)
    const devices = openKWinDevices(connection)
    const reasons = { pointer: refusal(ways, 'pointer') ?? RESTART, keys: refusal(ways, 'keys and text') ?? RESTART }
    const input = devices
      ? createKWinInput({ devices, windows, monitors, pointerAt, signal })
      : refusedInput(reasons, pointerAt)
    const clipboard = await openWaylandClipboard(connection, folder)
    const noPictures = refusal(ways, 'pictures')
    const pictures = openKWinPictures(address, folder)
    const withPictures = () => {
      if (noPictures !== undefined) throw new Fault('PlatformUnsupported', noPictures)
      return pictures
    }
    return {
      windows,
      input,
      ...(clipboard && { clipboard }),
      get ended() {
        return connection.ended || bus.ended
      },
      monitors,
      captureArea: async (area) => withPictures().area(area),
      captureWindow: async (window) => withPictures().window(window),
      async close() {
        if (!connection.ended) await input.releaseAll().catch(() => {})
        pictures.close()
        connection.close()
        bus.close()
      },
    }
  } catch (error) {
    connection.close()
    bus.close()
    throw error
  }
}

/** The permission was taken back after this session was found. */
const RESTART = 'KWin no longer permits this; run backlot doctor, and start again'
