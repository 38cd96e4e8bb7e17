import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import type { ProtocolCapabilities } from '../engine-tools.ts'
import type { AgentEvent, EventBody, QuestionForm, ToolCallArguments } from '../events.ts'
import type { ChatMessage, ImageContent, ModelContext } from '../history/history.ts'
import type { Model } from '../models/model.ts'
import type { Permissions, Profile } from '../profiles.ts'
import type { Toolbox } from '../toolbox.ts'

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

/** A pending request of the agent. */
export type DecisionRequest =
  | { readonly kind: 'permission'; readonly id: string; readonly tool: string; readonly args: ToolCallArguments }
  | { readonly kind: 'question'; readonly id: string; readonly form: QuestionForm }

export type Decision = PermissionDecision | QuestionDecision

export interface PermissionDecision {
  readonly kind: 'permission'
  readonly allowed: boolean
  readonly by: 'client' | 'timeout'
  /** The reason of a denial, for the model. */
  readonly message?: string
  /** Whether a denial ends the run. */
  readonly interrupt?: boolean
  /** Replaces the model's arguments. */
  readonly args?: ToolCallArguments
}

export interface QuestionDecision {
  readonly kind: 'question'
  /** As the client gave them. */
  readonly answers: unknown
  /** As the model reads them. */
  readonly text: string
}

interface Pending {
  readonly ask: DecisionRequest
  readonly settle: (decision: Decision) => void
}

/** Pending requests. Each is decided exactly once; later decisions throw `Conflict`. */
export class PendingDecisions {
  readonly #pending = new Map<string, Pending>()

  /** Waits for the decision. Never settles if the request is withdrawn. */
  request(ask: Extract<DecisionRequest, { kind: 'permission' }>): Promise<PermissionDecision>
  request(ask: Extract<DecisionRequest, { kind: 'question' }>): Promise<QuestionDecision>
  request(ask: DecisionRequest): Promise<Decision> {
    return new Promise((settle) => this.#pending.set(ask.id, { ask, settle }))
  }

  find(id: string): DecisionRequest | undefined {
    return this.#pending.get(id)?.ask
  }

  get pending(): readonly DecisionRequest[] {
    return [...this.#pending.values()].map((pending) => pending.ask)
  }

  /** Throws `Conflict` if no request of that kind and id is pending. */
  decide(id: string, decision: Decision): void {
    const pending = this.#pending.get(id)
    if (!pending)
      throw new Fault('Conflict', `${JSON.stringify(id)} is not pending: it was already decided or never requested`, {
        id,
      })
    if (pending.ask.kind !== decision.kind)
      throw new Fault('Conflict', `${JSON.stringify(id)} is a ${pending.ask.kind}, not a ${decision.kind}`, { id })
    this.#pending.delete(id)
    pending.settle(decision)
  }

  withdraw(id: string): void {
    this.#pending.delete(id)
  }
}

/** A failure declared by the model. */
export class Failure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
