import { Fault } from '../../base/fault.ts'
import { shortened } from '../../base/strings.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import { Episode } from './episode.ts'

/** An environment for the time of a socket or a request. */
export interface Lease {
  readonly episode: Episode
  readonly release: () => Promise<void>
}

/** An environment that a client opened over HTTP. */
interface Held {
  readonly episode: Episode
  /** Whether a socket plays on it. */
  isAttached: boolean
  /** Whether it ends with its socket. */
  isClosing: boolean
}

/** The environments of a server. Each ends with its socket, by a request, or after the time to live of sessions. */
export class Environments {
  readonly #sessions: DesktopSessions
  readonly #held = new Map<string, Held>()
  #latest: string | undefined

  constructor(sessions: DesktopSessions) {
    this.#sessions = sessions
  }

  /** The session of the environment that was opened last, while it is open. */
  get latest(): string | undefined {
    return this.#latest !== undefined && this.#sessions.has(this.#latest) ? this.#latest : undefined
  }

  /** Opens an environment. It does not expire before it is released. Throws `Busy` at the limit of sessions. */
  async open(): Promise<Lease> {
    const episode = await this.#create()
    const { id } = episode.session
    const letExpire = this.#sessions.hold(id)
    return {
      episode,
      release: async () => {
        letExpire()
        await this.#end(id)
      },
    }
  }

  /** Opens an environment that outlives the request, and returns its id. Throws `Busy`. */
  async create(): Promise<string> {
    this.#sweep()
    const episode = await this.#create()
    this.#held.set(episode.session.id, { episode, isAttached: false, isClosing: false })
    return episode.session.id
  }

  /** The environment that `create` opened. */
  find(id: string): Episode | undefined {
    this.#sweep()
    return this.#held.get(id)?.episode
  }

  /** Lends an environment that `create` opened. Throws `SessionNotFound`, and `Conflict` while a socket has it. */
  attach(id: string): Lease {
    this.#sweep()
    const held = this.#held.get(id)
    if (!held) throw new Fault('SessionNotFound', `Unknown session_id: ${shortened(id)}`)
    if (held.isAttached) throw new Fault('Conflict', `session ${id} has a WebSocket already`)
    held.isAttached = true
    const letExpire = this.#sessions.hold(id)
    return {
      episode: held.episode,
      release: async () => {
        letExpire()
        held.isAttached = false
        if (held.isClosing) await this.close(id)
      },
    }
  }

  /** Closes an environment that `create` opened, after its socket if it has one. Returns whether it is closed. */
  async close(id: string): Promise<boolean> {
    const held = this.#held.get(id)
    if (held?.isAttached) {
      held.isClosing = true
      return false
    }
    this.#held.delete(id)
    await this.#end(id)
    return true
  }

  async #create(): Promise<Episode> {
    if (!this.#sessions.first.computer.simulation)
      throw new Fault('PlatformUnsupported', 'an episode needs a synthetic desktop; serve without --adapter')
    const session = await this.#sessions.open({})
    this.#latest = session.id
    return new Episode(session, this.#sessions)
  }

  async #end(id: string): Promise<void> {
    if (this.#sessions.has(id)) await this.#sessions.close(id)
  }

  /** Forgets environments whose session has expired. */
  #sweep(): void {
    for (const id of this.#held.keys()) if (!this.#sessions.has(id)) this.#held.delete(id)
  }
}
