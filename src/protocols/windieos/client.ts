import type { Config } from './settings.ts'
import type { Toolset } from './toolset.ts'
import type { StreamedEvent } from './wire.ts'

/** Somebody who is connected, as conversations know them. */
export interface Client {
  readonly user: { readonly id: string; readonly config: Config }
  readonly toolset: Toolset
  /** Who carries out tool calls in its place, where somebody does. */
  runtime(): Client | undefined
  /** Tells an event of a turn or an operation; each has a number in it. */
  stream(event: StreamedEvent, conversation: string, turn: string, sequence: number): void
  /** Tells a failure, under the id of the request that failed. */
  fail(message: string, id?: string, of?: { readonly conversation: string; readonly turn: string }): void
  /** Says a text aloud, if the user wants to hear it, when what was said before it is over. */
  speak(text: string, isWanted?: () => boolean): void
  close(): void
  /** Ends the connection as a network does. */
  drop(): void
}

/** Tells an event: to the client who asked, unless somebody else is named. */
export type Tell = (event: StreamedEvent, to?: Client) => void
