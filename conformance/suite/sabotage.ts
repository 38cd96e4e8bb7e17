import type { CommandRun } from '../probe/command.ts'

/** A request to the server; a sabotage may change it in place. */
export interface ProxiedRequest {
  readonly method: string
  /** With its query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A response of the server; `json` is undefined for bodies that are not JSON. */
export interface ProxiedResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  json: unknown
}

export type JsonMessage = Readonly<Record<string, unknown>>

/** One way to break a correct server on the wire. */
export interface Sabotage extends SabotageBehavior {
  readonly name: string
  readonly protocol: string
  /** The ids of the requirements that should fail; their checks run first. */
  readonly targets: readonly string[]
  /** The responses that it changes, as `METHOD /path STATUS`; by default those of its targets. */
  readonly operations?: readonly string[]
}

/** A control that changes nothing; any failure with it is a false alarm. */
export const createControl = (protocol: string): Sabotage => ({ name: 'nothing', protocol, targets: [] })

/** What a sabotage does, without its name and targets. */
export interface SabotageBehavior {
  readonly changeRequest?: (request: ProxiedRequest) => void
  /** The request is passed on when this promise resolves. */
  readonly delayRequest?: (request: ProxiedRequest) => Promise<unknown> | undefined
  readonly changeResponse?: (answer: ProxiedResponse, request: ProxiedRequest) => void
  /** Called per stream. Maps one SSE frame, comments included, to the frames to send. */
  readonly changeFrames?: () => (frame: string) => readonly string[]
  /** Changes the headers of a stream. */
  readonly changeStreamHeaders?: (headers: Record<string, string | string[] | undefined>) => void
  /** Called per socket. Maps one message of the server to the messages to send; `say` sends additional ones. */
  readonly changeMessages?: (say: (message: JsonMessage) => void) => (message: JsonMessage) => readonly JsonMessage[]
  /** Called per socket, for sabotages that need both directions. */
  readonly interceptSocket?: (wire: SocketEnds) => SocketInterceptor
  readonly changeUpgrade?: (handshake: UpgradeRequest) => void
  /** Changes the close code of a socket; undefined keeps it open. */
  readonly changeCloseCode?: (code: number) => number | undefined
  /** Changes each message of a process on standard input and output. */
  readonly changeMessage?: (message: JsonMessage) => void
  /** Called per process on standard input and output; `say` sends additional lines. */
  readonly interceptLines?: (say: (line: string) => void) => LineInterceptor
  /** Changes what one call of a command line printed, and how it ended. */
  readonly changeRun?: (run: CommandRun) => void
  /** The exit code of a process on standard input and output. */
  readonly exitCode?: number
  /** Changes the command by which a check starts an auxiliary server. */
  readonly changeCommand?: (command: string) => string
}

/** A WebSocket handshake to the server. */
export interface UpgradeRequest {
  path: string
  readonly headers: Record<string, string | string[] | undefined>
}

/** Both ends of a socket, to send additional messages. */
export interface SocketEnds {
  /** To the client. */
  sendToClient(message: JsonMessage): void
  /** To the server. */
  sendToServer(message: JsonMessage): void
  /** Closes the client's end. */
  close(code: number): void
}

/** One frame of the client. */
export interface ClientFrame {
  readonly data: Buffer
  readonly binary: boolean
}

/** Intercepts the messages of a socket. */
export interface SocketInterceptor {
  /** Maps one frame of the client to the frames for the server. */
  fromClient?(said: ClientFrame): readonly ClientFrame[]
  /** Maps one message of the server to the messages for the client. */
  fromServer?(message: JsonMessage): readonly JsonMessage[]
  /** Called when the client disconnects. */
  onClientClosed?(): void
}

/** Intercepts the lines of a process. */
export interface LineInterceptor {
  /** Called with each line of the client. */
  fromClient?(line: string): void
  /** Maps one line of the server to the lines for the client. */
  fromServer?(line: string): readonly string[]
}

/** Applies a change to every object of a JSON value that has the key. */
export function forEachWithKey(value: unknown, key: string, change: (holder: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const inside of Object.values(value)) forEachWithKey(inside, key, change)
  if (!Array.isArray(value) && key in value) change(value as Record<string, unknown>)
}

/** Whether a sabotage applies to standard input and output. */
export const isStdioSabotage = ({ interceptLines, changeMessage, exitCode }: Sabotage): boolean =>
  interceptLines !== undefined || changeMessage !== undefined || exitCode !== undefined
