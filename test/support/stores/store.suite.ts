import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/stores/store.ts'

interface Place {
  open(): Store
  /** Deletes the storage. */
  end?(): void
}

/** The tests that every store passes. */
export function storeSuite(name: string, lasts: 'with the process' | 'longer', findPlace: () => Place): void {
  describe(name, () => {
    let place: Place
    let store: Store
    beforeEach(() => {
      place = findPlace()
      store = place.open()
    })
    afterEach(() => {
      store.close()
      place.end?.()
    })

    it('returns the newest value of a key', () => {
      expect(store.get('session', 'a')).toBe(undefined)
      store.put('session', 'a', { title: 'Grüße', pinned: false })
      store.put('session', 'a', { title: 'Grüße', pinned: true })
      store.put('other', 'a', [1, null, 'x'])
      expect(store.get('session', 'a')).toEqual({ title: 'Grüße', pinned: true })
      expect(store.get('other', 'a')).toEqual([1, null, 'x'])
    })

    it('lists a kind oldest first, all of it or by owner', () => {
      for (const id of ['c', 'a', 'b']) store.put('file', id, { id }, id === 'a' ? 'one' : 'two')
      store.put('file', 'c', { id: 'c', again: true }, 'two')
      expect(store.list('file').map((record) => record.id)).toEqual(['c', 'a', 'b'])
      expect(store.list('file', 'two')).toEqual([
        { id: 'c', value: { id: 'c', again: true } },
        { id: 'b', value: { id: 'b' } },
      ])
      expect(store.list('nothing')).toEqual([])
    })

    it('returns whether a removed value existed', () => {
      store.put('session', 'a', 1)
      expect([store.remove('session', 'a'), store.remove('session', 'a')]).toEqual([true, false])
      expect(store.get('session', 'a')).toBe(undefined)
    })

    it('numbers the entries of each stream from 1', () => {
      expect([store.append('one', 'a'), store.append('two', 'x'), store.append('one', { b: 1 })]).toEqual([1, 1, 2])
      expect(store.read('one')).toEqual([
        { number: 1, value: 'a' },
        { number: 2, value: { b: 1 } },
      ])
      expect(store.read('unknown')).toEqual([])
    })

    it('reads a stream from a number and up to a limit', () => {
      for (let index = 1; index <= 10; index++) store.append('events', index)
      expect(store.read('events', 7).map((entry) => entry.number)).toEqual([8, 9, 10])
      expect(store.read('events', 2, 3).map((entry) => entry.value)).toEqual([3, 4, 5])
      expect(store.read('events', 10)).toEqual([])
    })

    it('counts the entries of a stream', () => {
      expect(store.count('events')).toBe(0)
      for (const text of ['a', 'b']) store.append('events', text)
      store.append('other', 'c')
      expect(store.count('events')).toBe(2)
      store.drop('events')
      expect(store.count('events')).toBe(0)
    })

    it('restarts a dropped stream at 1', () => {
      store.append('events', 'old')
      store.drop('events')
      expect(store.append('events', 'new')).toBe(1)
      expect(store.read('events')).toEqual([{ number: 1, value: 'new' }])
    })

    it('applies an atomic change completely or not at all', () => {
      store.put('session', 'a', 1)
      expect(store.atomically(() => store.append('events', 'kept'))).toBe(1)
      const half = () =>
        store.atomically(() => {
          store.put('session', 'a', 2)
          store.append('events', 'lost')
          store.atomically(() => store.remove('session', 'a'))
          throw new Error('no')
        })
      expect(half).toThrow('no')
      expect([store.get('session', 'a'), store.read('events').length]).toEqual([1, 1])
    })

    it('copies its values', () => {
      const value = { list: [1] }
      store.put('session', 'a', value)
      value.list.push(2)
      expect(store.get('session', 'a')).toEqual({ list: [1] })
    })

    if (lasts === 'with the process') return
    it('is complete after reopening', () => {
      store.put('session', 'a', { n: 1 })
      store.append('events', 'first')
      store.close()
      store = place.open()
      expect([store.get('session', 'a'), store.append('events', 'second')]).toEqual([{ n: 1 }, 2])
    })
  })
}
