import { expect, it } from 'vitest'
import { EventMemory, StreamEvents } from './http-clients.ts'

const answerTo = (id: number, text = '') => ({ jsonrpc: '2.0' as const, id, result: { text } })

it('[MCP26] keeps the latest 1,000 events', async () => {
  const events = new StreamEvents()
  for (let id = 1; id <= 1_001; id++) await events.storeEvent('s', answerTo(id))
  expect(events.count).toBe(1_000)
  expect([events.has('1'), events.has('2')]).toEqual([false, true])
})

it('[MCP26] drops the oldest events of the client with the most bytes when all clients hold too many', async () => {
  const memory = new EventMemory(5_000)
  const [large, small] = [new StreamEvents(memory), new StreamEvents(memory)]
  await small.storeEvent('s', answerTo(1, 'x'.repeat(1_000)))
  for (let id = 1; id <= 6; id++) await large.storeEvent('l', answerTo(id, 'x'.repeat(1_000)))
  expect([small.count, large.count]).toEqual([1, 3])
  large.close()
  await large.storeEvent('l', answerTo(7, 'x'.repeat(4_000)))
  await small.storeEvent('s', answerTo(2, 'x'.repeat(3_000)))
  expect([small.count, large.count]).toEqual([2, 0])
})

it('[MCP26] always keeps the last event', async () => {
  const events = new StreamEvents(new EventMemory(10))
  await events.storeEvent('s', answerTo(1, 'long text'))
  expect(events.count).toBe(1)
})

it('[MCP26] reports a stream as complete when all requests of its POST are answered', async () => {
  const events = new StreamEvents()
  events.expect([1, 2])
  const first = await events.storeEvent('s', answerTo(1))
  expect(events.completionAfter(first)).toBeUndefined()
  await events.storeEvent('other', answerTo(9))
  await events.storeEvent('s', answerTo(2))
  expect(events.completionAfter(first)).toMatchObject([{ streamId: 's', message: { id: 2 } }])
  expect(events.completionAfter('none')).toBeUndefined()
})
