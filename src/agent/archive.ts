import * as z from 'zod'
import type { Store } from '../stores/store.ts'
import type { History, Message, Summary } from './history.ts'
import type { HistoryStore } from './session.ts'

/** What is known of a session besides its messages. */
export const SessionRecord = z.object({
  id: z.string(),
  profileId: z.string().optional(),
  title: z.string().optional(),
  /** What the session belongs to: a workspace, a user. */
  owner: z.string().optional(),
  pinned: z.boolean().default(false),
  createdAtMs: z.number(),
  lastActiveAtMs: z.number(),
})
export type SessionRecord = z.infer<typeof SessionRecord>

/** The conversations of one protocol, in a store. */
export interface Archive {
  /** Oldest first. */
  sessions(owner?: string): readonly SessionRecord[]
  session(id: string): SessionRecord | undefined
  save(session: SessionRecord): void
  /** Forgets a session and its messages. */
  remove(id: string): void
  history(id: string): History
  /** How many messages a session has, and the text of the last that has one. */
  glance(id: string): { readonly count: number; readonly lastText: string }
  /** Keeps what is said in a session from now on. */
  keeper(id: string, clock: { now(): number }): HistoryStore
}

/** `wire` keeps protocols that share a store apart. */
export function openArchive(store: Store, wire: string): Archive {
  const kind = `${wire}.session`
  const messagesOf = (id: string) => `${wire}.messages/${id}`
  const summaries = `${wire}.summary`

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
        store.remove(kind, id)
        store.remove(summaries, id)
        store.drop(messagesOf(id))
      }),
    history: (id) => {
      const messages = store.read(messagesOf(id)).map(({ value }) => value as Message)
      const summary = store.get(summaries, id) as Summary | undefined
      return summary === undefined ? { messages } : { messages, summary }
    },
    glance: (id) => {
      const count = store.count(messagesOf(id))
      for (let number = count; number > 0; number--) {
        const { text } = store.read(messagesOf(id), number - 1, 1)[0]!.value as Message
        if (text !== '') return { count, lastText: text }
      }
      return { count, lastText: '' }
    },
    keeper: (id, clock) => ({
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
