import * as z from 'zod'
import { LruCache } from '../../base/lru-cache.ts'
import type { Store } from '../../stores/store.ts'
import type { ChatHistory, ChatMessage, ChatSummary, HistoryStore } from './history.ts'

/** The metadata of a session. */
export const SessionRecord = z.object({
  id: z.string(),
  profileId: z.string().optional(),
  title: z.string().optional(),
  /** The workspace or user that owns the session. */
  owner: z.string().optional(),
  pinned: z.boolean().default(false),
  createdAtMs: z.number(),
  lastActiveAtMs: z.number(),
})
export type SessionRecord = z.infer<typeof SessionRecord>

interface SessionPreview {
  readonly count: number
  readonly lastText: string
}

/** The length of the last text in a preview. */
const MAX_PREVIEW_CHARACTERS = 200
/** The number of sessions with a cached preview. */
const MAX_CACHED_PREVIEWS = 10_000

/** The stored conversations of one protocol. */
export interface Archive {
  /** Returns the sessions, oldest first. */
  sessions(owner?: string): readonly SessionRecord[]
  session(id: string): SessionRecord | undefined
  save(session: SessionRecord): void
  /** Deletes a session and its messages. */
  remove(id: string): void
  history(id: string): ChatHistory
  /** Returns the number of messages, and the end of the newest non-empty text. */
  preview(id: string): SessionPreview
  /** Stores the later messages of a session. */
  historyStore(id: string, clock: { now(): number }): HistoryStore
}

/** Creates an archive. `wire` separates protocols that share a store. */
export function openArchive(store: Store, wire: string): Archive {
  const kind = `${wire}.session`
  const messagesOf = (id: string) => `${wire}.messages/${id}`
  const summaries = `${wire}.summary`

  /** Messages are append-only, so a preview is valid until their number grows. */
  const previews = new LruCache<string, SessionPreview>(MAX_CACHED_PREVIEWS)

  const session = (id: string): SessionRecord | undefined => {
    const value = store.get(kind, id)
    return value === undefined ? undefined : SessionRecord.parse(value)
  }
  const save = (record: SessionRecord) => store.put(kind, record.id, record, record.owner)
  const change = (id: string, changes: Partial<SessionRecord>) => {
    const record = session(id)
    if (record) save({ ...record, ...changes })
  }
  return {
    sessions: (owner) => store.list(kind, owner).map(({ value }) => SessionRecord.parse(value)),
    session,
    save,
    remove: (id) =>
      store.atomically(() => {
        previews.delete(id)
        store.remove(kind, id)
        store.remove(summaries, id)
        store.drop(messagesOf(id))
      }),
    history: (id) => {
      const messages = store.read(messagesOf(id)).map(({ value }) => value as ChatMessage)
      const summary = store.get(summaries, id) as ChatSummary | undefined
      return summary === undefined ? { messages } : { messages, summary }
    },
    preview: (id) => {
      const count = store.count(messagesOf(id))
      const known = previews.get(id)
      if (known?.count === count) return known
      let lastText = ''
      for (let number = count; number > 0 && lastText === ''; number--)
        lastText = (store.read(messagesOf(id), number - 1, 1)[0]!.value as ChatMessage).text
      const glance = { count, lastText: lastText.slice(-MAX_PREVIEW_CHARACTERS) }
      previews.set(id, glance)
      return glance
    },
    historyStore: (id, clock) => ({
      message: (message) =>
        store.atomically(() => {
          store.append(messagesOf(id), message)
          change(id, { lastActiveAtMs: clock.now() })
        }),
      summary: (summary) => store.put(summaries, id, summary),
      profile: (profileId) => change(id, { profileId }),
    }),
  }
}
