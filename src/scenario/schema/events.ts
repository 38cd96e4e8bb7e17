import * as z from 'zod'
import { Name } from './common.ts'

/** The type of a field of an event. */
export const EventFieldType = z.enum(['text', 'number', 'integer', 'boolean', 'any'])
export type EventFieldType = z.infer<typeof EventFieldType>

const MAX_EVENTS = 1000
const MAX_FIELDS = 50

/** The section `events`: the fields of each event with their types. */
export const ScenarioEvents = z
  .record(
    Name,
    z
      .record(Name, EventFieldType)
      .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, {
        error: `at most ${MAX_FIELDS} fields are allowed`,
      })
      .nullable(),
  )
  .refine((events) => Object.keys(events).length <= MAX_EVENTS, { error: `at most ${MAX_EVENTS} events are allowed` })
  .meta({ examples: [{ order_shipped: { customer: 'text', total: 'number' } }] })
export type ScenarioEvents = z.infer<typeof ScenarioEvents>
