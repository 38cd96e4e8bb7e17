import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DesktopSession } from '../observer/session/session.ts'
import type { DesktopSessions } from '../observer/session/sessions.ts'
import type { Audience } from '../observer/tool.ts'
import type { LoadApiDescription } from './http/directory.ts'
import type { HttpOperation } from './http/document.ts'
import type { LoadProbes } from './probe.ts'

/**
 * Another way to call the tools of a session, served on the observer's port at the root and below `/sessions/ID`. Host,
 * Origin and token have been checked before its routes run.
 */
export interface DoorDefinition {
  readonly name: string
  /** Where its routes begin, such as `/mcp`. Requests below it need the server's token. */
  readonly path: string
  /** Request headers of its clients besides the observer's, and response headers that pages may read. */
  readonly headers?: { readonly request: readonly string[]; readonly response: readonly string[] }
  /** Loads its part of the observer's OpenAPI document. */
  readonly loadOperations: () => Promise<readonly HttpOperation[]>
  /** Loads the probes with which the security audit asks it for what agents must not have. */
  readonly loadProbes: LoadProbes
  readonly open: (context: DoorContext) => Door
}

/** An open door. */
export interface Door {
  /** Adds its routes to a scope that exists twice: at the root and below `/sessions/ID`. */
  readonly addRoutes: (scope: FastifyInstance) => void
  /**
   * The session whose tools a request to the door's path calls. Undefined when it calls none. By default it is the session
   * of the request's path.
   */
  readonly calledSession?: (request: FastifyRequest) => DesktopSession | undefined
  /** Whether the bodies of its requests are words in which arguments have no names. A log hides them with what a trace hides. */
  readonly hasWords?: boolean
  /** Closes what it keeps open. */
  readonly close: () => Promise<void>
}

/** The parts of a server that doors use. */
export interface DoorContext {
  readonly sessions: DesktopSessions
  /** The session of a request's path. Throws `SessionNotFound`. */
  readonly sessionOf: (request: FastifyRequest) => DesktopSession
  /** The audience of a caller of a session. */
  readonly audienceOf: (session: DesktopSession, headers: IncomingHttpHeaders) => Audience
  /** The name and version that the server reports. */
  readonly info: { readonly name: string; readonly version: string }
  /** Called with unexpected internal errors. */
  readonly report: (bug: unknown) => void
}

/** Adds the operations of doors to the API description of the server that has them. */
export const withDoors =
  (load: LoadApiDescription, doors: readonly DoorDefinition[]): LoadApiDescription =>
  async () => {
    const [api, ...added] = await Promise.all([load(), ...doors.map((door) => door.loadOperations())])
    return { ...api, operations: [...api.operations, ...added.flat()] }
  }
