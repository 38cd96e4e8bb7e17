import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { X_SOCKETS } from '../linux/counted-display.ts'

/** The folder of a chroot where each namespace has files of its own. */
export const OWN_FOLDER = '/own'

/**
 * A chroot with mounts and process ids of its own. When it closes, or this process ends in any way, the kernel ends its
 * programs and removes its mounts.
 */
export interface Namespace {
  /** Arguments of `nsenter` that start a program in the chroot, in one of its folders. */
  command(env: Readonly<Record<string, string>>, folder: string, ...command: readonly string[]): readonly string[]
  close(): Promise<void>
}

/** The programs that `openNamespace` runs, of the Debian package util-linux. */
export const NAMESPACE_PROGRAMS = ['setpriv', 'unshare', 'nsenter', 'flock'] as const

/** Arguments of `setpriv` that run a program which ends with this process, together with all its descendants. */
export const contained = (...command: readonly string[]): readonly string[] => [
  '--pdeathsig',
  'KILL',
  'unshare',
  '--mount',
  '--propagation',
  'private',
  '--pid',
  '--fork',
  '--kill-child=KILL',
  '--',
  ...command,
]

/** Arguments: the root, the folder of the namespace, and the folder of the X servers. */
const MOUNTS = `set -e
mount --bind "$2" "$1${OWN_FOLDER}"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/tmp"
mkdir -p "$3" "$1$3"
mount --bind "$3" "$1$3"
echo ready
exec cat`

/** Opens a namespace in the chroot `root`, with `folder` as its OWN_FOLDER. */
export async function openNamespace(root: string, folder: string): Promise<Namespace> {
  const holder = spawn('setpriv', contained('sh', '-c', MOUNTS, 'sh', root, folder, X_SOCKETS), {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  holder.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors += piece
  })
  const [event] = await Promise.race([
    once(holder.stdout, 'data').then(() => ['ready'] as const),
    once(holder, 'exit').then(() => ['exit'] as const),
  ])
  if (event === 'exit')
    throw new Error(`a chroot with mounts of its own needs root and CAP_SYS_ADMIN: ${errors.trim()}`)
  const init = await childOf(holder)
  return {
    command(env, directory, ...command) {
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
      const inside = ['chroot', root, 'env', '-i', `--chdir=${directory}`, ...variables, ...command]
      return ['--target', `${init}`, '--mount', '--pid', '--', ...inside]
    },
    async close() {
      if (holder.exitCode !== null || holder.signalCode !== null) return
      const ended = once(holder, 'exit')
      holder.stdin.end()
      await ended
    },
  }
}

const MAX_WAIT_MS = 10_000

/** Waits for the process that a program has started, and returns its id. */
export async function childOf({ pid }: ChildProcess): Promise<number> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]
    if (child) return Number(child)
    if (Date.now() > deadline) throw new Error(`process ${pid} has started none after ${MAX_WAIT_MS} ms`)
    await sleep(5)
  }
}
