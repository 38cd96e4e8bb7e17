import { createClient, DBusError, type Message, type MessageBus } from 'dbus-native'
import { Fault } from '../../../base/fault.ts'
import { Line } from './call-queue.ts'

/** An object of a program on the bus. */
export interface Ref {
  /** The program's unique name, such as `:1.7`. */
  readonly bus: string
  readonly path: string
}

/** A connection to a D-Bus daemon that sends plain calls; it never introspects, which some programs do not survive. */
export interface Bus {
  readonly ended: boolean
  /** The first value of the answer. Rejects with `Refusal`, or with `Timeout` or `PlatformUnsupported`. */
  call<T>(to: Ref, method: Method, ...body: readonly unknown[]): Promise<T>
  /** As `call`, but a refusal is undefined. */
  try<T>(to: Ref, method: Method, ...body: readonly unknown[]): Promise<T | undefined>
  /** Hears every signal that a match rule lets through. */
  onSignal(listener: (signal: Signal) => void): void
  close(): void
}

export interface Method {
  readonly interface: string
  readonly member: string
  /** The D-Bus signature of the arguments. */
  readonly takes?: string
  readonly withinMs?: number
}

export interface Signal {
  readonly sender: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly body: readonly unknown[]
}

/** What a program answers that does not want to, or cannot, do as it was asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** D-Bus' name of the error, such as `org.freedesktop.DBus.Error.UnknownObject`. */
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

export const DAEMON: Ref = { bus: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' }

/** Long enough for a busy program; a stopped one is given up in time for its caller. */
const ANSWER_MOST_MS = 700
/** When the library forgets about a call; nobody waits for it that long. */
const FORGET_MS = 60_000
const HELLO_MOST_MS = 2000
const METHOD_CALL = 1
const SIGNAL = 4

/** Connects to the daemon at a D-Bus address. */
export const openBus = (address: string): Promise<Bus> =>
  // The library says hello by itself; an answer to anything means that it was heard.
  open(address, false, DAEMON, { interface: DAEMON.bus, member: 'GetId', withinMs: HELLO_MOST_MS })

/** Connects to a program's own address, without a daemon between; `to` and `hello` are a question that it answers. */
export const openPeer = (address: string, to: Ref, hello: Method): Promise<Bus> => open(address, true, to, hello)

async function open(address: string, direct: boolean, to: Ref, hello: Method): Promise<Bus> {
  const client = connect(address, direct)
  // A program that has gone can say nothing more; a daemon that has gone leaves us deaf.
  const lost = (cause?: Error) => (direct ? new Refusal('Disconnected', 'the program has gone') : deaf(address, cause))
  let ended = false
  const lostConnection = new Promise<never>((_, reject) => {
    const end = (cause?: Error) => {
      ended = true
      reject(lost(cause))
    }
    // The library fails the calls under way at the first of these, and those are followed by others at once.
    for (const event of ['end', 'close', 'error'] as const) client.connection.on(event, end)
  })
  // It is awaited only while connecting; later calls find out by themselves.
  lostConnection.catch(() => {})
  const lines = new Map<string, Line>()
  const lineTo = (program: string): Line => {
    const line = lines.get(program) ?? new Line()
    lines.set(program, line)
    return line
  }

  const call = async (to: Ref, method: Method, ...body: readonly unknown[]): Promise<unknown> => {
    const message: Message = {
      type: METHOD_CALL,
      destination: to.bus,
      path: to.path,
      interface: method.interface,
      member: method.member,
      ...(method.takes ? { signature: method.takes, body: [...body] } : {}),
    }
    return lineTo(to.bus).ask(method.withinMs ?? ANSWER_MOST_MS, (answer) => {
      if (ended) return answer(lost(), undefined)
      client.invoke(message, { timeout: FORGET_MS }, (error, value) =>
        answer(error ? (refusalOf(error) ?? lost()) : undefined, value),
      )
    })
  }
  const bus: Bus = {
    get ended() {
      return ended
    },
    call: call as Bus['call'],
    async try<T>(to: Ref, method: Method, ...body: readonly unknown[]) {
      try {
        return (await call(to, method, ...body)) as T
      } catch (error) {
        if (error instanceof Refusal) return undefined
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

function connect(address: string, direct: boolean): MessageBus {
  try {
    return createClient({ busAddress: address, plainValues: true, direct })
  } catch (error) {
    throw new Fault('PlatformUnsupported', `the D-Bus address ${address} cannot be used: ${(error as Error).message}`)
  }
}

const refusalOf = (error: DBusError): Refusal | undefined =>
  error instanceof DBusError && error.dbusName ? new Refusal(error.dbusName, error.message) : undefined

const deaf = (address: string, cause?: Error): Fault =>
  new Fault(
    'PlatformUnsupported',
    cause ? `no D-Bus daemon answers at ${address}: ${cause.message}` : `the D-Bus connection to ${address} has ended`,
    { address },
  )
