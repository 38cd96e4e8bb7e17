import type { Agent } from '../../agent/engine.ts'
import { Fault } from '../../base/fault.ts'
import type { Store } from '../../stores/store.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { SessionChannel } from './connection.ts'
import { openSessionStore, type SessionStore, type StoredSession } from './session-store.ts'
import type { CreateSession } from './wire.ts'

/** Options of the sessions of a server. */
export interface SessionManagerOptions {
  readonly agent: Agent
  /** The number of frames held for each session. */
  readonly ringSize: number
  /** Stores sessions beyond the life of the server. Undefined: sessions end with it. */
  readonly store: Store | undefined
  readonly onBug: (cause: unknown) => void
}

/** All sessions of a server. Sessions stored by an earlier server are opened on first use. */
export class SessionManager {
  readonly #options: SessionManagerOptions
  readonly #store: SessionStore | undefined
  readonly #open = new Map<string, SessionChannel>()
  /** Stored sessions that have not been used yet. */
  readonly #dormant: Set<string>
  readonly #startedMs: number

  constructor(options: SessionManagerOptions) {
    const { agent, store, ringSize } = options
    this.#options = options
    this.#store = store && openSessionStore(store, ringSize, agent.clock)
    this.#dormant = new Set(this.#store?.ids())
    this.#startedMs = agent.clock.now()
  }

  /** Opens a new session. */
  create({ model, permission_mode }: CreateSession): SessionChannel {
    const id = this.#options.agent.ids.uuid()
    return this.#add(id, this.#store?.open(id), { model: model ?? undefined, mode: permission_mode ?? 'default' })
  }

  /** Returns a session. Throws `SessionNotFound`. */
  get(id: string): SessionChannel {
    const session = this.#open.get(id) ?? this.#restore(id)
    if (!session) throw new Fault('SessionNotFound', `there is no session ${JSON.stringify(id)}`)
    return session
  }

  /** Ends a session permanently. An unknown id has no effect. */
  remove(id: string): void {
    this.#open.get(id)?.close()
    this.#open.delete(id)
    this.#dormant.delete(id)
    this.#store?.remove(id)
  }

  /** Removes the sessions without activity for `idleMs`. */
  removeIdle(idleMs: number): void {
    for (const [id, session] of this.#open) if (session.idleMs() > idleMs) this.remove(id)
    if (this.#options.agent.clock.now() - this.#startedMs <= idleMs) return
    for (const id of [...this.#dormant]) this.remove(id)
  }

  /** Stops all turns. Stored sessions continue with the next server, so their streams are cut without `done`. */
  close(): void {
    for (const session of this.#open.values()) {
      if (this.#store) session.suspend()
      else session.close()
    }
    this.#open.clear()
  }

  #restore(id: string): SessionChannel | undefined {
    if (!this.#dormant.delete(id)) return undefined
    const stored = this.#store!.open(id)
    return this.#add(id, stored, { model: stored.settings?.model, mode: stored.settings?.mode ?? 'default' })
  }

  #add(
    id: string,
    stored: StoredSession | undefined,
    initial: { model: string | undefined; mode: string },
  ): SessionChannel {
    const { agent, ringSize, onBug } = this.#options
    const { history, historyStore, settings } = stored ?? {}
    const session = agent.open({
      id,
      ...(history && { history }),
      ...(historyStore && { historyStore }),
      permissions: {
        mode: initial.mode,
        ...(settings && { rules: settings.rules }),
      },
      logCapacity: LOG_CAPACITY,
      keepsFullHistory: false,
    })
    session.selectModel(initial.model)
    const opened = new SessionChannel(session, { clock: agent.clock, capacity: ringSize, stored, onBug })
    this.#open.set(id, opened)
    return opened
  }
}
