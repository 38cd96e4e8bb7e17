import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import { keyOfItem, valueAt } from '../data/data-change.ts'
import { type DataValue, isList, textOfValue } from '../expression/data-type.ts'
import { inputFieldOf } from '../live/bind-input.ts'
import type { Scenario } from '../scenario.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import { type AuthoredElement, isTemplateElement } from '../schema/element.ts'
import type { Trigger } from '../schema/reaction.ts'
import type { ReportProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { allWindows, forEachEffect } from '../visit.ts'

/** Probable mistakes about elements that follow the data, and about the records of tables. */

/** An element of the file, and the `repeat`s around it, outermost first. */
interface Authored {
  readonly element: AuthoredElement
  readonly path: KeyPath
  readonly within: readonly AuthoredElement[]
}

export function warnOfItems(authored: AuthoredScenario, scenario: Scenario, warn: ReportProblem): void {
  const data = scenario.program?.scope.initial ?? {}
  const all: Authored[] = []
  const below = (element: AuthoredElement, path: KeyPath, around: readonly AuthoredElement[]): void => {
    const within = element.repeat ? [...around, element] : around
    all.push({ element, path, within })
    element.children?.forEach((child, index) => {
      below(child, [...path, 'children', index], within)
    })
  }
  for (const { window, path } of allWindows(authored)) if (window.tree) below(window.tree, [...path, 'tree'], [])
  const kept = valuesAt(data)
  for (const each of all) {
    warnOfChoice(each, warn)
    warnOfNames(each, warn)
    warnOfRows(each, kept, warn)
    warnOfScroll(each, warn)
  }
  warnOfEffects(authored, all, kept, warn)
}

/** The list in the data at a path, such as `orders` or `form.lines`. Undefined for what is no list, and for expressions. */
const valuesAt =
  (data: Scenario['data']) =>
  (path: string): readonly DataValue[] | undefined => {
    const value = /^\w+(\.\w+)*$/.test(path) ? valueAt(data, path) : null
    return value !== null && isList(value) ? value : undefined
  }
type ListAt = ReturnType<typeof valuesAt>

/** A choice that shows the data without `bind` jumps back. */
function warnOfChoice({ element, path, within }: Authored, warn: ReportProblem): void {
  const isItem = within.length > 0 || isTemplateElement(element)
  const field = isItem && element.bind === undefined ? inputFieldOf(element.role ?? '') : undefined
  const template = field === undefined || field === 'item' ? undefined : element[field]
  const [, place] = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(String(template)) ?? []
  if (place !== undefined)
    warn([...path, field!], `what a user changes here does not change ${place}; write bind: ${place}`)
}

const SHOWN = ['name', 'value', 'subtitle', 'title', 'description', 'placeholder'] as const

/** The name of an item without braces is shown as it is. */
function warnOfNames({ element, path, within }: Authored, warn: ReportProblem): void {
  const items = within.map(({ repeat }) => repeat?.as ?? 'item')
  for (const key of SHOWN) {
    const text = (element as Readonly<Record<string, unknown>>)[key]
    if (typeof text !== 'string') continue
    const [, inside] = /^\{?\s*(\w+(?:\.\w+)+)\s*\}?$/.exec(text) ?? []
    if (inside === undefined || !items.includes(inside.split('.')[0]!)) continue
    warn([...path, key], `${text} is shown as it is; write '{{ ${inside} }}'`)
  }
}

/** Rows beside those that a table makes, and values that the options of a column do not have. */
function warnOfRows({ element, path }: Authored, listAt: ListAt, warn: ReportProblem): void {
  const { rows, columns = [], children = [] } = element
  if (typeof rows !== 'string') return
  for (const [index, child] of children.entries())
    if (child.repeat && ['row', 'listitem', 'cell'].includes(roleKind(child.role ?? '')))
      warn([...path, 'children', index, 'repeat'], `rows: ${rows} makes the rows; leave out this repeat, or rows`)
  for (const [index, { field, role, options, formula }] of columns.entries()) {
    if (role !== 'ComboBox' || !options || formula !== undefined) continue
    const at = (listAt(rows) ?? []).findIndex((record) => !options.includes(textOfValue(fieldIn(record, field))))
    if (at < 0) continue
    const value = JSON.stringify(fieldIn(listAt(rows)![at]!, field))
    warn([...path, 'columns', index, 'options'], `${rows}[${at}].${field} is ${value}, which the options do not have`)
  }
}

const fieldIn = (record: DataValue, field: string): DataValue =>
  typeof record === 'object' && record !== null && !isList(record)
    ? ((record as Readonly<Record<string, DataValue>>)[field] ?? null)
    : null

const SCROLLS = rolesWith('scrolls')

function warnOfScroll({ element: { role = '', scroll }, path }: Authored, warn: ReportProblem): void {
  if (scroll && !SCROLLS.has(roleKind(role)) && roleKind(role) !== 'window')
    warn([...path, 'scroll'], `a ${role} does not scroll; write scroll on a ScrollArea around the items`)
}

/** Effects on what the data make again after each step, and records with the key of another. */
function warnOfEffects(
  authored: AuthoredScenario,
  all: readonly Authored[],
  listAt: ListAt,
  warn: ReportProblem,
): void {
  const lists = new Map<string, string>()
  const parts = new Map<string, Authored>()
  const fixed = new Map<string, AuthoredElement>()
  const keys = new Map<string, string>()
  for (const each of all) {
    const { element, within } = each
    const { id, repeat, children = [], rows, key } = element
    const list = children.find((child) => child.repeat !== undefined)?.repeat?.of
    if (repeat) keys.set(repeat.of, repeat.key ?? 'id')
    if (typeof rows === 'string' && key !== undefined) keys.set(rows, key)
    if (id === undefined) continue
    if (list !== undefined) lists.set(id, list)
    if (within.length > 0) parts.set(id, each)
    else fixed.set(id, element)
  }
  const mayBeAbout = (on: Trigger, item: AuthoredElement): boolean => {
    const ids = [on.target_id, on.from_id, on.changed].filter((id) => id !== undefined)
    if (ids.length === 0) return on.changed_var === undefined
    return ids.some((id) => (fixed.has(id) ? hasItems(fixed.get(id)!) : (parts.get(id)?.within.includes(item) ?? true)))
  }
  /** The part that an id means: that of the file, or of one item. */
  const partWith = (id: string): Authored | undefined =>
    fixed.has(id) ? undefined : (parts.get(id) ?? parts.get(id.split('.').at(-1)!.split('-')[0]!))
  forEachEffect(authored, (change, path, on) => {
    if ('var' in change) {
      warnOfKey(change, path, { keys, listAt }, warn)
      return
    }
    if (!('id' in change) || change.id === undefined) return
    const list = lists.get(change.id)
    if ('append' in change && list !== undefined)
      warn([...path, 'append'], `the children of ${change.id} follow ${list}; write {var: ${list}, append: …}`)
    const part = partWith(change.id)
    if (!part) return
    const [outer, ...inner] = part.within
    const { of = '', key = 'id' } = outer?.repeat ?? {}
    if ('remove' in change && change.remove)
      return warn(
        [...path, 'remove'],
        `${change.id} follows ${of} and is made again; change the data, such as {var: event.item, remove: true}`,
      )
    const controlled = Object.keys(change).find((field) => isLiveField(part.element, field))
    if (controlled !== undefined)
      return warn([...path, controlled], `${controlled} of ${change.id} always shows the data; change the data instead`)
    const items = listAt(of)
    if (part.element.id !== change.id || !outer || inner.length > 0 || !items || (on && mayBeAbout(on, outer))) return
    const [first = 'KEY'] = items
    const example = `${outer.id ?? 'item'}-${textOfValue(keyOfItem(first, key))}${outer.id === change.id ? '' : `.${change.id}`}`
    warn([...path, 'id'], `${change.id} is in every item of ${of}; change the data, or name one, such as ${example}`)
  })
}

/** Whether a field of an element has a live template. */
const isLiveField = (element: AuthoredElement, field: string): boolean => {
  const text = (element as Readonly<Record<string, unknown>>)[field]
  return typeof text === 'string' && text.includes('{{')
}

interface Keys {
  /** The key of the records of each list that elements show. */
  readonly keys: ReadonlyMap<string, string>
  readonly listAt: ListAt
}

/** Warns of a record that is appended with the key of another. */
function warnOfKey(
  change: { readonly var: string; readonly append?: unknown; readonly change?: unknown },
  path: KeyPath,
  { keys, listAt }: Keys,
  warn: ReportProblem,
): void {
  const key = keys.get(change.var)
  if (key === undefined) return
  const appended = (change.append as Readonly<Record<string, DataValue>> | undefined)?.[key]
  const at = listAt(change.var)?.findIndex((record) => fieldIn(record, key) === appended) ?? -1
  if (appended !== undefined && appended !== null && at >= 0) {
    const next = typeof appended === 'number' ? `; write '{{ next_id(${change.var}) }}'` : ''
    warn([...path, 'append', key], `${change.var}[${at}] has the key ${textOfValue(appended)} already${next}`)
  }
}

/** Whether an element has elements below it that are made for the items of a list. */
const hasItems = ({ children = [] }: AuthoredElement): boolean =>
  children.some((child) => child.repeat !== undefined || hasItems(child))
