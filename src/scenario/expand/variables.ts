import { didYouMean } from '../../base/strings.ts'
import { valueAt } from '../data/data-change.ts'
import { excessOf, misfit, nameOfType, type RunData } from '../data/run-data.ts'
import { LIVE_NAMES, typeAt } from '../data/scope.ts'
import { ANY, type DataType, DOUBLE, typeOf, unify } from '../expression/data-type.ts'
import { isExpressionName, type NameTypes } from '../expression/environment.ts'
import { type MapNode, plainValue, type Report, type SourceNode } from '../source/source-node.ts'
import { TYPE_WORDS } from './composition-keys.ts'
import type { Names } from './names.ts'

/** The variables of a scenario at the start, with their types. */
export interface Variables {
  readonly values: RunData
  readonly types: NameTypes
  /** The section with its templates filled, for the places of problems. Undefined without one. */
  readonly node: SourceNode | undefined
}

export const NO_VARIABLES: Variables = { values: {}, types: {}, node: undefined }

/** Reads the variables of a section whose templates are filled, and checks their names and size. */
export function readVariables(
  section: SourceNode | undefined,
  types: MapNode | undefined,
  params: Names,
  report: Report,
): Variables {
  if (section?.kind !== 'map')
    return types ? readVariables({ ...types, entries: new Map() }, types, params, report) : NO_VARIABLES
  for (const [name, { keyPlace }] of section.entries) {
    const wrong = misfitOfName(name, params)
    if (wrong !== undefined) report(keyPlace, wrong)
  }
  const values = plainValue(section) as RunData
  const excess = excessOf(values)
  if (excess !== undefined) report(section.place, excess)
  return { values, types: withItemTypes(fieldTypes(section), values, types, report), node: section }
}

/** The types of the variables, in which those of the items of some lists are written out. */
function withItemTypes(found: NameTypes, values: RunData, types: MapNode | undefined, report: Report): NameTypes {
  let all = found
  for (const [path, { keyPlace, node }] of types?.entries ?? []) {
    const type = typeAt(found, path)
    const items = writtenType(node, report)
    if (type?.kind !== 'list') {
      report(
        keyPlace,
        type
          ? `${path} is ${nameOfType(type)}; types is for lists`
          : `there is no variable ${JSON.stringify(path)}${didYouMean(path, Object.keys(found)) || `; the variables are ${Object.keys(found).join(', ') || 'none'}`}`,
      )
      continue
    }
    const list: DataType = { kind: 'list', items }
    const wrong = misfit(valueAt(values, path), list, path)
    if (wrong !== undefined) report(node.place, wrong)
    else all = withType(all, path.split('.'), list)
  }
  return all
}

function withType(types: NameTypes, [name = '', ...rest]: readonly string[], type: DataType): NameTypes {
  const own = types[name]
  if (rest.length === 0) return { ...types, [name]: type }
  return own?.kind === 'record'
    ? { ...types, [name]: { kind: 'record', fields: withType(own.fields, rest, type) } }
    : types
}

/** A type as it is written: a word, `{field: TYPE}` or `[TYPE]`. */
function writtenType(node: SourceNode, report: Report): DataType {
  if (node.kind === 'map')
    return {
      kind: 'record',
      fields: Object.fromEntries([...node.entries].map(([name, { node: type }]) => [name, writtenType(type, report)])),
    }
  const [items, more] = node.kind === 'list' ? node.items : []
  if (items && !more) return { kind: 'list', items: writtenType(items, report) }
  const word = node.kind === 'scalar' ? String(node.value) : ''
  if (Object.hasOwn(TYPE_WORDS, word)) return TYPE_WORDS[word]!
  const words = Object.keys(TYPE_WORDS)
  report(
    node.place,
    `expected a type${didYouMean(word, words) || `: ${words.join(', ')}, {field: TYPE} for records or [TYPE] for lists`}`,
  )
  return ANY
}

/** Why a name cannot be that of a variable or of a computed value. */
export function misfitOfName(name: string, params: Names, variables: NameTypes = {}): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${JSON.stringify(name)} is not a name; expected letters, digits and _`
  if (LIVE_NAMES.has(name) || !isExpressionName(name))
    return `${name} already has a meaning in expressions; choose another name`
  const kind = params.values.has(name) ? 'parameter' : Object.hasOwn(variables, name) ? 'variable' : undefined
  return kind && `${name} is a ${kind} already; choose another name`
}

const fieldTypes = ({ entries }: MapNode): NameTypes =>
  Object.fromEntries([...entries].map(([name, { node }]) => [name, typeOfNode(node)]))

/** Like the type of a value, but a number that is written as `1.0` is a decimal number. */
function typeOfNode(node: SourceNode): DataType {
  if (node.kind === 'scalar') return node.isDecimal ? DOUBLE : typeOf(node.value)
  if (node.kind === 'map') return { kind: 'record', fields: fieldTypes(node) }
  const [first, ...others] = node.items.map(typeOfNode)
  return { kind: 'list', items: first ? others.reduce(unify, first) : ANY }
}
