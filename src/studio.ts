import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { syntheticComputer } from './adapters/synthetic.ts'
import { WrittenScript } from './agent/script.ts'
import { virtualClock } from './base/clock.ts'
import { Fault } from './base/fault.ts'
import { findTool } from './observer/registry.ts'
import { createPainter } from './paint/painter.ts'
import { describeWindow } from './paint/prose.ts'
import { sketch } from './paint/sketch.ts'
import { loadScenario } from './scenario/load.ts'
import type { Scenario } from './scenario/scenario.ts'

/** Looking at scenario files without serving them. */

export interface Verdict {
  readonly ok: boolean
  /** For a terminal. */
  readonly text: string
}

/** Whether a scenario file can be used; if not, every problem with its line. */
export async function validateScenario(file: string): Promise<Verdict> {
  try {
    const scenario = await openScenario(file)
    const states = scenario.states.size
    return { ok: true, text: `${file}: ok (${scenario.name}, ${states === 1 ? '1 state' : `${states} states`})` }
  } catch (thrown) {
    const fault = Fault.from(thrown)
    if (fault.code !== 'ScenarioInvalid') throw thrown
    return { ok: false, text: fault.message }
  }
}

/** Reads and checks a scenario file with the script in it. Throws `ScenarioInvalid`, also when there is no such file. */
export async function openScenario(file: string): Promise<Scenario> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new Fault('ScenarioInvalid', `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`, {
      path: file,
    })
  }
  return loadScenario(text, { file, script: WrittenScript, argumentsOf })
}

/** A tool passes over an argument that it does not know; the author of a solution is told. */
function argumentsOf(tool: string): z.ZodType {
  const { input } = findTool(tool)!
  return input instanceof z.ZodObject ? input.strict() : input
}

export interface RenderOptions {
  readonly state?: string
  readonly theme?: 'light' | 'dark' | 'high-contrast'
}

export interface Rendered {
  png(): Promise<{ png: Buffer; width: number; height: number }>
  sketch(): string
  prose(): string
}

/** A state of a scenario, to be shown as a picture, a sketch or prose of its focused window. */
export async function render(file: string, { state, theme }: RenderOptions = {}): Promise<Rendered> {
  const scenario = await openScenario(file)
  const initial = state ?? scenario.initial
  if (!scenario.states.has(initial))
    throw new Fault(
      'BadRequest',
      `${file} has no state ${JSON.stringify(initial)}; it has ${[...scenario.states.keys()].join(', ')}`,
    )
  const { desktop } = syntheticComputer({ scenario: { ...scenario, initial }, clock: virtualClock() })
  const front = desktop.windows.find((window) => window.uid === desktop.active) ?? desktop.windows[0]
  const chosen = theme ?? scenario.theme
  return {
    png: async () => {
      const picture = createPainter(chosen === undefined ? {} : { theme: chosen }).screen(desktop)
      return { png: await picture.png(), width: picture.width, height: picture.height }
    },
    sketch: () => (front ? sketch(front.tree, { width: 72, height: 24, reference: front.bounds }).text : '(no window)'),
    prose: () => (front ? describeWindow(front, front.tree) : '(no window)'),
  }
}
