import { expect, it } from 'vitest'
import type { DataValue } from '../scenario/expression/data-type.ts'
import { parseScenario } from '../scenario/load/load.ts'
import { includeForText } from './applications.ts'

/** An option of an application, the list with its records, and how many of these the option is not about. */
const OPTIONS = [
  { name: 'mail', list: 'mails', all: 224, others: 0 },
  { name: 'calendar', list: 'appointments', all: 62, others: 22 },
  { name: 'chat', list: 'chat_messages', all: 590, others: 0 },
  // The titles, and the empty rows at the end.
  { name: 'sheet', list: 'sheet_orders', all: 220, others: 30 },
  { name: 'files', list: 'files', all: 440, others: 20 },
] as const

const recordsOf = (name: string, list: string, params: string): readonly DataValue[] => {
  const text = `name: some\nseed: 4\nstart_time: "2026-03-09T14:30:00Z"\ninclude: [apps/${name}]\n${params}\nstates: {open: {windows: [{use: ${name}-window}]}}`
  return parseScenario(text, { include: includeForText }).data[list] as readonly DataValue[]
}

it.each(OPTIONS)('[EXP36b] apps/$name has as many records as its option says', ({ name, list, all, others }) => {
  const whole = recordsOf(name, list, '')
  const few = recordsOf(name, list, `params: {${name}_records: 8}`)
  expect([whole.length, few.length]).toEqual([all + others, 8 + others])
  expect(recordsOf(name, list, `params: {${name}_records: ${all}}`)).toEqual(whole)
})

it('[EXP36b] keeps the newest mails and messages as they are among all', () => {
  for (const [name, list] of [
    ['mail', 'mails'],
    ['chat', 'chat_messages'],
  ] as const)
    expect(recordsOf(name, list, `params: {${name}_records: 8}`)).toEqual(recordsOf(name, list, '').slice(-8))
})
