import type { Profile } from '../config/profile.ts'
import type { Contract } from '../contract/contract.ts'
import { fail } from '../probe/failure.ts'
import type { Recorder } from '../probe/frame.ts'
import { type Http, type HttpRequest, httpProbe } from '../probe/http.ts'
import type { Mcp } from '../probe/mcp.ts'
import { openStream, type SseStream } from '../probe/sse.ts'
import { type Opened, openSocket, type Socket, type SocketOptions } from '../probe/websocket.ts'
import type { Satellites } from '../servers/auxiliary-servers.ts'
import type { Random } from './random.ts'

/** Where and how the server under test is reached. */
export interface Subject {
  /** Absent when only its MCP side is looked at. */
  readonly url?: string
  /** Starts an MCP server on stdin and stdout. */
  readonly command?: string
  readonly token?: string
}

/** All a check works with. What it opens is recorded, and closed when it ends. */
export interface Bench {
  readonly subject: Subject
  readonly http: Http
  readonly profile: Profile
  readonly random: Random
  /** Milliseconds a server may take for anything that has no time of its own in the document. */
  readonly patienceMs: number
  /** An HTTP probe that shows another token, or none. */
  withToken(token: string | undefined): Http
  /** The same at another address. */
  withTokenAt(url: string, token: string): Http
  stream(path: string, options?: Omit<HttpRequest, 'method' | 'path'>): Promise<SseStream>
  socket(path: string, options?: SocketOptions): Promise<Socket>
  /** As `socket`, at another address. */
  socketAt(url: string, path: string, options?: SocketOptions): Promise<Socket>
  /** As `socket`, but a refused handshake is an answer. */
  knock(path: string, options?: SocketOptions): Promise<Opened>
  /** The MCP session that checks share. */
  mcp(): Promise<Mcp>
  /** An MCP session for this check alone, with a server that a command of the profile starts, or with that under test. */
  ownMcp(command?: string): Promise<Mcp>
  /** A probe of a further server with other settings, which the profile says how to start. */
  satellite(name: string): Promise<Http>
  /** The command that starts such a server on a port, for checks of the start itself. */
  satelliteCommand(name: string, port: number): string
}

export interface BenchOptions {
  readonly subject: Subject
  readonly contract: Contract
  readonly profile: Profile
  readonly random: Random
  readonly recorder: Recorder
  readonly patienceMs: number
  readonly satellites: Satellites
}

/** A bench for one check, and what ends everything it opened. */
export function openBench(options: BenchOptions): { readonly bench: Bench; readonly close: () => Promise<void> } {
  const { subject, contract, profile, random, recorder, patienceMs } = options
  const closing: (() => unknown)[] = []
  const probe = (token: string | undefined, url = urlOf(subject)): Http => {
    const http = httpProbe({ url, contract, recorder, patienceMs, ...(token !== undefined && { token }) })
    closing.push(() => http.close())
    return http
  }
  let http: Http | undefined
  const knockAt = async (base: string, path: string, socketOptions: SocketOptions = {}): Promise<Opened> => {
    const url = base.replace(/^http/, 'ws').replace(/\/$/, '') + path
    const headers = {
      ...(subject.token !== undefined && { authorization: `Bearer ${subject.token}` }),
      ...socketOptions.headers,
    }
    const opened = await openSocket(url, contract, recorder, { ...socketOptions, headers }, patienceMs)
    if (opened.refused === undefined) closing.push(() => opened.socket.dispose())
    return opened
  }
  const knock = (path: string, socketOptions?: SocketOptions) => knockAt(urlOf(subject), path, socketOptions)
  const through = (opened: Opened, path: string): Socket =>
    opened.refused === undefined ? opened.socket : fail(`the WebSocket ${path} is refused with HTTP ${opened.refused}`)
  const bench: Bench = {
    subject,
    get http() {
      http ??= probe(subject.token)
      return http
    },
    profile,
    random,
    patienceMs,
    withToken: (token) => probe(token),
    withTokenAt: (url, token) => probe(token, url),
    satelliteCommand: options.satellites.command,
    satellite: async (name) => probe(subject.token, await options.satellites.url(name)),
    stream: async (path, streamOptions) => {
      const stream = await openStream(bench.http, contract, recorder, { path, ...streamOptions }, patienceMs)
      closing.push(() => stream.close())
      return stream
    },
    knock,
    socket: async (path, socketOptions) => through(await knock(path, socketOptions), path),
    socketAt: async (url, path, socketOptions) => through(await knockAt(url, path, socketOptions), path),
    mcp: () => options.satellites.mcp(commandOf(subject), recorder),
    ownMcp: async (command = commandOf(subject)) => {
      const mcp = await options.satellites.ownMcp(command, recorder)
      closing.push(() => mcp.close())
      return mcp
    },
  }
  const close = async () => {
    for (const end of closing.reverse()) await end()
  }
  return { bench, close }
}

const urlOf = ({ url }: Subject): string => url ?? fail('prerequisite: no --url says where the server is')
const commandOf = ({ command }: Subject): string => command ?? fail('prerequisite: no --command starts an MCP server')
