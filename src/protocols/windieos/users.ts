import type { Client } from './client.ts'
import { Conversation } from './conversation.ts'
import type { House } from './house.ts'
import type { Config } from './settings.ts'

/** Somebody who is connected: settings and conversations last as long as one of the clients. */
export class User {
  readonly id: string
  readonly clients = new Set<Client>()
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
  open(house: House, ref: string, client: Client): Conversation {
    const known = this.#conversations.get(ref)
    if (known) return known
    const conversation = new Conversation(house, ref, client)
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
  runtimeFor(asker: Client): Client | undefined {
    const users = [...this.#users.values()].filter(({ id }) => this.#shared || id === asker.user.id)
    const clients = users.flatMap((user) => [...user.clients])
    return clients.find((other) => other !== asker && other.toolset.isRuntime)
  }

  find(id: string): User | undefined {
    return this.#users.get(id)
  }

  enter(id: string, client: Client): User {
    const user = this.#users.get(id) ?? new User(id, this.defaults)
    this.#users.set(id, user)
    user.clients.add(client)
    return user
  }

  leave(user: User, client: Client): void {
    user.clients.delete(client)
    for (const conversation of user.conversations) conversation.stop(undefined, client)
    for (const conversation of this.conversations) conversation.calls.abandon(client)
    if (user.clients.size > 0) return
    user.close()
    this.#users.delete(user.id)
  }

  close(): void {
    for (const user of this.#users.values()) {
      for (const client of user.clients) client.close()
      user.close()
    }
    this.#users.clear()
  }
}
