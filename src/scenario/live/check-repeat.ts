import { didYouMean } from '../../base/strings.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { fieldOf, valueAt } from '../data/data-change.ts'
import { isAssignable, nameOfType } from '../data/run-data.ts'
import { sourcePath, withItem } from '../data/scope.ts'
import { ANY, type DataValue, INT, isList, textOfValue } from '../expression/data-type.ts'
import type { AuthoredElement, LiveRepeat } from '../schema/element.ts'
import type { KeyPath } from '../source/source.ts'
import { type CompileWork, compileStructure, type Surroundings } from './compile-expression.ts'
import { sharedTypes } from './event-names.ts'
import { namesOfItem } from './prepare-live.ts'

/** Checks a `repeat` over data: its list, the keys of its items, and lists of which only the items in view are made. */

/** Whether a `repeat` follows the data. Others are replaced before the file is checked. */
export const isLiveRepeat = (repeat: unknown): repeat is LiveRepeat =>
  typeof repeat === 'object' && repeat !== null && 'of' in repeat && 'as' in repeat

/** Checks a live `repeat`. Its item and the index are known below it. */
export function checkRepeat(repeat: LiveRepeat, path: KeyPath, near: Surroundings, work: CompileWork): Surroundings {
  const { scope, report } = work
  const { of, as: name = 'item', key, sort_by: sortBy, page, page_size: pageSize } = repeat
  const list = compileStructure(of, [...path, 'of'], near, work)
  const type = list?.type ?? ANY
  if (!['list', 'int', 'any'].includes(type.kind))
    report([...path, 'of'], `${of} is ${nameOfType(type)}; expected a list or a number`)
  const items = type.kind === 'list' ? type.items : ANY
  const fields = items.kind === 'record' ? items.fields : undefined
  const isPath = key !== undefined && /[.{]/.test(key)
  if (isPath)
    report([...path, 'key'], `key names a field of the records, such as key: ${/(\w+)\W*$/.exec(key)?.[1] ?? 'id'}`)
  else if (fields && !Object.hasOwn(fields, key ?? 'id'))
    report(
      key === undefined ? path : [...path, 'key'],
      key === undefined
        ? `the records of ${of} have no field id; write repeat: {of: ${of}, key: ${Object.keys(fields)[0]}} with a field that differs in each`
        : `the records of ${of} have no field ${JSON.stringify(key)}${didYouMean(key, Object.keys(fields)) || `; they have ${Object.keys(fields).join(', ')}`}`,
    )
  if (key !== undefined && !isPath && !fields && items.kind !== 'any')
    report([...path, 'key'], `the items of ${of} are no records; each is its own key`)
  if (['list', 'double', 'bool'].includes(items.kind) && type.kind === 'list')
    report([...path, 'of'], `the items of ${of} have no key; expected records, texts or integers`)
  if (sortBy !== undefined && !fields && items.kind !== 'any')
    report([...path, 'sort_by'], `the items of ${of} are no records; sort_by is for these`)
  if (sortBy !== undefined && fields && !Object.hasOwn(fields, sortBy))
    report(
      [...path, 'sort_by'],
      `the records of ${of} have no field ${JSON.stringify(sortBy)}${didYouMean(sortBy, Object.keys(fields)) || `; they have ${Object.keys(fields).join(', ')}`}`,
    )
  if ((page === undefined) !== (pageSize === undefined)) report(path, 'expected both page and page_size, or neither')
  const number = page === undefined ? undefined : compileStructure(page, [...path, 'page'], near, work)
  if (number && !isAssignable(number.type, INT))
    report([...path, 'page'], `${page} is ${nameOfType(number.type)}; expected an integer`)
  if (!fields || Object.hasOwn(fields, key ?? 'id')) checkKeys(of, key ?? 'id', path, work)
  const source = list && sourcePath(of, scope)
  const root = source?.root
  const place = source && [source.root, ...source.fields].join('.')
  const startsEmpty = place !== undefined && items.kind === 'any' && isEmptyList(valueAt(scope.initial, place))
  const item = namesOfItem(name, type)
  const around = withItem(near.items, repeat.name ?? name, item[name]!)
  // A reaction to an element around may be about the item in it.
  for (const id of near.partIds ?? []) work.itemsOf.set(id, sharedTypes(work.itemsOf.get(id), around))
  const isWritable =
    root !== undefined &&
    !near.computed?.has(root) &&
    (Object.hasOwn(scope.vars, root) || Object.hasOwn(near.locals, root))
  return {
    ...near,
    locals: { ...near.locals, ...item },
    items: around,
    computed: isWritable
      ? near.computed
      : new Map([...(near.computed ?? []), [name, scope.computed.get(of)?.text ?? of]]),
    untyped: startsEmpty ? new Map([...(near.untyped ?? []), [name, place]]) : near.untyped,
  }
}

/** The keys of an item whose place the list decides. */
const PLACE_KEYS = ['bounds', 'at', 'width', 'height', 'grow'] as const

/** Reports what a list cannot have whose items are made only while they are in view. */
export function checkItemHeight(map: Readonly<Record<string, unknown>>, path: KeyPath, { report }: CompileWork): void {
  const children: readonly AuthoredElement[] = Array.isArray(map.children) ? map.children : []
  const index = children.findIndex(({ repeat }) => isLiveRepeat(repeat) && repeat.item_height !== undefined)
  if (index < 0) return
  const item = children[index]!
  const list = map as AuthoredElement
  const here = [...path, 'children', index]
  const kind = roleKind(list.role ?? '')
  const wrong = (key: string, message: string) => report([...here, key], `with item_height, ${message}`)
  if (kind !== 'list' && kind !== 'scrollarea')
    wrong('repeat', `the parent scrolls, so it is a List or ScrollArea; ${list.role || 'this element'} shows all items`)
  else if (list.layout?.arrange !== undefined && list.layout.arrange !== 'column')
    wrong('repeat', `items are below each other; leave out arrange: ${list.layout.arrange} of the parent`)
  if (children.length > 1)
    wrong('repeat', 'the repeat is the only child of its parent; put other children beside that parent')
  if (kind === 'list' && roleKind(item.role ?? '') !== 'listitem')
    wrong('repeat', `the items of a List are ListItem; write a ScrollArea around items of the role ${item.role}`)
  if (list.rows !== undefined) wrong('repeat', 'the items come from repeat; leave out rows of the parent')
  if (item.repeat?.page !== undefined)
    wrong('repeat', 'the list scrolls through all items; leave out page and page_size')
  if (item.if !== undefined)
    wrong('if', 'each item has its place; leave items out with of: LIST.filter(item, CONDITION)')
  for (const key of PLACE_KEYS)
    if (item[key] !== undefined) wrong(key, `it decides the place of items; leave out ${key}`)
}

const isEmptyList = (value: DataValue): boolean => value !== null && isList(value) && value.length === 0

/** Reports a record of a variable that has the key of one before it. */
function checkKeys(of: string, key: string, path: KeyPath, { scope, report }: CompileWork): void {
  const records = /^\w+(\.\w+)*$/.test(of) ? valueAt(scope.initial, of) : null
  if (records === null || !isList(records)) return
  const known = new Map<DataValue, number>()
  for (const [index, record] of records.entries()) {
    const value = typeof record === 'object' && record !== null ? fieldOf(record, key) : record
    const before = known.get(value)
    if (before !== undefined) {
      report([...path, 'of'], `${of}[${index}] has the key ${textOfValue(value)} of ${of}[${before}]; keys must differ`)
      return
    }
    known.set(value, index)
  }
}
