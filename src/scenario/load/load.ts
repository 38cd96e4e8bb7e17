import type * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { checkReferences } from '../check/check.ts'
import { warningsOf } from '../check/warnings.ts'
import type { ExpressionUse, LiveScope } from '../data/scope.ts'
import { compositionKeysAt } from '../expand/composition-keys.ts'
import { expandScenario, usesComposition } from '../expand/expand-scenario.ts'
import { fakerData } from '../expand/fake-data.ts'
import type { ReadInclude } from '../expand/includes.ts'
import { createEvaluator } from '../expand/names.ts'
import type { DataValue } from '../expression/data-type.ts'
import { CompilerCache } from '../expression/expression.ts'
import type { Scenario } from '../scenario.ts'
import { AuthoredScenario } from '../scenario-file.ts'
import { type ScenarioSource, withSource } from '../seeds.ts'
import { forEachSolutionCall, type LocateStep } from '../solution.ts'
import {
  formatPath,
  inOrder,
  locate,
  problemAt,
  problemsOfSchema,
  type ScenarioProblem,
  scenarioFault,
  type UnlocatedProblem,
} from '../source/problem.ts'
import { isTextKey, type KeyPath, readSource, unreadableMessage } from '../source/source.ts'
import {
  childOf,
  type FilePlace,
  type MapNode,
  placeAt,
  plainValue,
  type SourceProblem,
} from '../source/source-node.ts'
import type { SourcePlace } from '../source/yaml.ts'
import { applyVariant, type VariantSource } from '../variants/apply.ts'
import { formatChoices } from '../variants/axes.ts'
import type { VariantChoices } from '../variants/axis.ts'
import { buildScenario } from './build.ts'
import {
  formatShown,
  type LivePart,
  livePartIn,
  livePartOf,
  liveProgramOf,
  plainLivePart,
  restoreTemplates,
} from './live.ts'
import { type PackedScenario, packScenario } from './packed.ts'
import { type ReadPicture, readPictures } from './pictures.ts'
import { type RepairedValue, repairValue } from './repair.ts'

const MAX_CHARACTERS = 2_000_000
/** A file with problems of composition and more values than this is not checked further. */
const MAX_VALUES_OF_WRONG = 100_000

/** A scenario may pass through so many times its values while it is composed, such as components and conditions. */
const VALUES_OF_TEMPLATES = 3

/** The keys at the top of a scenario without composition. */
const SECTIONS = Object.keys(AuthoredScenario.shape)

export interface ParseOptions {
  /** The name of the file in problems. */
  readonly file?: string
  /** A text with more values than this is rejected before it is checked. */
  readonly maxValues?: number
  /** The seed that parameters are drawn from; the scenario's own when left out. */
  readonly seed?: number | undefined
  /** The axes in which the scenario differs from its file. */
  readonly variant?: VariantChoices | undefined
  /** Values for parameters that are chosen instead of drawn. */
  readonly params?: Readonly<Record<string, DataValue>>
  /** Reads a file that the scenario includes. Left out, it cannot include any. */
  readonly include?: Include
  /** Reads a picture that the scenario shows. Left out, it cannot show any. */
  readonly picture?: ReadPicture
}

/** The name and the text of an included file, or why it cannot be read. `from` is the file that includes it. */
export type Include = (path: string, from: string) => IncludedText | { readonly message: string }

/** Reads an application, or a file of one, as `Include` does; undefined for any other path. */
export type ReadApplication = (path: string, from: string) => ReturnType<Include> | undefined

/** An included file. */
export interface IncludedText {
  readonly file: string
  readonly text: string
}

/** What a scenario file is validated against. */
export interface CheckOptions extends ParseOptions {
  /** The schema of the agent's script. Without it, the script is not validated. */
  readonly script?: z.ZodType
  /** The schema of a tool's arguments in the solution. Without it, only names in the arguments are checked. */
  readonly argumentsOf?: (tool: string) => z.ZodType
}

/** Whether a text is a scenario rather than its name or path, which have no keys. */
export const isScenarioText = (text: string): boolean => text.length > MAX_PATH_LENGTH || /\n|:\s|^\s*\{/.test(text)
const MAX_PATH_LENGTH = 4096

/** A valid scenario and its warnings. */
export interface CheckedScenario {
  readonly scenario: Scenario
  /**
   * Warnings in the order of their lines. `seen` are elements that a run of the scenario has shown and no state may
   * have.
   */
  warnings(seen: readonly Element[]): readonly ScenarioProblem[]
  /** The scenario as plain data, for another thread. */
  pack(): PackedScenario
  /** Problems that another check found, with their positions, in the order of their lines. */
  locate(problems: readonly UnlocatedProblem[]): readonly ScenarioProblem[]
}

/** Parses a scenario file. Throws `ScenarioInvalid` with all its problems by line and column. */
export const parseScenario = (text: string, options: CheckOptions = {}): Scenario =>
  checkScenario(text, options).scenario

/** What the scenarios of one file share in all seeds and variants: parsed texts and compiled expressions. */
class SharedBySeeds {
  readonly evaluator = createEvaluator()
  readonly compilers = new CompilerCache()
  readonly windows = new LruCache<string, Window>(MAX_SHARED_WINDOWS)
  readonly #sources = new LruCache<string, ReturnType<typeof readSource>>(MAX_SHARED_FILES)

  read(text: string): ReturnType<typeof readSource> {
    return this.#sources.keep(text, this.#sources.get(text) ?? readSource(text))
  }
}
const MAX_SHARED_FILES = 100
const MAX_SHARED_WINDOWS = 200

/** Like `parseScenario`, and also returns warnings. */
export const checkScenario = (text: string, options: CheckOptions = {}): CheckedScenario =>
  checkWith(text, options, undefined)

/** @param shared What another seed of the file has left. A file that is loaded in one seed only keeps nothing. */
function checkWith(text: string, options: CheckOptions, shared: SharedBySeeds | undefined): CheckedScenario {
  const { file = 'scenario' } = options
  const read = readScenario(text, file, options, shared)
  const { value, locateAll, isDrawn } = read
  // For a file that is parsed once only, code generated by zod would cost more than it saves.
  const parsed = AuthoredScenario.safeParse(value, { jitless: shared === undefined })
  if (parsed.success) restoreTemplates(parsed.data, read.live.prepared)
  const live = parsed.success ? liveProgramOf(parsed.data, read.live) : { program: undefined, problems: [], uses: [] }
  const shown = parsed.success && read.isComplete ? readPictures(parsed.data, options.picture) : NO_PICTURES_READ
  const problems = parsed.success
    ? read.isComplete
      ? locateAll([
          ...checkWritten(parsed.data, options, live.uses, read.live.scope),
          ...live.problems,
          ...shown.problems,
        ])
      : []
    : problemsOfWrong(read, parsed.error, options)
  const all = [...read.problems, ...withoutConsequences(problems, read.problems)]
  if (all.length > 0 || !parsed.success) throw scenarioFault(file, all)
  const { seed = parsed.data.seed } = options
  const { bindings = [], inputs = [] } = read.live.prepared ?? {}
  const source: ScenarioSource = {
    ...{
      authored: { ...parsed.data, seed },
      isDrawn,
      bound: [...bindings, ...inputs],
      data: read.live.scope.initial,
      computed: [...read.live.scope.computed.values()].map((each) => each.text),
      pictures: shown.pictures,
    },
    ...{ file: options.file, isComposed: read.live.prepared !== undefined },
  }
  const { authored, retext, recompute, formatText, ...varied } = applyVariantTo(source, options)
  const liveHere = retext ? livePartIn(read.live, sectionsIn(authored), { retext, recompute }) : read.live
  const { program } = retext ? liveProgramOf(authored, liveHere) : live
  const locateStep: LocateStep = (path) => {
    const [{ line, file: included } = { line: 1 }] = locateAll([{ path, message: '' }])
    return included === undefined ? { line } : { line, file: included }
  }
  const plain = buildScenario(authored, locateStep, {
    data: read.live.scope.initial,
    pictures: shown.pictures,
    isMirrored: varied.projection?.mirror !== undefined,
    language: varied.language,
    knownWindows: shared?.windows,
    program: program && formatText ? { ...program, formatText: formatShown(authored, formatText) } : program,
  })
  let kept = shared
  const scenario = withSource({ ...plain, ...varied }, source, (making) => {
    kept ??= new SharedBySeeds()
    return checkWith(text, { ...options, ...making }, kept).scenario
  })
  const locate = (found: readonly UnlocatedProblem[]) => inOrder(locateAll(found))
  return {
    scenario,
    warnings: (seen) => locate(warningsOf({ authored, scenario }, seen)),
    pack: () => packScenario(scenario, source, authored, liveHere.scope),
    locate,
  }
}

const NO_PICTURES_READ: ReturnType<typeof readPictures> = { pictures: new Map(), problems: [] }

/** The problems that a schema cannot find. */
const checkWritten = (
  authored: AuthoredScenario,
  { script, argumentsOf }: CheckOptions,
  uses?: readonly ExpressionUse[],
  scope?: LiveScope,
): readonly UnlocatedProblem[] => [
  ...checkReferences(authored, uses, scope),
  ...checkScript(authored, script),
  ...checkCalls(authored, argumentsOf),
]

/** A problem that is repaired can hide others, such as those below a misspelt key. */
const MAX_REPAIRS = 3

/** The problems of a value that does not fit the schema. As far as they can be repaired, also those that they hide. */
function problemsOfWrong(
  { value, isComplete, locateAll }: ReadScenario,
  error: z.ZodError<AuthoredScenario>,
  options: CheckOptions,
): readonly ScenarioProblem[] {
  let problems: readonly ScenarioProblem[] = []
  let current: RepairedValue = { value, originalPath: (path) => path }
  const add = (found: readonly UnlocatedProblem[]) => {
    const { originalPath } = current
    const located = locateAll(found.map((problem) => ({ ...problem, path: originalPath(problem.path) })))
    problems = [...problems, ...withoutConsequences(located, problems)]
  }
  let wrong: z.ZodError | undefined = error
  for (let attempt = 0; wrong && attempt < MAX_REPAIRS; attempt++) {
    const found = problemsOfSchema(AuthoredScenario, current.value, wrong, compositionKeysAt)
    add(found)
    const repaired = isComplete ? repairValue(current, found) : undefined
    if (!repaired) return problems
    current = repaired
    const parsed = AuthoredScenario.safeParse(current.value, { jitless: true })
    if (parsed.success) add(checkWritten(parsed.data, options))
    wrong = parsed.error
  }
  return problems
}

/** The problems on other lines than those that may have caused them. */
function withoutConsequences(
  problems: readonly ScenarioProblem[],
  causes: readonly ScenarioProblem[],
): readonly ScenarioProblem[] {
  const lines = new Set(causes.map(({ file, line }) => `${line} ${file}`))
  return problems.filter(({ file, line }) => !lines.has(`${line} ${file}`))
}

/** A file in a variant, and the fields of its scenario that only variants have. */
interface AppliedVariant
  extends Pick<Scenario, 'variant' | 'dateNames' | 'language' | 'projection' | 'personality' | 'variantWarnings'> {
  readonly authored: AuthoredScenario
  /** Undefined without a variant. */
  readonly retext?: (text: string) => string
  readonly recompute?: (text: string) => string
  readonly formatText?: ((text: string) => string) | undefined
}

/** The file in the chosen variant, and what the scenario gets with it. */
function applyVariantTo(source: VariantSource, { file = 'scenario', variant = {} }: ParseOptions): AppliedVariant {
  if (Object.keys(variant).length === 0) return { authored: source.authored }
  const { authored, warnings, ...others } = applyVariant(source, variant, source.authored.seed)
  const problems = checkReferences(authored)
  if (problems.length > 0) {
    const shown = problems.map(({ path, message }) => `${formatPath(path)}: ${message}`)
    throw new Fault('ScenarioInvalid', `${file} in the variant ${formatChoices(variant)}: ${shown.join('; ')}`)
  }
  return { authored, variant, variantWarnings: warnings, ...others }
}

/** The sections whose texts may be live templates. */
const sectionsIn = ({ locales, synonyms, wordings, invariant, agent, model, ...sections }: AuthoredScenario): object =>
  sections

/** A composed file with the start time of its variant, which its expressions read. */
function withStartTime(root: MapNode, { variant }: ParseOptions): MapNode {
  const invariant = childOf(root, 'invariant')
  const isFixed = invariant?.kind === 'map' && invariant.entries.has('date')
  if (variant?.date === undefined || isFixed) return root
  const { place } = root
  const entry = { keyPlace: place, node: { kind: 'scalar', value: variant.date, place } } as const
  return { ...root, entries: new Map([...root.entries, ['start_time', entry]]) }
}

/** The values of a scenario file, composed, and what locates problems in it. */
interface ReadScenario {
  readonly value: unknown
  /** The problems of composing. */
  readonly problems: readonly ScenarioProblem[]
  /** Whether composing left nothing out, so that references can be checked. */
  readonly isComplete: boolean
  /** Whether parameters are drawn, so that other seeds give other values. */
  readonly isDrawn: boolean
  readonly live: LivePart
  locateAll(problems: readonly UnlocatedProblem[]): readonly ScenarioProblem[]
}

function readScenario(
  text: string,
  file: string,
  options: ParseOptions,
  shared: SharedBySeeds | undefined,
): ReadScenario {
  const read = (each: string) => shared?.read(each) ?? readSource(each)
  const start = { line: 1, column: 1, length: 1 }
  const fail = (problems: readonly ScenarioProblem[]) => scenarioFault(file, problems)
  if (text.length > MAX_CHARACTERS)
    throw fail([
      problemAt([], start, `the file has ${text.length} characters; at most ${MAX_CHARACTERS} are allowed`, 'size'),
    ])
  const lines = text.split('\n')
  const source = read(text)
  if ('unreadable' in source)
    throw fail(
      source.unreadable.map((part) => problemAt(lines, part.place, unreadableMessage(part), part.kind ?? 'yaml')),
    )
  const { maxValues } = options
  const tooMany = (value: unknown) => maxValues !== undefined && hasMoreValues(value, maxValues)
  const manyValues = () => fail([problemAt([], start, `the file makes more than ${maxValues} values`, 'size')])
  if (tooMany(source.value)) throw manyValues()
  if (!usesComposition(source.value, SECTIONS))
    return {
      value: source.value,
      problems: [],
      isComplete: true,
      isDrawn: false,
      live: plainLivePart(source.value),
      locateAll: (problems) => problems.map((problem) => locate(lines, source, problem)),
    }
  const files = new Map([[file, lines]])
  const linesAt = (place: FilePlace) => files.get(place.file) ?? []
  const placed = ({ file: own, ...place }: FilePlace): SourcePlace => (own === file ? place : { ...place, file: own })
  const expanded = expandScenario(withStartTime(source.nodes(file) as MapNode, options), {
    ...options,
    seed: options.variant?.data === undefined ? options.seed : Number(options.variant.data),
    fake: fakerData(),
    maxValues: maxValues === undefined ? undefined : maxValues * VALUES_OF_TEMPLATES,
    isText: isTextKey,
    sections: SECTIONS,
    ...(shared && { evaluator: shared.evaluator }),
    ...(options.include && { readInclude: includeReader(options.include, files, read) }),
  })
  const late: SourceProblem[] = []
  const live = livePartOf(expanded, (place, message) => late.push({ place, message }), shared?.compilers)
  const { root } = live.prepared
  const problems = [...expanded.problems, ...late]
  const located = problems.map(({ place, message }) => problemAt(linesAt(place), placed(place), message, 'reference'))
  const value = plainValue(root)
  if (located.length > 0 && hasMoreValues(value, MAX_VALUES_OF_WRONG)) throw fail(located)
  if (tooMany(value)) throw manyValues()
  return {
    value: { ...(value as object), ...(options.seed === undefined ? {} : { seed: options.seed }) },
    problems: located,
    isComplete: problems.every(({ isRepaired }) => isRepaired),
    isDrawn: Object.keys(expanded.params).length > 0,
    live,
    locateAll: (found) =>
      found.map(({ path, message, key = false, kind = 'reference' }) => {
        const { node } = expanded.variables
        const isInVars = path[0] === 'vars' && node !== undefined
        const place = isInVars ? placeAt(node, path.slice(1), 'value') : placeAt(root, path, key ? 'key' : 'value')
        return problemAt(linesAt(place), placed(place), message, kind, formatPath(path))
      }),
  }
}

/** Reads included files, and remembers their lines. */
const includeReader =
  (
    include: Include,
    files: Map<string, readonly string[]>,
    read: (text: string) => ReturnType<typeof readSource>,
  ): ReadInclude =>
  (path, from) => {
    const found = include(path, from)
    if ('message' in found) return found
    const { file, text } = found
    if (text.length > MAX_CHARACTERS)
      return { message: `${file} has ${text.length} characters; at most ${MAX_CHARACTERS} are allowed` }
    files.set(file, text.split('\n'))
    const source = read(text)
    if ('unreadable' in source)
      return {
        unreadable: source.unreadable.map((part) => ({
          place: { ...part.place, file },
          message: unreadableMessage(part),
        })),
      }
    const root = source.nodes(file)
    return root.kind === 'map' ? root : { message: `${file} holds no sections, such as components` }
  }

/** Whether a value has more keys and entries than `most`, counting those that aliases repeat. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open = [value]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inside = Object.values(next)
    count += inside.length
    if (count > most) return true
    open.push(...inside.map((each) => each ?? null))
  }
  return false
}

/** The problems of the agent's script: the one under `agent`, otherwise under `model`. */
function checkScript({ agent, model }: AuthoredScenario, schema: z.ZodType | undefined): readonly UnlocatedProblem[] {
  const authored = agent ?? model
  if (!schema || authored === undefined) return []
  return complaintsBelow([authored === agent ? 'agent' : 'model'], schema, authored)
}

/** The problems of the arguments of the solution's calls. Arguments with a template are known only when the call is made. */
function checkCalls(authored: AuthoredScenario, argumentsOf: CheckOptions['argumentsOf']): readonly UnlocatedProblem[] {
  const problems: UnlocatedProblem[] = []
  if (argumentsOf)
    forEachSolutionCall(authored, (step, path) => {
      const found = complaintsBelow([...path, 'with'], argumentsOf(step.call), step.with)
      problems.push(...found.filter((problem) => !isTemplateAt(authored, problem.path)))
    })
  return problems
}

/** Whether a text with a template is written at a path. */
function isTemplateAt(authored: unknown, path: KeyPath): boolean {
  const value = path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], authored)
  return typeof value === 'string' && value.includes('{{')
}

function complaintsBelow(above: KeyPath, schema: z.ZodType, authored: unknown): readonly UnlocatedProblem[] {
  const { error } = schema.safeParse(authored, { jitless: true })
  if (!error) return []
  return problemsOfSchema(schema, authored, error).map((complaint) => ({
    ...complaint,
    path: [...above, ...complaint.path],
  }))
}
