import { setImmediate as breathe } from 'node:timers/promises'
import * as z from 'zod'
import { deadline } from '../../agent/deadline.ts'
import type { Image } from '../../agent/history.ts'
import { isTooDeep } from '../../base/depth.ts'
import { Fault } from '../../base/fault.ts'
import type { Socket } from '../sockets.ts'
import { catalogueOf, judgeManifest, type Manifest, type Offered, offeredTools, reservedNames } from './definition.ts'
import type { LogCode } from './errors.ts'
import type { House, User } from './house.ts'
import { shownArtifact } from './images.ts'
import { tooDeep } from './parser.ts'
import { type Config, redacted, updated } from './settings.ts'
import { historyOf } from './translate.ts'
import {
  type AgentDefinition,
  type AsideEvent,
  type ClientTool,
  Envelope,
  Handshake,
  Incoming,
  type IncomingType,
  isIncoming,
  type Payload,
  RUNTIME_ROLE,
  type StreamedEvent,
} from './wire.ts'

const POLICY = 1008
const GREETING = "Hello! I'm listening."
const TOO_MANY = 'Too many concurrent requests. Please wait.'

interface Frame {
  readonly text: string
  readonly bytes: number
}

/** What a frame says of its turn; an error has no number there. */
interface Within {
  readonly event_id?: string
  readonly sequence?: number
  readonly conversation_ref: string
  readonly turn_ref: string
}

/** A client on the main socket. Frames are taken one after the other, in the order they came. */
export class Connection {
  readonly #house: House
  readonly #socket: Socket
  readonly #authorization: string | undefined
  #frames: Promise<void> = Promise.resolve()
  /** Bytes of the frames that wait to be taken. */
  #waitingBytes = 0
  #user: User | undefined
  #manifest: Manifest = { accepted: [], rejected: [] }
  /** What was last worked out, and for which settings; every event of a turn asks for it. */
  #offer: { readonly config: Config; readonly tools: readonly Offered[] } | undefined
  #tasks = 0
  /** What is said aloud, one text after the other. */
  #speech: Promise<void> = Promise.resolve()
  #closed = false
  #callOff = () => {}
  /** What the client asked its agent to be. */
  definition: AgentDefinition | undefined

  constructor(house: House, socket: Socket, authorization: string | undefined) {
    this.#house = house
    this.#socket = socket
    this.#authorization = authorization
    socket.onFrame((data) => {
      this.#wait()
      const bytes = data.length
      const text = bytes > house.limits.messageBytes ? '' : String(data)
      this.#queue(bytes)
      this.#frames = this.#frames
        .then(() => this.#take({ text, bytes }))
        .catch((cause) => house.onBug(cause))
        .then(() => this.#queue(-bytes))
    })
    socket.onClose(() => this.#leave())
    this.#wait()
  }

  /** Throws before the handshake. */
  get user(): User {
    if (!this.#user) throw new Error('nobody has shaken hands')
    return this.#user
  }

  /** The tools of this client's sessions, as they are now. */
  offered(): readonly Offered[] {
    const { config } = this.user
    if (this.#offer?.config === config) return this.#offer.tools
    const backend = this.#house.backend.list()
    const tools = offeredTools({ definition: this.definition, accepted: this.#manifest.accepted, backend, config })
    this.#offer = { config, tools }
    return tools
  }

  /** Whether it carries out the tool calls of other connections. */
  get isRuntime(): boolean {
    return this.definition?.metadata?.role === RUNTIME_ROLE
  }

  /** The tools that the client brought along and that were taken. */
  get accepted(): readonly ClientTool[] {
    return this.#manifest.accepted
  }

  /** Whether the client itself carries a tool out. */
  brings(tool: string): boolean {
    return this.#manifest.accepted.some(({ name }) => name === tool)
  }

  /** Tells an event of a turn or an operation; each has a number in it. */
  stream(event: StreamedEvent, conversation: string, turn: string, sequence: number): void {
    const id = this.#house.agent.ids.uuid()
    const { type, payload } = event
    const within = { event_id: id, sequence, conversation_ref: conversation, turn_ref: turn }
    this.#send(id, type, payload, within)
  }

  /** Tells something that belongs to no conversation; an answer carries the id of what it answers. */
  aside({ type, payload }: AsideEvent, id: string = this.#house.agent.ids.uuid()): void {
    this.#send(id, type, payload)
  }

  /** Tells a failure, under the id of the request that failed. */
  fail(message: string, id?: string, of?: { readonly conversation: string; readonly turn: string }): void {
    const within = of && { conversation_ref: of.conversation, turn_ref: of.turn }
    // An error without a request must not be taken for the end of the turn under way.
    this.#send(id ?? this.#house.agent.ids.uuid(), 'error', { message }, within)
  }

  /** Says a text aloud, if the user wants to hear it, when what was said before it is over. */
  speak(text: string, isWanted: () => boolean = () => true): void {
    if (text.trim() === '' || !this.user.config.speech_mode_enabled) return
    this.#speech = this.#speech.then(() => this.#speakNow(text, isWanted)).catch((cause) => this.#house.onBug(cause))
  }

  close(): void {
    this.#socket.close(1001, 'the server shuts down')
  }

  /** Ends the connection as a network does. */
  drop(): void {
    this.#socket.drop()
  }

  /** A voice is ready long before it is heard, so that the reader is waited for, and everybody else is served meanwhile. */
  async #speakNow(text: string, isWanted: () => boolean): Promise<void> {
    for await (const { pcm, sampleRate } of this.#house.speaker.speak(text)) {
      await (this.#socket.drained() ?? breathe())
      if (this.#closed || !isWanted()) return
      const audio = Buffer.from(pcm).toString('base64')
      this.aside({ type: 'audio-chunk', payload: { audio, sample_rate: sampleRate } })
    }
  }

  /** Everything is said through here; keys one by one, since this is where most of a turn's work is done. */
  #send(id: string, type: string, payload: object, within?: Within): void {
    const message = {
      id,
      type,
      payload,
      event_id: within?.event_id,
      sequence: within?.sequence,
      conversation_ref: within?.conversation_ref,
      turn_ref: within?.turn_ref,
      timestamp: this.#house.timestamp(),
      user_id: this.#user?.id ?? '',
    }
    this.#socket.send(JSON.stringify(message))
  }

  /** Who sends faster than frames can be taken is not read from meanwhile, so that memory stays bounded. */
  #queue(bytes: number): void {
    const most = 2 * this.#house.limits.messageBytes
    const before = this.#waitingBytes
    this.#waitingBytes += bytes
    if (before <= most && this.#waitingBytes > most) this.#socket.pause()
    if (before > most && this.#waitingBytes <= most) this.#socket.resume()
  }

  /** A client that says nothing for too long has gone. */
  #wait(): void {
    this.#callOff()
    const { agent, limits, journal } = this.#house
    this.#callOff = deadline(agent.clock, limits.receiveTimeoutMs, () => {
      journal('SESSION_ERROR', 'a client said nothing for too long')
      this.#socket.close(POLICY, 'receive timeout')
    })
  }

  #leave(): void {
    this.#closed = true
    this.#callOff()
    // Frames that came before the end are still taken, so that the user is known by then.
    this.#frames = this.#frames.then(() => {
      if (this.#user) this.#house.users.leave(this.#user, this)
    })
  }

  async #take(frame: Frame): Promise<void> {
    if (!this.#user) return this.#shakeHands(frame)
    let id: string | undefined
    try {
      const parsed = await this.#parse(frame)
      id = idIn(parsed)
      if (isTooDeep(parsed)) throw tooDeep()
      const envelope = Envelope.safeParse(parsed)
      if (!envelope.success) throw misfit('the message', envelope.error)
      const { type, payload } = envelope.data
      if (!isIncoming(type)) throw new Fault('BadRequest', `there is no message of the type ${JSON.stringify(type)}`)
      const read = Incoming[type].safeParse(payload)
      if (!read.success) throw misfit(`the payload of ${type}`, read.error)
      await this.#obey(type, read.data as Payload<IncomingType>, envelope.data.id)
    } catch (thrown) {
      this.#refuse(thrown, id)
    }
  }

  #refuse(thrown: unknown, id: string | undefined): void {
    const fault = Fault.from(thrown)
    if (fault.code === 'Internal') this.#house.onBug(fault.cause)
    this.#house.journal((fault.context.log as LogCode | undefined) ?? 'SESSION_ERROR', fault.message)
    this.fail(fault.message, id)
  }

  async #parse({ text, bytes }: Frame): Promise<unknown> {
    const { limits, parser } = this.#house
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

  async #shakeHands(frame: Frame): Promise<void> {
    if (this.#closed) return
    const { users, installs, auth, journal, backend } = this.#house
    try {
      const identity =
        auth === 'install' || this.#authorization !== undefined
          ? installs.identify(this.#authorization, auth)
          : undefined
      const parsed = await this.#parse(frame)
      if (isTooDeep(parsed)) throw tooDeep()
      const handshake = Handshake.safeParse(parsed)
      if (!handshake.success) throw misfit('the handshake', handshake.error)
      const { user_id, agent_definition } = handshake.data
      this.#user = users.enter(identity?.userId ?? user_id, this)
      this.#define(agent_definition ?? undefined)
      if (this.definition?.tools?.client_manifest) this.#tellManifest()
      const offered = new Set(this.offered().map(({ name }) => name))
      const remote = catalogueOf({ accepted: this.accepted, backend: backend.list() })
      const remote_tools = remote
        .filter(({ where }) => where === 'backend')
        .map(({ name, description }) => ({
          name,
          description,
          enabled: offered.has(name),
          available: true,
          reason_unavailable: null,
        }))
      this.aside({ type: 'remote-tool-catalog', payload: { remote_tools } })
    } catch (thrown) {
      const fault = Fault.from(thrown)
      if (fault.code === 'Internal') this.#house.onBug(fault.cause)
      journal(fault.code === 'Unauthorized' ? 'SESSION_ERROR' : 'PARSE_VALIDATION_ERROR', fault.message)
      this.#socket.close(POLICY, fault.message.slice(0, 100))
      this.#closed = true
    }
  }

  #define(definition: AgentDefinition | undefined): void {
    this.definition = definition
    this.#offer = undefined
    const tools = definition?.tools?.client_manifest?.tools ?? []
    this.#manifest = judgeManifest(tools, reservedNames(this.#house.backend.list()))
    for (const { name, reason } of this.#manifest.rejected)
      this.#house.journal('TOOL_VALIDATION_ERROR', `${name}: ${reason}`)
  }

  #tellManifest(): void {
    const { accepted, rejected } = this.#manifest
    this.aside({
      type: 'client-tool-manifest',
      payload: {
        accepted: accepted.map(({ name, description, execution_target }) => ({ name, description, execution_target })),
        rejected: [...rejected],
      },
    })
  }

  #obey(type: IncomingType, payload: Payload<IncomingType>, id: string): void | Promise<void> {
    const { user } = this
    const { catalogue } = this.#house
    switch (type) {
      case 'query':
        return this.#query(payload as Payload<'query'>, id)
      case 'rehydrate-conversation':
        return this.#rehydrate(payload as Payload<'rehydrate-conversation'>)
      case 'load-settings':
        return this.aside({ type: 'settings-loaded', payload: { config: redacted(user.config) } }, id)
      case 'update-settings':
        return this.#update(payload as Payload<'update-settings'>, id)
      case 'list-models': {
        const { local, online, vision } = catalogue
        return this.aside(
          { type: 'models-listed', payload: { local: [...local], online: [...online], vision: [...vision] } },
          id,
        )
      }
      case 'tool-result':
        return this.#answer((conversation) => conversation.answerCall(payload as Payload<'tool-result'>, this))
      case 'tool-bundle-result':
        return this.#answer((conversation) => conversation.answerBundle(payload as Payload<'tool-bundle-result'>, this))
      case 'wakeword-detected':
        return this.#greet(id)
      case 'stop-query':
        return this.#stop(payload as Payload<'stop-query'>, id)
      case 'compact-history': {
        const { conversation_ref, force = false } = payload as Payload<'compact-history'>
        return user.open(this.#house, conversation_ref, this).compact(id, force, this)
      }
    }
  }

  /** A turn lasts beyond its frame; at most so many of them at once. */
  async #query(query: Payload<'query'>, id: string): Promise<void> {
    const { user } = this
    if (this.#tasks >= this.#house.limits.tasks) throw new Fault('Busy', TOO_MANY)
    if (user.conversations.some((conversation) => conversation.has(id)))
      throw new Fault('Conflict', `a turn of the id ${JSON.stringify(id)} is under way`)
    if (query.agent_definition) this.#define(query.agent_definition)
    const refs = [...new Set([query.screenshot_ref, ...(query.screenshot_refs ?? [])])]
    const images = await Promise.all(refs.flatMap((ref) => (ref ? [this.#image(ref)] : [])))
    if (this.#closed) return
    user.open(this.#house, query.conversation_ref, this).ask(id, query, images, this, () => {
      this.#tasks -= 1
    })
    this.#tasks += 1
  }

  async #rehydrate({ conversation_ref, messages, model_history }: Payload<'rehydrate-conversation'>): Promise<void> {
    const entries = model_history?.rows.length ? model_history.rows : messages
    const refs = entries.flatMap(({ screenshot_ref }) => screenshot_ref ?? [])
    const images = new Map<string, Image>()
    for (const ref of new Set(refs)) {
      const image = await this.#image(ref).catch((thrown) => {
        this.#house.journal('MEMORY_STORE_ERROR', Fault.from(thrown).message)
      })
      if (image) images.set(ref, image)
    }
    const history = historyOf(entries, this.#house.agent.clock.now(), (ref) => images.get(ref))
    const { session } = this.user.open(this.#house, conversation_ref, this)
    if (session.running)
      throw new Fault('Conflict', 'a turn of this conversation is under way', { log: 'MEMORY_ERROR' })
    session.replaceHistory({ messages: history })
  }

  async #image(ref: string): Promise<Image> {
    const { artifacts, auth } = this.#house
    return shownArtifact(artifacts, ref, auth === 'install' ? this.user.id : undefined)
  }

  #update({ tools, agent_definition, ...changes }: Payload<'update-settings'>, id: string): void {
    try {
      this.user.config = updated(this.user.config, changes, this.#house.catalogue)
    } catch (thrown) {
      const { code, message } = Fault.from(thrown)
      throw new Fault(code, `Failed to update settings: ${message}`, { log: 'CONFIG_ERROR' })
    }
    if (agent_definition) this.#define(agent_definition)
    if (tools)
      this.#define({
        ...this.definition,
        tools: { ...this.definition?.tools, client_manifest: tools.client_manifest },
      })
    if (tools || agent_definition) this.#tellManifest()
    const updated_keys = Object.keys({
      ...changes,
      ...(tools && { tools }),
      ...(agent_definition && { agent_definition }),
    })
    this.aside({ type: 'settings-updated', payload: { updated_keys } }, id)
  }

  /** A result that nothing waits for is no error: the turn may have been stopped meanwhile. */
  #answer(settle: (conversation: User['conversations'][number]) => boolean): void {
    const others = this.isRuntime ? this.#house.users.conversations : []
    if (![...this.user.conversations, ...others].some(settle))
      this.#house.journal('TOOL_EXECUTION_ERROR', 'a result came that nothing waits for')
  }

  #greet(id: string): void {
    const { speech_mode_enabled } = this.user.config
    this.aside(
      { type: 'wakeword-activated', payload: { speech_mode_enabled, greeting: GREETING, status: 'listening' } },
      id,
    )
    this.aside({ type: 'wakeword-greeting', payload: { text: GREETING } })
    this.speak(GREETING)
  }

  #stop({ conversation_ref, turn_ref }: Payload<'stop-query'>, id: string): void {
    const { user } = this
    const concerned = conversation_ref
      ? [user.conversation(conversation_ref)].filter((found) => found !== undefined)
      : user.conversations
    for (const conversation of concerned) conversation.stop(turn_ref ?? undefined, conversation_ref ? undefined : this)
    this.aside(
      {
        type: 'stop-query-ack',
        payload: { conversation_ref: conversation_ref ?? null, turn_ref: turn_ref ?? null },
      },
      id,
    )
  }
}

/** The id of a message that may not fit in other ways. */
function idIn(parsed: unknown): string | undefined {
  const id = (parsed as { readonly id?: unknown } | null)?.id
  return typeof id === 'string' && id !== '' && id.length <= 256 ? id : undefined
}

function misfit(what: string, error: z.ZodError): Fault {
  const settings = what.endsWith('update-settings')
  const message = `${what} does not fit: ${z.prettifyError(error).replaceAll('\n', ' ')}`
  return new Fault('BadRequest', settings ? `Failed to update settings: ${message}` : message, {
    log: settings ? 'CONFIG_ERROR' : 'PARSE_VALIDATION_ERROR',
  })
}
