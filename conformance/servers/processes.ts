import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
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
      if (!ended && child.pid !== undefined) stopGroup(child.pid)
      await exited
    },
  }
}

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

/** Restarts by a command, with `{port}` replaced by the port of the address. Without a command, restart rejects. */
export function createRestarter(command: string | undefined, url: string | undefined): Restarter {
  let server: ServerProcess | undefined
  return {
    restart: async () => {
      if (command === undefined || url === undefined) throw new Error('the profile has no start command')
      await server?.stop()
      const { port, protocol } = new URL(url)
      server = startCommand(command.replaceAll('{port}', port || (protocol === 'https:' ? '443' : '80')))
      if (!(await waitUntilAnswering(url, server, START_MS)))
        throw new Error(`the server does not answer: ${server.stderr}`)
    },
    close: async () => void (await server?.stop()),
  }
}
