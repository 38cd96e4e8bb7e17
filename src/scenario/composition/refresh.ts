import { type Desktop, type Window, windowByUid, windowWith } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, type Path, pathOf, walk } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import type { LocalNames } from '../data/scope.ts'
import { textOfValue } from '../expression/data-type.ts'
import { layOutBlock, layOutWindow } from '../layout/layout.ts'
import type { ItemWindows, LiveHost, WindowTemplate } from '../live/live-program.ts'
import type { LiveItem } from './instance.ts'
import { rootOfItem, withInstancesOf } from './instances.ts'
import { lacksItems } from './item-rows.ts'
import { itemsOfRepeat } from './items.ts'
import {
  freeId,
  lazily,
  MAX_INSTANCES,
  meetsCondition,
  NOWHERE,
  placeInData,
  type RefreshOptions,
  type RefreshWork,
  TakenIds,
} from './refresh-work.ts'
import { itemIdsIn } from './reuse.ts'

/**
 * Makes the children that follow the data. What a window shows is a function of the data, the state and the time, and of what
 * the user changed in elements with the same ids: made again from the start, it is the same.
 */

/** The most windows of a `repeat`. */
const MAX_WINDOWS = 50

/** A window whose instances are up to date, and why some values could not be shown. */
export interface RefreshedWindow {
  readonly desktop: Desktop
  readonly notes: readonly string[]
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
      const made = withInstancesOf(element, host, work)
      if (made !== element)
        blocks.push(...work.blocks.map((id) => [...path, made.children.findIndex((child) => child.id === id)]))
      return made
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

function workIn(desktop: Desktop, uid: string, window: Window | undefined, options: RefreshOptions): RefreshWork {
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
    taken: new TakenIds(),
    tried: 0,
    numbers: new Map(),
    notes: [],
    adoption: { metrics, needsLayout: false },
    blocks: [],
  }
}

function instancesIn(trees: readonly Element[]): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>()
  for (const tree of trees)
    for (const element of walk(tree))
      if (element.traits?.instance && !found.has(element.id)) found.set(element.id, element)
  return found
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
  const source = repeat.source && placeInData(repeat.source, NOWHERE)
  const items: WindowItem[] = []
  for (const { value, key, text, index } of itemsOfRepeat(repeat, root, NOWHERE, work).items) {
    const locals = { [repeat.as]: value, [`${repeat.as}_index`]: index }
    if (condition !== undefined && !meetsCondition(condition, root, { ...NOWHERE, locals }, work)) continue
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
  item: WindowItem,
  { root }: ItemWindows,
  bounds: Rect,
  options: RefreshOptions,
): { readonly tree: Element | undefined; readonly notes: readonly string[] } {
  const window = windowByUid(desktop, item.uid)
  const work = { ...workIn(desktop, item.uid, window, options), bounds }
  const tree = rootOfItem(root, item, window?.tree, work)
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
