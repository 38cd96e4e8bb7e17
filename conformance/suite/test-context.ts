import type * as z from 'zod'
import type { Contract } from '../contract/contract.ts'
import type { Random } from '../contract/random.ts'
import type { CommandRun } from '../probe/command.ts'
import { fail } from '../probe/failure.ts'
import type { FrameRecorder } from '../probe/frame.ts'
import { createHttpProbe, type HttpProbe, type HttpRequest } from '../probe/http.ts'
import type { McpClient } from '../probe/mcp.ts'
import { openStream, type SseStream } from '../probe/sse.ts'
import { openSocket, type Socket, type SocketAttempt, type SocketOptions } from '../probe/websocket.ts'
import type { Tier } from '../requirement.ts'
import type { AuxiliaryServers } from './auxiliary-servers.ts'

/** How to reach the server under test. */
export interface Target {
  /** Absent when only the MCP side is tested. */
  readonly url?: string
  /** Starts an MCP server on stdin and stdout, or is the command line under test. */
  readonly command?: string
  readonly token?: string
}

/** The section of a profile for one protocol. */
export interface Profile {
  readonly name: string
  readonly tier: Tier | undefined
  readonly servers: Readonly<Record<string, string>>
  readonly start: string | undefined
  /**
   * The message that triggers a behavior of the agent. Fails the check when the profile lacks it: a missing
   * prerequisite is a failure.
   */
  phrase(purpose: string): string
  known<T>(name: string, shape: z.ZodType<T>): T
  has(name: string): boolean
}

/** The API of a check. All connections are recorded, and closed when the check ends. */
export interface TestContext {
  readonly target: Target
  readonly http: HttpProbe
  readonly profile: Profile
  readonly random: Random
  /** Milliseconds that the server may take where the document gives no time. */
  readonly responseTimeoutMs: number
  /** An HTTP probe that sends another token, or none. */
  withToken(token: string | undefined): HttpProbe
  /** The same at another address. */
  withTokenAt(url: string, token: string): HttpProbe
  stream(path: string, options?: Partial<HttpRequest>): Promise<SseStream>
  socket(path: string, options?: SocketOptions): Promise<Socket>
  /** As `socket`, at another address. */
  socketAt(url: string, path: string, options?: SocketOptions): Promise<Socket>
  /** As `socket`, but returns the status of a refused handshake. */
  tryConnect(path: string, options?: SocketOptions): Promise<SocketAttempt>
  /** Calls a function when the check has ended, before its connections are closed. */
  onEnd(end: () => unknown): void
  /** The MCP session that checks share. */
  mcp(): Promise<McpClient>
  /**
   * An MCP session for this check only, with a server that a command of the profile starts, or with the server under
   * test.
   */
  ownMcp(command?: string): Promise<McpClient>
  /** Calls the command line under test with words. */
  run(...words: readonly string[]): Promise<CommandRun>
  /** A probe of an auxiliary server with other settings, started by a command of the profile. */
  auxiliary(name: string): Promise<HttpProbe>
  /** The same, with a server of its own that no other check has used. */
  ownAuxiliary(name: string): Promise<HttpProbe>
  /** The command that starts an auxiliary server on a port, for checks of the start itself. */
  auxiliaryCommand(name: string, port: number): string
}

export interface TestContextOptions {
  readonly target: Target
  readonly contract: Contract
  readonly profile: Profile
  readonly random: Random
  readonly recorder: FrameRecorder
  readonly responseTimeoutMs: number
  readonly auxiliaries: AuxiliaryServers
}

/** Opens a context for one check, with a function that closes everything it opened. */
export function openTestContext(options: TestContextOptions): {
  readonly bench: TestContext
  readonly close: () => Promise<void>
} {
  const { target, contract, profile, random, recorder, responseTimeoutMs } = options
  const closing: (() => unknown)[] = []
  const probe = (token: string | undefined, url = urlOf(target)): HttpProbe => {
    const http = createHttpProbe({
      url,
      contract,
      recorder,
      responseTimeoutMs,
      ...(token !== undefined && { token }),
    })
    closing.push(() => http.close())
    return http
  }
  let http: HttpProbe | undefined
  const tryConnectAt = async (
    base: string,
    path: string,
    socketOptions: SocketOptions = {},
  ): Promise<SocketAttempt> => {
    const url = base.replace(/^http/, 'ws').replace(/\/$/, '') + path
    const headers = {
      ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
      ...socketOptions.headers,
    }
    const opened = await openSocket(url, contract, recorder, { ...socketOptions, headers }, responseTimeoutMs)
    if (opened.refused === undefined) closing.push(() => opened.socket.dispose())
    return opened
  }
  const tryConnect = (path: string, socketOptions?: SocketOptions) => tryConnectAt(urlOf(target), path, socketOptions)
  const through = (opened: SocketAttempt, path: string): Socket =>
    opened.refused === undefined ? opened.socket : fail(`the WebSocket ${path} is refused with HTTP ${opened.refused}`)
  const context: TestContext = {
    target,
    get http() {
      http ??= probe(target.token)
      return http
    },
    profile,
    random,
    responseTimeoutMs,
    withToken: (token) => probe(token),
    withTokenAt: (url, token) => probe(token, url),
    auxiliaryCommand: options.auxiliaries.command,
    auxiliary: async (name) => probe(target.token, await options.auxiliaries.url(name)),
    ownAuxiliary: async (name) => {
      const { url, stop } = await options.auxiliaries.ownUrl(name)
      closing.push(stop)
      return probe(target.token, url)
    },
    onEnd: (end) => void closing.push(end),
    stream: async (path, streamOptions) => {
      const stream = await openStream(context.http, contract, recorder, { ...streamOptions, path }, responseTimeoutMs)
      closing.push(() => stream.close())
      return stream
    },
    tryConnect,
    socket: async (path, socketOptions) => through(await tryConnect(path, socketOptions), path),
    socketAt: async (url, path, socketOptions) => through(await tryConnectAt(url, path, socketOptions), path),
    run: (...words) => options.auxiliaries.run(commandOf(target), words, recorder),
    mcp: () => options.auxiliaries.mcp(commandOf(target), recorder),
    ownMcp: async (command = commandOf(target)) => {
      const mcp = await options.auxiliaries.ownMcp(command, recorder)
      closing.push(() => mcp.close())
      return mcp
    },
  }
  const close = async () => {
    for (const end of closing.reverse()) await end()
  }
  return { bench: context, close }
}

const urlOf = ({ url }: Target): string => url ?? fail('prerequisite: --url is missing')
const commandOf = ({ command }: Target): string => command ?? fail('prerequisite: --command is missing')
