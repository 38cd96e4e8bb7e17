import { afterEach, expect, it } from 'vitest'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { startWindieos } from '../../../test/support/protocols/windieos.ts'
import { FACTS, UNTESTABLE_FACTS } from './facts.ts'
import { JsonParser, MIN_OFFLOAD_BYTES } from './parser.ts'

// Facts such as [I-L04] are listed in facts.ts.

afterEach(cleanUp)

it('[I-L04] reads texts of 64 KiB beside the main thread, shorter ones here, with the same result', async () => {
  const parser = new JsonParser()
  try {
    const sized = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
    for (const bytes of [MIN_OFFLOAD_BYTES - 1, MIN_OFFLOAD_BYTES]) {
      const text = sized(bytes)
      expect([await parser.parse(text, bytes), parser.offloaded]).toEqual([
        JSON.parse(text),
        bytes === MIN_OFFLOAD_BYTES ? 1 : 0,
      ])
    }
    for (const bytes of [2, MIN_OFFLOAD_BYTES])
      await expect(parser.parse('{', bytes)).rejects.toMatchObject({ code: 'BadRequest' })
  } finally {
    parser.close()
  }
})

it('[I-E13] logs a message that takes too long to parse, and continues', async () => {
  const { client, logged } = await startWindieos({ parseTimeoutMs: 0 })
  const { send, sendMessage, next, reply } = await client()
  send({ id: 'long', type: 'list-models', payload: {}, timestamp: 'x'.repeat(5_000_000) })
  expect((await next('error')).payload).toEqual({ message: 'the message took too long to read' })
  expect((await reply(sendMessage('list-models'))).type).toBe('models-listed')
  expect(logged).toEqual(['PARSE_TIMEOUT_ERROR'])
})

it('lists every fact of the protocol once, with a test or with the reason for none', () => {
  const numbered = (letter: string, from: number, to: number, digits = 2) =>
    Array.from({ length: to - from + 1 }, (_, index) => `I-${letter}${String(from + index).padStart(digits, '0')}`)
  const ids = [
    ...numbered('H', 1, 36),
    ...numbered('W', 1, 2),
    ...numbered('K', 1, 12),
    ...numbered('C', 0, 10),
    ...numbered('S', 1, 28),
    ...numbered('T', 1, 8),
    ...numbered('E', 1, 14),
    ...numbered('L', 1, 18),
    ...[200, 401, 403, 404, 409, 413, 422, 503, 1008].map((code) => `I-X${code}`),
    ...numbered('A', 1, 52, 1),
  ]
  expect([...Object.keys(FACTS), ...Object.keys(UNTESTABLE_FACTS)].toSorted()).toEqual(ids.toSorted())
})
