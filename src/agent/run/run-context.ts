import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/ids.ts'
import type { AgentEvent, EventBody } from '../events.ts'
import type { ChatMessage, ImageContent, ModelContext } from '../history/history.ts'
import type { Model } from '../models/model.ts'
import type { Permissions } from '../profiles/permissions.ts'
import type { Profile } from '../profiles/profiles.ts'
import type { Toolbox } from '../tools/toolbox.ts'
import type { PendingDecisions } from './decisions.ts'

/** A message of the user. */
export interface UserInput {
  readonly text: string
  /** The text for the model, if it is more than `text`. */
  readonly modelText?: string
  /** Replaces the system prompt of the profile. */
  readonly systemPrompt?: string
  readonly images?: readonly ImageContent[]
}

/** The last event of a run. */
export type RunEnd = Extract<EventBody, { type: 'run_ended' }>

/** How a protocol runs calls and asks the user. */
export interface ProtocolCapabilities {
  /** The maximum number of concurrent calls of one message. */
  readonly parallel: number
  /** Whether results are emitted one by one, or all together in order after the last. */
  readonly results: 'each' | 'together'
  /** `ask`, or the fixed answer of a protocol that cannot ask. */
  readonly permissions: 'ask' | 'allow'
  readonly questions: 'ask' | 'skip'
  /** Unanswered permission requests are denied after this time. */
  readonly permissionTimeoutMs?: number
}

/** The parts of a session that a run uses. */
export interface RunContext {
  readonly clock: Clock
  readonly ids: IdSource
  readonly toolbox: Toolbox
  readonly decisions: PendingDecisions
  readonly capabilities: ProtocolCapabilities
  permissions(): Permissions
  profile(): Profile
  /** Selects and returns the profile for the next messages, or returns undefined for an unknown id. */
  switchProfile(id: string): Profile | undefined
  model(profile: Profile): { readonly model: Model; readonly asked: string | undefined }
  /** Returns the next turn number. Messages of the session and nested agents are counted separately, from 1. */
  nextTurn(nested: boolean): number
  context(): ModelContext
  maxContextTokens(): number
  contextTokens(): number
  /** Replaces the estimated number of tokens in the window. */
  setContextTokens(tokens: number): void
  /** Compresses the context at the end of the run, regardless of its size. */
  requestCompression(): void
  addMessage(message: ChatMessage): void
  emit(event: AgentEvent): void
  onRunEnded(runId: string, end: RunEnd): void
  /** Called with unexpected internal errors. */
  onBug(cause: unknown): void
}
