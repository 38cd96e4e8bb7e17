import { Fault } from '../../base/fault.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import { type DataPath, valueAt, withValueAt } from './data-path.ts'

/** The data of a run: variables by name. */
export type DataState = Readonly<Record<string, DataValue>>

/** A change of the data, with its expressions already evaluated. */
export type DataChange =
  | { readonly kind: 'assign'; readonly path: DataPath; readonly value: DataValue }
  | { readonly kind: 'append'; readonly path: DataPath; readonly items: readonly DataValue[] }
  /** Changes fields of the records for which `matches` holds. */
  | {
      readonly kind: 'update'
      readonly path: DataPath
      readonly matches: ItemTest
      readonly fields: (item: DataValue, index: number) => DataState
    }
  | { readonly kind: 'remove'; readonly path: DataPath; readonly matches: ItemTest }

type ItemTest = (item: DataValue, index: number) => boolean

/** A list that has so many items gets no more, however often a timer appends some. */
const MAX_ITEMS = 100_000

/** The data after a change; the same object when nothing changed. Throws `BadRequest` where the change does not fit. */
export function changeData(data: DataState, change: DataChange): DataState {
  if (change.kind === 'assign') return put(data, change.path, change.value)
  const list = valueAt(data, change.path)
  if (list === undefined || !isList(list)) throw new Fault('BadRequest', `${textOfPath(change.path)} is not a list`)
  return put(data, change.path, changedList(list, change))
}

function changedList(
  list: readonly DataValue[],
  change: Exclude<DataChange, { kind: 'assign' }>,
): readonly DataValue[] {
  if (change.kind === 'append') return list.length + change.items.length > MAX_ITEMS ? list : [...list, ...change.items]
  if (change.kind === 'remove') {
    const kept = list.filter((item, index) => !change.matches(item, index))
    return kept.length === list.length ? list : kept
  }
  let isChanged = false
  const items = list.map((item, index) => {
    if (typeof item !== 'object' || item === null || isList(item) || !change.matches(item, index)) return item
    isChanged = true
    return { ...item, ...change.fields(item, index) }
  })
  return isChanged ? items : list
}

function put(data: DataState, path: DataPath, value: DataValue): DataState {
  if (valueAt(data, path) === undefined) throw new Fault('BadRequest', `there is no ${textOfPath(path)}`)
  return withValueAt(data, path, value) as DataState
}

const textOfPath = ([first, ...rest]: DataPath): string =>
  rest.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), first)
