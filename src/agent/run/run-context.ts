import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/ids.ts'
import type { AgentEvent, EventBody } from '../events.ts'
import type { ChatMessage, ImageContent, ModelContext } from '../history/history.ts'
import type { Model } from '../models/model.ts'
import type { Permissions } from '../profiles/permissions.ts'
import type { Profile } from '../profiles/profiles.ts'
import type { Toolbox } from '../tools/toolbox.ts'
import type { PendingDecisions } from './decisions.ts'

/** What a person says. */
export interface UserInput {
  readonly text: string
  /** What the model reads when it is more than that. */
  readonly modelText?: string
  /** What the model is told of itself, in place of what the profile says. */
  readonly systemPrompt?: string
  readonly images?: readonly ImageContent[]
}

/** The last event of a run. */
export type RunEnd = Extract<EventBody, { type: 'run_ended' }>

/** How a protocol wants calls to be made and people to be asked. */
export interface ProtocolCapabilities {
  /** How many calls of one message run at once. */
  readonly parallel: number
  /** Whether results are told one by one, or all together and in order after the last. */
  readonly results: 'each' | 'together'
  /** What happens where somebody would be asked: `ask`, or for a protocol that cannot ask, the answer. */
  readonly permissions: 'ask' | 'allow'
  readonly questions: 'ask' | 'skip'
  /** After this long an unanswered permission is denied. */
  readonly permissionTimeoutMs?: number
}

/** What a run needs of its session. */
export interface RunContext {
  readonly clock: Clock
  readonly ids: IdSource
  readonly toolbox: Toolbox
  readonly decisions: PendingDecisions
  readonly capabilities: ProtocolCapabilities
  permissions(): Permissions
  profile(): Profile
  /** The profile that is used from the next message on, or undefined when there is none with that id. */
  switchProfile(id: string): Profile | undefined
  model(profile: Profile): { readonly model: Model; readonly asked: string | undefined }
  /** 1 for the first message of the session, and 1 for its first nested agent. */
  nextTurn(nested: boolean): number
  context(): ModelContext
  maxContextTokens(): number
  contextTokens(): number
  /** Replaces the estimate of how full the window is. */
  setContextTokens(tokens: number): void
  /** Compresses the context at the end of the run, however full it is. */
  requestCompression(): void
  addMessage(message: ChatMessage): void
  emit(event: AgentEvent): void
  onRunEnded(runId: string, end: RunEnd): void
  /** A throw that nobody caused. */
  onBug(cause: unknown): void
}
