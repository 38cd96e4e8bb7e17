import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Line } from './line.ts'

type Answer = (error: Error | undefined, value: string) => void

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('[L11] a program that goes on answering is waited for, however slow it is', async () => {
  const line = new Line()
  const answers: Answer[] = []
  const all = Promise.all(Array.from({ length: 5 }, () => line.ask<string>(700, (answer) => answers.push(answer))))
  for (const answer of answers) {
    await vi.advanceTimersByTimeAsync(600)
    answer(undefined, 'done')
  }
  expect(await all).toEqual(Array(5).fill('done'))
})

it('[L11] a program that falls silent is given up, with all that waits for it', async () => {
  const line = new Line()
  const asked = Array.from({ length: 1000 }, () => line.ask<string>(700, () => {}))
  const outcomes = Promise.allSettled(asked)
  await vi.advanceTimersByTimeAsync(800)
  expect((await outcomes).map((one) => (one.status === 'rejected' ? one.reason.code : one.value))).toEqual(
    Array(1000).fill('Timeout'),
  )
})

it('[L11] asks a program no more than it can take at once, in order', async () => {
  const line = new Line()
  const sent: number[] = []
  const answers: Answer[] = []
  const all = Array.from({ length: 450 }, (_, number) =>
    line.ask<string>(700, (answer) => {
      sent.push(number)
      answers.push(answer)
    }),
  )
  expect(sent.length).toBe(400)
  for (let at = 0; at < 450; at++) answers[at]!(undefined, String(at))
  expect(await Promise.all(all)).toEqual(sent.map(String))
  expect(sent).toEqual(sent.slice().sort((a, b) => a - b))
})

it('a refusal is told to whoever asked', async () => {
  const line = new Line()
  const asked = line.ask<string>(700, (answer) => answer(new Error('no such object'), ''))
  await expect(asked).rejects.toThrow('no such object')
})
