import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRoot } from './debian-testing.ts'
import type { PrivateDesktop } from './private-desktop.ts'

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
  mkdirSync(applications, { recursive: true })
  const address = `unix:path=${join(folder, 'bus')}`
  const bare = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: home,
    XDG_RUNTIME_DIR: folder,
    XDG_SESSION_TYPE: 'wayland',
    LANG: 'C.UTF-8',
    DBUS_SESSION_BUS_ADDRESS: address,
    // There is no bus of the system.
    DBUS_SYSTEM_BUS_ADDRESS: address,
  }
  const env = {
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
    const bus = rooted.start('dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${address}`], env)
    await appears(join(folder, 'bus'), bus)
    const compositor = rooted.start(
      'kwin_wayland',
      [
        '--virtual',
        '--width',
        `${width}`,
        '--height',
        `${height}`,
        '--socket',
        'wayland-0',
        '--no-lockscreen',
        '--xwayland',
      ],
      { ...bare, LIBGL_ALWAYS_SOFTWARE: '1', ...(isPermitted && UNCHECKED) },
      2,
    )
    await appears(env.WAYLAND_DISPLAY, compositor)
    return {
      display: '',
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
