import { expect, it } from 'vitest'
import { seededIds, systemIds } from './ids.ts'
import { seededRandom } from './random.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('returns the same ids for the same seed, without duplicates', () => {
  const [ids, again] = [seededIds(seededRandom(7)), seededIds(seededRandom(7))]
  const drawn = [ids.uuid(), ids.uuid(), ids.hex(5)]
  expect([again.uuid(), again.uuid(), again.hex(5)]).toEqual(drawn)
  expect(new Set(drawn).size).toBe(3)
  expect(drawn[0]).toMatch(UUID)
})

it('returns unpredictable ids of the requested lengths', () => {
  const drawn = Array.from({ length: 1000 }, () => systemIds.hex(15))
  expect(new Set(drawn).size).toBe(1000)
  expect(drawn.every((id) => /^[0-9a-f]{15}$/.test(id))).toBe(true)
  expect(systemIds.uuid()).toMatch(UUID)
})
