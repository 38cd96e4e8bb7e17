import { type ConnectionOptions, createClient, DBusError, type Message, type MessageBus } from 'dbus-native'
import { Fault } from '../../base/fault.ts'
import { carrierOf, connectPassingSocket } from './pipes.ts'

/** An object of a program on the bus. */
export interface ObjectRef {
  /** The program's unique name, such as `:1.7`. */
  readonly bus: string
  readonly path: string
}

/** A connection to a D-Bus daemon or program. It never introspects, because that crashes some programs. */
export interface Bus {
  readonly ended: boolean
  /** Its unique name, such as `:1.7`, at which other programs can call it. */
  readonly name: string
  /** Returns the first value of the reply. Rejects with `BusError`, `Timeout` or `PlatformUnsupported`. */
  call<T>(to: ObjectRef, method: BusMethod, ...body: readonly unknown[]): Promise<T>
  /** As `call`, but returns all values of the reply. */
  callAll<T extends readonly unknown[]>(to: ObjectRef, method: BusMethod, ...body: readonly unknown[]): Promise<T>
  /** As `call`, but returns undefined for a `BusError`. */
  tryCall<T>(to: ObjectRef, method: BusMethod, ...body: readonly unknown[]): Promise<T | undefined>
  /** Calls `listener` for every signal that a match rule admits. */
  onSignal(listener: (signal: BusSignal) => void): void
  /** Calls `listener` with the arguments of every call of a method of `path` here. The caller gets an empty reply. */
  onCall(path: string, method: BusMethod, listener: (...body: readonly unknown[]) => void): void
  close(): void
}

export interface BusMethod {
  readonly interface: string
  readonly member: string
  /** The D-Bus signature of the arguments. */
  readonly signature?: string
  readonly timeoutMs?: number
  /** A descriptor, which is closed after it was sent. Its argument is 0. The connection must pass files. */
  readonly fd?: number
}

export interface BusSignal {
  readonly sender: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly body: readonly unknown[]
}

/** An error reply of a program. */
export class BusError extends Error {
  override readonly name = 'Refusal'
  /** The D-Bus name of the error, such as `org.freedesktop.DBus.Error.UnknownObject`. */
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

export const DAEMON: ObjectRef = { bus: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' }

/** Long enough for a busy program, short enough to report a stopped one to the caller. */
const MAX_ANSWER_MS = 700
/** The timeout of the library. Callers time out much earlier. */
const CALL_LIFETIME_MS = 60_000
const MAX_CONNECT_MS = 2000
const METHOD_CALL = 1
const SIGNAL = 4

/** The library sends Hello itself. A reply to any call means that the connection works. */
const GET_ID: BusMethod = { interface: DAEMON.bus, member: 'GetId', timeoutMs: MAX_CONNECT_MS }

/** Connects to the daemon at a D-Bus address. */
export const openBus = (address: string): Promise<Bus> =>
  open(address, connect({ busAddress: address }, address), false, DAEMON, GET_ID)

/** Connects to a program directly, without a daemon. `to` and `hello` are a call that the program answers. */
export const openPeer = (address: string, to: ObjectRef, hello: BusMethod): Promise<Bus> =>
  open(address, connect({ busAddress: address, direct: true }, address), true, to, hello)

/** Connects to the daemon at a D-Bus address on a Unix socket, with calls that pass files. */
export async function openPassingBus(address: string): Promise<Bus> {
  const { socket, write } = await connectPassingSocket(unixSocketOf(address)).catch((error) => {
    if (error instanceof Fault) throw error
    throw connectionLost(address, error as Error)
  })
  // The library sends files on a stream that has this method.
  const stream = Object.assign(socket, {
    writeWithFds: (bytes: Buffer, [fd]: readonly number[]) => write(bytes, carrierOf(fd!)) === 0,
  })
  const client = connect({ stream }, address)
  socket.resume()
  socket.emit('connect')
  return open(address, client, false, DAEMON, GET_ID)
}

/** The path of a Unix socket in a D-Bus address. A name in the abstract space begins with a zero byte. */
export function unixSocketOf(address: string): string {
  const [, kind, path] = /(?:^|;)unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(address) ?? []
  if (kind === undefined)
    throw new Fault('PlatformUnsupported', `the D-Bus address ${address} is not that of a Unix socket`, { address })
  const plain = decodeURIComponent(path!)
  return kind === 'path' ? plain : `\0${plain}`
}

async function open(
  address: string,
  client: MessageBus,
  direct: boolean,
  to: ObjectRef,
  hello: BusMethod,
): Promise<Bus> {
  // The end of a program concerns one program, the end of the daemon all of them.
  const lost = (cause?: Error) =>
    direct ? new BusError('Disconnected', 'the program has exited') : connectionLost(address, cause)
  let ended = false
  const lostConnection = new Promise<never>((_, reject) => {
    const end = (cause?: Error) => {
      ended = true
      reject(lost(cause))
    }
    // The library rejects pending calls at the first of these events, and callers send new calls immediately.
    for (const event of ['end', 'close', 'error'] as const) client.connection.on(event, end)
  })
  // Awaited only while connecting. Later calls detect the end themselves.
  lostConnection.catch(() => {})
  const queues = new Map<string, CallQueue>()
  const queueOf = (program: string): CallQueue => {
    const queue = queues.get(program) ?? new CallQueue()
    queues.set(program, queue)
    return queue
  }

  const callAll = async (
    to: ObjectRef,
    method: BusMethod,
    ...body: readonly unknown[]
  ): Promise<readonly unknown[]> => {
    const message: Message = {
      type: METHOD_CALL,
      destination: to.bus,
      path: to.path,
      interface: method.interface,
      member: method.member,
      ...(method.signature ? { signature: method.signature, body: [...body] } : {}),
      ...(method.fd === undefined ? {} : { fds: [method.fd] }),
    }
    return queueOf(to.bus).send(method.timeoutMs ?? MAX_ANSWER_MS, (answer) => {
      if (ended) return answer(lost(), [])
      client.invoke(message, { timeout: CALL_LIFETIME_MS }, (error, ...values) =>
        answer(error ? (toBusError(error) ?? lost()) : undefined, values),
      )
    })
  }
  const call = async (to: ObjectRef, method: BusMethod, ...body: readonly unknown[]): Promise<unknown> =>
    (await callAll(to, method, ...body))[0]
  const bus: Bus = {
    get ended() {
      return ended
    },
    get name() {
      return client.name ?? ''
    },
    call: call as Bus['call'],
    callAll: callAll as Bus['callAll'],
    async tryCall<T>(to: ObjectRef, method: BusMethod, ...body: readonly unknown[]) {
      try {
        return (await call(to, method, ...body)) as T
      } catch (error) {
        if (error instanceof BusError) return undefined
        throw error
      }
    },
    onSignal(listener) {
      client.connection.on('message', (message) => {
        if (message.type !== SIGNAL) return
        const { sender = '', path = '', interface: name = '', member = '', body = [] } = message
        listener({ sender, path, interface: name, member, body })
      })
    },
    onCall(path, { interface: name, member }, listener) {
      const answer = (...body: readonly unknown[]) => {
        listener(...body)
        return null
      }
      client.setMethodCallHandler(path, name, member, [answer, ''])
    },
    close() {
      ended = true
      client.connection.end()
    },
  }
  try {
    await Promise.race([bus.call(to, hello), lostConnection])
  } catch (error) {
    bus.close()
    throw error
  }
  return bus
}

function connect(options: ConnectionOptions, address: string): MessageBus {
  try {
    return createClient({ ...options, plainValues: true })
  } catch (error) {
    throw new Fault('PlatformUnsupported', `the D-Bus address ${address} cannot be used: ${(error as Error).message}`)
  }
}

const toBusError = (error: DBusError): BusError | undefined =>
  error instanceof DBusError && error.dbusName ? new BusError(error.dbusName, error.message) : undefined

const connectionLost = (address: string, cause?: Error): Fault =>
  new Fault(
    'PlatformUnsupported',
    cause ? `no D-Bus daemon answers at ${address}: ${cause.message}` : `the D-Bus connection to ${address} has ended`,
    { address },
  )

/** The most calls to a program at the same time. The others wait, so that a stopped program affects only itself. */
const MAX_PENDING_CALLS = 400
const CHECK_INTERVAL_MS = 50

interface PendingCall {
  readonly withinMs: number
  readonly sentMs: number
  fail(error: Error): void
}

interface QueuedCall {
  readonly start: () => void
  fail(error: Error): void
}

/**
 * The calls to one program. A busy program answers slowly but keeps answering; a stopped one does not answer at all. Only
 * the latter is a fault. Then all pending and queued calls of the program time out together.
 */
export class CallQueue {
  readonly #pending = new Set<PendingCall>()
  readonly #queue = new Set<QueuedCall>()
  #lastReplyMs = 0
  #isSending = false
  /** Timed out, without a reply since. One call at a time detects its return, so that calls do not pile up. */
  #isSilent = false
  #lastCheckMs = 0
  #timer: NodeJS.Timeout | undefined

  /** Sends a call when it is its turn. `send` calls back with the reply or an error, possibly before it returns. */
  send<T>(withinMs: number, send: (answer: (error: Error | undefined, value: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        const question: PendingCall = {
          withinMs,
          sentMs: Date.now(),
          fail: (error) => {
            this.#pending.delete(question)
            reject(error)
          },
        }
        this.#pending.add(question)
        if (!this.#timer) this.#startTimer()
        try {
          send((error, value) => {
            this.#lastReplyMs = Date.now()
            this.#isSilent = false
            this.#pending.delete(question)
            this.#next()
            if (error) return reject(error)
            resolve(value)
          })
        } catch (error) {
          question.fail(error as Error)
        }
      }
      this.#queue.add({ start, fail: reject })
      this.#next()
    })
  }

  /** Sends queued calls up to the limit. Not re-entrant: a connection that has ended calls back immediately. */
  #next(): void {
    if (this.#isSending) return
    this.#isSending = true
    for (const next of this.#queue) {
      if (this.#pending.size >= (this.#isSilent ? 1 : MAX_PENDING_CALLS)) break
      this.#queue.delete(next)
      next.start()
    }
    this.#isSending = false
    if (this.#pending.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #startTimer(): void {
    this.#lastCheckMs = Date.now()
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref()
  }

  #check(): void {
    const now = Date.now()
    // This process was too busy to receive replies.
    if (now - this.#lastCheckMs > 3 * CHECK_INTERVAL_MS) this.#lastReplyMs = now
    this.#lastCheckMs = now
    const silent = [...this.#pending].find(
      ({ sentMs, withinMs }) => now - Math.max(sentMs, this.#lastReplyMs) > withinMs,
    )
    if (!silent) return
    const error = new Fault('Timeout', `the application has not answered for ${silent.withinMs} ms`)
    this.#isSilent = true
    const waiting = [...this.#pending, ...this.#queue]
    this.#queue.clear()
    for (const one of waiting) one.fail(error)
    this.#next()
  }
}
