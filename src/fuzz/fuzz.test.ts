import { expect, it } from 'vitest'
import { PROTOCOL_NAMES } from '../protocols/registry.ts'
import { frameCase, httpCase } from './cases.ts'
import { readChannels, readOperations } from './documents.ts'
import { createFuzzRandom } from './fuzz-random.ts'
import { garbage, mutateValue } from './mutate.ts'

// Rules such as [F1] are stated in README.md beside this file.

const operations = readOperations()
const channels = readChannels()
const ids = { navi: 's1' }

it('[F2] makes the same case of a seed and a number, and other cases of others', () => {
  const requests = (seed: number) => Array.from({ length: 30 }, (_, index) => httpCase(seed, index, operations, ids))
  const frames = (seed: number) => Array.from({ length: 30 }, (_, index) => frameCase(seed, index, channels))
  expect(requests(1)).toEqual(requests(1))
  expect(frames(1)).toEqual(frames(1))
  expect(requests(1)).not.toEqual(requests(2))
  expect(new Set(requests(1).map(({ url, body }) => url + body)).size).toBeGreaterThan(25)
})

it('[F4] knows the operations and sockets of every protocol, and chooses among all of them', () => {
  expect(new Set(operations.map(({ protocol }) => protocol))).toEqual(new Set(PROTOCOL_NAMES))
  expect(new Set(channels.map(({ protocol }) => protocol))).toEqual(
    new Set(['observer', 'cortask', 'navi', 'windieos']),
  )
  const chosen = new Set(
    Array.from({ length: 2000 }, (_, index) => createFuzzRandom(1, `http ${index}`).pick(operations)),
  )
  expect(chosen.size).toBe(operations.length)
})

it('[F1] makes bodies that fit, that nearly fit, and that are no JSON', () => {
  const chat = operations.filter(({ path, protocol }) => protocol === 'navi' && path === '/sessions/{id}/messages')
  const bodies = Array.from({ length: 150 }, (_, index) => httpCase(3, index, chat, ids).body ?? '')
  const kinds = bodies.map((body) => {
    try {
      return typeof JSON.parse(body).content
    } catch {
      return 'no JSON'
    }
  })
  expect(new Set(kinds)).toEqual(new Set(['string', 'number', 'object', 'undefined', 'boolean', 'no JSON']))
})

it('[F1] changes can always be written as JSON', () => {
  for (let number = 0; number < 300; number++) {
    const chance = createFuzzRandom(9, `change ${number}`)
    expect(JSON.stringify(mutateValue({ a: [{ b: 1 }], c: 'd' }, chance))).toBeTypeOf('string')
    expect(garbage(chance)).toBeTypeOf('string')
  }
})
