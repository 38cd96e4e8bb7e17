import type { ServerResponse } from 'node:http'
import { setImmediate as breathe } from 'node:timers/promises'
import { repeatedly } from '../../agent/deadline.ts'
import type { AgentSession } from '../../agent/session.ts'
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { EventLog, type Numbered } from '../../base/log.ts'
import { answersOf, type Command, type Setting, toWire, updatePermissions } from './translate.ts'
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

/** An event as it is kept until it is sent: a text put together would be three more to the garbage collector. */
interface Frame {
  readonly event: string
  readonly json: string
}

const toFrame = ({ event, data }: WireEvent): Frame => ({ event, json: JSON.stringify(data) })

const textOf = ({ event, json }: Frame): string => `event: ${event}\ndata: ${json}\n\n`

/** A session as its subscribers see it: every event once made into a frame, with a number of its own. */
export class WireSession {
  readonly session: AgentSession
  readonly #log: EventLog<Frame>
  readonly #clock: Clock
  readonly #streams = new Set<AbortController>()
  readonly #stopListening: () => void
  #setting: Setting
  #activeMs: number

  constructor(session: AgentSession, clock: Clock, capacity: number) {
    this.session = session
    this.#clock = clock
    this.#log = new EventLog(capacity)
    this.#setting = { sessionId: session.id, model: session.askedModel }
    this.#activeMs = clock.now()
    this.#tell({ event: 'session_ready', data: { session_id: session.id, protocol_version: PROTOCOL_VERSION } })
    this.#stopListening = session.listen((event) => {
      if (event.type === 'disconnect') return this.#drop()
      // A turn stays with the model it began with.
      if (event.type === 'run_started') this.#setting = { ...this.#setting, model: session.askedModel }
      for (const told of toWire(event, this.#setting)) this.#tell(told)
    })
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
        if (allowed) session.changePermissions(updatePermissions(session.permissions, updates))
        return
      }
      case 'answer': {
        const ask = session.decisions.find(command.id)
        if (ask?.kind !== 'question')
          throw new Fault('Conflict', `no question waits under ${JSON.stringify(command.id)}`, { id: command.id })
        session.answer(command.id, answersOf(ask.form, command.answers))
        return
      }
      case 'set_mode':
        session.changePermissions({ mode: command.mode })
        return
      case 'set_model':
        session.askForModel(command.model)
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
    const callOff = repeatedly(this.#clock, KEEPALIVE_MS, () => {
      if (!response.writableNeedDrain) response.write(KEEPALIVE)
    })
    try {
      for (let cursor = after; await this.#log.newer(cursor, gone.signal); ) {
        // What happens in one go leaves in one go.
        await breathe()
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
    this.#stopListening()
    this.session.close()
    this.#tell({ event: 'done', data: {} })
    this.#log.close()
  }

  /** Cuts every stream without a word, as a network does. */
  #drop(): void {
    for (const gone of this.#streams) gone.abort()
  }

  #tell(event: WireEvent): void {
    this.#log.append(toFrame(event))
  }
}

/** Frames that leave in one piece, and the number of the last of them. */
function together(entries: readonly Numbered<Frame>[]): readonly [text: string, last: number] {
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
