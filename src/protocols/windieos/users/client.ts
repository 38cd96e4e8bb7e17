import type { Toolset } from '../tools/toolset.ts'
import type { StreamedEvent } from '../wire.ts'
import type { UserSettings } from './settings.ts'

/** A connected client, as conversations see it. */
export interface ConnectedClient {
  readonly user: { readonly id: string; readonly config: UserSettings }
  readonly toolset: Toolset
  /** The runtime that executes tool calls in its place, if one is connected. */
  runtime(): ConnectedClient | undefined
  /** Sends an event of a turn or an operation, with its sequence number. */
  sendEvent(event: StreamedEvent, conversation: string, turn: string, sequence: number): void
  /** Sends an error with the id of the failed request. */
  sendError(message: string, id?: string, of?: { readonly conversation: string; readonly turn: string }): void
  /** Speaks a text after the previous ones, if the user has enabled speech. */
  speak(text: string, isWanted?: () => boolean): void
  close(): void
  /** Ends the connection without a closing handshake, like a network failure. */
  terminate(): void
}

/** Sends an event to the client that sent the query, or to `to`. */
export type SendEvent = (event: StreamedEvent, to?: ConnectedClient) => void
