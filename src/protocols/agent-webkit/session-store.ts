import * as z from 'zod'
import { openArchive, type SessionRecord } from '../../agent/history/archive.ts'
import type { ChatHistory } from '../../agent/history/history.ts'
import { PermissionRule } from '../../agent/profiles/permissions.ts'
import type { HistoryStore } from '../../agent/session.ts'
import type { Numbered } from '../../base/log.ts'
import type { Store } from '../../stores/store.ts'

/** What is kept of sessions: the conversation, what the client has set, and the frames of the stream. */

/** An event as it is sent, but for its number. */
export interface StreamFrame {
  readonly event: string
  readonly json: string
}

/** What a client has set, and whether a turn is under way. */
const StoredSettings = z.object({
  model: z.string().optional(),
  mode: z.string(),
  rules: z.array(PermissionRule).default([]),
  isRunning: z.boolean(),
})
export type KeptSetting = z.infer<typeof StoredSettings>

/** One session in the store. */
export interface StoredSession {
  readonly history: ChatHistory
  readonly historyStore: HistoryStore
  /** Undefined for a session that is new. */
  readonly settings: KeptSetting | undefined
  /** Those that a resumed stream may ask for, oldest first. */
  frames(): readonly Numbered<StreamFrame>[]
  /** Keeps all of it or, when it throws, nothing. */
  save(frames: readonly Numbered<StreamFrame>[], setting?: KeptSetting): void
}

/** The sessions of a server, in a store. */
export interface SessionStore {
  ids(): readonly string[]
  /** A session of that id, new if need be. */
  open(id: string): StoredSession
  remove(id: string): void
}

const WIRE = 'agent-webkit'

/** `capacity` is how many frames of a session are held at least; at most twice as many are. */
export function openSessionStore(store: Store, capacity: number, clock: { now(): number }): SessionStore {
  const archive = openArchive(store, WIRE)
  const settingsKind = `${WIRE}.setting`
  // Streams only grow, so two of them take turns: the older one is dropped when the newer one is full.
  const halves = (id: string) => [`${WIRE}.frames/${id}/0`, `${WIRE}.frames/${id}/1`] as const

  const open = (id: string): StoredSession => {
    if (!archive.session(id)) archive.save(newRecord(id, clock.now()))
    const held = halves(id).map((half) => store.read(half).map(({ value }) => value as Numbered<StreamFrame>))
    const newest = (half: readonly Numbered<StreamFrame>[]) => half.at(-1)?.number ?? 0
    let current: 0 | 1 = newest(held[1]!) > newest(held[0]!) ? 1 : 0
    let count = held[current]!.length
    const keepFrame = (frame: Numbered<StreamFrame>) => {
      if (count >= capacity) {
        current = current === 0 ? 1 : 0
        count = 0
        store.drop(halves(id)[current])
      }
      count = store.append(halves(id)[current], frame)
    }
    const stored = store.get(settingsKind, id)
    return {
      history: archive.history(id),
      historyStore: archive.historyStore(id, clock),
      settings: stored === undefined ? undefined : StoredSettings.parse(stored),
      frames: () => held.flat().toSorted((one, other) => one.number - other.number),
      save: (frames, changed) => {
        const before = { current, count }
        try {
          store.atomically(() => {
            for (const frame of frames) keepFrame(frame)
            if (changed) store.put(settingsKind, id, changed)
          })
        } catch (thrown) {
          current = before.current
          count = before.count
          throw thrown
        }
      },
    }
  }
  return {
    ids: () => archive.sessions().map(({ id }) => id),
    open,
    remove: (id) =>
      store.atomically(() => {
        archive.remove(id)
        store.remove(settingsKind, id)
        for (const half of halves(id)) store.drop(half)
      }),
  }
}

const newRecord = (id: string, atMs: number): SessionRecord => ({
  id,
  pinned: false,
  createdAtMs: atMs,
  lastActiveAtMs: atMs,
})
