import type { ServerResponse } from 'node:http'
import { setImmediate as breathe } from 'node:timers/promises'
import { repeatEvery } from '../../agent/run/deadline.ts'
import type { AgentSession } from '../../agent/session.ts'
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { EventLog, type Numbered } from '../../base/log.ts'
import type { StoredSession, StreamFrame } from './session-store.ts'
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
import { PROTOCOL_VERSION, type WireEvent } from './wire.ts'

const KEEPALIVE_MS = 15_000
/** Enough to keep a subscriber busy, and little enough that one who reads slowly costs no memory. */
const PIECE_CHARACTERS = 65_536
const KEEPALIVE = ': keepalive\n\n'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const

/** Frames that are kept in one go while a message streams. */
const KEPT_AT_ONCE = 256

// A text put together for each event would be three more to the garbage collector.
const toFrame = ({ event, data }: WireEvent): StreamFrame => ({ event, json: JSON.stringify(data) })

const textOf = ({ event, json }: StreamFrame): string => `event: ${event}\ndata: ${json}\n\n`

export interface SessionChannelOptions {
  readonly clock: Clock
  /** Frames held for those who come back. */
  readonly capacity: number
  /** Where the session is kept; left out, it is not. */
  readonly kept: StoredSession | undefined
  readonly onBug: (cause: unknown) => void
}

/** A session as its subscribers see it: every event once made into a frame, with a number of its own. */
export class SessionChannel {
  readonly session: AgentSession
  readonly #log: EventLog<StreamFrame>
  readonly #clock: Clock
  readonly #streams = new Set<AbortController>()
  readonly #stopListening: () => void
  #kept: StoredSession | undefined
  readonly #onBug: (cause: unknown) => void
  #setting: WireContext
  #activeMs: number
  /** The number of the newest frame that is kept. */
  #keptTo: number
  #isRunning = false
  #thought: OpenThought | undefined

  constructor(session: AgentSession, { clock, capacity, kept, onBug }: SessionChannelOptions) {
    this.session = session
    this.#clock = clock
    this.#kept = kept
    this.#onBug = onBug
    this.#log = new EventLog(capacity, kept?.frames())
    this.#keptTo = this.#log.last
    this.#setting = { sessionId: session.id, model: session.selectedModel }
    this.#activeMs = clock.now()
    this.#begin()
    this.#stopListening = session.listen((event) => {
      if (event.type === 'disconnect') return this.#drop()
      // A turn stays with the model it began with.
      if (event.type === 'run_started') this.#setting = { ...this.#setting, model: session.selectedModel }
      const [thought, thoughts] = trackThinking(this.#thought, event)
      this.#thought = thought
      for (const told of thoughts) this.#tell(told)
      for (const told of toWire(event, this.#setting)) this.#tell(told)
      if (event.type === 'run_started' || event.type === 'run_ended') this.#turn(event.type === 'run_started')
      else if (!STREAMED.has(event.type) || this.#log.last - this.#keptTo >= KEPT_AT_ONCE) this.#keep(false)
    })
  }

  /** A session that was kept goes on with its numbers; a turn that its server did not end is ended. */
  #begin(): void {
    const { id } = this.session
    if (this.#log.last === 0)
      this.#tell({ event: 'session_ready', data: { session_id: id, protocol_version: PROTOCOL_VERSION } })
    if (this.#kept?.settings?.isRunning) for (const event of interruptedEvents(id)) this.#tell(event)
    this.#keep(true)
  }

  #turn(isRunning: boolean): void {
    this.#isRunning = isRunning
    this.#keep(true)
  }

  /**
   * Keeps the frames that are not yet, and with `all` what is set. It never throws: what cannot be kept now is kept with what
   * comes next, and the message itself, which must be kept, has ended its turn by then.
   */
  #keep(all: boolean): void {
    if (!this.#kept || (!all && this.#log.last === this.#keptTo)) return
    const { permissions, selectedModel: askedModel } = this.session
    try {
      const frames = this.#log.since(Math.max(this.#keptTo, this.#log.first - 1))
      this.#kept.save(
        frames,
        all
          ? {
              ...(askedModel !== undefined && { model: askedModel }),
              mode: permissions.mode,
              rules: [...permissions.rules],
              isRunning: this.#isRunning,
            }
          : undefined,
      )
      this.#keptTo = this.#log.last
    } catch (thrown) {
      this.#onBug(thrown)
    }
  }

  /** For how long nobody has said anything; an open stream and a running turn are company enough. */
  idleMs(): number {
    if (this.#streams.size > 0 || this.session.running) this.#activeMs = this.#clock.now()
    return this.#clock.now() - this.#activeMs
  }

  obey(command: Command): void {
    this.#activeMs = this.#clock.now()
    const { session } = this
    switch (command.do) {
      case 'say':
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
          this.#keep(true)
        }
        return
      }
      case 'answer': {
        const ask = session.decisions.find(command.id)
        if (ask?.kind !== 'question')
          throw new Fault('Conflict', `no question waits under ${JSON.stringify(command.id)}`, { id: command.id })
        session.answer(command.id, toAnswers(ask.form, command.answers))
        return
      }
      case 'set_mode':
        session.changePermissions({ mode: command.mode })
        this.#keep(true)
        return
      case 'set_model':
        session.selectModel(command.model)
        this.#keep(true)
        return
      case 'stop_task':
        session.stopTask(command.id)
        return
    }
  }

  /** The number to follow from. Throws `EventsEvicted` when something between it and the oldest held frame is gone. */
  cursor(lastEventId: number | undefined): number {
    if (!lastEventId) return this.#log.first - 1
    this.#log.since(lastEventId)
    return lastEventId
  }

  /** Writes every frame after the cursor until the session ends or the subscriber leaves. */
  async stream(after: number, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    const leave = () => gone.abort()
    response.once('close', leave)
    this.#streams.add(gone)
    response.writeHead(200, HEADERS)
    response.flushHeaders()
    const callOff = repeatEvery(this.#clock, KEEPALIVE_MS, () => {
      if (!response.writableNeedDrain) response.write(KEEPALIVE)
    })
    try {
      for (let cursor = after; await this.#log.newer(cursor, gone.signal); ) {
        // What happens in one go leaves in one go.
        await breathe()
        // What is sent has been kept, so that no number ever stands for two events.
        this.#keep(false)
        const [text, number] = together(this.#log.since(cursor))
        cursor = number
        if (!response.write(text)) await drained(response, gone.signal)
      }
    } catch (thrown) {
      const fault = Fault.from(thrown)
      if (fault.code !== 'EventsEvicted') throw thrown
      response.write(textOf(toFrame({ event: 'error', data: { code: 'evicted', message: fault.message } })))
    } finally {
      callOff()
      this.#streams.delete(gone)
      response.end()
    }
  }

  /** Ends the session: a turn under way ends without a result, and everyone who listens reads `done` last. */
  close(): void {
    this.#kept = undefined
    this.#stopListening()
    this.session.close()
    this.#tell({ event: 'done', data: {} })
    this.#log.close()
  }

  /** Ends what is under way; the session goes on with the next server. */
  suspend(): void {
    this.#stopListening()
    this.session.close()
    this.#keep(false)
    this.#drop()
  }

  /** Cuts every stream without a word, as a network does. */
  #drop(): void {
    for (const gone of this.#streams) gone.abort()
  }

  #tell(event: WireEvent): void {
    this.#log.append(toFrame(event))
  }
}

/** Events of a message that is being made: there may be thousands, and they are kept together. */
const STREAMED: ReadonlySet<string> = new Set(['thinking_delta', 'text_delta', 'tool_call_delta'])

/** Frames that leave in one piece, and the number of the last of them. */
function together(entries: readonly Numbered<StreamFrame>[]): readonly [text: string, last: number] {
  let text = ''
  let last = 0
  for (const { number, event } of entries) {
    text += `id: ${number}\n${textOf(event)}`
    last = number
    if (text.length > PIECE_CHARACTERS) break
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
