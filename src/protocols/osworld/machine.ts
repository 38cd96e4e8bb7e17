import { screenArea } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { formatChord, modifierOf, parseKey } from '../../desktop/input/keys.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import { type CallOptions, call } from '../../observer/call.ts'
import { findTool, type ToolInput, type ToolOutput } from '../../observer/registry.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'
import type { ProgramMachine } from './python/native.ts'
import { PythonError } from './python/value.ts'

const MAX_PRESSES = 100
const MAX_SCROLL_CLICKS = 1000

/**
 * The desktop of a session as programs use it: each method calls tools of the observer. A refused call becomes an
 * exception of the program.
 * @param callerNow Returns the caller of the statement that runs.
 * @param pace Awaited before each call of a tool. Throws to end the program.
 */
export function sessionMachine(callerNow: () => ToolCaller, pace: () => Promise<void> | undefined): ProgramMachine {
  const use = async <Name extends string>(name: Name, args: ToolInput<Name>) => {
    const pause = pace()
    if (pause) await pause
    try {
      return await callTool(callerNow(), name, args)
    } catch (thrown) {
      throw programError(thrown)
    }
  }
  const act = async <Name extends string>(name: Name, args: ToolInput<Name>): Promise<void> =>
    void (await use(name, args))
  const wait = async (durationMs: number): Promise<void> => {
    try {
      await waitFor(callerNow(), durationMs)
    } catch (thrown) {
      throw programError(thrown)
    }
  }
  const position = async (): Promise<Point> => {
    const { x, y } = await use('get_pointer', {})
    return { x, y }
  }

  return {
    get platform() {
      return platformName(callerNow())
    },
    position,
    size: async () => {
      const { width, height } = await screenSize(callerNow())
      return { width, height }
    },
    move: ({ x, y }) => act('move_pointer', { x, y }),
    mouseDown: (button, at) => act('mouse_down', { button, ...at }),
    mouseUp: (button, at) => act('mouse_up', { button, ...at }),
    click: (button, count, at) => act('mouse_click', { button, count, ...at }),
    drag: async (to, button, durationMs) => {
      const duration = Math.min(Math.round(durationMs), MAX_WAIT_MS)
      await wait(durationMs - duration)
      await act('mouse_drag', { path: [await position(), { x: to.x, y: to.y }], button, duration_ms: duration })
    },
    scroll: async (deltaX, deltaY, at) => {
      if (Math.max(Math.abs(deltaX), Math.abs(deltaY)) > MAX_SCROLL_CLICKS)
        throw new PythonError('ValueError', `the wheel turns at most ${MAX_SCROLL_CLICKS} clicks in one call`)
      await act('mouse_scroll', { delta_x: deltaX, delta_y: deltaY, unit: 'clicks', ...at })
    },
    keyDown: (key) => act('key_down', { key }),
    keyUp: (key) => act('key_up', { key }),
    press: async (key, times) => {
      for (let left = times; left > 0; left -= MAX_PRESSES)
        await act('press_keys', { keys: key, repeat: Math.min(left, MAX_PRESSES) })
    },
    hotkey: async (keys) => {
      const chord = chordOf(keys)
      if (chord !== undefined) return act('press_keys', { keys: chord })
      for (const key of keys) await act('key_down', { key })
      for (const key of keys.toReversed()) await act('key_up', { key })
    },
    type: (text, intervalMs = 0) => act('type_text', { text, ...(intervalMs > 0 && { interval_ms: intervalMs }) }),
    wait,
    readClipboard: async () => (await use('get_clipboard', {})).text,
    writeClipboard: (text) => act('set_clipboard', { text }),
    now: async () => callerNow().session.clock.now(),
  }
}

/** Modifiers and one other key as a chord. Undefined for other keys. */
function chordOf(keys: readonly string[]): string | undefined {
  const names = keys.map((key) => parseKey(key))
  const key = names.pop()
  const modifiers = names.flatMap((name) => modifierOf(name) ?? [])
  if (key === undefined || modifierOf(key) || modifiers.length < names.length) return undefined
  return formatChord({ modifiers, key })
}

/** The exception for a refused call. Bugs and ended requests are none of the program. */
function programError(thrown: unknown): unknown {
  if (!(thrown instanceof Fault) || thrown.code === 'Internal' || thrown.code === 'Timeout') return thrown
  const type = thrown.code === 'PermissionDenied' ? 'PermissionError' : 'RuntimeError'
  return new PythonError(type, `${thrown.code}: ${thrown.message}`)
}

/** The size of the screen in pixels: the primary monitor of a synthetic desktop, all monitors of a real one. */
export async function screenSize({ session: { computer } }: ToolCaller) {
  const { width, height } = screenArea(computer.info.synthetic, await computer.monitors())
  return { width, height }
}

/** The name that `platform.system()` returns. */
export const platformName = ({ session: { computer } }: ToolCaller): string =>
  computer.info.platform === 'WSL' ? 'Linux' : computer.info.platform

/** A caller of the tools of a session, who translates a request of this protocol. */
export interface ToolCaller {
  readonly session: DesktopSession
  readonly audience: Audience
  /** What the request is, for traces. Contains no secret. */
  readonly source: unknown
  /** Ends waits and programs. */
  readonly signal?: AbortSignal
  /** Called after each action on the desktop. */
  readonly onAction?: () => Promise<void>
}

/** The options of a caller's calls. */
export const callOptions = ({
  audience,
  source,
  signal,
}: Pick<ToolCaller, 'audience' | 'source' | 'signal'>): CallOptions => ({
  caller: 'osworld',
  audience,
  door: { door: 'osworld', call: source },
  passesOn: 'pictures',
  ...(signal && { watch: { signal } }),
})

/** Calls a tool. Throws the fault that refuses the call. */
export async function callTool<Name extends string>(
  { session, ...caller }: ToolCaller,
  name: Name,
  args: ToolInput<Name>,
): Promise<ToolOutput<Name>> {
  const { body, fault } = await call(session, name, args, callOptions(caller))
  if (fault) throw fault
  if (caller.onAction && findTool(name)?.kind === 'act') await caller.onAction()
  return body as ToolOutput<Name>
}

/** Waits in the time of the desktop. */
export async function waitFor(caller: ToolCaller, durationMs: number): Promise<void> {
  for (let leftMs = Math.round(durationMs); leftMs > 0; leftMs -= MAX_WAIT_MS)
    await callTool(caller, 'wait', { duration_ms: Math.min(leftMs, MAX_WAIT_MS) })
}

/** The longest duration of one call of a tool. */
const MAX_WAIT_MS = 60_000
