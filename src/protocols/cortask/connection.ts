import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { AgentSession } from '../../agent/agent-session.ts'
import type { Agent } from '../../agent/engine.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { type Archive, openArchive, type SessionRecord } from '../../agent/history/archive.ts'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { toText } from '../../base/strings.ts'
import type { Store } from '../../stores/store.ts'
import { tryParseJson } from '../http/json.ts'
import { type Socket, yieldIfLong } from '../http/sockets.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { conversationTitle, inputOf, toAnswers, toWire } from './translate.ts'
import { type Chat, INCOMING_TYPES, Incoming, type Outgoing, type Workspace } from './wire.ts'

/** Options of the session manager. Where the document is silent, they select the behaviour. */
export interface SessionManagerOptions {
  readonly agent: Agent
  readonly store: Store
  readonly workspaces: readonly Workspace[]
  readonly callDetails: boolean
  readonly namedRequests: boolean
  readonly doneAfterCancel: boolean
  /** Whether an unknown message type is an error instead of being ignored. */
  readonly strict: boolean
  /** No further run starts once the total cost reaches this limit. */
  readonly spendingLimitUsd: number
  /** A permission request without a decision in this time is denied. */
  readonly permissionTimeoutMs: number
  readonly onBug: (cause: unknown) => void
}

/** A run and its conversation. */
interface ActiveRun {
  readonly conversation: Conversation
  readonly runId: string
}

interface Conversation {
  readonly sessionKey: string
  readonly workspaceId: string
  readonly session: AgentSession
}

interface Client {
  readonly socket: Socket
  /** Frames are handled in order, so that a chat that still reads its files stays before a later cancel. */
  work: Promise<void>
}

/** All clients and conversations. Events of a run go to the client that sent its message, broadcasts go to every client. */
export class SessionManager {
  readonly archive: Archive
  readonly #options: SessionManagerOptions
  readonly #clients = new Set<Client>()
  readonly #conversations = new Map<string, Conversation>()
  /** The recipient of each run. A run without an entry has lost its client. */
  readonly #recipients = new Map<string, Client>()
  readonly #runs = new Map<string, ActiveRun>()
  readonly #requests = new Map<string, ActiveRun>()
  /** Conversations in their first run. They are stored, but not listed yet. */
  readonly #unlisted = new Set<string>()
  #spentUsd = 0

  constructor(options: SessionManagerOptions) {
    this.#options = options
    this.archive = openArchive(options.store, 'cortask')
  }

  /** Serves a new client. */
  connect(socket: Socket): void {
    const client: Client = { socket, work: Promise.resolve() }
    this.#clients.add(client)
    socket.onMessage((text) => {
      client.work = client.work.then(() => this.#receive(client, text)).catch((thrown) => this.#options.onBug(thrown))
    })
    socket.onClose(() => {
      client.work = client.work.then(() => this.#disconnect(client))
    })
  }

  broadcast(message: Outgoing): void {
    for (const { socket } of this.#clients) socket.send(JSON.stringify(message))
  }

  workspace(id: unknown): Workspace | undefined {
    return this.#options.workspaces.find((workspace) => workspace.id === id)
  }

  /** The conversations of a workspace, oldest first. Each is listed after its first run. */
  sessions(workspaceId: string): readonly SessionRecord[] {
    return this.archive.sessions(workspaceId).filter(({ id }) => !this.#unlisted.has(id))
  }

  session(sessionKey: string, workspaceId: string): SessionRecord | undefined {
    const key = conversationKey(workspaceId, sessionKey)
    return this.#unlisted.has(key) ? undefined : this.archive.session(key)
  }

  /** Deletes a conversation and stops its run. */
  remove(sessionKey: string, workspaceId: string): void {
    const key = conversationKey(workspaceId, sessionKey)
    this.#conversations.get(key)?.session.close()
    this.#conversations.delete(key)
    this.archive.remove(key)
  }

  /** Answers a message from a chat channel instead of a client, then asks every client to refresh. */
  async channelMessage(channelId: string, workspaceId: string, text: string): Promise<string> {
    const run = this.#conversation(workspaceId, `channel:${channelId}`).session.send({ text })
    const end = await run.ended
    this.broadcast({ type: 'session:refresh', workspaceId })
    return end.text
  }

  close(): void {
    for (const { session } of this.#conversations.values()) session.close()
  }

  async #receive(client: Client, text: string): Promise<void> {
    const sendError = (error: string, sessionKey = '') =>
      void client.socket.send(JSON.stringify({ type: 'error', sessionKey, error } satisfies Outgoing))
    let value: unknown
    await yieldIfLong(text)
    try {
      value = tryParseJson(text)
    } catch (thrown) {
      return sendError(Fault.from(thrown).message)
    }
    if (value === undefined) return sendError('Invalid JSON')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return sendError('Invalid message')
    const { type, sessionKey, workspaceId } = value as Record<string, unknown>
    const key = typeof sessionKey === 'string' ? sessionKey : ''
    if (typeof type !== 'string' || !INCOMING_TYPES.includes(type)) {
      return this.#options.strict ? sendError(`Unknown type: ${toText(type)}`, key) : undefined
    }
    if (type === 'chat' && !this.workspace(workspaceId)) return sendError('Workspace not found', key)
    const message = Incoming.safeParse(value)
    if (!message.success) return sendError(`${type}: ${describeIssues(message.error)}`, key)
    try {
      await yieldIfLong(text)
      await this.#execute(client, message.data)
    } catch (thrown) {
      if (!(thrown instanceof Fault)) this.#options.onBug(thrown)
      sendError(Fault.from(thrown).message, key)
    }
  }

  async #execute(client: Client, message: Incoming): Promise<void> {
    switch (message.type) {
      case 'chat':
        return this.#chat(client, message)
      case 'cancel':
        return this.#cancel(message.sessionKey)
      case 'permission_response':
        return this.#resolveRequest(message.requestId, ({ session }) =>
          session.decidePermission(message.requestId, { allowed: message.approved === true }),
        )
      case 'questionnaire_response':
        return this.#resolveRequest(message.requestId, ({ session }, runId) => {
          const ask = session.decisions.find(message.requestId)
          if (ask?.kind !== 'question') return
          if (!this.#recipients.has(runId)) this.#recipients.set(runId, client)
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
    this.#runs.set(run.id, { conversation, runId: run.id })
    this.#recipients.set(run.id, client)
  }

  /** Stops the current run of a session. A queued chat is answered next. */
  #cancel(sessionKey: string): void {
    const current = [...this.#runs.values()].filter(
      ({ conversation, runId }) => conversation.sessionKey === sessionKey && conversation.session.runId === runId,
    )
    for (const { conversation, runId } of current) conversation.session.stop(runId)
  }

  /** The first decision counts. Later decisions and unknown requests are ignored. */
  #resolveRequest(requestId: string, decide: (conversation: Conversation, runId: string) => void): void {
    const run = this.#requests.get(requestId)
    if (!run) return
    try {
      decide(run.conversation, run.runId)
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'Conflict')) throw thrown
    }
  }

  /** Stops the runs of a disconnected client, except one that waits for a questionnaire, which any client may still answer. */
  #disconnect(client: Client): void {
    this.#clients.delete(client)
    const runs = [...this.#recipients].filter(([, recipient]) => recipient === client).map(([runId]) => runId)
    for (const runId of runs.toReversed()) {
      this.#recipients.delete(runId)
      const session = this.#runs.get(runId)?.conversation.session
      const waitsForAnswer = session?.runId === runId && session.pendingRequests.some(({ kind }) => kind === 'question')
      if (!waitsForAnswer) session?.stop(runId)
      else for (const { id, kind } of session.pendingRequests) if (kind === 'permission') declineRequest(session, id)
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
    session.listen((event) => this.#publish(conversation, event))
    this.#conversations.set(key, conversation)
    return conversation
  }

  #publish(conversation: Conversation, event: AgentEvent): void {
    const { runId } = event
    const recipient = this.#recipients.get(runId)
    if ('requestId' in event) {
      if (event.type === 'permission_decided' || event.type === 'question_answered')
        this.#requests.delete(event.requestId)
      else {
        this.#requests.set(event.requestId, { conversation, runId })
        if (!recipient) declineRequest(conversation.session, event.requestId)
      }
    }
    if (event.type === 'run_started' && !this.archive.session(conversation.session.id)) {
      this.#unlisted.add(conversation.session.id)
      this.#save(conversation)
    }
    if (event.type === 'run_ended') {
      this.#unlisted.delete(conversation.session.id)
      this.#spentUsd += event.usage.costUsd
      this.#forget(runId)
      this.#save(conversation)
    }
    const { callDetails, namedRequests, doneAfterCancel } = this.#options
    const message = toWire(event, { sessionKey: conversation.sessionKey, callDetails, namedRequests, doneAfterCancel })
    if (message) recipient?.socket.send(JSON.stringify(message))
    if (event.type === 'disconnect') recipient?.socket.terminate()
  }

  #forget(runId: string): void {
    this.#runs.delete(runId)
    this.#recipients.delete(runId)
    for (const [requestId, run] of this.#requests) if (run.runId === runId) this.#requests.delete(requestId)
  }

  /** Saves the record of a conversation. It never throws: if the store fails, storing the message has already ended the run. */
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

/** Resolves a request that no client receives: a permission is denied, a questionnaire skipped. */
function declineRequest(session: AgentSession, requestId: string): void {
  const ask = session.decisions.find(requestId)
  if (ask?.kind === 'permission') session.decidePermission(requestId, { allowed: false })
  if (ask?.kind === 'question') session.answer(requestId, toAnswers(ask.form, {}))
}

/** The storage key of a conversation. The same session key in two workspaces names two conversations. */
export const conversationKey = (workspaceId: string, sessionKey: string): string => `${workspaceId}/${sessionKey}`

const MAX_INLINED_BYTES = 50 * 1024
/** Once the files of a message reach this length, the others are skipped. */
const MAX_TOTAL_LENGTH = 1024 * 1024
/** Further files are not opened. */
const MAX_REFERENCES = 1000

/**
 * Reads the referenced files of a message for the model: small files as text, and a note for large or missing ones and for
 * those outside of the workspace, also behind links. One note stands for all files beyond the limits.
 */
export async function readReferences(root: string, paths: readonly string[]): Promise<string> {
  const notes: string[] = []
  let remaining = MAX_TOTAL_LENGTH
  for (const [index, path] of paths.entries()) {
    if (remaining <= 0 || index === MAX_REFERENCES) {
      notes.push(`[${paths.length - index} more files are not shown]`)
      break
    }
    const note = await readReference(root, path)
    notes.push(note)
    remaining -= note.length
  }
  return notes.join('\n\n')
}

async function readReference(root: string, path: string): Promise<string> {
  const wanted = resolve(root, path)
  const outside = `[File ${path} is outside of the workspace and is not shown]`
  if (path.includes('\0') || !isBelow(resolve(root), wanted)) return outside
  const unreadable = `[File ${path} cannot be read]`
  try {
    const file = await realpath(wanted)
    if (!isBelow(await realpath(root), file)) return outside
    const info = await stat(file)
    // Opening a pipe would block until its other end opens.
    if (!info.isFile()) return unreadable
    if (info.size > MAX_INLINED_BYTES) return `[File ${path} has ${info.size} bytes and is not shown]`
    return `[File ${path}]\n${await readFile(file, 'utf8')}`
  } catch {
    return unreadable
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
