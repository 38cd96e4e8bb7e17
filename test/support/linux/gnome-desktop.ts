import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openBus } from '../../../src/adapters/linux/dbus.ts'
import { openLinuxComputer } from '../../../src/adapters/linux/linux.ts'
import {
  GNOME_EXTENSION,
  gnomeExtensionVersion,
  gnomeShellOn,
} from '../../../src/adapters/linux/wayland/gnome/gnome-shell.ts'
import { X_SOCKETS } from './counted-display.ts'
import { type DebianTesting, openRoot } from './debian-testing.ts'
import type { PrivateDesktop } from './private-desktop.ts'
import { type LinuxTestDesktop, testDesktopOf } from './test-desktop.ts'

export interface GnomeDesktopOptions {
  readonly width?: number
  readonly height?: number
}

const MAX_START_MS = 90_000
const MAX_OUTPUT_LENGTH = 4000
/** Five calls take less while GNOME Shell has nothing else to do. */
const IDLE_MS = 300
const EXTENSION = fileURLToPath(new URL('../../../src/adapters/linux/wayland/gnome/extension', import.meta.url))

/** Settings of the desktop. The first movement of a pointer would come from the hot corner. */
const SETTINGS = [
  ['org.gnome.shell', 'enabled-extensions', `['${GNOME_EXTENSION.uuid}']`],
  ['org.gnome.shell', 'welcome-dialog-last-shown-version', "'9999'"],
  ['org.gnome.desktop.interface', 'enable-hot-corners', 'false'],
  ['org.gnome.desktop.interface', 'enable-animations', 'false'],
]

/** Starts GNOME Shell with the extension of Backlot, without a screen, on a session bus and one that stands for that of the system. */
export async function startGnomeDesktop(
  root: string,
  { width = 1280, height = 800 }: GnomeDesktopOptions = {},
): Promise<PrivateDesktop> {
  const rooted = await openRoot(root)
  const { folder } = rooted
  const home = join(folder, 'home')
  const extensions = join(home, '.local', 'share', 'gnome-shell', 'extensions')
  mkdirSync(extensions, { recursive: true })
  cpSync(EXTENSION, join(extensions, GNOME_EXTENSION.uuid), { recursive: true })
  const [address, system] = ['bus', 'system-bus'].map((name) => `unix:path=${join(folder, name)}`) as [string, string]
  const bare = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: home,
    XDG_RUNTIME_DIR: folder,
    XDG_SESSION_TYPE: 'wayland',
    XDG_CURRENT_DESKTOP: 'GNOME',
    LANG: 'C.UTF-8',
    DBUS_SESSION_BUS_ADDRESS: address,
    DBUS_SYSTEM_BUS_ADDRESS: system,
    LIBGL_ALWAYS_SOFTWARE: '1',
  }
  const programs = {
    ...bare,
    WAYLAND_DISPLAY: join(folder, 'wayland-0'),
    GDK_BACKEND: 'wayland',
    GSK_RENDERER: 'cairo',
    QT_QPA_PLATFORM: 'wayland',
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
    NO_COLOR: '1',
  }
  const startBus = (at: string) =>
    rooted.start('dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${at}`], programs)
  try {
    const bus = startBus(address)
    startBus(system)
    await until('the buses are there', () => ['bus', 'system-bus'].every((name) => existsSync(join(folder, name))))
    for (const [schema, key, value] of SETTINGS) {
      const setting = rooted.start('gsettings', ['set', schema!, key!, value!], bare)
      await until(`${key} is set`, () => setting.exitCode !== null)
    }
    // Mutter places the pointer on streams of monitors, which it has through PipeWire only.
    const pipewire = rooted.start('pipewire', [], bare)
    await until('PipeWire is there', () => existsSync(join(folder, 'pipewire-0')) || pipewire.exitCode !== null)
    rooted.start('wireplumber', [], bare)
    const shell = rooted.start(
      'gnome-shell',
      ['--headless', '--wayland-display=wayland-0', '--virtual-monitor', `${width}x${height}`],
      bare,
      2,
    )
    let output = ''
    shell.stderr?.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-MAX_OUTPUT_LENGTH)
    })
    await shellReady(address, () => {
      const ended = shell.exitCode ?? shell.signalCode
      if (ended !== null) throw new Error(`gnome-shell ended with ${ended}: ${output.trim()}`)
    })
    const x11 = await xwaylandOf(shell.pid, folder)
    const env = { ...programs, ...x11 }
    return {
      display: x11.DISPLAY,
      env,
      start: (program, ...args) => rooted.start(program, args, env),
      startWithPipes: (program, ...args) => rooted.start(program, args, env, 0, 1),
      pids: { server: shell.pid, windowManager: shell.pid, sessionBus: bus.pid },
      kill: () => {
        for (const { pid } of [shell, bus]) process.kill(pid, 'SIGKILL')
      },
      close: rooted.close,
    }
  } catch (error) {
    await rooted.close()
    throw error
  }
}

/** GNOME Shell tells the display of Xwayland, which it starts with the first program, to what it starts only. */
async function xwaylandOf(shell: number, folder: string): Promise<Readonly<Record<'DISPLAY' | 'XAUTHORITY', string>>> {
  const sockets = join('/proc', String(shell), 'root', X_SOCKETS)
  const numbers = () => readdirSync(sockets).flatMap((name) => /^X(\d+)$/.exec(name)?.[1] ?? [])
  const authority = () => readdirSync(folder).find((name) => name.startsWith('.mutter-Xwaylandauth.'))
  await until('there is a display of Xwayland', () => numbers().length > 0 && authority() !== undefined)
  return { DISPLAY: `:${Math.min(...numbers().map(Number))}`, XAUTHORITY: join(folder, authority()!) }
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + MAX_START_MS; !(await isSo()); await sleep(20))
    if (Date.now() > deadline) throw new Error(`timed out after ${MAX_START_MS} ms waiting until ${what}`)
}

/** Waits until the extension answers, and leaves the overview, in which a session begins. `throwIfEnded` is called meanwhile. */
async function shellReady(address: string, throwIfEnded: () => void): Promise<void> {
  const bus = await openBus(address)
  const shell = { bus: 'org.gnome.Shell', path: '/org/gnome/Shell' }
  const set = { interface: 'org.freedesktop.DBus.Properties', member: 'Set', signature: 'ssv' }
  try {
    await until('the extension of GNOME Shell answers', async () => {
      throwIfEnded()
      return (await gnomeExtensionVersion(bus).catch(() => undefined)) !== undefined
    })
    await until('GNOME Shell has left the overview', () =>
      bus.call(shell, set, 'org.gnome.Shell', 'OverviewActive', ['b', false]).then(
        () => true,
        () => false,
      ),
    )
    // It draws its first frames before it answers at once.
    const { describe } = gnomeShellOn(bus)
    await until('GNOME Shell is idle', async () => {
      const startedMs = Date.now()
      for (let call = 0; call < 5; call++) await describe().catch(() => sleep(IDLE_MS))
      return Date.now() - startedMs < IDLE_MS
    })
  } finally {
    bus.close()
  }
}

/** Starts a desktop of GNOME with the computer that drives it through Mutter, which asks nobody. */
export async function startGnomeTestDesktop(
  testing: DebianTesting,
  options?: GnomeDesktopOptions,
): Promise<LinuxTestDesktop> {
  if ('reason' in testing) throw new Error(testing.reason)
  const desktop = await startGnomeDesktop(testing.root, options)
  try {
    return testDesktopOf(desktop, await openLinuxComputer(desktop.env, { gnomeInput: 'mutter' }))
  } catch (error) {
    await desktop.close()
    throw error
  }
}
