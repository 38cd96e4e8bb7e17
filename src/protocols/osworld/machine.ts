import { screenArea } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { formatChord, modifierOf, parseKey } from '../../desktop/input/keys.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import type { ToolInput } from '../../observer/tool-types.ts'
import type { ProgramMachine } from './python/modules/machine.ts'
import { PythonError } from './python/python-error.ts'
import { callTool, MAX_WAIT_MS, type ToolCaller, waitFor } from './tool-caller.ts'

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
    type: (text) => act('type_text', { text }),
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
