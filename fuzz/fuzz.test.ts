import { expect, it } from 'vitest'
import { PROTOCOL_NAMES } from '../src/protocols/registry.ts'
import { frameCase, httpCase } from './cases.ts'
import { readChannels, readOperations } from './documents.ts'
import { type FuzzReply, findingIn, isLeak } from './findings.ts'
import { createFuzzRandom } from './fuzz-random.ts'
import { garbage, mutateValue } from './mutate.ts'

// Rules such as [FZ1] are stated in README.md beside this file.

const operations = readOperations()
const channels = readChannels()
const ids = { navi: 's1' }

it('[FZ2] makes the same case from the same seed and number', () => {
  const requests = (seed: number) => Array.from({ length: 30 }, (_, index) => httpCase(seed, index, operations, ids))
  const frames = (seed: number) => Array.from({ length: 30 }, (_, index) => frameCase(seed, index, channels))
  expect(requests(1)).toEqual(requests(1))
  expect(frames(1)).toEqual(frames(1))
  expect(requests(1)).not.toEqual(requests(2))
  expect(new Set(requests(1).map(({ url, body }) => url + body)).size).toBeGreaterThan(25)
})

it('[FZ4] chooses among all operations and sockets of every protocol', () => {
  expect(new Set(operations.map(({ protocol }) => protocol))).toEqual(new Set(PROTOCOL_NAMES))
  expect(new Set(channels.map(({ protocol }) => protocol))).toEqual(
    new Set(['observer', 'cortask', 'navi', 'windieos', 'openenv']),
  )
  const chosen = new Set(
    Array.from({ length: 4000 }, (_, index) => createFuzzRandom(1, `http ${index}`).pick(operations)),
  )
  expect(chosen.size).toBe(operations.length)
})

it('[FZ1] makes valid, nearly valid and non-JSON bodies', () => {
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

it('[FZ1] keeps changed values serialisable as JSON', () => {
  for (let number = 0; number < 300; number++) {
    const chance = createFuzzRandom(9, `change ${number}`)
    expect(JSON.stringify(mutateValue({ a: [{ b: 1 }], c: 'd' }, chance))).toBeTypeOf('string')
    expect(garbage(chance)).toBeTypeOf('string')
  }
})

it('[FZ3] reports unlisted server errors and missing responses', () => {
  const find = (path: string, reply: FuzzReply, headers = {}) =>
    findingIn(
      {
        operation: { ...operations[0]!, path, statuses: [200, 503] },
        method: 'POST',
        url: path,
        headers,
        body: '{}',
      },
      reply,
    )
  expect(find('/a', { status: 200, text: 'fine' })).toBe(undefined)
  expect(find('/a', { status: 503, text: 'busy' })).toBe(undefined)
  expect(find('/a', { status: 500, text: 'oops' })).toMatch(/^500 oops: .* POST \/a \{\}$/)
  expect(find('/a', { status: 503, text: 'Internal error' })).toMatch(/^503 Internal error/)
  const reset = { failure: 'read ECONNRESET' }
  expect(find('/a', reset)).toMatch(/^no response \(read ECONNRESET\): .* POST \/a \{\}$/)
  expect(find('/a', reset, { expect: '100-continue' })).toBe(undefined)
  expect(find('/sessions/s1/stream', reset)).toBe(undefined)
})

it('[FZ3] reports memory that keeps growing, but not memory that levels off or a short run', () => {
  expect(isLeak([100e6, 150e6, 200e6], 20_000)).toBe(true)
  expect(isLeak([100e6, 150e6, 151e6], 20_000)).toBe(false)
  expect(isLeak([50e6, 150e6, 200e6], 20_000)).toBe(false)
  expect(isLeak([100e6, 150e6, 200e6], 100)).toBe(false)
})
