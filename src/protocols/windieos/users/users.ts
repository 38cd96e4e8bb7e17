import type { ServerContext } from '../context.ts'
import { Conversation } from '../conversation/conversation.ts'
import type { ConnectedClient } from './client.ts'
import type { UserSettings } from './settings.ts'

/** Somebody who is connected: settings and conversations last as long as one of the clients. */
export class ConnectedUser {
  readonly id: string
  readonly clients = new Set<ConnectedClient>()
  readonly #conversations = new Map<string, Conversation>()
  config: UserSettings

  constructor(id: string, config: UserSettings) {
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
  openConversation(server: ServerContext, ref: string, client: ConnectedClient): Conversation {
    const known = this.#conversations.get(ref)
    if (known) return known
    const conversation = new Conversation(server, ref, client)
    this.#conversations.set(ref, conversation)
    return conversation
  }

  close(): void {
    for (const conversation of this.conversations) conversation.close()
    this.#conversations.clear()
  }
}

/** Who is connected. */
export class UserRegistry {
  readonly #users = new Map<string, ConnectedUser>()
  /** Whether one user's runtime works for all of them, as it does where nobody is told apart. */
  readonly #shared: boolean
  /** The settings of somebody who has set nothing yet. */
  readonly defaults: UserSettings

  constructor(shared: boolean, defaults: UserSettings) {
    this.#shared = shared
    this.defaults = defaults
  }

  get conversations(): readonly Conversation[] {
    return [...this.#users.values()].flatMap((user) => user.conversations)
  }

  /** Who carries out tool calls in place of a client, where somebody does. */
  runtimeFor(asker: ConnectedClient): ConnectedClient | undefined {
    const users = [...this.#users.values()].filter(({ id }) => this.#shared || id === asker.user.id)
    const clients = users.flatMap((user) => [...user.clients])
    return clients.find((other) => other !== asker && other.toolset.isRuntime)
  }

  find(id: string): ConnectedUser | undefined {
    return this.#users.get(id)
  }

  connect(id: string, client: ConnectedClient): ConnectedUser {
    const user = this.#users.get(id) ?? new ConnectedUser(id, this.defaults)
    this.#users.set(id, user)
    user.clients.add(client)
    return user
  }

  disconnect(user: ConnectedUser, client: ConnectedClient): void {
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
