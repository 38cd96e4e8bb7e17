import { setImmediate as nextTurn } from 'node:timers/promises'
import { abortable, STOPPED } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { ASK_USER, engineTools } from '../engine-tools.ts'
import { addUsage, type EventBody, NO_USAGE, type Usage } from '../events.ts'
import { estimateTokens, type ImageContent, type ModelContext } from '../history/history.ts'
import { type ModelStep, type ModelStepResult, type ModelSteps, NO_RESULTS } from '../models/model.ts'
import type { Profile } from '../profiles.ts'
import { NO_TOOLS, pickTools, type Toolbox } from '../toolbox.ts'
import { Calls } from './calls.ts'
import { MessageWriter } from './message-writer.ts'
import type { RunContext, RunEnd, UserInput } from './run-context.ts'
import { Failure } from './run-context.ts'

/** The number of steps between two returns to the event loop. */
const MAX_STEPS_PER_TICK = 32

/** A profile and its model. */
type ActiveModel = ReturnType<RunContext['model']> & { readonly profile: Profile }

/** The processing of one user message. Emits no events after its end. */
export class AgentRun {
  readonly id: string
  readonly input: UserInput
  /** Resolves when the run ends. Never rejects. */
  readonly ended: Promise<RunEnd>
  readonly #runContext: RunContext
  readonly #stop = new AbortController()
  readonly #calls: Calls
  readonly #writer: MessageWriter
  /** The tools of the initial profile. */
  #toolbox: Toolbox = NO_TOOLS
  /** The initial profile. */
  #profile: Profile | undefined
  /** The profile and model, selected when the run begins. */
  #activeModel: ActiveModel | undefined
  #settle: (end: RunEnd) => void = () => {}
  #state: 'waiting' | 'live' | 'over' = 'waiting'
  #usage: Usage = NO_USAGE
  #startedMs: number
  #turns = 0
  #steps = 0

  constructor(runContext: RunContext, input: UserInput) {
    this.#runContext = runContext
    this.id = `run_${runContext.ids.hex(24)}`
    this.input = input
    this.#startedMs = runContext.clock.now()
    this.ended = new Promise((settle) => {
      this.#settle = settle
    })
    this.#writer = this.#newWriter(false, this.#stop.signal)
    this.#calls = new Calls({
      runContext,
      toolbox: () => this.#toolbox,
      profile: () => this.#profile ?? runContext.profile(),
      emit: (event, writer) => this.#emit(event, writer),
      nest: (task, steps, signal) => this.#nest(task, steps, signal),
    })
  }

  get over(): boolean {
    return this.#state === 'over'
  }

  /** Starts the run and returns at once. */
  start(): void {
    if (this.#state !== 'waiting') return
    this.#state = 'live'
    this.#startedMs = this.#runContext.clock.now()
    void this.#live()
  }

  /** Stops the run. Keeps the unfinished message and withdraws pending requests. Returns false if the run is over. */
  stop(): boolean {
    if (this.#state === 'over') return false
    this.#cut()
    this.#end('stopped')
    this.#stop.abort()
    return true
  }

  /** Stops one call, for example a nested agent. The run continues. Returns false if the call is not running. */
  stopTask(callId: string): boolean {
    return this.#calls.stop(callId)
  }

  async #live(): Promise<void> {
    // The sender receives the run's id before the run's first event.
    await null
    if (this.over) return
    const { text, modelText, images } = this.input
    const runContext = this.#runContext
    let steps: ModelSteps | undefined
    try {
      this.#begin()
      this.#profile = runContext.profile()
      const { enabled_tools } = this.#profile
      this.#toolbox = enabled_tools ? pickTools(runContext.toolbox, enabled_tools) : runContext.toolbox
      steps = this.#think(modelText ?? text, images ?? [], runContext.context(), this.#stop.signal)
      await this.#play(steps, this.#writer)
      this.#end('finished')
    } catch (thrown) {
      if (thrown !== STOPPED) this.#fail(thrown)
    }
    void steps?.return().catch(() => {})
  }

  /** Messages are stored before their events are emitted, so that a client never knows more than a restarted server. */
  #begin(): void {
    const { text, modelText, images } = this.input
    const runContext = this.#runContext
    try {
      runContext.addMessage({
        role: 'user',
        text,
        ...(modelText === undefined ? {} : { modelText }),
        ...(images && images.length > 0 ? { images } : {}),
        atMs: runContext.clock.now(),
      })
    } finally {
      // A failed run also counts as begun.
      this.#emit({ type: 'run_started', text })
    }
  }

  #think(
    text: string,
    images: readonly ImageContent[],
    context: ModelContext,
    signal: AbortSignal,
    nested = false,
  ): ModelSteps {
    const runContext = this.#runContext
    this.#activeModel ??= this.#newActiveModel()
    const { profile, model, asked } = this.#activeModel
    const own = engineTools(runContext.capabilities).filter((tool) => !nested || tool.name === ASK_USER)
    return model.run({
      text,
      images,
      context,
      turn: runContext.nextTurn(nested),
      nested,
      profile,
      model: asked,
      tools: [...this.#toolbox.list(), ...own],
      state: () => this.#toolbox.state?.(),
      signal,
    })
  }

  #newActiveModel(): ActiveModel {
    const { systemPrompt } = this.input
    const profile = {
      ...this.#runContext.profile(),
      ...(systemPrompt !== undefined && { system_prompt: systemPrompt }),
    }
    return { profile, ...this.#runContext.model(profile) }
  }

  async #play(steps: ModelSteps, writer: MessageWriter): Promise<void> {
    let outcome: ModelStepResult = NO_RESULTS
    for (;;) {
      // Models receive the signal. If a model ignores it, its later steps are discarded.
      const next = await steps.next(outcome)
      if (writer.signal.aborted) throw STOPPED
      if (next.done) break
      outcome = await this.#perform(next.value, writer)
      await this.#yieldToEventLoop(writer)
    }
    writer.end('end')
  }

  /** Returns to the event loop now and then. Without this, a script without pauses would block all sockets. */
  #yieldToEventLoop(writer: MessageWriter): Promise<void> | undefined {
    if (++this.#steps % MAX_STEPS_PER_TICK !== 0) return undefined
    return nextTurn().then(() => {
      if (writer.signal.aborted) throw STOPPED
    })
  }

  async #writePieces(step: Extract<ModelStep, { do: 'think' | 'say' }>, writer: MessageWriter): Promise<void> {
    const { closing } = step
    for (const piece of typeof step.text === 'string' ? [step.text] : step.text) {
      if (step.do === 'think') writer.think(piece, closing)
      else writer.say(piece, closing)
      const pause = this.#yieldToEventLoop(writer)
      if (pause) await pause
      if (writer.signal.aborted) throw STOPPED
    }
  }

  async #perform(step: ModelStep, writer: MessageWriter): Promise<ModelStepResult> {
    switch (step.do) {
      case 'think':
      case 'say':
        await this.#writePieces(step, writer)
        return NO_RESULTS
      case 'plan':
        this.#emit({ type: 'plan', text: step.text }, writer)
        return NO_RESULTS
      case 'call':
        return { results: await this.#calls.make(step.calls, writer) }
      case 'use':
        this.#use(step, writer)
        return NO_RESULTS
      case 'wait':
        await abortable(Promise.resolve(this.#runContext.clock.sleep(step.ms, writer.signal)), writer.signal)
        return NO_RESULTS
      case 'fail':
        if (step.fatal) throw new Failure(step.code, step.message)
        this.#emit({ type: 'error', code: step.code, message: step.message, fatal: false }, writer)
        return NO_RESULTS
      case 'disconnect':
        this.#emit({ type: 'disconnect' }, writer)
        return NO_RESULTS
      case 'status':
        this.#emit({ type: 'server_status', server: step.server, status: step.status }, writer)
        return NO_RESULTS
      case 'hook':
        return { results: [await this.#calls.hook(step.hook, step.input, writer)] }
      case 'compress':
        this.#runContext.requestCompression()
        return NO_RESULTS
    }
  }

  #use(step: Extract<ModelStep, { do: 'use' }>, writer: MessageWriter): void {
    const usage: Usage = {
      inputTokens: step.inputTokens ?? 0,
      outputTokens: step.outputTokens ?? 0,
      costUsd: step.costUsd ?? 0,
    }
    this.#usage = addUsage(this.#usage, usage)
    if (step.contextTokens !== undefined) this.#runContext.setContextTokens(step.contextTokens)
    this.#emit({ type: 'usage', usage }, writer)
  }

  /** Runs a nested agent and returns the text of its last message. */
  async #nest(task: string, given: ModelSteps | undefined, signal: AbortSignal): Promise<string> {
    const atMs = this.#runContext.clock.now()
    const context: ModelContext = { summary: undefined, messages: [{ role: 'user', text: task, atMs }] }
    const writer = this.#newWriter(true, signal)
    const steps = given ?? this.#think(task, [], context, signal, true)
    try {
      await this.#play(steps, writer)
      return writer.lastText
    } finally {
      void steps.return().catch(() => {})
    }
  }

  #newWriter(subagent: boolean, signal: AbortSignal): MessageWriter {
    const runContext = this.#runContext
    return new MessageWriter({
      subagent,
      signal,
      newId: () => `msg_${runContext.ids.hex(24)}`,
      emit: (event) => this.#emit(event, { subagent }),
      finished: ({ text, thinking, calls }) => {
        this.#turns += 1
        if (subagent || (text === '' && calls.length === 0)) return
        runContext.addMessage({
          role: 'assistant',
          text,
          ...(thinking === '' ? {} : { thinking }),
          calls,
          atMs: runContext.clock.now(),
        })
      },
    })
  }

  #emit(event: EventBody, { subagent }: { readonly subagent: boolean } = { subagent: false }): void {
    if (this.#state === 'over') return
    // Each event object is emitted once, so it is extended in place instead of copied.
    this.#runContext.emit(Object.assign(event, { runId: this.id, atMs: this.#runContext.clock.now(), subagent }))
  }

  #fail(thrown: unknown): void {
    if (this.#state === 'over') return
    if (!(thrown instanceof Failure || thrown instanceof Fault)) this.#runContext.onBug(thrown)
    const { code, message } = thrown instanceof Failure ? thrown : Fault.from(thrown)
    this.#cut()
    this.#emit({ type: 'error', code, message, fatal: true })
    this.#end('failed', message)
    this.#stop.abort()
  }

  /** Keeps the unfinished message. */
  #cut(): void {
    if (this.#state !== 'live') return
    try {
      this.#writer.end('stopped')
      this.#calls.abandon()
    } catch (thrown) {
      this.#runContext.onBug(thrown)
    }
  }

  #end(outcome: RunEnd['outcome'], failure?: string): void {
    const runContext = this.#runContext
    const contextTokens = runContext.contextTokens()
    const maxContextTokens = this.#activeModel?.profile.max_context_tokens ?? runContext.maxContextTokens()
    const end: RunEnd = {
      type: 'run_ended',
      outcome,
      ...(failure === undefined ? {} : { failure }),
      text: this.#writer.lastText,
      usage: this.#usage === NO_USAGE ? this.#estimatedUsage(contextTokens) : this.#usage,
      durationMs: runContext.clock.now() - this.#startedMs,
      turns: this.#turns,
      // The context sent to a model always fits into its window.
      contextTokens: Math.min(contextTokens, maxContextTokens),
      maxContextTokens,
    }
    this.#emit(end)
    this.#state = 'over'
    runContext.onRunEnded(this.id, end)
    this.#settle(end)
  }

  #estimatedUsage(contextTokens: number): Usage {
    const outputTokens = estimateTokens(this.#writer.allText)
    return { inputTokens: Math.max(0, contextTokens - outputTokens), outputTokens, costUsd: 0 }
  }
}
