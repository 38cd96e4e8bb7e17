import { didYouMean } from '../../base/strings.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import {
  childOf,
  type FilePlace,
  type MapNode,
  nodeText,
  plainValue,
  type Report,
  type SourceNode,
} from '../source/source-node.ts'
import { templateExpression } from '../source/template.ts'
import type { Expansion } from './expand-text.ts'
import { type Names, NO_NAMES, withExpressions, withNames } from './names.ts'

/** A part that scenarios use by name, with typed parameters. */
export interface ScenarioComponent {
  readonly name: string
  readonly kind: (typeof CONTENT)[number]
  readonly body: MapNode
  readonly params: ReadonlyMap<string, Param>
}

export type Components = ReadonlyMap<string, ScenarioComponent>

interface Param {
  readonly type: ParamType
  readonly fallback: DataValue | undefined
}

/** What a component may consist of. */
const CONTENT = ['element', 'window', 'item'] as const
const KEYS = [...CONTENT, 'params', 'reactions', 'timers', 'about']

const TYPES = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  list: isList,
  record: (value) => typeof value === 'object' && value !== null && !isList(value),
  any: () => true,
} as const satisfies Record<string, (value: DataValue) => boolean>
type ParamType = keyof typeof TYPES

/** Whether a value is of a type that parameters of components have. */
export const isOfParamType = (value: DataValue, type: ParamType): boolean => TYPES[type](value)

const TYPE_NAMES = Object.keys(TYPES)
const isType = (name: string): name is ParamType => Object.hasOwn(TYPES, name)

/** Components without problems by their bodies, which the seeds of a file share. */
const correct = new WeakMap<SourceNode, ScenarioComponent>()

/** Reads the components of a scenario. */
export function componentsIn(node: MapNode | undefined, report: Report): Components {
  const found = new Map<string, ScenarioComponent>()
  for (const [name, { node: body, keyPlace }] of node?.entries ?? []) {
    const known = correct.get(body)
    let isCorrect = true
    const component =
      known?.name === name
        ? known
        : componentOf(name, body, keyPlace, (...problem) => {
            isCorrect = false
            report(...problem)
          })
    if (!component) continue
    if (isCorrect) correct.set(body, component)
    found.set(name, component)
  }
  return found
}

function componentOf(
  name: string,
  body: SourceNode,
  keyPlace: FilePlace,
  report: Report,
): ScenarioComponent | undefined {
  if (body.kind !== 'map') {
    report(body.place, `expected a component with one of ${CONTENT.join(', ')}`)
    return undefined
  }
  for (const [key, entry] of body.entries)
    if (!KEYS.includes(key))
      report(
        entry.keyPlace,
        `unknown key ${JSON.stringify(key)}${didYouMean(key, KEYS) || `; the keys here are ${KEYS.join(', ')}`}`,
      )
  const kinds = CONTENT.filter((kind) => body.entries.has(kind))
  if (kinds.length !== 1) {
    report(keyPlace, `component ${name} has ${kinds.length} contents; expected one of ${CONTENT.join(', ')}`)
    return undefined
  }
  return { name, kind: kinds[0]!, body, params: paramsIn(childOf(body, 'params'), report) }
}

function paramsIn(node: SourceNode | undefined, report: Report): ReadonlyMap<string, Param> {
  const params = new Map<string, Param>()
  if (!node) return params
  if (node.kind !== 'map') {
    report(node.place, 'expected parameters with their types, such as {label: text}')
    return params
  }
  for (const [name, entry] of node.entries) {
    const type = nodeText(entry.node.kind === 'map' ? childOf(entry.node, 'type') : entry.node) ?? 'any'
    const fallback = entry.node.kind === 'map' ? childOf(entry.node, 'default') : undefined
    if (!isType(type)) {
      report(
        entry.node.place,
        `unknown type ${JSON.stringify(type)}${didYouMean(type, TYPE_NAMES) || `; expected one of ${TYPE_NAMES.join(', ')}`}`,
      )
      continue
    }
    const value = fallback && plainValue(fallback)
    if (value !== undefined && !TYPES[type](value))
      report(fallback!.place, `expected ${type}, found ${JSON.stringify(value)}`)
    params.set(name, { type, fallback: value })
  }
  return params
}

/** A parameter under `params` of an included file, whose value the including file may choose. */
interface Option {
  readonly node: MapNode
  readonly type: ParamType
  readonly value: SourceNode
}

/** A parameter that is written with a `type` and a `default` and nothing else. Undefined for any other value. */
export function optionIn(node: SourceNode | undefined): Option | undefined {
  if (node?.kind !== 'map' || node.entries.size !== 2) return undefined
  const type = nodeText(childOf(node, 'type'))
  const value = childOf(node, 'default')
  return value && type !== undefined && isType(type) ? { node, type, value } : undefined
}

/** An option with another value. */
export function withOptionSet({ node }: Option, value: SourceNode): MapNode {
  const entries = new Map(node.entries)
  entries.set('default', { ...entries.get('default')!, node: optionIn(value)?.value ?? value })
  return { ...node, entries }
}

const leastValues = new WeakMap<Components, Map<string, number>>()

/**
 * The number of values that each use of a component makes at least: without what an `if` or a `repeat` may leave out.
 * Infinite for a component that always uses itself. Found before anything is expanded.
 */
export function leastValuesOf({ name, kind, body }: ScenarioComponent, components: Components): number {
  const known = leastValues.get(components) ?? new Map<string, number>()
  leastValues.set(components, known)
  const found = known.get(name)
  if (found !== undefined) return found
  // Holds for uses of itself below.
  known.set(name, Number.POSITIVE_INFINITY)
  const least = leastIn(childOf(body, kind)!, components)
  known.set(name, least)
  return least
}

function leastIn(node: SourceNode, components: Components): number {
  if (node.kind === 'scalar') return 1
  if (node.kind === 'list') return node.items.reduce((sum, item) => sum + leastIn(item, components), 1)
  if (node.entries.has('if') || node.entries.has('repeat')) return 0
  const used = components.get(nodeText(childOf(node, 'use')) ?? '')
  const own = [...node.entries].reduce(
    (sum, [key, entry]) => (key === 'with' ? sum : sum + leastIn(entry.node, components)),
    1,
  )
  return used ? own + leastValuesOf(used, components) : own
}

/** The names inside a component: its parameters with the arguments of one use. Undefined when these do not fit. */
export function bindArguments(
  { name, params }: ScenarioComponent,
  args: SourceNode | undefined,
  place: FilePlace,
  { report }: Expansion,
): Names | undefined {
  if (args && args.kind !== 'map') {
    report(args.place, `expected the parameters of ${name}, such as {${[...params.keys()].join(': …, ')}: …}`)
    return undefined
  }
  const given = args?.entries ?? new Map()
  let isRight = true
  const wrong = (where: FilePlace, message: string) => {
    isRight = false
    report(where, message)
  }
  for (const [key, { keyPlace }] of given)
    if (!params.has(key))
      wrong(
        keyPlace,
        `${name} has no parameter ${JSON.stringify(key)}${didYouMean(key, params.keys()) || `; it has ${[...params.keys()].join(', ') || 'none'}`}`,
      )
  const values: [string, DataValue][] = []
  const expressions: [string, string][] = []
  for (const [key, { type, fallback }] of params) {
    const node: SourceNode | undefined = given.get(key)?.node
    if (node?.kind === 'scalar' && node.live) {
      expressions.push([key, templateExpression(String(node.value))])
      continue
    }
    if (node && holdsLive(node))
      wrong(node.place, `${key} changes inside a list or record; pass the part that changes as a parameter`)
    const value = node ? plainValue(node) : fallback
    if (value === undefined) wrong(args?.place ?? place, `${name} needs ${key} (${type})`)
    else if (!TYPES[type](value)) wrong(node?.place ?? place, `${key} is ${JSON.stringify(value)}; expected ${type}`)
    else values.push([key, value])
  }
  return isRight ? withExpressions(withNames(NO_NAMES, values), expressions) : undefined
}

const holdsLive = (node: SourceNode): boolean => {
  if (node.kind === 'scalar') return node.live ?? false
  return (node.kind === 'list' ? node.items : [...node.entries.values()].map((entry) => entry.node)).some(holdsLive)
}
