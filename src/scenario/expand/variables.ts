import { didYouMean } from '../../base/text/suggest.ts'
import { excessOf } from '../data/data-size.ts'
import { LIVE_NAMES } from '../data/live-names.ts'
import type { RunData } from '../data/run-data.ts'
import { ANY, type DataType, DOUBLE, typeOf, unify } from '../expression/data-type.ts'
import { isExpressionName, type NameTypes } from '../expression/environment.ts'
import type { Names } from './names.ts'
import { type MapNode, plainValue, type Report, type SourceNode } from './source-node.ts'

/** The variables of a scenario at the start, with their types. */
export interface Variables {
  readonly values: RunData
  readonly types: NameTypes
}

export const NO_VARIABLES: Variables = { values: {}, types: {} }

/** Reads the variables of a section whose templates are filled, and checks their names and size. */
export function readVariables(section: SourceNode | undefined, params: Names, report: Report): Variables {
  if (section?.kind !== 'map') return NO_VARIABLES
  for (const [name, { keyPlace }] of section.entries) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      report(keyPlace, `${JSON.stringify(name)} is not a name; expected letters, digits and _`)
    else if (LIVE_NAMES.has(name) || !isExpressionName(name))
      report(keyPlace, `${name} already has a meaning in expressions; choose another name`)
    else if (params.values.has(name)) report(keyPlace, `${name} is a parameter already; choose another name`)
  }
  const values = plainValue(section) as RunData
  const excess = excessOf(values)
  if (excess !== undefined) report(section.place, excess)
  return { values, types: fieldTypes(section) }
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

/** The message about a variable, or a field in it such as `form.amount`, that does not exist. */
export function unknownVariable(path: string, types: NameTypes): string {
  const [name = '', ...fields] = path.split('.')
  let type = Object.hasOwn(types, name) ? types[name] : undefined
  if (!type) return `there is no variable ${JSON.stringify(name)}${hintOf(name, types, 'the variables are')}`
  let above = name
  for (const field of fields) {
    if (type?.kind !== 'record') return `${above} has no fields, and ${JSON.stringify(path)} names one`
    if (!Object.hasOwn(type.fields, field))
      return `${above} has no field ${JSON.stringify(field)}${hintOf(field, type.fields, 'its fields are')}`
    type = type.fields[field]
    above = `${above}.${field}`
  }
  return `there is no variable ${JSON.stringify(path)}`
}

const hintOf = (name: string, types: NameTypes, listed: string): string =>
  didYouMean(name, Object.keys(types)) || `; ${listed} ${Object.keys(types).join(', ') || 'none'}`
