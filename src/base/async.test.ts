import { describe, expect, it } from 'vitest'
import { andThen, forEachInOrder, orElse, yieldingWork } from './async.ts'

describe('awaitable', () => {
  it('continues synchronously with a plain value', () => {
    expect(andThen(2, (value) => value + 1)).toBe(3)
  })

  it('continues with the value of a promise when it resolves', async () => {
    const gone = andThen(Promise.resolve(2), (value) => value + 1)
    expect(gone).toBeInstanceOf(Promise)
    expect(await gone).toBe(3)
  })

  it('handles an error that is thrown or rejected', async () => {
    const fail = () => {
      throw new Error('no')
    }
    const describeError = (thrown: unknown) => String(thrown)
    expect(orElse(() => 'fine', describeError)).toBe('fine')
    expect(orElse(fail, describeError)).toBe('Error: no')
    expect(await orElse(() => Promise.resolve().then(fail), describeError)).toBe('Error: no')
  })

  it('processes items in order, awaiting asynchronous ones', async () => {
    const done: number[] = []
    const slowly = async (item: number) => {
      await Promise.resolve()
      done.push(item)
    }
    await forEachInOrder([1, 2, 3, 4], (item) => (item % 2 === 0 ? slowly(item) : done.push(item)))
    expect(done).toEqual([1, 2, 3, 4])
  })

  it('creates no promise when every step is synchronous', () => {
    const done: number[] = []
    expect(forEachInOrder([1, 2], (item) => done.push(item))).toBeUndefined()
    expect(done).toEqual([1, 2])
  })
})

it('requests a pause after 25 ms, then continues', async () => {
  let nowMs = 0
  const { pause } = yieldingWork(() => nowMs)
  expect(pause()).toBeUndefined()
  nowMs = 25
  await pause()
  expect(pause()).toBeUndefined()
})

it('resumes one caller per turn of the event loop', async () => {
  let nowMs = 0
  const works = Array.from({ length: 5 }, () => yieldingWork(() => nowMs))
  nowMs = 100
  let turns = 0
  const count = () => {
    turns++
    setImmediate(count).unref()
  }
  setImmediate(count)
  const resumed = await Promise.all(works.map(async ({ pause }) => pause()?.then(() => turns)))
  expect(new Set(resumed).size).toBe(5)
})
