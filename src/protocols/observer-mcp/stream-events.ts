import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { Fault } from '../../base/fault.ts'

const MAX_EVENTS = 1_000
const MAX_BYTES = 16 * 1024 * 1024

interface StoredEvent {
  readonly number: number
  readonly streamId: string
  readonly message: JSONRPCMessage
  readonly bytes: number
}

/**
 * The latest events of a client's streams, from which a stream that broke off is resumed. Holds at most 1,000 events and
 * 16 MiB; the oldest are dropped first. The last one is always held.
 */
export class StreamEvents {
  readonly #events: StoredEvent[] = []
  #bytes = 0
  #next = 1

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const bytes = Buffer.byteLength(JSON.stringify(message))
    const event = { number: this.#next++, streamId, message, bytes }
    this.#events.push(event)
    this.#bytes += bytes
    while (this.#events.length > 1 && (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES))
      this.#bytes -= this.#events.shift()!.bytes
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
    // The event that primes a stream has no message.
    for (const { number, streamId, message } of [...this.#events])
      if (number > last.number && streamId === last.streamId && 'jsonrpc' in message)
        await send(String(number), message)
    return last.streamId
  }

  #find(id: string): StoredEvent | undefined {
    return this.#events.find(({ number }) => String(number) === id)
  }
}
