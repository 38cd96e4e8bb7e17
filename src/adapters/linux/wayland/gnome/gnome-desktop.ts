import { setTimeout as sleep } from 'node:timers/promises'
import { contains, EMPTY_RECT, unite } from '../../../../desktop/model/geometry.ts'
import type { GnomeInput } from '../../capabilities.ts'
import { openBus } from '../../dbus.ts'
import type { DesktopBackend } from '../../desktop-backend.ts'
import { openGnomeCapture } from './gnome-capture.ts'
import { type GnomeDevices, gnomeDevicesOf } from './gnome-devices.ts'
import { createGnomeInput } from './gnome-input.ts'
import { type GnomeDescription, gnomeShellOn } from './gnome-shell.ts'
import { gnomeMonitors, gnomeWindowSystem } from './gnome-windows.ts'
import { openMutterSession } from './mutter-session.ts'
import { type ConsentFile, openPortalSession } from './portal-session.ts'

export interface GnomeDesktopOptions {
  readonly input: GnomeInput
  /** Where the consent to the portal is kept. */
  readonly consent: ConsentFile
  readonly signal: AbortSignal
  readonly warn?: ((line: string) => void) | undefined
}

/**
 * Opens the desktop of GNOME: windows, pictures, clipboard and text through the extension, pointer and keys through Mutter. `address` is
 * that of the session bus. `signal` stops all input.
 */
export async function openGnomeDesktop(
  address: string,
  { input: how, consent, signal, warn }: GnomeDesktopOptions,
): Promise<DesktopBackend> {
  const bus = await openBus(address)
  try {
    const shell = gnomeShellOn(bus)
    const windows = gnomeWindowSystem(shell)
    const monitors = async () => gnomeMonitors((await shell.describe()).monitors)
    const capture = openGnomeCapture(shell)
    // A session begins in the overview, which takes all input.
    await shell.leaveOverview()
    const devices =
      how === 'mutter'
        ? gnomeDevicesOf(await openMutterSession(bus), 'Mutter')
        : gnomeDevicesOf(
            await openPortalSession(bus, { consent, warn, monitors: async () => (await shell.describe()).monitors }),
            'the desktop portal',
          )
    await wakeDevices(devices, await shell.describe())
    const input = createGnomeInput({ devices, shell, windows, monitors, signal })
    return {
      windows,
      input,
      clipboard: { read: shell.readClipboard, write: shell.writeClipboard },
      get ended() {
        return bus.ended
      },
      monitors,
      captureArea: capture.area,
      captureWindow: capture.window,
      async close() {
        if (!devices.ended) await input.releaseAll().catch(() => {})
        await devices.close()
        bus.close()
      },
    }
  } catch (error) {
    bus.close()
    throw error
  }
}

const SHIFT = { code: 42 }
/** A program takes events this long after the desktop has got its first pointer and keyboard. */
const DEVICES_ARRIVE_MS = 200

/**
 * A desktop without a pointer and a keyboard, as one without a screen, has them from the first movement and the first key of a session on.
 * Programs would miss the press that follows.
 */
async function wakeDevices(devices: GnomeDevices, { pointer, monitors }: GnomeDescription): Promise<void> {
  const [x, y] = pointer
  const shown = gnomeMonitors(monitors).map(({ bounds }) => bounds)
  const screen = shown.reduce(unite, EMPTY_RECT)
  const under = shown.find((bounds) => contains(bounds, { x, y })) ?? screen
  const beside = { x: Math.round(x) + (x < under.x + under.width / 2 ? 1 : -1), y: Math.round(y) }
  for (const to of [beside, { x: Math.round(x), y: Math.round(y) }]) devices.move(to, screen)
  for (const isDown of [true, false]) devices.key(SHIFT, isDown)
  await devices.sync()
  await sleep(DEVICES_ARRIVE_MS)
}
