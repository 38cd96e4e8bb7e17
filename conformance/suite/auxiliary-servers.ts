import { type RunCommand, runCommand } from '../probe/command.ts'
import { fail } from '../probe/failure.ts'
import type { FrameRecorder } from '../probe/frame.ts'
import { type McpClient, openMcpClient } from '../probe/mcp.ts'
import {
  findFreePort,
  isAnswering,
  type ServerProcess,
  startCommand,
  waitUntilAnswering,
} from '../servers/processes.ts'

/**
 * Auxiliary servers of the same kind with other settings, which a profile starts by commands with a `{port}`. Each
 * starts when a check first needs it; all stop with the run.
 */
export interface AuxiliaryServers {
  /** The address of a running auxiliary server; starts it if necessary. */
  url(name: string): Promise<string>
  /** Starts an auxiliary server that no other check has used; the caller stops it. */
  ownUrl(name: string): Promise<OwnServer>
  /** The command that starts an auxiliary server on a port, for checks that start it themselves. */
  command(name: string, port: number): string
  /** The MCP session that checks share. */
  mcp(command: string, recorder: FrameRecorder): Promise<McpClient>
  /** Calls the command line under test. */
  readonly run: RunCommand
  /** A new MCP session, which the caller closes. */
  ownMcp(command: string, recorder: FrameRecorder): Promise<McpClient>
  /** Returns the servers lost since the last call. The next check that needs one restarts it. */
  takeLosses(): Promise<readonly AuxiliaryLoss[]>
  close(): Promise<void>
}

/** An auxiliary server or the MCP process that exited or no longer responds. */
export interface AuxiliaryLoss {
  readonly name: string
  readonly reason: string
}

/** An auxiliary server of one check. */
export interface OwnServer {
  readonly url: string
  stop(): Promise<void>
}

interface Running {
  readonly url: string
  readonly server: ServerProcess
}

const START_MS = 30_000
/** Another program may take the free port before the server listens. */
const ATTEMPTS = 2

export function createAuxiliaryServers(commands: Readonly<Record<string, string>>): AuxiliaryServers {
  const started = new Map<string, Promise<string>>()
  const running = new Map<string, Running>()
  const ending: (() => unknown)[] = []
  let shared: Promise<McpClient> | undefined
  let conversation: McpClient | undefined

  const commandOf = (name: string, port: number): string =>
    (commands[name] ?? fail(`prerequisite: the profile has no server "${name}"`)).replaceAll('{port}', String(port))

  async function start(name: string): Promise<Running> {
    let fate = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const port = await findFreePort()
      const url = `http://127.0.0.1:${port}`
      const command = commandOf(name, port)
      const server = startCommand(command)
      ending.push(server.stop)
      if (await waitUntilAnswering(url, server, START_MS)) return { url, server }
      const ended = server.hasEnded ? 'exited before it answered' : 'does not answer'
      fate = `${ended}, with the output: ${server.stderr || '(none)'}\n${command}`
      if (!server.hasEnded) break
    }
    fail(`prerequisite: the profile’s server "${name}" ${fate}`)
  }

  return {
    command: commandOf,
    url: (name) => {
      const known = started.get(name)
      if (known) return known
      const url = start(name).then((one) => {
        running.set(name, one)
        return one.url
      })
      started.set(name, url)
      return url
    },
    ownUrl: async (name) => {
      const { url, server } = await start(name)
      return { url, stop: server.stop }
    },
    ownMcp: openMcpClient,
    run: runCommand,
    mcp: async (command, recorder) => {
      shared ??= openMcpClient(command, recorder).then((mcp) => {
        ending.push(() => mcp.close())
        conversation = mcp
        return mcp
      })
      const mcp = await shared
      mcp.recordTo(recorder)
      return mcp
    },
    takeLosses: async () => {
      const losses: AuxiliaryLoss[] = []
      for (const [name, { url, server }] of [...running]) {
        if (!server.hasEnded && (await isAnswering(url))) continue
        const reason = server.hasEnded
          ? `it exited, with the output: ${server.stderr || '(none)'}`
          : 'it does not answer'
        losses.push({ name: `the profile’s server "${name}"`, reason })
        running.delete(name)
        started.delete(name)
        await server.stop()
      }
      if (conversation?.ended !== undefined) {
        losses.push({ name: 'the MCP server', reason: conversation.ended })
        conversation = undefined
        shared = undefined
      }
      return losses
    },
    close: async () => {
      await Promise.all(ending.map((end) => end()))
    },
  }
}
