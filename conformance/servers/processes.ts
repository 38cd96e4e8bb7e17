import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** A server that a shell command started. */
export interface ServerProcess {
  readonly hasEnded: boolean
  /** The end of its standard error, unless it is inherited. */
  readonly stderr: string
  /** Stops it and its child processes, and waits for its exit. */
  stop(): Promise<void>
}

const MAX_OUTPUT_LENGTH = 2000

/** Starts a shell command. With `inheritsStderr`, standard error is inherited. */
export function startCommand(
  command: string,
  more: { readonly env?: NodeJS.ProcessEnv; readonly inheritsStderr?: boolean } = {},
): ServerProcess {
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', more.inheritsStderr ? 'inherit' : 'pipe'],
    ...(more.env && { env: more.env }),
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_OUTPUT_LENGTH)
  })
  killOnExit(child)
  let ended = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      ended = true
      resolve()
    })
  })
  return {
    get hasEnded() {
      return ended
    },
    get stderr() {
      return said.trim()
    },
    stop: async () => {
      if (ended || child.pid === undefined) return
      stopGroup(child.pid)
      // A server that hangs may not react to a request to end.
      const timer = setTimeout(() => stopGroup(child.pid!, 'SIGKILL'), STOP_MS)
      await exited.finally(() => clearTimeout(timer))
    },
  }
}

/** Milliseconds that a process has to end by itself. */
const STOP_MS = 3000

const groups = new Set<number>()
process.on('exit', () => {
  for (const pid of groups) stopGroup(pid)
})

/** Kills the process group of `child` on exit, because Ctrl-C does not reach another process group. */
export function killOnExit(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  groups.add(pid)
  child.once('exit', () => groups.delete(pid))
}

/** Stops a process group: the shell and its child processes share one. */
export function stopGroup(pid: number, signal: NodeJS.Signals = 'SIGTERM'): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has just exited.
  }
}

const POLL_MS = 100

/** Waits until the server responds in any way; false when it exits or the timeout ends first. */
export async function waitUntilAnswering(url: string, server: ServerProcess, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs
  while (performance.now() < giveUpAt && !server.hasEnded) {
    if (await isAnswering(url)) return true
    await pause(POLL_MS)
  }
  return false
}

/** Whether an address responds in any way within two seconds. */
export const isAnswering = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    () => true,
    () => false,
  )

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Restarts the server under test after a loss. */
export interface Restarter {
  restart(): Promise<void>
  /** Stops the server if this restarter started it. */
  close(): Promise<void>
}

const START_MS = 30_000

/**
 * Restarts by a command, with `{port}` replaced by the port of the address. A process that still holds the port, such as a
 * server that hangs, is ended first. Without a command, restart rejects.
 */
export function createRestarter(command: string | undefined, url: string | undefined): Restarter {
  let server: ServerProcess | undefined
  return {
    restart: async () => {
      if (command === undefined || url === undefined) throw new Error(NO_START_COMMAND)
      await server?.stop()
      const { port, protocol, hostname } = new URL(url)
      const number = port || (protocol === 'https:' ? '443' : '80')
      if (isLocal(hostname)) await freePort(Number(number))
      server = startCommand(command.replaceAll('{port}', number))
      if (!(await waitUntilAnswering(url, server, START_MS))) {
        const fate = server.hasEnded ? 'exited before it answered' : `does not answer within ${START_MS / 1000} s`
        throw new Error(`the start command ${fate}, with the output: ${server.stderr || '(none)'}`)
      }
    },
    close: async () => void (await server?.stop()),
  }
}

export const NO_START_COMMAND = 'the profile has no start command'

const isLocal = (hostname: string): boolean => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (bare === 'localhost' || bare === '::1' || bare.startsWith('127.')) return true
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === bare))
}

/** Ends the processes that listen on a port, by force if they do not end by themselves. */
async function freePort(port: number): Promise<void> {
  const holders = () => listenersOn(port).filter((pid) => pid !== process.pid)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of holders()) endProcess(pid, signal)
    const giveUpAt = performance.now() + STOP_MS
    while (holders().length > 0 && performance.now() < giveUpAt) await pause(POLL_MS)
  }
  const left = holders()
  if (left.length > 0) throw new Error(`port ${port} is held by process ${left.join(', ')}, which does not end`)
}

function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH')
      throw new Error(`process ${pid} holds the port and may not be ended: ${(error as Error).message}`)
  }
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTEN = '0A'

/** The ids of the processes that listen on a TCP port; none on systems without /proc. */
export function listenersOn(port: number): readonly number[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(linesOf).flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === LISTEN && local.endsWith(`:${wanted}`) ? [`socket:[${inode}]`] : []
    }),
  )
  if (sockets.size === 0) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => descriptorsOf(pid).some((target) => sockets.has(target))).map(Number)
}

const linesOf = (path: string): readonly string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [])

/** What the open files of a process are; empty for a process that has ended or belongs to somebody else. */
function descriptorsOf(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  } catch {
    return []
  }
}
