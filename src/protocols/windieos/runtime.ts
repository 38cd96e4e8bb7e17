import { once } from 'node:events'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { call } from '../../observer/call.ts'
import { type ScreenView, screenView } from '../../observer/screen/screen-trees.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import { LOCAL_TOOLS } from './tools.ts'
import { RUNTIME_ROLE } from './wire.ts'

export interface RuntimeOptions {
  /** Of the server, such as `http://127.0.0.1:8765`. */
  readonly url: string
  /** Whose desktop is worked on. */
  readonly session: DesktopSession
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

/** The computer-use tools, executed on the desktop of a session through the observer's gates. */

/** The result of a runtime tool. */
export interface RuntimeToolResult {
  readonly ok: boolean
  readonly output: string
}

interface RuntimeTool<Input> {
  readonly input: z.ZodType<Input>
  /** Whether the tool may change the screen, so that its result includes a picture. */
  readonly changesScreen: boolean
  readonly run: (session: DesktopSession, input: Input) => Promise<RuntimeToolResult>
}

const defineRuntimeTool = <Input>(tool: RuntimeTool<Input>): RuntimeTool<unknown> =>
  tool as unknown as RuntimeTool<unknown>

const Coordinate = z.number().transform(Math.round)
const MAX_WAIT_S = 300
const DEFAULT_NOTCHES = 3

/** Calls a tool of the observer. A refusal becomes a failure with its message. */
async function act(session: DesktopSession, tool: string, args: object, output: string): Promise<RuntimeToolResult> {
  const { fault } = await call(session, tool, args, { caller: 'runtime' })
  return fault ? { ok: false, output: fault.message } : { ok: true, output }
}

const MOUSE = {
  click: ['click_at', 'Clicked'],
  double_click: ['double_click_at', 'Double-clicked'],
  right_click: ['right_click_at', 'Right-clicked'],
  move: ['hover_at', 'Moved the pointer'],
} as const

/** The runtime tools by name. */
const RUNTIME_TOOLS: Readonly<Record<string, RuntimeTool<unknown>>> = {
  mouse_control: defineRuntimeTool({
    input: z.looseObject({
      action: z.enum(['click', 'double_click', 'right_click', 'move', 'drag']),
      x: Coordinate,
      y: Coordinate,
      to_x: Coordinate.optional(),
      to_y: Coordinate.optional(),
    }),
    changesScreen: true,
    run: async (session, { action, x, y, to_x, to_y }) => {
      if (action === 'drag') {
        const to = { x: to_x ?? x, y: to_y ?? y }
        return act(session, 'drag', { from: { x, y }, to }, `Dragged from (${x}, ${y}) to (${to.x}, ${to.y}).`)
      }
      const [tool, verb] = MOUSE[action]
      return act(session, tool, { x, y }, `${verb} at (${x}, ${y}).`)
    },
  }),
  keyboard_control: defineRuntimeTool({
    input: z.looseObject({
      action: z.enum(['type', 'press']),
      text: z.string().optional(),
      keys: z.string().optional(),
    }),
    changesScreen: true,
    run: async (session, { action, text, keys }) => {
      if (action === 'type' && text !== undefined)
        return act(session, 'type_text', { text }, `Typed ${[...text].length} characters.`)
      if (action === 'press' && keys !== undefined) return act(session, 'press_key', { keys }, `Pressed ${keys}.`)
      return { ok: false, output: `${action} needs ${action === 'type' ? 'text' : 'keys'}` }
    },
  }),
  scroll_control: defineRuntimeTool({
    input: z.looseObject({
      direction: z.enum(['up', 'down']),
      amount: z.number().min(1).max(1000).default(DEFAULT_NOTCHES),
      x: Coordinate.optional(),
      y: Coordinate.optional(),
    }),
    changesScreen: true,
    run: async (session, { direction, amount, x, y }) => {
      const clicks = Math.round(direction === 'up' ? amount : -amount)
      const at = x === undefined || y === undefined ? {} : { x, y }
      return act(session, 'scroll', { clicks, ...at }, `Scrolled ${direction} by ${Math.abs(clicks)}.`)
    },
  }),
  switch_window: defineRuntimeTool({
    input: z.looseObject({ title: z.string().min(1) }),
    changesScreen: true,
    run: async (session, { title }) =>
      act(session, 'bring_to_foreground', { window_title: title }, `${JSON.stringify(title)} is in front.`),
  }),
  wait: defineRuntimeTool({
    input: z.looseObject({ seconds: z.number().min(0).max(MAX_WAIT_S) }),
    changesScreen: true,
    run: async (session, { seconds }) => {
      await session.clock.sleep(seconds * 1000)
      return { ok: true, output: `Waited ${seconds} s.` }
    },
  }),
  screenshot: defineRuntimeTool({
    input: z.looseObject({}),
    changesScreen: true,
    run: async () => ({ ok: true, output: 'Took a picture of the screen.' }),
  }),
  get_open_windows: defineRuntimeTool({
    input: z.looseObject({}),
    changesScreen: false,
    run: async (session) => {
      const windows = await session.computer.windows()
      const lines = windows.map(({ title, process, focused }) => `${title} (${process})${focused ? ', in front' : ''}`)
      return { ok: true, output: lines.join('\n') || 'No window is open.' }
    },
  }),
  get_system_stats: defineRuntimeTool({
    input: z.looseObject({}),
    changesScreen: false,
    run: async (session) => {
      const { platform } = session.computer.info
      const monitors = await session.computer.monitors()
      const screens = monitors.map(({ bounds }) => `${bounds.width}x${bounds.height}`)
      return { ok: true, output: `Platform: ${platform}\nScreens: ${screens.join(', ')}` }
    },
  }),
}

/** Runs a tool. An unknown tool and invalid arguments are failures that the model can read. */
async function runRuntimeTool(session: DesktopSession, name: string, args: unknown): Promise<RuntimeToolResult> {
  const tool = Object.hasOwn(RUNTIME_TOOLS, name) ? RUNTIME_TOOLS[name] : undefined
  if (!tool) return { ok: false, output: `this runtime has no tool ${JSON.stringify(name)}` }
  const input = tool.input.safeParse(args)
  if (!input.success) return { ok: false, output: describeIssues(input.error) }
  return tool.run(session, input.data)
}

/** Returns whether the result of a tool includes a picture of the screen. */
const changesScreen = (name: string): boolean =>
  Object.hasOwn(RUNTIME_TOOLS, name) && RUNTIME_TOOLS[name]!.changesScreen
