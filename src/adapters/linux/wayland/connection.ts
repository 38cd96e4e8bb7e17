import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../../base/fault.ts'
import type { EnvironmentVariables } from '../../../base/host.ts'
import { carrierOf, connectPassingSocket, type PipeHandle } from '../pipes.ts'
import { type EventOf, INTERFACES, type InterfaceName, type RequestOf } from './protocols.ts'
import { decodeArguments, encodeBind, encodeMessage, eventAt, splitMessages, type WireValue } from './wire.ts'

/** An object of a compositor. */
export interface WaylandObject<I extends InterfaceName = InterfaceName> {
  readonly id: number
  /** Sends a request. Returns the new object, if it makes one. Its argument has no value in `values`. */
  send<N extends InterfaceName>(request: RequestOf<I>, ...values: readonly RequestValue[]): WaylandObject<N>
  /** Replaces the listener of an event. A new object is its number. */
  on(event: EventOf<I>, listener: (...values: readonly WireValue[]) => void): void
}

/** An argument of a request. A file descriptor is closed when it was sent. */
export type RequestValue =
  | number
  | string
  | WaylandObject
  | null
  | { readonly fd: number }
  | { readonly handle: PipeHandle }

/** What a compositor offers. */
export interface Global {
  readonly name: number
  readonly interfaceName: string
  readonly version: number
}

/** A connection to a Wayland compositor. */
export interface WaylandConnection {
  readonly ended: boolean
  readonly globals: readonly Global[]
  /** Binds the first global of an interface. Undefined when the compositor does not offer it. */
  bind<I extends InterfaceName>(interfaceName: I, maxVersion: number): WaylandObject<I> | undefined
  /** Binds a given global. */
  bindGlobal<I extends InterfaceName>(global: Global, interfaceName: I, maxVersion: number): WaylandObject<I>
  /** The object of a number that an event has brought. */
  object<I extends InterfaceName>(id: number): WaylandObject<I> | undefined
  /** Forgets an object that the compositor does not number again. */
  forget(id: number): void
  /** The handles of pipes that have arrived with events, oldest first. */
  takeHandle(): PipeHandle | undefined
  /** Waits until the compositor has processed all requests so far. */
  sync(): Promise<void>
  /** A file in memory for the compositor, with its descriptor for this process. */
  share(bytes: Buffer | number): SharedFile
  close(): void
}

/** A file that this process and the compositor share. */
export interface SharedFile {
  /** To send. The request closes it. */
  readonly fd: number
  size(): number
  read(size: number): Buffer
  close(): void
}

const MAX_ANSWER_MS = 2000

let lastFile = 0

/** Opens a file without a name, with bytes or of a size, to share with a compositor. `folder` is one in memory. */
export function openSharedFile(folder: string, content: Buffer | number): SharedFile {
  const file = join(folder, `.backlot-${process.pid}-${++lastFile}-${Math.floor(performance.now())}`)
  const own = openSync(file, 'wx+', 0o600)
  if (typeof content === 'number') ftruncateSync(own, content)
  else writeSync(own, content)
  const fd = openSync(file, 'r+')
  unlinkSync(file)
  return {
    fd,
    size: () => fstatSync(own).size,
    read(size) {
      const bytes = Buffer.allocUnsafe(size)
      readSync(own, bytes, 0, size, 0)
      return bytes
    },
    close: () => closeSync(own),
  }
}

/** The socket of the compositor that `env` names. */
export function waylandSocketPath(env: EnvironmentVariables): string | undefined {
  const { WAYLAND_DISPLAY: name, XDG_RUNTIME_DIR: folder } = env
  if (!name) return undefined
  if (name.startsWith('/')) return name
  return folder ? join(folder, name) : undefined
}

/** Connects to a compositor and reads its globals. Throws `PlatformUnsupported` when none answers. */
export async function openWayland(path: string, folder: string): Promise<WaylandConnection> {
  const pipe = await connectPassingSocket(path).catch((error) => {
    if (error instanceof Fault) throw error
    const why = (error as Error).message
    throw new Fault('PlatformUnsupported', `no Wayland compositor answers at ${path} (${why})`, { socket: path })
  })
  const { socket } = pipe
  socket.on('error', () => {})

  interface Known {
    readonly interfaceName: InterfaceName
    readonly listeners: Map<string, (...values: readonly WireValue[]) => void>
    readonly object: WaylandObject
  }
  const objects = new Map<number, Known>()
  const handles: PipeHandle[] = []
  const waiting = new Set<(error: Error) => void>()
  const free: number[] = []
  let lastId = 0
  let ended = false
  let failure: Fault | undefined
  let rest = Buffer.alloc(0)

  const finish = () => {
    if (ended) return
    ended = true
    const error = failure ?? new Fault('PlatformUnsupported', `the connection to the compositor at ${path} has ended`)
    for (const reject of [...waiting]) reject(error)
    for (const handle of handles.splice(0)) handle.close()
  }
  const write = (bytes: Buffer, carrier?: PipeHandle) => {
    if (ended) {
      carrier?.close()
      throw failure ?? new Fault('PlatformUnsupported', `the connection to the compositor at ${path} has ended`)
    }
    if (pipe.write(bytes, carrier) !== 0) finish()
  }
  const handleOf = (value: RequestValue | undefined): PipeHandle | undefined => {
    if (typeof value !== 'object' || value === null) return undefined
    if ('handle' in value) return value.handle
    return 'fd' in value ? carrierOf(value.fd) : undefined
  }
  const create = <I extends InterfaceName>(interfaceName: I, number?: number): WaylandObject<I> => {
    const id = number ?? free.pop() ?? ++lastId
    const listeners: Known['listeners'] = new Map()
    const { requests } = INTERFACES[interfaceName]
    const names = Object.keys(requests)
    const object = {
      id,
      send(name: string, ...given: readonly RequestValue[]) {
        const signature = (requests as Readonly<Record<string, string>>)[name]!
        const [, made] = /n:(\w+)/.exec(signature) ?? []
        const fresh = made === undefined ? undefined : create(made as InterfaceName)
        const values = [...given]
        const at = signature.split(' ').findIndex((letter) => letter.startsWith('n:'))
        if (fresh) values.splice(at, 0, fresh)
        const carrier = values.map(handleOf).find((handle) => handle !== undefined)
        const plain = values.map((value) =>
          typeof value === 'object' && value !== null && !('id' in value) ? null : value,
        )
        write(encodeMessage(id, names.indexOf(name), signature.replaceAll(/n:\w+/g, 'n'), plain), carrier)
        return fresh
      },
      on(event: string, listener: (...values: readonly WireValue[]) => void) {
        listeners.set(event, listener)
      },
    } as unknown as WaylandObject<I>
    objects.set(id, { interfaceName, listeners, object: object as unknown as WaylandObject })
    return object
  }

  socket.on('data', (bytes: Buffer) => {
    const arrived = pipe.takePending()
    if (arrived) handles.push(arrived)
    const split = splitMessages(rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes)
    rest = Buffer.from(split.rest)
    for (const { object: id, opcode, body } of split.messages) {
      const known = objects.get(id)
      const event = known && eventAt(known.interfaceName, opcode)
      if (!known || !event) continue
      const [name, signature] = event
      const values = decodeArguments(body, signature)
      const [, made] = /n:(\w+)/.exec(signature) ?? []
      if (made !== undefined) create(made as InterfaceName, values[0] as number)
      known.listeners.get(name)?.(...values)
    }
  })
  socket.on('close', finish)

  const display = create('wl_display')
  display.on('error', (_, code, message) => {
    failure = new Fault('PlatformUnsupported', `the compositor ended the connection: ${message} (${code})`)
    socket.destroy()
    finish()
  })
  display.on('delete_id', (id) => {
    objects.delete(id as number)
    free.push(id as number)
  })
  socket.resume()

  const globals: Global[] = []
  const registry = display.send<'wl_registry'>('get_registry')
  registry.on('global', (name, interfaceName, version) => {
    globals.push({ name: name as number, interfaceName: interfaceName as string, version: version as number })
  })
  registry.on('global_remove', (name) => {
    const at = globals.findIndex((each) => each.name === name)
    if (at >= 0) globals.splice(at, 1)
  })
  const connection: WaylandConnection = {
    get ended() {
      return ended
    },
    globals,
    bind(interfaceName, maxVersion) {
      const global = globals.find((each) => each.interfaceName === interfaceName)
      return global && connection.bindGlobal(global, interfaceName, maxVersion)
    },
    bindGlobal({ name, version }, interfaceName, maxVersion) {
      const object = create(interfaceName)
      const used = Math.min(version, maxVersion)
      write(encodeBind(registry.id, { name, version: used, id: object.id, interfaceName }))
      return object
    },
    object: <I extends InterfaceName>(id: number) => objects.get(id)?.object as unknown as WaylandObject<I> | undefined,
    forget: (id) => void objects.delete(id),
    takeHandle: () => handles.shift(),
    sync: () =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer)
          waiting.delete(fail)
          act()
        }
        const fail = (error: Error) => settle(() => reject(error))
        const timer = setTimeout(
          () => fail(new Fault('Timeout', `the compositor did not answer within ${MAX_ANSWER_MS} ms`)),
          MAX_ANSWER_MS,
        )
        waiting.add(fail)
        try {
          display.send<'wl_callback'>('sync').on('done', () => settle(resolve))
        } catch (error) {
          fail(error as Error)
        }
      }),
    share: (content) => openSharedFile(folder, content),
    close() {
      finish()
      socket.destroy()
    },
  }
  try {
    await connection.sync()
  } catch (error) {
    connection.close()
    // A socket outlives its compositor while a program that it started holds it: it accepts, and nobody answers.
    if (error instanceof Fault && error.code === 'Timeout')
      throw new Fault('PlatformUnsupported', `no Wayland compositor answers at ${path} within ${MAX_ANSWER_MS} ms`, {
        socket: path,
      })
    throw error
  }
  return connection
}
