import type { FlowContext } from './conversation.ts'
import type { Endpoint } from './host.ts'

/** How a client ends by itself after a flow: `well` is exit code 0, `badly` any other. */
export type Ending = 'well' | 'badly' | 'either'

/** One conversation that the scripted server plays with a client. */
export interface Flow<Server> {
  readonly name: string
  /** What the server does, as one sentence for reports and for a person whose client plays it. */
  readonly description: string
  /** What the client is asked to say; a profile may replace it. */
  readonly text: string
  /** Ids of the requirements it can fail, without those that every request can fail. */
  readonly requirements: readonly string[]
  /** How the client has to end, and the requirement that it fails otherwise. */
  readonly ending: { readonly how: Ending; readonly id: string }
  /** Plays the server's part. It ends early by throwing `NotReached`. */
  readonly play: (server: Server) => Promise<void>
}

/** The scripted server of one conversation. */
export interface ScriptedServer extends Endpoint {
  /** Whether the client has sent the smallest exchange that the document cannot do without. */
  readonly reached: boolean
  /** Ends the conversation in a documented way, so that a client that waits can end. */
  conclude(): void
  /** What a client is given as its address, when that is not the URL of the host. */
  address?(hostUrl: string): string
  /** Takes away what the server has left on the machine. */
  dispose?(): void
}

/** What a scripted server is made from. */
export interface ServerContext {
  readonly flowContext: FlowContext
  readonly flow: string
  readonly text: string
  readonly token: string
}
