import { type Element, memoize } from '../../desktop/model/element.ts'
import type { DataPlace } from '../data/run-data.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { ElementTemplate, RepeatTemplate } from '../live/live-program.ts'
import { restored } from './adopt.ts'
import { instanceOf } from './instance.ts'
import { hasOtherItems } from './item-rows.ts'
import type { KeyedItem } from './items.ts'
import {
  type Around,
  inputValue,
  isSameList,
  type KeptIds,
  MAX_INSTANCES,
  placeInData,
  type RefreshWork,
} from './refresh-work.ts'

/** The instances that stay as they are, so that nothing is made or laid out for them. */

/** The instances among the children of an element by their ids. */
export interface ById {
  readonly children: readonly Element[]
  /** Where the next one is expected. */
  next: number
  get(id: string): Element | undefined
}

/** Finds instances among the children of an element, which are mostly asked for in their order. */
export function byId(children: readonly Element[]): ById {
  let places: Map<string, number> | undefined
  return {
    children,
    next: 0,
    get(id) {
      for (let at = Math.max(0, this.next - 1); at <= this.next && at < children.length; at++) {
        const child = children[at]!
        if (child.id !== id || !child.traits?.instance) continue
        this.next = at + 1
        return child
      }
      places ??= new Map(children.flatMap((child, at) => (child.traits?.instance ? [[child.id, at] as const] : [])))
      const at = places.get(id)
      if (at === undefined) return undefined
      this.next = at + 1
      return children[at]
    },
  }
}

/** Whether two places are the same one in the data. */
export function isSamePlace(a: DataPlace | undefined, b: DataPlace | undefined): boolean {
  if (a === b) return true
  if (!a || !b || a.var !== b.var || a.at.length !== b.at.length) return false
  return a.at.every((step, index) => {
    const other = b.at[index]!
    if ('field' in step) return 'field' in other && step.field === other.field
    return 'key' in other && step.key === other.key && step.keyField === other.keyField
  })
}

/** Whether a place is that of the item with a key in a list. */
export function isItemOf(
  place: DataPlace | undefined,
  list: DataPlace | undefined,
  key: DataValue,
  keyField: string,
): boolean {
  if (!place || !list) return place === list
  const step = place.at.at(-1)!
  return (
    place.var === list.var &&
    place.at.length === list.at.length + 1 &&
    'key' in step &&
    step.key === key &&
    step.keyField === keyField &&
    (list.at.length === 0 || isSamePlace({ ...place, at: place.at.slice(0, -1) }, list))
  )
}

/** Whether an instance is what would be made now, so that it stays. */
export function isUpToDate(
  known: Element,
  template: ElementTemplate,
  id: string,
  isSameInput: (input: unknown, number: number) => boolean,
  { fromScratch, taken }: RefreshWork,
): boolean {
  const source = instanceOf(known)?.source
  return (
    source !== undefined &&
    source.template === template &&
    source.id === id &&
    !fromScratch &&
    !template.readsScreen &&
    !(template.isVirtual && hasOtherItems(known)) &&
    source.inputs.every(isSameInput) &&
    itemIdsIn(known).length <= MAX_INSTANCES - taken.size &&
    itemIdsIn(known).every((each) => each === id || (!taken.has(each) && !each.includes('~')))
  )
}

/** An instance that stays, with what always shows the data. */
export function keptInstance(
  known: Element,
  parent: Element | undefined,
  id: string,
  { taken, adoption }: RefreshWork,
): Element {
  taken.add(id)
  for (const each of itemIdsIn(known)) taken.add(each)
  return restored(known, adoption, parent)
}

/** The ids of the items in an instance. */
export const itemIdsIn: (element: Element) => readonly string[] = memoize((element) => [
  ...(element.traits?.instance ? [element.id] : []),
  ...element.children.flatMap((child) => (child.traits?.instance ? itemIdsIn(child) : [])),
])

/** What all items of a template depend on. */
export interface SharedByItems {
  readonly repeat: RepeatTemplate
  /** The values of the inputs of the template outside of its items. */
  readonly outer: readonly unknown[]
  /** The list in the data, if it can be written. */
  readonly source: DataPlace | undefined
}

/** What all items of a template depend on, as it is now. */
export const sharedByItems = (
  { inputs }: ElementTemplate,
  repeat: RepeatTemplate,
  around: Around,
  work: RefreshWork,
): SharedByItems => ({
  repeat,
  outer: inputs.map((name) => inputValue(name, around, work)),
  source: repeat.source && placeInData(repeat.source, around),
})

/** An item whose element stayed, and the ids of the items in it. */
interface MadeItem {
  readonly item: KeyedItem
  readonly element: Element
  readonly ids: readonly string[]
  /** The pass in which it stayed last, and the one in which something before it took an id of it. */
  stayed?: object
  lost?: object
}

/** The items of a list whose elements stayed, and what all of them depend on. */
interface MadeItems extends Omit<SharedByItems, 'repeat'> {
  readonly uid: string
  /** The id of the item around the list, otherwise the one of its items in the file. */
  readonly id: string
  readonly items: readonly MadeItem[]
  /** The items by the ids in them. It goes over to the next items of the list, so that only those that came or went change it. */
  readonly owners: Map<string, MadeItem>
}

/** The lists that were made last, newest first. What is found here is in the tree as well, so that it is no state. */
const madeItems = new WeakMap<ElementTemplate, readonly MadeItems[]>()
const MAX_MADE = 16
/** How many items or children may have gone before the next one that stayed. */
const MAX_GONE = 16

/**
 * Finds the items of a list that stay as they are. Most do, one after the other, so that nothing is made or looked up for them: an
 * item stays whose record and element are those of the last time.
 */
export function openMadeItems(
  template: ElementTemplate,
  id: string,
  { repeat, outer, source }: SharedByItems,
  among: ById,
  work: RefreshWork,
): {
  /** The next of them, if it is the one of an item. */
  take(item: KeyedItem): MadeItem | undefined
  /** Adds an item whose element stayed. */
  keep(made: MadeItem): void
  close(): void
} {
  const readsIndex = template.inputs.includes(`${repeat.as}_index`)
  const isKept = !template.readsScreen && !template.isVirtual
  const all = madeItems.get(template) ?? []
  const found = all.find((each) => each.id === id && each.uid === work.uid)
  const isUsed =
    isKept && !work.fromScratch && found && isSameList(found.outer, outer) && isSamePlace(found.source, source)
  const before = isUsed ? found.items : []
  const owners = isUsed ? found.owners : new Map<string, MadeItem>()
  const items: MadeItem[] = []
  let itemAt = 0
  const isItem = (made: MadeItem, { value, key, index }: KeyedItem) =>
    made.item.value === value && made.item.key === key && (!readsIndex || made.item.index === index)
  const { taken } = work
  const { pass } = taken
  const kept: KeptIds = {
    has: (each) => owners.get(each)?.stayed === pass,
    lose: (each) => {
      const owner = owners.get(each)
      if (owner) owner.lost = pass
    },
  }
  if (before.length > 0) taken.open(kept)
  return {
    take(item) {
      const at = indexNear(before, itemAt, (made) => isItem(made, item))
      if (at < 0) return undefined
      const made = before[at]!
      itemAt = at + 1
      const place = indexNear(among.children, among.next, (child) => child === made.element)
      if (place < 0) return undefined
      among.next = place + 1
      if (made.lost === pass || made.ids.length > MAX_INSTANCES - taken.size) return undefined
      if (taken.isInOther(kept, made.ids)) return undefined
      made.stayed = pass
      taken.keep(made.ids.length)
      items.push(made)
      return made
    },
    keep: (made) => items.push(made),
    close() {
      if (!isKept || work.fromScratch) return
      for (const made of before) if (made.stayed !== pass) withoutOwner(owners, made)
      for (const made of items) if (made.stayed !== pass) for (const each of made.ids) owners.set(each, made)
      const others = all.filter((each) => each !== found)
      madeItems.set(template, [{ uid: work.uid, id, outer, source, items, owners }, ...others].slice(0, MAX_MADE))
    },
  }
}

function withoutOwner(owners: Map<string, MadeItem>, made: MadeItem): void {
  for (const id of made.ids) if (owners.get(id) === made) owners.delete(id)
}

/** The index of the first item for which a test holds, from one on, if it is near. */
function indexNear<T>(list: readonly T[], from: number, test: (item: T) => boolean): number {
  const end = Math.min(list.length, from + MAX_GONE)
  for (let at = from; at < end; at++) if (test(list[at]!)) return at
  return -1
}
