import type { Protocol } from '../requirement.ts'

/** A request on its way to the server; a sabotage may change it in place. */
export interface ProxiedRequest {
  readonly method: string
  /** With its query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** An answer on its way back; `json` is undefined for bodies that are not JSON. */
export interface ProxiedResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  json: unknown
}

export type JsonMessage = Readonly<Record<string, unknown>>

/** One way to break a server that is right, on the wire. */
export interface Sabotage {
  readonly name: string
  readonly protocol: Protocol
  /** Beginnings of ids of the requirements that are to notice; their checks are tried first. */
  readonly targets: readonly string[]
  /** The answers it breaks, as `METHOD /path STATUS`; without them all that its targets speak of. */
  readonly operations?: readonly string[]
  readonly changeRequest?: (request: ProxiedRequest) => void
  readonly changeResponse?: (answer: ProxiedResponse, request: ProxiedRequest) => void
  /** Made anew for each stream: turns one SSE frame, comments too, into those that are sent. */
  readonly changeFrames?: () => (frame: string) => readonly string[]
  /** Headers of a stream. */
  readonly changeStreamHeaders?: (headers: Record<string, string | string[] | undefined>) => void
  /** Made anew for each socket: turns one message of the server into those that are sent; `say` speaks out of turn. */
  readonly changeMessages?: (say: (message: JsonMessage) => void) => (message: JsonMessage) => readonly JsonMessage[]
  /** Made anew for each socket, for what takes both sides of it. */
  readonly interceptSocket?: (wire: SocketEnds) => SocketInterceptor
  readonly changeUpgrade?: (handshake: UpgradeRequest) => void
  /** What a socket closes with; undefined leaves it open. */
  readonly changeCloseCode?: (code: number) => number | undefined
  /** Changes each message of a process that speaks over standard input and output. */
  readonly changeMessage?: (message: JsonMessage) => void
  /** Made anew for each process that speaks over standard input and output; `say` speaks out of turn. */
  readonly interceptLines?: (say: (line: string) => void) => LineInterceptor
  /** What such a process ends with. */
  readonly exitCode?: number
  /** Changes the command by which a check starts a further server itself. */
  readonly changeCommand?: (command: string) => string
}

/** A WebSocket handshake on its way to the server. */
export interface UpgradeRequest {
  path: string
  readonly headers: Record<string, string | string[] | undefined>
}

/** Both ends of a socket, to speak out of turn. */
export interface SocketEnds {
  /** To the client. */
  sendToClient(message: JsonMessage): void
  /** To the server. */
  sendToServer(message: JsonMessage): void
  /** Closes the client's end. */
  close(code: number): void
}

/** One frame of a client. */
export interface ClientFrame {
  readonly data: Buffer
  readonly binary: boolean
}

/** What becomes of what goes over a socket. */
export interface SocketInterceptor {
  /** Turns one frame of the client into those that the server hears. */
  fromClient?(said: ClientFrame): readonly ClientFrame[]
  /** Turns one message of the server into those that are sent. */
  fromServer?(message: JsonMessage): readonly JsonMessage[]
  /** Hears that the client has gone. */
  onClientClosed?(): void
}

/** What becomes of the lines of a process. */
export interface LineInterceptor {
  /** Hears a line of the client. */
  fromClient?(line: string): void
  /** Turns one line of the server into those that are sent. */
  fromServer?(line: string): readonly string[]
}

/** Applies a change to every object of a JSON value that has the key. */
export function forEachWithKey(value: unknown, key: string, change: (holder: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const inside of Object.values(value)) forEachWithKey(inside, key, change)
  if (!Array.isArray(value) && key in value) change(value as Record<string, unknown>)
}

/** Whether it breaks what goes over standard input and output. */
export const isStdioSabotage = ({ interceptLines, changeMessage, exitCode }: Sabotage): boolean =>
  interceptLines !== undefined || changeMessage !== undefined || exitCode !== undefined
