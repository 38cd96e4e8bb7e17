import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { Ids } from '../base/ids.ts'
import { deadline } from './deadline.ts'
import type { Decisions, PermissionDecision } from './decisions.ts'
import { type AgentEvent, type Arguments, addUsage, type Happening, NO_USAGE, type Usage } from './events.ts'
import { Form } from './form.ts'
import { type Context, estimateTokens, type Image, type Message, type ToolCall } from './history.ts'
import {
  type CallRequest,
  type CallResult,
  type Model,
  NOTHING,
  type Outcome,
  type Step,
  type Steps,
} from './models/model.ts'
import {
  ASK_PERMISSION,
  ASK_USER,
  OWN_TOOLS,
  SPAWN_AGENT,
  SpawnInput,
  SWITCH_PROFILE,
  SwitchInput,
} from './own-tools.ts'
import { type Permissions, verdict } from './permissions.ts'
import type { Profile } from './profiles.ts'
import { Speaker } from './speaker.ts'
import { NO_TOOLS, pickTools, resultText, type Toolbox } from './toolbox.ts'

/** What a person says. */
export interface Input {
  readonly text: string
  /** What the model reads when it is more than that. */
  readonly modelText?: string
  readonly images?: readonly Image[]
}

export type RunEnd = Extract<Happening, { type: 'run_ended' }>

/** How a protocol wants calls to be made and people to be asked. */
export interface Manners {
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
export interface Stage {
  readonly clock: Clock
  readonly ids: Ids
  readonly toolbox: Toolbox
  readonly decisions: Decisions
  readonly manners: Manners
  permissions(): Permissions
  profile(): Profile
  /** The profile that is used from the next message on, or undefined when there is none with that id. */
  switchProfile(id: string): Profile | undefined
  model(profile: Profile): { readonly model: Model; readonly asked: string | undefined }
  /** 1 for the first message of the session, and 1 for its first nested agent. */
  nextTurn(nested: boolean): number
  context(): Context
  maxContextTokens(): number
  contextTokens(): number
  /** Replaces the estimate of how full the window is. */
  claimContextTokens(tokens: number): void
  /** Compresses the context at the end of the run, however full it is. */
  wantCompression(): void
  remember(message: Message): void
  emit(event: AgentEvent): void
  ended(run: Run, end: RunEnd): void
  /** A throw that nobody caused. */
  bug(cause: unknown): void
}

interface MadeCall extends ToolCall {
  readonly request: CallRequest
}

const STOPPED = Symbol('stopped')
const BREATH_EVERY = 32

/** A failure that the model itself declares. */
class Failure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** One message of a person and everything that comes of it. After its end nothing of it is told any more. */
export class Run {
  readonly id: string
  readonly input: Input
  /** Ends with the run, never with a rejection. */
  readonly ended: Promise<RunEnd>
  readonly #stage: Stage
  readonly #stop = new AbortController()
  readonly #tasks = new Map<string, AbortController>()
  readonly #unanswered = new Map<string, ToolCall>()
  readonly #speaker: Speaker
  /** The tools of the profile that the run began with. */
  #toolbox: Toolbox = NO_TOOLS
  #settle: (end: RunEnd) => void = () => {}
  #state: 'waiting' | 'live' | 'over' = 'waiting'
  #usage: Usage = NO_USAGE
  #startedMs: number
  #turns = 0
  #steps = 0

  constructor(stage: Stage, input: Input) {
    this.#stage = stage
    this.id = `run_${stage.ids.hex(24)}`
    this.input = input
    this.#startedMs = stage.clock.now()
    this.ended = new Promise((settle) => {
      this.#settle = settle
    })
    this.#speaker = this.#newSpeaker(false, this.#stop.signal)
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
    const task = this.#tasks.get(callId)
    task?.abort()
    return task !== undefined
  }

  async #live(): Promise<void> {
    // Whoever sent the message learns the run's id before the run's first event.
    await null
    if (this.over) return
    const { text, modelText, images } = this.input
    const stage = this.#stage
    // Here and below: what is told has been kept, so that a restart never knows less than a client does.
    stage.remember({
      role: 'user',
      text,
      ...(modelText === undefined ? {} : { modelText }),
      ...(images && images.length > 0 ? { images } : {}),
      atMs: stage.clock.now(),
    })
    this.#emit({ type: 'run_started', text })
    const { enabled_tools } = stage.profile()
    this.#toolbox = enabled_tools ? pickTools(stage.toolbox, enabled_tools) : stage.toolbox
    let steps: Steps | undefined
    try {
      steps = this.#think(modelText ?? text, images ?? [], stage.context(), this.#stop.signal)
      await this.#play(steps, this.#speaker)
      this.#end('finished')
    } catch (thrown) {
      if (thrown !== STOPPED) this.#fail(thrown)
    }
    void steps?.return().catch(() => {})
  }

  #think(text: string, images: readonly Image[], context: Context, signal: AbortSignal, nested = false): Steps {
    const stage = this.#stage
    const profile = stage.profile()
    const { model, asked } = stage.model(profile)
    const own = OWN_TOOLS.filter((tool) => !nested || tool.name === ASK_USER)
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

  async #play(steps: Steps, speaker: Speaker): Promise<void> {
    let outcome: Outcome = NOTHING
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
  #breathe(speaker: Speaker): Promise<void> | undefined {
    if (++this.#steps % BREATH_EVERY !== 0) return undefined
    return breathe().then(() => {
      if (speaker.signal.aborted) throw STOPPED
    })
  }

  async #utter(step: Extract<Step, { do: 'think' | 'say' }>, speaker: Speaker): Promise<void> {
    const closing = step.closing ?? false
    for (const piece of typeof step.text === 'string' ? [step.text] : step.text) {
      if (step.do === 'think') speaker.think(piece, closing)
      else speaker.say(piece, closing)
      const pause = this.#breathe(speaker)
      if (pause) await pause
      if (speaker.signal.aborted) throw STOPPED
    }
  }

  async #perform(step: Step, speaker: Speaker): Promise<Outcome> {
    switch (step.do) {
      case 'think':
      case 'say':
        await this.#utter(step, speaker)
        return NOTHING
      case 'plan':
        this.#emit({ type: 'plan', text: step.text }, speaker)
        return NOTHING
      case 'call':
        return { results: await this.#callAll(step.calls, speaker) }
      case 'use':
        this.#use(step, speaker)
        return NOTHING
      case 'wait':
        await heed(this.#stage.clock.sleep(step.ms, speaker.signal), speaker.signal)
        return NOTHING
      case 'fail':
        if (step.fatal) throw new Failure(step.code, step.message)
        this.#emit({ type: 'error', code: step.code, message: step.message, fatal: false }, speaker)
        return NOTHING
      case 'disconnect':
        this.#emit({ type: 'disconnect' }, speaker)
        return NOTHING
      case 'status':
        this.#emit({ type: 'server_status', server: step.server, status: step.status }, speaker)
        return NOTHING
      case 'hook':
        return { results: [await this.#hook(step.hook, step.input, speaker)] }
      case 'compress':
        this.#stage.wantCompression()
        return NOTHING
    }
  }

  #use(step: Extract<Step, { do: 'use' }>, speaker: Speaker): void {
    const usage: Usage = {
      inputTokens: step.inputTokens ?? 0,
      outputTokens: step.outputTokens ?? 0,
      costUsd: step.costUsd ?? 0,
    }
    this.#usage = addUsage(this.#usage, usage)
    if (step.contextTokens !== undefined) this.#stage.claimContextTokens(step.contextTokens)
    this.#emit({ type: 'usage', usage }, speaker)
  }

  async #callAll(requests: readonly CallRequest[], speaker: Speaker): Promise<readonly CallResult[]> {
    const calls = requests.map((request): MadeCall => {
      const id = `call_${this.#stage.ids.hex(24)}`
      speaker.call({ id, tool: request.tool, args: request.args }, request.pieces)
      return { id, tool: request.tool, args: request.args, request }
    })
    speaker.end('calls')
    const { parallel, results } = this.#stage.manners
    const answered = await inPool(calls, parallel, async (call) => {
      const result = await this.#call(call, speaker)
      if (results === 'each') this.#report(call, result, speaker)
      return result
    })
    if (results === 'together')
      for (const [index, call] of calls.entries()) this.#report(call, answered[index]!, speaker)
    return answered
  }

  async #call(call: MadeCall, speaker: Speaker): Promise<CallResult> {
    const task = new AbortController()
    const signal = AbortSignal.any([speaker.signal, task.signal])
    this.#tasks.set(call.id, task)
    try {
      const permitted = await this.#permit(call, speaker, signal)
      if ('refusal' in permitted) return failed(call, permitted.refusal)
      this.#emit({ type: 'tool_started', callId: call.id, tool: call.tool, args: permitted.args }, speaker)
      return await this.#carryOut({ ...call, args: permitted.args }, speaker, signal)
    } catch (thrown) {
      if (speaker.signal.aborted || thrown instanceof Failure) throw thrown
      if (thrown === STOPPED) return failed(call, 'the task was stopped')
      if (!(thrown instanceof Fault)) this.#stage.bug(thrown)
      return failed(call, Fault.from(thrown).message)
    } finally {
      this.#tasks.delete(call.id)
    }
  }

  async #permit(
    call: MadeCall,
    speaker: Speaker,
    signal: AbortSignal,
  ): Promise<{ readonly args: Arguments } | { readonly refusal: string }> {
    const { manners } = this.#stage
    const acts = this.#toolbox.list().find((tool) => tool.name === call.tool)?.acts ?? false
    const wanted = verdict(this.#stage.permissions(), {
      tool: call.tool,
      acts,
      demanded: call.request.permission !== undefined,
    })
    if (wanted === 'deny') return { refusal: `${call.tool} is not permitted in this session` }
    if (wanted === 'allow' || manners.permissions === 'allow') return { args: call.args }
    const decision = await this.#decision(call, speaker, signal, () =>
      this.#emit(
        {
          type: 'permission_request',
          requestId: call.id,
          tool: call.tool,
          args: call.args,
          description: call.request.permission?.description ?? `Use ${call.tool}`,
          details: call.request.permission?.details,
        },
        speaker,
      ),
    )
    if (decision.allowed) return { args: decision.args ?? call.args }
    return { refusal: decision.message ?? 'the person did not permit this' }
  }

  /** Asks, and waits for whoever decides first: a client, or time. */
  async #decision(
    call: ToolCall,
    speaker: Speaker,
    signal: AbortSignal,
    tell: () => void,
  ): Promise<PermissionDecision> {
    const { decisions, clock, manners } = this.#stage
    const decided = decisions.ask({ kind: 'permission', id: call.id, tool: call.tool, args: call.args })
    tell()
    const timeoutMs = manners.permissionTimeoutMs
    const late: PermissionDecision = {
      kind: 'permission',
      allowed: false,
      by: 'timeout',
      message: 'nobody answered in time',
    }
    const callOff =
      timeoutMs === undefined ? () => {} : deadline(clock, timeoutMs, () => decisions.decide(call.id, late))
    try {
      const decision = await heed(decided, signal)
      this.#emit(
        { type: 'permission_decided', requestId: call.id, allowed: decision.allowed, by: decision.by },
        speaker,
      )
      return decision
    } finally {
      callOff()
      decisions.withdraw(call.id)
    }
  }

  async #hook(hook: string, input: Arguments, speaker: Speaker): Promise<CallResult> {
    const call: ToolCall = { id: `hook_${this.#stage.ids.hex(24)}`, tool: hook, args: input }
    const decision = await this.#decision(call, speaker, speaker.signal, () =>
      this.#emit({ type: 'hook_request', requestId: call.id, hook, input }, speaker),
    )
    return decision.allowed ? succeeded(call, 'allowed') : failed(call, decision.message ?? 'denied')
  }

  async #carryOut(call: MadeCall, speaker: Speaker, signal: AbortSignal): Promise<CallResult> {
    switch (call.tool) {
      case ASK_PERMISSION:
        return succeeded(call, 'approved')
      case ASK_USER:
        return this.#ask(call, speaker, signal)
      case SPAWN_AGENT:
        return this.#spawn(call, signal)
      case SWITCH_PROFILE:
        return this.#switchProfile(call, speaker)
    }
    const context = { callId: call.id, signal }
    const { ok, result } = await heed(this.#toolbox.call(call.tool, call.args, context), signal)
    return { callId: call.id, ok, text: resultText(result), output: result }
  }

  async #ask(call: MadeCall, speaker: Speaker, signal: AbortSignal): Promise<CallResult> {
    const form = Form.safeParse(call.args)
    if (!form.success) return failed(call, 'a question needs `questions`, each with a `question`')
    if (this.#stage.manners.questions === 'skip') return failed(call, 'nobody can be asked here')
    const { decisions } = this.#stage
    const answered = decisions.ask({ kind: 'question', id: call.id, form: form.data })
    this.#emit({ type: 'question', requestId: call.id, form: form.data }, speaker)
    try {
      const { answers, text } = await heed(answered, signal)
      this.#emit({ type: 'question_answered', requestId: call.id }, speaker)
      return { callId: call.id, ok: true, text, output: answers }
    } finally {
      decisions.withdraw(call.id)
    }
  }

  async #spawn(call: MadeCall, signal: AbortSignal): Promise<CallResult> {
    const input = SpawnInput.safeParse(call.args)
    if (!input.success) return failed(call, 'a nested agent needs a `task`')
    const atMs = this.#stage.clock.now()
    const context: Context = { summary: undefined, messages: [{ role: 'user', text: input.data.task, atMs }] }
    const speaker = this.#newSpeaker(true, signal)
    const steps = call.request.agent ?? this.#think(input.data.task, [], context, signal, true)
    try {
      await this.#play(steps, speaker)
      return succeeded(call, speaker.lastText)
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      return failed(call, thrown.message)
    } finally {
      void steps.return().catch(() => {})
    }
  }

  #switchProfile(call: MadeCall, speaker: Speaker): CallResult {
    const input = SwitchInput.safeParse(call.args)
    const profile = input.success ? this.#stage.switchProfile(input.data.profile_id) : undefined
    if (!profile) return failed(call, `there is no profile ${JSON.stringify(call.args.profile_id ?? '')}`)
    this.#emit({ type: 'profile_switched', profileId: profile.id, profileName: profile.name }, speaker)
    return succeeded(call, `From the next message on ${profile.name} answers.`)
  }

  #report(call: MadeCall, result: CallResult, speaker: Speaker): void {
    const { ok, text, output } = result
    if (!speaker.subagent) {
      this.#unanswered.delete(call.id)
      this.#stage.remember({ role: 'tool', callId: call.id, tool: call.tool, ok, text, atMs: this.#stage.clock.now() })
    }
    this.#emit({ type: 'tool_result', callId: call.id, tool: call.tool, args: call.args, ok, text, output }, speaker)
  }

  #newSpeaker(subagent: boolean, signal: AbortSignal): Speaker {
    const stage = this.#stage
    return new Speaker({
      subagent,
      signal,
      newId: () => `msg_${stage.ids.hex(24)}`,
      tell: (happening) => this.#emit(happening, { subagent }),
      finished: ({ text, thinking, calls }) => {
        this.#turns += 1
        if (subagent) return
        for (const call of calls) this.#unanswered.set(call.id, call)
        stage.remember({
          role: 'assistant',
          text,
          ...(thinking === '' ? {} : { thinking }),
          calls,
          atMs: stage.clock.now(),
        })
      },
    })
  }

  #emit(happening: Happening, { subagent }: { readonly subagent: boolean } = { subagent: false }): void {
    if (this.#state === 'over') return
    // A happening is made for one telling, so it is stamped in place rather than copied.
    this.#stage.emit(Object.assign(happening, { runId: this.id, atMs: this.#stage.clock.now(), subagent }))
  }

  #fail(thrown: unknown): void {
    if (this.#state === 'over') return
    if (!(thrown instanceof Failure || thrown instanceof Fault)) this.#stage.bug(thrown)
    const { code, message } = thrown instanceof Failure ? thrown : Fault.from(thrown)
    this.#cut()
    this.#emit({ type: 'error', code, message, fatal: true })
    this.#end('failed', message)
    this.#stop.abort()
  }

  /** Keeps what was half said, and gives every call a result, so that the history stays one a model can read. */
  #cut(): void {
    if (this.#state !== 'live') return
    this.#speaker.end('stopped')
    const atMs = this.#stage.clock.now()
    for (const { id, tool } of this.#unanswered.values())
      this.#stage.remember({ role: 'tool', callId: id, tool, ok: false, text: 'stopped', atMs })
    this.#unanswered.clear()
  }

  #end(outcome: RunEnd['outcome'], failure?: string): void {
    const stage = this.#stage
    const end: RunEnd = {
      type: 'run_ended',
      outcome,
      ...(failure === undefined ? {} : { failure }),
      text: this.#speaker.lastText,
      usage: this.#usage === NO_USAGE ? this.#estimatedUsage() : this.#usage,
      durationMs: stage.clock.now() - this.#startedMs,
      turns: this.#turns,
      contextTokens: stage.contextTokens(),
      maxContextTokens: stage.maxContextTokens(),
    }
    this.#emit(end)
    this.#state = 'over'
    stage.ended(this, end)
    this.#settle(end)
  }

  #estimatedUsage(): Usage {
    const outputTokens = estimateTokens(this.#speaker.allText)
    return { inputTokens: Math.max(0, this.#stage.contextTokens() - outputTokens), outputTokens, costUsd: 0 }
  }
}

const succeeded = (call: ToolCall, text: string): CallResult => ({ callId: call.id, ok: true, text, output: text })
const failed = (call: ToolCall, text: string): CallResult => ({ callId: call.id, ok: false, text, output: text })

/** What was promised, unless the signal comes first: then nothing waits any longer. */
function heed<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(STOPPED)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promised.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** Results in the order of the items, with at most `width` under way. */
async function inPool<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
