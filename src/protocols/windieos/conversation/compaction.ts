import type { AgentEvent } from '../../../agent/events.ts'
import { type ChatHistory, compress, contextLength } from '../../../agent/history/history.ts'
import type { AgentSession } from '../../../agent/session.ts'
import type { ConnectedClient, ServerContext } from '../context.ts'
import type { StreamedEvent } from '../wire.ts'
import { historyEntry } from './prompt.ts'

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
