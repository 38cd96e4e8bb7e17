import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { IdSource } from '../base/ids.ts'
import { EventLog } from '../base/log.ts'
import type { AgentEvent } from './events.ts'
import {
  type ChatHistory,
  type ChatMessage,
  type ChatSummary,
  compress,
  contextLength,
  contextOf,
  contextTokens,
  isFull,
  type ModelContext,
} from './history/history.ts'
import type { Model } from './models/model.ts'
import { DEFAULT_PERMISSIONS, type Permissions } from './profiles/permissions.ts'
import type { Profile } from './profiles/profiles.ts'
import {
  type DecisionRequest,
  PendingDecisions,
  type PermissionDecision,
  type QuestionDecision,
} from './run/decisions.ts'
import { AgentRun } from './run/run.ts'
import type { ProtocolCapabilities, RunContext, RunEnd, UserInput } from './run/run-context.ts'
import type { Toolbox } from './tools/toolbox.ts'

/** Where a conversation is kept beyond the life of the process. */
export interface HistoryStore {
  message(message: ChatMessage): void
  summary(summary: ChatSummary): void
  profile(profileId: string): void
}

/** What a session is made of. */
export interface AgentSessionParts {
  readonly id: string
  readonly clock: Clock
  readonly ids: IdSource
  readonly toolbox: Toolbox
  readonly capabilities: ProtocolCapabilities
  readonly profiles: readonly Profile[]
  readonly profile: Profile
  readonly chooseModel: (profile: Profile, asked: string | undefined) => Model
  readonly history: ChatHistory
  readonly historyStore: HistoryStore | undefined
  readonly permissions?: Partial<Permissions>
  /** How many messages may wait behind the one being answered. */
  readonly queueLimit: number
  /** How many events the log holds. */
  readonly logCapacity: number
  /** Whether messages that a summary covers stay in memory, to be shown. */
  readonly keepsFullHistory: boolean
  readonly onBug: (cause: unknown) => void
}

/** The longest text of a message, which is the largest message that a protocol documents. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024

/** A chat: one run at a time, one log of all that happens, and the decisions that are waited for. */
export class AgentSession {
  readonly id: string
  readonly log: EventLog<AgentEvent>
  readonly decisions = new PendingDecisions()
  readonly #parts: AgentSessionParts
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  readonly #queue: AgentRun[] = []
  #current: AgentRun | undefined
  #history: ChatHistory
  #profile: Profile
  #asked: string | undefined
  #permissions: Permissions
  #turn: number
  #nestedTurn = 0
  /** How many messages at the beginning are forgotten because a summary stands for them. */
  #forgotten = 0
  #claimedTokens: number | undefined
  #compressionWanted = false
  #closed = false

  constructor(parts: AgentSessionParts) {
    this.id = parts.id
    this.log = new EventLog(parts.logCapacity)
    this.#parts = parts
    this.#history = parts.history
    this.#profile = parts.profile
    this.#permissions = { ...DEFAULT_PERMISSIONS, ...parts.permissions }
    this.#turn = parts.history.messages.filter((message) => message.role === 'user').length
    this.#forget()
  }

  get running(): boolean {
    return this.#current !== undefined
  }

  /** The id of the run under way. */
  get runId(): string | undefined {
    return this.#current?.id
  }

  get waiting(): number {
    return this.#queue.length
  }

  get profile(): Profile {
    return this.#profile
  }

  get messages(): readonly ChatMessage[] {
    return this.#history.messages
  }

  get context(): ModelContext {
    return contextOf(this.#history)
  }

  get pendingRequests(): readonly DecisionRequest[] {
    return this.decisions.pending
  }

  /** Hears every event as it is appended to the log; returns how to stop listening. */
  listen(hear: (event: AgentEvent) => void): () => void {
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  /** Answers the message now, or after those before it. Throws `Busy` when too many wait, `TooLarge` for too long a text. */
  send(input: UserInput): AgentRun {
    for (const text of [input.text, input.modelText ?? ''])
      if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
        throw new Fault('TooLarge', `the text of a message has at most ${MAX_TEXT_BYTES} bytes`)
    if (this.#closed) throw new Fault('SessionNotFound', 'the session is closed', { session_id: this.id })
    if (this.#queue.length >= this.#parts.queueLimit)
      throw new Fault('Busy', `${this.#queue.length} messages are waiting already; wait for an answer`, {})
    const run = new AgentRun(this.#stage(), input)
    this.#queue.push(run)
    this.#next()
    return run
  }

  /** Ends the run under way, or the one named, which may still be waiting. False when there is none. */
  stop(runId?: string): boolean {
    const run = runId === undefined ? this.#current : this.#find(runId)
    return run?.stop() ?? false
  }

  /** Ends a call of the run under way; the run goes on. */
  stopTask(callId: string): boolean {
    return this.#current?.stopTask(callId) ?? false
  }

  /** The first decision wins; `Conflict` for any other. */
  decidePermission(id: string, decision: Omit<PermissionDecision, 'kind' | 'by'>): void {
    this.decisions.decide(id, { ...decision, kind: 'permission', by: 'client' })
    if (decision.interrupt && !decision.allowed) this.stop()
  }

  /** The first answer wins; `Conflict` for any other. */
  answer(id: string, answer: Omit<QuestionDecision, 'kind'>): void {
    this.decisions.decide(id, { ...answer, kind: 'question' })
  }

  /** Concerns later calls only. */
  changePermissions(change: Partial<Permissions>): void {
    this.#permissions = { ...this.#permissions, ...change }
  }

  get permissions(): Permissions {
    return this.#permissions
  }

  /** The model to use from the next message on; undefined for the profile's own. */
  selectModel(name: string | undefined): void {
    this.#asked = name
  }

  get selectedModel(): string | undefined {
    return this.#asked
  }

  switchProfile(id: string): Profile | undefined {
    const profile = this.#parts.profiles.find((candidate) => candidate.id === id)
    if (!profile) return undefined
    this.#profile = profile
    this.#parts.historyStore?.profile(id)
    return profile
  }

  /** Another conversation in place of the one so far. */
  replaceHistory(history: ChatHistory): void {
    this.#history = history
    this.#claimedTokens = undefined
  }

  /** Ends the run, drops what waits, and ends the log. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const run of this.#queue.splice(0)) run.stop()
    this.#current?.stop()
    this.log.close()
    this.#listeners.clear()
  }

  #find(runId: string): AgentRun | undefined {
    return this.#current?.id === runId ? this.#current : this.#queue.find((run) => run.id === runId)
  }

  #next(): void {
    if (this.#current || this.#closed) return
    this.#current = this.#queue.shift()
    this.#current?.start()
  }

  #stage(): RunContext {
    const { clock, ids, toolbox, capabilities: manners, chooseModel, onBug } = this.#parts
    return {
      clock,
      ids,
      toolbox,
      capabilities: manners,
      decisions: this.decisions,
      permissions: () => this.#permissions,
      profile: () => this.#profile,
      switchProfile: (id) => this.switchProfile(id),
      model: (profile) => ({ model: chooseModel(profile, this.#asked), asked: this.#asked }),
      nextTurn: (nested) => (nested ? ++this.#nestedTurn : ++this.#turn),
      context: () => this.context,
      maxContextTokens: () => this.#profile.max_context_tokens,
      contextTokens: () => this.#claimedTokens ?? contextTokens(this.context),
      setContextTokens: (tokens) => {
        this.#claimedTokens = tokens
      },
      requestCompression: () => {
        this.#compressionWanted = true
      },
      addMessage: (message) => {
        this.#history = { ...this.#history, messages: [...this.#history.messages, message] }
        this.#parts.historyStore?.message(message)
      },
      emit: (event) => this.#emit(event),
      onRunEnded: (runId, end) => this.#ended(runId, end),
      onBug: onBug,
    }
  }

  /** Leaves out what a summary stands for, where nobody can ask for it. */
  #forget(): void {
    const { summary } = this.#history
    if (this.#parts.keepsFullHistory || !summary) return
    this.#forgotten += summary.covers
    this.#history = { messages: this.context.messages, summary: { ...summary, covers: 0 } }
  }

  #emit(event: AgentEvent): void {
    if (this.log.closed) return
    this.log.append(event)
    for (const hear of this.#listeners) {
      try {
        hear(event)
      } catch (thrown) {
        // A listener that fails, on a full disk say, keeps neither the run from ending nor the others from hearing.
        this.#parts.onBug(thrown)
      }
    }
  }

  #ended(runId: string, end: RunEnd): void {
    if (this.#current?.id !== runId) {
      const place = this.#queue.findIndex((run) => run.id === runId)
      if (place >= 0) this.#queue.splice(place, 1)
      return
    }
    try {
      if (end.outcome === 'finished') this.#compressIfFull(runId, end)
    } catch (thrown) {
      this.#parts.onBug(thrown)
    }
    this.#current = undefined
    this.#next()
  }

  #compressIfFull(runId: string, end: RunEnd): void {
    const wanted = this.#compressionWanted || isFull(end.contextTokens, end.maxContextTokens)
    this.#compressionWanted = false
    if (!wanted) return
    const before = this.#history
    const atMs = this.#parts.clock.now()
    const after = compress(before, end.maxContextTokens, atMs)
    this.#claimedTokens = undefined
    const { summary } = after
    if (after === before || !summary) return
    this.#parts.historyStore?.summary({ ...summary, covers: this.#forgotten + summary.covers })
    this.#history = after
    this.#forget()
    this.#emit({
      type: 'context_compressed',
      before: contextLength(contextOf(before)),
      after: contextLength(this.context),
      summary: summary.text,
      runId,
      atMs,
      subagent: false,
    })
  }
}
