import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parseDocument } from 'yaml'
import * as z from 'zod'
import type { SyntheticComputer } from '../adapters/synthetic/synthetic.ts'
import { AuthoredScript } from '../agent/script/script.ts'
import { Fault } from '../base/fault.ts'
import { findTool } from '../observer/registry.ts'
import { visibleAreas } from '../paint/annotations/areas.ts'
import { annotationsOf, type CocoDocument, cocoDocument } from '../paint/annotations/coco.ts'
import { annotate, drawnMarks, LABEL_SIZE, marksOf } from '../paint/annotations/set-of-marks.ts'
import { describeWindow } from '../paint/describe.ts'
import { createPainter } from '../paint/painter.ts'
import { sketch } from '../paint/sketch/sketch.ts'
import { INCLUDED_SECTIONS } from '../scenario/expand/includes.ts'
import type { AuthoredFaults } from '../scenario/faults/catalogue.ts'
import type { FiredFault } from '../scenario/faults/fault-kind.ts'
import { type CheckedScenario, checkScenario } from '../scenario/load/load.ts'
import { picturedDesktop } from '../scenario/run/observe.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { variantsOf, withVariant } from '../scenario/seeds.ts'
import { formatProblem } from '../scenario/source/problem.ts'
import type { AuthoredChoices, VariantChoices } from '../scenario/variants/axis.ts'
import { includeForText } from './applications.ts'
import { INCLUDED_SCHEMA } from './editor/scenario-schema.ts'
import { includeBelow, readersBelow } from './files-below.ts'
import { findScenario, readScenario } from './gallery.ts'
import { memorySession } from './memory-session.ts'
import { elementsSeen, playSolution } from './play-solution.ts'

/** Reads, checks and renders scenarios without serving them. */

/** The result of a check of a scenario file, formatted for a terminal. */
export interface ValidationResult {
  readonly ok: boolean
  readonly text: string
  /** Probable mistakes in a file that can be used. */
  readonly warnings: readonly string[]
}

/**
 * Checks a scenario file. The result lists each problem with its line. A file that scenarios include is checked with each
 * scenario in its folder and the two above that includes it.
 * @param file A path, or a name in the gallery.
 * @example
 * const { ok, text } = await validateScenario('my-scenario.yaml')
 */
export async function validateScenario(file: string): Promise<ValidationResult> {
  // A file that cannot be read is reported as a scenario.
  const text = await readFile(findScenario(file), 'utf8').catch(() => '')
  if (!isIncludedFile(text)) return validateWhole(file)
  const scenarios = scenariosIncluding(findScenario(file))
  if (scenarios.length === 0) return { ok: false, text: notIncluded(file).message, warnings: [] }
  const results: ValidationResult[] = []
  for (const scenario of scenarios) results.push(await validateWhole(relative('.', scenario)))
  return {
    ok: results.every(({ ok }) => ok),
    text: [`${file}: included by ${counted(scenarios.length, 'scenario')}`]
      .concat(results.map((result) => result.text))
      .join('\n'),
    warnings: results.flatMap(({ warnings }) => warnings),
  }
}

async function validateWhole(file: string): Promise<ValidationResult> {
  try {
    const { scenario, warnings } = await checkFile(file)
    const formatted = warnings(await elementsSeen(scenario)).map((problem) => formatProblem(file, problem, 'warning: '))
    const about = [scenario.name, counted(scenario.states.size, 'state')]
    if (formatted.length > 0) about.push(counted(formatted.length, 'warning'))
    return { ok: true, text: `${file}: ok (${about.join(', ')})`, warnings: formatted }
  } catch (thrown) {
    const fault = Fault.from(thrown)
    if (fault.code !== 'ScenarioInvalid') throw thrown
    return { ok: false, text: fault.message, warnings: [] }
  }
}

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

/**
 * Reads and checks a scenario file, including the script of its agent.
 * @param file A path, or a name in the gallery.
 * @param options The seed and the variant.
 * @throws A `Fault` `ScenarioInvalid`, also when the file does not exist.
 * @example
 * const scenario = await loadScenario('login')
 */
export const loadScenario = async (file: string, { seed, variant }: LoadOptions = {}): Promise<Scenario> => {
  const { scenario } = await checkFile(file)
  return variant || seed !== undefined ? withVariant(scenario, variant ?? {}, seed) : scenario
}

/** The seed and the variant in which a scenario is loaded. */
export interface LoadOptions {
  /** By default that of the file. */
  readonly seed?: number | undefined
  /** The axes in which the scenario differs from its file, such as `{ theme: 'dark' }`. */
  readonly variant?: AuthoredChoices | undefined
}

/** Parses and checks a scenario that was given as text, including the script of its agent. */
export const parseServedScenario = (text: string): Scenario =>
  checkScenario(text, { script: AuthoredScript, argumentsOf, include: includeForText }).scenario

/** Reads and checks a scenario file. Throws a `Fault` `ScenarioInvalid`. */
export async function checkFile(file: string, onRead?: (path: string) => void): Promise<CheckedScenario> {
  return checkScenario(readScenario(file), {
    file,
    script: AuthoredScript,
    argumentsOf,
    ...readersBelow(findScenario(file), onRead),
  })
}

/** Tools ignore unknown arguments; in a solution they are reported to its author. */
function argumentsOf(tool: string): z.ZodType {
  const known = strictArguments.get(tool)
  if (known) return known
  const { input } = findTool(tool)!
  const strict = input instanceof z.ZodObject ? input.strict() : input
  strictArguments.set(tool, strict)
  return strict
}

/** Each schema is made once: the solutions of each new seed are checked with it. */
const strictArguments = new Map<string, z.ZodType>()

/** The computer after some steps of the solution. Throws `BadRequest` when there are fewer, or one fails. */
async function playedComputer(scenario: Scenario, steps: number, faults: AuthoredFaults): Promise<SyntheticComputer> {
  const desktop = memorySession(scenario, { faults })
  const { computer } = desktop
  let played = 0
  if (steps === 0) return computer
  for await (const { number, tool, fault } of playSolution(desktop, scenario.solutions[0])) {
    if (fault) throw new Fault('BadRequest', `step ${number} of the solution, ${tool}, fails: ${fault.message}`)
    played = number
    if (number === steps) return computer
  }
  throw new Fault('BadRequest', `the solution has ${played} steps; there is no step ${steps}`)
}

/** A picture of a step of the solution. */
export interface SolutionFrame {
  /** 0 is the start. */
  readonly number: number
  /** The tool of the step; `start` for the first picture. */
  readonly tool: string
  readonly png: Buffer
  /** The faults that have fired so far. */
  readonly fired: readonly FiredFault[]
}

/**
 * Renders the start of a scenario and the screen after each step of its solution, as an agent sees it.
 * @param file A path, or a name in the gallery.
 * @param options The theme, by default that of the scenario, the seed, the variant and the faults.
 * @throws A `Fault` `ScenarioInvalid`, or `BadRequest` for a step that fails.
 * @example
 * for await (const { number, png } of renderFilm('login')) writeFileSync(`${number}.png`, png)
 */
export async function* renderFilm(
  file: string,
  { theme, faults = [], ...choice }: Pick<RenderOptions, 'theme' | 'seed' | 'variant' | 'faults'> = {},
): AsyncGenerator<SolutionFrame, void> {
  const scenario = await loadScenario(file, choice)
  const { projection } = scenario
  if (scenario.solutions.length === 0) throw new Fault('BadRequest', `${file} has no solution to film`)
  const desktop = memorySession(scenario, { faults })
  const { computer } = desktop
  const painter = createPainter({ theme: theme ?? scenario.theme ?? 'light', projection })
  const frame = async (number: number, tool: string) => ({
    number,
    tool,
    png: await painter.screen(picturedDesktop(computer.run)).png(),
    fired: computer.firedFaults,
  })
  yield await frame(0, 'start')
  for await (const { number, tool, fault } of playSolution(desktop, scenario.solutions[0])) {
    if (fault) throw new Fault('BadRequest', `step ${number} of the solution, ${tool}, fails: ${fault.message}`)
    yield await frame(number, tool)
  }
}

/** Variants of a scenario file, drawn from a seed. */
export const drawVariants = async (file: string, count: number, seed?: number): Promise<readonly VariantChoices[]> =>
  variantsOf(await loadScenario(file), count, seed)

/** The state or step, the theme, the seed, the variant and the faults of a rendering. */
export interface RenderOptions extends LoadOptions {
  /** By default the initial state. */
  readonly state?: string | undefined
  /** The number of steps of the solution to play first, instead of a state. */
  readonly after?: number | undefined
  readonly theme?: 'light' | 'dark' | 'high-contrast' | undefined
  /** Faults of the catalogue, by name or with their parameters. */
  readonly faults?: AuthoredFaults | undefined
}

/** A state of a scenario that can be rendered in three ways. */
export interface Rendering {
  /** What the variant could not do. */
  readonly warnings: readonly string[]
  /** The faults that have fired, in order. */
  readonly fired: readonly FiredFault[]
  /** The screen as a PNG, with its size in pixels. With `marks`, clickable elements have numbered frames. */
  png(options?: { readonly marks?: boolean }): Promise<{ png: Buffer; width: number; height: number }>
  /** The boxes and masks of the elements on the screen and its texts, as COCO JSON about a picture in this file. */
  annotations(fileName: string): CocoDocument
  /** The focused window in characters. */
  sketch(): string
  /** The focused window in sentences. */
  prose(): string
}

/**
 * Loads a scenario to render one of its states as a picture, a sketch or prose, as an agent sees it.
 * @param file A path, or a name in the gallery.
 * @param options The state, by default the initial one, the theme, the seed, the variant and the faults.
 * @throws A `Fault` `ScenarioInvalid`, or `BadRequest` for a state, axis or fault that does not exist.
 * @example
 * const { png } = await (await render('login')).png()
 */
export async function render(
  file: string,
  { state, after, theme, faults = [], ...choice }: RenderOptions = {},
): Promise<Rendering> {
  const scenario = await loadScenario(file, choice)
  const initial = state ?? scenario.initial
  if (!scenario.states.has(initial))
    throw new Fault(
      'BadRequest',
      `${file} has no state ${JSON.stringify(initial)}; it has ${[...scenario.states.keys()].join(', ')}`,
    )
  const computer =
    after === undefined
      ? memorySession({ ...scenario, initial }, { faults }).computer
      : await playedComputer(scenario, after, faults)
  const windows = computer.windows().filter(({ popupOf }) => popupOf === undefined)
  const front = windows.find(({ focused }) => focused) ?? windows[0]
  const tree = front && computer.tree(front.uid)
  const { projection } = scenario
  const chosen = theme ?? scenario.theme
  const painter = createPainter({ ...(chosen !== undefined && { theme: chosen }), projection })
  const screen = () => painter.screen(picturedDesktop(computer.run))
  const areas = () => visibleAreas(picturedDesktop(computer.run), { projection })
  return {
    warnings: scenario.variantWarnings ?? [],
    fired: computer.firedFaults,
    png: async ({ marks = false } = {}) => {
      const picture = screen()
      const { width, height } = picture
      const shown = marks ? annotate(picture, drawnMarks(marksOf(areas(), picture, LABEL_SIZE))) : picture
      return { png: await shown.png(), width, height }
    },
    annotations: (file_name) => {
      const { width, height, text = [] } = screen()
      return cocoDocument([annotationsOf(areas(), text, { id: 1, file_name, width, height })])
    },
    sketch: () =>
      front && tree ? sketch(tree, { width: 72, height: 24, reference: front.bounds }).text : '(no window)',
    prose: () => (front && tree ? describeWindow(front, tree) : '(no window)'),
  }
}

/** Files that scenarios include, which can only be checked as parts of them. */

/** The folders that are searched for scenarios: the one of the file, and the two above. */
const SEARCHED_FOLDERS = 3
const MAX_CANDIDATES = 500
const MAX_CHARACTERS = 2_000_000

/** Whether a text is a file that scenarios include: its first line names that schema, or it has only such sections. */
export function isIncludedFile(text: string): boolean {
  const [first = ''] = text.split('\n', 1)
  if (first.startsWith('# yaml-language-server:')) return first.endsWith(`/${INCLUDED_SCHEMA}`)
  if (text.length > MAX_CHARACTERS) return false
  const keys = [...text.matchAll(/^([a-z_]+):/gm)].map(([, key = '']) => key)
  return keys.length > 0 && !keys.includes('states') && keys.every((key) => INCLUDED_SECTIONS.includes(key))
}

/** The paths of the scenarios that include a file, also by way of other files. */
function scenariosIncluding(file: string): readonly string[] {
  const wanted = resolve(file)
  const folders = [dirname(wanted)]
  while (folders.length < SEARCHED_FOLDERS) folders.push(dirname(folders.at(-1)!))
  const candidates = [...new Set(folders)].flatMap(yamlFilesIn)
  return candidates.slice(0, MAX_CANDIDATES).filter((path) => {
    const text = readFileSync(path, 'utf8')
    return path !== wanted && !isIncludedFile(text) && includes(path, text, wanted)
  })
}

/** The YAML files of a folder. Empty for a folder that cannot be read. */
function yamlFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
      .map(({ name }) => join(folder, name))
  } catch {
    return []
  }
}

function includes(scenario: string, text: string, wanted: string): boolean {
  let isFound = false
  const read = includeBelow(scenario, (path) => {
    if (path === wanted) isFound = true
  })
  const seen = new Set<string>()
  const follow = (from: string, content: string): void => {
    for (const path of pathsIn(content)) {
      const part = read(path, from)
      if ('message' in part || seen.has(part.file)) continue
      seen.add(part.file)
      follow(part.file, part.text)
    }
  }
  follow(scenario, text)
  return isFound
}

/** The paths under `include` of a file. Empty for a file that cannot be read as YAML. */
function pathsIn(text: string): readonly string[] {
  if (!/^include:/m.test(text) || text.length > MAX_CHARACTERS) return []
  const document = parseDocument(text)
  if (document.errors.length > 0) return []
  const include: unknown = document.toJS({ maxAliasCount: 100 })?.include
  return [include].flat().filter((path) => typeof path === 'string')
}

/** The fault for a file that no scenario includes, so that it cannot be checked. */
const notIncluded = (file: string): Fault =>
  new Fault(
    'ScenarioInvalid',
    `${file}: has no states, so it is a file for scenarios to include, but no scenario in its folder or the two above includes it; validate a scenario that does`,
    { path: file },
  )
