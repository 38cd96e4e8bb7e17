import type { OperatorClock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import type { AuthoredFaults } from '../../scenario/faults/catalogue.ts'
import type { AuthoredChoices } from '../../scenario/variants/axis.ts'
import type { DesktopSession } from './session.ts'

/** A scenario that a session can be opened with. */
export interface ListedScenario {
  /** The value for `scenario`. */
  readonly scenario: string
  readonly name: string
  readonly task: string | null
  readonly tags: readonly string[]
  readonly difficulty: 'easy' | 'medium' | 'hard' | null
}

export interface SessionRequest {
  /** A name of the gallery, a path below the readable folders, or YAML text. The default scenario if omitted. */
  readonly scenario?: string | undefined
  readonly seed?: number | undefined
  /** The axes in which the scenario differs from its file. By default those of the served scenario. */
  readonly variant?: AuthoredChoices | undefined
  /** Faults of the catalogue. Those of the first session if omitted. */
  readonly faults?: AuthoredFaults | undefined
  /** The tools that callers may use without the harness token. Defaults to that of the first session. */
  readonly audience?: 'all' | 'agent' | undefined
}

export interface SessionsInit {
  /** The session behind `/api`, which never expires. */
  readonly first: DesktopSession
  readonly open: (id: string, request: SessionRequest) => Promise<DesktopSession>
  /** The scenarios that sessions can be opened with. */
  readonly scenarios?: () => Promise<readonly ListedScenario[]>
  readonly ids: IdSource
  /** Sessions expire by the operator's clock. */
  readonly operatorClock: OperatorClock
  readonly limit: number
  /** How long a session may be idle, in milliseconds. */
  readonly ttlMs: number
}

interface Held {
  readonly session: DesktopSession
  readonly openedMs: number
  usedMs: number
  /** The number of open connections that use it. */
  holders: number
}

export interface OpenSession {
  readonly id: string
  readonly session: DesktopSession
  readonly openedMs: number
  readonly usedMs: number
}

/** The sessions of a server, by id. Idle sessions are closed after their time to live. */
export class DesktopSessions {
  readonly #parts: SessionsInit
  readonly #held = new Map<string, Held>()
  /** Sessions that are being opened count as open. */
  #opening = 0
  #stopped = false
  #listing: Promise<readonly ListedScenario[]> | undefined

  constructor(parts: SessionsInit) {
    this.#parts = parts
  }

  get first(): DesktopSession {
    return this.#parts.first
  }

  get size(): number {
    return this.#held.size
  }

  get limit(): number {
    return this.#parts.limit
  }

  get ttlMs(): number {
    return this.#parts.ttlMs
  }

  /** The scenarios that sessions can be opened with. Callers who ask while they are read share one list. */
  scenarios(): Promise<readonly ListedScenario[]> {
    const listing =
      this.#listing ??
      (this.#parts.scenarios?.() ?? Promise.resolve([])).finally(() => {
        this.#listing = undefined
      })
    this.#listing = listing
    return listing
  }

  async open(request: SessionRequest): Promise<DesktopSession> {
    this.#admit()
    const id = this.#parts.ids.hex(16)
    this.#opening++
    try {
      return this.#keep(id, await this.#parts.open(id, request))
    } finally {
      this.#opening--
    }
  }

  /** Opens an independent session that continues from now or from after a step. */
  fork(session: DesktopSession, atStep?: number): DesktopSession {
    this.#admit()
    const id = this.#parts.ids.hex(16)
    return this.#keep(id, session.fork(id, atStep))
  }

  /** Throws `SessionNotFound`. */
  get(id: string): DesktopSession {
    this.#sweep()
    const held = this.#held.get(id)
    if (!held)
      throw new Fault('SessionNotFound', `there is no session ${JSON.stringify(id)}; it was closed or has expired`, {
        session_id: id,
      })
    this.#markUsed(id, held)
    return held.session
  }

  /** Keeps a session from expiring until the returned function is called, for example while an event stream is open. */
  hold(id: string): () => void {
    const held = this.#held.get(id)
    if (!held) return () => {}
    held.holders++
    let isHolding = true
    return () => {
      if (!isHolding) return
      isHolding = false
      held.holders--
      if (this.#held.get(id) === held) this.#markUsed(id, held)
    }
  }

  /** Whether a session is open. Does not count as use. */
  has(id: string): boolean {
    this.#sweep()
    return this.#held.has(id)
  }

  /** The time by which sessions expire, in milliseconds. */
  now(): number {
    return this.#parts.operatorClock.now()
  }

  async close(id: string): Promise<void> {
    const session = this.get(id)
    this.#held.delete(id)
    await session.close()
  }

  list(): readonly OpenSession[] {
    this.#sweep()
    return [...this.#held].map(([id, held]) => ({ id, ...held }))
  }

  /** Stops all input in every session, also in those that will be opened. */
  stopAll(): number {
    this.#stopped = true
    const sessions = [this.#parts.first, ...[...this.#held.values()].map(({ session }) => session)]
    for (const session of sessions) session.stop()
    return sessions.length
  }

  async closeAll(): Promise<void> {
    const held = [...this.#held.values()]
    this.#held.clear()
    await Promise.all([this.#parts.first, ...held.map(({ session }) => session)].map((session) => session.close()))
  }

  #keep(id: string, session: DesktopSession): DesktopSession {
    const nowMs = this.#parts.operatorClock.now()
    this.#held.set(id, { session, openedMs: nowMs, usedMs: nowMs, holders: 0 })
    if (this.#stopped) session.stop()
    return session
  }

  #markUsed(id: string, held: Held): void {
    held.usedMs = this.#parts.operatorClock.now()
    // Kept in the order of use, so that sweeping checks only the oldest.
    this.#held.delete(id)
    this.#held.set(id, held)
  }

  #admit(): void {
    this.#sweep()
    const open = this.#held.size + this.#opening
    if (open >= this.#parts.limit)
      throw new Fault('Busy', `${open} sessions are open, which is the limit; close one with DELETE /sessions/ID`, {
        limit: this.#parts.limit,
      })
  }

  #sweep(): void {
    const oldest = this.#parts.operatorClock.now() - this.#parts.ttlMs
    for (const [id, { session, usedMs, holders }] of this.#held) {
      if (usedMs >= oldest) return
      if (holders > 0) continue
      this.#held.delete(id)
      void session.close()
    }
  }
}
