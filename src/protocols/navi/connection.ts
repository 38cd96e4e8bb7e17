import type { AgentSession } from '../../agent/agent-session.ts'
import type { Agent } from '../../agent/engine.ts'
import type { ProtocolCapabilities } from '../../agent/engine-tools.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { type Archive, openArchive, type SessionRecord } from '../../agent/history/archive.ts'
import type { Profile } from '../../agent/profiles.ts'
import type { AgentRun } from '../../agent/run/agent-run.ts'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import type { Store } from '../../stores/store.ts'
import { tryParseJson } from '../http/json.ts'
import { type Socket, yieldIfLong } from '../http/sockets.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { fileTools, type SessionFiles, type Upload } from './files.ts'
import { INITIAL_STREAM_STATE, inputOf, type StreamState, toWire } from './translate.ts'
import { Incoming, type Outgoing, SESSION_NOT_FOUND, type StoredFile } from './wire.ts'

/** Options of the session manager. */
export interface SessionManagerOptions {
  readonly agent: Agent
  readonly store: Store
  readonly files: SessionFiles
  readonly onBug: (cause: unknown) => void
}

/** The protocol has no messages for permission requests and questions. */
export const CAPABILITIES: ProtocolCapabilities = {
  parallel: 1,
  results: 'each',
  permissions: 'allow',
  questions: 'skip',
}

/** All sessions. They are opened from the archive on first use. */
export class SessionManager {
  readonly archive: Archive
  readonly #options: SessionManagerOptions
  readonly #channels = new Map<string, SessionChannel>()

  constructor(options: SessionManagerOptions) {
    this.#options = options
    this.archive = openArchive(options.store, 'navi')
  }

  /** Creates a session. Throws `SessionNotFound` for an unknown profile. */
  create(profileId: string): SessionRecord {
    const { agent } = this.#options
    if (!agent.profiles.some((profile) => profile.id === profileId))
      throw new Fault('SessionNotFound', `Profile not found: ${profileId}`)
    const atMs = agent.clock.now()
    const record = { id: agent.ids.uuid(), profileId, pinned: false, createdAtMs: atMs, lastActiveAtMs: atMs }
    this.archive.save(record)
    return record
  }

  /** The record of a session. Throws `SessionNotFound`. */
  record(id: string): SessionRecord {
    const record = this.archive.session(id)
    if (!record) throw new Fault('SessionNotFound', 'Session not found')
    return record
  }

  /** Records activity of a session. Throws `SessionNotFound`. */
  touch(id: string): void {
    this.archive.save({ ...this.record(id), lastActiveAtMs: this.#options.agent.clock.now() })
  }

  /** Stores an upload. If its session was deleted meanwhile, discards the file and throws `SessionNotFound`. */
  async storeUpload(id: string, upload: Upload): Promise<StoredFile> {
    const { files } = this.#options
    const stored = await files.store(id, upload)
    if (!this.archive.session(id)) await files.clear(id)
    this.record(id)
    return stored
  }

  /** Opens a session. Throws `SessionNotFound`. */
  channel(id: string): SessionChannel {
    const record = this.record(id)
    const existing = this.#channels.get(id)
    if (existing) return existing
    const { agent } = this.#options
    const { profileId } = record
    const session = agent.open({
      id,
      // If the profile was removed from the file, the default replaces it.
      ...(agent.profiles.some((profile) => profile.id === profileId) ? { profileId: profileId! } : {}),
      history: this.archive.history(id),
      historyStore: this.archive.historyStore(id, agent.clock),
      capabilities: CAPABILITIES,
      moreTools: fileTools(this.#options.files, id),
      logCapacity: LOG_CAPACITY,
    })
    const channel = new SessionChannel(session)
    this.#channels.set(id, channel)
    return channel
  }

  /** Serves a socket of a session. Closes it with 4004 if the session does not exist. */
  connect(id: string, socket: Socket): void {
    if (!this.archive.session(id)) {
      socket.send(JSON.stringify({ type: 'error', message: 'Session not found' } satisfies Outgoing))
      socket.close(SESSION_NOT_FOUND, 'Session not found')
      return
    }
    const channel = this.channel(id)
    channel.attach(socket)
    const messages = new SerialQueue()
    socket.onMessage((text) => {
      messages.run(() => this.#receive(channel, socket, text)).catch((thrown) => this.#options.onBug(thrown))
    })
    socket.onClose(() => channel.detach(socket))
  }

  /** Deletes a session and its files, and closes its sockets. */
  async remove(id: string): Promise<void> {
    this.record(id)
    this.#channels.get(id)?.close()
    this.#channels.delete(id)
    this.archive.remove(id)
    await this.#options.files.clear(id)
  }

  /** Deletes the files of sessions without activity for `idleMs`. */
  async clearFiles(idleMs: number): Promise<void> {
    const beforeMs = this.#options.agent.clock.now() - idleMs
    const idle = this.archive
      .sessions()
      .filter(({ id, lastActiveAtMs }) => lastActiveAtMs <= beforeMs && !this.#channels.get(id)?.session.running)
    await Promise.all(idle.map(({ id }) => this.#options.files.clear(id)))
  }

  close(): void {
    for (const channel of this.#channels.values()) channel.close()
  }

  async #receive(channel: SessionChannel, socket: Socket, text: string): Promise<void> {
    const sendError = (message: string) =>
      void socket.send(JSON.stringify({ type: 'error', message } satisfies Outgoing))
    try {
      await yieldIfLong(text)
      const message = Incoming.safeParse(tryParseJson(text))
      if (!message.success) return sendError(`this is no message: ${describeIssues(message.error)}`)
      const paths = (message.data.files ?? []).map((file) => file.path)
      const existing = await this.#options.files.existing(channel.session.id, paths)
      await yieldIfLong(text)
      if (channel.session.running) return sendError('the session is busy: wait for the answer, or stop it')
      channel.session.send(inputOf(message.data, paths, existing))
    } catch (thrown) {
      if (!(thrown instanceof Fault)) this.#options.onBug(thrown)
      sendError(Fault.from(thrown).message)
    }
  }
}

/** A session and its sockets. */
export class SessionChannel {
  readonly session: AgentSession
  readonly #sockets = new Set<Socket>()
  /** Runs started over HTTP, where the response is the answer. */
  readonly #httpRuns = new Set<string>()
  #streamState: StreamState = INITIAL_STREAM_STATE
  #runId: string | undefined
  /** The profile of the current run. A profile switch affects the next run. */
  #profile: Profile
  /** The events of the newest run, with joined deltas. */
  #run: Outgoing[] = []
  /** Whether new sockets receive the newest run: until a client has read its end. */
  #isReplayed = false
  /** Whether a socket was connected at any time during the newest run. */
  #isWatched = false

  constructor(session: AgentSession) {
    this.session = session
    this.#profile = session.profile
    session.listen((event) => this.#publish(event))
  }

  /** Adds a socket. It first receives all of the current run, because a reloaded page has lost these events. */
  attach(socket: Socket): void {
    this.#sockets.add(socket)
    this.#isWatched = true
    if (!this.#isReplayed) return
    for (const message of this.#run) socket.send(JSON.stringify(message))
    if (!this.session.running) this.#awaitDelivery(socket)
  }

  /** Removes a socket. */
  detach(socket: Socket): void {
    this.#sockets.delete(socket)
  }

  /** Starts a run for a message whose sender waits for the response. */
  send(content: string): AgentRun {
    const run = this.session.send({ text: content })
    this.#httpRuns.add(run.id)
    return run
  }

  close(): void {
    this.session.close()
    for (const socket of this.#sockets) socket.close(SESSION_NOT_FOUND, 'Session not found')
  }

  #publish(event: AgentEvent): void {
    if (event.type === 'run_started') this.#begin(event.runId)
    // A queued message that was stopped never started a run.
    if (event.runId === this.#runId) this.#publishRun(event)
    if (event.type === 'run_ended') this.#httpRuns.delete(event.runId)
  }

  #publishRun(event: AgentEvent): void {
    const [streamState, messages] = toWire(this.#streamState, event, this.#profile)
    this.#streamState = streamState
    for (const message of messages) {
      appendMerged(this.#run, message)
      this.#send(JSON.stringify(message))
    }
    if (event.type === 'disconnect') {
      for (const socket of this.#sockets) socket.terminate()
      this.#sockets.clear()
    }
    if (event.type === 'run_ended') this.#end(event.runId)
  }

  #begin(runId: string): void {
    this.#runId = runId
    this.#profile = this.session.profile
    this.#run = []
    this.#isReplayed = true
    this.#isWatched = this.#sockets.size > 0
  }

  #end(runId: string): void {
    if (this.#httpRuns.has(runId) && !this.#isWatched) this.#forget()
    for (const socket of this.#sockets) this.#awaitDelivery(socket)
  }

  /** A dead connection may stay open for long, so a socket counts as a reader only once it confirms delivery. */
  #awaitDelivery(socket: Socket): void {
    const runId = this.#runId
    void socket.delivered().then((wasRead) => {
      if (wasRead && this.#runId === runId) this.#forget()
    })
  }

  #forget(): void {
    this.#isReplayed = false
    this.#run = []
  }

  #send(text: string): void {
    for (const socket of this.#sockets) if (!socket.send(text)) this.#sockets.delete(socket)
  }
}

/** Appends a message and joins consecutive deltas, so that the stored run is never larger than its text. */
function appendMerged(run: Outgoing[], message: Outgoing): void {
  const last = run.at(-1)
  const isDelta = message.type === 'stream_delta' || message.type === 'thinking_delta'
  if (isDelta && last?.type === message.type)
    run[run.length - 1] = { type: message.type, delta: last.delta + message.delta }
  else run.push(message)
}
