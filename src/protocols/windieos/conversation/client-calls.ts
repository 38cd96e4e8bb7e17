import type { ToolCall } from '../../../agent/events.ts'
import type { ImageContent } from '../../../agent/history/history.ts'
import { deadline } from '../../../agent/run/deadline.ts'
import type { ToolCallResult } from '../../../agent/tools/toolbox.ts'
import { Fault } from '../../../base/fault.ts'
import { artifactImage, inlineImage } from '../artifacts/images.ts'
import type { ServerContext } from '../context.ts'
import { type ClientToolResult, toToolResult, toToolResults } from '../translate.ts'
import type { ConnectedClient, SendEvent } from '../users/client.ts'
import type { Payload } from '../wire.ts'

/** The id of a call as its model knows it (WindieOS document, "tool-call"); a script has no provider. */
export const providerIdOf = ({ id, providerId }: ToolCall): string => providerId ?? id

/** What went with the answer of a client besides its output. */
type ResultContext = Pick<ClientToolResult, 'screenshot' | 'activeWindow'>

/** A call that a client carries out. */
interface Pending {
  readonly tool: string
  /** Whose answer counts. */
  readonly executor: ConnectedClient
  readonly answered: Promise<ClientToolResult>
  readonly settle: (answer: ClientToolResult) => void
  readonly callOff: () => void
}

/** A bundle that is out: its calls, in order. */
interface Bundle {
  readonly executor: ConnectedClient
  readonly calls: readonly string[]
  readonly tools: readonly string[]
}

/** The calls of a conversation that clients carry out, from when they are sent until they are answered. */
export class ClientCalls {
  readonly #server: ServerContext
  readonly #pending = new Map<string, Pending>()
  readonly #bundles = new Map<string, Bundle>()
  /** What went with the answers of clients besides their output. */
  readonly #sidelights = new Map<string, ResultContext>()

  constructor(server: ServerContext) {
    this.#server = server
  }

  /** Sends calls to the client who asked, and where there is a runtime, to that one what the client did not bring. */
  send(calls: readonly ToolCall[], asker: ConnectedClient, tell: SendEvent): void {
    if (calls.length === 0) return
    const runtime = asker.runtime()
    const theirs = runtime ? calls.filter(({ tool }) => !asker.toolset.provides(tool)) : []
    const own = calls.filter((call) => !theirs.includes(call))
    this.#hand(own, asker, asker, tell)
    if (runtime) this.#hand(theirs, runtime, asker, tell)
  }

  /** What a client answers to a call, with the picture that went with it; a failure when nobody answers in time. */
  async answer(callId: string): Promise<ToolCallResult> {
    const pending = this.#pending.get(callId)
    if (!pending) return { ok: false, result: 'the client was not asked' }
    try {
      const answer = await pending.answered
      return { ...answer, images: await this.#images(answer, pending.executor) }
    } finally {
      pending.callOff()
      this.#pending.delete(callId)
    }
  }

  /** False when nothing waits for it from there. */
  answerCall(result: Payload<'tool-result'>, from: ConnectedClient): boolean {
    const call = this.#pending.get(result.request_id)
    if (call?.executor !== from) return false
    this.#settle(result.request_id, toToolResult(call.tool, result))
    return true
  }

  /** False when nothing waits for it from there. */
  answerBundle(result: Payload<'tool-bundle-result'>, from: ConnectedClient): boolean {
    const bundle = this.#bundles.get(result.bundle_id)
    if (bundle?.executor !== from) return false
    this.#bundles.delete(result.bundle_id)
    const answers = toToolResults(bundle.tools, result)
    for (const [index, id] of bundle.calls.entries()) this.#settle(id, answers[index]!)
    return true
  }

  /** Fails what somebody was to carry out who has gone. */
  abandon(executor: ConnectedClient): void {
    for (const call of this.#pending.values())
      if (call.executor === executor) call.settle({ ok: false, result: `Tool ${call.tool} was cut off.` })
  }

  /** What went with the answer to a call besides its output; forgotten afterwards. */
  takeResultContext(callId: string): ResultContext {
    const sidelight = this.#sidelights.get(callId) ?? {}
    this.#sidelights.delete(callId)
    return sidelight
  }

  /** Waits for nothing any more. */
  clear(): void {
    for (const { callOff } of this.#pending.values()) callOff()
    this.#pending.clear()
    this.#bundles.clear()
    this.#sidelights.clear()
  }

  /**
   * One call goes by itself, several as a bundle. Where another than the client who asked carries them out, that client is
   * shown each call, and later its result.
   */
  #hand(out: readonly ToolCall[], executor: ConnectedClient, asker: ConnectedClient, tell: SendEvent): void {
    const [first] = out
    if (!first) return
    for (const { id, tool } of out) this.#expect(id, tool, executor)
    const callOf = (call: typeof first) => ({
      tool_name: call.tool,
      parameters: { ...call.args },
      request_id: call.id,
      metadata: { tool_call_id: providerIdOf(call) },
    })
    if (executor !== asker)
      for (const call of out) {
        const metadata = { tool_call_id: providerIdOf(call), skip_local_execution: true as const }
        tell({ type: 'tool-call', payload: { ...callOf(call), metadata } })
      }
    if (out.length === 1) {
      tell({ type: 'tool-call', payload: callOf(first) }, executor)
      return
    }
    const bundle_id = `bundle_${this.#server.agent.ids.hex(24)}`
    this.#bundles.set(bundle_id, { executor, calls: out.map(({ id }) => id), tools: out.map(({ tool }) => tool) })
    const tools = out.map((call) => ({ name: call.tool, args: { ...call.args }, tool_call_id: providerIdOf(call) }))
    tell({ type: 'tool-bundle', payload: { bundle_id, tools } }, executor)
  }

  #expect(callId: string, tool: string, executor: ConnectedClient): void {
    const { agent, toolTimeoutMs, logFailure } = this.#server
    let settle: (answer: ClientToolResult) => void = () => {}
    const answered = new Promise<ClientToolResult>((resolve) => {
      settle = resolve
    })
    const callOff = deadline(agent.clock, toolTimeoutMs, () => {
      logFailure('TOOL_EXECUTION_ERROR', `the client did not answer a call of ${tool}`)
      settle({ ok: false, result: `Tool ${tool} was not answered within ${toolTimeoutMs / 1000} s.` })
    })
    this.#pending.set(callId, { tool, executor, answered, settle, callOff })
  }

  #settle(callId: string, answer: ClientToolResult): void {
    const { screenshot, activeWindow } = answer
    this.#sidelights.set(callId, { ...(screenshot && { screenshot }), ...(activeWindow && { activeWindow }) })
    this.#pending.get(callId)?.settle(answer)
  }

  /** The picture that went with an answer; a model can go on without one that is gone. */
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
