import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLinuxComputer } from '../../../src/adapters/linux/linux.ts'
import { type DebianTesting, openRoot } from './debian-testing.ts'
import type { PrivateDesktop } from './private-desktop.ts'
import { type LinuxTestDesktop, testDesktopOf } from './test-desktop.ts'

export interface KdeDesktopOptions {
  readonly width?: number
  readonly height?: number
  /** Whether it asks for no permission. */
  readonly isPermitted?: boolean
}

/** A private desktop of KWin. */
export interface KdeDesktop extends PrivateDesktop {
  /** The folder where a person permits programs. */
  readonly applications: string
}

const ALL_APPLICATIONS =
  '<Menu><Name>Applications</Name><DefaultAppDirs/><DefaultDirectoryDirs/><Include><All/></Include></Menu>\n'
const MAX_START_MS = 20_000
const MAX_OUTPUT_LENGTH = 2000

/** Starts KWin without a screen, a session bus and an accessibility bus in a root with Debian. */
export async function startKdeDesktop(
  root: string,
  { width = 1280, height = 800, isPermitted = true }: KdeDesktopOptions = {},
): Promise<KdeDesktop> {
  const rooted = await openRoot(root)
  const { folder } = rooted
  const home = join(folder, 'home')
  const applications = join(home, '.local', 'share', 'applications')
  const menus = join(home, '.config', 'menus')
  for (const each of [applications, menus]) mkdirSync(each, { recursive: true })
  // KDE lists the .desktop files of a menu, which Plasma brings along.
  writeFileSync(join(menus, 'applications.menu'), ALL_APPLICATIONS)
  const address = `unix:path=${join(folder, 'bus')}`
  const bare = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: home,
    XDG_RUNTIME_DIR: folder,
    XDG_SESSION_TYPE: 'wayland',
    LANG: 'C.UTF-8',
    DBUS_SESSION_BUS_ADDRESS: address,
    // The root has no system bus.
    DBUS_SYSTEM_BUS_ADDRESS: address,
  }
  const programs = {
    ...bare,
    WAYLAND_DISPLAY: join(folder, 'wayland-0'),
    GDK_BACKEND: 'wayland',
    GSK_RENDERER: 'cairo',
    QT_QPA_PLATFORM: 'wayland',
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_COLOR: '1',
  }
  try {
    const bus = rooted.start('dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${address}`], programs)
    await appears(join(folder, 'bus'), bus)
    // KWin tells the display of Xwayland only to what it starts.
    const [tell, told] = [join(folder, 'tell'), join(folder, 'told')]
    const print = `printf '%s\\n' "$DISPLAY" "$XAUTHORITY" > ${told}.new && mv ${told}.new ${told}`
    writeFileSync(tell, `#!/bin/sh\n${print}\n`, { mode: 0o755 })
    const screen = ['--virtual', '--width', `${width}`, '--height', `${height}`, '--no-lockscreen']
    const compositor = rooted.start(
      'kwin_wayland',
      [...screen, '--socket', 'wayland-0', '--xwayland', tell],
      { ...bare, LIBGL_ALWAYS_SOFTWARE: '1', ...(isPermitted && UNCHECKED) },
      2,
    )
    await appears(told, compositor)
    const [display = '', XAUTHORITY = ''] = readFileSync(told, 'utf8').split('\n')
    const env = { ...programs, DISPLAY: display, XAUTHORITY }
    return {
      display,
      env,
      applications,
      start: (program, ...args) => rooted.start(program, args, env),
      startWithPipes: (program, ...args) => rooted.start(program, args, env, 0, 1),
      pids: { server: compositor.pid, windowManager: compositor.pid, sessionBus: bus.pid },
      kill: () => {
        for (const { pid } of [compositor, bus]) process.kill(pid, 'SIGKILL')
      },
      close: rooted.close,
    }
  } catch (error) {
    await rooted.close()
    throw error
  }
}

/** With these variables KWin permits every program what it otherwise permits those of a .desktop file. */
const UNCHECKED = { KWIN_WAYLAND_NO_PERMISSION_CHECKS: '1', KWIN_SCREENSHOT_NO_PERMISSION_CHECKS: '1' }

async function appears(
  path: string,
  program: ReturnType<Awaited<ReturnType<typeof openRoot>>['start']>,
): Promise<void> {
  let output = ''
  program.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_LENGTH)
  })
  for (const deadline = Date.now() + MAX_START_MS; !existsSync(path); await sleep(10)) {
    const ended = program.exitCode ?? program.signalCode
    if (ended !== null) throw new Error(`${path} will not appear: its program ended with ${ended}: ${output.trim()}`)
    if (Date.now() > deadline) throw new Error(`there is no ${path} after ${MAX_START_MS} ms: ${output.trim()}`)
  }
}

/** Starts a desktop of KDE with the computer that drives it. */
export async function startKdeTestDesktop(
  testing: DebianTesting,
  options?: KdeDesktopOptions,
): Promise<LinuxTestDesktop> {
  if ('reason' in testing) throw new Error(testing.reason)
  const desktop = await startKdeDesktop(testing.root, options)
  try {
    return testDesktopOf(desktop, await openLinuxComputer(desktop.env))
  } catch (error) {
    await desktop.close()
    throw error
  }
}
