import * as z from 'zod'
import type { Awaitable } from '../base/async.ts'
import { Fault } from '../base/fault.ts'
import { SEED_RANGE } from '../base/random.ts'
import { didYouMean, shortened } from '../base/strings.ts'
import { countNodes } from '../desktop/model/element.ts'
import { toPictureFile } from '../paint/picture-file.ts'
import { loadCachedScenario } from '../scenario/load/cache.ts'
import { isScenarioText, type ParseOptions, type ReadApplication } from '../scenario/load/load.ts'
import type { ReadPicture } from '../scenario/load/pictures.ts'
import { prefetchIncludes } from '../scenario/load/prefetch-includes.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { keepMade, type Making, unmadeFor, withVariant } from '../scenario/seeds.ts'
import { withoutFrames } from '../scenario/source/problem.ts'
import type { AuthoredChoices } from '../scenario/variants/axis.ts'
import type { Folder } from '../stores/folder.ts'

/** Longer texts of callers are refused before they are parsed. */
const MAX_TEXT_LENGTH = 131_072
/** The maximum number of keys and entries of such a text, counted after aliases are expanded. */
const MAX_VALUES = 20_000

/** The arguments that name a scenario. Callers give one of them. */
export const SCENARIO_ARGUMENTS = {
  scenario: z
    .string()
    .optional()
    .describe('A name of the gallery, a path below the folders that this server may read, or YAML text'),
  path: z.string().optional().describe('Same as scenario'),
  yaml: z.string().optional().describe('The YAML text of a scenario'),
}

/** The argument that chooses a seed. */
export const SeedArgument = z.int({
  error: ({ input }) => `expected ${SEED_RANGE}, found ${shortened(JSON.stringify(input) ?? 'nothing')}`,
})

/** The argument that chooses a variant of a scenario. */
export const VariantArgument = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe('The axes in which the scenario differs from its file, such as {"theme": "dark", "scale": 1.5}')
  .meta({ examples: [{ theme: 'dark', scale: 1.5 }] })

/** The argument that adds faults to a run. */
export const FaultsArgument = z
  .array(z.union([z.string(), z.looseObject({ fault: z.string().describe('The name of the fault') })]))
  .max(100)
  .describe('Faults of the catalogue, by name or with their parameters; docs/faults.md lists them')
  .meta({ examples: [['lost-click', { fault: 'late-tree', for_ms: 500 }]] })

type Given = { readonly [Key in keyof typeof SCENARIO_ARGUMENTS]?: string | undefined }

/** The given name, path or text, if any. Throws `BadRequest` when they differ. */
export function scenarioArgument({ scenario, path, yaml }: Given): string | undefined {
  const given = [...new Set([scenario, path, yaml])].filter((each) => each !== undefined)
  if (given.length > 1) throw new Fault('BadRequest', 'give one of scenario, path and yaml', { field: 'scenario' })
  // What is given as a text is never a name, however short it is.
  return yaml === undefined || isScenarioText(yaml) ? given[0] : `${yaml}\n`
}

/** Reads a scenario that a caller has sent, in another seed or variant if one is given. Throws `ScenarioInvalid`. */
export type ReadSent = (text: string, making?: Making) => Promise<Scenario>

/** Reads a sent scenario in this thread. */
export const readSentHere: ReadSent = async (text, making) => {
  const scenario = loadCachedScenario(text, SENT_OPTIONS)
  return making ? withVariant(scenario, making.variant, making.seed) : scenario
}

/** How the scenarios that callers send are read. */
export const SENT_OPTIONS: ParseOptions = { file: 'scenario', maxValues: MAX_VALUES }

/** How the scenarios that callers name or send are read. */
export interface ScenarioReaders {
  /** By default in this thread. */
  readonly readSent?: ReadSent | undefined
  /** Without it, there are no applications. */
  readonly readApplication?: ReadApplication | undefined
}

/** Loads a scenario by name, path or text. Throws `ScenarioInvalid` when it cannot be read or used. */
export async function openScenarioFor(
  folder: Folder,
  given: string,
  { seed, variant }: ScenarioChoice = {},
  { readSent = readSentHere, readApplication }: ScenarioReaders = {},
): Promise<Scenario> {
  const scenario = isScenarioText(given)
    ? await openSent(given, readSent)
    : await openFile(folder, given, readApplication)
  await prepareSent(scenario, { seed, variant }, readSent)
  return variant ? withVariant(scenario, variant, seed) : scenario
}

/**
 * Makes a scenario that a caller has sent ready for another seed or variant, which would take the time of all callers.
 * Other scenarios are made when they are played.
 */
export function prepareSent(
  scenario: Scenario,
  choice: ScenarioChoice,
  readSent: ReadSent = readSentHere,
): Awaitable<void> {
  const { text } = sent.get(scenario) ?? {}
  const making = text === undefined ? undefined : unmadeFor(scenario, choice)
  if (text === undefined || !making) return undefined
  return asked(readSent(text, making)).then((made) => keepMade(scenario, making, markSent(made, text)))
}

/** The seed and the variant of a scenario that is opened. */
export interface ScenarioChoice {
  readonly seed?: number | undefined
  readonly variant?: AuthoredChoices | undefined
}

async function openFile(folder: Folder, given: string, readApplication?: ReadApplication): Promise<Scenario> {
  let text: string
  try {
    text = await folder.readText(given, 'scenario')
  } catch (thrown) {
    const near = didYouMean(given.replace(/\.ya?ml$/i, ''), folder.scenarioNames())
    throw new Fault('ScenarioInvalid', `${Fault.from(thrown).message}${near}`, { path: shortened(given) })
  }
  const include = await prefetchIncludes(text, given, (path) => folder.readText(path, 'scenario'), readApplication)
  return loadCachedScenario(text, {
    file: given,
    include,
    picture: picturesBeside(folder, folder.resolve(given, 'scenario')),
  })
}

/** Reads the pictures that a scenario shows, each once, by their paths from the folder of its file, an absolute path. */
function picturesBeside(folder: Folder, scenario: string): ReadPicture {
  const base = scenario.replace(/[^/\\]*$/, '')
  const read = new Map<string, ReturnType<ReadPicture>>()
  return (path) => {
    const known = read.get(path) ?? readPicture(folder, base + path, path)
    read.set(path, known)
    return known
  }
}

function readPicture(folder: Folder, path: string, written: string): ReturnType<ReadPicture> {
  try {
    return toPictureFile(folder.readNow(path, 'shown'))
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    return { message: `${JSON.stringify(written)} cannot be shown: ${thrown.message}` }
  }
}

/** The size of a scenario that a caller has sent as text: the number of elements in all its states. */
export interface SentScenario {
  readonly elements: number
  readonly text: string
}

const sent = new WeakMap<Scenario, SentScenario>()

/** The size of a scenario that a caller has sent as text; undefined for one from a file. */
export const sentScenarioOf = (scenario: Scenario | undefined): SentScenario | undefined =>
  scenario && sent.get(scenario)

/** Throws `Busy` when a scenario sent as text would exceed `maxElements`, together with those in use. */
export function assertScenarioFits(next: Scenario, playing: Iterable<SentScenario>, maxElements: number): void {
  const size = sent.get(next)
  if (!size) return
  let total = 0
  for (const { elements } of new Set([size, ...playing])) total += elements
  if (total > maxElements)
    throw new Fault(
      'Busy',
      `scenarios sent as text would have ${total} elements, and the limit is ${maxElements}; close sessions, or use files`,
    )
}

async function openSent(text: string, readSent: ReadSent): Promise<Scenario> {
  if (text.length > MAX_TEXT_LENGTH)
    throw new Fault(
      'ScenarioInvalid',
      `the text has ${text.length} characters, and the limit is ${MAX_TEXT_LENGTH}; save it below a folder that this server may read`,
      { length: text.length },
    )
  return markSent(await asked(readSent(text)), text)
}

/** The scenario, or the fault as the caller who sent it sees it. */
const asked = (reading: Promise<Scenario>): Promise<Scenario> =>
  reading.catch((thrown: unknown) => {
    throw withoutFrames(Fault.from(thrown))
  })

/** Remembers that a caller has sent a scenario. One that is cached keeps its mark. */
function markSent(scenario: Scenario, text: string): Scenario {
  if (!sent.has(scenario)) sent.set(scenario, { elements: countElements(scenario), text })
  return scenario
}

const countElements = ({ states }: Scenario): number =>
  [...states.values()].reduce(
    (sum, { windows, optional }) => [...windows, ...optional].reduce((sum, { tree }) => sum + countNodes(tree), sum),
    0,
  )
