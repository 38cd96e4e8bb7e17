import type { DataValue } from '../../expression/data-type.ts'
import type { EmitEffect } from '../../schema/effect.ts'
import type { EventFieldType } from '../../schema/events.ts'
import { appendToLog } from '../log.ts'
import { runWith } from '../scenario-run.ts'
import { type ApplyEffect, textFiller } from './context.ts'
import { MAX_LOGGED_CHARACTERS } from './log.ts'

/** Records an event with its fields. */
export const applyEmit: ApplyEffect<EmitEffect> = (run, { emit, with: given = {} }, context) => {
  const fill = textFiller(run, context)
  const types = run.scenario.events[emit] ?? {}
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? valueOfText(fill(value).slice(0, MAX_LOGGED_CHARACTERS), types[name]) : value,
    ]),
  )
  return runWith(run, { log: appendToLog(run.log, { atMs: run.nowMs, kind: 'emit', name: emit, fields }) })
}

/** A filled text as a value of the declared type; null if it is none. */
export function valueOfText(text: string, type: EventFieldType | undefined): DataValue {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (type !== 'number' && type !== 'integer') return text
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
  return fits ? number : null
}
