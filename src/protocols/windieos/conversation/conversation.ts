import type { AgentEvent } from '../../../agent/events.ts'
import { estimateTokens, type ImageContent } from '../../../agent/history/history.ts'
import type { AgentSession } from '../../../agent/session.ts'
import { ASK_PERMISSION, ENGINE_TOOLS } from '../../../agent/tools/engine-tools.ts'
import type { Toolbox, ToolCallResult } from '../../../agent/tools/toolbox.ts'
import { toText } from '../../../base/text/to-text.ts'
import type { ServerContext } from '../context.ts'
import { modelFailureCode } from '../errors.ts'
import type { OfferedTool } from '../tools/definition.ts'
import { flatTool, nestedTool } from '../tools/tools.ts'
import { type TurnOutput, tokenCount, toWire, userMessageFull } from '../translate.ts'
import type { ConnectedClient, SendEvent } from '../users/client.ts'
import type { UserSettings } from '../users/settings.ts'
import type { Payload, StreamedEvent } from '../wire.ts'
import { ClientCalls, providerIdOf } from './client-calls.ts'
import { reportCompression } from './compaction.ts'
import { fullMessage, hasExtraContext, systemPrompt } from './prompt.ts'

/** A query on its way to an answer. */
interface Turn {
  /** The id of the query's message. */
  readonly ref: string
  readonly client: ConnectedClient
  readonly query: Payload<'query'>
  /** What was set when it was asked. */
  readonly config: UserSettings
  /** What the model is told of itself. */
  readonly prompt: string
  readonly images: readonly ImageContent[]
  readonly done: () => void
  /** The number of its newest event, for everyone who is told of it. */
  readonly told: Map<ConnectedClient, number>
  spoken: TurnOutput
  /** Nothing of it is said any more. */
  stopped: boolean
  /** How much the model had to read at its end. */
  contextTokens: number
  /** When each call that runs here began, in milliseconds. */
  readonly startedMs: Map<string, number>
  /** The ids of calls as the model knows them. */
  readonly providerIds: Map<string, string>
}

/** Where a conversation belongs, and what is to be heeded there. */
type Place = Pick<Payload<'query'>, 'workspace_path' | 'repo_instruction_messages'>

/** Of longer texts the tokens are estimated, since counting takes its time. */
const MAX_COUNTED_CHARACTERS = 65_536

const NO_WORDS: TurnOutput = { text: '', thinking: '', counted: false }
const OWN = new Set([ASK_PERMISSION, ...ENGINE_TOOLS.map(({ name }) => name)])

/** One conversation of a user: turns one after the other, each told to the client that asked. */
export class Conversation {
  readonly ref: string
  readonly session: AgentSession
  /** Those that clients carry out. */
  readonly calls: ClientCalls
  /** Holds for queries that do not say where they belong. */
  place: Place = {}
  readonly #server: ServerContext
  readonly #turns = new Map<string, Turn>()
  #frame: { readonly prompt: string; readonly tools: readonly OfferedTool[]; readonly tokens: number } | undefined
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
    this.session.listen((event) => this.#hear(event))
  }

  /** Whether a turn of that name is under way or waits. */
  has(turnRef: string): boolean {
    return [...this.#turns.values()].some(({ ref }) => ref === turnRef)
  }

  /** Answers a query once those before it are answered; `done` is called when it ends, however it ends. */
  ask(
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
      workspacePath: query.workspace_path ?? this.place.workspace_path,
      layers: query.client_prompt_layers,
      instructions: query.repo_instruction_messages ?? this.place.repo_instruction_messages,
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
      told: new Map(),
      spoken: NO_WORDS,
      stopped: false,
      contextTokens: 0,
      startedMs: new Map(),
      providerIds: new Map(),
    })
    void run.ended.then(() => this.#finish(run.id))
  }

  /** Ends the turn of that name, or every turn; those of one client only, where one is given. */
  stop(turnRef: string | undefined, client?: ConnectedClient): void {
    for (const [runId, turn] of [...this.#turns])
      if ((turnRef === undefined || turn.ref === turnRef) && (!client || turn.client === client))
        this.session.stop(runId)
  }

  close(): void {
    this.session.close()
    for (const runId of [...this.#turns.keys()]) this.#finish(runId)
  }

  /** The tools that the client and this server have together. */
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
        const isOurs = tool.where === 'backend'
        const answer = isOurs ? await backendTools.call(name, args, context) : await this.calls.answer(context.callId)
        if (!answer.ok) logFailure('TOOL_EXECUTION_ERROR', `${name} failed`)
        return answer
      },
      state: () => backendTools.state?.(),
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

  #hear(event: AgentEvent): void {
    const turn = this.#turns.get(event.runId)
    if (!turn) return
    const tell: SendEvent = (told, to = turn.client) => {
      const sequence = (turn.told.get(to) ?? 0) + 1
      turn.told.set(to, sequence)
      to.sendEvent(told, this.ref, turn.ref, sequence)
    }
    for (const told of toWire(event)) tell(told)
    switch (event.type) {
      case 'run_started':
        this.#client = turn.client
        this.session.selectModel(turn.config.selected_model_id)
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
        for (const call of event.calls) turn.providerIds.set(call.id, providerIdOf(call))
        this.calls.send(
          event.calls.filter(({ id, tool }) => this.#isForClients(tool) && !event.refused?.includes(id)),
          turn.client,
          tell,
        )
        if (!event.subagent && event.because !== 'stopped') turn.client.speak(event.text, () => !turn.stopped)
        return
      case 'tool_started':
        turn.startedMs.set(event.callId, event.atMs)
        if (event.tool === 'web_search')
          tell({
            type: 'web-search-progress',
            payload: { text: `Searching the web for ${toText(event.args.query ?? '')}`, request_id: event.callId },
          })
        return
      case 'tool_result':
        this.#tellResult(event, turn, tell)
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
      { type: 'tool-schemas', payload: { tool_schemas: this.#offered().map(nestedTool) } },
    ]
  }

  /** Every result of a tool is shown, whoever carried it out; `request_id` tells a client which of them are its own. */
  #tellResult(event: Extract<AgentEvent, { type: 'tool_result' }>, turn: Turn, tell: SendEvent): void {
    const { tool, callId, ok, text, atMs } = event
    const { screenshot, activeWindow } = this.calls.takeResultContext(callId)
    if (OWN.has(tool)) return
    tell({
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

  #conclude(end: Extract<AgentEvent, { type: 'run_ended' }>, turn: Turn, tell: SendEvent): void {
    const { client, config } = turn
    if (end.outcome === 'failed')
      client.sendError(end.failure ?? 'the turn failed', turn.ref, { conversation: this.ref, turn: turn.ref })
    if (end.outcome !== 'finished') return
    tell({ type: 'assistant-message-full', payload: { content: end.text } })
    tell({ type: 'token-count', payload: tokenCount(end, turn.spoken, this.#frameTokens(turn)) })
    tell({
      type: 'streaming-complete',
      payload: {
        final_response: end.text,
        model_id: config.selected_model_id,
        model_provider: config.model_provider,
      },
    })
  }

  /** The tokens of what the model reads around the conversation: the system prompt and the tools, which rarely change. */
  #frameTokens({ prompt, client, config }: Turn): number {
    const tools = client.toolset.offered(config)
    if (this.#frame?.prompt !== prompt || this.#frame.tools !== tools) {
      const texts = [prompt, JSON.stringify(tools.map(flatTool))]
      const tokens = texts.reduce((sum, text) => sum + this.#count(text), 0)
      this.#frame = { prompt, tools, tokens }
    }
    return this.#frame.tokens
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
