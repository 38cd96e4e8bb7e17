import type { ImageContent } from '../../agent/history/history.ts'
import { Fault } from '../../base/fault.ts'
import { artifactImage } from './artifacts.ts'
import type { ConnectedClient, ServerContext } from './context.ts'
import { compact } from './conversation/prompt.ts'
import { updateSettings, withoutSecrets } from './settings.ts'
import { historyOf } from './translate.ts'
import type { ConnectedUser, UserRegistry } from './users.ts'
import type { AsideEvent, IncomingType, Payload } from './wire.ts'

const GREETING = "Hello! I'm listening."
const TOO_MANY = 'Too many concurrent requests. Please wait.'

/** The client whose messages are handled. */
interface CommandClient extends ConnectedClient {
  readonly user: ConnectedUser
  readonly closed: boolean
  /** Sends an event outside of conversations. A reply has the id of its request. */
  aside(event: AsideEvent, id?: string): void
}

/** Executes the messages of a client. */
export class CommandHandler {
  readonly #server: ServerContext
  readonly #users: UserRegistry
  readonly #client: CommandClient
  /** The number of queued and running turns of the client. */
  #tasks = 0

  constructor(server: ServerContext, users: UserRegistry, client: CommandClient) {
    this.#server = server
    this.#users = users
    this.#client = client
  }

  /** Handles a message. Throws a fault if it cannot be executed. */
  handle(type: IncomingType, payload: Payload<IncomingType>, id: string): void | Promise<void> {
    const { user } = this.#client
    const { catalogue } = this.#server
    switch (type) {
      case 'query':
        return this.#query(payload as Payload<'query'>, id)
      case 'rehydrate-conversation':
        return this.#rehydrate(payload as Payload<'rehydrate-conversation'>)
      case 'load-settings':
        return this.#client.aside({ type: 'settings-loaded', payload: { config: withoutSecrets(user.config) } }, id)
      case 'update-settings':
        return this.#update(payload as Payload<'update-settings'>, id)
      case 'list-models': {
        const { local, online, vision } = catalogue
        return this.#client.aside(
          { type: 'models-listed', payload: { local: [...local], online: [...online], vision: [...vision] } },
          id,
        )
      }
      case 'tool-result':
        return this.#deliver(({ calls }) => calls.answerCall(payload as Payload<'tool-result'>, this.#client))
      case 'tool-bundle-result':
        return this.#deliver(({ calls }) => calls.answerBundle(payload as Payload<'tool-bundle-result'>, this.#client))
      case 'wakeword-detected':
        return this.#startListening(id)
      case 'stop-query':
        return this.#stop(payload as Payload<'stop-query'>, id)
      case 'compact-history': {
        const { conversation_ref, force = false } = payload as Payload<'compact-history'>
        return compact(
          this.#server,
          user.openConversation(this.#server, conversation_ref, this.#client),
          id,
          force,
          this.#client,
        )
      }
    }
  }

  /** Starts a turn, which continues after its frame is handled. */
  async #query(query: Payload<'query'>, id: string): Promise<void> {
    const { user } = this.#client
    if (this.#tasks >= this.#server.limits.tasks) throw new Fault('Busy', TOO_MANY)
    if (user.conversations.some((conversation) => conversation.has(id)))
      throw new Fault('Conflict', `a turn with the id ${JSON.stringify(id)} is already running`)
    if (query.agent_definition) this.#client.toolset.define(query.agent_definition)
    const refs = [...new Set([query.screenshot_ref, ...(query.screenshot_refs ?? [])])]
    const images = await Promise.all(refs.flatMap((ref) => (ref ? [this.#image(ref)] : [])))
    if (this.#client.closed) return
    user
      .openConversation(this.#server, query.conversation_ref, this.#client)
      .submit(id, query, images, this.#client, () => {
        this.#tasks -= 1
      })
    this.#tasks += 1
  }

  async #rehydrate(payload: Payload<'rehydrate-conversation'>): Promise<void> {
    const { conversation_ref, messages, model_history, workspace_path, repo_instruction_messages } = payload
    const entries = model_history?.rows.length ? model_history.rows : messages
    const refs = entries.flatMap(({ screenshot_ref }) => screenshot_ref ?? [])
    const images = new Map<string, ImageContent>()
    for (const ref of new Set(refs)) {
      const image = await this.#image(ref).catch((thrown) => {
        this.#server.logFailure('MEMORY_STORE_ERROR', Fault.from(thrown).message)
      })
      if (image) images.set(ref, image)
    }
    const history = historyOf(entries, this.#server.agent.clock.now(), (ref) => images.get(ref))
    const conversation = this.#client.user.openConversation(this.#server, conversation_ref, this.#client)
    if (conversation.session.running)
      throw new Fault('Conflict', 'a turn of this conversation is running', { log: 'MEMORY_ERROR' })
    conversation.session.replaceHistory({ messages: history })
    conversation.workspace = { workspace_path, repo_instruction_messages }
  }

  async #image(ref: string): Promise<ImageContent> {
    const { artifacts, auth } = this.#server
    return artifactImage(artifacts, ref, auth === 'install' ? this.#client.user.id : undefined)
  }

  #update({ tools, agent_definition, ...changes }: Payload<'update-settings'>, id: string): void {
    const { user, toolset } = this.#client
    try {
      user.config = updateSettings(user.config, changes, this.#server.catalogue)
    } catch (thrown) {
      const { code, message } = Fault.from(thrown)
      throw new Fault(code, `Failed to update settings: ${message}`, { log: 'CONFIG_ERROR' })
    }
    if (agent_definition) toolset.define(agent_definition)
    if (tools)
      toolset.define({
        ...toolset.definition,
        tools: { ...toolset.definition?.tools, client_manifest: tools.client_manifest },
      })
    if (tools || agent_definition) this.#client.aside(toolset.manifestEvent())
    const updated_keys = Object.keys({
      ...changes,
      ...(tools && { tools }),
      ...(agent_definition && { agent_definition }),
    })
    this.#client.aside({ type: 'settings-updated', payload: { updated_keys } }, id)
  }

  /** Delivers a result. A result without a pending call is only logged, because the turn may have been stopped. */
  #deliver(settle: (conversation: ConnectedUser['conversations'][number]) => boolean): void {
    const others = this.#client.toolset.isRuntime ? this.#users.conversations : []
    if (![...this.#client.user.conversations, ...others].some(settle))
      this.#server.logFailure('TOOL_EXECUTION_ERROR', 'a result without a pending call was ignored')
  }

  #startListening(id: string): void {
    const { speech_mode_enabled } = this.#client.user.config
    this.#client.aside(
      { type: 'wakeword-activated', payload: { speech_mode_enabled, greeting: GREETING, status: 'listening' } },
      id,
    )
    this.#client.aside({ type: 'wakeword-greeting', payload: { text: GREETING } })
    this.#client.speak(GREETING)
  }

  #stop({ conversation_ref, turn_ref }: Payload<'stop-query'>, id: string): void {
    const { user } = this.#client
    const conversations = conversation_ref
      ? [user.conversation(conversation_ref)].filter((found) => found !== undefined)
      : user.conversations
    for (const conversation of conversations)
      conversation.stop(turn_ref ?? undefined, conversation_ref ? undefined : this.#client)
    this.#client.aside(
      {
        type: 'stop-query-ack',
        payload: { conversation_ref: conversation_ref ?? null, turn_ref: turn_ref ?? null },
      },
      id,
    )
  }
}
