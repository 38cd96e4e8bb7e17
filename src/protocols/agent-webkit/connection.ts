import type { ServerResponse } from 'node:http'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { AgentSession } from '../../agent/agent-session.ts'
import type { Agent } from '../../agent/engine.ts'
import type { Clock } from '../../base/clock.ts'
import { repeatEvery } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { EventLog, type Numbered } from '../../base/log.ts'
import type { Store } from '../../stores/store.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { openSessionStore, type SessionStore, type StoredSession, type StreamFrame } from './session-store.ts'
import {
  applyPermissionUpdates,
  type Command,
  interruptedEvents,
  type OpenThought,
  toAnswers,
  toWire,
  trackThinking,
  type WireContext,
} from './translate.ts'
import { type CreateSession, PROTOCOL_VERSION, type WireEvent } from './wire.ts'

const KEEPALIVE_MS = 15_000
/** The chunk size for replays. It bounds the memory that a slow subscriber needs. */
const MAX_CHUNK_LENGTH = 65_536
const KEEPALIVE = ': keepalive\n\n'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const

/** While a message streams, its frames are stored in batches of this size. */
const STORE_BATCH_SIZE = 256

// Concatenating the text of each event here would create three more strings per event.
const toFrame = ({ event, data }: WireEvent): StreamFrame => ({ event, json: JSON.stringify(data) })

const formatFrame = ({ event, json }: StreamFrame): string => `event: ${event}\ndata: ${json}\n\n`

/** Options of a session's channel. */
export interface SessionChannelOptions {
  readonly clock: Clock
  /** The number of frames held, so that streams can resume. */
  readonly capacity: number
  /** The stored session. Undefined: the session is not stored. */
  readonly stored: StoredSession | undefined
  readonly onBug: (cause: unknown) => void
}

/** A session and its subscribers. Each event becomes one numbered frame. */
class SessionChannel {
  readonly session: AgentSession
  readonly #log: EventLog<StreamFrame>
  readonly #clock: Clock
  readonly #streams = new Set<AbortController>()
  readonly #stopListening: () => void
  #stored: StoredSession | undefined
  readonly #onBug: (cause: unknown) => void
  #context: WireContext
  #lastActiveMs: number
  /** The number of the newest stored frame. */
  #storedTo: number
  #isRunning = false
  #thought: OpenThought | undefined

  constructor(session: AgentSession, { clock, capacity, stored, onBug }: SessionChannelOptions) {
    this.session = session
    this.#clock = clock
    this.#stored = stored
    this.#onBug = onBug
    this.#log = new EventLog(capacity, stored?.frames())
    this.#storedTo = this.#log.last
    this.#context = { sessionId: session.id, model: session.selectedModel }
    this.#lastActiveMs = clock.now()
    this.#start()
    this.#stopListening = session.listen((event) => {
      if (event.type === 'disconnect') return this.#abortStreams()
      // A turn keeps the model with which it began.
      if (event.type === 'run_started') this.#context = { ...this.#context, model: session.selectedModel }
      const [thought, thoughts] = trackThinking(this.#thought, event)
      this.#thought = thought
      for (const message of thoughts) this.#publish(message)
      for (const message of toWire(event, this.#context)) this.#publish(message)
      if (event.type === 'run_started' || event.type === 'run_ended') this.#setRunning(event.type === 'run_started')
      else if (!STREAMED.has(event.type) || this.#log.last - this.#storedTo >= STORE_BATCH_SIZE) this.#save(false)
    })
  }

  /** A stored session continues its numbering. A turn that the earlier server did not finish is ended. */
  #start(): void {
    const { id } = this.session
    if (this.#log.last === 0)
      this.#publish({ event: 'session_ready', data: { session_id: id, protocol_version: PROTOCOL_VERSION } })
    if (this.#stored?.settings?.isRunning) for (const event of interruptedEvents(id)) this.#publish(event)
    this.#save(true)
  }

  #setRunning(isRunning: boolean): void {
    this.#isRunning = isRunning
    this.#save(true)
  }

  /**
   * Stores the new frames, and with `all` also the settings. It never throws: frames that cannot be stored now are stored with
   * the next ones. If the message itself cannot be stored, its turn has already ended with an error.
   */
  #save(all: boolean): void {
    if (!this.#stored || (!all && this.#log.last === this.#storedTo)) return
    const { permissions, selectedModel } = this.session
    try {
      const frames = this.#log.since(Math.max(this.#storedTo, this.#log.first - 1))
      this.#stored.save(
        frames,
        all
          ? {
              ...(selectedModel !== undefined && { model: selectedModel }),
              mode: permissions.mode,
              rules: [...permissions.rules],
              isRunning: this.#isRunning,
            }
          : undefined,
      )
      this.#storedTo = this.#log.last
    } catch (thrown) {
      this.#onBug(thrown)
    }
  }

  /** The time since the last activity. An open stream and a running turn count as activity. */
  idleMs(): number {
    if (this.#streams.size > 0 || this.session.running) this.#lastActiveMs = this.#clock.now()
    return this.#clock.now() - this.#lastActiveMs
  }

  /** Executes a command. Throws a fault if it does not fit the state of the session. */
  execute(command: Command): void {
    this.#lastActiveMs = this.#clock.now()
    const { session } = this
    switch (command.type) {
      case 'send':
        session.send(command.input)
        return
      case 'interrupt':
        session.stop()
        return
      case 'decide': {
        const { id, allowed, message, interrupt, args, updates } = command
        session.decidePermission(id, {
          allowed,
          interrupt,
          ...(message === undefined ? {} : { message }),
          ...(args === undefined ? {} : { args }),
        })
        if (allowed && updates.length > 0) {
          session.changePermissions(applyPermissionUpdates(session.permissions, updates))
          this.#save(true)
        }
        return
      }
      case 'answer': {
        const pending = session.decisions.find(command.id)
        if (pending?.kind !== 'question')
          throw new Fault('Conflict', `no pending question has the id ${JSON.stringify(command.id)}`, {
            id: command.id,
          })
        session.answer(command.id, toAnswers(pending.form, command.answers))
        return
      }
      case 'set_mode':
        session.changePermissions({ mode: command.mode })
        this.#save(true)
        return
      case 'set_model':
        session.selectModel(command.model)
        this.#save(true)
        return
      case 'stop_task':
        session.stopTask(command.id)
        return
    }
  }

  /** The number after which a stream starts. Throws `EventsEvicted` if later frames have been evicted. */
  cursor(lastEventId: number | undefined): number {
    if (!lastEventId) return this.#log.first - 1
    this.#log.since(lastEventId)
    return lastEventId
  }

  /** Writes every frame after the cursor until the session ends or the subscriber disconnects. */
  async stream(after: number, response: ServerResponse): Promise<void> {
    const abort = new AbortController()
    const onDisconnect = () => abort.abort()
    response.once('close', onDisconnect)
    this.#streams.add(abort)
    response.writeHead(200, HEADERS)
    response.flushHeaders()
    const stopKeepalive = repeatEvery(this.#clock, KEEPALIVE_MS, () => {
      if (!response.writableNeedDrain) response.write(KEEPALIVE)
    })
    try {
      for (let cursor = after; await this.#log.newer(cursor, abort.signal); ) {
        // Frames of one turn of the event loop are written together.
        await yieldToEventLoop()
        // Frames are stored before they are sent, so that a number never stands for two events.
        this.#save(false)
        const [text, number] = joinFrames(this.#log.since(cursor))
        cursor = number
        if (!response.write(text)) await drained(response, abort.signal)
      }
    } catch (thrown) {
      const fault = Fault.from(thrown)
      if (fault.code !== 'EventsEvicted') throw thrown
      response.write(formatFrame(toFrame({ event: 'error', data: { code: 'evicted', message: fault.message } })))
    } finally {
      stopKeepalive()
      this.#streams.delete(abort)
      response.end()
    }
  }

  /** Ends the session. A running turn ends without a result, and every subscriber receives a last `done`. */
  close(): void {
    this.#stored = undefined
    this.#stopListening()
    this.session.close()
    this.#publish({ event: 'done', data: {} })
    this.#log.close()
  }

  /** Stops the running turn. The session continues with the next server. */
  suspend(): void {
    this.#stopListening()
    this.session.close()
    this.#save(false)
    this.#abortStreams()
  }

  /** Cuts every stream without `done`, like a network failure. */
  #abortStreams(): void {
    for (const abort of this.#streams) abort.abort()
  }

  #publish(event: WireEvent): void {
    this.#log.append(toFrame(event))
  }
}

/** Deltas of a message. There may be thousands, so they are stored in batches. */
const STREAMED: ReadonlySet<string> = new Set(['thinking_delta', 'text_delta', 'tool_call_delta'])

/** Joins frames into one chunk. Returns it with the number of its last frame. */
function joinFrames(entries: readonly Numbered<StreamFrame>[]): readonly [text: string, last: number] {
  let text = ''
  let last = 0
  for (const { number, event } of entries) {
    text += `id: ${number}\n${formatFrame(event)}`
    last = number
    if (text.length > MAX_CHUNK_LENGTH) break
  }
  return [text, last]
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.on('drain', done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

/** Options of the sessions of a server. */
export interface SessionManagerOptions {
  readonly agent: Agent
  /** The number of frames held for each session. */
  readonly ringSize: number
  /** Stores sessions beyond the life of the server. Undefined: sessions end with it. */
  readonly store: Store | undefined
  readonly onBug: (cause: unknown) => void
}

/** All sessions of a server. Sessions stored by an earlier server are opened on first use. */
export class SessionManager {
  readonly #options: SessionManagerOptions
  readonly #store: SessionStore | undefined
  readonly #open = new Map<string, SessionChannel>()
  /** Stored sessions that have not been used yet. */
  readonly #dormant: Set<string>
  readonly #startedMs: number

  constructor(options: SessionManagerOptions) {
    const { agent, store, ringSize } = options
    this.#options = options
    this.#store = store && openSessionStore(store, ringSize, agent.clock)
    this.#dormant = new Set(this.#store?.ids())
    this.#startedMs = agent.clock.now()
  }

  /** Opens a new session. */
  create({ model, permission_mode }: CreateSession): SessionChannel {
    const id = this.#options.agent.ids.uuid()
    return this.#add(id, this.#store?.open(id), { model: model ?? undefined, mode: permission_mode ?? 'default' })
  }

  /** Returns a session. Throws `SessionNotFound`. */
  get(id: string): SessionChannel {
    const session = this.#open.get(id) ?? this.#restore(id)
    if (!session) throw new Fault('SessionNotFound', `there is no session ${JSON.stringify(id)}`)
    return session
  }

  /** Ends a session permanently. An unknown id has no effect. */
  remove(id: string): void {
    this.#open.get(id)?.close()
    this.#open.delete(id)
    this.#dormant.delete(id)
    this.#store?.remove(id)
  }

  /** Removes the sessions without activity for `idleMs`. */
  removeIdle(idleMs: number): void {
    for (const [id, session] of this.#open) if (session.idleMs() > idleMs) this.remove(id)
    if (this.#options.agent.clock.now() - this.#startedMs <= idleMs) return
    for (const id of [...this.#dormant]) this.remove(id)
  }

  /** Stops all turns. Stored sessions continue with the next server, so their streams are cut without `done`. */
  close(): void {
    for (const session of this.#open.values()) {
      if (this.#store) session.suspend()
      else session.close()
    }
    this.#open.clear()
  }

  #restore(id: string): SessionChannel | undefined {
    if (!this.#dormant.delete(id)) return undefined
    const stored = this.#store!.open(id)
    return this.#add(id, stored, { model: stored.settings?.model, mode: stored.settings?.mode ?? 'default' })
  }

  #add(
    id: string,
    stored: StoredSession | undefined,
    initial: { model: string | undefined; mode: string },
  ): SessionChannel {
    const { agent, ringSize, onBug } = this.#options
    const { history, historyStore, settings } = stored ?? {}
    const session = agent.open({
      id,
      ...(history && { history }),
      ...(historyStore && { historyStore }),
      permissions: {
        mode: initial.mode,
        ...(settings && { rules: settings.rules }),
      },
      logCapacity: LOG_CAPACITY,
      keepsFullHistory: false,
    })
    session.selectModel(initial.model)
    const opened = new SessionChannel(session, { clock: agent.clock, capacity: ringSize, stored, onBug })
    this.#open.set(id, opened)
    return opened
  }
}
