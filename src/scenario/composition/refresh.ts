import { Fault } from '../../base/fault.ts'
import { type Desktop, type Window, windowByUid, windowWith } from '../../desktop/model/desktop.ts'
import {
  changeAt,
  type Element,
  memoize,
  nodeById,
  type Path,
  pathOf,
  walk,
  withFields,
  withOtherChildren,
} from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { kindOf } from '../../desktop/model/role.ts'
import type { RowItems } from '../../desktop/model/traits.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { realised } from '../../desktop/widgets/virtual-rows.ts'
import { buildElement } from '../build-window.ts'
import { compareValues, fieldOf, keyOfItem, valueAtPlace } from '../data/data-change.ts'
import type { DataPlace } from '../data/run-data.ts'
import { evaluateLive, type LiveContext, type LocalNames, valueOfName } from '../data/scope.ts'
import { type DataValue, isList, textOfValue } from '../expression/data-type.ts'
import { boundsOfItem, layOutBlock, layOutItem, layOutWindow } from '../layout/layout.ts'
import { textOfInput } from '../live/bind-input.ts'
import {
  type ElementTemplate,
  type FieldTemplate,
  type ItemWindows,
  type LiveHost,
  type LiveProgram,
  type PlaceTemplate,
  type RepeatTemplate,
  SHOWN_FIELDS,
  type WindowTemplate,
} from '../live/live-program.ts'
import { evaluateTemplate } from '../live/live-template.ts'
import { fieldValue, misfitOfField } from '../live/prepare-live.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { addressOf } from '../sites/sites.ts'
import { type Adoption, ownChildren, restored, withWidgetState } from './adopt.ts'
import { instanceOf, type LiveItem } from './instance.ts'
import { hasOtherItems, type ItemKeys, lacksItems, positionsInTree, withItemRows } from './item-rows.ts'

/**
 * Makes the children that follow the data. What a window shows is a function of the data, the state and the time, and of what
 * the user changed in elements with the same ids: made again from the start, it is the same.
 */

/** The most items of a list that are shown, of those that are made only in view, and the longest key. */
const MAX_ITEMS = 500
const MAX_ITEMS_OUT_OF_VIEW = 100_000
const MAX_KEY = 64
/** The most windows of a `repeat`. */
const MAX_WINDOWS = 50
/** The most elements that follow the data in a window, and how many may be tried whose condition leaves them out. */
const MAX_INSTANCES = 10_000
const MAX_TRIED = 100_000

/** A window whose instances are up to date, and why some values could not be shown. */
export interface RefreshedWindow {
  readonly desktop: Desktop
  readonly notes: readonly string[]
}

export interface RefreshOptions {
  readonly program: LiveProgram
  readonly contextNear: (window: string, items: readonly string[]) => LiveContext
  /** The window as it was when it was left, whose elements keep what the user changed. */
  readonly earlier: Window | undefined
  /** Makes every instance again, although nothing that it depends on changed. */
  readonly fromScratch?: boolean
  /** Called for each element that its condition leaves out. */
  readonly onLeftOut?: (left: LeftOut) => void
  /** Leaves the content of new items out of view without a layout, for a search among them. */
  readonly isSearch?: boolean
}

/** An element that is not there because its condition does not hold, and the items around it by their names. */
export interface LeftOut {
  readonly id: string
  readonly template: ElementTemplate
  readonly items: LocalNames['values']
}

/** What is in view depends on the layout, in which other lists may appear. They are in each other at most so deep. */
const MAX_PASSES = 4

/** Refreshes the instances below some elements of a window. */
export function refreshWindow(
  desktop: Desktop,
  uid: string,
  hosts: readonly LiveHost[],
  options: RefreshOptions,
): RefreshedWindow {
  let refreshed = refreshOnce(desktop, uid, hosts, options)
  if (!hosts.some(({ isVirtual }) => isVirtual)) return refreshed
  for (let pass = 1; pass < MAX_PASSES; pass++) {
    const window = windowByUid(refreshed.desktop, uid)
    if (!window || !lacksItems(window.tree)) break
    const { desktop: next, notes } = refreshOnce(refreshed.desktop, uid, hosts, { ...options, fromScratch: false })
    refreshed = { desktop: next, notes: [...new Set([...refreshed.notes, ...notes])] }
  }
  return refreshed
}

function refreshOnce(
  desktop: Desktop,
  uid: string,
  hosts: readonly LiveHost[],
  options: RefreshOptions,
): RefreshedWindow {
  const window = windowByUid(desktop, uid)
  if (!window || hosts.length === 0) return { desktop, notes: [] }
  const work = workIn(desktop, uid, window, options)
  const { metrics } = work
  let { tree } = window
  const blocks: Path[] = []
  for (const host of hosts) {
    const path = pathOf(tree, host.element)
    if (!path) continue
    tree = changeAt(tree, path, (element) => {
      const [only] = host.children
      if (typeof only === 'object' && only.repeat?.itemHeight !== undefined)
        return withItemsInView(element, only, NOWHERE, work)
      const children = childrenOfHost(element, host, work)
      if (children === element.children) return element
      blocks.push(...work.blocks.map((id) => [...path, children.findIndex((child) => child.id === id)]))
      return withOtherChildren(element, children)
    })
    work.blocks.length = 0
  }
  if (tree === window.tree) return { desktop, notes: work.notes }
  const changed = windowWith(window, { tree })
  const partly = work.adoption.needsLayout ? undefined : withBlocks(changed, blocks, metrics)
  const laid = partly ?? layOutWindow(changed, metrics)
  return {
    desktop: { ...desktop, windows: desktop.windows.map((each) => (each === window ? laid : each)) },
    notes: work.notes,
  }
}

function workIn(desktop: Desktop, uid: string, window: Window | undefined, options: RefreshOptions): Work {
  const metrics = styleMetrics(desktop.style, desktop.language)
  const trees = [window, options.earlier].flatMap((each) => each?.tree ?? [])
  return {
    ...options,
    desktop,
    uid,
    focus: window?.focus,
    metrics,
    context: options.contextNear(uid, []),
    known: lazily(() => instancesIn(trees)),
    // What was left out for want of room may have room now.
    fromScratch: options.fromScratch || (window !== undefined && itemIdsIn(window.tree).length >= MAX_INSTANCES),
    taken: new Set(),
    tried: 0,
    numbers: new Map(),
    notes: [],
    adoption: { metrics, needsLayout: false },
    blocks: [],
  }
}

/** An item that has a window. */
export interface WindowItem {
  readonly uid: string
  readonly item: LiveItem
  readonly locals: LocalNames['values']
}

/** The items that have windows, in the order of their list, and why some have none. */
export function windowItems(
  { uid, condition }: WindowTemplate,
  { root }: ItemWindows,
  desktop: Desktop,
  options: RefreshOptions,
): { readonly items: readonly WindowItem[]; readonly notes: readonly string[] } {
  const { repeat } = root
  const work = workIn(desktop, uid, undefined, options)
  const source = repeat.source && placeOf(repeat.source, NOWHERE)
  const items: WindowItem[] = []
  for (const { value, key, text, index } of itemsOf(repeat, root, NOWHERE, work).items) {
    const locals = { [repeat.as]: value, [`${repeat.as}_index`]: index }
    if (condition !== undefined && !holds(condition, root, { ...NOWHERE, locals }, work)) continue
    if (items.length === MAX_WINDOWS) {
      work.notes.push(`repeat: ${repeat.of} has windows for more than ${MAX_WINDOWS} items; ${MAX_WINDOWS} are shown`)
      break
    }
    const wanted = `${uid}-${text}`
    const own = freeId(wanted, work, 'windows would have the uid')
    work.taken.add(own)
    const place = source && { var: source.var, at: [...source.at, { key, keyField: repeat.key }] }
    items.push({ uid: own, item: { name: repeat.name, value, key: textOfValue(key), place, window: own }, locals })
  }
  return { items, notes: work.notes }
}

/** The tree of the window for an item. Undefined if the one that the window has is up to date. */
export function itemTree(
  desktop: Desktop,
  { uid, item, locals }: WindowItem,
  { root }: ItemWindows,
  bounds: Rect,
  options: RefreshOptions,
): { readonly tree: Element | undefined; readonly notes: readonly string[] } {
  const window = windowByUid(desktop, uid)
  const work = { ...workIn(desktop, uid, window, options), bounds }
  const around: Around = { ...NOWHERE, locals, items: new Map([[root.repeat.as, item]]) }
  const inputs = root.inputs.map((name) => inputOf(name, around, work))
  const before = byId(window ? [window.tree] : [])
  const [tree] = one(root, { id: idOf(root, NOWHERE), inputs, item }, () => around, undefined, before, work)
  return { tree: tree === window?.tree ? undefined : tree, notes: work.notes }
}

/** Refreshes the window for an item. */
export function refreshItemWindow(
  desktop: Desktop,
  item: WindowItem,
  items: ItemWindows,
  options: RefreshOptions,
): RefreshedWindow {
  const metrics = styleMetrics(desktop.style, desktop.language)
  const notes = new Set<string>()
  let current = desktop
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const window = windowByUid(current, item.uid)
    if (!window || (pass > 0 && !lacksItems(window.tree))) break
    const again = pass === 0 ? options : { ...options, fromScratch: false }
    const made = itemTree(current, item, items, window.bounds, again)
    for (const note of made.notes) notes.add(note)
    const { tree } = made
    if (!tree) break
    const laid = layOutWindow(windowWith(window, { tree }), metrics)
    current = { ...current, windows: current.windows.map((each) => (each === window ? laid : each)) }
  }
  return { desktop: current, notes: [...notes] }
}

/** The window with items laid out one by one. Undefined if one needs the layout of the whole window. */
function withBlocks(window: Window, blocks: readonly Path[], metrics: Metrics): Window | undefined {
  let { tree } = window
  for (const path of blocks) {
    const block = layOutBlock({ ...window, tree }, path, metrics)
    if (!block) return undefined
    tree = changeAt(tree, path, () => block)
  }
  return windowWith(window, { tree })
}

interface Work extends RefreshOptions {
  readonly desktop: Desktop
  readonly uid: string
  readonly focus: string | undefined
  readonly metrics: Metrics
  readonly context: LiveContext
  /** The instances of the window by their ids. */
  readonly known: () => ReadonlyMap<string, Element>
  /** The ids of items that are used. */
  readonly taken: Set<string>
  /** The elements that were wanted, with those that are not shown. */
  tried: number
  /** The number of the last element that wanted an id which another has. */
  readonly numbers: Map<string, number>
  readonly notes: string[]
  readonly adoption: Adoption & { needsLayout: boolean }
  /** The items of the host that need a layout, and nothing around them may need one. */
  readonly blocks: string[]
  /** Of a window for an item. */
  readonly bounds?: Rect
}

/** The surroundings of a template: the item around it. */
interface Around {
  /** The id of the item. */
  readonly item: string | undefined
  /** The id of the parent. */
  readonly parent: string | undefined
  readonly locals: LocalNames['values']
  readonly items: ReadonlyMap<string, LiveItem>
}

const NOWHERE: Around = { item: undefined, parent: undefined, locals: {}, items: new Map() }

function lazily<T>(compute: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= compute()
    return value
  }
}

function instancesIn(trees: readonly Element[]): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>()
  for (const tree of trees)
    for (const element of walk(tree))
      if (element.traits?.instance && !found.has(element.id)) found.set(element.id, element)
  return found
}

/** The children of an element of the file: those that are always there stay in their order, and instances stand between them. */
function childrenOfHost(host: Element, { children: written }: LiveHost, work: Work): readonly Element[] {
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
  return sameOrNew(host.children, children, work)
}

/** The instances among the children of an element by their ids. */
interface ById {
  readonly children: readonly Element[]
  /** Where the next one is expected: they are mostly asked for in their order. */
  next: number
  get(id: string): Element | undefined
}

function byId(children: readonly Element[]): ById {
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

/** The children of before if none of them changed. Other ones in other places need a layout. */
function sameOrNew(before: readonly Element[], after: readonly Element[], { adoption }: Work): readonly Element[] {
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
  work: Work,
): readonly Element[] {
  if (!hasRoom(work)) return []
  const wanted = idOf(template, around)
  if (!template.repeat) {
    const inputs = template.inputs.map((name) => inputOf(name, around, work))
    return one(template, { id: wanted, inputs, item: undefined }, () => around, parent, before, work)
  }
  const { repeat } = template
  const make = itemMaker(template, repeat, around, parent, before, work)
  const last = openMadeItems(template, wanted, around, before, work)
  const made: Element[] = []
  for (const item of itemsOf(repeat, template, around, work).items) {
    if (!hasRoom(work)) break
    const same = last.take(item)
    if (same) {
      for (const each of same.ids) work.taken.add(each)
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

/** An item whose element stayed, and the ids of the items in it. */
interface MadeItem {
  readonly item: KeyedItem
  readonly element: Element
  readonly ids: readonly string[]
}

/** The items of a list whose elements stayed, and what all of them depend on. */
interface MadeItems {
  readonly uid: string
  readonly id: string
  readonly outer: readonly unknown[]
  readonly source: DataPlace | undefined
  readonly items: readonly MadeItem[]
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
function openMadeItems(
  template: ElementTemplate,
  id: string,
  around: Around,
  among: ById,
  work: Work,
): {
  /** The next of them, if it is the one of an item. */
  take(item: KeyedItem): MadeItem | undefined
  /** Adds an item whose element stayed. */
  keep(made: MadeItem): void
  close(): void
} {
  const repeat = template.repeat!
  const outer = template.inputs.map((name) => inputOf(name, around, work))
  const source = repeat.source && placeOf(repeat.source, around)
  const readsIndex = template.inputs.includes(`${repeat.as}_index`)
  const isKept = !template.readsScreen && !template.isVirtual
  const all = madeItems.get(template) ?? []
  const found = all.find((each) => each.id === id && each.uid === work.uid)
  const isUsed = isKept && !work.fromScratch && found && isSame(found.outer, outer) && isSamePlace(found.source, source)
  const before = isUsed ? found.items : []
  const items: MadeItem[] = []
  let itemAt = 0
  const isItem = (made: MadeItem, { value, key, index }: KeyedItem) =>
    made.item.value === value && made.item.key === key && (!readsIndex || made.item.index === index)
  return {
    take(item) {
      const at = indexNear(before, itemAt, (made) => isItem(made, item))
      if (at < 0) return undefined
      const { element, ids } = before[at]!
      itemAt = at + 1
      const place = indexNear(among.children, among.next, (child) => child === element)
      if (place < 0) return undefined
      among.next = place + 1
      const { taken } = work
      if (ids.length > MAX_INSTANCES - taken.size || ids.some((each) => taken.has(each))) return undefined
      items.push(before[at]!)
      return before[at]
    },
    keep: (made) => items.push(made),
    close() {
      if (!isKept || work.fromScratch) return
      const others = all.filter((each) => each !== found)
      madeItems.set(template, [{ uid: work.uid, id, outer, source, items }, ...others].slice(0, MAX_MADE))
    },
  }
}

/** The index of the first item for which a test holds, from one on, if it is near. */
function indexNear<T>(list: readonly T[], from: number, test: (item: T) => boolean): number {
  const end = Math.min(list.length, from + MAX_GONE)
  for (let at = from; at < end; at++) if (test(list[at]!)) return at
  return -1
}

/** A list whose only child is made for the items in view. */
function withItemsInView(list: Element, template: ElementTemplate, around: Around, work: Work): Element {
  const repeat = template.repeat!
  const found = itemsOf(repeat, template, around, work)
  const prefix = `${idOf(template, around)}-`
  for (const [text, unique] of found.clashes)
    work.notes.push(`two elements would have the id ${prefix}${text}; the second is ${prefix}${unique}`)
  const earlier = list.traits?.rows ? undefined : work.earlier && nodeById(work.earlier.tree, list.id)
  const items = rowItems(list.traits?.rows?.items, prefix, found, template, around, work)
  const next = withItemRows(list, found.keys!, { height: repeat.itemHeight!, items }, earlier)
  const before = byId(list.children)
  const make = itemMaker(template, repeat, around, list, before, work)
  const { needsLayout } = work.adoption
  const children = positionsInTree(next, work.focus).flatMap((position) => {
    if (!hasRoom(work)) return []
    work.adoption.needsLayout = false
    const made = make(found.items[position]!, `${prefix}${found.keys!.texts[position]}`)
    const isNew = work.adoption.needsLayout
    return made.map((item) => {
      // The list decides the place of its items, whatever the layout of the window is.
      const placed = item.place === undefined ? item : withFields(item, { place: undefined })
      if (work.isSearch && isNew) return withFields(placed, { bounds: boundsOfItem(next, position, work.metrics) })
      return layOutItem(placed, next, position, work.metrics, isNew)
    })
  })
  work.adoption.needsLayout = needsLayout
  const isSame =
    children.length === next.children.length && children.every((child, index) => child === next.children[index])
  return realised(isSame ? next : withFields(next, { children }), next.bounds)
}

/** The names of the items of a list, and what they depended on when they were made. */
const rowSources = new WeakMap<RowItems, { readonly items: Items; readonly inputs: readonly unknown[] }>()

function rowItems(
  last: RowItems | undefined,
  prefix: string,
  items: Items,
  template: ElementTemplate,
  around: Around,
  work: Work,
): RowItems {
  const { as } = template.repeat!
  const inputs = template.inputs.filter((name) => name !== as).map((name) => inputOf(name, around, work))
  const source = last && rowSources.get(last)
  if (last?.prefix === prefix && source?.items === items && isSame(source.inputs, inputs)) return last
  const field = template.fields.find(({ key }) => key === 'name')
  const nameOf = ({ value, index }: KeyedItem): string => {
    const values = { ...around.locals, [as]: value, [`${as}_index`]: index }
    const name = field ? shownValue(field, work.context, { types: template.locals, values }, work) : template.fixed.name
    return typeof name === 'string' ? name : ''
  }
  const made: RowItems = { prefix, names: lazily(() => items.items.map(nameOf)) }
  rowSources.set(made, { items, inputs })
  return made
}

/** Makes the instance of an item, or keeps the one that is there. */
function itemMaker(
  template: ElementTemplate,
  repeat: RepeatTemplate,
  around: Around,
  parent: Element | undefined,
  before: ById,
  work: Work,
): (item: KeyedItem, id: string) => readonly Element[] {
  const outer = template.inputs.map((name) => inputOf(name, around, work))
  const [at, atIndex] = [template.inputs.indexOf(repeat.as), template.inputs.indexOf(`${repeat.as}_index`)]
  const source = repeat.source && placeOf(repeat.source, around)
  return ({ value, key, index }, id) => {
    const last = before.get(id)
    // Most items are as they were; for those nothing is made.
    const isSameInput = (input: unknown, number: number) =>
      input === (number === at ? value : number === atIndex ? index : outer[number])
    const isLast =
      last !== undefined &&
      !work.taken.has(id) &&
      isItemOf(instanceOf(last)?.item?.place, source, key, repeat.key) &&
      isCurrent(last, template, id, isSameInput, work)
    if (isLast) return [kept(last, parent, id, work)]
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
    return one(template, { id, inputs, item }, inside, parent, before, work)
  }
}

/** The id of a template: below an item, its own one after that of the item; without one, its position in its parent. */
function idOf({ id, position, repeat }: ElementTemplate, { item, parent }: Around): string {
  if (id === undefined) return parent === undefined || position.startsWith('root') ? position : `${parent}.${position}`
  const isAnywhere = repeat?.source !== undefined && !repeat.source.isItem
  return item === undefined || isAnywhere ? id : `${item}.${id}`
}

/** The place in the data that a template names. */
function placeOf({ root, isItem, fields }: PlaceTemplate, { items }: Around): DataPlace | undefined {
  if (!isItem) return { var: [root, ...fields].join('.'), at: [] }
  const place = items.get(root)?.place
  return place && { var: place.var, at: [...place.at, ...fields.map((field) => ({ field }))] }
}

/** An instance that is wanted, and what it depends on. */
interface Wanted {
  readonly id: string
  readonly inputs: readonly unknown[]
  readonly item: LiveItem | undefined
}

/** An instance, unless its condition leaves it out. */
function one(
  template: ElementTemplate,
  { id: wanted, inputs, item }: Wanted,
  aroundIt: () => Around,
  parent: Element | undefined,
  before: ById,
  work: Work,
): readonly Element[] {
  work.tried++
  const id = freeId(wanted, work)
  const known = before.get(id) ?? work.known().get(id)
  const instance = known && instanceOf(known)
  const earlier = instance?.source
  // Its place in the data may be another, although nothing that it shows is.
  const isSameItem = isSamePlace(instance?.item?.place, item?.place)
  if (known && isSameItem && isCurrent(known, template, id, (input, number) => input === inputs[number], work))
    return [kept(known, before.get(id) && parent, id, work)]
  const around = aroundIt()
  if (template.condition !== undefined && !holds(template.condition, template, around, work)) {
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
  const built = build(template, id, inside, work)
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
    return [withItemsInView(withFields(adopted, { children: own }), only, inside, work)]
  const ownById = byId(own)
  const parts = template.children.flatMap((part) => instances(part, inside, known, ownById, work))
  const others = isAdopted ? ownChildren(known, earlier.built, built) : built.children
  return [withFields(adopted, { children: sameOrNew(own, [...parts, ...others], work) })]
}

function isSamePlace(a: DataPlace | undefined, b: DataPlace | undefined): boolean {
  if (a === b) return true
  if (!a || !b || a.var !== b.var || a.at.length !== b.at.length) return false
  return a.at.every((step, index) => {
    const other = b.at[index]!
    if ('field' in step) return 'field' in other && step.field === other.field
    return 'key' in other && step.key === other.key && step.keyField === other.keyField
  })
}

/** Whether a place is that of the item with a key in a list. */
function isItemOf(
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
function isCurrent(
  known: Element,
  template: ElementTemplate,
  id: string,
  isSameInput: (input: unknown, number: number) => boolean,
  { fromScratch, taken }: Work,
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
function kept(known: Element, parent: Element | undefined, id: string, { taken, adoption }: Work): Element {
  taken.add(id)
  for (const each of itemIdsIn(known)) taken.add(each)
  return restored(known, adoption, parent)
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])

/** The ids of the items in an instance. */
const itemIdsIn: (element: Element) => readonly string[] = memoize((element) => [
  ...(element.traits?.instance ? [element.id] : []),
  ...element.children.flatMap((child) => (child.traits?.instance ? itemIdsIn(child) : [])),
])

/** Whether another element may be made. Says once why not. */
function hasRoom(work: Work): boolean {
  if (work.taken.size >= MAX_INSTANCES) return leaveOut(`${MAX_INSTANCES} elements follow the data`, work)
  if (work.tried >= MAX_TRIED) return leaveOut(`conditions of ${MAX_TRIED} elements were asked`, work)
  return true
}

function leaveOut(why: string, { notes, uid }: Work): false {
  const note = `repeat: ${why} in the window ${uid}; no more are shown`
  if (!notes.includes(note)) notes.push(note)
  return false
}

/** An id that no other instance of the window has. */
function freeId(wanted: string, { taken, numbers, notes }: Work, what = 'elements would have the id'): string {
  if (!taken.has(wanted)) return wanted
  let number = (numbers.get(wanted) ?? 1) + 1
  while (taken.has(`${wanted}~${number}`)) number++
  numbers.set(wanted, number)
  notes.push(`two ${what} ${wanted}; the second is ${wanted}~${number}`)
  return `${wanted}~${number}`
}

/** The value of a name that a template depends on. */
const inputOf = (name: string, { locals }: Around, { context }: Work): unknown =>
  Object.hasOwn(locals, name) ? locals[name] : valueOfName(name, context)

function holds(condition: string, { locals: types }: ElementTemplate, around: Around, work: Work): boolean {
  const result = evaluateLive(work.program.scope, condition, work.context, { types, values: around.locals })
  if ('message' in result) work.notes.push(`if: ${result.message}`)
  return 'value' in result && result.value === true
}

/** An item of a list, and the text of its key in ids. */
interface KeyedItem {
  readonly value: DataValue
  readonly index: number
  readonly key: DataValue
  readonly text: string
}

/** The items of lists that were looked at last, by the template, and what they depended on. */
const lastItems = new WeakMap<RepeatTemplate, { readonly inputs: readonly unknown[]; readonly items: Items }[]>()
const MAX_LAST = 8
interface Items {
  readonly items: readonly KeyedItem[]
  readonly note: string | undefined
  /** Of items that are made only in view. */
  readonly keys?: ItemKeys
  /** The texts of keys that are used before, and what stands in their place. */
  readonly clashes: readonly (readonly [text: string, unique: string])[]
}

const NO_CLASHES: Items['clashes'] = []

function itemsOf(repeat: RepeatTemplate, template: ElementTemplate, around: Around, work: Work): Items {
  const inputs = repeat.names.map((name) => inputOf(name, around, work))
  const last = lastItems.get(repeat) ?? []
  const known = last.find((each) => isSame(each.inputs, inputs))
  const found = known?.items ?? keyedItems(repeat, template, around, work, last[0]?.items)
  if (!known) lastItems.set(repeat, [{ inputs, items: found }, ...last].slice(0, MAX_LAST))
  if (found.note !== undefined) work.notes.push(`repeat: ${found.note}`)
  return found
}

/** The keys of items of which only those in view are made. */
function keysOf(items: readonly KeyedItem[]): Pick<Items, 'keys' | 'clashes'> {
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
  work: Work,
  last: Items | undefined,
): Items {
  const { of, key: keyField, sortBy, descending, page, itemHeight } = repeat
  const most = itemHeight === undefined ? MAX_ITEMS : MAX_ITEMS_OUT_OF_VIEW
  const { pageSize = most } = repeat
  const nothing = (note: string): Items => ({ items: [], note, ...keysOf([]) })
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
  const indexed = sortBy === undefined ? undefined : sortedItems(list, sortBy, descending, last)
  const at = page === undefined ? undefined : evaluate(page)
  if (at && 'message' in at) return nothing(at.message)
  const from = typeof at?.value === 'number' ? Math.max(0, at.value) * pageSize : 0
  const end = Math.min(list.length, from + Math.min(pageSize, most))
  const isCut = page === undefined && length > most
  const items: KeyedItem[] = []
  // Whether the items have the keys that they had.
  let isSameKeys = last?.items.length === end - from
  for (let position = from; position < end; position++) {
    const index = indexed ? indexed[position]! : position
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
  if (itemHeight === undefined) return { items, note, clashes: NO_CLASHES }
  return { items, note, ...(isSameKeys && last?.keys ? { keys: last.keys, clashes: last.clashes } : keysOf(items)) }
}

/** The indexes of a list in the order of a field; equal ones in their own. Starts with the last order, which is often almost right. */
function sortedItems(
  list: readonly DataValue[],
  field: string,
  descending: boolean,
  last: Items | undefined,
): readonly number[] {
  const isWhole = last?.items.length === list.length && last.items.every(({ index }) => index < list.length)
  const indexes = isWhole ? last.items.map(({ index }) => index) : list.map((_, index) => index)
  const sign = descending ? -1 : 1
  return indexes.sort((a, b) => sign * compareValues(fieldOf(list[a]!, field), fieldOf(list[b]!, field)) || a - b)
}

/** The most items that `page` may choose from, of a number. */
const MAX_NUMBER = 100_000

const numbersBelow = (end: number): readonly DataValue[] =>
  Array.from({ length: Math.min(Math.max(Math.floor(end), 0), MAX_NUMBER) }, (_, index) => index)

const keyText = (key: DataValue): string => {
  const text = textOfValue(key)
  return /^[\w-]{0,64}$/.test(text) ? text : text.slice(0, MAX_KEY).replace(/[^\p{L}\p{N}_-]/gu, '_')
}

/** The element of a template with its fields, without the instances below it. */
function build(template: ElementTemplate, id: string, around: Around, work: Work): Element {
  const fields: Record<string, unknown> = { ...template.fixed, id }
  const context = around.item === undefined ? work.context : work.contextNear(work.uid, [around.item])
  const locals: LocalNames = { types: template.locals, values: around.locals }
  for (const field of template.fields) {
    const value = shownValue(field, context, locals, work)
    if (value !== undefined) fields[field.key] = value
  }
  const { bind } = template
  const value = bind && boundValue(bind, around, work)
  if (bind && bind.field !== 'item' && value !== undefined)
    fields[bind.field] = bind.field === 'value' ? textOfInput(value) : value
  const bounds = template.window === undefined ? undefined : work.bounds
  return withAddress(buildElement(fields as AuthoredElement, id, bounds, work.desktop), context)
}

/** A link on a page of the browser has its whole address as its value. */
function withAddress(element: Element, { data }: LiveContext): Element {
  const { href } = element.traits ?? {}
  if (href === undefined || element.value !== null || kindOf(element.role) !== 'link') return element
  const { url } = (data.browser ?? {}) as { readonly url?: string }
  const address = addressOf(href, url === '' ? undefined : url)
  return address ? withFields(element, { value: address.href }) : element
}

/** The value of a field that shows the data. Undefined if it has none, which is noted. */
function shownValue(
  { key, text, isText }: FieldTemplate,
  context: LiveContext,
  locals: LocalNames,
  { program, notes }: Work,
): DataValue | undefined {
  try {
    const value = fieldValue(evaluateTemplate(program, text, context, { locals }).value, isText)
    const wrong = misfitOfField(key, value)
    const { formatText } = program
    if (wrong === undefined)
      return formatText && typeof value === 'string' && SHOWN_FIELDS.has(key) ? formatText(value) : value
    notes.push(wrong)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    notes.push(`${key}: ${error.message}`)
  }
  return undefined
}

function boundValue(bind: PlaceTemplate, around: Around, { context }: Work): DataValue | undefined {
  if (!bind.isItem) return valueAtPlace(context.data, { var: [bind.root, ...bind.fields].join('.'), at: [] })
  let value = around.locals[bind.root] as DataValue
  for (const field of bind.fields) value = fieldOf(value, field)
  return value
}
