import * as z from 'zod'
import { describeIssues } from '../../../base/external-values.ts'
import { call } from '../../../observer/call.ts'
import type { Session } from '../../../observer/session/session.ts'

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
  readonly run: (session: Session, input: Input) => Promise<RuntimeToolResult>
}

const defineRuntimeTool = <Input>(tool: RuntimeTool<Input>): RuntimeTool<unknown> =>
  tool as unknown as RuntimeTool<unknown>

const Coordinate = z.number().transform(Math.round)
const MAX_WAIT_S = 300
const DEFAULT_NOTCHES = 3

/** Calls a tool of the observer. A refusal becomes a failure with its message. */
async function act(session: Session, tool: string, args: object, output: string): Promise<RuntimeToolResult> {
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
export const RUNTIME_TOOLS: Readonly<Record<string, RuntimeTool<unknown>>> = {
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
export async function runRuntimeTool(session: Session, name: string, args: unknown): Promise<RuntimeToolResult> {
  const tool = Object.hasOwn(RUNTIME_TOOLS, name) ? RUNTIME_TOOLS[name] : undefined
  if (!tool) return { ok: false, output: `this runtime has no tool ${JSON.stringify(name)}` }
  const input = tool.input.safeParse(args)
  if (!input.success) return { ok: false, output: describeIssues(input.error) }
  return tool.run(session, input.data)
}

/** Returns whether the result of a tool includes a picture of the screen. */
export const changesScreen = (name: string): boolean =>
  Object.hasOwn(RUNTIME_TOOLS, name) && RUNTIME_TOOLS[name]!.changesScreen
