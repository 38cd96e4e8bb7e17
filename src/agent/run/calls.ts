import { abortable, STOPPED } from '../../base/async.ts'
import { deadline } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { ASK_PERMISSION, ASK_USER, SPAWN_AGENT, SpawnInput, SWITCH_PROFILE, SwitchInput } from '../engine-tools.ts'
import { type EventBody, QuestionForm, type ToolCall, type ToolCallArguments } from '../events.ts'
import type { CallRequest, CallResult, ModelSteps } from '../models/model.ts'
import { decideCall, isAskedByRule, isDeniedByRule, type Profile, type RequestedCall, textsIn } from '../profiles.ts'
import { resultText, type Toolbox } from '../toolbox.ts'
import type { MessageWriter } from './message-writer.ts'
import type { PermissionDecision, RunContext } from './run-context.ts'
import { Failure } from './run-context.ts'

interface MadeCall extends ToolCall {
  readonly request: CallRequest
}

/** The final arguments of a call, or the reason of its refusal. */
type Permitted = { readonly args: ToolCallArguments } | { readonly refusal: string }

/** The parts of a run that its calls use. */
interface Host {
  readonly runContext: RunContext
  toolbox(): Toolbox
  /** Returns the profile whose rules apply. */
  profile(): Profile
  emit(event: EventBody, writer: MessageWriter): void
  /** Runs a nested agent on a task, by its own steps or by the model. Returns the text of its last message. */
  nest(task: string, steps: ModelSteps | undefined, signal: AbortSignal): Promise<string>
}

/** The calls of a run, from the model's request to the result that it reads. */
export class Calls {
  readonly #host: Host
  readonly #tasks = new Map<string, AbortController>()
  readonly #unanswered = new Map<string, ToolCall>()

  constructor(host: Host) {
    this.#host = host
  }

  /** Stops one call. The run continues. Returns false if the call is not running. */
  stop(callId: string): boolean {
    const task = this.#tasks.get(callId)
    task?.abort()
    return task !== undefined
  }

  /** Adds a result for each unanswered call, so that the history stays valid for a model. */
  abandon(): void {
    const { runContext } = this.#host
    const atMs = runContext.clock.now()
    for (const { id, tool } of this.#unanswered.values())
      runContext.addMessage({ role: 'tool', callId: id, tool, ok: false, text: 'stopped', atMs })
    this.#unanswered.clear()
  }

  /** Emits, permits, executes and reports the calls of one message. */
  async make(requests: readonly CallRequest[], writer: MessageWriter): Promise<readonly CallResult[]> {
    const calls = requests.map((request): MadeCall => {
      const { tool, args, providerId } = request
      const call = {
        id: `call_${this.#host.runContext.ids.hex(24)}`,
        ...(providerId !== undefined && { providerId }),
        tool,
        args,
      }
      writer.call(call, request.pieces)
      return { ...call, request }
    })
    if (!writer.subagent) for (const call of calls) this.#unanswered.set(call.id, call)
    const { parallel, results, permissions } = this.#host.runContext.capabilities
    const refused = permissions === 'allow' ? await this.#refused(calls) : calls.filter(isProblem)
    if (writer.signal.aborted) throw STOPPED
    writer.end(
      'calls',
      refused.map(({ id }) => id),
    )
    const answered = await inPool(calls, parallel, async (call) => {
      const result = await this.#call(call, writer)
      if (results === 'each') this.#report(call, result, writer)
      return result
    })
    if (results === 'together')
      for (const [index, call] of calls.entries()) this.#report(call, answered[index]!, writer)
    return answered
  }

  async #call(call: MadeCall, writer: MessageWriter): Promise<CallResult> {
    if (call.request.problem !== undefined) return failed(call, call.request.problem)
    const task = new AbortController()
    const signal = AbortSignal.any([writer.signal, task.signal])
    this.#tasks.set(call.id, task)
    try {
      const permitted = await this.#permit(call, writer, signal)
      if ('refusal' in permitted) return failed(call, permitted.refusal)
      this.#host.emit({ type: 'tool_started', callId: call.id, tool: call.tool, args: permitted.args }, writer)
      return await this.#execute({ ...call, args: permitted.args }, writer, signal)
    } catch (thrown) {
      if (writer.signal.aborted || thrown instanceof Failure) throw thrown
      if (thrown === STOPPED) return failed(call, 'the task was stopped')
      if (!(thrown instanceof Fault)) this.#host.runContext.onBug(thrown)
      return failed(call, Fault.from(thrown).message)
    } finally {
      this.#tasks.delete(call.id)
    }
  }

  /** Returns the calls that are refused without a permission request: malformed ones, and those that a rule denies. */
  async #refused(calls: readonly MadeCall[]): Promise<readonly MadeCall[]> {
    const judged = calls.map(async (call) => isProblem(call) || 'refusal' in ((await this.#judge(call)) ?? {}))
    const isRefused = await Promise.all(judged)
    return calls.filter((_, index) => isRefused[index])
  }

  /** Decides a call by the rules. Returns undefined if the user decides. Refuses a call that cannot be checked. */
  async #judge(call: MadeCall): Promise<Permitted | undefined> {
    try {
      return this.#decide(call, await this.#wanted(call))
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      return { refusal: `the permission rules cannot be checked for ${call.tool}: ${thrown.message}` }
    }
  }

  #decide(call: MadeCall, wanted: RequestedCall): Permitted | undefined {
    const { capabilities } = this.#host.runContext
    const permissions = this.#host.runContext.permissions()
    const table = this.#host.profile().permissions
    const decided = decideCall(permissions, table, wanted)
    if (decided === 'deny') return { refusal: `${call.tool} is not permitted in this session` }
    if (decided === 'allow') return { args: call.args }
    if (capabilities.permissions === 'ask') return undefined
    if (!isAskedByRule(table, wanted)) return { args: call.args }
    return { refusal: `${call.tool} needs a permission here, and this protocol has no permission requests` }
  }

  async #permit(call: MadeCall, writer: MessageWriter, signal: AbortSignal): Promise<Permitted> {
    const judged = await this.#judge(call)
    if (judged) return judged
    const decision = await this.#decision(call, writer, signal, () =>
      this.#host.emit(
        {
          type: 'permission_request',
          requestId: call.id,
          tool: call.tool,
          args: call.args,
          description: call.request.permission?.description ?? `Use ${call.tool}`,
          details: detailsOf(call),
        },
        writer,
      ),
    )
    if (!decision.allowed) return { refusal: decision.message ?? 'the person did not permit this' }
    if (!decision.args) return { args: call.args }
    const wanted = await this.#wanted({ ...call, args: decision.args })
    if (isDeniedByRule(this.#host.runContext.permissions(), this.#host.profile().permissions, wanted))
      return { refusal: `${call.tool} is not permitted with the changed arguments` }
    return { args: decision.args }
  }

  /** Describes a call for the rules. Computes affected elements only if a rule has targets. */
  async #wanted({ tool, args, request }: MadeCall): Promise<RequestedCall> {
    const toolbox = this.#host.toolbox()
    const rules = [...this.#host.profile().permissions, ...this.#host.runContext.permissions().rules]
    const acts = toolbox.list().find(({ name }) => name === tool)?.acts ?? false
    const hits = rules.some(({ target }) => target !== undefined) ? await toolbox.targets?.(tool, args) : undefined
    return { tool, acts, demanded: request.permission !== undefined, targets: [...textsIn(args), ...(hits ?? [])] }
  }

  /** Asks the client, and waits for a decision or the timeout. */
  async #decision(
    call: ToolCall,
    writer: MessageWriter,
    signal: AbortSignal,
    emit: () => void,
  ): Promise<PermissionDecision> {
    const { decisions, clock, capabilities } = this.#host.runContext
    const decided = decisions.request({ kind: 'permission', id: call.id, tool: call.tool, args: call.args })
    emit()
    const timeoutMs = capabilities.permissionTimeoutMs
    const late: PermissionDecision = {
      kind: 'permission',
      allowed: false,
      by: 'timeout',
      message: 'no answer in time',
    }
    const callOff =
      timeoutMs === undefined ? () => {} : deadline(clock, timeoutMs, () => decisions.decide(call.id, late))
    try {
      const decision = await abortable(decided, signal)
      this.#host.emit(
        { type: 'permission_decided', requestId: call.id, allowed: decision.allowed, by: decision.by },
        writer,
      )
      return decision
    } finally {
      callOff()
      decisions.withdraw(call.id)
    }
  }

  /** Waits for the decision of a hook of the host, if the protocol has hooks. */
  async hook(hook: string, input: ToolCallArguments, writer: MessageWriter): Promise<CallResult> {
    const { ids, capabilities } = this.#host.runContext
    const call: ToolCall = { id: `hook_${ids.hex(24)}`, tool: hook, args: input }
    if (capabilities.permissions === 'allow') return succeeded(call, 'allowed')
    const decision = await this.#decision(call, writer, writer.signal, () =>
      this.#host.emit({ type: 'hook_request', requestId: call.id, hook, input }, writer),
    )
    return decision.allowed ? succeeded(call, 'allowed') : failed(call, decision.message ?? 'denied')
  }

  async #execute(call: MadeCall, writer: MessageWriter, signal: AbortSignal): Promise<CallResult> {
    switch (call.tool) {
      case ASK_PERMISSION:
        return succeeded(call, 'approved')
      case ASK_USER:
        return this.#ask(call, writer, signal)
      case SPAWN_AGENT:
        return this.#spawn(call, writer, signal)
      case SWITCH_PROFILE:
        return this.#switchProfile(call, writer)
    }
    const context = { callId: call.id, signal }
    const answered = this.#host.toolbox().call(call.tool, call.args, context)
    const { ok, result, text = resultText(result), images = [] } = await abortable(answered, signal)
    return { callId: call.id, ok, text, output: result, ...(images.length > 0 && { images }) }
  }

  async #ask(call: MadeCall, writer: MessageWriter, signal: AbortSignal): Promise<CallResult> {
    const form = QuestionForm.safeParse(call.args)
    if (!form.success) return failed(call, 'a question needs `questions`, each with a `question`')
    if (this.#host.runContext.capabilities.questions === 'skip')
      return failed(call, 'this client cannot answer questions')
    const { decisions } = this.#host.runContext
    const answered = decisions.request({ kind: 'question', id: call.id, form: form.data })
    this.#host.emit({ type: 'question', requestId: call.id, form: form.data }, writer)
    try {
      const { answers, text } = await abortable(answered, signal)
      this.#host.emit({ type: 'question_answered', requestId: call.id }, writer)
      return { callId: call.id, ok: true, text, output: answers }
    } finally {
      decisions.withdraw(call.id)
    }
  }

  async #spawn(call: MadeCall, writer: MessageWriter, signal: AbortSignal): Promise<CallResult> {
    const input = SpawnInput.safeParse(call.args)
    if (!input.success) return failed(call, 'a nested agent needs a `task`')
    if (writer.subagent && !call.request.agent) return failed(call, 'a nested agent has no agents of its own')
    try {
      return succeeded(call, await this.#host.nest(input.data.task, call.request.agent, signal))
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      return failed(call, thrown.message)
    }
  }

  #switchProfile(call: MadeCall, writer: MessageWriter): CallResult {
    const input = SwitchInput.safeParse(call.args)
    const profile = input.success ? this.#host.runContext.switchProfile(input.data.profile_id) : undefined
    if (!profile) return failed(call, `unknown profile ${JSON.stringify(call.args.profile_id ?? '')}`)
    this.#host.emit({ type: 'profile_switched', profileId: profile.id, profileName: profile.name }, writer)
    return succeeded(call, `From the next message on ${profile.name} answers.`)
  }

  #report(call: MadeCall, result: CallResult, writer: MessageWriter): void {
    const { ok, text, output, images } = result
    if (!writer.subagent) {
      this.#unanswered.delete(call.id)
      this.#host.runContext.addMessage({
        role: 'tool',
        callId: call.id,
        tool: call.tool,
        ok,
        text,
        ...(images && { images }),
        atMs: this.#host.runContext.clock.now(),
      })
    }
    this.#host.emit(
      { type: 'tool_result', callId: call.id, tool: call.tool, args: call.args, ok, text, output },
      writer,
    )
  }
}

const isProblem = (call: MadeCall): boolean => call.request.problem !== undefined

const MAX_DETAILS_CHARACTERS = 2000

/** Returns the text of a permission request: the model's description of the call, or its arguments. */
function detailsOf({ args, request: { permission } }: MadeCall): string | undefined {
  if (permission?.details !== undefined || permission?.description !== undefined) return permission.details
  const json = JSON.stringify(args)
  if (json === '{}') return undefined
  return json.length > MAX_DETAILS_CHARACTERS ? `${json.slice(0, MAX_DETAILS_CHARACTERS)}…` : json
}

const succeeded = (call: ToolCall, text: string): CallResult => ({ callId: call.id, ok: true, text, output: text })
const failed = (call: ToolCall, text: string): CallResult => ({ callId: call.id, ok: false, text, output: text })

/** Maps items concurrently, at most `width` at a time. Results keep the order of the items. */
async function inPool<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
