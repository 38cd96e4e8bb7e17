import { describe, expect, it } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

describe('a serial queue', () => {
  it('[BA8] starts work when the work before it has ended, in the order of adding', async () => {
    const queue = new SerialQueue()
    const log: string[] = []
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const work = (name: string, until?: Promise<void>) => async () => {
      log.push(`${name} begins`)
      await until
      log.push(`${name} ends`)
      return name
    }
    const results = [queue.run(work('a', gate)), queue.run(work('b')), queue.run(work('c'))]
    expect(log).toEqual(['a begins'])
    open()
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('[BA9] returns the result of synchronous work synchronously while nothing runs', async () => {
    const queue = new SerialQueue()
    expect(queue.run((): unknown => 1)).toBe(1)
    const first = queue.run(async () => 2)
    const second = queue.run((): unknown => 3)
    expect(second).toBeInstanceOf(Promise)
    expect(await Promise.all([first, second])).toEqual([2, 3])
    await queue.ended()
    expect(queue.run((): unknown => 5)).toBe(5)
  })

  it('[BA10] reports failures to the caller and goes on', async () => {
    const queue = new SerialQueue()
    const fail = () => {
      throw new Error('no')
    }
    expect(() => queue.run(fail)).toThrow('no')
    const failing = queue.run(async () => fail())
    const next = queue.run(async () => 'next')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
  })

  it('[BA11] has ended when all work added before has, also work that fails', async () => {
    const queue = new SerialQueue()
    await queue.ended()
    const log: string[] = []
    const failing = queue.run(async () => {
      throw new Error('no')
    })
    const last = queue.run(async () => log.push('last'))
    await queue.ended()
    expect(log).toEqual(['last'])
    await expect(failing).rejects.toThrow('no')
    expect(await last).toBe(1)
  })
})
