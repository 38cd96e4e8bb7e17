import { seededRandom, split } from '../../base/random.ts'
import { LIVE_NAMES } from '../data/scope.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { type Expansion, evaluateNode, fillScalar, withoutLive } from './expand-text.ts'
import { createExpander } from './expander.ts'
import type { FakeData } from './fake-data.ts'
import { isListOrEmpty, type ReadInclude, withIncludes } from './includes.ts'
import { misspeltKey, withSpeltKeys } from './misspelt-keys.ts'
import { createEvaluator, type Evaluator, type Names, NO_VARIABLES, readVariables, type Variables } from './names.ts'
import { drawParams } from './params.ts'
import {
  childOf,
  type MapEntry,
  type MapNode,
  plainValue,
  type SourceNode,
  type SourceProblem,
  withoutKeys,
} from './source-node.ts'
import { extendStates } from './states.ts'
import { startExpansion } from './template.ts'

/** What a scenario is composed with. */
export interface ExpandOptions {
  /** The seed that parameters are drawn from; the scenario's own when left out. */
  readonly seed?: number | undefined
  /** Values for parameters that are chosen instead of drawn. */
  readonly params?: Readonly<Record<string, DataValue>>
  readonly fake?: FakeData
  readonly readInclude?: ReadInclude
  /** Evaluates the expressions; another seed of the scenario may have used it. */
  readonly evaluator?: Evaluator
  /** The keys at the top of a scenario without composition. A key that is near one of them is not one of composition. */
  readonly sections?: readonly string[]
  /** The most values that the scenario may grow to. */
  readonly maxValues?: number | undefined
  /** Whether the value of a key is a text, even when a template gives a number. */
  readonly isText?: (key: string) => boolean
}

/** A scenario as one file without composition, or what is wrong with it. */
export interface ExpandedScenario {
  readonly root: MapNode
  /** The value of each parameter. */
  readonly params: Readonly<Record<string, DataValue>>
  /** The variables at the start. */
  readonly variables: Variables
  /** Values that live templates mention by a name: the parameters, and lists and records of repeats and components. */
  readonly constants: Readonly<Record<string, DataValue>>
  readonly problems: readonly SourceProblem[]
}

/** After so many problems nothing more is expanded: one mistake in a `repeat` would fill the memory. */
const MAX_PROBLEMS = 1000

/** Keys that are gone after composing. */
const COMPOSITION = ['include', 'components', 'params', 'assert', 'vars']
/** Sections in which templates, `use`, `repeat` and `if` are expanded. */
export const EXPANDED_SECTIONS = [
  'states',
  'reactions',
  'timers',
  'faults',
  'oracles',
  'solution',
  'solutions',
  'windows',
  'start_time',
  'name',
  'about',
  'task',
  'clipboard',
  'files',
]

/** Keys of items that are gone after composing, and that no item has otherwise. */
const ITEM_KEYS = ['repeat', 'use']

/** Sections with the script of an agent, which has templates of its own. */
const SCRIPTS = ['agent', 'model']

/**
 * Whether a scenario uses composition. In other files `{{` is text like any other. A misspelt key of composition counts,
 * unless it is near one of the other `sections` of a scenario.
 */
export function usesComposition(scenario: unknown, sections: readonly string[] = []): boolean {
  if (!isRecord(scenario)) return false
  if (COMPOSITION.some((key) => Object.hasOwn(scenario, key))) return true
  if (Object.keys(scenario).some((key) => misspeltKey(key, COMPOSITION, sections) !== undefined)) return true
  if (Object.hasOwn(scenario, 'solutions') || hasProgram(scenario.solution)) return true
  return (
    (isRecord(scenario.states) &&
      Object.values(scenario.states).some((state) => isRecord(state) && Object.hasOwn(state, 'extends'))) ||
    EXPANDED_SECTIONS.some((name) => hasItemOfComposition(scenario[name]))
  )
}

/** Whether an item at any depth has a key that only composition knows. */
function hasItemOfComposition(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasItemOfComposition)
  if (!isRecord(value)) return false
  return ITEM_KEYS.some((key) => Object.hasOwn(value, key)) || Object.values(value).some(hasItemOfComposition)
}

/** Whether a solution has loops or branches, in which templates are filled. */
const hasProgram = (solution: unknown): boolean =>
  Array.isArray(solution) && solution.some((step) => isRecord(step) && ('do' in step || 'then' in step))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Includes files, draws the parameters, expands components, repeats, conditions and templates, and completes states. */
export function expandScenario(
  root: MapNode,
  {
    seed,
    params,
    fake,
    readInclude = NO_FILES,
    evaluator = createEvaluator(),
    isText = () => false,
    sections = [],
    maxValues,
  }: ExpandOptions = {},
): ExpandedScenario {
  const problems: SourceProblem[] = []
  const budget = startExpansion(maxValues)
  const early: Expansion = {
    evaluator,
    budget,
    report: (place, message, isRepaired = false) => {
      problems.push({ place, message, isRepaired })
      if (problems.length >= MAX_PROBLEMS) budget.isSpent = true
    },
  }
  const spelt = withSpeltKeys(root, COMPOSITION, sections, early.report)
  const whole = withIncludes(spelt, readInclude, early.report)
  const written = childOf(whole, 'seed')
  const own = written?.kind === 'scalar' && typeof written.value === 'number' ? written.value : 1
  const random = split(seededRandom(seed ?? own), 'params')
  const names = drawParams(
    sectionOf(whole, 'params', early),
    childOf(whole, 'assert'),
    { random, isOwnSeed: seed === undefined || seed === own, ...(fake && { fake }), ...(params && { chosen: params }) },
    early,
  )
  const variables = expandVariables(whole, names, early)
  const constants: Record<string, DataValue> = Object.fromEntries(names.values)
  const expansion: Expansion = {
    ...early,
    live: {
      hasVariables: childOf(whole, 'vars') !== undefined,
      all: new Set([...LIVE_NAMES, ...Object.keys(variables.types)]),
      nameFor: (value) => nameConstant(constants, value),
    },
  }
  const expanded = expandSections(whole, names, expansion, isText)
  return { root: expanded, params: Object.fromEntries(names.values), variables, constants, problems }
}

/** A name for a value, the same for the same value. */
function nameConstant(constants: Record<string, DataValue>, value: DataValue): string {
  const known = Object.keys(constants).find((name) => constants[name] === value)
  if (known !== undefined) return known
  let number = Object.keys(constants).length + 1
  while (Object.hasOwn(constants, `constant_${number}`)) number++
  constants[`constant_${number}`] = value
  return `constant_${number}`
}

/** The variables at the start: their templates, `repeat`, `use` and `if` are expanded with the parameters. */
function expandVariables(root: MapNode, names: Names, expansion: Expansion): Variables {
  const section = sectionOf(root, 'vars', expansion)
  if (!section) return NO_VARIABLES
  const expander = createExpander(sectionOf(root, 'components', expansion), withoutLive(expansion), () => false)
  return readVariables(expander.expand(section, names), names, expansion.report)
}

const NO_FILES: ReadInclude = (path) => ({
  message: `${JSON.stringify(path)} cannot be included: the scenario was given as text, not as a file`,
})

function sectionOf(root: MapNode, key: string, { report }: Expansion): MapNode | undefined {
  const section = childOf(root, key)
  if (!section || section.kind === 'map') return section
  report(section.place, `expected names with values under ${key}`)
  return undefined
}

function expandSections(root: MapNode, names: Names, expansion: Expansion, isText: (key: string) => boolean): MapNode {
  const expander = createExpander(sectionOf(root, 'components', expansion), expansion, isText)
  const expandSection = (key: string, node: SourceNode): SourceNode => {
    if (SCRIPTS.includes(key)) return fillScriptParams(node, names, withoutLive(expansion))
    if (!EXPANDED_SECTIONS.includes(key)) return node
    const expanded = expander.expand(node, names)
    return key === 'files' ? fillFilePaths(expanded, names, withoutLive(expansion)) : expanded
  }
  const entries = new Map<string, MapEntry>()
  for (const [key, entry] of withoutKeys(root, COMPOSITION).entries)
    entries.set(key, { ...entry, node: expandSection(key, entry.node) })
  for (const key of ['reactions', 'timers'] as const) {
    const extras = expander.extras[key]
    if (extras.length === 0) continue
    const own = entries.get(key)
    if (own && !isListOrEmpty(own.node)) continue
    const items = own?.node.kind === 'list' ? own.node.items : []
    const place = own?.node.place ?? root.place
    entries.set(key, { keyPlace: own?.keyPlace ?? place, node: { kind: 'list', items: [...items, ...extras], place } })
  }
  const states = entries.get('states')
  if (states?.node.kind === 'map')
    entries.set('states', { ...states, node: extendStates(states.node, expansion.report) })
  return { ...root, entries }
}

/** Fills the templates in the paths of `files`, whose texts are filled already. */
function fillFilePaths(files: SourceNode, names: Names, expansion: Expansion): SourceNode {
  if (files.kind !== 'map') return files
  const entries = new Map<string, MapEntry>()
  for (const [written, { keyPlace, node }] of files.entries) {
    const filled = fillScalar({ kind: 'scalar', value: written, place: keyPlace }, names, expansion).node
    const path = textOfValue(plainValue(filled))
    if (entries.has(path)) expansion.report(keyPlace, `${written} is ${path}, which is another file here`)
    entries.set(path, { keyPlace, node: asFileText(node) })
  }
  return { ...files, entries }
}

/** A number or boolean that a template gave, as the text of a file. */
const asFileText = (node: SourceNode): SourceNode =>
  node.kind === 'scalar' && node.value !== null ? { ...node, value: String(node.value) } : node

/** A template of a script that names a parameter; all others are filled while the script is played. */
const PARAMETER = /\{\{\s*params\.([\w.]+)\s*\}\}/g

/** Fills the parameters in the script of an agent. */
function fillScriptParams(node: SourceNode, names: Names, expansion: Expansion): SourceNode {
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => fillScriptParams(item, names, expansion)) }
  if (node.kind === 'map') {
    const entries = [...node.entries].map(
      ([key, entry]) => [key, { ...entry, node: fillScriptParams(entry.node, names, expansion) }] as const,
    )
    return { ...node, entries: new Map(entries) }
  }
  if (typeof node.value !== 'string') return node
  const value = node.value.replace(PARAMETER, (_, path: string) => {
    const filled = evaluateNode({ ...node, value: `{{ ${path} }}` }, names, expansion).node
    return textOfValue(plainValue(filled))
  })
  return { ...node, value }
}
