import type { Desktop, Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import type { DataPlace } from '../data/run-data.ts'
import { evaluateLive, type LiveContext, type LocalNames, valueOfName } from '../data/scope.ts'
import type { ElementTemplate, LiveProgram, PlaceTemplate } from '../live/live-program.ts'
import type { Adoption } from './adopt.ts'
import type { LiveItem } from './instance.ts'

/** The refresh of one window: what its instances are made with, the ids that are taken, and the limits. */

/** The most elements that follow the data in a window, and how many may be tried whose condition leaves them out. */
export const MAX_INSTANCES = 10_000
const MAX_TRIED = 100_000

/** What a refresh reads, and how it is done. */
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

/** The ids of the items of a list by what has them, of which some stayed in this pass. */
export interface KeptIds {
  /** Whether an item that stayed has an id. */
  has(id: string): boolean
  /** Called when something else takes an id. */
  lose(id: string): void
}

/** The ids that are used in one pass over a window. Items that stay add none, so that a long list costs little. */
export class TakenIds {
  /** Stands for the pass in what outlives it. */
  readonly pass = {}
  readonly #own = new Set<string>()
  readonly #lists: KeptIds[] = []
  #kept = 0

  get size(): number {
    return this.#own.size + this.#kept
  }

  has(id: string): boolean {
    return this.#own.has(id) || this.#lists.some((list) => list.has(id))
  }

  add(id: string): void {
    this.#own.add(id)
    for (const list of this.#lists) list.lose(id)
  }

  /** Counts the ids of an item that stayed. */
  keep(count: number): void {
    this.#kept += count
  }

  /** Adds the ids of a list, none of which has stayed so far. */
  open(list: KeptIds): void {
    for (const id of this.#own) list.lose(id)
    this.#lists.push(list)
  }

  /** Whether an item of another list that stayed has one of some ids. */
  isInOther(list: KeptIds, ids: readonly string[]): boolean {
    return this.#lists.length > 1 && this.#lists.some((other) => other !== list && ids.some((id) => other.has(id)))
  }
}

/** One pass over a window: what it reads, and what it found so far. */
export interface RefreshWork extends RefreshOptions {
  readonly desktop: Desktop
  readonly uid: string
  readonly focus: string | undefined
  readonly metrics: Metrics
  readonly context: LiveContext
  /** The instances of the window by their ids. */
  readonly known: () => ReadonlyMap<string, Element>
  /** The ids that are used. */
  readonly taken: TakenIds
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
export interface Around {
  /** The id of the item. */
  readonly item: string | undefined
  /** The id of the parent. */
  readonly parent: string | undefined
  readonly locals: LocalNames['values']
  readonly items: ReadonlyMap<string, LiveItem>
}

/** The surroundings of the templates of a host. */
export const NOWHERE: Around = { item: undefined, parent: undefined, locals: {}, items: new Map() }

/** A value that is computed when it is first asked for. */
export function lazily<T>(compute: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= compute()
    return value
  }
}

/** Whether another element may be made. Says once why not. */
export function hasRoom(work: RefreshWork): boolean {
  if (work.taken.size >= MAX_INSTANCES) return leaveOut(`${MAX_INSTANCES} elements follow the data`, work)
  if (work.tried >= MAX_TRIED) return leaveOut(`conditions of ${MAX_TRIED} elements were asked`, work)
  return true
}

function leaveOut(why: string, { notes, uid }: RefreshWork): false {
  const note = `repeat: ${why} in the window ${uid}; no more are shown`
  if (!notes.includes(note)) notes.push(note)
  return false
}

/** An id that no other instance of the window has. */
export function freeId(
  wanted: string,
  { taken, numbers, notes }: RefreshWork,
  what = 'elements would have the id',
): string {
  if (!taken.has(wanted)) return wanted
  let number = (numbers.get(wanted) ?? 1) + 1
  while (taken.has(`${wanted}~${number}`)) number++
  numbers.set(wanted, number)
  notes.push(`two ${what} ${wanted}; the second is ${wanted}~${number}`)
  return `${wanted}~${number}`
}

/** The value of a name that a template depends on. */
export const inputValue = (name: string, { locals }: Around, { context }: RefreshWork): unknown =>
  Object.hasOwn(locals, name) ? locals[name] : valueOfName(name, context)

/** Whether the condition of a template holds. One without a value does not, which is noted. */
export function meetsCondition(
  condition: string,
  { locals: types }: ElementTemplate,
  around: Around,
  work: RefreshWork,
): boolean {
  const result = evaluateLive(work.program.scope, condition, work.context, { types, values: around.locals })
  if ('message' in result) work.notes.push(`if: ${result.message}`)
  return 'value' in result && result.value === true
}

/** The place in the data that a template names. */
export function placeInData({ root, isItem, fields }: PlaceTemplate, { items }: Around): DataPlace | undefined {
  if (!isItem) return { var: [root, ...fields].join('.'), at: [] }
  const place = items.get(root)?.place
  return place && { var: place.var, at: [...place.at, ...fields.map((field) => ({ field }))] }
}

/** Whether two lists have the same objects in the same order. */
export const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])
