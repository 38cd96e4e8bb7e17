import { Fault } from '../../base/fault.ts'
import type { EventBody, ToolCall, ToolCallArguments } from '../events.ts'
import type { CallRequest, CallResult, ModelSteps } from '../models/model.ts'
import { decideCall, isAskedByRule, isDeniedByRule, type RequestedCall, textsIn } from '../profiles/permissions.ts'
import type { Profile } from '../profiles/profiles.ts'
import {
  ASK_PERMISSION,
  ASK_USER,
  SPAWN_AGENT,
  SpawnInput,
  SWITCH_PROFILE,
  SwitchInput,
} from '../tools/engine-tools.ts'
import { QuestionForm } from '../tools/form.ts'
import { resultText, type Toolbox } from '../tools/toolbox.ts'
import { abortable, Failure, STOPPED } from './abort.ts'
import { deadline } from './deadline.ts'
import type { PermissionDecision } from './decisions.ts'
import type { MessageWriter } from './message-writer.ts'
import type { RunContext } from './run-context.ts'

interface MadeCall extends ToolCall {
  readonly request: CallRequest
}

/** The arguments that a call is made with, or why it is not made. */
type Permitted = { readonly args: ToolCallArguments } | { readonly refusal: string }

/** What calls need of the run they belong to. */
interface Host {
  readonly stage: RunContext
  toolbox(): Toolbox
  /** Whose rules hold. */
  profile(): Profile
  tell(happening: EventBody, speaker: MessageWriter): void
  /** Lets a nested agent do a task, by its own steps or by the model; its last words. */
  nest(task: string, steps: ModelSteps | undefined, signal: AbortSignal): Promise<string>
}

/** The calls of a run, from the model's wish to the result that it reads. */
export class Calls {
  readonly #host: Host
  readonly #tasks = new Map<string, AbortController>()
  readonly #unanswered = new Map<string, ToolCall>()

  constructor(host: Host) {
    this.#host = host
  }

  /** Ends one call; the run goes on. False when no such call is under way. */
  stop(callId: string): boolean {
    const task = this.#tasks.get(callId)
    task?.abort()
    return task !== undefined
  }

  /** Gives every call without a result one, so that the history stays one a model can read. */
  abandon(): void {
    const { stage } = this.#host
    const atMs = stage.clock.now()
    for (const { id, tool } of this.#unanswered.values())
      stage.addMessage({ role: 'tool', callId: id, tool, ok: false, text: 'stopped', atMs })
    this.#unanswered.clear()
  }

  /** The calls of one message: told, permitted, carried out and reported. */
  async make(requests: readonly CallRequest[], speaker: MessageWriter): Promise<readonly CallResult[]> {
    const calls = requests.map((request): MadeCall => {
      const { tool, args, providerId } = request
      const call = {
        id: `call_${this.#host.stage.ids.hex(24)}`,
        ...(providerId !== undefined && { providerId }),
        tool,
        args,
      }
      speaker.call(call, request.pieces)
      return { ...call, request }
    })
    if (!speaker.subagent) for (const call of calls) this.#unanswered.set(call.id, call)
    const { parallel, results, permissions } = this.#host.stage.capabilities
    const refused = permissions === 'allow' ? await this.#refused(calls) : calls.filter(isProblem)
    if (speaker.signal.aborted) throw STOPPED
    speaker.end(
      'calls',
      refused.map(({ id }) => id),
    )
    const answered = await inPool(calls, parallel, async (call) => {
      const result = await this.#call(call, speaker)
      if (results === 'each') this.#report(call, result, speaker)
      return result
    })
    if (results === 'together')
      for (const [index, call] of calls.entries()) this.#report(call, answered[index]!, speaker)
    return answered
  }

  async #call(call: MadeCall, speaker: MessageWriter): Promise<CallResult> {
    if (call.request.problem !== undefined) return failed(call, call.request.problem)
    const task = new AbortController()
    const signal = AbortSignal.any([speaker.signal, task.signal])
    this.#tasks.set(call.id, task)
    try {
      const permitted = await this.#permit(call, speaker, signal)
      if ('refusal' in permitted) return failed(call, permitted.refusal)
      this.#host.tell({ type: 'tool_started', callId: call.id, tool: call.tool, args: permitted.args }, speaker)
      return await this.#carryOut({ ...call, args: permitted.args }, speaker, signal)
    } catch (thrown) {
      if (speaker.signal.aborted || thrown instanceof Failure) throw thrown
      if (thrown === STOPPED) return failed(call, 'the task was stopped')
      if (!(thrown instanceof Fault)) this.#host.stage.onBug(thrown)
      return failed(call, Fault.from(thrown).message)
    } finally {
      this.#tasks.delete(call.id)
    }
  }

  /** The calls that are refused without a permission request: malformed ones, and those that a rule denies. */
  async #refused(calls: readonly MadeCall[]): Promise<readonly MadeCall[]> {
    const judged = calls.map(async (call) => isProblem(call) || 'refusal' in ((await this.#judge(call)) ?? {}))
    const isRefused = await Promise.all(judged)
    return calls.filter((_, index) => isRefused[index])
  }

  /** What is decided about a call without asking; undefined when a person decides. A call that cannot be checked is refused. */
  async #judge(call: MadeCall): Promise<Permitted | undefined> {
    try {
      return this.#decide(call, await this.#wanted(call))
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      return { refusal: `the permission rules cannot be checked for ${call.tool}: ${thrown.message}` }
    }
  }

  #decide(call: MadeCall, wanted: RequestedCall): Permitted | undefined {
    const { capabilities: manners } = this.#host.stage
    const permissions = this.#host.stage.permissions()
    const table = this.#host.profile().permissions
    const decided = decideCall(permissions, table, wanted)
    if (decided === 'deny') return { refusal: `${call.tool} is not permitted in this session` }
    if (decided === 'allow') return { args: call.args }
    if (manners.permissions === 'ask') return undefined
    if (!isAskedByRule(table, wanted)) return { args: call.args }
    return { refusal: `${call.tool} needs a permission here, and this protocol has no permission requests` }
  }

  async #permit(call: MadeCall, speaker: MessageWriter, signal: AbortSignal): Promise<Permitted> {
    const judged = await this.#judge(call)
    if (judged) return judged
    const decision = await this.#decision(call, speaker, signal, () =>
      this.#host.tell(
        {
          type: 'permission_request',
          requestId: call.id,
          tool: call.tool,
          args: call.args,
          description: call.request.permission?.description ?? `Use ${call.tool}`,
          details: detailsOf(call),
        },
        speaker,
      ),
    )
    if (!decision.allowed) return { refusal: decision.message ?? 'the person did not permit this' }
    if (!decision.args) return { args: call.args }
    const wanted = await this.#wanted({ ...call, args: decision.args })
    if (isDeniedByRule(this.#host.stage.permissions(), this.#host.profile().permissions, wanted))
      return { refusal: `${call.tool} is not permitted with the changed arguments` }
    return { args: decision.args }
  }

  /** A call as rules see it. What it would hit is looked at only where a rule asks for targets. */
  async #wanted({ tool, args, request }: MadeCall): Promise<RequestedCall> {
    const toolbox = this.#host.toolbox()
    const rules = [...this.#host.profile().permissions, ...this.#host.stage.permissions().rules]
    const acts = toolbox.list().find(({ name }) => name === tool)?.acts ?? false
    const hits = rules.some(({ target }) => target !== undefined) ? await toolbox.targets?.(tool, args) : undefined
    return { tool, acts, demanded: request.permission !== undefined, targets: [...textsIn(args), ...(hits ?? [])] }
  }

  /** Asks, and waits for whoever decides first: a client, or time. */
  async #decision(
    call: ToolCall,
    speaker: MessageWriter,
    signal: AbortSignal,
    tell: () => void,
  ): Promise<PermissionDecision> {
    const { decisions, clock, capabilities: manners } = this.#host.stage
    const decided = decisions.request({ kind: 'permission', id: call.id, tool: call.tool, args: call.args })
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
      const decision = await abortable(decided, signal)
      this.#host.tell(
        { type: 'permission_decided', requestId: call.id, allowed: decision.allowed, by: decision.by },
        speaker,
      )
      return decision
    } finally {
      callOff()
      decisions.withdraw(call.id)
    }
  }

  /** Waits for the decision of a hook of the host, where it can be asked. */
  async hook(hook: string, input: ToolCallArguments, speaker: MessageWriter): Promise<CallResult> {
    const { ids, capabilities: manners } = this.#host.stage
    const call: ToolCall = { id: `hook_${ids.hex(24)}`, tool: hook, args: input }
    if (manners.permissions === 'allow') return succeeded(call, 'allowed')
    const decision = await this.#decision(call, speaker, speaker.signal, () =>
      this.#host.tell({ type: 'hook_request', requestId: call.id, hook, input }, speaker),
    )
    return decision.allowed ? succeeded(call, 'allowed') : failed(call, decision.message ?? 'denied')
  }

  async #carryOut(call: MadeCall, speaker: MessageWriter, signal: AbortSignal): Promise<CallResult> {
    switch (call.tool) {
      case ASK_PERMISSION:
        return succeeded(call, 'approved')
      case ASK_USER:
        return this.#ask(call, speaker, signal)
      case SPAWN_AGENT:
        return this.#spawn(call, speaker, signal)
      case SWITCH_PROFILE:
        return this.#switchProfile(call, speaker)
    }
    const context = { callId: call.id, signal }
    const answered = this.#host.toolbox().call(call.tool, call.args, context)
    const { ok, result, text = resultText(result), images = [] } = await abortable(answered, signal)
    return { callId: call.id, ok, text, output: result, ...(images.length > 0 && { images }) }
  }

  async #ask(call: MadeCall, speaker: MessageWriter, signal: AbortSignal): Promise<CallResult> {
    const form = QuestionForm.safeParse(call.args)
    if (!form.success) return failed(call, 'a question needs `questions`, each with a `question`')
    if (this.#host.stage.capabilities.questions === 'skip') return failed(call, 'nobody can be asked here')
    const { decisions } = this.#host.stage
    const answered = decisions.request({ kind: 'question', id: call.id, form: form.data })
    this.#host.tell({ type: 'question', requestId: call.id, form: form.data }, speaker)
    try {
      const { answers, text } = await abortable(answered, signal)
      this.#host.tell({ type: 'question_answered', requestId: call.id }, speaker)
      return { callId: call.id, ok: true, text, output: answers }
    } finally {
      decisions.withdraw(call.id)
    }
  }

  async #spawn(call: MadeCall, speaker: MessageWriter, signal: AbortSignal): Promise<CallResult> {
    const input = SpawnInput.safeParse(call.args)
    if (!input.success) return failed(call, 'a nested agent needs a `task`')
    if (speaker.subagent && !call.request.agent) return failed(call, 'a nested agent has no agents of its own')
    try {
      return succeeded(call, await this.#host.nest(input.data.task, call.request.agent, signal))
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      return failed(call, thrown.message)
    }
  }

  #switchProfile(call: MadeCall, speaker: MessageWriter): CallResult {
    const input = SwitchInput.safeParse(call.args)
    const profile = input.success ? this.#host.stage.switchProfile(input.data.profile_id) : undefined
    if (!profile) return failed(call, `there is no profile ${JSON.stringify(call.args.profile_id ?? '')}`)
    this.#host.tell({ type: 'profile_switched', profileId: profile.id, profileName: profile.name }, speaker)
    return succeeded(call, `From the next message on ${profile.name} answers.`)
  }

  #report(call: MadeCall, result: CallResult, speaker: MessageWriter): void {
    const { ok, text, output, images } = result
    if (!speaker.subagent) {
      this.#unanswered.delete(call.id)
      this.#host.stage.addMessage({
        role: 'tool',
        callId: call.id,
        tool: call.tool,
        ok,
        text,
        ...(images && { images }),
        atMs: this.#host.stage.clock.now(),
      })
    }
    this.#host.tell(
      { type: 'tool_result', callId: call.id, tool: call.tool, args: call.args, ok, text, output },
      speaker,
    )
  }
}

const isProblem = (call: MadeCall): boolean => call.request.problem !== undefined

const MAX_DETAILS_CHARACTERS = 2000

/** The text of a permission request: the model's description of the call, else its arguments. */
function detailsOf({ args, request: { permission } }: MadeCall): string | undefined {
  if (permission?.details !== undefined || permission?.description !== undefined) return permission.details
  const json = JSON.stringify(args)
  if (json === '{}') return undefined
  return json.length > MAX_DETAILS_CHARACTERS ? `${json.slice(0, MAX_DETAILS_CHARACTERS)}…` : json
}

const succeeded = (call: ToolCall, text: string): CallResult => ({ callId: call.id, ok: true, text, output: text })
const failed = (call: ToolCall, text: string): CallResult => ({ callId: call.id, ok: false, text, output: text })

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
