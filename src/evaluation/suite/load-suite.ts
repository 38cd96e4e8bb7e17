import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { describeIssues } from '../../base/external-values.ts'
import { suggest } from '../../base/strings.ts'
import { findScenario, scenarioFilesIn } from '../../compose/gallery.ts'
import { checkFile } from '../../compose/preview.ts'
import { checkFaults } from '../../scenario/faults/catalogue.ts'
import { variantsOf, withVariant } from '../../scenario/seeds.ts'
import { checkChoices } from '../../scenario/variants/axes.ts'
import {
  DEFAULT_BUDGET,
  type EpisodeBudget,
  type EvaluationTask,
  SuiteFile,
  type SuiteTask,
  seedsOf,
} from './suite-file.ts'

/** A problem of a suite or of the arguments of an evaluation, in words for the operator. */
export class SuiteError extends Error {}

/** What the operator chooses for all tasks. It takes precedence over the suite. */
export interface SuiteOverrides {
  readonly seeds?: readonly number[] | undefined
  readonly runs?: number | undefined
  readonly variants?: number | undefined
  readonly variant?: Readonly<Record<string, string>> | undefined
  readonly faults?: readonly string[] | undefined
  readonly budget?: EpisodeBudget | undefined
  /** The names of the tasks to load; all without any. */
  readonly only?: readonly string[] | undefined
}

/** The tasks of an evaluation, and what names them. */
export interface LoadedSuite {
  readonly name: string
  readonly version: string
  readonly tasks: readonly EvaluationTask[]
}

/** A task before its scenario is read. */
interface PlannedTask extends SuiteTask {
  readonly file: string
  /** Whether it was named, and not found in a folder or by a pattern. */
  readonly isNamed: boolean
}

/** Bounds the memory of an evaluation. */
const MAX_EPISODES = 200_000

/**
 * Reads suites and scenarios. Each argument is a suite file, a scenario file, a gallery name, or a folder of scenarios.
 * @throws A `SuiteError` for a file that is neither, for two tasks with the same name, for a pattern without a match, and
 * for a name that no task has.
 */
export async function loadSuite(given: readonly string[], overrides: SuiteOverrides = {}): Promise<LoadedSuite> {
  const planned: PlannedTask[] = []
  const suites: SuiteFile[] = []
  for (const name of given) {
    const suite = readSuite(name)
    if (suite) suites.push(suite)
    planned.push(...(suite ? tasksOfSuite(suite, name) : scenariosAt(name)))
  }
  const tasks: EvaluationTask[] = []
  const ids = new Set<string>()
  let episodes = 0
  for (const each of chosenTasks(planned, given, overrides.only)) {
    const loaded = await loadTask(each, overrides)
    if (!loaded) continue
    const { task, variants } = loaded
    if (ids.has(task.id)) throw new SuiteError(`two tasks are named ${task.id}; give one of them an id of its own`)
    ids.add(task.id)
    tasks.push(task)
    episodes += task.seeds.length * variants * task.runs
    if (episodes > MAX_EPISODES)
      throw new SuiteError(
        `${given.join(' ')} has ${episodes} episodes up to the task ${task.id} (seeds × variants × runs); at most ${MAX_EPISODES} are played`,
      )
  }
  if (tasks.length === 0) throw new SuiteError(`${given.join(' ')} has no scenario with oracles to evaluate`)
  const [only] = suites
  if (only && given.length === 1) return { name: only.suite, version: only.version, tasks }
  return { name: given.map((name) => basename(name)).join('+'), version: '', tasks }
}

const idOf = ({ id, file }: PlannedTask): string => id ?? nameOf(file)

/** The tasks with these names, before any other is read. */
function chosenTasks(
  planned: readonly PlannedTask[],
  given: readonly string[],
  names: readonly string[] = [],
): readonly PlannedTask[] {
  const known = planned.map(idOf)
  for (const name of names) {
    if (known.includes(name)) continue
    const [near] = suggest(name, known)
    const hint = near ? `did you mean ${JSON.stringify(near)}?` : `its tasks are ${known.join(', ')}`
    throw new SuiteError(`${given.join(' ')} has no task ${JSON.stringify(name)}; ${hint}`)
  }
  return names.length === 0 ? planned : planned.filter((task) => names.includes(idOf(task)))
}

/** The suite in a file; undefined for anything that is not one. */
function readSuite(name: string): SuiteFile | undefined {
  if (!/\.ya?ml$/i.test(name) || !isFile(name)) return undefined
  const document: unknown = readYaml(name)
  if (typeof document !== 'object' || document === null || !('suite' in document)) return undefined
  const checked = SuiteFile.safeParse(document)
  if (!checked.success) throw new SuiteError(`${name} is not a valid suite:\n${describeIssues(checked.error)}`)
  return checked.data
}

function readYaml(name: string): unknown {
  const text = readFileSync(name, 'utf8')
  try {
    return parseYaml(text, { maxAliasCount: 100 })
  } catch {
    // A scenario with a syntax error is reported with its line when it is loaded.
    return undefined
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const plain = (file: string, isNamed: boolean): PlannedTask => ({
  scenario: file,
  file,
  isNamed,
  exclude: [],
  variant: {},
  faults: [],
  tags: [],
  budget: {},
})

function scenariosAt(name: string): readonly PlannedTask[] {
  if (!isFolder(name)) return [plain(foundOr(name), true)]
  const files = scenarioFilesIn(name).map((file) => resolve(name, file))
  if (files.length === 0) throw new SuiteError(`the folder ${name} has no scenario (.yaml)`)
  return files.map((file) => plain(file, false))
}

/** The file of a scenario, or what was written, which the error of its loading then names. */
function foundOr(text: string): string {
  const found = findScenario(text)
  return isFile(found) ? found : text
}

function tasksOfSuite(suite: SuiteFile, path: string): readonly PlannedTask[] {
  return suite.tasks.flatMap((task) => {
    const { seeds = suite.seeds, runs = suite.runs, variants = suite.variants } = task
    const common = {
      ...task,
      budget: { ...suite.budget, ...task.budget },
      ...(seeds !== undefined && { seeds }),
      ...(runs !== undefined && { runs }),
      ...(variants !== undefined && { variants }),
    }
    const files = filesOf(task, dirname(path))
    if (files.length === 0) throw new SuiteError(`${path}: ${task.scenario} matches no file`)
    if (task.id !== undefined && files.length > 1)
      throw new SuiteError(
        `${path}: the id ${task.id} is for one scenario, but ${task.scenario} matches ${files.length}`,
      )
    return files.map((file) => ({ ...common, file, isNamed: !task.scenario.includes('*') }))
  })
}

/** The files of a task. A `*` stands for any characters of a file name. */
function filesOf({ scenario, exclude }: SuiteTask, folder: string): readonly string[] {
  if (!scenario.includes('*')) {
    const beside = resolve(folder, scenario)
    return [isFile(beside) ? beside : foundOr(scenario)]
  }
  const place = dirname(scenario)
  if (place.includes('*')) throw new SuiteError(`${scenario}: a * can stand in the file name only`)
  const parts = basename(scenario).split('*')
  const below = resolve(folder, place)
  return scenarioFilesIn(below)
    .filter((name) => matches(name, parts) && !exclude.includes(nameOf(name)))
    .map((name) => join(below, name))
}

/** Whether a name consists of the parts in order, with anything between them. */
function matches(name: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let place = first.length
  for (const part of rest) {
    const found = name.indexOf(part, place)
    if (found < 0) return false
    place = found + part.length
  }
  return name.length - last.length >= place && name.endsWith(last)
}

const nameOf = (file: string): string => basename(file).replace(/\.ya?ml$/i, '')

/**
 * Loads the scenario of a task, and counts its variants for each seed.
 * @returns Undefined for a scenario without oracles, which cannot be evaluated.
 * @throws A `SuiteError` when such a scenario was named.
 */
async function loadTask(
  planned: PlannedTask,
  overrides: SuiteOverrides,
): Promise<{ readonly task: EvaluationTask; readonly variants: number } | undefined> {
  const { file } = planned
  const read = new Set([findScenario(file)])
  const { scenario } = await checkFile(file, (path) => read.add(path))
  const { success, infeasible } = scenario.oracles
  if (success.length === 0 && !infeasible) {
    if (!planned.isNamed) return undefined
    throw new SuiteError(`${file} has no success oracle, so that it cannot be evaluated`)
  }
  const seeds = overrides.seeds ?? (planned.seeds === undefined ? [scenario.seed] : seedsOf(planned.seeds))
  const count = overrides.variants ?? planned.variants ?? 0
  const variant = checkChoices({ ...planned.variant, ...overrides.variant })
  const faults = [...(planned.faults as EvaluationTask['faults']), ...(overrides.faults ?? [])]
  checkFaults(faults)
  withVariant(scenario, variant)
  const budget = { ...DEFAULT_BUDGET, ...planned.budget, ...overrides.budget }
  return {
    variants: 1 + count,
    task: {
      id: idOf(planned),
      file: findScenario(file),
      seeds,
      runs: overrides.runs ?? planned.runs ?? 1,
      variant,
      faults,
      tags: [...new Set([...scenario.tags, ...planned.tags])],
      difficulty: scenario.difficulty,
      budget,
      variantsOf: (seed) => [{}, ...(count === 0 ? [] : variantsOf(scenario, count, seed))].map(withoutData(seeds)),
      hash: hashOf([...read], { variant, faults, budget }),
    },
  }
}

/** With several seeds, each draws the data of the scenario, so that variants do not draw it again. */
const withoutData =
  (seeds: readonly number[]) =>
  ({ data, ...axes }: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    data === undefined || seeds.length > 1 ? axes : { data, ...axes }

function hashOf(files: readonly string[], settings: object): string {
  const hash = createHash('sha256')
  const root = dirname(files[0]!)
  for (const file of files.toSorted()) {
    // Line ends do not count, so that a checkout on Windows has the same hash.
    const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${relative(root, file).replaceAll('\\', '/')}\0${text}\0`)
  }
  return hash.update(JSON.stringify(settings)).digest('hex')
}
