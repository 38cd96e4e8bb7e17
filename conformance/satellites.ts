import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fail } from './probe/failure.ts'
import type { Recorder } from './probe/frame.ts'
import { type Mcp, openMcp } from './probe/mcp.ts'

/**
 * Further servers of the same kind with other settings, which a profile names by commands with a `{port}` in them.
 * Each is started when a check first needs it, and all are ended with the run.
 */
export interface Satellites {
  /** The address of a running satellite. */
  url(name: string): Promise<string>
  /** The MCP session that checks share. */
  mcp(command: string, recorder: Recorder): Promise<Mcp>
  close(): Promise<void>
}

const START_MS = 30_000
const POLL_MS = 100

export function satellites(commands: Readonly<Record<string, string>>): Satellites {
  const started = new Map<string, Promise<string>>()
  const ending: (() => unknown)[] = []
  let shared: Promise<Mcp> | undefined

  async function start(command: string): Promise<string> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const child = spawn(command.replaceAll('{port}', String(port)), { shell: true, detached: true, stdio: 'ignore' })
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    let ended = false
    void exited.then(() => {
      ended = true
    })
    ending.push(async () => {
      // The shell and the server are a process group of their own.
      if (!ended && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await exited
    })
    const giveUpAt = performance.now() + START_MS
    while (performance.now() < giveUpAt && !ended) {
      if (await answers(url)) return url
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    fail(`prerequisite: "${command}" ${ended ? 'ended' : 'does not answer'}`)
  }

  return {
    url: (name) => {
      const known = started.get(name)
      if (known) return known
      const command = commands[name] ?? fail(`prerequisite: the profile names no server "${name}"`)
      const url = start(command)
      started.set(name, url)
      return url
    },
    mcp: async (command, recorder) => {
      shared ??= openMcp(command, recorder).then((mcp) => {
        ending.push(() => mcp.close())
        return mcp
      })
      const mcp = await shared
      mcp.recordTo(recorder)
      return mcp
    },
    close: async () => {
      await Promise.all(ending.map((end) => end()))
    },
  }
}

/** Whether anything is answered; a refusal is an answer as well. */
async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2000) })
    return true
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
