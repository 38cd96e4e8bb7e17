import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { Fault } from '../../base/fault.ts'

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

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#find(id)?.streamId
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
