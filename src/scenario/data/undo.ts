import { type DataValue, isList } from '../expression/data-type.ts'
import { keyOfItem } from './data-change.ts'
import type { RunData } from './run-data.ts'

type DataRecord = Readonly<Record<string, DataValue>>

/** What one action changed in the variables whose changes can be undone. */
export interface ChangeGroup {
  readonly number: number
  /** The ids of the reactions that made the changes. */
  readonly names: readonly string[]
  readonly changes: readonly {
    readonly var: string
    readonly before: DataValue
    readonly after: DataValue
  }[]
}

/** The groups that can be undone and done again, oldest first. An immutable value. */
export interface UndoHistory {
  readonly undo: readonly ChangeGroup[]
  readonly redo: readonly ChangeGroup[]
  /** The number of the next group. */
  readonly next: number
  /** The group that the button of each notification undoes, by the uid of the notification. */
  readonly bars: ReadonlyMap<string, number>
}

/** The history of a run in which nothing changed. */
export const EMPTY_HISTORY: UndoHistory = { undo: [], redo: [], next: 1, bars: new Map() }

/** The most groups that can be undone. */
export const MAX_UNDO_GROUPS = 100

/** The history after an action that changed some of the variables `vars`. What was undone cannot be done again. */
export function withGroup(
  history: UndoHistory,
  vars: readonly string[],
  before: RunData,
  after: RunData,
  names: readonly string[],
): UndoHistory {
  if (before === after) return history
  const changes = vars
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ var: name, before: before[name] ?? null, after: after[name] ?? null }))
  if (changes.length === 0) return history
  const group = { number: history.next, names, changes }
  return { ...history, undo: [...history.undo, group].slice(-MAX_UNDO_GROUPS), redo: [], next: history.next + 1 }
}

/** The history in which a notification has a button that undoes the group that is being made, or has none. */
export function withBar(history: UndoHistory, uid: string, undoes: boolean): UndoHistory {
  if (!undoes && !history.bars.has(uid)) return history
  const bars = new Map(history.bars)
  if (undoes) bars.set(uid, history.next)
  else bars.delete(uid)
  return { ...history, bars }
}

/** The group of a name: the latest for `last`, otherwise the latest that a reaction with this id, or that number, made. */
export function groupNamed(groups: readonly ChangeGroup[], name: string | number): ChangeGroup | undefined {
  if (name === 'last') return groups.at(-1)
  return groups.findLast((group) => (typeof name === 'number' ? group.number === name : group.names.includes(name)))
}

/** The history in which a group was undone, or done again. */
export function withGroupMoved(history: UndoHistory, group: ChangeGroup, direction: 'undo' | 'redo'): UndoHistory {
  const to = direction === 'undo' ? 'redo' : 'undo'
  return {
    ...history,
    [direction]: history[direction].filter((each) => each !== group),
    [to]: [...history[to], group],
  }
}

/**
 * The data with the changes of a group taken back, or made again. What changed since then in other records, and in other
 * fields of the same ones, stays.
 */
export function withGroupApplied(data: RunData, { changes }: ChangeGroup, direction: 'undo' | 'redo'): RunData {
  const next: Record<string, DataValue> = { ...data }
  for (const { var: name, before, after } of changes) {
    const [from, to] = direction === 'undo' ? [after, before] : [before, after]
    next[name] = merged(data[name] ?? null, from, to)
  }
  return changes.every(({ var: name }) => next[name] === data[name]) ? data : next
}

/** The current value with what differs between `from` and `to`, where it is still as in `from`. */
function merged(current: DataValue, from: DataValue, to: DataValue): DataValue {
  if (current === from) return to
  if (from === to) return current
  if (isRecord(current) && isRecord(from) && isRecord(to)) return mergedRecord(current, from, to)
  if (isListValue(current) && isListValue(from) && isListValue(to)) {
    const maps = [current, from, to].map(byKey)
    if (maps.every((map) => map !== undefined)) return mergedList(current, ...(maps as [ByKey, ByKey, ByKey]))
  }
  return JSON.stringify(current) === JSON.stringify(from) ? to : current
}

const isRecord = (value: DataValue): value is DataRecord =>
  typeof value === 'object' && value !== null && !isList(value)
const isListValue = (value: DataValue): value is readonly DataValue[] => value !== null && isList(value)

function mergedRecord(current: DataRecord, from: DataRecord, to: DataRecord): DataRecord {
  const fields: Record<string, DataValue> = { ...current }
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)]))
    if (from[name] !== to[name]) fields[name] = merged(current[name] ?? null, from[name] ?? null, to[name] ?? null)
  return Object.keys(fields).every((name) => fields[name] === current[name]) ? current : fields
}

type ByKey = ReadonlyMap<DataValue, DataValue>

/** The items of a list by their keys. Undefined if some have none, or the same. */
function byKey(list: readonly DataValue[]): ByKey | undefined {
  const map = new Map(list.map((item) => [keyOfItem(item, 'id'), item]))
  return map.size === list.length && !map.has(null) ? map : undefined
}

function mergedList(list: readonly DataValue[], current: ByKey, from: ByKey, to: ByKey): readonly DataValue[] {
  const stays = [...current.keys()].filter((key) => !from.has(key) || to.has(key))
  const order = inOrderOf(stays, [...from.keys()], [...to.keys()])
  let above: DataValue | undefined
  for (const key of to.keys()) {
    if (!from.has(key) && !current.has(key)) order.splice(above === undefined ? 0 : order.indexOf(above) + 1, 0, key)
    if (order.includes(key)) above = key
  }
  const items = order.map((key) => {
    const [now, was, back] = [current.get(key), from.get(key), to.get(key)]
    return now === undefined ? back! : was === undefined || back === undefined ? now : merged(now, was, back)
  })
  return items.length === list.length && items.every((item, index) => item === list[index]) ? list : items
}

/** The keys in the order of `to`, if they are still in the order of `from`. */
function inOrderOf(keys: readonly DataValue[], from: readonly DataValue[], to: readonly DataValue[]): DataValue[] {
  const places = new Map(to.map((key, place) => [key, place]))
  const here = new Set(keys)
  const common = from.filter((key) => here.has(key) && places.has(key))
  const known = new Set(common)
  const sorted = common.toSorted((a, b) => places.get(a)! - places.get(b)!)
  const isMoved = sorted.some((key, index) => key !== common[index])
  const isAsLeft = keys.filter((key) => known.has(key)).every((key, index) => key === common[index])
  if (!isMoved || !isAsLeft) return [...keys]
  const rest = sorted.values()
  return keys.map((key) => (known.has(key) ? rest.next().value! : key))
}
