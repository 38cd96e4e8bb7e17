import { toText } from '../../base/strings.ts'
import { type Element, walk } from '../../desktop/model/element.ts'

/** The elements of a window: role and name by id. Values are omitted, since a person may have typed them. */
export type Inventory = ReadonlyMap<string, Label>

type Label = readonly [role: string, name: string]

/** The elements of a window in a row of a trace, as a difference from the inventory `base`. */
export interface InventoryChange {
  /** Unique within the trace, from 1 on. Rows refer to it. */
  readonly number: number
  readonly window_uid: string
  readonly base?: number
  readonly elements: Readonly<Record<string, Label>>
  readonly gone?: readonly string[]
}

/** A difference between a recorded value and the current one. */
export interface Difference {
  readonly path: string
  readonly want: unknown
  readonly got: unknown
}

const MAX_NAME_CHARACTERS = 200

const inventories = new WeakMap<Element, Inventory>()

export function inventoryOf(tree: Element): Inventory {
  const known = inventories.get(tree)
  if (known) return known
  const labels = new Map<string, Label>()
  for (const { id, role, name } of walk(tree)) labels.set(id, [role, name.slice(0, MAX_NAME_CHARACTERS)])
  inventories.set(tree, labels)
  return labels
}

/** Numbers the inventories of one trace and returns what must be written for each new one. */
export class InventoryLog {
  readonly #latest = new Map<string, { readonly number: number; readonly inventory: Inventory }>()
  #count = 0

  /** Returns the number of the window's inventory, with the inventory itself unless it has been written already. */
  note(windowUid: string, tree: Element): { readonly number: number; readonly written?: InventoryChange } {
    const inventory = inventoryOf(tree)
    const latest = this.#latest.get(windowUid)
    const elements = latest ? newer(latest.inventory, inventory) : Object.fromEntries(inventory)
    const gone = latest ? [...latest.inventory.keys()].filter((id) => !inventory.has(id)) : []
    if (latest && Object.keys(elements).length === 0 && gone.length === 0) return { number: latest.number }
    const number = ++this.#count
    this.#latest.set(windowUid, { number, inventory })
    const written: InventoryChange = {
      number,
      window_uid: windowUid,
      ...(latest && { base: latest.number }),
      elements,
      ...(gone.length > 0 && { gone }),
    }
    return { number, written }
  }
}

/** A recorded inventory and its window. */
export interface RecordedInventory {
  readonly windowUid: string
  readonly inventory: Inventory
}

/** Reads the inventories of a trace, by number. Invalid ones are omitted. */
export function readInventories(
  written: readonly Readonly<Record<string, unknown>>[],
): ReadonlyMap<number, RecordedInventory> {
  const read = new Map<number, RecordedInventory>()
  for (const { number, window_uid, base, elements, gone } of written) {
    if (typeof number !== 'number' || typeof window_uid !== 'string') continue
    const inventory = new Map(typeof base === 'number' ? read.get(base)?.inventory : undefined)
    if (Array.isArray(gone)) for (const id of gone) inventory.delete(toText(id))
    for (const [id, label] of Object.entries(elements ?? {}))
      if (Array.isArray(label)) inventory.set(id, [toText(label[0]), toText(label[1])])
    read.set(number, { windowUid: window_uid, inventory })
  }
  return read
}

/** The id of an element within its window. On a real desktop ids begin with the number of the window, such as `w2-e17`. */
const idInWindow = (id: string): string => id.replace(/^w\d+-/, '')

/** The current ids of recorded elements whose window was reopened. */
export function idsInWindow(recorded: Inventory, actual: Inventory): ReadonlyMap<string, string> {
  const missing = [...recorded.keys()].filter((id) => !actual.has(id) && idInWindow(id) !== id)
  if (missing.length === 0) return new Map()
  const ids = new Map([...actual.keys()].map((id) => [idInWindow(id), id]))
  return new Map(missing.map((id) => [id, ids.get(idInWindow(id)) ?? id]))
}

/** An inventory with the ids of the recording. */
export function underRecordedIds(actual: Inventory, ids: ReadonlyMap<string, string>): Inventory {
  const recorded = new Map([...ids].map(([before, now]) => [now, before]))
  return new Map([...actual].map(([id, label]) => [recorded.get(id) ?? id, label]))
}

/** The elements that are gone, are new, or have another role or name. */
export function compareInventories(recorded: Inventory, actual: Inventory): readonly Difference[] {
  const differences: Difference[] = []
  for (const [id, label] of recorded) {
    const now = actual.get(id)
    if (!now) differences.push({ path: `elements.${id}`, want: titleOf(label), got: null })
    if (now && now[0] !== label[0]) differences.push({ path: `elements.${id}.role`, want: label[0], got: now[0] })
    if (now && now[1] !== label[1]) differences.push({ path: `elements.${id}.name`, want: label[1], got: now[1] })
  }
  for (const [id, label] of actual)
    if (!recorded.has(id)) differences.push({ path: `elements.${id}`, want: null, got: titleOf(label) })
  return differences
}

const titleOf = ([role, name]: Label): string => `${role} ${JSON.stringify(name)}`

const newer = (before: Inventory, after: Inventory): Record<string, Label> =>
  Object.fromEntries(
    [...after].filter(([id, [role, name]]) => {
      const known = before.get(id)
      return !known || known[0] !== role || known[1] !== name
    }),
  )
