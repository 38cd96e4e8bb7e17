import { deadline } from '../../agent/deadline.ts'
import type { AgentEvent, ToolCall } from '../../agent/events.ts'
import { compress, contextLength, type History, type Image } from '../../agent/history.ts'
import { ASK_PERMISSION, OWN_TOOLS } from '../../agent/own-tools.ts'
import type { AgentSession } from '../../agent/session.ts'
import type { ToolAnswer, Toolbox } from '../../agent/toolbox.ts'
import { Fault } from '../../base/fault.ts'
import type { Connection } from './connection.ts'
import type { Offered } from './definition.ts'
import { modelFailure } from './errors.ts'
import type { House } from './house.ts'
import { shownArtifact, shownInline } from './images.ts'
import { fullMessage, historyEntry, saysMore, systemPrompt } from './prompt.ts'
import type { Config } from './settings.ts'
import { nested } from './tools.ts'
import { type Answer, answerOf, answersOf, type Spoken, tokenCount, toWire, userMessageFull } from './translate.ts'
import type { Payload, StreamedEvent } from './wire.ts'

/** A query on its way to an answer. */
interface Turn {
  /** The id of the query's message. */
  readonly ref: string
  readonly connection: Connection
  readonly query: Payload<'query'>
  /** What was set when it was asked. */
  readonly config: Config
  /** What the model is told of itself. */
  readonly prompt: string
  readonly images: readonly Image[]
  readonly done: () => void
  /** The number of its newest event, for everyone who is told of it. */
  readonly told: Map<Connection, number>
  spoken: Spoken
  /** Nothing of it is said any more. */
  stopped: boolean
  /** How much the model had to read at its end. */
  contextTokens: number
  /** When each call that runs here began, in milliseconds. */
  readonly startedMs: Map<string, number>
}

/** A call that a client carries out. */
interface Pending {
  readonly tool: string
  /** Whose answer counts. */
  readonly executor: Connection
  readonly answered: Promise<Answer>
  readonly settle: (answer: Answer) => void
  readonly callOff: () => void
}

/** A bundle that is out: its calls, in order. */
interface Bundle {
  readonly executor: Connection
  readonly calls: readonly string[]
  readonly tools: readonly string[]
}

type Tell = (event: StreamedEvent) => void
/** To the client who asked, unless somebody else is named. */
type TellOne = (event: StreamedEvent, to?: Connection) => void

interface Compaction {
  readonly reason: string
  readonly strategy: string
  readonly before_tokens: number
}

const startedCompaction = (about: Compaction): StreamedEvent => ({
  type: 'context-compaction-started',
  payload: { ...about, projected_tokens: Math.ceil(about.before_tokens / 2) },
})

const NO_WORDS: Spoken = { text: '', thinking: '', counted: false }
const OWN = new Set([ASK_PERMISSION, ...OWN_TOOLS.map(({ name }) => name)])
const SUMMARY_PREVIEW = 200

/** One conversation of a user: turns one after the other, each told to the connection that asked. */
export class Conversation {
  readonly ref: string
  readonly session: AgentSession
  readonly #house: House
  readonly #turns = new Map<string, Turn>()
  readonly #calls = new Map<string, Pending>()
  readonly #bundles = new Map<string, Bundle>()
  /** Calls that are only shown to the client who asked. */
  readonly #shown = new Set<string>()
  /** The pictures that went with the answers to those calls. */
  readonly #screenshots = new Map<string, string>()
  #connection: Connection

  constructor(house: House, ref: string, connection: Connection) {
    this.ref = ref
    this.#house = house
    this.#connection = connection
    this.session = house.agent.open({
      toolbox: this.#toolbox(),
      manners: { permissions: 'allow', questions: 'skip', parallel: 1, results: 'each' },
      logCapacity: 1,
    })
    this.session.listen((event) => this.#hear(event))
  }

  /** Whether a turn of that name is under way or waits. */
  has(turnRef: string): boolean {
    return [...this.#turns.values()].some(({ ref }) => ref === turnRef)
  }

  /** Answers a query once those before it are answered; `done` is called when it ends, however it ends. */
  ask(ref: string, query: Payload<'query'>, images: readonly Image[], connection: Connection, done: () => void): void {
    const { text, content } = query
    const prompt = systemPrompt({
      opening: this.session.profile.system_prompt,
      definition: connection.definition,
      tools: connection.offered(),
      workspacePath: query.workspace_path,
      layers: query.client_prompt_layers,
    })
    const run = this.session.send({
      text,
      systemPrompt: prompt,
      ...(content && saysMore(content) ? { modelText: content } : {}),
      ...(images.length > 0 ? { images } : {}),
    })
    this.#turns.set(run.id, {
      ref,
      connection,
      query,
      config: connection.user.config,
      prompt,
      images,
      done,
      told: new Map(),
      spoken: NO_WORDS,
      stopped: false,
      contextTokens: 0,
      startedMs: new Map(),
    })
    void run.ended.then(() => this.#finish(run.id))
  }

  /** Ends the turn of that name, or every turn; those of one connection only, where one is given. */
  stop(turnRef: string | undefined, connection?: Connection): void {
    for (const [runId, turn] of [...this.#turns])
      if ((turnRef === undefined || turn.ref === turnRef) && (!connection || turn.connection === connection))
        this.session.stop(runId)
  }

  /** False when nothing waits for it from there. */
  answerCall(result: Payload<'tool-result'>, from: Connection): boolean {
    const call = this.#calls.get(result.request_id)
    if (call?.executor !== from) return false
    this.#settle(result.request_id, answerOf(call.tool, result))
    return true
  }

  /** False when nothing waits for it from there. */
  answerBundle(result: Payload<'tool-bundle-result'>, from: Connection): boolean {
    const bundle = this.#bundles.get(result.bundle_id)
    if (bundle?.executor !== from) return false
    this.#bundles.delete(result.bundle_id)
    const answers = answersOf(bundle.tools, result)
    for (const [index, id] of bundle.calls.entries()) this.#settle(id, answers[index]!)
    return true
  }

  #settle(callId: string, answer: Answer): void {
    const { screenshot } = answer
    if (screenshot && 'ref' in screenshot && this.#shown.has(callId)) this.#screenshots.set(callId, screenshot.ref)
    this.#calls.get(callId)?.settle(answer)
  }

  /** Fails what somebody was to carry out who has gone. */
  abandon(executor: Connection): void {
    for (const call of this.#calls.values())
      if (call.executor === executor) call.settle({ ok: false, result: `Tool ${call.tool} was cut off.` })
  }

  /** Shortens what the model reads; the operation is told under its own name (WindieOS client packages, "compaction"). */
  compact(operation: string, force: boolean, connection: Connection): void {
    const { session } = this
    const atMs = this.#house.agent.clock.now()
    const before: History = {
      messages: session.messages,
      ...(session.context.summary && { summary: session.context.summary }),
    }
    const about = {
      reason: force ? 'requested' : 'full',
      strategy: 'summary',
      before_tokens: this.#tokens(),
    }
    const tell = this.#operation(operation, connection)
    if (session.running) {
      const error = 'a turn is under way; compact when it has ended'
      tell({ type: 'context-compaction-failed', payload: { ...about, error } })
      return
    }
    tell(startedCompaction(about))
    const most = session.profile.max_context_tokens
    const after = force ? compress(before, most, atMs, 0) : compress(before, most, atMs)
    const length = contextLength(session.context)
    if (after !== before) session.replaceHistory(after)
    const removed = length - contextLength(session.context) + 1
    this.#compacted(tell, about, after === before ? undefined : { text: after.summary?.text ?? '', removed })
  }

  /** How an operation beside the turns is told, under its own name. */
  #operation(operation: string, connection: Connection): Tell {
    let sequence = 0
    return (event) => connection.stream(event, this.ref, operation, ++sequence)
  }

  /** What came of a compaction, and what the model remembers now. */
  #compacted(tell: Tell, about: Compaction, summary: { readonly text: string; readonly removed: number } | undefined) {
    tell({
      type: 'context-compaction-completed',
      payload: {
        ...about,
        after_tokens: this.#tokens(),
        removed_messages: summary?.removed ?? 0,
        summary_preview: (summary?.text ?? '').slice(0, SUMMARY_PREVIEW),
        skipped_reason: summary ? null : 'nothing to shorten',
        replacement_history_entries: summary ? this.#entries() : [],
      },
    })
    if (summary) this.#remembered(tell)
  }

  #remembered(tell: Tell): void {
    const revision = `rev_${this.#house.agent.ids.hex(16)}`
    tell({
      type: 'model-history-updated',
      payload: {
        checkpoint_id: `checkpoint_${this.#house.agent.ids.hex(16)}`,
        revision_id: revision,
        created_at: this.#house.timestamp(),
        rows: this.#entries().map((entry, index) => ({
          id: `${revision}_${index + 1}`,
          conversation_ref: this.ref,
          revision_id: revision,
          ...entry,
        })),
      },
    })
  }

  close(): void {
    this.session.close()
    for (const runId of [...this.#turns.keys()]) this.#finish(runId)
  }

  /** What the model remembers, the summary of what it does not first. */
  #entries() {
    const { summary, messages } = this.session.context
    const head = summary ? [{ role: 'user', message_type: 'context_compaction', content: summary.text }] : []
    return [...head, ...messages.map(historyEntry)]
  }

  #tokens(): number {
    const { summary, messages } = this.session.context
    return this.#house.countTokens([summary?.text ?? '', ...messages.map(({ text }) => text)].join('\n'))
  }

  /** The tools that the connection's client and this server have together. */
  #toolbox(): Toolbox {
    const { backend, journal } = this.#house
    return {
      list: () => this.#offered(),
      call: async (name, args, context): Promise<ToolAnswer> => {
        const tool = this.#tool(name)
        if (!tool) {
          journal('TOOL_NOT_FOUND', `the model asked for ${JSON.stringify(name)}`)
          return { ok: false, result: `there is no tool ${JSON.stringify(name)}` }
        }
        const answer =
          tool.where === 'backend' ? await backend.call(name, args, context) : await this.#await(context.callId)
        if (!answer.ok) journal('TOOL_EXECUTION_ERROR', `${name} failed`)
        return answer
      },
      state: () => backend.state?.(),
    }
  }

  #offered(): readonly Offered[] {
    return this.#connection.offered()
  }

  #tool(name: string): Offered | undefined {
    return this.#offered().find((tool) => tool.name === name)
  }

  /** The picture that went with an answer; a model can go on without one that is gone. */
  async #images({ screenshot }: Answer, { user }: Connection): Promise<readonly Image[]> {
    const { artifacts, auth, journal } = this.#house
    if (!screenshot) return []
    try {
      if ('base64' in screenshot) return [shownInline(screenshot.base64)]
      return [await shownArtifact(artifacts, screenshot.ref, auth === 'install' ? user.id : undefined)]
    } catch (thrown) {
      journal('MEMORY_STORE_ERROR', Fault.from(thrown).message)
      return []
    }
  }

  async #await(callId: string): Promise<ToolAnswer> {
    const pending = this.#calls.get(callId)
    if (!pending) return { ok: false, result: 'the client was not asked' }
    try {
      const answer = await pending.answered
      return { ...answer, images: await this.#images(answer, pending.executor) }
    } finally {
      pending.callOff()
      this.#calls.delete(callId)
    }
  }

  #hear(event: AgentEvent): void {
    const turn = this.#turns.get(event.runId)
    if (!turn) return
    const tell = (told: StreamedEvent, to = turn.connection) => {
      const sequence = (turn.told.get(to) ?? 0) + 1
      turn.told.set(to, sequence)
      to.stream(told, this.ref, turn.ref, sequence)
    }
    for (const told of toWire(event)) tell(told)
    switch (event.type) {
      case 'run_started':
        this.#connection = turn.connection
        this.session.askForModel(turn.config.selected_model_id)
        for (const told of this.#opening(turn)) tell(told)
        return
      case 'thinking_delta':
        if (!event.subagent) turn.spoken = { ...turn.spoken, thinking: turn.spoken.thinking + event.text }
        return
      case 'text_delta':
        if (!event.subagent) turn.spoken = { ...turn.spoken, text: turn.spoken.text + event.text }
        return
      case 'usage':
        turn.spoken = { ...turn.spoken, counted: true }
        return
      case 'message_end':
        this.#dispatch(event.calls, turn.connection, tell)
        if (!event.subagent && event.because !== 'stopped') turn.connection.speak(event.text, () => !turn.stopped)
        return
      case 'tool_started':
        turn.startedMs.set(event.callId, event.atMs)
        if (event.tool === 'web_search')
          tell({
            type: 'web-search-progress',
            payload: { text: `Searching the web for ${String(event.args.query ?? '')}`, request_id: event.callId },
          })
        return
      case 'tool_result':
        if (OWN.has(event.tool) || this.#toldElsewhere(event)) return
        tell({
          type: 'tool-output',
          payload: {
            tool_name: event.tool,
            success: event.ok,
            execution_time: (event.atMs - (turn.startedMs.get(event.callId) ?? event.atMs)) / 1000,
            output: event.text,
            error: event.ok ? null : event.text,
            ...this.#pictureOf(event.callId),
            request_id: event.callId,
            metadata: { tool_call_id: event.callId },
          },
        })
        return
      case 'context_compressed': {
        const operation = this.#operation(`compaction_${this.#house.agent.ids.hex(24)}`, turn.connection)
        const about = { reason: 'full', strategy: 'summary', before_tokens: turn.contextTokens }
        operation(startedCompaction(about))
        const removed = event.before - event.after + 1
        this.#compacted(operation, about, { text: event.summary, removed })
        return
      }
      case 'disconnect':
        turn.connection.drop()
        return
      case 'error':
        this.#house.journal(modelFailure(event.code), event.message)
        return
      case 'run_ended':
        turn.contextTokens = event.contextTokens
        turn.stopped = event.outcome === 'stopped'
        this.#conclude(event, turn, tell)
    }
  }

  /** What is told before the model says anything (WindieOS document, "query-plan"). */
  #opening({ query, prompt, images }: Turn): readonly StreamedEvent[] {
    return [
      { type: 'query-accepted', payload: { status: 'accepted' } },
      { type: 'system-prompt', payload: { content: prompt } },
      {
        type: 'user-message-full',
        payload: userMessageFull(fullMessage(query.text, query.content), images.length > 0),
      },
      { type: 'tool-schemas', payload: { tool_schemas: this.#offered().map(nested) } },
    ]
  }

  #pictureOf(callId: string): { readonly screenshot_ref?: string } {
    const screenshot_ref = this.#screenshots.get(callId)
    this.#screenshots.delete(callId)
    return screenshot_ref === undefined ? {} : { screenshot_ref }
  }

  /** Whether somebody carried a call out who was asked to; the one who asked the question then knows its result. */
  #toldElsewhere({ tool, callId }: { readonly tool: string; readonly callId: string }): boolean {
    const shown = this.#shown.delete(callId)
    return !shown && this.#tool(tool)?.where === 'client'
  }

  /**
   * Sends the calls of a message that clients carry out: to the client who asked, and where there is a runtime, to that
   * one what the client did not bring.
   */
  #dispatch(calls: readonly ToolCall[], asker: Connection, tell: TellOne): void {
    const out = calls.filter(({ tool }) => this.#tool(tool)?.where === 'client')
    if (out.length === 0) return
    const runtime = this.#house.users.runtimeFor(asker)
    const theirs = runtime ? out.filter(({ tool }) => !asker.brings(tool)) : []
    const own = out.filter((call) => !theirs.includes(call))
    this.#hand(own, asker, asker, tell)
    if (runtime) this.#hand(theirs, runtime, asker, tell)
  }

  /**
   * One call goes by itself, several as a bundle. Where another than the client who asked carries them out, that client is
   * shown each call, and later its result.
   */
  #hand(out: readonly ToolCall[], executor: Connection, asker: Connection, tell: TellOne): void {
    const [first] = out
    if (!first) return
    for (const { id, tool } of out) this.#expect(id, tool, executor)
    const callOf = ({ id, tool, args }: typeof first) => ({
      tool_name: tool,
      parameters: { ...args },
      request_id: id,
      metadata: { tool_call_id: id },
    })
    if (executor !== asker)
      for (const call of out) {
        this.#shown.add(call.id)
        const metadata = { tool_call_id: call.id, skip_local_execution: true as const }
        tell({ type: 'tool-call', payload: { ...callOf(call), metadata } })
      }
    if (out.length === 1) {
      tell({ type: 'tool-call', payload: callOf(first) }, executor)
      return
    }
    const bundle_id = `bundle_${this.#house.agent.ids.hex(24)}`
    this.#bundles.set(bundle_id, { executor, calls: out.map(({ id }) => id), tools: out.map(({ tool }) => tool) })
    const tools = out.map(({ id, tool, args }) => ({ name: tool, args: { ...args }, tool_call_id: id }))
    tell({ type: 'tool-bundle', payload: { bundle_id, tools } }, executor)
  }

  #expect(callId: string, tool: string, executor: Connection): void {
    const { agent, toolTimeoutMs, journal } = this.#house
    let settle: (answer: Answer) => void = () => {}
    const answered = new Promise<Answer>((resolve) => {
      settle = resolve
    })
    const callOff = deadline(agent.clock, toolTimeoutMs, () => {
      journal('TOOL_EXECUTION_ERROR', `the client did not answer a call of ${tool}`)
      settle({ ok: false, result: `Tool ${tool} was not answered within ${toolTimeoutMs / 1000} s.` })
    })
    this.#calls.set(callId, { tool, executor, answered, settle, callOff })
  }

  #conclude(end: Extract<AgentEvent, { type: 'run_ended' }>, turn: Turn, tell: (event: StreamedEvent) => void): void {
    const { connection, config } = turn
    if (end.outcome === 'failed')
      connection.fail(end.failure ?? 'the turn failed', turn.ref, { conversation: this.ref, turn: turn.ref })
    if (end.outcome !== 'finished') return
    tell({ type: 'assistant-message-full', payload: { content: end.text } })
    tell({ type: 'token-count', payload: tokenCount(end, turn.spoken) })
    tell({
      type: 'streaming-complete',
      payload: {
        final_response: end.text,
        model_id: config.selected_model_id,
        model_provider: config.model_provider,
      },
    })
  }

  #finish(runId: string): void {
    const turn = this.#turns.get(runId)
    if (!turn) return
    this.#turns.delete(runId)
    if (this.#turns.size === 0) {
      for (const { callOff } of this.#calls.values()) callOff()
      this.#calls.clear()
      this.#bundles.clear()
      this.#shown.clear()
      this.#screenshots.clear()
    }
    turn.done()
  }
}
