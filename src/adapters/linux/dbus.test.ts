import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CallQueue, unixSocketOf } from './dbus.ts'

type Answer = (error: Error | undefined, value: string) => void

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('[LX38] waits for a program that keeps answering, however slowly', async () => {
  const queue = new CallQueue()
  const answers: Answer[] = []
  const all = Promise.all(Array.from({ length: 5 }, () => queue.send<string>(700, (answer) => answers.push(answer))))
  for (const answer of answers) {
    await vi.advanceTimersByTimeAsync(600)
    answer(undefined, 'done')
  }
  expect(await all).toEqual(Array(5).fill('done'))
})

it('[LX38] times out for a silent program, with all pending calls', async () => {
  const queue = new CallQueue()
  const asked = Array.from({ length: 1000 }, () => queue.send<string>(700, () => {}))
  const outcomes = Promise.allSettled(asked)
  await vi.advanceTimersByTimeAsync(800)
  expect((await outcomes).map((one) => (one.status === 'rejected' ? one.reason.code : one.value))).toEqual(
    Array(1000).fill('Timeout'),
  )
})

it('[LX38] limits the pending calls of a program, and keeps their order', async () => {
  const queue = new CallQueue()
  const sent: number[] = []
  const answers: Answer[] = []
  const all = Array.from({ length: 450 }, (_, number) =>
    queue.send<string>(700, (answer) => {
      sent.push(number)
      answers.push(answer)
    }),
  )
  expect(sent.length).toBe(400)
  for (let at = 0; at < 450; at++) answers[at]!(undefined, String(at))
  expect(await Promise.all(all)).toEqual(sent.map(String))
  expect(sent).toEqual(sent.slice().sort((a, b) => a - b))
})

it('[LX41] sends one call at a time to a program that timed out, until it answers', async () => {
  const queue = new CallQueue()
  const answers: Answer[] = []
  const ask = () => queue.send<string>(700, (answer) => answers.push(answer))
  const ask3 = () => Promise.allSettled([ask(), ask(), ask()])
  const first = ask3()
  await vi.advanceTimersByTimeAsync(800)
  await first
  answers.length = 0
  const second = ask3()
  expect(answers.length).toBe(1)
  answers[0]!(undefined, 'back')
  expect(answers.length).toBe(3)
  for (const answer of answers.slice(1)) answer(undefined, 'back')
  expect((await second).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'))
})

it('rejects a call with the error of the program', async () => {
  const queue = new CallQueue()
  const asked = queue.send<string>(700, (answer) => answer(new Error('no such object'), ''))
  await expect(asked).rejects.toThrow('no such object')
})

it('[LX40] rejects each pending call when the connection ends', async () => {
  const queue = new CallQueue()
  let ended = false
  const pending: Answer[] = []
  const asked = Array.from({ length: 20_000 }, () =>
    queue.send<string>(700, (answer) => {
      if (ended) return answer(new Error('the connection has ended'), '')
      pending.push(answer)
    }),
  )
  const outcomes = Promise.allSettled(asked)
  ended = true
  for (const answer of pending) answer(new Error('the connection has ended'), '')
  const reasons = (await outcomes).map((one) => (one.status === 'rejected' ? one.reason.message : one.value))
  expect(new Set(reasons)).toEqual(new Set(['the connection has ended']))
})

it('[LX40] rejects a call that cannot be sent, and sends the next one', async () => {
  const queue = new CallQueue()
  const broken = queue.send<string>(700, () => {
    throw new Error('cannot be sent')
  })
  await expect(broken).rejects.toThrow('cannot be sent')
  await expect(queue.send<string>(700, (answer) => answer(undefined, 'done'))).resolves.toBe('done')
})

it.each([
  ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
  ['unix:path=/run/a%20b,guid=0a1b', '/run/a b'],
  ['unix:guid=0a1b,path=/run/dbus-x', '/run/dbus-x'],
  ['unix:abstract=dbus-x,guid=0a1b', '\0dbus-x'],
  ['tcp:host=localhost,port=1;unix:path=/run/bus', '/run/bus'],
])('[LX63h] files are passed on the socket of %s', (address, path) => {
  expect(unixSocketOf(address)).toBe(path)
})

it('[LX63h] files are not passed over a network', () => {
  expect(() => unixSocketOf('tcp:host=localhost,port=1')).toThrow('is not that of a Unix socket')
})
