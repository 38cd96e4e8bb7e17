import { describe, expect, it } from 'vitest'
import { andThen, forEachInOrder, orElse } from './awaitable.ts'

describe('awaitable', () => {
  it('goes on at once with a value that is there', () => {
    expect(andThen(2, (value) => value + 1)).toBe(3)
  })

  it('goes on with a promised value when it comes', async () => {
    const gone = andThen(Promise.resolve(2), (value) => value + 1)
    expect(gone).toBeInstanceOf(Promise)
    expect(await gone).toBe(3)
  })

  it('takes what was thrown, at once or later', async () => {
    const fail = () => {
      throw new Error('no')
    }
    const told = (thrown: unknown) => String(thrown)
    expect(orElse(() => 'fine', told)).toBe('fine')
    expect(orElse(fail, told)).toBe('Error: no')
    expect(await orElse(() => Promise.resolve().then(fail), told)).toBe('Error: no')
  })

  it('does things in turn, waiting for those that take time', async () => {
    const done: number[] = []
    const slowly = async (item: number) => {
      await Promise.resolve()
      done.push(item)
    }
    await forEachInOrder([1, 2, 3, 4], (item) => (item % 2 === 0 ? slowly(item) : done.push(item)))
    expect(done).toEqual([1, 2, 3, 4])
  })

  it('needs no promise when nothing takes time', () => {
    const done: number[] = []
    expect(forEachInOrder([1, 2], (item) => done.push(item))).toBeUndefined()
    expect(done).toEqual([1, 2])
  })
})
