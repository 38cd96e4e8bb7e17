import type { IncomingHttpHeaders } from 'node:http'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Fault } from '../../base/fault.ts'
import type { Session } from '../../observer/session/session.ts'
import type { Sessions } from '../../observer/session/sessions.ts'
import type { Audience } from '../../observer/tool.ts'

const MAX_CLIENTS = 256

/** A client of MCP over HTTP, from its initialize request to its DELETE. */
export interface HttpClient {
  readonly id: string
  readonly session: Session
  /** The session at the path of its requests; another one if the client got a desktop of its own. */
  readonly entry: Session
  readonly audience: Audience
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** The number of responses that are still open, as event streams are. */
  openResponses: number
  usedMs: number
}

/** The clients of a server by their `Mcp-Session-Id`. Idle clients end after the time to live of sessions. */
export class HttpClients {
  readonly #sessions: Sessions
  readonly #audienceOf: (session: Session, headers: IncomingHttpHeaders) => Audience
  readonly #clients = new Map<string, HttpClient>()

  constructor(sessions: Sessions, audienceOf: (session: Session, headers: IncomingHttpHeaders) => Audience) {
    this.#sessions = sessions
    this.#audienceOf = audienceOf
  }

  /** Throws `Busy` when no further client can be added. */
  async admit(): Promise<void> {
    await this.#sweep()
    if (this.#clients.size >= MAX_CLIENTS)
      throw new Fault('Busy', `${MAX_CLIENTS} clients are connected, which is the limit; end one with DELETE`)
  }

  add(client: Omit<HttpClient, 'usedMs' | 'openResponses'>): HttpClient {
    const added = { ...client, usedMs: this.#sessions.now(), openResponses: 0 }
    this.#clients.set(client.id, added)
    return added
  }

  /**
   * Returns a client and marks it and its session as used. Undefined for an unknown id, and after its session was closed.
   * Throws `PermissionDenied` for a caller with fewer rights than the client that initialised it.
   */
  async find(id: string, session: Session | undefined, headers: IncomingHttpHeaders): Promise<HttpClient | undefined> {
    await this.#sweep()
    const client = this.#clients.get(id)
    // An id is valid only at the path at which it was given.
    if (!client || client.entry !== session) return undefined
    if (client.audience === 'harness' && this.#audienceOf(client.entry, headers) !== 'harness')
      throw new Fault('PermissionDenied', 'this connection belongs to the harness; send its token with each request')
    client.usedMs = this.#sessions.now()
    this.#keepOpen(client.session)
    return client
  }

  async end(id: string): Promise<void> {
    const client = this.#clients.get(id)
    if (!client) return
    this.#clients.delete(id)
    await client.transport.close()
    const { session, entry } = client
    if (session !== entry && this.#sessions.has(session.id)) await this.#sessions.close(session.id)
  }

  async endAll(): Promise<void> {
    for (const id of [...this.#clients.keys()]) await this.end(id)
  }

  /** Ends clients whose session was closed, and idle ones. An open event stream keeps its client and session alive. */
  async #sweep(): Promise<void> {
    const oldest = this.#sessions.now() - this.#sessions.ttlMs
    for (const [id, { session, usedMs, openResponses }] of this.#clients) {
      const isOpen = openResponses > 0 ? this.#keepOpen(session) : this.#isOpen(session)
      if (!isOpen || (openResponses === 0 && usedMs < oldest)) await this.end(id)
    }
  }

  #isOpen(session: Session): boolean {
    return session === this.#sessions.first || this.#sessions.has(session.id)
  }

  /** Counts as a use of the session. Returns false if it was closed. */
  #keepOpen(session: Session): boolean {
    if (!this.#isOpen(session)) return false
    if (session !== this.#sessions.first) this.#sessions.get(session.id)
    return true
  }
}
