import { setImmediate as breathe } from 'node:timers/promises'
import { Fault } from '../../base/fault.ts'
import { addUsage, type EventBody, NO_USAGE, type Usage } from '../events.ts'
import { estimateTokens, type ImageContent, type ModelContext } from '../history/history.ts'
import { type ModelStep, type ModelStepResult, type ModelSteps, NO_RESULTS } from '../models/model.ts'
import type { Profile } from '../profiles/profiles.ts'
import { ASK_USER, engineTools } from '../tools/engine-tools.ts'
import { NO_TOOLS, pickTools, type Toolbox } from '../tools/toolbox.ts'
import { abortable, Failure, STOPPED } from './abort.ts'
import { Calls } from './calls.ts'
import { MessageWriter } from './message-writer.ts'
import type { RunContext, RunEnd, UserInput } from './run-context.ts'

/** How many steps are done in one go. */
const BREATH_EVERY = 32

/** A profile and the model that speaks for it. */
type ActiveModel = ReturnType<RunContext['model']> & { readonly profile: Profile }

/** One message of a person and everything that comes of it. After its end nothing of it is told any more. */
export class AgentRun {
  readonly id: string
  readonly input: UserInput
  /** Ends with the run, never with a rejection. */
  readonly ended: Promise<RunEnd>
  readonly #stage: RunContext
  readonly #stop = new AbortController()
  readonly #calls: Calls
  readonly #speaker: MessageWriter
  /** The tools of the profile that the run began with. */
  #toolbox: Toolbox = NO_TOOLS
  /** The profile that the run began with. */
  #profile: Profile | undefined
  /** Who answers: settled when the run begins. */
  #mind: ActiveModel | undefined
  #settle: (end: RunEnd) => void = () => {}
  #state: 'waiting' | 'live' | 'over' = 'waiting'
  #usage: Usage = NO_USAGE
  #startedMs: number
  #turns = 0
  #steps = 0

  constructor(stage: RunContext, input: UserInput) {
    this.#stage = stage
    this.id = `run_${stage.ids.hex(24)}`
    this.input = input
    this.#startedMs = stage.clock.now()
    this.ended = new Promise((settle) => {
      this.#settle = settle
    })
    this.#speaker = this.#newSpeaker(false, this.#stop.signal)
    this.#calls = new Calls({
      stage,
      toolbox: () => this.#toolbox,
      profile: () => this.#profile ?? stage.profile(),
      tell: (happening, speaker) => this.#emit(happening, speaker),
      nest: (task, steps, signal) => this.#nest(task, steps, signal),
    })
  }

  get over(): boolean {
    return this.#state === 'over'
  }

  /** Begins the run; returns at once. */
  start(): void {
    if (this.#state !== 'waiting') return
    this.#state = 'live'
    this.#startedMs = this.#stage.clock.now()
    void this.#live()
  }

  /** Ends the run now: what was half said is kept, what is pending is withdrawn. False when it is over already. */
  stop(): boolean {
    if (this.#state === 'over') return false
    this.#cut()
    this.#end('stopped')
    this.#stop.abort()
    return true
  }

  /** Ends one call, a nested agent for example; the run goes on. False when no such call is under way. */
  stopTask(callId: string): boolean {
    return this.#calls.stop(callId)
  }

  async #live(): Promise<void> {
    // Whoever sent the message learns the run's id before the run's first event.
    await null
    if (this.over) return
    const { text, modelText, images } = this.input
    const stage = this.#stage
    let steps: ModelSteps | undefined
    try {
      this.#begin()
      this.#profile = stage.profile()
      const { enabled_tools } = this.#profile
      this.#toolbox = enabled_tools ? pickTools(stage.toolbox, enabled_tools) : stage.toolbox
      steps = this.#think(modelText ?? text, images ?? [], stage.context(), this.#stop.signal)
      await this.#play(steps, this.#speaker)
      this.#end('finished')
    } catch (thrown) {
      if (thrown !== STOPPED) this.#fail(thrown)
    }
    void steps?.return().catch(() => {})
  }

  /** Here and below: what is told has been kept, so that a restart never knows less than a client does. */
  #begin(): void {
    const { text, modelText, images } = this.input
    const stage = this.#stage
    try {
      stage.addMessage({
        role: 'user',
        text,
        ...(modelText === undefined ? {} : { modelText }),
        ...(images && images.length > 0 ? { images } : {}),
        atMs: stage.clock.now(),
      })
    } finally {
      // A run that fails has begun.
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
    const stage = this.#stage
    this.#mind ??= this.#newMind()
    const { profile, model, asked } = this.#mind
    const own = engineTools(stage.capabilities).filter((tool) => !nested || tool.name === ASK_USER)
    return model.run({
      text,
      images,
      context,
      turn: stage.nextTurn(nested),
      nested,
      profile,
      model: asked,
      tools: [...this.#toolbox.list(), ...own],
      state: () => this.#toolbox.state?.(),
      signal,
    })
  }

  #newMind(): ActiveModel {
    const { systemPrompt } = this.input
    const profile = { ...this.#stage.profile(), ...(systemPrompt !== undefined && { system_prompt: systemPrompt }) }
    return { profile, ...this.#stage.model(profile) }
  }

  async #play(steps: ModelSteps, speaker: MessageWriter): Promise<void> {
    let outcome: ModelStepResult = NO_RESULTS
    for (;;) {
      // A model is given the signal; should it not heed it, whatever it does later comes to nothing.
      const next = await steps.next(outcome)
      if (speaker.signal.aborted) throw STOPPED
      if (next.done) break
      outcome = await this.#perform(next.value, speaker)
      await this.#breathe(speaker)
    }
    speaker.end('end')
  }

  /** A script without pauses would otherwise keep the sockets waiting until it ends. */
  #breathe(speaker: MessageWriter): Promise<void> | undefined {
    if (++this.#steps % BREATH_EVERY !== 0) return undefined
    return breathe().then(() => {
      if (speaker.signal.aborted) throw STOPPED
    })
  }

  async #utter(step: Extract<ModelStep, { do: 'think' | 'say' }>, speaker: MessageWriter): Promise<void> {
    const { closing } = step
    for (const piece of typeof step.text === 'string' ? [step.text] : step.text) {
      if (step.do === 'think') speaker.think(piece, closing)
      else speaker.say(piece, closing)
      const pause = this.#breathe(speaker)
      if (pause) await pause
      if (speaker.signal.aborted) throw STOPPED
    }
  }

  async #perform(step: ModelStep, speaker: MessageWriter): Promise<ModelStepResult> {
    switch (step.do) {
      case 'think':
      case 'say':
        await this.#utter(step, speaker)
        return NO_RESULTS
      case 'plan':
        this.#emit({ type: 'plan', text: step.text }, speaker)
        return NO_RESULTS
      case 'call':
        return { results: await this.#calls.make(step.calls, speaker) }
      case 'use':
        this.#use(step, speaker)
        return NO_RESULTS
      case 'wait':
        await abortable(Promise.resolve(this.#stage.clock.sleep(step.ms, speaker.signal)), speaker.signal)
        return NO_RESULTS
      case 'fail':
        if (step.fatal) throw new Failure(step.code, step.message)
        this.#emit({ type: 'error', code: step.code, message: step.message, fatal: false }, speaker)
        return NO_RESULTS
      case 'disconnect':
        this.#emit({ type: 'disconnect' }, speaker)
        return NO_RESULTS
      case 'status':
        this.#emit({ type: 'server_status', server: step.server, status: step.status }, speaker)
        return NO_RESULTS
      case 'hook':
        return { results: [await this.#calls.hook(step.hook, step.input, speaker)] }
      case 'compress':
        this.#stage.requestCompression()
        return NO_RESULTS
    }
  }

  #use(step: Extract<ModelStep, { do: 'use' }>, speaker: MessageWriter): void {
    const usage: Usage = {
      inputTokens: step.inputTokens ?? 0,
      outputTokens: step.outputTokens ?? 0,
      costUsd: step.costUsd ?? 0,
    }
    this.#usage = addUsage(this.#usage, usage)
    if (step.contextTokens !== undefined) this.#stage.setContextTokens(step.contextTokens)
    this.#emit({ type: 'usage', usage }, speaker)
  }

  /** A nested agent, from its task to its last words. */
  async #nest(task: string, given: ModelSteps | undefined, signal: AbortSignal): Promise<string> {
    const atMs = this.#stage.clock.now()
    const context: ModelContext = { summary: undefined, messages: [{ role: 'user', text: task, atMs }] }
    const speaker = this.#newSpeaker(true, signal)
    const steps = given ?? this.#think(task, [], context, signal, true)
    try {
      await this.#play(steps, speaker)
      return speaker.lastText
    } finally {
      void steps.return().catch(() => {})
    }
  }

  #newSpeaker(subagent: boolean, signal: AbortSignal): MessageWriter {
    const stage = this.#stage
    return new MessageWriter({
      subagent,
      signal,
      newId: () => `msg_${stage.ids.hex(24)}`,
      tell: (happening) => this.#emit(happening, { subagent }),
      finished: ({ text, thinking, calls }) => {
        this.#turns += 1
        if (subagent || (text === '' && calls.length === 0)) return
        stage.addMessage({
          role: 'assistant',
          text,
          ...(thinking === '' ? {} : { thinking }),
          calls,
          atMs: stage.clock.now(),
        })
      },
    })
  }

  #emit(happening: EventBody, { subagent }: { readonly subagent: boolean } = { subagent: false }): void {
    if (this.#state === 'over') return
    // A happening is made for one telling, so it is stamped in place rather than copied.
    this.#stage.emit(Object.assign(happening, { runId: this.id, atMs: this.#stage.clock.now(), subagent }))
  }

  #fail(thrown: unknown): void {
    if (this.#state === 'over') return
    if (!(thrown instanceof Failure || thrown instanceof Fault)) this.#stage.onBug(thrown)
    const { code, message } = thrown instanceof Failure ? thrown : Fault.from(thrown)
    this.#cut()
    this.#emit({ type: 'error', code, message, fatal: true })
    this.#end('failed', message)
    this.#stop.abort()
  }

  /** Keeps what was half said. */
  #cut(): void {
    if (this.#state !== 'live') return
    try {
      this.#speaker.end('stopped')
      this.#calls.abandon()
    } catch (thrown) {
      this.#stage.onBug(thrown)
    }
  }

  #end(outcome: RunEnd['outcome'], failure?: string): void {
    const stage = this.#stage
    const contextTokens = stage.contextTokens()
    const maxContextTokens = this.#mind?.profile.max_context_tokens ?? stage.maxContextTokens()
    const end: RunEnd = {
      type: 'run_ended',
      outcome,
      ...(failure === undefined ? {} : { failure }),
      text: this.#speaker.lastText,
      usage: this.#usage === NO_USAGE ? this.#estimatedUsage(contextTokens) : this.#usage,
      durationMs: stage.clock.now() - this.#startedMs,
      turns: this.#turns,
      // A model is never sent more than fits.
      contextTokens: Math.min(contextTokens, maxContextTokens),
      maxContextTokens,
    }
    this.#emit(end)
    this.#state = 'over'
    stage.onRunEnded(this.id, end)
    this.#settle(end)
  }

  #estimatedUsage(contextTokens: number): Usage {
    const outputTokens = estimateTokens(this.#speaker.allText)
    return { inputTokens: Math.max(0, contextTokens - outputTokens), outputTokens, costUsd: 0 }
  }
}
