import type { Point } from '../../../src/desktop/model/geometry.ts'
import { createModules } from '../../../src/protocols/osworld/programs.ts'
import { type ProgramResult, runProgram } from '../../../src/protocols/osworld/python/evaluate.ts'
import type { ProgramMachine } from '../../../src/protocols/osworld/python/native.ts'

const IMPORTS = 'import pyautogui, time, pyperclip; '

/** Runs a program on a machine that records its calls. The modules are imported in its first line. */
export async function runWithMachine(
  source: string,
  imports = IMPORTS,
): Promise<{ readonly result: ProgramResult; readonly calls: readonly string[] }> {
  const calls: string[] = []
  const record = async (...parts: readonly (string | number)[]) => void calls.push(parts.join(' '))
  const point = (at: Point | undefined) => (at ? [`${at.x},${at.y}`] : [])
  const machine: ProgramMachine = {
    platform: 'Linux',
    position: async () => ({ x: 10, y: 20 }),
    size: async () => ({ width: 1280, height: 800 }),
    move: (to) => record('move', ...point(to)),
    mouseDown: (button, at) => record('down', button, ...point(at)),
    mouseUp: (button, at) => record('up', button, ...point(at)),
    click: (button, count, at) => record('click', button, count, ...point(at)),
    drag: (to, button, durationMs) => record('drag', button, ...point(to), durationMs),
    scroll: (deltaX, deltaY, at) => record('scroll', `${deltaX},${deltaY}`, ...point(at)),
    keyDown: (key) => record('keydown', key),
    keyUp: (key) => record('keyup', key),
    press: (key, times) => record('press', key, times),
    hotkey: (keys) => record('hotkey', keys.join('+')),
    type: (text, intervalMs = 0) => record('type', text, ...(intervalMs > 0 ? [`every ${intervalMs}`] : [])),
    wait: (durationMs) => record('wait', durationMs),
    readClipboard: async () => 'clip',
    writeClipboard: (text) => record('copy', text),
    now: async () => Date.UTC(2024, 2, 12, 14),
  }
  const result = await runProgram(imports + source, { modules: createModules(machine) })
  return { result, calls }
}
