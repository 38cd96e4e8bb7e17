import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** A server that a shell command started. */
export interface ServerProcess {
  readonly hasEnded: boolean
  /** The end of its standard error, unless it is inherited. */
  readonly stderr: string
  /** Stops it and its child processes, by force those that do not end by themselves, and waits for their exit. */
  stop(): Promise<void>
}

interface StartOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly inheritsStderr?: boolean
  /** Milliseconds that its processes have to end by themselves. */
  readonly graceMs?: number
}

const MAX_OUTPUT_LENGTH = 2000

/** Starts a shell command. With `inheritsStderr`, standard error is inherited. */
export function startCommand(command: string, { env, inheritsStderr, graceMs }: StartOptions = {}): ServerProcess {
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', inheritsStderr ? 'inherit' : 'pipe'],
    ...(env && { env }),
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
      if (child.pid === undefined) return
      await endGroup(child.pid, graceMs)
      await exited
    },
  }
}

/** Milliseconds that a process has to end by itself. */
const GRACE_MS = 3000
const POLL_MS = 50

/** Process groups of child processes, by the id of the leader, which a shell is and its child processes outlive. */
const groups = new Set<number>()
process.on('exit', () => {
  for (const pid of groups) signalGroup(pid, 'SIGTERM')
})

/** Kills the process group of `child` on exit, because Ctrl-C does not reach another process group. */
export function killOnExit(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  groups.add(pid)
  child.once('exit', () => {
    if (!hasLiveMembers(pid)) groups.delete(pid)
  })
}

/** Ends a process group that ends on exit: by request, and by force what is left of it after `graceMs`. */
export async function endGroup(pid: number, graceMs: number = GRACE_MS): Promise<void> {
  if (!groups.has(pid)) return
  await endByForce(
    (signal) => signalGroup(pid, signal),
    () => !hasLiveMembers(pid),
    graceMs,
  )
  groups.delete(pid)
}

/** Milliseconds in which the last output of an ended process arrives. */
const FLUSH_MS = 200

/**
 * Waits until a process has ended and its output is read, but not for child processes that keep its output open.
 * @returns Its exit code; null after a signal.
 * @throws The error of a process that could not be started.
 */
export function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
    child.once('exit', (code) => setTimeout(resolve, FLUSH_MS, code))
  })
}

/** Sends SIGTERM, and SIGKILL when it is not over after `graceMs`; returns when it is over, or after twice that time. */
async function endByForce(
  send: (signal: NodeJS.Signals) => void,
  isOver: () => boolean,
  graceMs: number,
): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(signal)
    const giveUpAt = performance.now() + graceMs
    while (!isOver() && performance.now() < giveUpAt) await pause(POLL_MS)
  }
}

/**
 * Sends a signal to a process group: the shell and its child processes share one. Windows has no groups and no request to
 * end, so there `taskkill` ends a shell that runs, with its child processes.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (process.platform !== 'win32') return process.kill(-pid, signal)
    if (signal === 0) return process.kill(pid, 0)
    return spawnSync('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore' }).status === 0
  } catch {
    // It has just ended.
    return false
  }
}

/** Whether a process of the group runs. A zombie has ended, even if its parent does not collect it. */
function hasLiveMembers(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  if (!existsSync(`/proc/${process.pid}/stat`)) return true
  return processIds().some((pid) => {
    // The name of the program, in parentheses, may contain blanks and parentheses.
    const [state, , pgrp] = textOf(`/proc/${pid}/stat`).split(')').at(-1)!.trim().split(' ')
    return Number(pgrp) === group && state !== 'Z' && state !== 'X'
  })
}

const processIds = (): readonly string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name))

/** The text of a file; empty if there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

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
export function createRestarter(
  command: string | undefined,
  url: string | undefined,
  graceMs: number = GRACE_MS,
): Restarter {
  let server: ServerProcess | undefined
  return {
    restart: async () => {
      if (command === undefined || url === undefined) throw new Error(NO_START_COMMAND)
      await server?.stop()
      const { port, protocol, hostname } = new URL(url)
      const number = port || (protocol === 'https:' ? '443' : '80')
      if (isLocal(hostname)) await freePort(Number(number), graceMs)
      server = startCommand(command.replaceAll('{port}', number), { graceMs })
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
async function freePort(port: number, graceMs: number): Promise<void> {
  const holders = () => listenersOn(port).filter((pid) => pid !== process.pid)
  await endByForce(
    (signal) => {
      for (const pid of holders()) endProcess(pid, signal)
    },
    () => holders().length === 0,
    graceMs,
  )
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
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((path) => textOf(path).split('\n'))
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
        return state === LISTEN && local.endsWith(`:${wanted}`) ? [`socket:[${inode}]`] : []
      }),
  )
  if (sockets.size === 0) return []
  return processIds()
    .filter((pid) => descriptorsOf(pid).some((target) => sockets.has(target)))
    .map(Number)
}

/** What the open files of a process are; empty for a process that has ended or belongs to somebody else. */
function descriptorsOf(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  } catch {
    return []
  }
}
