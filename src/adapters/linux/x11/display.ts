import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Client, createClient, type DisplayInfo, type Done } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Monitor } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { openWindowFacts, type WindowFacts } from './window-facts.ts'

const MAX_ANSWER_MS = 2000
/** The library walks all unanswered requests for each packet of the server, so more of them wait here. */
const MAX_UNANSWERED = 32

/** A connection to an X server whose requests are promises, and what is known of its windows. */
export interface Display extends WindowFacts {
  readonly name: string
  readonly client: Client
  readonly info: DisplayInfo
  readonly root: number
  /** Whether the connection has ended. */
  readonly ended: boolean
  /** Sends a request. Rejects with the error of the server. */
  request<T>(send: (done: Done<T>) => void): Promise<T>
  /** As `request`, but returns undefined for an error, such as for a window that has just closed. */
  tryRequest<T>(send: (done: Done<T>) => void): Promise<T | undefined>
  atom(name: string): Promise<number>
  extension<T>(name: string): Promise<T | undefined>
  /** The major opcode of an extension that the X library lacks. Undefined when the server lacks it too. */
  opcode(extension: string): Promise<number | undefined>
  /** The current rectangle around all monitors. `info` has that of the time of the connection. */
  screen(): Promise<Rect>
  /** Waits until the server has processed all requests so far. */
  sync(): Promise<void>
  close(): void
}

/** Connects to the X server `name`, such as `:0`. */
export function openDisplay(name: string): Promise<Display> {
  return new Promise((resolve, reject) => {
    const refuse = (why: string) =>
      reject(
        new Fault('PlatformUnsupported', `the X display ${JSON.stringify(name)} cannot be opened: ${why}`, {
          display: name,
        }),
      )
    const wrong = displayNameError(name)
    if (wrong) return refuse(wrong)
    const timer = setTimeout(refuse, MAX_ANSWER_MS, `no answer within ${MAX_ANSWER_MS} ms`)
    const done = (error: Error | undefined, info: DisplayInfo) => {
      clearTimeout(timer)
      if (error) return refuse('code' in error ? `no X server answers there (${error.message})` : error.message)
      // The library keeps one table for all servers, but atoms have different numbers on each.
      info.client.atoms = { ...info.client.atoms }
      resolve(displayOf(name, info))
    }
    try {
      // Without a listener, an unhandled error would end the process.
      createClient({ display: name }, done).on('error', () => {})
    } catch (error) {
      clearTimeout(timer)
      refuse((error as Error).message)
    }
  })
}

const MAX_DISPLAY_NUMBER = 59_535

/** Detects names for which the X library would open another display or never answer. */
function displayNameError(name: string): string | undefined {
  const number = /^(?:unix\/)?[^/:]*:(\d{1,5})(?:\.\d+)?$/.exec(name)?.[1]
  if (!number) return 'the name of a display is like :0'
  return Number(number) > MAX_DISPLAY_NUMBER ? `there are no displays above :${MAX_DISPLAY_NUMBER}` : undefined
}

function displayOf(name: string, info: DisplayInfo): Display {
  const { client } = info
  const root = info.screen[0]!.root
  const atoms = new Map<string, Promise<number>>()
  const extensions = new Map<string, Promise<unknown>>()
  const opcodes = new Map<string, Promise<number | undefined>>()
  const waiting = new Set<(error: Error) => void>()
  const queued: (() => void)[] = []
  let unanswered = 0
  let synced: Promise<void> | undefined
  let ended = false

  const finish = () => {
    ended = true
    queued.length = 0
    for (const reject of [...waiting]) reject(connectionEnded(name))
  }
  client.on('end', finish)
  client.on('error', () => {
    if (client.stream.destroyed) finish()
  })

  /** The server answers in order, so nothing sent later is answered either. */
  const failAll = () => {
    queued.length = 0
    const error = new Fault('Timeout', `the X server did not answer within ${MAX_ANSWER_MS} ms`)
    for (const reject of [...waiting]) reject(error)
  }
  /** Sends the requests of the queue, in order, as far as the limit allows. */
  const sendQueued = () => {
    while (unanswered < MAX_UNANSWERED && queued.length > 0) {
      unanswered++
      queued.shift()!()
    }
  }
  const ask = <T>(send: (done: Done<T>) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(connectionEnded(name))
      let timer: NodeJS.Timeout | undefined
      const settle = (act: () => void) => {
        clearTimeout(timer)
        waiting.delete(fail)
        act()
      }
      const fail = (error: Error) => settle(() => reject(error))
      waiting.add(fail)
      queued.push(() => {
        timer = setTimeout(failAll, MAX_ANSWER_MS)
        send((error, value) => {
          unanswered--
          settle(() => (error ? reject(error) : resolve(value)))
          sendQueued()
          return true
        })
      })
      sendQueued()
    })
  const attempt = async <T>(send: (done: Done<T>) => void): Promise<T | undefined> => {
    try {
      return await ask(send)
    } catch (error) {
      if (error instanceof Fault) throw error
      return undefined
    }
  }
  const atom = (text: string) => {
    const known = atoms.get(text)
    if (known) return known
    const fresh = ask<number>((done) => client.InternAtom(false, text, done))
    atoms.set(text, fresh)
    return fresh
  }

  return {
    name,
    client,
    info,
    root,
    get ended() {
      return ended
    },
    request: ask,
    tryRequest: attempt,
    atom,
    ...openWindowFacts({ client, tryRequest: attempt, atom }, root),
    opcode(text) {
      const known = opcodes.get(text)
      if (known) return known
      const fresh = attempt<{ present: number; majorOpcode: number }>((done) => client.QueryExtension(text, done)).then(
        (extension) => (extension?.present ? extension.majorOpcode : undefined),
      )
      opcodes.set(text, fresh)
      fresh.catch(() => opcodes.delete(text))
      return fresh
    },
    extension<T>(text: string) {
      const known = extensions.get(text) as Promise<T | undefined> | undefined
      if (known) return known
      const fresh = new Promise<T | undefined>((resolve) => {
        client.require(text, (error, extension) => resolve(error ? undefined : (extension as T)))
      })
      extensions.set(text, fresh)
      return fresh
    },
    async screen() {
      const { width, height } = await ask<{ width: number; height: number }>((done) => client.GetGeometry(root, done))
      return { x: 0, y: 0, width, height }
    },
    sync() {
      // All that wait at the same moment need one answer.
      synced ??= Promise.resolve().then(async () => {
        synced = undefined
        await ask((done) => client.GetInputFocus(done))
      })
      return synced
    },
    close() {
      finish()
      client.stream.destroy()
    },
  }
}

const connectionEnded = (name: string): Fault =>
  new Fault('PlatformUnsupported', `the connection to the X display ${JSON.stringify(name)} has ended`, {
    display: name,
  })

/** The 32-bit numbers of a property. */
export function cardinals(bytes: Buffer | undefined): readonly number[] {
  if (!bytes) return []
  return Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readUInt32LE(index * 4))
}

/** The minor opcode of RRGetMonitors (RandR 1.5), which the X library lacks. */
const GET_MONITORS = 42
const MONITOR_BYTES = 24
const REPLY_HEADER_BYTES = 24

/** The monitors of the desktop, the primary one first. A server without RandR 1.5 has one monitor: the screen. */
export async function listMonitors(display: Display): Promise<readonly Monitor[]> {
  const { client, root } = display
  const randr = await display.opcode('RANDR')
  const found = randr
    ? await display.tryRequest<readonly RandrMonitor[]>((done) => {
        const request = Buffer.alloc(12)
        request.writeUInt8(randr, 0)
        request.writeUInt8(GET_MONITORS, 1)
        request.writeUInt16LE(3, 2)
        request.writeUInt32LE(root, 4)
        request.writeUInt8(1, 8)
        client.seq_num++
        client.replies[client.seq_num] = [parseMonitors, done]
        client.pack_stream.put(request)
        client.pack_stream.submit(true)
      })
    : undefined
  const usable = found?.length ? found : [{ primary: true, bounds: await display.screen() }]
  const first = Math.max(
    0,
    usable.findIndex((monitor) => monitor.primary),
  )
  const ordered = [usable[first]!, ...usable.filter((_, index) => index !== first)]
  return ordered.map(({ bounds }, index) => ({ index, primary: index === 0, bounds, scaleFactor: 1 }))
}

interface RandrMonitor {
  readonly primary: boolean
  readonly bounds: Rect
}

/** The reply of RRGetMonitors (RandR protocol 1.5, "RRGetMonitors"), without its first eight bytes. */
export function parseMonitors(reply: Buffer): readonly RandrMonitor[] {
  const count = reply.readUInt32LE(4)
  const found: RandrMonitor[] = []
  let at = REPLY_HEADER_BYTES
  for (let index = 0; index < count; index++) {
    found.push({
      primary: reply.readUInt8(at + 4) === 1,
      bounds: {
        x: reply.readInt16LE(at + 8),
        y: reply.readInt16LE(at + 10),
        width: reply.readUInt16LE(at + 12),
        height: reply.readUInt16LE(at + 14),
      },
    })
    at += MONITOR_BYTES + reply.readUInt16LE(at + 6) * 4
  }
  return found
}

/** The minor opcode of XResQueryClientIds, which the X library lacks (X-Resource 1.2). */
const QUERY_CLIENT_IDS = 4
const LOCAL_CLIENT_PID = 2
/** The kernel truncates program names to this length. */
const COMM_BYTES = 15

/** The process of a window, from the X server. 0 when unknown, as for a process on another machine. */
export const pidOfClient = async (display: Display, window: number): Promise<number> =>
  (await display.lasting(window, 'pid', () => askForPid(display, window))) ?? 0

async function askForPid(display: Display, window: number): Promise<number | undefined> {
  const { client } = display
  const resource = await display.opcode('X-Resource')
  if (!resource) return 0
  return display.tryRequest<number>((done) => {
    const request = Buffer.alloc(16)
    request.writeUInt8(resource, 0)
    request.writeUInt8(QUERY_CLIENT_IDS, 1)
    request.writeUInt16LE(4, 2)
    request.writeUInt32LE(1, 4)
    request.writeUInt32LE(window, 8)
    request.writeUInt32LE(LOCAL_CLIENT_PID, 12)
    client.seq_num++
    client.replies[client.seq_num] = [parseClientPid, done]
    client.pack_stream.put(request)
    client.pack_stream.submit(true)
  })
}

/** The reply of XResQueryClientIds, without its first eight bytes. */
export function parseClientPid(reply: Buffer): number {
  const hasPid = reply.length >= REPLY_HEADER_BYTES + 16 && reply.readUInt32LE(0) > 0
  const bytes = hasPid ? reply.readUInt32LE(REPLY_HEADER_BYTES + 8) : 0
  return bytes >= 4 ? reply.readUInt32LE(REPLY_HEADER_BYTES + 12) : 0
}

/** The name of a process. Empty when it has exited or cannot be read. */
export function processName(pid: number, read: (path: string) => string = readText): string {
  if (pid === 0) return ''
  try {
    const name = read(`/proc/${pid}/comm`).trim()
    if (Buffer.byteLength(name) < COMM_BYTES) return name
    // The command line has the full name of a truncated one, unless the program changed its name.
    const command = basename(read(`/proc/${pid}/cmdline`).split('\0')[0] ?? '')
    return command.startsWith(name) ? command : name
  } catch {
    return ''
  }
}

const readText = (path: string): string => readFileSync(path, 'utf8')
