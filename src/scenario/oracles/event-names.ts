import { ANY, BOOL, type DataType, DOUBLE, INT, mapFields, STRING } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import type { EventFieldType, ScenarioEvents } from '../schema/events.ts'

const TYPES: Readonly<Record<EventFieldType, DataType>> = {
  text: STRING,
  number: DOUBLE,
  integer: INT,
  boolean: BOOL,
  any: ANY,
}

const names = new WeakMap<object, NameTypes>()
const NO_FIELDS = {}

/** The name `event` with the fields that a scenario declares for an event. */
export function eventNames(fields: ScenarioEvents[string]): NameTypes {
  const declared = fields ?? NO_FIELDS
  const known: NameTypes = names.get(declared) ?? {
    event: { kind: 'record', fields: mapFields(declared as Record<string, EventFieldType>, (type) => TYPES[type]) },
  }
  names.set(declared, known)
  return known
}

/** The names that only the expressions of an oracle have: `answer`, or `event` with the fields of the event that it is about. */
export function oracleNames(oracle: Readonly<Record<string, unknown>>, events: ScenarioEvents): NameTypes {
  if (oracle.kind === 'answer') return { answer: STRING }
  const name = oracle.kind === 'event' ? oracle.name : oracle.event
  return typeof name === 'string' && Object.hasOwn(events, name) ? eventNames(events[name]!) : {}
}
