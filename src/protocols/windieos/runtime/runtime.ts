import { once } from 'node:events'
import { WebSocket } from 'ws'
import { Fault } from '../../../base/fault.ts'
import { SerialQueue } from '../../../base/serial-queue.ts'
import { type ScreenView, screenView } from '../../../observer/screen/screen-view.ts'
import type { Session } from '../../../observer/session/session.ts'
import { LOCAL_TOOLS } from '../tools/tools.ts'
import { RUNTIME_ROLE } from '../wire.ts'
import { changesScreen, RUNTIME_TOOLS, runRuntimeTool } from './runtime-tools.ts'

export interface RuntimeOptions {
  /** Of the server, such as `http://127.0.0.1:8765`. */
  readonly url: string
  /** Whose desktop is worked on. */
  readonly session: Session
  readonly token?: string
  readonly userId?: string
  /** Called with each uploaded picture and its windows, front to back. */
  readonly remember?: (picture: ScreenView['picture'], windows: ScreenView['windows']) => void
  /** Called with each call and its result. */
  readonly watch?: (step: RuntimeStep) => void
  readonly onBug?: (cause: unknown) => void
}

export interface RuntimeStep {
  readonly tool: string
  readonly args: unknown
  readonly ok: boolean
  readonly output: string
  /** The SHA-256 of its picture. */
  readonly screenshot: string | undefined
}

/** A running runtime. */
export interface Runtime {
  close(): Promise<void>
}

interface ServerMessage {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

interface Call {
  readonly name: string
  readonly args: unknown
}

/**
 * Starts a local runtime: a client of the server that executes tool calls on the desktop of a session, one at a time, and
 * attaches a picture of the screen to the results. The runtime is ready when the promise resolves.
 */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { url, session, token, userId = 'local-runtime', onBug = () => {} } = options
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers })
  const calls = new SerialQueue()
  let messages = 0

  const send = (type: string, payload: object) =>
    socket.send(JSON.stringify({ id: `runtime_${++messages}`, type, payload }))

  async function answerCall({ tool_name, parameters, request_id }: ServerMessage['payload']): Promise<void> {
    const done = await step({ name: String(tool_name), args: parameters })
    const data = { output: done.output, ...(await screenContext(done)) }
    send('tool-result', { request_id, success: done.ok, data, error: done.ok ? null : done.output })
  }

  async function answerBundle({ bundle_id, tools }: ServerMessage['payload']): Promise<void> {
    const results: Step[] = []
    for (const call of tools as readonly Call[]) results.push(await step(call))
    const good = results.filter(({ ok }) => ok).length
    const last = results.findLast(({ picture }) => picture)
    send('tool-bundle-result', {
      bundle_id,
      status: good === results.length ? 'success' : good === 0 ? 'failure' : 'partial_failure',
      step_results: results.map(({ tool, ok, output }) => ({ tool, status: ok ? 'ok' : 'error', output })),
      ...(last && (await screenContext(last))),
      error: good === results.length ? null : `${results.length - good} of ${results.length} steps failed`,
    })
  }

  interface Step {
    readonly tool: string
    readonly ok: boolean
    readonly output: string
    readonly picture: { readonly id: string; readonly sha256: string } | undefined
  }

  async function step({ name, args }: Call): Promise<Step> {
    const done = await runRuntimeTool(session, name, args)
    const { picture, refusal } = changesScreen(name) ? await captureScreen() : {}
    const ok = done.ok && !(refusal && name === 'screenshot')
    const missing = refusal && `No screenshot was taken: ${refusal}.`
    const output = missing ? (name === 'screenshot' ? missing : `${done.output} ${missing}`) : done.output
    options.watch?.({ tool: name, args, ok, output, screenshot: picture?.sha256 })
    return { tool: name, ok, output, picture }
  }

  /** Uploads a picture of the screen, or returns the budget's refusal. */
  async function captureScreen(): Promise<{ readonly picture?: Step['picture']; readonly refusal?: string }> {
    try {
      return { picture: await upload(await session.budget.spendScreenshot(() => screenView(session))) }
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'BudgetExceeded') throw thrown
      return { refusal: thrown.message }
    }
  }

  async function upload({ picture, windows }: ScreenView): Promise<NonNullable<Step['picture']>> {
    const file = await picture.png()
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(file)], { type: 'image/png' }), 'screen.png')
    const reply = await fetch(`${url}/api/artifacts/`, { method: 'POST', body: form, headers })
    if (!reply.ok)
      throw new Fault('PlatformUnsupported', `the server answered ${reply.status} to the upload of a picture`)
    const { artifact_id, sha256 } = (await reply.json()) as { artifact_id: string; sha256: string }
    options.remember?.(picture, windows)
    return { id: artifact_id, sha256 }
  }

  /** The attachments of the result of a tool that works on the screen. */
  async function screenContext({ picture }: Step): Promise<object> {
    if (!picture) return {}
    const active = (await session.computer.windows()).find(({ focused }) => focused)
    return {
      screenshot_ref: picture.id,
      system_state: { active_window: active?.title ?? '', mouse_position: '' },
    }
  }

  function receive({ type, payload }: ServerMessage): void {
    const answer = type === 'tool-call' ? answerCall : type === 'tool-bundle' ? answerBundle : undefined
    if (answer) calls.run(() => answer(payload)).catch(onBug)
  }

  const ready = new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as ServerMessage
      if (message.type === 'remote-tool-catalog') resolve()
      receive(message)
    })
    socket.on('error', reject)
    socket.on('close', (_code, reason) =>
      reject(new Fault('Unauthorized', String(reason) || 'the server closed the connection')),
    )
  })
  socket.on('open', () => socket.send(JSON.stringify(handshake(userId, session.computer.info.platform))))
  await ready
  return {
    close: async () => {
      if (socket.readyState === socket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close(1000)
      await closed
      await calls.ended()
    },
  }
}

const handshake = (userId: string, platform: string) => ({
  type: 'handshake',
  user_id: userId,
  agent_definition: {
    version: 1,
    tools: {
      mode: 'default_plus_client',
      client_manifest: {
        version: 1,
        tools: LOCAL_TOOLS.filter(({ name }) => Object.hasOwn(RUNTIME_TOOLS, name)).map(
          ({ name, description, input }) => ({
            name,
            description,
            execution_target: 'local_runtime',
            schema: input,
            argument_resolution: 'passthrough',
          }),
        ),
      },
    },
    runtime: { operating_system: platform, coordinate_methods: ['manual'] },
    metadata: { role: RUNTIME_ROLE },
  },
})
