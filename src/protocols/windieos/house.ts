import type { Agent } from '../../agent/engine.ts'
import type { Toolbox } from '../../agent/toolbox.ts'
import type { Speaker } from '../../perception/perception.ts'
import type { Artifacts } from './artifacts.ts'
import type { Connection } from './connection.ts'
import { Conversation } from './conversation.ts'
import type { Journal } from './errors.ts'
import type { AuthMode, Installs } from './identity.ts'
import type { Catalogue } from './models.ts'
import type { Parser } from './parser.ts'
import type { Config } from './settings.ts'

/** Where the server draws lines (WindieOS document, "Limits"). */
export interface Limits {
  readonly messageBytes: number
  readonly tasks: number
  readonly receiveTimeoutMs: number
}

export const LIMITS: Limits = { messageBytes: 10 * 1024 * 1024, tasks: 50, receiveTimeoutMs: 3_600_000 }

/** What all connections of a server share. */
export interface House {
  readonly agent: Agent
  readonly auth: AuthMode
  readonly installs: Installs
  readonly artifacts: Artifacts
  /** The tools that run here. */
  readonly backend: Toolbox
  readonly catalogue: Catalogue
  readonly parser: Parser
  readonly speaker: Speaker
  readonly journal: Journal
  readonly limits: Limits
  /** A client that does not answer a tool call in this time has failed. */
  readonly toolTimeoutMs: number
  readonly countTokens: (text: string) => number
  /** The moment as frames tell it: ISO 8601, to the millisecond. */
  readonly timestamp: () => string
  readonly users: Users
  readonly onBug: (cause: unknown) => void
}

/** Somebody who is connected: settings and conversations last as long as one of the connections. */
export class User {
  readonly id: string
  readonly connections = new Set<Connection>()
  readonly #conversations = new Map<string, Conversation>()
  config: Config

  constructor(id: string, config: Config) {
    this.id = id
    this.config = config
  }

  get conversations(): readonly Conversation[] {
    return [...this.#conversations.values()]
  }

  conversation(ref: string): Conversation | undefined {
    return this.#conversations.get(ref)
  }

  /** The conversation of that name, new if need be. */
  open(house: House, ref: string, connection: Connection): Conversation {
    const known = this.#conversations.get(ref)
    if (known) return known
    const conversation = new Conversation(house, ref, connection)
    this.#conversations.set(ref, conversation)
    return conversation
  }

  close(): void {
    for (const conversation of this.conversations) conversation.close()
    this.#conversations.clear()
  }
}

/** Who is connected. */
export class Users {
  readonly #users = new Map<string, User>()
  /** Whether one user's runtime works for all of them, as it does where nobody is told apart. */
  readonly #shared: boolean
  /** The settings of somebody who has set nothing yet. */
  readonly defaults: Config

  constructor(shared: boolean, defaults: Config) {
    this.#shared = shared
    this.defaults = defaults
  }

  get conversations(): readonly Conversation[] {
    return [...this.#users.values()].flatMap((user) => user.conversations)
  }

  /** Who carries out tool calls in place of a client, where somebody does. */
  runtimeFor(asker: Connection): Connection | undefined {
    const users = this.#shared ? [...this.#users.values()] : [asker.user]
    return users.flatMap(({ connections }) => [...connections]).find((other) => other !== asker && other.isRuntime)
  }

  find(id: string): User | undefined {
    return this.#users.get(id)
  }

  enter(id: string, connection: Connection): User {
    const user = this.#users.get(id) ?? new User(id, this.defaults)
    this.#users.set(id, user)
    user.connections.add(connection)
    return user
  }

  leave(user: User, connection: Connection): void {
    user.connections.delete(connection)
    for (const conversation of user.conversations) conversation.stop(undefined, connection)
    for (const conversation of this.conversations) conversation.abandon(connection)
    if (user.connections.size > 0) return
    user.close()
    this.#users.delete(user.id)
  }

  close(): void {
    for (const user of this.#users.values()) {
      for (const connection of user.connections) connection.close()
      user.close()
    }
    this.#users.clear()
  }
}
