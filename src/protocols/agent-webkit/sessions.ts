import type { Agent } from '../../agent/engine.ts'
import { Fault } from '../../base/fault.ts'
import type { Store } from '../../stores/store.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { SessionChannel } from './connection.ts'
import { openSessionStore, type SessionStore, type StoredSession } from './session-store.ts'
import type { CreateSession } from './wire.ts'

export interface SessionManagerOptions {
  readonly agent: Agent
  /** Frames held for each session. */
  readonly ringSize: number
  /** Where sessions are kept beyond the life of the server; left out, they end with it. */
  readonly store: Store | undefined
  readonly onBug: (cause: unknown) => void
}

/** All sessions of a server. Those that an earlier server has kept are opened when somebody asks for them. */
export class SessionManager {
  readonly #options: SessionManagerOptions
  readonly #kept: SessionStore | undefined
  readonly #open = new Map<string, SessionChannel>()
  /** Kept ones that nobody has asked for yet. */
  readonly #dormant: Set<string>
  readonly #startedMs: number

  constructor(options: SessionManagerOptions) {
    const { agent, store, ringSize } = options
    this.#options = options
    this.#kept = store && openSessionStore(store, ringSize, agent.clock)
    this.#dormant = new Set(this.#kept?.ids())
    this.#startedMs = agent.clock.now()
  }

  create({ model, permission_mode }: CreateSession): SessionChannel {
    const id = this.#options.agent.ids.uuid()
    return this.#add(id, this.#kept?.open(id), { model: model ?? undefined, mode: permission_mode ?? 'default' })
  }

  /** Throws `SessionNotFound`. */
  get(id: string): SessionChannel {
    const session = this.#open.get(id) ?? this.#awaken(id)
    if (!session) throw new Fault('SessionNotFound', `there is no session ${JSON.stringify(id)}`)
    return session
  }

  /** Ends a session for good; an unknown one has ended before. */
  remove(id: string): void {
    this.#open.get(id)?.close()
    this.#open.delete(id)
    this.#dormant.delete(id)
    this.#kept?.remove(id)
  }

  /** Removes the sessions that nobody has used for that long. */
  reap(idleMs: number): void {
    for (const [id, session] of this.#open) if (session.idleMs() > idleMs) this.remove(id)
    if (this.#options.agent.clock.now() - this.#startedMs <= idleMs) return
    for (const id of [...this.#dormant]) this.remove(id)
  }

  /** Ends what is under way; kept sessions go on with the next server, so that their streams are cut and not ended. */
  close(): void {
    for (const session of this.#open.values()) {
      if (this.#kept) session.suspend()
      else session.close()
    }
    this.#open.clear()
  }

  #awaken(id: string): SessionChannel | undefined {
    if (!this.#dormant.delete(id)) return undefined
    const kept = this.#kept!.open(id)
    return this.#add(id, kept, { model: kept.settings?.model, mode: kept.settings?.mode ?? 'default' })
  }

  #add(
    id: string,
    kept: StoredSession | undefined,
    wanted: { model: string | undefined; mode: string },
  ): SessionChannel {
    const { agent, ringSize, onBug } = this.#options
    const { history, historyStore, settings } = kept ?? {}
    const session = agent.open({
      id,
      ...(history && { history }),
      ...(historyStore && { historyStore: historyStore }),
      permissions: {
        mode: wanted.mode,
        ...(settings && { rules: settings.rules }),
      },
      logCapacity: LOG_CAPACITY,
      keepsFullHistory: false,
    })
    session.selectModel(wanted.model)
    const opened = new SessionChannel(session, { clock: agent.clock, capacity: ringSize, kept, onBug })
    this.#open.set(id, opened)
    return opened
  }
}
