import type { Agent } from '../../agent/engine.ts'
import { Fault } from '../../base/fault.ts'
import type { Store } from '../../stores/store.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { WireSession } from './connection.ts'
import { type KeptSession, type KeptSessions, keepSessions } from './kept.ts'
import type { CreateSession } from './wire.ts'

export interface SessionsOptions {
  readonly agent: Agent
  /** Frames held for each session. */
  readonly ringSize: number
  /** Where sessions are kept beyond the life of the server; left out, they end with it. */
  readonly store: Store | undefined
  readonly onBug: (cause: unknown) => void
}

/** All sessions of a server. Those that an earlier server has kept are opened when somebody asks for them. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #kept: KeptSessions | undefined
  readonly #open = new Map<string, WireSession>()
  /** Kept ones that nobody has asked for yet. */
  readonly #dormant: Set<string>
  readonly #startedMs: number

  constructor(options: SessionsOptions) {
    const { agent, store, ringSize } = options
    this.#options = options
    this.#kept = store && keepSessions(store, ringSize, agent.clock)
    this.#dormant = new Set(this.#kept?.ids())
    this.#startedMs = agent.clock.now()
  }

  create({ model, permission_mode }: CreateSession): WireSession {
    const id = this.#options.agent.ids.uuid()
    return this.#add(id, this.#kept?.open(id), { model: model ?? undefined, mode: permission_mode ?? 'default' })
  }

  /** Throws `SessionNotFound`. */
  get(id: string): WireSession {
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

  #awaken(id: string): WireSession | undefined {
    if (!this.#dormant.delete(id)) return undefined
    const kept = this.#kept!.open(id)
    return this.#add(id, kept, { model: kept.setting?.model, mode: kept.setting?.mode ?? 'default' })
  }

  #add(id: string, kept: KeptSession | undefined, wanted: { model: string | undefined; mode: string }): WireSession {
    const { agent, ringSize, onBug } = this.#options
    const { history, keeper, setting } = kept ?? {}
    const session = agent.open({
      id,
      ...(history && { history }),
      ...(keeper && { keeper }),
      permissions: {
        mode: wanted.mode,
        ...(setting && { rules: setting.rules }),
      },
      logCapacity: LOG_CAPACITY,
      keepsAll: false,
    })
    session.askForModel(wanted.model)
    const opened = new WireSession(session, { clock: agent.clock, capacity: ringSize, kept, onBug })
    this.#open.set(id, opened)
    return opened
  }
}
