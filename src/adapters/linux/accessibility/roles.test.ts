import { describe, expect, it } from 'vitest'
import { isRole } from '../../../desktop/tree/selector.ts'
import { hasState, ROLE, roleOf, STATE } from './roles.ts'

describe('roles', () => {
  it('[LX14] are at the numbers of AT-SPI', () => {
    const raw = (number: number) => roleOf(number).raw
    expect([0, 7, 23, 43, 55, 61, 69, 75, 79, 88, 95, 101, 116, 129].map(raw)).toEqual([
      'invalid',
      'check box',
      'frame',
      'push button',
      'table',
      'text',
      'window',
      'application',
      'entry',
      'link',
      'document web',
      'notification',
      'static',
      'push button menu',
    ])
    expect(Object.values(ROLE).map(raw)).not.toContain('unknown')
    expect(raw(9999)).toBe('unknown')
  })

  it('[LX14] can all be written in a selector', () => {
    for (let number = 0; number <= 130; number++) expect(isRole(roleOf(number).name)).toBe(true)
  })
})

it('reads states from the bits of two words', () => {
  expect(hasState([1 << 31, 0], 'managesDescendants')).toBe(true)
  expect(hasState([0, 1 << (STATE.readOnly - 32)], 'readOnly')).toBe(true)
  expect(hasState([0, 0], 'enabled')).toBe(false)
  expect(hasState([], 'readOnly')).toBe(false)
})
