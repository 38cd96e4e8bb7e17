import { describe, expect, it } from 'vitest'
import { planTextParts, usKey } from './xkb.ts'

describe('a text', () => {
  it('[LX51] has one key for each of its characters, and none of a key that does something', () => {
    const [part, ...others] = planTextParts('aąa日😀\n')
    expect(others).toEqual([])
    expect(part!.codes).toEqual([2, 3, 2, 4, 5, 6])
    for (const symbol of ['U0061', 'U0105', 'U65E5', 'U1F600', 'Return'])
      expect(part!.keymap).toContain(`[ ${symbol} ]`)
    const text = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
    for (const [isXwayland, keymaps, keys] of [
      [false, 9, 47],
      [true, 3, 167],
    ] as const) {
      const many = planTextParts(text, { isXwayland })
      const codes = new Set(many.flatMap((each) => each.codes))
      expect([many.length, codes.size]).toEqual([keymaps, keys])
      expect([1, 14, 15, 28, 29, 42, 56, 58, 103, 111, 125].filter((code) => codes.has(code))).toEqual([])
    }
  })

  it('[LX53] has a key for each half of a surrogate pair, for programs that read keys in 16 bits', () => {
    const [part] = planTextParts('é😀😁', { inHalves: true })
    expect(part!.codes).toEqual([2, 3, 4, 3, 5])
    expect(part!.keymap.match(/\[ U\w+ \]/g)).toEqual(['[ U00E9 ]', '[ UD83D ]', '[ UDE00 ]', '[ UDE01 ]'])
    expect(() => planTextParts('\ud83d', { inHalves: true })).toThrowError(
      expect.objectContaining({ code: 'BadRequest' }),
    )
  })

  it.each(['\u0000', '\u001b', '\ud800'])('[LX51] is refused with %j, which no key types', (character) => {
    expect(() => planTextParts(`a${character}`)).toThrowError(expect.objectContaining({ code: 'BadRequest' }))
  })
})

it('[LX52] keys have their codes of a US keyboard', () => {
  expect(['a', 'A', '?', '`', '~', '\\', 'z', 'f11', 'enter'].map(usKey)).toEqual([
    { code: 30, shift: false },
    { code: 30, shift: true },
    { code: 53, shift: true },
    { code: 41, shift: false },
    { code: 41, shift: true },
    { code: 43, shift: false },
    { code: 44, shift: false },
    { code: 87, shift: false },
    { code: 28, shift: false },
  ])
  expect(usKey('ü')).toBeUndefined()
  expect(() => usKey('hanja')).toThrowError(expect.objectContaining({ code: 'PlatformUnsupported' }))
})
