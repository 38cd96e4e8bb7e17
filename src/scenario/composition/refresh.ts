import { Fault } from '../../base/fault.ts'
import { type Desktop, type Window, windowByUid, windowWith } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, memoize, type Path, pathOf, walk, withFields } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { buildElement } from '../build-window.ts'
import { compareValues, fieldOf, keyOfItem, valueAtPlace } from '../data/data-change.ts'
import type { DataPlace } from '../data/run-data.ts'
import { evaluateLive, type LiveContext, type LocalNames, valueOfName } from '../data/scope.ts'
import { type DataValue, isList, textOfValue } from '../expression/data-type.ts'
import { layOutBlock, layOutWindow } from '../layout/layout.ts'
import { textOfInput } from '../live/bind-input.ts'
import {
  type ElementTemplate,
  type LiveHost,
  type LiveProgram,
  type PlaceTemplate,
  type RepeatTemplate,
  SHOWN_FIELDS,
} from '../live/live-program.ts'
import { evaluateTemplate } from '../live/live-template.ts'
import { fieldValue, misfitOfField } from '../live/prepare-live.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { addressOf } from '../sites/sites.ts'
import { type Adoption, ownChildren, restored, withWidgetState } from './adopt.ts'
import { instanceOf, type LiveItem } from './instance.ts'

/**
 * Makes the children that follow the data. What a window shows is a function of the data, the state and the time, and of what
 * the user changed in elements with the same ids: made again from the start, it is the same.
 */

/** The most items of a list that are shown, and the longest key. */
const MAX_ITEMS = 500
const MAX_KEY = 64
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
}

/** An element that is not there because its condition does not hold, and the items around it by their names. */
export interface LeftOut {
  readonly id: string
  readonly template: ElementTemplate
  readonly items: LocalNames['values']
}

/** Refreshes the instances below some elements of a window. */
export function refreshWindow(
  desktop: Desktop,
  uid: string,
  hosts: readonly LiveHost[],
  options: RefreshOptions,
): RefreshedWindow {
  const window = windowByUid(desktop, uid)
  if (!window || hosts.length === 0) return { desktop, notes: [] }
  const metrics = styleMetrics(desktop.style, desktop.language)
  const work: Work = {
    ...options,
    desktop,
    uid,
    metrics,
    context: options.contextNear(uid, []),
    known: lazily(() => instancesIn([window.tree, ...(options.earlier ? [options.earlier.tree] : [])])),
    // What was left out for want of room may have room now.
    fromScratch: options.fromScratch || itemIdsIn(window.tree).length >= MAX_INSTANCES,
    taken: new Set(),
    tried: 0,
    numbers: new Map(),
    notes: [],
    adoption: { metrics, needsLayout: false },
    blocks: [],
  }
  let { tree } = window
  const blocks: Path[] = []
  for (const host of hosts) {
    const path = pathOf(tree, host.element)
    if (!path) continue
    tree = changeAt(tree, path, (element) => {
      const children = childrenOfHost(element, host, work)
      if (children === element.children) return element
      blocks.push(...work.blocks.map((id) => [...path, children.findIndex((child) => child.id === id)]))
      return withFields(element, { children })
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

/** The children of elements by their ids. */
const childrenById = new WeakMap<readonly Element[], ReadonlyMap<string, Element>>()

function byId(children: readonly Element[]): ReadonlyMap<string, Element> {
  const known = childrenById.get(children)
  if (known) return known
  const made = new Map<string, Element>()
  for (const child of children) made.set(child.id, child)
  childrenById.set(children, made)
  return made
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
  before: ReadonlyMap<string, Element>,
  work: Work,
): readonly Element[] {
  if (!hasRoom(work)) return []
  const { repeat } = template
  const outer = template.inputs.map((name) => inputOf(name, around, work))
  const wanted = idOf(template, around)
  if (!repeat) return one(template, { id: wanted, inputs: outer, item: undefined }, () => around, parent, before, work)
  const items = itemsOf(repeat, template, around, work)
  const [at, atIndex] = [template.inputs.indexOf(repeat.as), template.inputs.indexOf(`${repeat.as}_index`)]
  const source = repeat.source && placeOf(repeat.source, around)
  const made: Element[] = []
  for (const { value, key, text, index } of items) {
    if (!hasRoom(work)) break
    const id = `${wanted}-${text}`
    const last = before.get(id)
    // Most items are as they were; for those nothing is made.
    const isSameInput = (input: unknown, number: number) =>
      input === (number === at ? value : number === atIndex ? index : outer[number])
    const isLast =
      last !== undefined &&
      !work.taken.has(id) &&
      isItemOf(instanceOf(last)?.item?.place, source, key, repeat.key) &&
      isCurrent(last, template, id, isSameInput, work)
    const make = () => {
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
    const { needsLayout } = work.adoption
    work.adoption.needsLayout = false
    made.push(...(isLast ? [kept(last, parent, id, work)] : make()))
    if (around !== NOWHERE || !before.has(id)) work.adoption.needsLayout ||= needsLayout
    else {
      if (work.adoption.needsLayout) work.blocks.push(id)
      work.adoption.needsLayout = needsLayout
    }
  }
  return made
}

/** The id of a template: below an item, its own one after that of the item; without one, its position in its parent. */
function idOf({ id, position, repeat }: ElementTemplate, { item, parent }: Around): string {
  if (id === undefined) return parent === undefined ? position : `${parent}.${position}`
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
  before: ReadonlyMap<string, Element>,
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
    return [kept(known, before.has(id) ? parent : undefined, id, work)]
  const around = aroundIt()
  if (template.condition !== undefined && !holds(template.condition, template, around, work)) {
    work.onLeftOut?.({ id, template, items: around.locals })
    return []
  }
  work.taken.add(id)
  const inside: Around = { ...around, item: item ? id : around.item, parent: id }
  const built = build(template, id, inside, work)
  const source = { template, id, inputs, built }
  const adopted = withWidgetState(built, known, {
    instance: { id: template.id, item, source },
    controlled: template.fields,
    bind: template.bind,
    parent: before.has(id) ? parent : undefined,
    adoption: work.adoption,
  })
  const isAdopted = known !== undefined && earlier !== undefined && known.role === built.role
  if (!isAdopted) work.adoption.needsLayout = true
  const own = isAdopted ? known.children : []
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
function freeId(wanted: string, { taken, numbers, notes }: Work): string {
  if (!taken.has(wanted)) return wanted
  let number = (numbers.get(wanted) ?? 1) + 1
  while (taken.has(`${wanted}~${number}`)) number++
  numbers.set(wanted, number)
  notes.push(`two elements would have the id ${wanted}; the second is ${wanted}~${number}`)
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
}

function itemsOf(repeat: RepeatTemplate, template: ElementTemplate, around: Around, work: Work): readonly KeyedItem[] {
  const inputs = repeat.names.map((name) => inputOf(name, around, work))
  const last = lastItems.get(repeat) ?? []
  const known = last.find((each) => isSame(each.inputs, inputs))
  const found = known?.items ?? keyedItems(repeat, template, around, work)
  if (!known) lastItems.set(repeat, [{ inputs, items: found }, ...last].slice(0, MAX_LAST))
  if (found.note !== undefined) work.notes.push(`repeat: ${found.note}`)
  return found.items
}

function keyedItems(repeat: RepeatTemplate, { locals }: ElementTemplate, around: Around, work: Work): Items {
  const { of, key: keyField, sortBy, descending, page, pageSize = MAX_ITEMS } = repeat
  const types = Object.fromEntries(
    Object.entries(locals).filter(([name]) => name !== repeat.as && name !== `${repeat.as}_index`),
  )
  const evaluate = (text: string) =>
    evaluateLive(work.program.scope, text, work.context, { types, values: around.locals })
  const result = evaluate(of)
  if ('message' in result) return { items: [], note: result.message }
  const { value } = result
  const list = typeof value === 'number' ? numbersBelow(value) : value
  if (list === null || list instanceof Date || !isList(list))
    return { items: [], note: `${of} is ${JSON.stringify(value)}; expected a list or a number` }
  const length = typeof value === 'number' ? value : list.length
  const indexed = list.map((each, index) => ({ value: each, index }))
  if (sortBy !== undefined)
    indexed.sort((a, b) => (descending ? -1 : 1) * compareValues(fieldOf(a.value, sortBy), fieldOf(b.value, sortBy)))
  const at = page === undefined ? undefined : evaluate(page)
  if (at && 'message' in at) return { items: [], note: at.message }
  const from = typeof at?.value === 'number' ? Math.max(0, at.value) * pageSize : 0
  const shown = indexed.slice(from, from + Math.min(pageSize, MAX_ITEMS))
  const isCut = page === undefined && length > MAX_ITEMS
  const items = shown.map(({ value: each, index }) => {
    const key = keyOfItem(each, keyField)
    return { value: each, index, key, text: keyText(key) }
  })
  return { items, note: isCut ? `${of} has ${length} items; ${MAX_ITEMS} are shown` : undefined }
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
  for (const { key, text, isText } of template.fields) {
    try {
      const value = fieldValue(evaluateTemplate(work.program, text, context, { locals }).value, isText)
      const wrong = misfitOfField(key, value)
      const { formatText } = work.program
      if (wrong !== undefined) work.notes.push(wrong)
      else fields[key] = formatText && typeof value === 'string' && SHOWN_FIELDS.has(key) ? formatText(value) : value
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      work.notes.push(`${key}: ${error.message}`)
    }
  }
  const { bind } = template
  const value = bind && boundValue(bind, around, work)
  if (bind && bind.field !== 'item' && value !== undefined)
    fields[bind.field] = bind.field === 'value' ? textOfInput(value) : value
  return withAddress(buildElement(fields as AuthoredElement, id, undefined, work.desktop), context)
}

/** A link on a page of the browser has its whole address as its value. */
function withAddress(element: Element, { data }: LiveContext): Element {
  const { href } = element.traits ?? {}
  if (href === undefined || element.value !== null || kindOf(element.role) !== 'link') return element
  const { url } = (data.browser ?? {}) as { readonly url?: string }
  const address = addressOf(href, url === '' ? undefined : url)
  return address ? withFields(element, { value: address.href }) : element
}

function boundValue(bind: PlaceTemplate, around: Around, { context }: Work): DataValue | undefined {
  if (!bind.isItem) return valueAtPlace(context.data, { var: [bind.root, ...bind.fields].join('.'), at: [] })
  let value = around.locals[bind.root] as DataValue
  for (const field of bind.fields) value = fieldOf(value, field)
  return value
}
