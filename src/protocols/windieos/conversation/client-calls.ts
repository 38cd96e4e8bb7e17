import type { ToolCall } from '../../../agent/events.ts'
import type { ImageContent } from '../../../agent/history/history.ts'
import type { ToolCallResult } from '../../../agent/toolbox.ts'
import { deadline } from '../../../base/clock.ts'
import { Fault } from '../../../base/fault.ts'
import { artifactImage, inlineImage } from '../artifacts.ts'
import type { ConnectedClient, SendEvent, ServerContext } from '../context.ts'
import { type ClientToolResult, toToolResult, toToolResults } from '../translate.ts'
import type { Payload } from '../wire.ts'

/** The provider's id of a call (WindieOS document, "tool-call"). Scripts have no provider. */
export const providerIdOf = ({ id, providerId }: ToolCall): string => providerId ?? id

/** The attachments of a client's result. */
type ResultContext = Pick<ClientToolResult, 'screenshot' | 'activeWindow'>

/** A call that a client executes. */
interface Pending {
  readonly tool: string
  /** Only its results count. */
  readonly executor: ConnectedClient
  readonly answered: Promise<ClientToolResult>
  readonly settle: (answer: ClientToolResult) => void
  readonly cancelTimeout: () => void
}

/** A pending bundle with its calls, in order. */
interface Bundle {
  readonly executor: ConnectedClient
  readonly calls: readonly string[]
  readonly tools: readonly string[]
}

/** The pending calls of a conversation that clients execute. */
export class ClientCalls {
  readonly #server: ServerContext
  readonly #pending = new Map<string, Pending>()
  readonly #bundles = new Map<string, Bundle>()
  /** The attachments of results, by call id. */
  readonly #resultContexts = new Map<string, ResultContext>()

  constructor(server: ServerContext) {
    this.#server = server
  }

  /** Sends calls to the client that sent the query. If a runtime is connected, it gets the calls of tools that the client does not provide. */
  send(calls: readonly ToolCall[], requester: ConnectedClient, send: SendEvent): void {
    if (calls.length === 0) return
    const runtime = requester.runtime()
    const runtimeCalls = runtime ? calls.filter(({ tool }) => !requester.toolset.provides(tool)) : []
    const own = calls.filter((call) => !runtimeCalls.includes(call))
    this.#dispatch(own, requester, requester, send)
    if (runtime) this.#dispatch(runtimeCalls, runtime, requester, send)
  }

  /** Resolves to the client's result with its picture, or to a failure after the timeout. */
  async answer(callId: string): Promise<ToolCallResult> {
    const pending = this.#pending.get(callId)
    if (!pending) return { ok: false, result: 'the call was not sent to a client' }
    try {
      const answer = await pending.answered
      return { ...answer, images: await this.#images(answer, pending.executor) }
    } finally {
      pending.cancelTimeout()
      this.#pending.delete(callId)
    }
  }

  /** Delivers a result. Returns false if no call of this client is pending. */
  answerCall(result: Payload<'tool-result'>, from: ConnectedClient): boolean {
    const call = this.#pending.get(result.request_id)
    if (call?.executor !== from) return false
    this.#settle(result.request_id, toToolResult(call.tool, result))
    return true
  }

  /** Delivers a result. Returns false if no call of this client is pending. */
  answerBundle(result: Payload<'tool-bundle-result'>, from: ConnectedClient): boolean {
    const bundle = this.#bundles.get(result.bundle_id)
    if (bundle?.executor !== from) return false
    this.#bundles.delete(result.bundle_id)
    const answers = toToolResults(bundle.tools, result)
    for (const [index, id] of bundle.calls.entries()) this.#settle(id, answers[index]!)
    return true
  }

  /** Fails all calls of a disconnected client. */
  failAll(executor: ConnectedClient): void {
    for (const call of this.#pending.values())
      if (call.executor === executor) call.settle({ ok: false, result: `Tool ${call.tool} was cut off.` })
  }

  /** Returns and removes the attachments of a result. */
  takeResultContext(callId: string): ResultContext {
    const context = this.#resultContexts.get(callId) ?? {}
    this.#resultContexts.delete(callId)
    return context
  }

  /** Discards all pending calls. */
  clear(): void {
    for (const { cancelTimeout } of this.#pending.values()) cancelTimeout()
    this.#pending.clear()
    this.#bundles.clear()
    this.#resultContexts.clear()
  }

  /**
   * Sends one call alone, and several as a bundle. If a runtime executes them, the client that sent the query also receives each
   * call, and later its result.
   */
  #dispatch(out: readonly ToolCall[], executor: ConnectedClient, requester: ConnectedClient, send: SendEvent): void {
    const [first] = out
    if (!first) return
    for (const { id, tool } of out) this.#expect(id, tool, executor)
    const callOf = (call: typeof first) => ({
      tool_name: call.tool,
      parameters: { ...call.args },
      request_id: call.id,
      metadata: { tool_call_id: providerIdOf(call) },
    })
    if (executor !== requester)
      for (const call of out) {
        const metadata = { tool_call_id: providerIdOf(call), skip_local_execution: true as const }
        send({ type: 'tool-call', payload: { ...callOf(call), metadata } })
      }
    if (out.length === 1) {
      send({ type: 'tool-call', payload: callOf(first) }, executor)
      return
    }
    const bundle_id = `bundle_${this.#server.agent.ids.hex(24)}`
    this.#bundles.set(bundle_id, { executor, calls: out.map(({ id }) => id), tools: out.map(({ tool }) => tool) })
    const tools = out.map((call) => ({ name: call.tool, args: { ...call.args }, tool_call_id: providerIdOf(call) }))
    send({ type: 'tool-bundle', payload: { bundle_id, tools } }, executor)
  }

  #expect(callId: string, tool: string, executor: ConnectedClient): void {
    const { agent, toolTimeoutMs, logFailure } = this.#server
    let settle: (answer: ClientToolResult) => void = () => {}
    const answered = new Promise<ClientToolResult>((resolve) => {
      settle = resolve
    })
    const cancelTimeout = deadline(agent.clock, toolTimeoutMs, () => {
      logFailure('TOOL_EXECUTION_ERROR', `the client did not answer a call of ${tool}`)
      settle({ ok: false, result: `Tool ${tool} was not answered within ${toolTimeoutMs / 1000} s.` })
    })
    this.#pending.set(callId, { tool, executor, answered, settle, cancelTimeout })
  }

  #settle(callId: string, answer: ClientToolResult): void {
    const { screenshot, activeWindow } = answer
    this.#resultContexts.set(callId, { ...(screenshot && { screenshot }), ...(activeWindow && { activeWindow }) })
    this.#pending.get(callId)?.settle(answer)
  }

  /** The picture of a result. The model continues without a missing one. */
  async #images({ screenshot }: ClientToolResult, { user }: ConnectedClient): Promise<readonly ImageContent[]> {
    const { artifacts, auth, logFailure } = this.#server
    if (!screenshot) return []
    try {
      if ('base64' in screenshot) return [inlineImage(screenshot.base64)]
      return [await artifactImage(artifacts, screenshot.ref, auth === 'install' ? user.id : undefined)]
    } catch (thrown) {
      logFailure('MEMORY_STORE_ERROR', Fault.from(thrown).message)
      return []
    }
  }
}
