import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { createSyntheticComputer } from './adapters/synthetic.ts'
import { WrittenScript } from './agent/script.ts'
import { virtualClock } from './base/clock.ts'
import { Fault } from './base/fault.ts'
import { didYouMean } from './base/suggest.ts'
import { type Element, walk } from './desktop/model/element.ts'
import { findScenario, galleryNames } from './gallery.ts'
import { memorySession } from './memory-session.ts'
import { call } from './observer/call.ts'
import { findTool } from './observer/registry.ts'
import { describeWindow } from './paint/describe/prose.ts'
import { createPainter } from './paint/painter.ts'
import { sketch } from './paint/sketch/sketch.ts'
import { type CheckedScenario, checkScenario } from './scenario/load.ts'
import { formatProblem } from './scenario/problem.ts'
import type { Scenario } from './scenario/scenario.ts'

/** Looking at scenario files without serving them. */

export interface Verdict {
  readonly ok: boolean
  /** For a terminal. */
  readonly text: string
  /** What is probably a mistake in a file that can be used, each for a terminal. */
  readonly warnings: readonly string[]
}

/**
 * Checks a scenario file. Problems are in the result, each with its line.
 * @param file A path, or a name of the gallery.
 * @example
 * const { ok, text } = await validateScenario('my-scenario.yaml')
 */
export async function validateScenario(file: string): Promise<Verdict> {
  try {
    const { scenario, warnings } = await checkFile(file)
    const told = warnings(await elementsSeen(scenario)).map((problem) => formatProblem(file, problem, 'warning: '))
    const about = [scenario.name, counted(scenario.states.size, 'state')]
    if (told.length > 0) about.push(counted(told.length, 'warning'))
    return { ok: true, text: `${file}: ok (${about.join(', ')})`, warnings: told }
  } catch (thrown) {
    const fault = Fault.from(thrown)
    if (fault.code !== 'ScenarioInvalid') throw thrown
    return { ok: false, text: fault.message, warnings: [] }
  }
}

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

/**
 * Reads and checks a scenario, with the script in it.
 * @param file A path, or a name of the gallery.
 * @throws A `Fault` `ScenarioInvalid`, also when there is no such file.
 * @example
 * const scenario = await openScenario('login')
 */
export const openScenario = async (file: string): Promise<Scenario> => (await checkFile(file)).scenario

/** The same for a text, of which no file is known. */
export const readScenarioText = (text: string): Scenario =>
  checkScenario(text, { script: WrittenScript, argumentsOf }).scenario

async function checkFile(file: string): Promise<CheckedScenario> {
  let text: string
  try {
    text = await readFile(findScenario(file), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Fault('ScenarioInvalid', `${file} cannot be read: ${code}${hintFor(file)}`, { path: file })
  }
  return checkScenario(text, { file, script: WrittenScript, argumentsOf })
}

/** Which scenarios there are, when a name was given that is none. */
function hintFor(file: string): string {
  if (/[\\/]/.test(file)) return ''
  const names = galleryNames()
  return didYouMean(file.replace(/\.ya?ml$/i, ''), names) || `; the gallery has ${names.join(', ')}`
}

/** Every element that is shown while the scenario's own solution is played; dialogs of the desktop are in no state. */
async function elementsSeen(scenario: Scenario): Promise<readonly Element[]> {
  const { session, computer } = memorySession(scenario)
  const trees = new Set<Element>()
  const look = () => {
    for (const { uid } of computer.windows()) trees.add(computer.tree(uid)!)
  }
  for (const step of scenario.solution) {
    const { fault } = await call(session, step.call, step.with)
    if (fault) break
    look()
  }
  return [...trees].flatMap((tree) => [...walk(tree)])
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

/**
 * A state of a scenario, to be shown as a picture, a sketch or prose of its focused window.
 * @param file A path, or a name of the gallery.
 * @param options The state, by default the first, and the theme.
 * @throws A `Fault` `ScenarioInvalid`, or `BadRequest` for a state that the scenario does not have.
 * @example
 * const { png } = await (await render('login')).png()
 */
export async function render(file: string, { state, theme }: RenderOptions = {}): Promise<Rendered> {
  const scenario = await openScenario(file)
  const initial = state ?? scenario.initial
  if (!scenario.states.has(initial))
    throw new Fault(
      'BadRequest',
      `${file} has no state ${JSON.stringify(initial)}; it has ${[...scenario.states.keys()].join(', ')}`,
    )
  const { desktop } = createSyntheticComputer({ scenario: { ...scenario, initial }, clock: virtualClock() })
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
