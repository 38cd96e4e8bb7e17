import type { ConnectedClient, ServerContext } from './context.ts'
import { Conversation } from './conversation/conversation.ts'
import type { UserSettings } from './settings.ts'

/** A connected user. Settings and conversations exist while at least one client is connected. */
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

  /** The conversation with a name, if it is open. */
  conversation(ref: string): Conversation | undefined {
    return this.#conversations.get(ref)
  }

  /** Opens or creates the conversation with a name. */
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

/** All connected users. */
export class UserRegistry {
  readonly #users = new Map<string, ConnectedUser>()
  /** Whether a runtime serves all users, as it does without authentication. */
  readonly #shared: boolean
  /** The settings of a new user. */
  readonly defaults: UserSettings

  constructor(shared: boolean, defaults: UserSettings) {
    this.#shared = shared
    this.defaults = defaults
  }

  get conversations(): readonly Conversation[] {
    return [...this.#users.values()].flatMap((user) => user.conversations)
  }

  /** The runtime that executes tool calls in place of a client, if one is connected. */
  runtimeFor(requester: ConnectedClient): ConnectedClient | undefined {
    const users = [...this.#users.values()].filter(({ id }) => this.#shared || id === requester.user.id)
    const clients = users.flatMap((user) => [...user.clients])
    return clients.find((other) => other !== requester && other.toolset.isRuntime)
  }

  /** The user with an id, if connected. */
  find(id: string): ConnectedUser | undefined {
    return this.#users.get(id)
  }

  /** Adds a client of a user. */
  connect(id: string, client: ConnectedClient): ConnectedUser {
    const user = this.#users.get(id) ?? new ConnectedUser(id, this.defaults)
    this.#users.set(id, user)
    user.clients.add(client)
    return user
  }

  /** Removes a client, stops its turns and fails its pending tool calls. */
  disconnect(user: ConnectedUser, client: ConnectedClient): void {
    user.clients.delete(client)
    for (const conversation of user.conversations) conversation.stop(undefined, client)
    for (const conversation of this.conversations) conversation.calls.failAll(client)
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
