import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Agent } from '../agent/engine.ts'
import type { Toolbox, ToolDescription } from '../agent/toolbox.ts'
import type { EnvironmentVariables } from '../base/host.ts'
import type { ScreenView } from '../observer/screen/screen-trees.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import type { DesktopSessions } from '../observer/session/sessions.ts'
import type { Embedder, Perception, SpeechSynthesizer, Summarizer, Transcriber } from '../perception/perception.ts'
import type { Folder } from '../stores/folder.ts'
import type { Store } from '../stores/store.ts'
import type { LoadApiDescription } from './http/directory.ts'
import type { ServerAccess } from './http/guard.ts'
import type { LoadProbes } from './probe.ts'

/** A protocol that can listen. */
export interface ProtocolListener {
  /** Starts the server. Throws if the port is in use. */
  listen(at?: Address): Promise<ProtocolServer>
}

/** The address on which a server listens. */
export interface Address {
  /** Loopback by default. */
  readonly host?: string
  /** 0, the default, selects a free port. The registry has the documented port of each protocol. */
  readonly port?: number
}

/** A running server of a protocol. */
export interface ProtocolServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string
  /** Closes every connection, then the server. */
  close(): Promise<void>
}

/** The default host. */
export const LOOPBACK = '127.0.0.1'

/** The event capacity of a session's own log. It is small, because each protocol stores the events that its clients resume from. */
export const LOG_CAPACITY = 100

/** Starts listening and returns the server with its URL. `end` closes everything that keeps connections open. */
export async function listen(
  app: FastifyInstance,
  { host = LOOPBACK, port = 0 }: Address = {},
  end: () => void | Promise<void> = () => {},
): Promise<ProtocolServer> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    await end()
    await app.close()
    throw error
  }
  const { port: bound } = app.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: async () => {
      await end()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

/** The values of command-line flags, by the name of the flag without its dashes. */
export type FlagValues = Readonly<Record<string, unknown>>

/**
 * The program's knowledge of a protocol before it is served. The `index.ts` of each protocol exports one, and loads the
 * rest of its folder on demand.
 */
export interface ProtocolDefinition {
  /** Also its folder, and the name in `--protocols` and `--NAME-port`. */
  readonly name: string
  /** The documented port. */
  readonly port: number
  /** Loads the description from which its OpenAPI and AsyncAPI documents are generated. */
  readonly loadApiDescription: LoadApiDescription
  /** Returns example shell commands for a server at a URL, for the banner. */
  readonly commands: (url: string, secrets: Secrets) => readonly string[]
}

/** The credentials that a server requires. */
export interface Secrets {
  /** Whether `BACKLOT_TOKEN` or `--token` is set. */
  readonly token: boolean
  readonly environment: EnvironmentVariables
}

/** The start of a `curl` command that sends a token by a pipe, since every process of a machine can read a command line. */
export const curlWith = (tokenVariable: string | undefined): string =>
  tokenVariable === undefined ? 'curl -s' : `printf 'Authorization: Bearer %s' "$${tokenVariable}" | curl -s -H @-`

/** As `curlWith`, with the token of the server if it requires one. */
export const curlFor = ({ token }: Secrets): string => curlWith(token ? 'BACKLOT_TOKEN' : undefined)

/** A protocol over the agent engine. */
export interface AgentProtocol extends ProtocolDefinition {
  /** Its command-line flags besides `--NAME-port`. `--NAME-host` is the address it listens on in place of `--host`. */
  readonly flags: readonly ProtocolFlag[]
  /** The environment variable that sets its port. */
  readonly portVariable?: string
  /** The environment variable that holds its bearer token; `--token` sets it when it is not set. */
  readonly tokenVariable?: string
  /** Whether clients must present a secret. Never when left out. */
  readonly requiresSecret?: (flags: FlagValues, environment: EnvironmentVariables) => boolean
  /** The error message for flags that contradict each other. */
  readonly conflict?: (flags: FlagValues) => string | undefined
  readonly create: (context: ProtocolContext) => Promise<ProtocolListener>
  /** Servers that belong to it and have a port of their own. */
  readonly services?: readonly ProtocolService[]
  /** A client that executes the server's tool calls on the served desktop. */
  readonly runtime?: ProtocolRuntime
  /** Loads a client that sends one message, allows each tool call, and resolves to the text of the answer. */
  readonly demo?: { readonly transport: string; readonly load: () => Promise<DemoClient> }
}

/** A protocol over the tools of the served session, without the agent engine. It has a port of its own. */
export interface SessionProtocol extends ProtocolDefinition {
  /** Loads the probes with which the security audit asks it for what agents must not have. */
  readonly loadProbes: LoadProbes
  /** Whether agents use it. Otherwise it is for the harness alone, as one with rewards is. */
  readonly isForAgents: boolean
  readonly create: (context: SessionProtocolContext) => Promise<ProtocolListener>
}

/** The parts that composition offers to protocols over a session's tools. */
export interface SessionProtocolContext {
  /** The session whose tools are called. */
  readonly session: DesktopSession
  /** For protocols that open desktops of their own. The first is `session`. */
  readonly sessions: DesktopSessions
  readonly access: ServerAccess
  /** The version of the package. */
  readonly version: string
  /** The URL of the observer's live page. Undefined while the observer is not served. */
  readonly livePage: () => string | undefined
  /** Called with unexpected internal errors. */
  readonly onBug: (cause: unknown) => void
}

/** A flag as `--help` lists it. */
export interface ProtocolFlag {
  /** With its placeholder: `--auth <mode>`. */
  readonly syntax: string
  readonly description: string
  readonly kind?: 'port'
  readonly choices?: readonly string[]
  readonly default?: string
  /** The environment variable that sets it. */
  readonly variable?: string
}

/** A server beside a protocol's own. */
export interface ProtocolService extends Pick<ProtocolDefinition, 'name' | 'port' | 'commands'> {
  /** The flag with its port; without it the service is not served. */
  readonly flag: string
  readonly create: (context: ProtocolContext) => Promise<ProtocolListener>
}

/** A client that executes the tool calls of a protocol's server. */
export interface ProtocolRuntime {
  /** The flag that starts it. */
  readonly flag: string
  readonly start: (context: ProtocolContext, url: string) => Promise<{ close(): Promise<void> }>
}

/** Sends `message` to the server at `url` and reports each event in a word and a text. */
export type DemoClient = (
  url: string,
  message: string,
  report: (event: string, text: string) => void,
) => Promise<string>

/** The parts that composition offers to protocols. Each uses what it needs. */
export interface ProtocolContext {
  readonly agent: Agent
  readonly store: Store
  /** Absolute; the protocol keeps its files below it. */
  readonly dataFolder: string
  /** Opens a folder for reading. */
  readonly openFolder: (path: string) => Folder
  /** Host names that callers may use besides loopback ones. */
  readonly hosts: readonly string[]
  /** Web origins that may call besides local ones. Undefined when the operator lists none. */
  readonly origins: readonly string[] | undefined
  /** `install`: clients need the token of an installation, where a protocol has installations. */
  readonly auth: 'install' | 'none'
  readonly environment: EnvironmentVariables
  /** The session whose desktop is served. */
  readonly session: DesktopSession
  /** All tools of the agent. */
  readonly tools: readonly ToolDescription[]
  /** The tools that run in the server and not on the desktop. */
  readonly serverTools: Toolbox
  /** The name of the real model that answers. Undefined for scripts. */
  readonly modelName: string | undefined
  readonly openModels: () => ModelServices
  /** Turns text into vectors without any model. */
  readonly localEmbedder: Embedder
  /** Called with each picture that a client uploads, and the windows in it, so that `Models.perception` recognises it. */
  readonly remember: (picture: ScreenView['picture'], windows: ScreenView['windows']) => void
  /** Receives one line per problem that is not a bug. */
  readonly note: (line: string) => void
  /** Called with unexpected internal errors. */
  readonly onBug: (cause: unknown) => void
}

/** The models that the operator configured, and built-in ones in place of the others. */
export interface ModelServices {
  readonly perception: Perception
  readonly speechSynthesizer: SpeechSynthesizer
  readonly embedder: Embedder
  readonly summarizer: Summarizer
  readonly transcriber: Transcriber
}
