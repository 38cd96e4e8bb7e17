import { misspeltRole, type RoleKind, roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { valueAt } from '../data/data-change.ts'
import { nameOfType } from '../data/run-data.ts'
import { type LiveScope, typeAt } from '../data/scope.ts'
import type { DataType, DataValue } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { type MapEntry, type MapNode, nodeOf, nodeText, type Report } from '../source/source-node.ts'
import type { InputBinding, InputField } from './live-program.ts'

/** The roles that a variable is bound to by each of their fields. A number that can also be typed is bound by the number. */
const BOUND_BY: readonly (readonly [InputField, ReadonlySet<RoleKind>])[] = [
  ['value_now', rolesWith('stepped')],
  ['selected', rolesWhere(({ is }) => is.includes('switch') || is.includes('ticked'))],
  ['value', rolesWhere(({ is }) => is.includes('typed') || is.includes('entry'))],
  ['item', new Set<RoleKind>(['list', 'tree', 'tabs'])],
]
/** The types that the variable of a field may have. */
const INPUT_TYPES: Readonly<Record<InputField, readonly DataType['kind'][]>> = {
  value: ['string', 'int', 'double', 'any'],
  selected: ['bool', 'any'],
  value_now: ['int', 'double', 'any'],
  item: ['string', 'any'],
}

/** What a bound element is prepared with. */
interface InputWork {
  readonly scope: LiveScope
  readonly report: Report
  readonly inputs: InputBinding[]
}

/** How an element of a role shows the variable that it is bound to. Undefined if it cannot. */
export const inputFieldOf = (role: string): InputField | undefined =>
  BOUND_BY.find(([, roles]) => roles.has(roleKind(role)))?.[0]

/**
 * Connects an element with the variable that its `bind` names, and gives it the initial value. One that the running scenario
 * makes gets only the rules of its type; its `locals` are the items around it.
 */
export function withInput(
  node: MapNode,
  { node: bind, keyPlace }: MapEntry,
  place: Pick<InputBinding, 'state' | 'window' | 'element'> | { readonly locals: NameTypes },
  { scope, report, inputs }: InputWork,
): MapNode {
  const variable = nodeText(bind)
  const vars = 'locals' in place ? { ...scope.vars, ...place.locals } : scope.vars
  const type = variable === undefined ? undefined : typeAt(vars, variable)
  if (variable === undefined || !type) {
    // An unknown variable is reported with the other expressions.
    return node
  }
  const authored = node.entries.get('role')?.node
  const role = nodeText(authored) ?? ''
  const field = inputFieldOf(role)
  if (!field) {
    const misspelt = misspeltRole(role)
    report(
      misspelt === undefined ? keyPlace : authored!.place,
      misspelt ??
        `${role || 'an element without a role'} has no value that a user changes; bind is for fields and lists`,
    )
    return node
  }
  const hasKeys = field === 'item' && hasLiveItems(node)
  if (!INPUT_TYPES[field].includes(type.kind) && !(hasKeys && type.kind === 'int')) {
    report(bind.place, `${variable} is ${nameOfType(type)}, which ${role} does not show`)
    return node
  }
  if (!('locals' in place)) inputs.push({ ...place, field, variable })
  if (field === 'item') return node
  if (node.entries.has(field)) {
    report(node.entries.get(field)!.keyPlace, `${field} comes from the variable ${variable}; leave it out`)
    return node
  }
  const initial = () => {
    const value = valueAt(scope.initial, variable)
    return { keyPlace, node: nodeOf(field === 'value' ? textOfInput(value) : value, bind.place) }
  }
  const entries = 'locals' in place ? node.entries : new Map([...node.entries, [field, initial()]])
  const rule = field === 'value' ? NUMBER_RULES[type.kind] : undefined
  return { ...node, entries: rule ? withRule(entries, rule, keyPlace) : entries }
}

/** Whether items of a list follow the data, so that they are known by their keys. */
const hasLiveItems = (list: MapNode): boolean => {
  const children = list.entries.get('children')?.node
  return children?.kind === 'list' && children.items.some((item) => item.kind === 'map' && item.entries.has('repeat'))
}

/** The rules of text fields for numbers, so that other text makes them invalid. */
const NUMBER_RULES: Readonly<Partial<Record<DataType['kind'], Readonly<Record<string, string>>>>> = {
  int: { pattern: '\\s*[+-]?\\d{1,15}\\s*', message: 'Enter a whole number' },
  double: { pattern: '\\s*[+-]?(\\d{1,15}(\\.\\d{0,15})?|\\.\\d{1,15})\\s*', message: 'Enter a number' },
}

/** A field with a rule, unless the file gives it a pattern of its own. */
function withRule(
  entries: ReadonlyMap<string, MapEntry>,
  rule: Readonly<Record<string, string>>,
  keyPlace: MapEntry['keyPlace'],
): ReadonlyMap<string, MapEntry> {
  const own = entries.get('validation')?.node
  if (own?.kind === 'map' && own.entries.has('pattern')) return entries
  const made = nodeOf(rule, keyPlace) as MapNode
  const node = own?.kind === 'map' ? { ...own, entries: new Map([...made.entries, ...own.entries]) } : made
  return new Map([...entries, ['validation', { keyPlace, node }]])
}

/** A text of the data as a combo box shows it: in the language of a variant, if its choices have it. */
export const shownChoice = (choices: Readonly<Record<string, string>> | undefined, text: string): string =>
  choices && Object.hasOwn(choices, text) ? choices[text]! : text

/** The text of the data that a combo box shows as `shown`. */
export const chosenText = (choices: Readonly<Record<string, string>> | undefined, shown: string): string =>
  Object.entries(choices ?? {}).find(([, text]) => text === shown)?.[0] ?? shown

/** A value as a text field shows it. */
export const textOfInput = (value: DataValue): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
