import { isAssignable, nameOfType } from '../data/run-data.ts'
import { type ItemTypes, namesOfEvent, recordsType, typeAt, unknownVariable } from '../data/scope.ts'
import { ANY, BOOL, type DataType, DOUBLE, INT, mapFields, STRING, unify } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import type { ScenarioEvents } from '../scenario-file.ts'
import type { EventFieldType } from '../schema/common.ts'
import type { Trigger } from '../schema/reaction.ts'
import type { KeyPath } from '../source/source.ts'
import type { CompileWork, Surroundings } from './compile-expression.ts'

/** The names of events in expressions: the fields that a scenario declares, and the items around elements that triggers name. */

/** Whether elements with an id are in items or have items in them, by their ids. */
export function itemsNearIds(authored: object): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  const look = (value: unknown, isInside: boolean): boolean => {
    if (typeof value !== 'object' || value === null) return false
    if (Array.isArray(value)) return value.map((each) => look(each, isInside)).includes(true)
    const map = value as Readonly<Record<string, unknown>>
    const isItem = map.repeat !== undefined
    const below = Object.values(map).map((each) => look(each, isInside || isItem))
    const hasItem = isItem || below.includes(true)
    if (typeof map.id === 'string' && typeof map.role === 'string')
      found.set(map.id, (found.get(map.id) ?? false) || isInside || hasItem)
    return hasItem
  }
  const { states, windows, sites } = authored as Readonly<Record<string, unknown>>
  look([states, windows, sites], false)
  return found
}

/** Records the items around an element that is in live items, and around the elements below it. */
export function withPart(
  map: Readonly<Record<string, unknown>>,
  near: Surroundings,
  { itemsOf }: CompileWork,
): Surroundings {
  const { items, partIds = [] } = near
  if (items && typeof map.uid === 'string' && map.repeat) itemsOf.set(windowKey(map.uid), items)
  if (!items || typeof map.id !== 'string') return near
  itemsOf.set(map.id, sharedTypes(itemsOf.get(map.id), items))
  return { ...near, partIds: [...partIds, map.id] }
}

/** The key of a window for each item among the ids of elements. */
const windowKey = (uid: string): string => `window ${uid}`

/** The types of the items of an element that has these items or those. */
export const sharedTypes = (one: ItemTypes | undefined, other: ItemTypes): ItemTypes =>
  one
    ? {
        item: unify(one.item, other.item),
        items: { ...one.items, ...mapFields(other.items, (type, name) => unify(one.items[name] ?? type, type)) },
      }
    : other

/** Checks the variables of a person who answers. Below, `row` and `event.row` are a record of the list, and so is `event.item`. */
export function checkActor(
  map: Readonly<Record<string, unknown>>,
  path: KeyPath,
  near: Surroundings,
  { scope, report }: CompileWork,
): Surroundings {
  const typeOfKey = (key: 'hears' | 'typing'): DataType => {
    const name = map[key]
    const type = typeof name === 'string' ? typeAt(scope.vars, name) : ANY
    if (!type) report([...path, key], unknownVariable(String(name), scope.vars, scope))
    return type ?? ANY
  }
  const [list, typing] = [typeOfKey('hears'), typeOfKey('typing')]
  if (!isAssignable(typing, BOOL))
    report([...path, 'typing'], `${map.typing} is ${nameOfType(typing)}; expected ${nameOfType(BOOL)}`)
  const row = recordsType(list)
  if (!row) report([...path, 'hears'], `${map.hears} holds no records; expected a list of these`)
  const names = namesOfEvent({ item: row ?? ANY, items: {} }, undefined, row)
  return { ...near, locals: { ...near.locals, row: row ?? ANY, ...names } }
}

/** The sections whose events may be about live items. */
export const WITH_ITEMS: ReadonlySet<string> = new Set(['reactions', 'timers'])

/** The name `event` with the items around the elements that a trigger names. */
export function withTriggerEvent(
  on: Trigger | null,
  given: Surroundings,
  { itemsOf, mayHaveItem }: CompileWork,
): Surroundings {
  // `card.remove` is the part of each item.
  const itemsAt = (id = '') =>
    itemsOf.get(id) ?? (mayHaveItem.has(id) ? undefined : itemsOf.get(id.split('.').slice(1).join('.')))
  const id = on?.target_id ?? on?.changed
  const ofWindow = on?.window === undefined ? undefined : itemsOf.get(windowKey(on.window))
  const [target, from] = [itemsAt(id) ?? ofWindow, itemsAt(on?.from_id)]
  const column = id !== undefined && !mayHaveItem.has(id) && id.includes('.') ? id.split('.')[0]! : undefined
  const isElsewhere = id !== undefined && !target && mayHaveItem.get(column ?? id) === false
  const hint = column === undefined ? 'name a part of an item as target_id' : 'the record of its row is event.row'
  const missing = [
    ...(isElsewhere
      ? [[ITEM_OF_EVENT, `${id} is in no item of a repeat, so the event has no item; ${hint}`] as const]
      : []),
    ...(on && on.tool !== 'drop' && on.tool !== 'any'
      ? [[DRAGGED_ITEM, 'event.from_item is what was dragged; only reactions to {tool: drop} have one'] as const]
      : []),
  ]
  const near = missing.length === 0 ? given : { ...given, missing }
  return target || from ? { ...near, locals: { ...near.locals, ...namesOfEvent(target, from) } } : near
}

const ITEM_OF_EVENT = /\bevent\.items?\b/
const DRAGGED_ITEM = /\bevent\.from_items?\b/

const TYPES: Readonly<Record<EventFieldType, DataType>> = {
  text: STRING,
  number: DOUBLE,
  integer: INT,
  boolean: BOOL,
  any: ANY,
}

const namesOfEvents = new WeakMap<object, NameTypes>()
const NO_FIELDS = {}

/** The name `event` with the fields that a scenario declares for an event. */
export function eventNames(fields: ScenarioEvents[string]): NameTypes {
  const declared = fields ?? NO_FIELDS
  const known: NameTypes = namesOfEvents.get(declared) ?? {
    event: { kind: 'record', fields: mapFields(declared as Record<string, EventFieldType>, (type) => TYPES[type]) },
  }
  namesOfEvents.set(declared, known)
  return known
}

/** The names that only the expressions of an oracle have: `answer`, or `event` with the fields of the event that it is about. */
export function oracleNames(oracle: Readonly<Record<string, unknown>>, events: ScenarioEvents): NameTypes {
  if (oracle.kind === 'answer') return { answer: STRING }
  const name = oracle.kind === 'event' ? oracle.name : oracle.event
  return typeof name === 'string' && Object.hasOwn(events, name) ? eventNames(events[name]!) : {}
}
