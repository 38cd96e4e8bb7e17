import { compareValues, fieldOf, keyOfItem } from '../data/data-change.ts'
import { evaluateLive } from '../data/scope.ts'
import { type DataValue, isList, textOfValue } from '../expression/data-type.ts'
import type { ElementTemplate, RepeatTemplate } from '../live/live-program.ts'
import { type Around, inputValue, isSameList, type RefreshWork } from './refresh-work.ts'

/** The items of a `repeat`, in their order and with their keys. */

/** The most items of a list that are shown, of those that are made only in view, and the longest key. */
const MAX_ITEMS = 500
const MAX_ITEMS_OUT_OF_VIEW = 100_000
const MAX_KEY = 64

/** An item of a list, and the text of its key in ids. */
export interface KeyedItem {
  readonly value: DataValue
  readonly index: number
  readonly key: DataValue
  readonly text: string
}

/** The keys of all items of a list, in their order. */
export interface ItemKeys {
  /** As they are in ids; all of them differ. */
  readonly texts: readonly string[]
  /** As `bind` of the list has them. */
  readonly values: readonly string[]
}

/** The items of lists that were looked at last, by the template, and what they depended on. */
const lastItems = new WeakMap<RepeatTemplate, { readonly inputs: readonly unknown[]; readonly items: RepeatItems }[]>()
const MAX_LAST = 8

/** The items of a list, and what is wrong with it. */
export interface RepeatItems {
  readonly items: readonly KeyedItem[]
  readonly note: string | undefined
  /** The indexes of the whole list in the order of `sort_by`. */
  readonly order?: readonly number[] | undefined
  /** Of items that are made only in view. */
  readonly keys?: ItemKeys
  /** The texts of keys that are used before, and what stands in their place. */
  readonly clashes: readonly (readonly [text: string, unique: string])[]
}

const NO_CLASHES: RepeatItems['clashes'] = []

/** The items of a `repeat`: the same object until something changes that they depend on. */
export function itemsOfRepeat(
  repeat: RepeatTemplate,
  template: ElementTemplate,
  around: Around,
  work: RefreshWork,
): RepeatItems {
  const inputs = repeat.names.map((name) => inputValue(name, around, work))
  const last = lastItems.get(repeat) ?? []
  const known = last.find((each) => isSameList(each.inputs, inputs))
  const found = known?.items ?? keyedItems(repeat, template, around, work, last[0]?.items)
  if (!known) lastItems.set(repeat, [{ inputs, items: found }, ...last].slice(0, MAX_LAST))
  if (found.note !== undefined) work.notes.push(`repeat: ${found.note}`)
  return found
}

/** The keys of items of which only those in view are made. */
function keysOf(items: readonly KeyedItem[]): Pick<RepeatItems, 'keys' | 'clashes'> {
  const taken = new Set<string>()
  const clashes: (readonly [string, string])[] = []
  const texts = items.map(({ text }) => {
    let unique = text
    for (let number = 2; taken.has(unique); number++) unique = `${text}~${number}`
    taken.add(unique)
    if (unique !== text) clashes.push([text, unique])
    return unique
  })
  return { keys: { texts, values: items.map(({ key }) => textOfValue(key)) }, clashes }
}

/** @param last The items of the same list before, which stay the same objects where nothing changed. */
function keyedItems(
  repeat: RepeatTemplate,
  { locals }: ElementTemplate,
  around: Around,
  work: RefreshWork,
  last: RepeatItems | undefined,
): RepeatItems {
  const { of, key: keyField, sortBy, descending, page, itemHeight } = repeat
  const most = itemHeight === undefined ? MAX_ITEMS : MAX_ITEMS_OUT_OF_VIEW
  const { pageSize = most } = repeat
  const nothing = (note: string): RepeatItems => ({ items: [], note, ...keysOf([]) })
  const types = Object.fromEntries(
    Object.entries(locals).filter(([name]) => name !== repeat.as && name !== `${repeat.as}_index`),
  )
  const evaluate = (text: string) =>
    evaluateLive(work.program.scope, text, work.context, { types, values: around.locals })
  const result = evaluate(of)
  if ('message' in result) return nothing(result.message)
  const { value } = result
  const list = typeof value === 'number' ? numbersBelow(value) : value
  if (list === null || list instanceof Date || !isList(list))
    return nothing(`${of} is ${JSON.stringify(value)}; expected a list or a number`)
  const length = typeof value === 'number' ? value : list.length
  const order = sortBy === undefined ? undefined : sortedItems(list, sortBy, descending, last)
  const at = page === undefined ? undefined : evaluate(page)
  if (at && 'message' in at) return nothing(at.message)
  const from = typeof at?.value === 'number' ? Math.max(0, at.value) * pageSize : 0
  const end = Math.min(list.length, from + Math.min(pageSize, most))
  const isCut = page === undefined && length > most
  const items: KeyedItem[] = []
  // Whether the items have the keys that they had.
  let isSameKeys = last?.items.length === end - from
  for (let position = from; position < end; position++) {
    const index = order ? order[position]! : position
    const each = list[index]!
    const known = last?.items[position - from]
    if (known?.value === each && known.index === index) items.push(known)
    else {
      const key = keyOfItem(each, keyField)
      items.push({ value: each, index, key, text: keyText(key) })
      isSameKeys &&= known?.key === key
    }
  }
  const note = isCut ? `${of} has ${length} items; ${most} are shown` : undefined
  if (itemHeight === undefined) return { items, note, order, clashes: NO_CLASHES }
  return {
    items,
    note,
    order,
    ...(isSameKeys && last?.keys ? { keys: last.keys, clashes: last.clashes } : keysOf(items)),
  }
}

/** The indexes of a list in the order of a field; equal ones in their own. Starts with the last order, which is often almost right. */
function sortedItems(
  list: readonly DataValue[],
  field: string,
  descending: boolean,
  last: RepeatItems | undefined,
): readonly number[] {
  const isWhole = last?.order?.length === list.length && last.items.length === list.length
  if (isWhole && last.items.every(({ value, index }) => isAlike(value, list[index]!, field))) return last.order!
  const indexes = isWhole ? last.order!.slice() : list.map((_, index) => index)
  const sign = descending ? -1 : 1
  return indexes.sort((a, b) => sign * compareValues(fieldOf(list[a]!, field), fieldOf(list[b]!, field)) || a - b)
}

/** Whether an item has the place of another one in the order of a field. */
const isAlike = (a: DataValue, b: DataValue, field: string): boolean =>
  a === b ||
  (typeof fieldOf(a, field) === typeof fieldOf(b, field) && compareValues(fieldOf(a, field), fieldOf(b, field)) === 0)

/** The most items that `page` may choose from, of a number. */
const MAX_NUMBER = 100_000

const numbersBelow = (end: number): readonly DataValue[] =>
  Array.from({ length: Math.min(Math.max(Math.floor(end), 0), MAX_NUMBER) }, (_, index) => index)

const keyText = (key: DataValue): string => {
  const text = textOfValue(key)
  return /^[\w-]{0,64}$/.test(text) ? text : text.slice(0, MAX_KEY).replace(/[^\p{L}\p{N}_-]/gu, '_')
}
