import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { openScreenCapture } from '../../../src/adapters/linux/capture.ts'
import { openDisplay } from '../../../src/adapters/linux/x11/display.ts'
import type { Picture } from '../../../src/paint/picture.ts'
import { type PrivateDesktopOptions, startPrivateDesktop } from '../linux/private-desktop.ts'
import { waitUntil } from '../linux/test-desktop.ts'
import { runsFolder } from './cache.ts'
import { childOf, OWN_FOLDER, openNamespace } from './namespace.ts'
import { WINE_VARIABLES } from './root.ts'
import { runProgram } from './run-program.ts'
import type { WindowsInstallation } from './set-up.ts'

/** A private Windows under Wine: a screen, a drive and a registry of its own. Everything ends with it. */
export interface WindowsMachine {
  readonly display: string
  /** The folder on this machine that programs under Wine see as `C:\`. */
  readonly drive: string
  /** The Windows path of a file below `drive`. */
  windowsPath(path: string): string
  /** Starts a Windows program by its path, or by the name of one that comes with Wine, such as `notepad`. */
  start(program: string, args?: readonly string[], options?: StartOptions): Promise<WindowsProgram>
  /** Starts Node for Windows. */
  startNode(args: readonly string[], options?: StartOptions): Promise<WindowsProgram>
  /** Starts a command of the installed Backlot. */
  startBacklot(args: readonly string[], options?: StartOptions): Promise<WindowsProgram>
  /** Starts `backlot serve` on a free port, and waits until the observer listens. */
  serve(args: readonly string[], options?: StartOptions): Promise<WindowsServer>
  /** Takes a picture of the whole screen, without the help of Wine. */
  screenshot(): Promise<Picture>
  /** Ends everything at once, and leaves its folder for a later run to delete. */
  kill(): void
  close(): Promise<void>
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The working directory, below `drive`, which is the default. */
  readonly cwd?: string
  /** The text of standard input. */
  readonly input?: string
}

/** A program under Wine. */
export interface WindowsProgram {
  /** Its process id on this machine, for signals. Windows has ids of its own. */
  readonly pid: number
  /** Settles with the exit code when the program has ended. Wine passes on its lowest 8 bits. */
  readonly ended: Promise<number>
  /** What it has written so far. */
  stdout(): string
  stderr(): string
  /** Stops it as a program that hangs, until it is resumed. */
  stop(): void
  resume(): void
  /** Ends it at once, also when it is stopped. */
  kill(): Promise<void>
}

export interface WindowsServer extends WindowsProgram {
  readonly url: string
}

export interface WindowsMachineOptions extends PrivateDesktopOptions {
  /** Shows all windows on a desktop of Wine, which is the whole screen, without a window manager of X. True by default. */
  readonly ownDesktop?: boolean
}

/** Where the installed package and Node are. */
export const WINDOWS_APP = 'C:\\app'
export const WINDOWS_NODE = 'C:\\node\\node.exe'
const PROGRAM = `${WINDOWS_APP}\\node_modules\\backlot\\dist\\bundle\\backlot.js`

/** Node starts slowly under Wine on a busy machine. */
const MAX_START_MS = 90_000

/** Starts a Windows machine with copies of the installed folders. */
export async function startWindowsMachine(
  { root, prefix, node, app }: WindowsInstallation,
  { width = 1280, height = 800, ownDesktop = true, ...options }: WindowsMachineOptions = {},
): Promise<WindowsMachine> {
  const runs = runsFolder()
  mkdirSync(runs, { recursive: true })
  const folder = mkdtempSync(join(runs, `${process.pid}-`))
  const drive = join(folder, 'prefix/drive_c')
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })]
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    // Links to files that nothing changes, in a tenth of the time that copies take.
    const copy = (kind: 'a' | 'al', from: string, to: string) => runProgram('cp', [`-${kind}`, from, to])
    mkdirSync(drive, { recursive: true })
    await Promise.all([
      copyPrefix(join(prefix, 'prefix'), join(folder, 'prefix')),
      copy('al', join(node, 'bin'), join(drive, 'node')),
      copy('al', app, join(drive, 'app')),
    ])
    if (ownDesktop) appendFileSync(join(folder, 'prefix/user.reg'), ownDesktopSettings(`${width}x${height}`))
    const desktop = await startPrivateDesktop({ width, height, windowManager: 'none', ...options })
    closers.push(desktop.close)
    const namespace = await openNamespace(root, folder)
    closers.push(namespace.close)
    // A busy machine may not answer in time.
    const display = await openDisplay(desktop.display).catch(() => openDisplay(desktop.display))
    closers.push(() => display.close())
    const capture = await openScreenCapture(display)
    closers.push(() => capture.close())

    let count = 0
    const machine: WindowsMachine = {
      display: desktop.display,
      drive,
      windowsPath: (path) => `C:\\${relative(drive, path).replaceAll('/', '\\')}`,
      async start(program, args = [], { env = {}, input = '', cwd = drive } = {}) {
        const name = join(folder, `program-${++count}`)
        writeFileSync(`${name}.in`, input)
        // Node under Wine opens files as its standard streams, and no pipes of this system.
        const streams = [openSync(`${name}.in`, 'r'), openSync(`${name}.out`, 'w'), openSync(`${name}.err`, 'w')]
        const variables = { ...WINE_VARIABLES, WINEPREFIX: `${OWN_FOLDER}/prefix`, DISPLAY: desktop.display, ...env }
        const inside = join(OWN_FOLDER, relative(folder, cwd))
        const command = namespace.command(variables, inside, 'wine', pathOfProgram(drive, program), ...args)
        const child = spawn('nsenter', command, { stdio: streams })
        const ended = once(child, 'exit').then(([code]) => (code as number | null) ?? -1)
        for (const stream of streams) closeSync(stream)
        const pid = await childOf(child)
        const resume = () => {
          // The program that started it stops together with it, and then would not notice its end.
          if (isRunning(child)) for (const each of [child.pid!, pid]) signal(each, 'SIGCONT')
        }
        closers.push(resume)
        return {
          pid,
          stop: () => process.kill(pid, 'SIGSTOP'),
          resume,
          ended,
          stdout: () => readFileSync(`${name}.out`, 'utf8'),
          stderr: () => readFileSync(`${name}.err`, 'utf8'),
          async kill() {
            if (isRunning(child)) signal(pid, 'SIGKILL')
            resume()
            await ended
          },
        }
      },
      startNode: (args, options) => machine.start(WINDOWS_NODE, args, options),
      startBacklot: (args, options) => machine.startNode([PROGRAM, ...args], options),
      async serve(args, options) {
        const server = await machine.startBacklot(['serve', '--mode', 'inspect', '--port', '0', ...args], options)
        let code: number | undefined
        void server.ended.then((ended) => {
          code = ended
        })
        const output = () => server.stderr() + server.stdout()
        const listens = () => {
          if (code !== undefined) throw new Error(`backlot ended with ${code}: ${output()}`)
          return /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
        }
        const url = await waitUntil('backlot listens under Wine', listens, MAX_START_MS)
        return { ...server, url }
      },
      screenshot: () => capture.area({ x: 0, y: 0, width, height }),
      // The kernel ends the programs of a namespace together with this process.
      kill: desktop.kill,
      close,
    }
    return machine
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The path of a program that comes with Wine, which would start it by its name through another process that has the process
 * id then.
 */
function pathOfProgram(drive: string, program: string): string {
  if (/[\\/]/.test(program)) return program
  const folder = ['windows', 'windows/system32'].find((each) => existsSync(join(drive, each, `${program}.exe`)))
  return folder ? `C:\\${folder.replaceAll('/', '\\')}\\${program}.exe` : program
}

/** Settings in the form of the file that Wine keeps its registry in. Carets that blink would make pictures differ. */
const ownDesktopSettings = (size: string) => `
[Software\\\\Wine\\\\Explorer]
"Desktop"="Default"

[Software\\\\Wine\\\\Explorer\\\\Desktops]
"Default"="${size}"

[Control Panel\\\\Desktop]
"CursorBlinkRate"="-1"
`

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Sends a signal to a process that may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function copyPrefix(from: string, to: string): Promise<void> {
  mkdirSync(join(to, 'drive_c'), { recursive: true })
  await Promise.all([
    runProgram('sh', ['-c', 'cp -a "$1"/*.reg "$1"/.update-timestamp "$1"/dosdevices "$2"', 'sh', from, to]),
    runProgram('sh', ['-c', 'cp -al "$1"/drive_c/windows "$2"/drive_c/', 'sh', from, to]),
    runProgram('sh', ['-c', 'cp -a "$1"/drive_c/[!w]* "$2"/drive_c/', 'sh', from, to]),
  ])
}
