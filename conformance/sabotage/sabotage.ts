import type { Protocol } from '../requirement.ts'

/** A request on its way to the server; a sabotage may change it in place. */
export interface PassingRequest {
  readonly method: string
  /** With its query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** An answer on its way back; `json` is undefined for bodies that are not JSON. */
export interface PassingAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  json: unknown
}

export type Passing = Readonly<Record<string, unknown>>

/** One way to break a server that is right, on the wire. */
export interface Sabotage {
  readonly name: string
  readonly protocol: Protocol
  /** Beginnings of ids of the requirements that are to notice; their checks are tried first. */
  readonly aims: readonly string[]
  /** The answers it breaks, as `METHOD /path STATUS`; without them all that its aims speak of. */
  readonly answers?: readonly string[]
  readonly request?: (request: PassingRequest) => void
  readonly answer?: (answer: PassingAnswer, request: PassingRequest) => void
  /** Made anew for each stream: turns one SSE frame, comments too, into those that are sent. */
  readonly frames?: () => (frame: string) => readonly string[]
  /** Headers of a stream. */
  readonly streamHeaders?: (headers: Record<string, string | string[] | undefined>) => void
  /** Made anew for each socket: turns one message of the server into those that are sent; `say` speaks out of turn. */
  readonly messages?: (say: (message: Passing) => void) => (message: Passing) => readonly Passing[]
  /** Made anew for each socket, for what takes both sides of it. */
  readonly dialogue?: (wire: Wire) => Dialogue
  readonly upgrade?: (handshake: Handshake) => void
  /** What a socket closes with; undefined leaves it open. */
  readonly closeCode?: (code: number) => number | undefined
  /** Changes each message of a process that speaks over standard input and output. */
  readonly message?: (message: Passing) => void
  /** Made anew for each process that speaks over standard input and output; `say` speaks out of turn. */
  readonly lines?: (say: (line: string) => void) => Lines
  /** What such a process ends with. */
  readonly exitCode?: number
  /** Changes the command by which a check starts a further server itself. */
  readonly start?: (command: string) => string
}

/** A WebSocket handshake on its way to the server. */
export interface Handshake {
  path: string
  readonly headers: Record<string, string | string[] | undefined>
}

/** Both ends of a socket, to speak out of turn. */
export interface Wire {
  /** To the client. */
  say(message: Passing): void
  /** To the server. */
  tell(message: Passing): void
  /** Closes the client's end. */
  close(code: number): void
}

/** One frame of a client. */
export interface Said {
  readonly data: Buffer
  readonly binary: boolean
}

/** What becomes of what goes over a socket. */
export interface Dialogue {
  /** Turns one frame of the client into those that the server hears. */
  asked?(said: Said): readonly Said[]
  /** Turns one message of the server into those that are sent. */
  answered?(message: Passing): readonly Passing[]
  /** Hears that the client has gone. */
  left?(): void
}

/** What becomes of the lines of a process. */
export interface Lines {
  /** Hears a line of the client. */
  asked?(line: string): void
  /** Turns one line of the server into those that are sent. */
  answered?(line: string): readonly string[]
}

/** Applies a change to every object of a JSON value that has the key. */
export function eachWith(value: unknown, key: string, change: (holder: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const inside of Object.values(value)) eachWith(inside, key, change)
  if (!Array.isArray(value) && key in value) change(value as Record<string, unknown>)
}

/** Whether it breaks what goes over standard input and output. */
export const speaksLines = ({ lines, message, exitCode }: Sabotage): boolean =>
  lines !== undefined || message !== undefined || exitCode !== undefined
