import { ANY, type DataType, type DataValue, STRING, TIMESTAMP } from '../expression/data-type.ts'

/** The event that caused a reaction, as expressions see it. */
export interface EventValues {
  /** The text that was typed, pressed, set or selected; the first group of a `text_regex` if there is one. */
  readonly text: string
  /** The value of the element. */
  readonly value: string
  /** The key or chord that was pressed. */
  readonly key: string
  /** The groups of the `text_regex`, from 1 as in the pattern; 0 is the whole text. */
  readonly groups: readonly string[]
  /** The id of the element. */
  readonly target: string
  /** The uid of its window. */
  readonly window: string
  /** The record of the row of a table; null elsewhere. */
  readonly row: DataValue
  /** The id of the dragged element, of a drop. */
  readonly from: string
  /** The record of the dragged row, of a drop; null elsewhere. */
  readonly from_row: DataValue
}

/** The event of what no event caused. */
export const NO_EVENT: EventValues = {
  text: '',
  value: '',
  key: '',
  groups: [],
  target: '',
  window: '',
  row: null,
  from: '',
  from_row: null,
}

const EVENT_TYPE: DataType = {
  kind: 'record',
  fields: {
    text: STRING,
    value: STRING,
    key: STRING,
    groups: { kind: 'list', items: STRING },
    target: STRING,
    window: STRING,
    row: ANY,
    from: STRING,
    from_row: ANY,
  },
}

/** The types of the names that every running scenario has beside its variables; `initial` and `row` depend on these. */
export const LIVE_TYPES: Readonly<Record<string, DataType>> = {
  now: TIMESTAMP,
  start_time: TIMESTAMP,
  state: STRING,
  event: EVENT_TYPE,
}

/** Names with a meaning in every running scenario, which variables cannot have. */
export const LIVE_NAMES: ReadonlySet<string> = new Set([...Object.keys(LIVE_TYPES), 'initial', 'row'])
