import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Fault } from '../../../base/fault.ts'
import type { EnvironmentVariables } from '../../../base/host.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'

/** A node of the tree of sway. */
export interface SwayNode {
  readonly id: number
  readonly type: string
  readonly name: string | null
  readonly pid?: number
  readonly app_id?: string | null
  readonly focused: boolean
  readonly visible?: boolean
  readonly shell?: string
  readonly fullscreen_mode?: number
  readonly rect: Rect
  readonly window_rect: Rect
  readonly deco_rect: Rect
  /** The children in the order in which they last had the focus. */
  readonly focus: readonly number[]
  readonly nodes: readonly SwayNode[]
  readonly floating_nodes: readonly SwayNode[]
}

/** An output of sway, in logical pixels. */
export interface SwayOutput {
  readonly name: string
  readonly active: boolean
  readonly focused: boolean
  readonly scale: number
  readonly rect: Rect
}

/** The connection to the IPC of sway. */
export interface SwayIpc {
  readonly ended: boolean
  tree(): Promise<SwayNode>
  outputs(): Promise<readonly SwayOutput[]>
  version(): Promise<string>
  /** Runs a command. Throws `PlatformUnsupported` when sway refuses it. */
  run(command: string): Promise<void>
  close(): void
}

const MAGIC = 'i3-ipc'
const HEADER_BYTES = 14
const MESSAGES = { run: 0, outputs: 3, tree: 4, version: 7 } as const
const MAX_ANSWER_MS = 2000

/** The socket of the IPC of sway, from the environment, else the newest in the folder of the session. */
export function swaySocketPath(env: EnvironmentVariables): string | undefined {
  if (env.SWAYSOCK) return env.SWAYSOCK
  if (!env.XDG_RUNTIME_DIR) return undefined
  try {
    const names = readdirSync(env.XDG_RUNTIME_DIR).filter((name) => /^sway-ipc\..*\.sock$/.test(name))
    return names.length === 1 ? join(env.XDG_RUNTIME_DIR, names[0]!) : undefined
  } catch {
    return undefined
  }
}

/** Connects to the IPC of sway. */
export function openSwayIpc(path: string): Promise<SwayIpc> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const waiting: { done(body: string): void; fail(error: Error): void }[] = []
    let rest = Buffer.alloc(0)
    let ended = false
    const finish = () => {
      ended = true
      const error = new Fault('PlatformUnsupported', `the connection to sway at ${path} has ended`)
      for (const { fail } of waiting.splice(0)) fail(error)
    }
    socket.on('error', (error) => {
      reject(new Fault('PlatformUnsupported', `sway does not answer at ${path}: ${error.message}`, { socket: path }))
    })
    socket.on('close', finish)
    // Answers come in the order of the messages.
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= HEADER_BYTES) {
        const size = HEADER_BYTES + rest.readUInt32LE(MAGIC.length)
        if (rest.length < size) return
        waiting.shift()?.done(rest.toString('utf8', HEADER_BYTES, size))
        rest = rest.subarray(size)
      }
    })
    const ask = <T>(kind: keyof typeof MESSAGES, payload = ''): Promise<T> =>
      new Promise((answer, refuse) => {
        if (ended) return refuse(new Fault('PlatformUnsupported', `the connection to sway at ${path} has ended`))
        const timer = setTimeout(() => {
          refuse(new Fault('Timeout', `sway did not answer within ${MAX_ANSWER_MS} ms`))
        }, MAX_ANSWER_MS)
        waiting.push({
          done: (body) => {
            clearTimeout(timer)
            answer(JSON.parse(body) as T)
          },
          fail: (error) => {
            clearTimeout(timer)
            refuse(error)
          },
        })
        const body = Buffer.from(payload)
        const header = Buffer.alloc(HEADER_BYTES)
        header.write(MAGIC)
        header.writeUInt32LE(body.length, MAGIC.length)
        header.writeUInt32LE(MESSAGES[kind], MAGIC.length + 4)
        socket.write(Buffer.concat([header, body]))
      })
    socket.once('connect', () =>
      resolve({
        get ended() {
          return ended
        },
        tree: () => ask('tree'),
        outputs: () => ask('outputs'),
        version: async () => (await ask<{ human_readable?: string }>('version')).human_readable ?? 'unknown',
        async run(command) {
          const results = await ask<readonly { success: boolean; error?: string }[]>('run', command)
          const failed = results.find(({ success }) => !success)
          if (failed)
            throw new Fault('PlatformUnsupported', `sway refused ${command}: ${failed.error ?? 'no reason given'}`)
        },
        close() {
          finish()
          socket.destroy()
        },
      }),
    )
  })
}
