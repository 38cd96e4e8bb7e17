import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'

/** A server that was started by a command of the shell. */
export interface ServerProcess {
  readonly hasEnded: boolean
  /** The end of what it said on standard error, unless that is shown. */
  readonly stderr: string
  /** Ends it, with all it has started, and waits until it is gone. */
  stop(): Promise<void>
}

const SAID_MOST = 2000

/** Starts a command; what it says on standard error is shown when `told`. */
export function startCommand(
  command: string,
  more: { readonly env?: NodeJS.ProcessEnv; readonly told?: boolean } = {},
): ServerProcess {
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', more.told ? 'inherit' : 'pipe'],
    ...(more.env && { env: more.env }),
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_MOST)
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

/** A process group of its own does not hear Ctrl-C; this one ends with this program at the latest. */
export function killOnExit(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  groups.add(pid)
  child.once('exit', () => groups.delete(pid))
}

/** Ends a process group: the shell and what it has started share one of their own, so nothing is left behind. */
export function stopGroup(pid: number, signal: NodeJS.Signals = 'SIGTERM'): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has just ended by itself.
  }
}

const POLL_MS = 100

/** Whether the server answers anything at all, a refusal included, before it ends or the time is up. */
export async function waitUntilAnswering(url: string, server: ServerProcess, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs
  while (performance.now() < giveUpAt && !server.hasEnded) {
    if (await isAnswering(url)) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}

/** Whether anything answers at an address within two seconds, a refusal included. */
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
