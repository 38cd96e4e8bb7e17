import { type ChildProcess, spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDisplay } from '../../../src/adapters/linux/x11/display.ts'
import { windowManagerKindOf } from '../../../src/adapters/linux/x11/x-windows.ts'

/** A private X server, D-Bus daemon and window manager, isolated from the desktop of the user. */
export interface PrivateDesktop {
  readonly display: string
  /** The environment variables of programs that run on it. */
  readonly env: Readonly<Record<string, string>>
  /** Starts a program, which ends with the desktop. */
  start(program: string, ...args: readonly string[]): ChildProcess & { readonly pid: number }
  /** Starts a program with pipes for its standard input and output. */
  startWithPipes(program: string, ...args: readonly string[]): ChildProcess & { readonly pid: number }
  /** Process ids for tests that kill a process. 0 for a window manager that was not started. */
  readonly pids: { readonly server: number; readonly windowManager: number; readonly sessionBus: number }
  /** Ends all its programs at once. */
  kill(): void
  close(): Promise<void>
}

export interface PrivateDesktopOptions {
  readonly width?: number
  readonly height?: number
  /** The window manager to start, or `none`. Defaults to openbox. */
  readonly windowManager?: keyof typeof WINDOW_MANAGERS | 'none'
  /** X11 by default. Windows of sway float, as those of other desktops do. */
  readonly session?: 'x11' | 'sway'
}

const WINDOW_MANAGERS = {
  openbox: ['--sm-disable'],
  xfwm4: ['--compositor=off', '--sm-client-disable'],
  twm: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

const TWM_SETTINGS = ['Title', 'Menu', 'Icon', 'Resize', 'IconManager']
  .map((part) => `${part}Font "fixed"\n`)
  .concat('RandomPlacement\n', 'NoGrabServer\n')
  .join('')

/** Tells the sockets of sway, which it gives to what it starts only. */
const swaySettings = (width: number, height: number) => `
output * resolution ${width}x${height} position 0 0 bg #3a5a7a solid_color
default_border normal
for_window [title=".*"] floating enable
focus_on_window_activation focus
focus_follows_mouse no
exec xhost +si:localuser:root && printf '%s\\n' "$WAYLAND_DISPLAY" "$SWAYSOCK" "$DISPLAY" > "$HOME/sockets.new" && mv "$HOME/sockets.new" "$HOME/sockets"
`
/**
 * Where `WAYLAND_DISPLAY` is set, the launcher of the accessibility bus does not tell its address to the X server. Programs of
 * Qt 5 under Xwayland then ask for it while they start, and often miss the answer.
 */
const ACCESSIBILITY_SERVICE = `[D-BUS Service]
Name=org.a11y.Bus
Exec=/usr/bin/env --unset=WAYLAND_DISPLAY /usr/libexec/at-spi-bus-launcher
`
/** sway refuses to run as root. */
const NOBODY = 65_534
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

const MAX_START_MS = 20_000

/** The number of characters of output that are reported when a program does not start. */
const MAX_OUTPUT_LENGTH = 2000

/** Arguments of `setpriv`, which then becomes the program: the kernel kills it when this process ends, however it ends. */
const ENDS_WITH_PARENT = ['--pdeathsig', 'KILL', '--']

/** Returns the programs of `names` that are not installed. */
export function missingPrograms(names: readonly string[]): readonly string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.filter((name) => !folders.some((folder) => isExecutable(join(folder, name))))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts a private desktop: X server, session bus and window manager, each once the previous one is ready. */
export async function startPrivateDesktop({
  width = 1280,
  height = 800,
  windowManager: manager = 'openbox',
  session = 'x11',
}: PrivateDesktopOptions = {}): Promise<PrivateDesktop> {
  const home = mkdtempSync(join(tmpdir(), 'backlot-desktop-'))
  const isSway = session === 'sway'
  // Programs refuse a home folder of another user, so sway has a folder of its own in it.
  const swayHome = join(home, 'run')
  const isRoot = process.getuid?.() === 0
  if (isSway) {
    mkdirSync(swayHome, { mode: 0o700 })
    if (isRoot) {
      chmodSync(home, 0o711)
      chownSync(swayHome, NOBODY, NOBODY)
    }
  }
  const children: ChildProcess[] = []
  const close = async () => {
    for (const child of children.reverse()) await end(child)
    // Programs that the bus has started exit after it, and may still write there.
    rmSync(home, { recursive: true, force: true, maxRetries: 10 })
  }
  const launch = (
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    ...piped: readonly (0 | 1 | 2 | 3)[]
  ) => {
    const stdio = ([0, 1, 2, 3] as const).map((fd) => (piped.includes(fd) ? 'pipe' : 'ignore'))
    const user = isRoot && program === join(swayHome, 'sway') ? AS_NOBODY : []
    const child = spawn('setpriv', [...user, ...ENDS_WITH_PARENT, program, ...args], { env, cwd: home, stdio })
    child.on('error', () => {})
    children.push(child)
    return child as ChildProcess & { readonly pid: number }
  }

  try {
    const bare = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      XDG_RUNTIME_DIR: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_SESSION_TYPE: 'x11',
      LANG: 'C.UTF-8',
    }
    if (isSway) return await startSway()
    const screen = ['-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp', '-noreset', '-displayfd', '3']
    const server = launch('Xvfb', screen, bare, 3)
    const display = `:${await firstLine(server, 3)}`

    // Programs that the bus starts inherit its environment, so it needs the display first.
    const withDisplay = { ...bare, DISPLAY: display, GDK_BACKEND: 'x11', GSK_RENDERER: 'cairo' }
    const bus = launch('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1'], withDisplay, 1)
    const env = {
      ...withDisplay,
      DBUS_SESSION_BUS_ADDRESS: await firstLine(bus, 1),
      QT_QPA_PLATFORM: 'xcb',
      QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
      GTK_THEME: 'Adwaita',
      NO_COLOR: '1',
    }
    // Without these settings twm asks a person to place each window.
    writeFileSync(join(home, '.twmrc'), TWM_SETTINGS)
    const windowManager =
      manager === 'none' ? undefined : launch(manager, WINDOW_MANAGERS[manager], { ...env, LC_ALL: 'C' }, 2)
    if (windowManager) await windowManagerReady(display, windowManager)
    return {
      display,
      env,
      start: (program, ...args) => launch(program, args, env),
      startWithPipes: (program, ...args) => launch(program, args, env, 0, 1),
      pids: { server: server.pid, windowManager: windowManager?.pid ?? 0, sessionBus: bus.pid },
      kill: () => {
        for (const child of children) child.kill('SIGKILL')
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }

  async function startSway(): Promise<PrivateDesktop> {
    const bare = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      XDG_RUNTIME_DIR: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_SESSION_TYPE: 'wayland',
      XDG_CURRENT_DESKTOP: 'sway',
      LANG: 'C.UTF-8',
    }
    writeFileSync(join(swayHome, 'sway.conf'), swaySettings(width, height))
    const headless = { WLR_BACKENDS: 'headless', WLR_LIBINPUT_NO_DEVICES: '1', WLR_RENDERER: 'pixman' }
    // A copy has no capabilities of the file, with which the kernel would not end it with this process.
    copyFileSync('/usr/bin/sway', join(swayHome, 'sway'))
    chmodSync(join(swayHome, 'sway'), 0o755)
    const compositor = launch(
      join(swayHome, 'sway'),
      ['-c', join(swayHome, 'sway.conf')],
      { ...bare, ...headless, HOME: swayHome, XDG_RUNTIME_DIR: swayHome },
      2,
    )
    const [wayland = '', ipc = '', display = ''] = await swayReady(swayHome, compositor)
    const programs = {
      ...bare,
      WAYLAND_DISPLAY: join(swayHome, wayland),
      SWAYSOCK: ipc,
      DISPLAY: display,
      GDK_BACKEND: 'wayland',
      GSK_RENDERER: 'cairo',
    }
    const services = join(home, 'dbus-1', 'services')
    mkdirSync(services, { recursive: true, mode: 0o700 })
    writeFileSync(join(services, 'org.a11y.Bus.service'), ACCESSIBILITY_SERVICE)
    const bus = launch('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1'], programs, 1)
    const env = {
      ...programs,
      DBUS_SESSION_BUS_ADDRESS: await firstLine(bus, 1),
      // Qt 5 has no plugin for Wayland unless it is installed.
      QT_QPA_PLATFORM: 'wayland;xcb',
      QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
      MOZ_ENABLE_WAYLAND: '1',
      GTK_THEME: 'Adwaita',
      NO_COLOR: '1',
    }
    return {
      display,
      env,
      start: (program, ...args) => launch(program, args, env),
      startWithPipes: (program, ...args) => launch(program, args, env, 0, 1),
      pids: { server: compositor.pid, windowManager: compositor.pid, sessionBus: bus.pid },
      kill: () => {
        for (const child of children) child.kill('SIGKILL')
        endCopiesOf(join(swayHome, 'sway'))
      },
      close: async () => {
        endCopiesOf(join(swayHome, 'sway'), compositor.pid)
        await close()
      },
    }
  }
}

/** Ends the copies of itself that sway forks, which stay when it is killed, unless one is to end by itself. */
function endCopiesOf(program: string, except?: number): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== except))
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`${program}\0`)) process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      // It ended meanwhile.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
}

/** Waits until sway has started what its settings name, which tells its sockets. */
async function swayReady(home: string, compositor: ChildProcess): Promise<readonly string[]> {
  let output = ''
  compositor.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_LENGTH)
  })
  const file = join(home, 'sockets')
  for (const deadline = Date.now() + MAX_START_MS; !existsSync(file); await sleep(10)) {
    const ended = compositor.exitCode ?? compositor.signalCode
    if (ended !== null) throw new Error(`sway ended with ${ended}: ${output.trim()}`)
    if (Date.now() > deadline) throw new Error(`sway is not ready after ${MAX_START_MS} ms: ${output.trim()}`)
  }
  return readFileSync(file, 'utf8').split('\n')
}

/** Waits for the first line that a program writes to a descriptor once it is ready. */
function firstLine(child: ChildProcess, fd: 1 | 3): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const fail = (why: string) => reject(new Error(`${child.spawnargs.slice(1).join(' ')} did not start: ${why}`))
    const timer = setTimeout(fail, MAX_START_MS, `no output within ${MAX_START_MS} ms`)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`it ended with code ${code}`))
    const output = child.stdio[fd] as Readable
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf('\n')
      if (end < 0) return
      clearTimeout(timer)
      resolve(text.slice(0, end))
    })
  })
}

async function windowManagerReady(name: string, program: ChildProcess): Promise<void> {
  let output = ''
  program.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_LENGTH)
  })
  const display = await openDisplay(name)
  try {
    const deadline = Date.now() + MAX_START_MS
    while ((await windowManagerKindOf(display)) === 'none') {
      const ended = program.exitCode ?? program.signalCode
      if (ended !== null) throw new Error(`the window manager ended with ${ended}: ${output.trim()}`)
      if (Date.now() > deadline)
        throw new Error(`the window manager is not ready after ${MAX_START_MS} ms: ${output.trim()}`)
      await sleep(10)
    }
  } finally {
    display.close()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // A stopped program handles no other signal.
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 1000)
  await ended
  clearTimeout(killTimer)
}
