import type { AgentSession } from '../../../agent/agent-session.ts'
import { ASK_PERMISSION, ENGINE_TOOLS } from '../../../agent/engine-tools.ts'
import type { AgentEvent } from '../../../agent/events.ts'
import { estimateTokens, type ImageContent } from '../../../agent/history/history.ts'
import type { Toolbox, ToolCallResult } from '../../../agent/toolbox.ts'
import { toText } from '../../../base/strings.ts'
import type { ConnectedClient, SendEvent, ServerContext } from '../context.ts'
import { modelFailureCode } from '../errors.ts'
import type { UserSettings } from '../settings.ts'
import { flatTool, nestedTool, type OfferedTool } from '../tools.ts'
import { type TurnOutput, tokenCount, toWire, userMessageFull } from '../translate.ts'
import type { Payload, StreamedEvent } from '../wire.ts'
import { ClientCalls, providerIdOf } from './client-calls.ts'
import { fullMessage, hasExtraContext, reportCompression, systemPrompt } from './prompt.ts'

/** A query and the state of its answer. */
interface Turn {
  /** The id of the query's message. */
  readonly ref: string
  readonly client: ConnectedClient
  readonly query: Payload<'query'>
  /** The settings when it was sent. */
  readonly config: UserSettings
  /** The system prompt. */
  readonly prompt: string
  readonly images: readonly ImageContent[]
  readonly done: () => void
  /** The number of the newest event, per recipient. */
  readonly sequences: Map<ConnectedClient, number>
  output: TurnOutput
  /** Whether its remaining speech is discarded. */
  stopped: boolean
  /** The size of the model's context at its end, in tokens. */
  contextTokens: number
  /** The start times of calls, in milliseconds. */
  readonly startedMs: Map<string, number>
  /** The ids of calls at the model's provider. */
  readonly providerIds: Map<string, string>
}

/** The workspace of a conversation, and its instructions. */
type WorkspaceContext = Pick<Payload<'query'>, 'workspace_path' | 'repo_instruction_messages'>

/** Tokens of longer texts are estimated, because counting them is slow. */
const MAX_COUNTED_CHARACTERS = 65_536

const NO_OUTPUT: TurnOutput = { text: '', thinking: '', counted: false }
const ENGINE_TOOL_NAMES = new Set([ASK_PERMISSION, ...ENGINE_TOOLS.map(({ name }) => name)])

/** A conversation of a user. Turns run one at a time, and each reports to the client that sent its query. */
export class Conversation {
  readonly ref: string
  readonly session: AgentSession
  /** The calls that clients execute. */
  readonly calls: ClientCalls
  /** Applies to queries without their own workspace. */
  workspace: WorkspaceContext = {}
  readonly #server: ServerContext
  readonly #turns = new Map<string, Turn>()
  #frameCache: { readonly prompt: string; readonly tools: readonly OfferedTool[]; readonly tokens: number } | undefined
  #client: ConnectedClient

  constructor(server: ServerContext, ref: string, client: ConnectedClient) {
    this.ref = ref
    this.calls = new ClientCalls(server)
    this.#server = server
    this.#client = client
    this.session = server.agent.open({
      toolbox: this.#toolbox(),
      capabilities: { permissions: 'allow', questions: 'skip', parallel: 1, results: 'each' },
      logCapacity: 1,
    })
    this.session.listen((event) => this.#handleEvent(event))
  }

  /** Returns whether a turn with that name is queued or running. */
  has(turnRef: string): boolean {
    return [...this.#turns.values()].some(({ ref }) => ref === turnRef)
  }

  /** Queues a query. `done` is called when its turn ends in any way. */
  submit(
    ref: string,
    query: Payload<'query'>,
    images: readonly ImageContent[],
    client: ConnectedClient,
    done: () => void,
  ): void {
    const { text, content } = query
    const prompt = systemPrompt({
      opening: this.session.profile.system_prompt,
      definition: client.toolset.definition,
      tools: client.toolset.offered(client.user.config),
      workspacePath: query.workspace_path ?? this.workspace.workspace_path,
      layers: query.client_prompt_layers,
      instructions: query.repo_instruction_messages ?? this.workspace.repo_instruction_messages,
    })
    const run = this.session.send({
      text,
      systemPrompt: prompt,
      ...(content && hasExtraContext(content) ? { modelText: content } : {}),
      ...(images.length > 0 ? { images } : {}),
    })
    this.#turns.set(run.id, {
      ref,
      client,
      query,
      config: client.user.config,
      prompt,
      images,
      done,
      sequences: new Map(),
      output: NO_OUTPUT,
      stopped: false,
      contextTokens: 0,
      startedMs: new Map(),
      providerIds: new Map(),
    })
    void run.ended.then(() => this.#finish(run.id))
  }

  /** Stops the turn with that name, or every turn. With `client`, only turns of that client. */
  stop(turnRef: string | undefined, client?: ConnectedClient): void {
    for (const [runId, turn] of [...this.#turns])
      if ((turnRef === undefined || turn.ref === turnRef) && (!client || turn.client === client))
        this.session.stop(runId)
  }

  /** Ends all turns. */
  close(): void {
    this.session.close()
    for (const runId of [...this.#turns.keys()]) this.#finish(runId)
  }

  /** The tools of the client and of the server. */
  #toolbox(): Toolbox {
    const { backendTools, logFailure } = this.#server
    return {
      list: () => this.#offered(),
      call: async (name, args, context): Promise<ToolCallResult> => {
        const tool = this.#tool(name)
        if (!tool) {
          logFailure('TOOL_NOT_FOUND', `the model asked for ${JSON.stringify(name)}`)
          return { ok: false, result: `there is no tool ${JSON.stringify(name)}` }
        }
        const isBackend = tool.where === 'backend'
        const answer = isBackend
          ? await backendTools.call(name, args, context)
          : await this.calls.answer(context.callId)
        if (!answer.ok) logFailure('TOOL_EXECUTION_ERROR', `${name} failed`)
        return answer
      },
      state: () => backendTools.state?.(),
      record: (event) => backendTools.record?.(event),
    }
  }

  #offered(): readonly OfferedTool[] {
    return this.#client.toolset.offered(this.#client.user.config)
  }

  #tool(name: string): OfferedTool | undefined {
    return this.#offered().find((tool) => tool.name === name)
  }

  #isForClients(name: string): boolean {
    return this.#tool(name)?.where === 'client'
  }

  #handleEvent(event: AgentEvent): void {
    const turn = this.#turns.get(event.runId)
    if (!turn) return
    const send: SendEvent = (message, to = turn.client) => {
      const sequence = (turn.sequences.get(to) ?? 0) + 1
      turn.sequences.set(to, sequence)
      to.sendEvent(message, this.ref, turn.ref, sequence)
    }
    for (const message of toWire(event)) send(message)
    switch (event.type) {
      case 'run_started':
        this.#client = turn.client
        this.session.selectModel(turn.config.selected_model_id)
        for (const message of this.#openingEvents(turn)) send(message)
        return
      case 'thinking_delta':
        if (!event.subagent) turn.output = { ...turn.output, thinking: turn.output.thinking + event.text }
        return
      case 'text_delta':
        if (!event.subagent) turn.output = { ...turn.output, text: turn.output.text + event.text }
        return
      case 'usage':
        turn.output = { ...turn.output, counted: true }
        return
      case 'message_end':
        for (const call of event.calls) turn.providerIds.set(call.id, providerIdOf(call))
        this.calls.send(
          event.calls.filter(({ id, tool }) => this.#isForClients(tool) && !event.refused?.includes(id)),
          turn.client,
          send,
        )
        if (!event.subagent && event.because !== 'stopped') turn.client.speak(event.text, () => !turn.stopped)
        return
      case 'tool_started':
        turn.startedMs.set(event.callId, event.atMs)
        if (event.tool === 'web_search')
          send({
            type: 'web-search-progress',
            payload: { text: `Searching the web for ${toText(event.args.query ?? '')}`, request_id: event.callId },
          })
        return
      case 'tool_result':
        this.#sendToolOutput(event, turn, send)
        return
      case 'context_compressed':
        reportCompression(this.#server, this, event, turn.contextTokens, turn.client)
        return
      case 'disconnect':
        turn.client.terminate()
        return
      case 'error':
        this.#server.logFailure(modelFailureCode(event.code), event.message)
        return
      case 'run_ended':
        turn.contextTokens = event.contextTokens
        turn.stopped = event.outcome === 'stopped'
        this.#sendEnd(event, turn, send)
        return
      case 'plan':
      case 'message_start':
      case 'tool_call_start':
      case 'tool_call_delta':
      case 'tool_call_end':
      case 'permission_request':
      case 'permission_decided':
      case 'question':
      case 'question_answered':
      case 'hook_request':
      case 'profile_switched':
      case 'server_status':
        // `toWire` has sent them, or clients of this protocol do not get them.
        return
    }
  }

  /** The events before the model's output (WindieOS document, "query-plan"). */
  #openingEvents({ query, prompt, images }: Turn): readonly StreamedEvent[] {
    return [
      { type: 'query-accepted', payload: { status: 'accepted' } },
      { type: 'system-prompt', payload: { content: prompt } },
      {
        type: 'user-message-full',
        payload: userMessageFull(fullMessage(query.text, query.content), images.length > 0),
      },
      { type: 'tool-schemas', payload: { tool_schemas: this.#offered().map(nestedTool) } },
    ]
  }

  /** Sends every tool result, regardless of the executor. Clients recognise their own by `request_id`. */
  #sendToolOutput(event: Extract<AgentEvent, { type: 'tool_result' }>, turn: Turn, send: SendEvent): void {
    const { tool, callId, ok, text, atMs } = event
    const { screenshot, activeWindow } = this.calls.takeResultContext(callId)
    if (ENGINE_TOOL_NAMES.has(tool)) return
    send({
      type: 'tool-output',
      payload: {
        tool_name: tool,
        success: ok,
        execution_time: (atMs - (turn.startedMs.get(callId) ?? atMs)) / 1000,
        output: text,
        error: ok ? null : text,
        ...(screenshot &&
          ('ref' in screenshot ? { screenshot_ref: screenshot.ref } : { screenshot: screenshot.base64 })),
        request_id: callId,
        metadata: {
          tool_call_id: turn.providerIds.get(callId) ?? callId,
          ...(activeWindow !== undefined && { active_window: activeWindow }),
        },
      },
    })
  }

  #sendEnd(end: Extract<AgentEvent, { type: 'run_ended' }>, turn: Turn, send: SendEvent): void {
    const { client, config } = turn
    if (end.outcome === 'failed')
      client.sendError(end.failure ?? 'the turn failed', turn.ref, { conversation: this.ref, turn: turn.ref })
    if (end.outcome !== 'finished') return
    send({ type: 'assistant-message-full', payload: { content: end.text } })
    send({ type: 'token-count', payload: tokenCount(end, turn.output, this.#frameTokens(turn)) })
    send({
      type: 'streaming-complete',
      payload: {
        final_response: end.text,
        model_id: config.selected_model_id,
        model_provider: config.model_provider,
      },
    })
  }

  /** The tokens of system prompt and tools. They are cached, because they rarely change. */
  #frameTokens({ prompt, client, config }: Turn): number {
    const tools = client.toolset.offered(config)
    if (this.#frameCache?.prompt !== prompt || this.#frameCache.tools !== tools) {
      const texts = [prompt, JSON.stringify(tools.map(flatTool))]
      const tokens = texts.reduce((sum, text) => sum + this.#count(text), 0)
      this.#frameCache = { prompt, tools, tokens }
    }
    return this.#frameCache.tokens
  }

  #count(text: string): number {
    if (text.length > MAX_COUNTED_CHARACTERS) return estimateTokens(text)
    try {
      return this.#server.countTokens(text)
    } catch (thrown) {
      this.#server.onBug(thrown)
      return estimateTokens(text)
    }
  }

  #finish(runId: string): void {
    const turn = this.#turns.get(runId)
    if (!turn) return
    this.#turns.delete(runId)
    if (this.#turns.size === 0) this.calls.clear()
    turn.done()
  }
}
