import type { IncomingHttpHeaders } from 'node:http'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { Fault } from '../../base/fault.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import type { Audience } from '../../observer/tool.ts'
import type { DoorContext } from '../door.ts'

const MAX_CLIENTS = 256

/** What a client is opened with. */
export interface NewHttpClient {
  readonly id: string
  readonly session: DesktopSession
  /** The session at the path of its requests; another one if the client got a desktop of its own. */
  readonly entry: DesktopSession
  readonly audience: Audience
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly events: StreamEvents
  /** The version that was negotiated, for requests without a header for it. */
  readonly protocolVersion: string
}

/** A client of MCP over HTTP, from its initialize request to its DELETE. */
export interface HttpClient extends NewHttpClient {
  /** The number of responses that are still open, as event streams are. */
  openResponses: number
  usedMs: number
}

/** The clients of a server by their `Mcp-Session-Id`. Idle clients end after the time to live of sessions. */
export class HttpClients {
  readonly #sessions: DesktopSessions
  readonly #audienceOf: (session: DesktopSession, headers: IncomingHttpHeaders) => Audience
  readonly #report: (bug: unknown) => void
  readonly #clients = new Map<string, HttpClient>()
  /** Clients that are being opened count as connected. */
  #opening = 0
  #isClosed = false

  constructor({ sessions, audienceOf, report }: Pick<DoorContext, 'sessions' | 'audienceOf' | 'report'>) {
    this.#sessions = sessions
    this.#audienceOf = audienceOf
    this.#report = report
  }

  /**
   * Adds the client that `create` returns. When all places, or all places of desktops, are taken, the client that was idle
   * longest gives way. Throws `Busy` when none is idle.
   */
  async open(create: () => Promise<NewHttpClient>): Promise<HttpClient> {
    await this.#sweep()
    if (this.#clients.size + this.#opening >= MAX_CLIENTS && !(await this.#endIdlest(() => true)))
      throw new Fault('Busy', `${MAX_CLIENTS} clients are connected, which is the limit; end one with DELETE`)
    this.#opening++
    try {
      const client = { ...(await this.#create(create)), usedMs: this.#sessions.now(), openResponses: 0 }
      this.#clients.set(client.id, client)
      if (!this.#isClosed) return client
      await this.end(client.id)
      throw new Fault('Busy', 'the server is closing')
    } finally {
      this.#opening--
    }
  }

  /** Opens a client. When there is no place for its desktop, a client with a desktop of its own gives way. */
  async #create(create: () => Promise<NewHttpClient>): Promise<NewHttpClient> {
    try {
      return await create()
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'Busy') throw thrown
      if (!(await this.#endIdlest(({ session, entry }) => session !== entry))) throw thrown
      return create()
    }
  }

  /** Ends the client that was not used for longest. Returns false when every such client has an open response. */
  async #endIdlest(mayEnd: (client: HttpClient) => boolean): Promise<boolean> {
    const idle = [...this.#clients.values()].filter((client) => client.openResponses === 0 && mayEnd(client))
    const [first] = idle
    if (!first) return false
    const idlest = idle.reduce((longest, client) => (client.usedMs < longest.usedMs ? client : longest), first)
    await this.end(idlest.id).catch(this.#report)
    return true
  }

  /**
   * Returns a client and marks it and its session as used. Undefined for an unknown id, and after its session was closed.
   * Throws `PermissionDenied` for a caller with fewer rights than the client that initialised it.
   */
  async find(
    id: string,
    session: DesktopSession | undefined,
    headers: IncomingHttpHeaders,
  ): Promise<HttpClient | undefined> {
    await this.#sweep()
    const client = this.#clients.get(id)
    // An id is valid only at the path at which it was given.
    if (!client || client.entry !== session) return undefined
    if (client.audience === 'harness' && this.#audienceOf(client.entry, headers) !== 'harness')
      throw new Fault('PermissionDenied', 'this connection belongs to the harness; send its token with each request')
    client.usedMs = this.#sessions.now()
    if (client.session !== this.#sessions.first) this.#sessions.get(client.session.id)
    return client
  }

  /** The session of a client, without marking it as used. */
  sessionOf(id: string): DesktopSession | undefined {
    return this.#clients.get(id)?.session
  }

  /** Counts a response as open and keeps the client's session alive, until the returned function is called. */
  holdOpen(client: HttpClient): () => void {
    const release = this.#sessions.hold(client.session.id)
    client.openResponses++
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      client.openResponses--
      client.usedMs = this.#sessions.now()
      release()
    }
  }

  async end(id: string): Promise<void> {
    const client = this.#clients.get(id)
    if (!client) return
    this.#clients.delete(id)
    client.events.close()
    await client.transport.close()
    const { session, entry } = client
    if (session !== entry && this.#sessions.has(session.id)) await this.#sessions.close(session.id)
  }

  async endAll(): Promise<void> {
    this.#isClosed = true
    for (const id of [...this.#clients.keys()]) await this.end(id)
  }

  /** Ends clients whose session was closed, and idle ones. A client with an open response is not idle. */
  async #sweep(): Promise<void> {
    const oldest = this.#sessions.now() - this.#sessions.ttlMs
    for (const [id, { session, usedMs, openResponses }] of this.#clients) {
      const isIdle = openResponses === 0 && usedMs < oldest
      // A failure to close the desktop of another client is not this request's.
      if (isIdle || !this.#isOpen(session)) await this.end(id).catch(this.#report)
    }
  }

  #isOpen(session: DesktopSession): boolean {
    return session === this.#sessions.first || this.#sessions.has(session.id)
  }
}

const MAX_EVENTS = 1_000
const MAX_BYTES = 16 * 1024 * 1024
/** The most bytes that the events of all clients of a server occupy. */
const MAX_SHARED_BYTES = 256 * 1024 * 1024

/** An event of a stream. The event that primes a stream has no message. */
export interface StreamEvent {
  readonly number: number
  readonly streamId: string
  readonly message: JSONRPCMessage
  readonly bytes: number
  /** Whether it answers the last open request of its stream. */
  readonly isLast: boolean
}

type RequestId = string | number

/**
 * The latest events of a client's streams, from which a stream that broke off is resumed. Holds at most 1,000 events and
 * 16 MiB, and its part of the memory of all clients; the oldest are dropped first. The last one is always held.
 */
export class StreamEvents {
  readonly #memory: EventMemory
  readonly #events: StreamEvent[] = []
  /** The requests of the POST of each request that is not answered yet. */
  readonly #unanswered = new Map<RequestId, Set<RequestId>>()
  #bytes = 0
  #next = 1
  #isClosed = false

  constructor(memory: EventMemory = new EventMemory()) {
    this.#memory = memory
  }

  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#events.length
  }

  /** Announces the requests of a POST. The stream that answers the last of them is complete. */
  expect(requestIds: readonly RequestId[]): void {
    const group = new Set(requestIds)
    for (const id of group) this.#unanswered.set(id, group)
    // Cancelled requests are never answered.
    for (const id of this.#unanswered.keys()) {
      if (this.#unanswered.size <= MAX_EVENTS) break
      this.#unanswered.delete(id)
    }
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    if (this.#isClosed) return String(this.#next++)
    const bytes = Buffer.byteLength(JSON.stringify(message))
    const event = { number: this.#next++, streamId, message, bytes, isLast: this.#answersLast(message) }
    this.#events.push(event)
    this.#bytes += bytes
    this.#memory.add(this, bytes)
    while (this.#events.length > 1 && (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES)) this.dropOldest()
    this.#memory.shrink()
    return String(event.number)
  }

  /** Whether a stream can be resumed after an event. */
  has(id: string): boolean {
    return this.#find(id) !== undefined
  }

  /** Sends the events of the same stream that followed an event. Throws `EventsEvicted` for one that is not held. */
  async replayEventsAfter(
    id: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#find(id)
    if (!last) throw new Fault('EventsEvicted', `there is no event ${JSON.stringify(id)} to resume from`)
    for (const { number, message } of this.#after(last)) await send(String(number), message)
    return last.streamId
  }

  /** The events that end a stream after one of its events. Undefined while the stream has open requests. */
  completionAfter(id: string): readonly StreamEvent[] | undefined {
    const last = this.#find(id)
    if (!last) return undefined
    const isComplete = this.#events.some(({ streamId, isLast }) => isLast && streamId === last.streamId)
    return isComplete ? this.#after(last) : undefined
  }

  dropOldest(): void {
    const dropped = this.#events.shift()
    if (!dropped) return
    this.#bytes -= dropped.bytes
    this.#memory.add(this, -dropped.bytes)
  }

  /** Drops all events and stores no further ones. */
  close(): void {
    this.#isClosed = true
    this.#memory.remove(this)
    this.#events.length = 0
    this.#bytes = 0
    this.#unanswered.clear()
  }

  #answersLast(message: JSONRPCMessage): boolean {
    if (!('id' in message) || message.id === undefined || 'method' in message) return false
    const group = this.#unanswered.get(message.id)
    this.#unanswered.delete(message.id)
    return group?.delete(message.id) === true && group.size === 0
  }

  #after({ number: last, streamId: stream }: StreamEvent): StreamEvent[] {
    return this.#events.filter(
      ({ number, streamId, message }) => number > last && streamId === stream && 'jsonrpc' in message,
    )
  }

  #find(id: string): StreamEvent | undefined {
    return this.#events.find(({ number }) => String(number) === id)
  }
}

/** The memory that the events of all clients of a server share. */
export class EventMemory {
  readonly #stores = new Set<StreamEvents>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_SHARED_BYTES) {
    this.#maxBytes = maxBytes
  }

  add(store: StreamEvents, bytes: number): void {
    this.#stores.add(store)
    this.#bytes += bytes
  }

  remove(store: StreamEvents): void {
    if (this.#stores.delete(store)) this.#bytes -= store.bytes
  }

  /** Drops the oldest events of the stores that hold the most, until all fit or each holds only its last one. */
  shrink(): void {
    while (this.#bytes > this.#maxBytes) {
      let largest: StreamEvents | undefined
      for (const store of this.#stores)
        if (store.count > 1 && (!largest || store.bytes > largest.bytes)) largest = store
      if (!largest) return
      largest.dropOldest()
    }
  }
}
