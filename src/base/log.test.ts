import { expect, it } from 'vitest'
import { EventLog } from './log.ts'

const logOf = (capacity: number, count: number): EventLog<number> => {
  const log = new EventLog<number>(capacity)
  for (let event = 1; event <= count; event++) log.append(event * 10)
  return log
}
const numbers = (entries: readonly { readonly number: number }[]) => entries.map(({ number }) => number)

it.each([0, 2, 3, 4, 5, 6, 7, 11])('keeps the newest three of %i events and reports evicted ones', (count) => {
  const log = logOf(3, count)
  const held = Array.from({ length: Math.min(3, count) }, (_, at) => Math.max(0, count - 3) + at + 1)
  expect(numbers(log.held())).toEqual(held)
  expect([log.first, log.last]).toEqual([Math.max(0, count - 3) + 1, count])
  for (let after = log.first - 1; after <= count + 1; after++)
    expect(numbers(log.since(after))).toEqual(held.filter((number) => number > after))
  if (log.first > 1) expect(() => log.since(log.first - 2)).toThrow(`event ${log.first - 1} is no longer held`)
})

it('waits for an event after a number, until the log closes', async () => {
  const log = logOf(3, 1)
  expect(await log.newer(0)).toBe(true)
  const waits = log.newer(1)
  log.append(20)
  expect(await waits).toBe(true)
  const [gone, late] = [new AbortController(), log.newer(2)]
  const left = log.newer(2, gone.signal)
  gone.abort()
  expect(await left).toBe(false)
  expect(await log.newer(0, gone.signal)).toBe(false)
  log.close()
  expect(await late).toBe(false)
  expect(await log.newer(1)).toBe(true)
})
