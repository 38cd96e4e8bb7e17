import type { AgentSession } from '../../../agent/agent-session.ts'
import type { AgentEvent } from '../../../agent/events.ts'
import { type ChatHistory, type ChatMessage, compress, contextLength } from '../../../agent/history/history.ts'
import type { ToolDescription } from '../../../agent/toolbox.ts'
import type { ConnectedClient, ServerContext } from '../context.ts'
import type { FullMessage } from '../translate.ts'
import type { AgentDefinition, StreamedEvent } from '../wire.ts'

/** The model's input: the system prompt, and user messages with their context. */

const DEFAULT_OPENING = 'You are an assistant who works on a computer together with the person who owns it.'

/** The parts of a system prompt. */
export interface PromptSections {
  /** The profile's description of the agent. */
  readonly opening: string | undefined
  readonly definition: AgentDefinition | undefined
  readonly tools: readonly ToolDescription[]
  /** Overrides the workspace of the definition. */
  readonly workspacePath?: string | null | undefined
  readonly layers?: readonly { readonly content: string; readonly priority?: number | undefined }[] | null | undefined
  /** The instructions of the workspace, as messages with a text. */
  readonly instructions?: readonly unknown[] | null | undefined
}

/** The system prompt of a session, followed by the client's layers and the instructions of its workspace. */
export function systemPrompt(prompting: PromptSections): string {
  const { opening = DEFAULT_OPENING, definition, tools, workspacePath, layers, instructions } = prompting
  const prompt = definition?.system_prompt
  const runtime = definition?.runtime
  const own = prompt?.mode === 'replace' && prompt.content ? prompt.content : opening
  const workspace = workspacePath || runtime?.workspace_path
  const facts = [
    runtime?.operating_system && `Operating system: ${runtime.operating_system}`,
    workspace && `Workspace: ${workspace}`,
    tools.length > 0 && `Tools: ${tools.map(({ name }) => name).join(', ')}`,
  ].filter((line) => typeof line === 'string' && line !== '')
  const added = [...(definition?.prompt_layers ?? []), ...(definition?.agents_md ?? []), ...(layers ?? [])]
    .toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
    .map(({ content }) => content)
  const guidance = (instructions ?? []).map((message) => (message as { readonly content?: unknown } | null)?.content)
  return [own, facts.join('\n'), ...added, ...guidance]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n\n')
}

/** A user message with the context that the client added. Without context, the message in its tags. */
export function fullMessage(text: string, content: string | null | undefined): FullMessage {
  const full = content ? content : `<user_query>\n${escaped(text)}\n</user_query>`
  const context = rangeOf(full, 'system_context')
  const injectedContext = context ? full.slice(...context) : ''
  return {
    content: full,
    query: text,
    injectedContext,
    activeWindow: inside(injectedContext, 'active_window') ?? null,
    hasMemory: ['episodic_memory', 'semantic_memory'].some((tag) => !/^(?:None)?$/.test(inside(full, tag) ?? '')),
  }
}

/** Returns whether the client added context to the user's text. */
export function hasExtraContext(content: string): boolean {
  const [start, end] = rangeOf(content, 'user_query') ?? [0, 0]
  return (content.slice(0, start) + content.slice(end)).trim() !== ''
}

/** The user's text in a message with context. */
export const extractQuery = (content: string): string => unescaped(inside(content, 'user_query') ?? content)

function inside(text: string, tag: string): string | undefined {
  const range = rangeOf(text, tag)
  return range && text.slice(range[0] + tag.length + 2, range[1] - tag.length - 3).trim()
}

/** The range of the first element with a tag. The search is linear, regardless of the number of opening tags. */
function rangeOf(text: string, tag: string): readonly [number, number] | undefined {
  const start = text.indexOf(`<${tag}>`)
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start)
  return end < 0 ? undefined : [start, end + tag.length + 3]
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** A stored message as an entry of a client's history. */
function historyEntry(message: ChatMessage) {
  switch (message.role) {
    case 'user':
      return { role: 'user', message_type: 'user_query', content: message.text }
    case 'assistant':
      return { role: 'assistant', message_type: 'assistant_response', content: message.text }
    case 'tool':
      return { role: 'tool', message_type: 'tool_output', content: message.text }
  }
}

/** Compaction of conversations. It is a separate operation with its own name and event numbers. */

/** A conversation that can be compacted. */
interface StoredConversation {
  readonly ref: string
  readonly session: AgentSession
}

interface CompactionInfo {
  readonly reason: string
  readonly strategy: string
  readonly before_tokens: number
}

const MAX_SUMMARY_PREVIEW_LENGTH = 200

/** Compacts the model's context on request of a client (WindieOS client packages, "compaction"). */
export function compact(
  server: ServerContext,
  conversation: StoredConversation,
  operation: string,
  force: boolean,
  client: ConnectedClient,
): void {
  const { session } = conversation
  const atMs = server.agent.clock.now()
  const before: ChatHistory = {
    messages: session.messages,
    ...(session.context.summary && { summary: session.context.summary }),
  }
  const info = {
    reason: force ? 'requested' : 'full',
    strategy: 'summary',
    before_tokens: tokensOf(server, conversation),
  }
  const send = operationSender(conversation, operation, client)
  if (session.running) {
    const error = 'a turn is running; compact after it has ended'
    send({ type: 'context-compaction-failed', payload: { ...info, error } })
    return
  }
  send(startedEvent(info))
  const maxTokens = session.profile.max_context_tokens
  const after = force ? compress(before, maxTokens, atMs, 0) : compress(before, maxTokens, atMs)
  const length = contextLength(session.context)
  if (after !== before) session.replaceHistory(after)
  const removed = length - contextLength(session.context) + 1
  const summary = after === before ? undefined : { text: after.summary?.text ?? '', removed }
  sendCompleted(server, conversation, send, info, summary)
}

/** Reports that the engine compacted a full conversation. */
export function reportCompression(
  server: ServerContext,
  conversation: StoredConversation,
  event: Extract<AgentEvent, { type: 'context_compressed' }>,
  tokensBefore: number,
  client: ConnectedClient,
): void {
  const send = operationSender(conversation, `compaction_${server.agent.ids.hex(24)}`, client)
  const info = { reason: 'full', strategy: 'summary', before_tokens: tokensBefore }
  send(startedEvent(info))
  sendCompleted(server, conversation, send, info, { text: event.summary, removed: event.before - event.after + 1 })
}

type Send = (event: StreamedEvent) => void

function operationSender({ ref }: StoredConversation, operation: string, client: ConnectedClient): Send {
  let sequence = 0
  return (event) => client.sendEvent(event, ref, operation, ++sequence)
}

const startedEvent = (info: CompactionInfo): StreamedEvent => ({
  type: 'context-compaction-started',
  payload: { ...info, projected_tokens: Math.ceil(info.before_tokens / 2) },
})

/** Reports the outcome and the new history of the model. */
function sendCompleted(
  server: ServerContext,
  conversation: StoredConversation,
  send: Send,
  info: CompactionInfo,
  summary: { readonly text: string; readonly removed: number } | undefined,
): void {
  send({
    type: 'context-compaction-completed',
    payload: {
      ...info,
      after_tokens: tokensOf(server, conversation),
      removed_messages: summary?.removed ?? 0,
      summary_preview: (summary?.text ?? '').slice(0, MAX_SUMMARY_PREVIEW_LENGTH),
      skipped_reason: summary ? null : 'nothing to shorten',
      replacement_history_entries: summary ? entriesOf(conversation) : [],
    },
  })
  if (summary) send(historyEvent(server, conversation))
}

function historyEvent({ agent, timestamp }: ServerContext, conversation: StoredConversation): StreamedEvent {
  const revision_id = `rev_${agent.ids.hex(16)}`
  return {
    type: 'model-history-updated',
    payload: {
      checkpoint_id: `checkpoint_${agent.ids.hex(16)}`,
      revision_id,
      created_at: timestamp(),
      rows: entriesOf(conversation).map((entry, index) => ({
        id: `${revision_id}_${index + 1}`,
        conversation_ref: conversation.ref,
        revision_id,
        ...entry,
      })),
    },
  }
}

/** The model's context, summary first. */
function entriesOf({ session }: StoredConversation) {
  const { summary, messages } = session.context
  const head = summary ? [{ role: 'user', message_type: 'context_compaction', content: summary.text }] : []
  return [...head, ...messages.map(historyEntry)]
}

function tokensOf({ countTokens }: ServerContext, { session }: StoredConversation): number {
  const { summary, messages } = session.context
  return countTokens([summary?.text ?? '', ...messages.map(({ text }) => text)].join('\n'))
}
