import { type Client, createClient, type DisplayInfo, type Done } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'

const MAX_ANSWER_MS = 2000

/** A connection to an X server whose requests are promises. */
export interface Display {
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
  /** The bytes of a property. Undefined when it or the window does not exist. */
  property(window: number, name: string): Promise<Buffer | undefined>
  extension<T>(name: string): Promise<T | undefined>
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
  const waiting = new Set<(error: Error) => void>()
  let ended = false

  const finish = () => {
    ended = true
    for (const reject of [...waiting]) reject(connectionEnded(name))
  }
  client.on('end', finish)
  client.on('error', () => {
    if (client.stream.destroyed) finish()
  })

  const ask = <T>(send: (done: Done<T>) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(connectionEnded(name))
      const settle = (act: () => void) => {
        clearTimeout(timer)
        waiting.delete(fail)
        act()
      }
      const fail = (error: Error) => settle(() => reject(error))
      const timer = setTimeout(
        () => fail(new Fault('Timeout', `the X server did not answer within ${MAX_ANSWER_MS} ms`)),
        MAX_ANSWER_MS,
      )
      waiting.add(fail)
      send((error, value) => {
        settle(() => (error ? reject(error) : resolve(value)))
        return true
      })
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
    async property(window, text) {
      const id = await atom(text)
      const property = await attempt<{ type: number; data: Buffer }>((done) =>
        client.GetProperty(0, window, id, 0, 0, 65_536, done),
      )
      return property?.type ? property.data : undefined
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
    async sync() {
      await ask((done) => client.GetInputFocus(done))
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
