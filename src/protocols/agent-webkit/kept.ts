import * as z from 'zod'
import { openArchive, type SessionRecord } from '../../agent/archive.ts'
import type { History } from '../../agent/history.ts'
import { PermissionRule } from '../../agent/permissions.ts'
import type { HistoryStore } from '../../agent/session.ts'
import type { Numbered } from '../../base/log.ts'
import type { Store } from '../../stores/store.ts'

/** What is kept of sessions: the conversation, what the client has set, and the frames of the stream. */

/** An event as it is sent, but for its number. */
export interface Frame {
  readonly event: string
  readonly json: string
}

/** What a client has set, and whether a turn is under way. */
const KeptSetting = z.object({
  model: z.string().optional(),
  mode: z.string(),
  rules: z.array(PermissionRule).default([]),
  isRunning: z.boolean(),
})
export type KeptSetting = z.infer<typeof KeptSetting>

/** One session in the store. */
export interface KeptSession {
  readonly history: History
  readonly keeper: HistoryStore
  /** Undefined for a session that is new. */
  readonly setting: KeptSetting | undefined
  /** Those that a resumed stream may ask for, oldest first. */
  frames(): readonly Numbered<Frame>[]
  /** Keeps all of it or, when it throws, nothing. */
  keep(frames: readonly Numbered<Frame>[], setting?: KeptSetting): void
}

/** The sessions of a server, in a store. */
export interface KeptSessions {
  ids(): readonly string[]
  /** A session of that id, new if need be. */
  open(id: string): KeptSession
  remove(id: string): void
}

const WIRE = 'agent-webkit'

/** `capacity` is how many frames of a session are held at least; at most twice as many are. */
export function keepSessions(store: Store, capacity: number, clock: { now(): number }): KeptSessions {
  const archive = openArchive(store, WIRE)
  const settings = `${WIRE}.setting`
  // Streams only grow, so two of them take turns: the older one is dropped when the newer one is full.
  const halves = (id: string) => [`${WIRE}.frames/${id}/0`, `${WIRE}.frames/${id}/1`] as const

  const open = (id: string): KeptSession => {
    if (!archive.session(id)) archive.save(newRecord(id, clock.now()))
    const held = halves(id).map((half) => store.read(half).map(({ value }) => value as Numbered<Frame>))
    const newest = (half: readonly Numbered<Frame>[]) => half.at(-1)?.number ?? 0
    let current: 0 | 1 = newest(held[1]!) > newest(held[0]!) ? 1 : 0
    let count = held[current]!.length
    const keepFrame = (frame: Numbered<Frame>) => {
      if (count >= capacity) {
        current = current === 0 ? 1 : 0
        count = 0
        store.drop(halves(id)[current])
      }
      count = store.append(halves(id)[current], frame)
    }
    const setting = store.get(settings, id)
    return {
      history: archive.history(id),
      keeper: archive.keeper(id, clock),
      setting: setting === undefined ? undefined : KeptSetting.parse(setting),
      frames: () => held.flat().toSorted((one, other) => one.number - other.number),
      keep: (frames, changed) => {
        const before = { current, count }
        try {
          store.atomically(() => {
            for (const frame of frames) keepFrame(frame)
            if (changed) store.put(settings, id, changed)
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
        store.remove(settings, id)
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
