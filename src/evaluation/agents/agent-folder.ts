import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'backlot-agent'

/** Where process ids count. Containers may share a temporary folder, but not their ids. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}

/** Whether a process of this machine runs, also one of another user. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Makes a folder for one agent in `parent`, named after this process. Removes those of processes that ended without removing theirs. */
export function makeAgentFolder(parent = tmpdir()): string {
  const own = `${PREFIX}-${processSpace()}-`
  for (const name of readdirSync(parent)) {
    const [, pid] = name.startsWith(own) ? (/^(\d+)-/.exec(name.slice(own.length)) ?? []) : []
    if (pid === undefined || isProcessRunning(Number(pid))) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
  return mkdtempSync(join(parent, `${own}${process.pid}-`))
}
