import type { Toolset } from '../tools/toolset.ts'
import type { StreamedEvent } from '../wire.ts'
import type { UserSettings } from './settings.ts'

/** Somebody who is connected, as conversations know them. */
export interface ConnectedClient {
  readonly user: { readonly id: string; readonly config: UserSettings }
  readonly toolset: Toolset
  /** Who carries out tool calls in its place, where somebody does. */
  runtime(): ConnectedClient | undefined
  /** Tells an event of a turn or an operation; each has a number in it. */
  sendEvent(event: StreamedEvent, conversation: string, turn: string, sequence: number): void
  /** Tells a failure, under the id of the request that failed. */
  sendError(message: string, id?: string, of?: { readonly conversation: string; readonly turn: string }): void
  /** Says a text aloud, if the user wants to hear it, when what was said before it is over. */
  speak(text: string, isWanted?: () => boolean): void
  close(): void
  /** Ends the connection as a network does. */
  terminate(): void
}

/** Tells an event: to the client who asked, unless somebody else is named. */
export type SendEvent = (event: StreamedEvent, to?: ConnectedClient) => void
