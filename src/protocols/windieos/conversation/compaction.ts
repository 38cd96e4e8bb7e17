import type { AgentEvent } from '../../../agent/events.ts'
import { type ChatHistory, compress, contextLength } from '../../../agent/history/history.ts'
import type { AgentSession } from '../../../agent/session.ts'
import type { ServerContext } from '../context.ts'
import type { ConnectedClient } from '../users/client.ts'
import type { StreamedEvent } from '../wire.ts'
import { historyEntry } from './prompt.ts'

/** How a conversation is shortened, and how that is told: as an operation under a name of its own. */

/** What can be shortened. */
interface StoredConversation {
  readonly ref: string
  readonly session: AgentSession
}

interface CompactionInfo {
  readonly reason: string
  readonly strategy: string
  readonly before_tokens: number
}

const SUMMARY_PREVIEW = 200

/** Shortens what the model reads, as a client asked (WindieOS client packages, "compaction"). */
export function compact(
  server: ServerContext,
  kept: StoredConversation,
  operation: string,
  force: boolean,
  client: ConnectedClient,
): void {
  const { session } = kept
  const atMs = server.agent.clock.now()
  const before: ChatHistory = {
    messages: session.messages,
    ...(session.context.summary && { summary: session.context.summary }),
  }
  const about = { reason: force ? 'requested' : 'full', strategy: 'summary', before_tokens: tokensOf(server, kept) }
  const tell = telling(kept, operation, client)
  if (session.running) {
    const error = 'a turn is under way; compact when it has ended'
    tell({ type: 'context-compaction-failed', payload: { ...about, error } })
    return
  }
  tell(started(about))
  const most = session.profile.max_context_tokens
  const after = force ? compress(before, most, atMs, 0) : compress(before, most, atMs)
  const length = contextLength(session.context)
  if (after !== before) session.replaceHistory(after)
  const removed = length - contextLength(session.context) + 1
  const summary = after === before ? undefined : { text: after.summary?.text ?? '', removed }
  tellCompleted(server, kept, tell, about, summary)
}

/** Tells that a conversation was full and has been shortened by itself. */
export function reportCompression(
  server: ServerContext,
  kept: StoredConversation,
  event: Extract<AgentEvent, { type: 'context_compressed' }>,
  tokensBefore: number,
  client: ConnectedClient,
): void {
  const tell = telling(kept, `compaction_${server.agent.ids.hex(24)}`, client)
  const about = { reason: 'full', strategy: 'summary', before_tokens: tokensBefore }
  tell(started(about))
  tellCompleted(server, kept, tell, about, { text: event.summary, removed: event.before - event.after + 1 })
}

type Tell = (event: StreamedEvent) => void

function telling({ ref }: StoredConversation, operation: string, client: ConnectedClient): Tell {
  let sequence = 0
  return (event) => client.sendEvent(event, ref, operation, ++sequence)
}

const started = (about: CompactionInfo): StreamedEvent => ({
  type: 'context-compaction-started',
  payload: { ...about, projected_tokens: Math.ceil(about.before_tokens / 2) },
})

/** What came of it, and what the model remembers now. */
function tellCompleted(
  server: ServerContext,
  kept: StoredConversation,
  tell: Tell,
  about: CompactionInfo,
  summary: { readonly text: string; readonly removed: number } | undefined,
): void {
  tell({
    type: 'context-compaction-completed',
    payload: {
      ...about,
      after_tokens: tokensOf(server, kept),
      removed_messages: summary?.removed ?? 0,
      summary_preview: (summary?.text ?? '').slice(0, SUMMARY_PREVIEW),
      skipped_reason: summary ? null : 'nothing to shorten',
      replacement_history_entries: summary ? entriesOf(kept) : [],
    },
  })
  if (summary) tell(remembered(server, kept))
}

function remembered({ agent, timestamp }: ServerContext, kept: StoredConversation): StreamedEvent {
  const revision_id = `rev_${agent.ids.hex(16)}`
  return {
    type: 'model-history-updated',
    payload: {
      checkpoint_id: `checkpoint_${agent.ids.hex(16)}`,
      revision_id,
      created_at: timestamp(),
      rows: entriesOf(kept).map((entry, index) => ({
        id: `${revision_id}_${index + 1}`,
        conversation_ref: kept.ref,
        revision_id,
        ...entry,
      })),
    },
  }
}

/** What the model remembers, the summary of what it does not first. */
function entriesOf({ session }: StoredConversation) {
  const { summary, messages } = session.context
  const head = summary ? [{ role: 'user', message_type: 'context_compaction', content: summary.text }] : []
  return [...head, ...messages.map(historyEntry)]
}

function tokensOf({ countTokens }: ServerContext, { session }: StoredConversation): number {
  const { summary, messages } = session.context
  return countTokens([summary?.text ?? '', ...messages.map(({ text }) => text)].join('\n'))
}
