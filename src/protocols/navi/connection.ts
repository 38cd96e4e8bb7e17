import type { Agent } from '../../agent/engine.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { type Archive, openArchive, type SessionRecord } from '../../agent/history/archive.ts'
import type { Profile } from '../../agent/profiles/profiles.ts'
import type { AgentRun } from '../../agent/run/run.ts'
import type { ProtocolCapabilities } from '../../agent/run/run-context.ts'
import type { AgentSession } from '../../agent/session.ts'
import { Fault } from '../../base/fault.ts'
import { describeIssues } from '../../base/issues.ts'
import type { Store } from '../../stores/store.ts'
import { tryParseJson } from '../http/json.ts'
import { type Socket, yieldIfLong } from '../http/sockets.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { SESSION_NOT_FOUND } from './errors.ts'
import { fileTools } from './file-tools.ts'
import type { SessionFiles, Upload } from './files.ts'
import { INITIAL_STREAM_STATE, inputOf, type StreamState, toWire } from './translate.ts'
import { Incoming, type Outgoing, type StoredFile } from './wire.ts'

export interface SessionManagerOptions {
  readonly agent: Agent
  readonly store: Store
  readonly files: SessionFiles
  readonly onBug: (cause: unknown) => void
}

/** The protocol has no message by which a person could be asked. */
export const CAPABILITIES: ProtocolCapabilities = {
  parallel: 1,
  results: 'each',
  permissions: 'allow',
  questions: 'skip',
}

/** All sessions. They are opened when somebody needs them, from what is kept of them. */
export class SessionManager {
  readonly archive: Archive
  readonly #options: SessionManagerOptions
  readonly #channels = new Map<string, SessionChannel>()

  constructor(options: SessionManagerOptions) {
    this.#options = options
    this.archive = openArchive(options.store, 'navi')
  }

  create(profileId: string): SessionRecord {
    const { agent } = this.#options
    if (!agent.profiles.some((profile) => profile.id === profileId))
      throw new Fault('SessionNotFound', `Profile not found: ${profileId}`)
    const atMs = agent.clock.now()
    const record = { id: agent.ids.uuid(), profileId, pinned: false, createdAtMs: atMs, lastActiveAtMs: atMs }
    this.archive.save(record)
    return record
  }

  /** Throws `SessionNotFound`. */
  record(id: string): SessionRecord {
    const record = this.archive.session(id)
    if (!record) throw new Fault('SessionNotFound', 'Session not found')
    return record
  }

  /** Notes that somebody uses a session. Throws `SessionNotFound`. */
  touch(id: string): void {
    this.archive.save({ ...this.record(id), lastActiveAtMs: this.#options.agent.clock.now() })
  }

  /** Stores an upload. Throws `SessionNotFound`, and keeps nothing, when its session was deleted meanwhile. */
  async storeUpload(id: string, upload: Upload): Promise<StoredFile> {
    const { files } = this.#options
    const stored = await files.store(id, upload)
    if (!this.archive.session(id)) await files.clear(id)
    this.record(id)
    return stored
  }

  channel(id: string): SessionChannel {
    const record = this.record(id)
    const known = this.#channels.get(id)
    if (known) return known
    const { agent } = this.#options
    const { profileId } = record
    const session = agent.open({
      id,
      // A profile that is no longer in the file gives way to the default.
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

  connect(id: string, socket: Socket): void {
    if (!this.archive.session(id)) {
      socket.send(JSON.stringify({ type: 'error', message: 'Session not found' } satisfies Outgoing))
      socket.close(SESSION_NOT_FOUND, 'Session not found')
      return
    }
    const channel = this.channel(id)
    channel.attach(socket)
    let work = Promise.resolve()
    socket.onMessage((text) => {
      work = work.then(() => this.#hear(channel, socket, text)).catch((thrown) => this.#options.onBug(thrown))
    })
    socket.onClose(() => channel.detach(socket))
  }

  /** Ends a session, its sockets and its files. */
  async remove(id: string): Promise<void> {
    this.record(id)
    this.#channels.get(id)?.close()
    this.#channels.delete(id)
    this.archive.remove(id)
    await this.#options.files.clear(id)
  }

  /** Clears the files of sessions that nobody has used for that long. */
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

  async #hear(channel: SessionChannel, socket: Socket, text: string): Promise<void> {
    const complain = (message: string) =>
      void socket.send(JSON.stringify({ type: 'error', message } satisfies Outgoing))
    try {
      await yieldIfLong(text)
      const message = Incoming.safeParse(tryParseJson(text))
      if (!message.success) return complain(`this is no message: ${describeIssues(message.error)}`)
      const paths = (message.data.files ?? []).map((file) => file.path)
      const known = await this.#options.files.known(channel.session.id, paths)
      await yieldIfLong(text)
      if (channel.session.running) return complain('the session is busy: wait for the answer, or stop it')
      channel.session.send(inputOf(message.data, known))
    } catch (thrown) {
      if (!(thrown instanceof Fault)) this.#options.onBug(thrown)
      complain(Fault.from(thrown).message)
    }
  }
}

/** A session and the sockets that listen to it. */
export class SessionChannel {
  readonly session: AgentSession
  readonly #sockets = new Set<Socket>()
  /** Runs that were asked for over HTTP, where the answer is the response. */
  readonly #overHttp = new Set<string>()
  #telling: StreamState = INITIAL_STREAM_STATE
  #runId: string | undefined
  /** Whose run it is: a switch of profiles changes the next one. */
  #profile: Profile
  /** The events of the newest run, pieces of one text joined. */
  #run: Outgoing[] = []
  /** Whether the newest run is still of interest to a socket that connects: until a client has read its end. */
  #isOpen = false
  /** Whether a socket was connected at any time of the newest run. */
  #isWatched = false

  constructor(session: AgentSession) {
    this.session = session
    this.#profile = session.profile
    session.listen((event) => this.#tell(event))
  }

  /** A page that was reloaded has nothing of the run under way, so that every socket begins with all of it. */
  attach(socket: Socket): void {
    this.#sockets.add(socket)
    this.#isWatched = true
    if (!this.#isOpen) return
    for (const message of this.#run) socket.send(JSON.stringify(message))
    if (!this.session.running) this.#awaitReader(socket)
  }

  detach(socket: Socket): void {
    this.#sockets.delete(socket)
  }

  /** Answers a message whose sender waits for the response. */
  send(content: string): AgentRun {
    const run = this.session.send({ text: content })
    this.#overHttp.add(run.id)
    return run
  }

  close(): void {
    this.session.close()
    for (const socket of this.#sockets) socket.close(SESSION_NOT_FOUND, 'Session not found')
  }

  #tell(event: AgentEvent): void {
    if (event.type === 'run_started') this.#begin(event.runId)
    // A message that was stopped while it waited was never begun.
    if (event.runId === this.#runId) this.#tellRun(event)
    if (event.type === 'run_ended') this.#overHttp.delete(event.runId)
  }

  #tellRun(event: AgentEvent): void {
    const [telling, messages] = toWire(this.#telling, event, this.#profile)
    this.#telling = telling
    for (const message of messages) {
      keep(this.#run, message)
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
    this.#isOpen = true
    this.#isWatched = this.#sockets.size > 0
  }

  #end(runId: string): void {
    if (this.#overHttp.has(runId) && !this.#isWatched) this.#forget()
    for (const socket of this.#sockets) this.#awaitReader(socket)
  }

  /** A connection may be dead for long before it is closed, so that sending alone does not make a reader. */
  #awaitReader(socket: Socket): void {
    const runId = this.#runId
    void socket.delivered().then((wasRead) => {
      if (wasRead && this.#runId === runId) this.#forget()
    })
  }

  #forget(): void {
    this.#isOpen = false
    this.#run = []
  }

  #send(text: string): void {
    for (const socket of this.#sockets) if (!socket.send(text)) this.#sockets.delete(socket)
  }
}

/** Pieces of one text are kept as one piece, so that what is kept is never larger than what was said. */
function keep(run: Outgoing[], message: Outgoing): void {
  const last = run.at(-1)
  const isPiece = message.type === 'stream_delta' || message.type === 'thinking_delta'
  if (isPiece && last?.type === message.type)
    run[run.length - 1] = { type: message.type, delta: last.delta + message.delta }
  else run.push(message)
}
