import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type * as z from 'zod'
import { deadline } from '../../base/clock.ts'
import { describeIssues, isTooDeep } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import type { Socket } from '../http/sockets.ts'
import { CommandHandler } from './commands.ts'
import type { ConnectedClient, ServerContext } from './context.ts'
import type { LogCode } from './errors.ts'
import { nestingFault } from './parser.ts'
import { Toolset } from './tools.ts'
import type { ConnectedUser, UserRegistry } from './users.ts'
import {
  type AsideEvent,
  Envelope,
  Handshake,
  Incoming,
  type IncomingType,
  isIncoming,
  type Payload,
  type StreamedEvent,
} from './wire.ts'

/** The close code for protocol violations. */
const POLICY_VIOLATION = 1008

interface Frame {
  readonly text: string
  readonly bytes: number
}

/** The fields of a frame that identify its turn. Errors have no number. */
interface TurnFields {
  readonly event_id?: string
  readonly sequence?: number
  readonly conversation_ref: string
  readonly turn_ref: string
}

/** A client on the main socket. Frames are processed one at a time, in order of arrival. */
export class Connection implements ConnectedClient {
  readonly toolset: Toolset
  readonly #server: ServerContext
  readonly #users: UserRegistry
  readonly #socket: Socket
  readonly #authorization: string | undefined
  readonly #commands: CommandHandler
  #frames: Promise<void> = Promise.resolve()
  /** The bytes of the frames that wait to be processed. */
  #waitingBytes = 0
  #user: ConnectedUser | undefined
  /** The speech queue. One text is spoken at a time. */
  #speech: Promise<void> = Promise.resolve()
  #closed = false
  #cancelTimeout = () => {}

  constructor(server: ServerContext, users: UserRegistry, socket: Socket, authorization: string | undefined) {
    this.toolset = new Toolset(server.backendTools, server.logFailure)
    this.#commands = new CommandHandler(server, users, this)
    this.#server = server
    this.#users = users
    this.#socket = socket
    this.#authorization = authorization
    socket.onFrame((data) => {
      this.#restartTimeout()
      const bytes = data.length
      const text = bytes > server.limits.messageBytes ? '' : String(data)
      this.#countWaitingBytes(bytes)
      this.#frames = this.#frames
        .then(() => this.#process({ text, bytes }))
        .catch((cause) => server.onBug(cause))
        .then(() => this.#countWaitingBytes(-bytes))
    })
    socket.onClose(() => this.#disconnect())
    this.#restartTimeout()
  }

  /** The user of the client. Throws before the handshake. */
  get user(): ConnectedUser {
    if (!this.#user) throw new Error('the handshake is missing')
    return this.#user
  }

  get closed(): boolean {
    return this.#closed
  }

  runtime(): ConnectedClient | undefined {
    return this.#users.runtimeFor(this)
  }

  sendEvent(event: StreamedEvent, conversation: string, turn: string, sequence: number): void {
    const id = this.#server.agent.ids.uuid()
    const { type, payload } = event
    const turnFields = { event_id: id, sequence, conversation_ref: conversation, turn_ref: turn }
    this.#send(id, type, payload, turnFields)
  }

  /** Sends an event outside of conversations. A reply has the id of its request. */
  aside({ type, payload }: AsideEvent, id: string = this.#server.agent.ids.uuid()): void {
    this.#send(id, type, payload)
  }

  sendError(message: string, id?: string, of?: { readonly conversation: string; readonly turn: string }): void {
    const turnFields = of && { conversation_ref: of.conversation, turn_ref: of.turn }
    // An error without a request needs a new id, so that clients do not take it for the end of the current turn.
    this.#send(id ?? this.#server.agent.ids.uuid(), 'error', { message }, turnFields)
  }

  speak(text: string, isWanted: () => boolean = () => true): void {
    if (text.trim() === '' || !this.user.config.speech_mode_enabled) return
    this.#speech = this.#speech.then(() => this.#speakNow(text, isWanted)).catch((cause) => this.#server.onBug(cause))
  }

  close(): void {
    this.#socket.close(1001, 'the server shuts down')
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** Speech is synthesized faster than it is read, so each chunk waits for the reader, and other clients are served meanwhile. */
  async #speakNow(text: string, isWanted: () => boolean): Promise<void> {
    for await (const { pcm, sampleRate } of this.#server.speechSynthesizer.speak(text)) {
      await (this.#socket.drained() ?? yieldToEventLoop())
      if (this.#closed || !isWanted()) return
      const audio = Buffer.from(pcm).toString('base64')
      this.aside({ type: 'audio-chunk', payload: { audio, sample_rate: sampleRate } })
    }
  }

  /** Sends every frame. Keys are listed one by one, because this is the hottest function of a turn. */
  #send(id: string, type: string, payload: object, turnFields?: TurnFields): void {
    const message = {
      id,
      type,
      payload,
      event_id: turnFields?.event_id,
      sequence: turnFields?.sequence,
      conversation_ref: turnFields?.conversation_ref,
      turn_ref: turnFields?.turn_ref,
      timestamp: this.#server.timestamp(),
      user_id: this.#user?.id ?? '',
    }
    this.#socket.send(JSON.stringify(message))
  }

  /** Pauses reading while too many bytes wait to be processed, so that memory stays bounded. */
  #countWaitingBytes(bytes: number): void {
    const limit = 2 * this.#server.limits.messageBytes
    const before = this.#waitingBytes
    this.#waitingBytes += bytes
    if (before <= limit && this.#waitingBytes > limit) this.#socket.pause()
    if (before > limit && this.#waitingBytes <= limit) this.#socket.resume()
  }

  /** Closes the connection if no frame arrives within the timeout. */
  #restartTimeout(): void {
    this.#cancelTimeout()
    const { agent, limits, logFailure } = this.#server
    this.#cancelTimeout = deadline(agent.clock, limits.receiveTimeoutMs, () => {
      logFailure('SESSION_ERROR', 'a client sent nothing for too long')
      this.#socket.close(POLICY_VIOLATION, 'receive timeout')
    })
  }

  #disconnect(): void {
    this.#closed = true
    this.#cancelTimeout()
    // Earlier frames are still processed first, so that the user is known by then.
    this.#frames = this.#frames.then(() => {
      if (this.#user) this.#users.disconnect(this.#user, this)
    })
  }

  async #process(frame: Frame): Promise<void> {
    if (!this.#user) return this.#handshake(frame)
    let id: string | undefined
    try {
      const parsed = await this.#parse(frame)
      id = idIn(parsed)
      if (isTooDeep(parsed)) throw nestingFault()
      const envelope = Envelope.safeParse(parsed)
      if (!envelope.success) throw invalidMessage('the message', envelope.error)
      const { type, payload } = envelope.data
      if (!isIncoming(type)) throw new Fault('BadRequest', `there is no message of the type ${JSON.stringify(type)}`)
      const read = Incoming[type].safeParse(payload)
      if (!read.success) throw invalidMessage(`the payload of ${type}`, read.error)
      await this.#commands.handle(type, read.data as Payload<IncomingType>, envelope.data.id)
    } catch (thrown) {
      this.#refuse(thrown, id)
    }
  }

  #refuse(thrown: unknown, id: string | undefined): void {
    const fault = Fault.from(thrown)
    if (fault.cause !== undefined) this.#server.onBug(fault.cause)
    this.#server.logFailure((fault.context.log as LogCode | undefined) ?? 'SESSION_ERROR', fault.message)
    this.sendError(fault.message, id)
  }

  async #parse({ text, bytes }: Frame): Promise<unknown> {
    const { limits, parser } = this.#server
    if (bytes > limits.messageBytes)
      throw new Fault('TooLarge', `a message has at most ${limits.messageBytes} bytes`, {
        log: 'INPUT_SIZE_LIMIT_ERROR',
      })
    try {
      return await parser.parse(text, bytes)
    } catch (thrown) {
      const { code, message } = Fault.from(thrown)
      const log: LogCode = code === 'Timeout' ? 'PARSE_TIMEOUT_ERROR' : 'PARSE_VALIDATION_ERROR'
      throw new Fault(code, message, { log })
    }
  }

  async #handshake(frame: Frame): Promise<void> {
    if (this.#closed) return
    const { installs, auth, logFailure } = this.#server
    try {
      const identity =
        auth === 'install' || this.#authorization !== undefined
          ? installs.identify(this.#authorization, auth)
          : undefined
      const parsed = await this.#parse(frame)
      if (isTooDeep(parsed)) throw nestingFault()
      const handshake = Handshake.safeParse(parsed)
      if (!handshake.success) throw invalidMessage('the handshake', handshake.error)
      const { user_id, agent_definition } = handshake.data
      this.#user = this.#users.connect(identity?.userId ?? user_id, this)
      this.toolset.define(agent_definition ?? undefined)
      if (agent_definition?.tools?.client_manifest) this.aside(this.toolset.manifestEvent())
      this.aside(this.toolset.catalogEvent(this.#user.config))
    } catch (thrown) {
      const fault = Fault.from(thrown)
      if (fault.code === 'Internal') this.#server.onBug(fault.cause)
      logFailure(fault.code === 'Unauthorized' ? 'SESSION_ERROR' : 'PARSE_VALIDATION_ERROR', fault.message)
      this.#socket.close(POLICY_VIOLATION, fault.message.slice(0, 100))
      this.#closed = true
    }
  }
}

/** The id of a message that may be invalid otherwise. */
function idIn(parsed: unknown): string | undefined {
  const id = (parsed as { readonly id?: unknown } | null)?.id
  return typeof id === 'string' && id !== '' && id.length <= 256 ? id : undefined
}

function invalidMessage(subject: string, error: z.ZodError): Fault {
  const settings = subject.endsWith('update-settings')
  const message = `${subject} does not fit: ${describeIssues(error).replaceAll('\n', ' ')}`
  return new Fault('BadRequest', settings ? `Failed to update settings: ${message}` : message, {
    log: settings ? 'CONFIG_ERROR' : 'PARSE_VALIDATION_ERROR',
  })
}
