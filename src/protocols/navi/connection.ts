import * as z from 'zod'
import { type Archive, openArchive, type SessionRecord } from '../../agent/archive.ts'
import type { Agent } from '../../agent/engine.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { Profile } from '../../agent/profiles.ts'
import type { Run } from '../../agent/run.ts'
import type { AgentSession } from '../../agent/session.ts'
import type { Manners } from '../../agent/stage.ts'
import { Fault } from '../../base/fault.ts'
import type { Store } from '../../stores/store.ts'
import { jsonIn } from '../json.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import type { Socket } from '../sockets.ts'
import { SESSION_NOT_FOUND } from './errors.ts'
import type { SessionFiles, Upload } from './files.ts'
import { inputOf, NOTHING_TOLD, type Telling, toWire } from './translate.ts'
import { Incoming, type Outgoing, type StoredFile } from './wire.ts'

export interface HouseOptions {
  readonly agent: Agent
  readonly store: Store
  readonly files: SessionFiles
  /** What a socket that connects during a run is told first: what nobody heard, or the whole run. */
  readonly replay: 'missed' | 'run'
  readonly onBug: (cause: unknown) => void
}

/** The protocol has no message by which a person could be asked. */
export const MANNERS: Manners = { parallel: 1, results: 'each', permissions: 'allow', questions: 'skip' }

/** All sessions. They are opened when somebody needs them, from what is kept of them. */
export class House {
  readonly archive: Archive
  readonly #options: HouseOptions
  readonly #rooms = new Map<string, Room>()

  constructor(options: HouseOptions) {
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
  async keep(id: string, upload: Upload): Promise<StoredFile> {
    const { files } = this.#options
    const stored = await files.store(id, upload)
    if (!this.archive.session(id)) await files.clear(id)
    this.record(id)
    return stored
  }

  room(id: string): Room {
    const record = this.record(id)
    const known = this.#rooms.get(id)
    if (known) return known
    const { agent, replay } = this.#options
    const { profileId } = record
    const session = agent.open({
      id,
      // A profile that is no longer in the file gives way to the default.
      ...(agent.profiles.some((profile) => profile.id === profileId) ? { profileId: profileId! } : {}),
      history: this.archive.history(id),
      keeper: this.archive.keeper(id, agent.clock),
      manners: MANNERS,
      logCapacity: LOG_CAPACITY,
    })
    const room = new Room(session, replay)
    this.#rooms.set(id, room)
    return room
  }

  connect(id: string, socket: Socket): void {
    if (!this.archive.session(id)) {
      socket.send(JSON.stringify({ type: 'error', message: 'Session not found' } satisfies Outgoing))
      socket.close(SESSION_NOT_FOUND, 'Session not found')
      return
    }
    const room = this.room(id)
    room.enter(socket)
    let work = Promise.resolve()
    socket.onMessage((text) => {
      work = work.then(() => this.#hear(room, socket, text)).catch((thrown) => this.#options.onBug(thrown))
    })
    socket.onClose(() => room.leave(socket))
  }

  /** Ends a session, its sockets and its files. */
  async remove(id: string): Promise<void> {
    this.record(id)
    this.#rooms.get(id)?.close()
    this.#rooms.delete(id)
    this.archive.remove(id)
    await this.#options.files.clear(id)
  }

  /** Clears the files of sessions that nobody has used for that long. */
  async clearFiles(idleMs: number): Promise<void> {
    const beforeMs = this.#options.agent.clock.now() - idleMs
    const idle = this.archive
      .sessions()
      .filter(({ id, lastActiveAtMs }) => lastActiveAtMs <= beforeMs && !this.#rooms.get(id)?.session.running)
    await Promise.all(idle.map(({ id }) => this.#options.files.clear(id)))
  }

  close(): void {
    for (const room of this.#rooms.values()) room.close()
  }

  async #hear(room: Room, socket: Socket, text: string): Promise<void> {
    const complain = (message: string) =>
      void socket.send(JSON.stringify({ type: 'error', message } satisfies Outgoing))
    const message = Incoming.safeParse(jsonIn(text))
    if (!message.success) return complain(`this is no message: ${z.prettifyError(message.error)}`)
    const paths = (message.data.files ?? []).map((file) => file.path)
    const known = await this.#options.files.known(room.session.id, paths)
    if (room.session.running) return complain('the session is busy: wait for the answer, or stop it')
    try {
      room.session.send(inputOf(message.data, known))
    } catch (thrown) {
      complain(Fault.from(thrown).message)
    }
  }
}

/** A session and the sockets that listen to it. */
export class Room {
  readonly session: AgentSession
  readonly #replay: 'missed' | 'run'
  readonly #sockets = new Set<Socket>()
  #telling: Telling = NOTHING_TOLD
  #runId: string | undefined
  /** Whose run it is: a switch of profiles changes the next one. */
  #profile: Profile
  /** What is told to the next socket that enters: what nobody heard, or all of the run. */
  #kept: readonly Outgoing[] = []

  constructor(session: AgentSession, replay: 'missed' | 'run') {
    this.session = session
    this.#profile = session.profile
    this.#replay = replay
    session.listen((event) => this.#tell(event))
  }

  enter(socket: Socket): void {
    const wanted = this.#replay === 'missed' ? this.#sockets.size === 0 : this.session.running
    if (wanted) for (const message of this.#kept) socket.send(JSON.stringify(message))
    if (this.#replay === 'missed') this.#kept = []
    this.#sockets.add(socket)
  }

  leave(socket: Socket): void {
    this.#sockets.delete(socket)
  }

  say(content: string): Run {
    return this.session.send({ text: content })
  }

  close(): void {
    this.session.close()
    for (const socket of this.#sockets) socket.close(SESSION_NOT_FOUND, 'Session not found')
  }

  #tell(event: AgentEvent): void {
    if (event.type === 'run_started') this.#begin(event.runId)
    // A message that was stopped while it waited was never begun.
    if (event.runId !== this.#runId) return
    const [telling, messages] = toWire(this.#telling, event, this.#profile)
    this.#telling = telling
    for (const message of messages) {
      const heard = this.#send(JSON.stringify(message))
      if (!heard || this.#replay === 'run') this.#kept = keep(this.#kept, message)
    }
    if (event.type !== 'disconnect') return
    for (const socket of this.#sockets) socket.drop()
    this.#sockets.clear()
  }

  #begin(runId: string): void {
    this.#runId = runId
    this.#profile = this.session.profile
    this.#kept = []
  }

  /** Whether anybody heard it. */
  #send(text: string): boolean {
    for (const socket of this.#sockets) if (!socket.send(text)) this.#sockets.delete(socket)
    return this.#sockets.size > 0
  }
}

/** Pieces of one text are kept as one piece, so that what is kept is never larger than what was said. */
function keep(kept: readonly Outgoing[], message: Outgoing): readonly Outgoing[] {
  const last = kept.at(-1)
  if (message.type === 'stream_delta' && last?.type === 'stream_delta')
    return [...kept.slice(0, -1), { type: 'stream_delta', delta: last.delta + message.delta }]
  if (message.type === 'thinking_delta' && last?.type === 'thinking_delta')
    return [...kept.slice(0, -1), { type: 'thinking_delta', delta: last.delta + message.delta }]
  return [...kept, message]
}
