import type { ToolArguments } from '../observer/result.ts'

/** A request of an agent over HTTP. `SOCKET` sends its body as a message over a WebSocket. */
export interface AgentRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'SOCKET'
  readonly path: string
  /** An object is sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer to a request, with the text of its body. The status of a message over a WebSocket is 200, or that of its refused handshake. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** An answer as a probe reads it. */
export interface ProbeAnswer {
  readonly status: number
  readonly body: unknown
}

/** Sends a request with the token of an agent. */
export type SendRequest = (request: AgentRequest) => Promise<RawAnswer>

/** The parts of a served desktop that requests of a probe name. */
export interface ProbeContext {
  /** The name of its scenario. */
  readonly scenario: string
  readonly sessionId: string
  /** The names of the tools that agents do not have. */
  readonly harnessTools: readonly string[]
  /** Calls of all tools with which agents look. */
  readonly looks: readonly { readonly tool: string; readonly args: ToolArguments }[]
}

/** How the security audit asks a way to a desktop for what only the harness may know. It is loaded by the audit alone. */
export interface AccessProbe {
  /** Its name in documentation. */
  readonly title: string
  /** Requests that must be refused. */
  readonly refused: (context: ProbeContext) => readonly AgentRequest[]
  /** Requests that agents may make, whose answers must not show what the oracles expect. */
  readonly allowed: (context: ProbeContext) => readonly AgentRequest[]
  /** Sends a request and reads its answer. By default the answer is JSON or text. */
  readonly exchange?: (request: AgentRequest, send: SendRequest) => Promise<ProbeAnswer>
  /** Whether an answer refuses its request. By default `isRefusal`. */
  readonly isRefused?: (answer: ProbeAnswer) => boolean
}

/** Loads the probes of a way to a desktop. */
export type LoadProbes = () => Promise<readonly AccessProbe[]>

/** The token of agents. */
export const AGENT_TOKEN = 'token-of-the-agent'

/** What an agent may try as the token of the harness. */
export const HARNESS_GUESSES = ['', AGENT_TOKEN, 'harness', 'null', `Bearer ${AGENT_TOKEN}`]

/** Headers of an agent without its token, and with another. */
export const WRONG_TOKENS: readonly Readonly<Record<string, string>>[] = [
  { authorization: '' },
  { authorization: 'Bearer x' },
]

const REFUSED: ReadonlySet<number> = new Set([401, 403, 404, 405])

/** Whether an answer refuses its caller. One that finds the arguments wrong has let the caller in. */
export const isRefusal = ({ status, body }: ProbeAnswer): boolean =>
  REFUSED.has(status) || JSON.stringify(body).includes('PermissionDenied')

/** The JSON of an answer, or its text. */
export function bodyOf({ text }: RawAnswer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
