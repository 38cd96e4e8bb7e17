import { type Element, withFields, withOtherChildren } from '../../desktop/model/element.ts'
import { textOfValue } from '../expression/data-type.ts'
import type { ElementTemplate, LiveHost, RepeatTemplate } from '../live/live-program.ts'
import { ownChildren, withWidgetState } from './adopt.ts'
import { builtInstance } from './build-instance.ts'
import { instanceOf, type LiveItem } from './instance.ts'
import { withItemsInView } from './item-rows.ts'
import { itemsOfRepeat, type KeyedItem } from './items.ts'
import { type Around, freeId, hasRoom, inputValue, meetsCondition, NOWHERE, type RefreshWork } from './refresh-work.ts'
import {
  type ById,
  byId,
  isItemOf,
  isSamePlace,
  isUpToDate,
  itemIdsIn,
  keptInstance,
  openMadeItems,
  type SharedByItems,
  sharedByItems,
} from './reuse.ts'

/** Makes the instances of templates: one for each item, with those below it. */

/** An element of the file with its instances. Its other children stay in their order, and instances stand between them. */
export function withInstancesOf(host: Element, { children: written }: LiveHost, work: RefreshWork): Element {
  const [only] = written
  if (typeof only === 'object' && only.repeat?.itemHeight !== undefined) return itemsInView(host, only, NOWHERE, work)
  const own = host.children.filter(({ traits }) => !traits?.instance)
  const before = byId(host.children)
  const children: Element[] = []
  let placed = 0
  for (const child of written) {
    if (typeof child !== 'string') {
      children.push(...instances(child, NOWHERE, host, before, work))
      continue
    }
    const index = own.findIndex(({ id }) => id === child)
    if (index < placed) continue
    children.push(...own.slice(placed, index + 1))
    placed = index + 1
  }
  children.push(...own.slice(placed))
  const next = sameOrNew(host.children, children, work)
  return next === host.children ? host : withOtherChildren(host, next)
}

/** The root of the window for an item. Undefined if the condition of the root leaves it out. */
export function rootOfItem(
  root: ElementTemplate & { readonly repeat: RepeatTemplate },
  { item, locals }: { readonly item: LiveItem; readonly locals: Around['locals'] },
  before: Element | undefined,
  work: RefreshWork,
): Element | undefined {
  const around: Around = { ...NOWHERE, locals, items: new Map([[root.repeat.as, item]]) }
  const inputs = root.inputs.map((name) => inputValue(name, around, work))
  const wanted = { id: idOfInstance(root, NOWHERE), inputs, item }
  return oneInstance(root, wanted, () => around, undefined, byId(before ? [before] : []), work)[0]
}

/** The children of before if none of them changed. Other ones in other places need a layout. */
function sameOrNew(
  before: readonly Element[],
  after: readonly Element[],
  { adoption }: RefreshWork,
): readonly Element[] {
  const isSame = before.length === after.length && before.every(({ id }, index) => id === after[index]!.id)
  if (!isSame) adoption.needsLayout = true
  return isSame && before.every((element, index) => element === after[index]) ? before : after
}

/** The instances of a template in the order of its items. */
function instances(
  template: ElementTemplate,
  around: Around,
  parent: Element | undefined,
  before: ById,
  work: RefreshWork,
): readonly Element[] {
  if (!hasRoom(work)) return []
  const wanted = idOfInstance(template, around)
  if (!template.repeat) {
    const inputs = template.inputs.map((name) => inputValue(name, around, work))
    return oneInstance(template, { id: wanted, inputs, item: undefined }, () => around, parent, before, work)
  }
  const { repeat } = template
  const shared = sharedByItems(template, repeat, around, work)
  const make = itemMaker(template, shared, around, parent, before, work)
  const last = openMadeItems(template, around.item ?? wanted, shared, before, work)
  const made: Element[] = []
  for (const item of itemsOfRepeat(repeat, template, around, work).items) {
    if (!hasRoom(work)) break
    const same = last.take(item)
    if (same) {
      made.push(same.element)
      continue
    }
    const id = `${wanted}-${item.text}`
    const { needsLayout } = work.adoption
    work.adoption.needsLayout = false
    const [element] = make(item, id)
    const earlier = before.get(id)
    if (element) made.push(element)
    if (element && element === earlier) last.keep({ item, element, ids: itemIdsIn(element) })
    if (around !== NOWHERE || !earlier) work.adoption.needsLayout ||= needsLayout
    else {
      if (work.adoption.needsLayout) work.blocks.push(id)
      work.adoption.needsLayout = needsLayout
    }
  }
  last.close()
  return made
}

/** Makes the instance of an item, or keeps the one that is there. */
function itemMaker(
  template: ElementTemplate,
  { repeat, outer, source }: SharedByItems,
  around: Around,
  parent: Element | undefined,
  before: ById,
  work: RefreshWork,
): (item: KeyedItem, id: string) => readonly Element[] {
  const [at, atIndex] = [template.inputs.indexOf(repeat.as), template.inputs.indexOf(`${repeat.as}_index`)]
  return ({ value, key, index }, id) => {
    const last = before.get(id)
    // Most items are as they were; for those nothing is made.
    const isSameInput = (input: unknown, number: number) =>
      input === (number === at ? value : number === atIndex ? index : outer[number])
    const isLast =
      last !== undefined &&
      !work.taken.has(id) &&
      isItemOf(instanceOf(last)?.item?.place, source, key, repeat.key) &&
      isUpToDate(last, template, id, isSameInput, work)
    if (isLast) return [keptInstance(last, parent, id, work)]
    const item: LiveItem = {
      name: repeat.name,
      value,
      key: textOfValue(key),
      place: source && { var: source.var, at: [...source.at, { key, keyField: repeat.key }] },
    }
    const inputs = outer.slice()
    if (at >= 0) inputs[at] = value
    if (atIndex >= 0) inputs[atIndex] = index
    const inside = (): Around => ({
      item: around.item,
      parent: around.parent,
      locals: { ...around.locals, [repeat.as]: value, [`${repeat.as}_index`]: index },
      items: new Map([...around.items, [repeat.as, item]]),
    })
    return oneInstance(template, { id, inputs, item }, inside, parent, before, work)
  }
}

/** A list whose only child is made for the items in view. */
function itemsInView(list: Element, template: ElementTemplate, around: Around, work: RefreshWork): Element {
  const shared = sharedByItems(template, template.repeat!, around, work)
  const make = itemMaker(template, shared, around, list, byId(list.children), work)
  return withItemsInView(list, template, { prefix: `${idOfInstance(template, around)}-`, around, make }, work)
}

/** The id of a template: below an item, its own one after that of the item; without one, its position in its parent. */
function idOfInstance({ id, position, repeat }: ElementTemplate, { item, parent }: Around): string {
  if (id === undefined) return parent === undefined || position.startsWith('root') ? position : `${parent}.${position}`
  const isAnywhere = repeat?.source !== undefined && !repeat.source.isItem
  return item === undefined || isAnywhere ? id : `${item}.${id}`
}

/** An instance that is wanted, and what it depends on. */
interface Wanted {
  readonly id: string
  readonly inputs: readonly unknown[]
  readonly item: LiveItem | undefined
}

/** An instance, unless its condition leaves it out. */
function oneInstance(
  template: ElementTemplate,
  { id: wanted, inputs, item }: Wanted,
  aroundIt: () => Around,
  parent: Element | undefined,
  before: ById,
  work: RefreshWork,
): readonly Element[] {
  work.tried++
  const id = freeId(wanted, work)
  const known = before.get(id) ?? work.known().get(id)
  const instance = known && instanceOf(known)
  const earlier = instance?.source
  // Its place in the data may be another, although nothing that it shows is.
  const isSameItem = isSamePlace(instance?.item?.place, item?.place)
  if (known && isSameItem && isUpToDate(known, template, id, (input, number) => input === inputs[number], work))
    return [keptInstance(known, before.get(id) && parent, id, work)]
  const around = aroundIt()
  if (template.condition !== undefined && !meetsCondition(template.condition, template, around, work)) {
    work.onLeftOut?.({ id, template, items: around.locals })
    return []
  }
  work.taken.add(id)
  const inside: Around = {
    ...around,
    // The ids in the window for an item have none before them.
    item: item && template.window === undefined ? id : around.item,
    parent: id,
  }
  const built = builtInstance(template, id, inside, work)
  const source = { template, id, inputs, built }
  const adopted = withWidgetState(built, known, {
    instance: { id: template.id, item, source },
    controlled: template.fields,
    bind: template.bind,
    parent: before.get(id) && parent,
    adoption: work.adoption,
  })
  const isAdopted = known !== undefined && earlier !== undefined && known.role === built.role
  if (!isAdopted) work.adoption.needsLayout = true
  const own = isAdopted ? known.children : []
  const [only] = template.children
  if (only?.repeat?.itemHeight !== undefined)
    return [itemsInView(withFields(adopted, { children: own }), only, inside, work)]
  const ownById = byId(own)
  const parts = template.children.flatMap((part) => instances(part, inside, known, ownById, work))
  const others = isAdopted ? ownChildren(known, earlier.built, built) : built.children
  return [withFields(adopted, { children: sameOrNew(own, [...parts, ...others], work) })]
}
