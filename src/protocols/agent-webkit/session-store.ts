import * as z from 'zod'
import { openArchive, type SessionRecord } from '../../agent/history/archive.ts'
import type { ChatHistory, HistoryStore } from '../../agent/history/history.ts'
import { PermissionRule } from '../../agent/profiles.ts'
import type { Numbered } from '../../base/log.ts'
import type { Store } from '../../stores/store.ts'

/** Stores sessions: the conversation, the client's settings, and the frames of the stream. */

/** An event in its wire form, without its number. */
export interface StreamFrame {
  readonly event: string
  readonly json: string
}

/** The client's settings, and whether a turn is running. */
const StoredSettings = z.object({
  model: z.string().optional(),
  mode: z.string(),
  rules: z.array(PermissionRule).default([]),
  isRunning: z.boolean(),
})
export type KeptSetting = z.infer<typeof StoredSettings>

/** A session in the store. */
export interface StoredSession {
  readonly history: ChatHistory
  readonly historyStore: HistoryStore
  /** Undefined for a new session. */
  readonly settings: KeptSetting | undefined
  /** The held frames, oldest first. */
  frames(): readonly Numbered<StreamFrame>[]
  /** Stores all of it, or throws and stores nothing. */
  save(frames: readonly Numbered<StreamFrame>[], setting?: KeptSetting): void
}

/** The stored sessions of a server. */
export interface SessionStore {
  ids(): readonly string[]
  /** Opens or creates the session with an id. */
  open(id: string): StoredSession
  remove(id: string): void
}

const WIRE = 'agent-webkit'

/** Opens the stored sessions. At least `capacity` frames of each session are held, and at most twice as many. */
export function openSessionStore(store: Store, capacity: number, clock: { now(): number }): SessionStore {
  const archive = openArchive(store, WIRE)
  const settingsKind = `${WIRE}.setting`
  // Store streams only grow, so two of them alternate: the older one is dropped when the newer one is full.
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
