import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { IdSource } from '../base/ids.ts'
import { EventLog } from '../base/log.ts'
import type { TracedEvent } from '../observer/trace/sidecar-files.ts'
import type { ProtocolCapabilities } from './engine-tools.ts'
import type { AgentEvent } from './events.ts'
import {
  type ChatHistory,
  type ChatMessage,
  compress,
  contextLength,
  contextOf,
  contextTokens,
  type HistoryStore,
  isFull,
  type ModelContext,
} from './history/history.ts'
import type { Model } from './models/model.ts'
import { DEFAULT_PERMISSIONS, type Permissions, type Profile } from './profiles.ts'
import { AgentRun } from './run/agent-run.ts'
import {
  type DecisionRequest,
  PendingDecisions,
  type PermissionDecision,
  type QuestionDecision,
  type RunContext,
  type RunEnd,
  type UserInput,
} from './run/run-context.ts'
import type { Toolbox } from './toolbox.ts'

/** The parts and limits of a session. */
export interface AgentSessionSetup {
  readonly id: string
  /** The protocol of the client, for traces. */
  readonly protocol: string
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
  /** The maximum number of queued messages, without the running one. */
  readonly queueLimit: number
  /** The maximum number of events in the log. */
  readonly logCapacity: number
  /** Whether messages that a summary covers stay in memory for display. */
  readonly keepsFullHistory: boolean
  readonly onBug: (cause: unknown) => void
}

/** The maximum size of a message text: the largest message size that any protocol documents. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024

/** A chat: one run at a time, an event log, and the pending decisions. */
export class AgentSession {
  readonly id: string
  readonly log: EventLog<AgentEvent>
  readonly decisions = new PendingDecisions()
  readonly #parts: AgentSessionSetup
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  readonly #queue: AgentRun[] = []
  #current: AgentRun | undefined
  #history: ChatHistory
  #profile: Profile
  #asked: string | undefined
  #permissions: Permissions
  #turn: number
  #nestedTurn = 0
  /** The number of oldest messages that were dropped because a summary replaces them. */
  #forgotten = 0
  #claimedTokens: number | undefined
  #compressionWanted = false
  #closed = false

  constructor(parts: AgentSessionSetup) {
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

  /** The id of the current run. */
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

  /** Calls `listener` with each event appended to the log. Returns a function that removes the listener. */
  listen(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Starts or queues a run for the message. Throws `Busy` when the queue is full and `TooLarge` when the text is too long. */
  send(input: UserInput): AgentRun {
    for (const text of [input.text, input.modelText ?? ''])
      if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
        throw new Fault('TooLarge', `the text of a message has at most ${MAX_TEXT_BYTES} bytes`)
    if (this.#closed) throw new Fault('SessionNotFound', 'the session is closed', { session_id: this.id })
    if (this.#queue.length >= this.#parts.queueLimit)
      throw new Fault('Busy', `${this.#queue.length} messages are waiting already; wait for an answer`, {})
    const run = new AgentRun(this.#runContext(), input)
    this.#record(inputEvent(run.id, input))
    this.#queue.push(run)
    this.#next()
    return run
  }

  /** Stops the current run, or the named one, which may be queued. Returns false if there is none. */
  stop(runId?: string): boolean {
    const run = runId === undefined ? this.#current : this.#find(runId)
    if (run) this.#take('stop', { run: run.id })
    return run?.stop() ?? false
  }

  /** Stops a call of the current run. The run continues. */
  stopTask(callId: string): boolean {
    this.#take('stop_call', { call: callId })
    return this.#current?.stopTask(callId) ?? false
  }

  /** Decides a permission request. The first decision wins; later ones throw `Conflict`. */
  decidePermission(id: string, decision: Omit<PermissionDecision, 'kind' | 'by'>): void {
    this.#take('permission_decision', { request: id, ...decision })
    this.decisions.decide(id, { ...decision, kind: 'permission', by: 'client' })
    if (decision.interrupt && !decision.allowed) this.stop()
  }

  /** Answers questions. The first answer wins; later ones throw `Conflict`. */
  answer(id: string, answer: Omit<QuestionDecision, 'kind'>): void {
    this.#take('answer', { request: id, answers: answer.answers })
    this.decisions.decide(id, { ...answer, kind: 'question' })
  }

  /** Changes the permissions of later calls. */
  changePermissions(change: Partial<Permissions>): void {
    this.#take('change_permissions', { ...change })
    this.#permissions = { ...this.#permissions, ...change }
  }

  get permissions(): Permissions {
    return this.#permissions
  }

  /** Selects the model for the next messages; undefined selects the profile's model. */
  selectModel(name: string | undefined): void {
    this.#take('select_model', { model: name ?? null })
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

  /** Replaces the conversation. */
  replaceHistory(history: ChatHistory): void {
    this.#history = history
    this.#claimedTokens = undefined
  }

  /** Stops the run, drops queued messages and pending decisions, and ends the log. */
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

  #runContext(): RunContext {
    const { clock, ids, toolbox, capabilities, chooseModel, onBug } = this.#parts
    return {
      clock,
      ids,
      toolbox,
      capabilities,
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

  /** Drops messages that a summary replaces, if the protocol cannot show them. */
  #forget(): void {
    const { summary } = this.#history
    if (this.#parts.keepsFullHistory || !summary) return
    this.#forgotten += summary.covers
    this.#history = { messages: this.context.messages, summary: { ...summary, covers: 0 } }
  }

  /** Records what a client asks for beside a message. */
  #take(name: string, content: EngineEvent['content']): void {
    this.#record({ direction: 'in', name, content })
  }

  /** Adds a message of this conversation to the trace of its desktop, if there is one. */
  #record(event: EngineEvent | undefined): void {
    const { id, protocol, toolbox, onBug } = this.#parts
    if (event === undefined || !toolbox.record) return
    try {
      toolbox.record({ protocol, conversation: id, ...event })
    } catch (thrown) {
      // A trace that cannot be written does not disturb the conversation.
      onBug(thrown)
    }
  }

  #emit(event: AgentEvent): void {
    if (this.log.closed) return
    this.log.append(event)
    this.#record(outputEvent(event))
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (thrown) {
        // A failing listener, for example on a full disk, must not block the end of the run or the other listeners.
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

/** What the engine takes or emits, as the trace of the desktop behind a conversation shows it. */
type EngineEvent = Omit<TracedEvent, 'protocol' | 'conversation'>

/** A message of the user. Images are counted. The text is a `message`, because traces hide typed text by its name. */
const inputEvent = (runId: string, { text, modelText, systemPrompt, images = [] }: UserInput): EngineEvent => ({
  direction: 'in',
  name: 'user_message',
  content: {
    run: runId,
    message: text,
    ...(modelText !== undefined && { model_message: modelText }),
    ...(systemPrompt !== undefined && { system_prompt: systemPrompt }),
    ...(images.length > 0 && { images: images.length }),
  },
})

/** An event that the engine emits. Undefined for the pieces of a message, since its end has the whole. */
function outputEvent(event: AgentEvent): EngineEvent | undefined {
  if (event.type === 'text_delta' || event.type === 'thinking_delta' || event.type === 'tool_call_delta')
    return undefined
  const { type, runId, atMs: _, subagent, ...body } = event
  return {
    direction: 'out',
    name: type,
    content: { run: runId, ...(subagent && { subagent }), ...withMessage(body) },
    ...(type === 'run_ended' && { endsRun: true }),
  }
}

/** The text of a tool result is in its output. Other texts are messages. */
function withMessage(body: object): object {
  if (!('text' in body)) return body
  const { text, ...rest } = body
  return 'output' in rest ? rest : { ...rest, message: text }
}
