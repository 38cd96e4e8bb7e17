import type { Agent } from '../../agent/engine.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { type Archive, openArchive, type SessionRecord } from '../../agent/history/archive.ts'
import type { AgentSession } from '../../agent/session.ts'
import { Fault } from '../../base/fault.ts'
import { describeIssues } from '../../base/issues.ts'
import { toText } from '../../base/text/to-text.ts'
import type { Store } from '../../stores/store.ts'
import { tryParseJson } from '../http/json.ts'
import { type Socket, yieldIfLong } from '../http/sockets.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { conversationTitle, inputOf, toAnswers, toWire } from './translate.ts'
import { type Chat, INCOMING_TYPES, Incoming, type Outgoing, type Workspace } from './wire.ts'
import { readReferences } from './workspace.ts'

/** How the hub behaves where the document leaves room. */
export interface SessionManagerOptions {
  readonly agent: Agent
  readonly store: Store
  readonly workspaces: readonly Workspace[]
  readonly callDetails: boolean
  readonly namedRequests: boolean
  readonly doneAfterCancel: boolean
  /** Whether an unknown type is an error rather than ignored. */
  readonly strict: boolean
  /** Once runs have cost this much nothing is run any more. */
  readonly spendingLimitUsd: number
  /** A permission nobody decides in this time is denied. */
  readonly permissionTimeoutMs: number
  readonly onBug: (cause: unknown) => void
}

/** A run, and what it belongs to. */
interface Owned {
  readonly chat: Conversation
  readonly runId: string
}

interface Conversation {
  readonly sessionKey: string
  readonly workspaceId: string
  readonly session: AgentSession
}

interface Client {
  readonly socket: Socket
  /** Frames are handled one after the other, so that a chat whose files are read stays before a later cancel. */
  work: Promise<void>
}

/** All clients and all conversations: events of a run go to whoever sent its message, broadcasts to everyone. */
export class SessionManager {
  readonly archive: Archive
  readonly #options: SessionManagerOptions
  readonly #clients = new Set<Client>()
  readonly #conversations = new Map<string, Conversation>()
  /** Who hears of each run; nobody when its client went away. */
  readonly #hearers = new Map<string, Client>()
  readonly #runs = new Map<string, Owned>()
  readonly #requests = new Map<string, Owned>()
  /** Conversations whose first run is under way: they are kept already and not listed yet. */
  readonly #unlisted = new Set<string>()
  #spentUsd = 0

  constructor(options: SessionManagerOptions) {
    this.#options = options
    this.archive = openArchive(options.store, 'cortask')
  }

  connect(socket: Socket): void {
    const client: Client = { socket, work: Promise.resolve() }
    this.#clients.add(client)
    socket.onMessage((text) => {
      client.work = client.work.then(() => this.#hear(client, text)).catch((thrown) => this.#options.onBug(thrown))
    })
    socket.onClose(() => {
      client.work = client.work.then(() => this.#leave(client))
    })
  }

  broadcast(message: Outgoing): void {
    for (const { socket } of this.#clients) socket.send(JSON.stringify(message))
  }

  workspace(id: unknown): Workspace | undefined {
    return this.#options.workspaces.find((workspace) => workspace.id === id)
  }

  /** The conversations of a workspace, oldest first; each is listed when its first run has ended. */
  sessions(workspaceId: string): readonly SessionRecord[] {
    return this.archive.sessions(workspaceId).filter(({ id }) => !this.#unlisted.has(id))
  }

  session(sessionKey: string, workspaceId: string): SessionRecord | undefined {
    const key = conversationKey(workspaceId, sessionKey)
    return this.#unlisted.has(key) ? undefined : this.archive.session(key)
  }

  /** Forgets a conversation; a run under way is stopped. */
  remove(sessionKey: string, workspaceId: string): void {
    const key = conversationKey(workspaceId, sessionKey)
    this.#conversations.get(key)?.session.close()
    this.#conversations.delete(key)
    this.archive.remove(key)
  }

  /** A message from a chat channel rather than from a client; everyone is told to refresh when it is answered. */
  async channelMessage(channelId: string, workspaceId: string, text: string): Promise<string> {
    const run = this.#conversation(workspaceId, `channel:${channelId}`).session.send({ text })
    const end = await run.ended
    this.broadcast({ type: 'session:refresh', workspaceId })
    return end.text
  }

  close(): void {
    for (const { session } of this.#conversations.values()) session.close()
  }

  async #hear(client: Client, text: string): Promise<void> {
    const say = (error: string, sessionKey = '') =>
      void client.socket.send(JSON.stringify({ type: 'error', sessionKey, error } satisfies Outgoing))
    let value: unknown
    await yieldIfLong(text)
    try {
      value = tryParseJson(text)
    } catch (thrown) {
      return say(Fault.from(thrown).message)
    }
    if (value === undefined) return say('Invalid JSON')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return say('Invalid message')
    const { type, sessionKey, workspaceId } = value as Record<string, unknown>
    const key = typeof sessionKey === 'string' ? sessionKey : ''
    if (typeof type !== 'string' || !INCOMING_TYPES.includes(type)) {
      return this.#options.strict ? say(`Unknown type: ${toText(type)}`, key) : undefined
    }
    if (type === 'chat' && !this.workspace(workspaceId)) return say('Workspace not found', key)
    const message = Incoming.safeParse(value)
    if (!message.success) return say(describeIssues(message.error), key)
    try {
      await yieldIfLong(text)
      await this.#obey(client, message.data)
    } catch (thrown) {
      if (!(thrown instanceof Fault)) this.#options.onBug(thrown)
      say(Fault.from(thrown).message, key)
    }
  }

  async #obey(client: Client, message: Incoming): Promise<void> {
    switch (message.type) {
      case 'chat':
        return this.#chat(client, message)
      case 'cancel':
        return this.#cancel(message.sessionKey)
      case 'permission_response':
        return this.#decide(message.requestId, ({ session }) =>
          session.decidePermission(message.requestId, { allowed: message.approved === true }),
        )
      case 'questionnaire_response':
        return this.#decide(message.requestId, ({ session }, runId) => {
          const ask = session.decisions.find(message.requestId)
          if (ask?.kind !== 'question') return
          if (!this.#hearers.has(runId)) this.#hearers.set(runId, client)
          session.answer(message.requestId, toAnswers(ask.form, message.responses))
        })
    }
  }

  async #chat(client: Client, chat: Chat): Promise<void> {
    if (chat.message === '' && !chat.attachments?.length)
      throw new Fault('BadRequest', 'a chat needs a message or attachments')
    if (this.#spentUsd >= this.#options.spendingLimitUsd) throw new Fault('BudgetExceeded', 'Spending limit reached')
    const { rootPath } = this.workspace(chat.workspaceId)!
    const references = await readReferences(rootPath, chat.fileReferences ?? [])
    const conversation = this.#conversation(chat.workspaceId, chat.sessionKey)
    const run = conversation.session.send(inputOf(chat, references))
    this.#runs.set(run.id, { chat: conversation, runId: run.id })
    this.#hearers.set(run.id, client)
  }

  /** Stops the run under way in a session; a chat that waits behind it is answered next. */
  #cancel(sessionKey: string): void {
    const live = [...this.#runs.values()].filter(
      ({ chat, runId }) => chat.sessionKey === sessionKey && chat.session.runId === runId,
    )
    for (const { chat, runId } of live) chat.session.stop(runId)
  }

  /** The first decision counts; any other is ignored, as is one on a request nobody made. */
  #decide(requestId: string, decide: (conversation: Conversation, runId: string) => void): void {
    const owned = this.#requests.get(requestId)
    if (!owned) return
    try {
      decide(owned.chat, owned.runId)
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'Conflict')) throw thrown
    }
  }

  /** A client's runs end with it, except one that waits for a questionnaire, which anyone may still answer. */
  #leave(client: Client): void {
    this.#clients.delete(client)
    const runs = [...this.#hearers].filter(([, hearer]) => hearer === client).map(([runId]) => runId)
    for (const runId of runs.toReversed()) {
      this.#hearers.delete(runId)
      const session = this.#runs.get(runId)?.chat.session
      const asked = session?.runId === runId && session.pendingRequests.some((ask) => ask.kind === 'question')
      if (!asked) session?.stop(runId)
      else for (const ask of session.pendingRequests) if (ask.kind === 'permission') giveUp(session, ask.id)
    }
  }

  #conversation(workspaceId: string, sessionKey: string): Conversation {
    const key = conversationKey(workspaceId, sessionKey)
    const known = this.#conversations.get(key)
    if (known) return known
    const { agent, permissionTimeoutMs } = this.#options
    const session = agent.open({
      id: key,
      history: this.archive.history(key),
      historyStore: this.archive.historyStore(key, agent.clock),
      capabilities: { parallel: 5, results: 'together', permissionTimeoutMs },
      logCapacity: LOG_CAPACITY,
    })
    const conversation: Conversation = { sessionKey, workspaceId, session }
    session.listen((event) => this.#tell(conversation, event))
    this.#conversations.set(key, conversation)
    return conversation
  }

  #tell(chat: Conversation, event: AgentEvent): void {
    const { runId } = event
    const hearer = this.#hearers.get(runId)
    if ('requestId' in event) {
      if (event.type === 'permission_decided' || event.type === 'question_answered')
        this.#requests.delete(event.requestId)
      else {
        this.#requests.set(event.requestId, { chat, runId })
        if (!hearer) giveUp(chat.session, event.requestId)
      }
    }
    if (event.type === 'run_started' && !this.archive.session(chat.session.id)) {
      this.#unlisted.add(chat.session.id)
      this.#save(chat)
    }
    if (event.type === 'run_ended') {
      this.#unlisted.delete(chat.session.id)
      this.#spentUsd += event.usage.costUsd
      this.#forget(runId)
      this.#save(chat)
    }
    const { callDetails, namedRequests, doneAfterCancel } = this.#options
    const message = toWire(event, { sessionKey: chat.sessionKey, callDetails, namedRequests, doneAfterCancel })
    if (message) hearer?.socket.send(JSON.stringify(message))
    if (event.type === 'disconnect') hearer?.socket.terminate()
  }

  #forget(runId: string): void {
    this.#runs.delete(runId)
    this.#hearers.delete(runId)
    for (const [requestId, owned] of this.#requests) if (owned.runId === runId) this.#requests.delete(requestId)
  }

  /** Never throws: where nothing can be kept the message could not be either, and its run ends with that. */
  #save({ workspaceId, session }: Conversation): void {
    const atMs = this.#options.agent.clock.now()
    try {
      this.#record(workspaceId, session, atMs)
    } catch (thrown) {
      this.#options.onBug(thrown)
    }
  }

  #record(workspaceId: string, session: AgentSession, atMs: number): void {
    const known = this.archive.session(session.id)
    this.archive.save({
      id: session.id,
      owner: workspaceId,
      title: conversationTitle(session.messages),
      pinned: false,
      createdAtMs: known?.createdAtMs ?? atMs,
      lastActiveAtMs: atMs,
    })
  }
}

/** What nobody hears of is not waited for: a permission is denied, a questionnaire skipped. */
function giveUp(session: AgentSession, requestId: string): void {
  const ask = session.decisions.find(requestId)
  if (ask?.kind === 'permission') session.decidePermission(requestId, { allowed: false })
  if (ask?.kind === 'question') session.answer(requestId, toAnswers(ask.form, {}))
}

/** Where a conversation is kept; the same session key in two workspaces is two conversations. */
export const conversationKey = (workspaceId: string, sessionKey: string): string => `${workspaceId}/${sessionKey}`
