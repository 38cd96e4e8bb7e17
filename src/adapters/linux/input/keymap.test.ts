import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseChord } from '../../../desktop/input/keys.ts'
import { areTypedBy, capsLockCode, type Keymap, keysymOf, planChord, planText, unusedCodes } from './keymap.ts'

/** A keyboard of letters a and b, digit 1, Return, the modifiers and two keys without a character. */
const MAP: Keymap = {
  firstCode: 10,
  group: 0,
  rows: [
    [0x61, 0x41],
    [0x62, 0],
    [0x31, 0x21],
    [0xff0d, 0],
    [0xffe1, 0],
    [0xffe3, 0],
    [0xffe9, 0],
    [0xffeb, 0],
    [0xffe5, 0],
    [0, 0],
    [0, 0],
  ],
  modifiers: [[14], [18], [15], [16], [0], [0], [17], [0]],
}

/** What a keyboard with these keys lent would type. */
function typed(map: Keymap, text: string): string {
  return planText(map, text)
    .flatMap(({ remapped, strokes }) => {
      const now = new Map(remapped.map(({ code, keysym }) => [code, keysym]))
      return strokes.map(({ code, shift }) => {
        const [plain = 0, upper = 0] = map.rows[code - map.firstCode] ?? []
        const keysym = now.get(code) ?? (shift ? upper || plain - 0x20 : plain)
        if (keysym === 0xff0d) return '\n'
        return String.fromCodePoint(keysym > 0x0100_0000 ? keysym - 0x0100_0000 : keysym)
      })
    })
    .join('')
}

describe('a text', () => {
  it('[LX23] uses the keys of its characters, with Shift where needed', () => {
    expect(planText(MAP, 'aAB1!\n')).toEqual([
      {
        remapped: [],
        strokes: [
          { code: 10, shift: false },
          { code: 10, shift: true },
          { code: 11, shift: true },
          { code: 12, shift: false },
          { code: 12, shift: true },
          { code: 13, shift: false },
        ],
      },
    ])
  })

  it('[LX23] remaps unused keys to other characters, as many at once as there are', () => {
    expect(planText(MAP, 'żażó好')).toEqual([
      {
        remapped: [
          { code: 19, keysym: 0x0100_017c },
          { code: 20, keysym: 0xf3 },
        ],
        strokes: [19, 10, 19, 20].map((code) => ({ code, shift: false })),
      },
      { remapped: [{ code: 19, keysym: 0x0100_597d }], strokes: [{ code: 19, shift: false }] },
    ])
  })

  it('[LX23] arrives completely in any script', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value))
    fc.assert(fc.property(text, (value) => typed(MAP, value) === value))
  })

  it('[LX23] is refused when there is no unused key', () => {
    const full: Keymap = { ...MAP, rows: MAP.rows.slice(0, 9) }
    expect(() => planText(full, 'ż')).toThrow(expect.objectContaining({ code: 'PlatformUnsupported' }))
  })

  it('[LX23] is refused when it contains characters that no key produces', () => {
    for (const text of ['a\u0000', '\u001b[A', '\ud800'])
      expect(() => planText(MAP, text)).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  })

  it('[LX23] uses the active layout', () => {
    const cyrillic: Keymap = { ...MAP, group: 1, rows: [[0x61, 0x41, 0x6c6, 0x6e6], ...MAP.rows.slice(1)] }
    expect(planText(cyrillic, 'a')[0]!.remapped).toEqual([{ code: 19, keysym: 0x61 }])
    expect(planText(cyrillic, '1')[0]!.remapped).toEqual([])
  })

  it('[LX23a] uses only keys without several layouts in a third one, whose place the core protocol leaves out', () => {
    const rows = [[0x61, 0x41, 0x61, 0x41, 0xe6, 0xc6, 0x6c6, 0x6e6], ...MAP.rows.slice(1)]
    const third: Keymap = { ...MAP, group: 2, rows }
    expect(planText(third, 'aæф1')[0]!.remapped.map(({ keysym }) => keysym)).toEqual([0x61, 0xe6])
    expect(planText(third, 'aA1!').flatMap(({ strokes }) => strokes.map(({ code }) => code))).toEqual([19, 20, 12, 12])
  })

  it('[LX23a] is what its keys produce until the layout is switched', () => {
    const german: Keymap = { ...MAP, group: 1, rows: [[0x61, 0x41, 0x7a, 0x5a], ...MAP.rows.slice(1)] }
    const strokes = planText(MAP, 'aA1')[0]!.strokes
    const characters = ['a', 'A', '1']
    expect(areTypedBy(MAP, strokes, characters)).toBe(true)
    expect(areTypedBy(german, strokes, characters)).toBe(false)
    expect(areTypedBy(german, strokes.slice(2), characters.slice(2))).toBe(true)
    // A remapped key has its keysym in all groups.
    const remapped: Keymap = { ...MAP, group: 2, rows: MAP.rows.with(9, [0x17c, 0x17c, 0x17c, 0x17c, 0, 0]) }
    expect(areTypedBy(remapped, [{ code: 19, shift: false }], ['a'])).toBe(false)
    expect(
      areTypedBy(
        { ...remapped, rows: MAP.rows.with(9, [0xe9, 0xe9, 0xe9, 0xe9, 0]) },
        [{ code: 19, shift: false }],
        ['é'],
      ),
    ).toBe(true)
  })
})

describe('a chord', () => {
  it('[LX23] holds its modifiers, and Shift for a character that needs it', () => {
    expect(planChord(MAP, parseChord('ctrl+a'))).toEqual({
      remapped: [],
      strokes: [{ code: 10, shift: false }],
      held: [15],
    })
    expect(planChord(MAP, parseChord('ctrl+!')).held).toEqual([15, 14])
    expect(planChord(MAP, parseChord('super+alt+Return'))).toMatchObject({
      held: [16, 17],
      strokes: [{ code: 13, shift: false }],
    })
  })

  it('[LX23] remaps an unused key to one that the keyboard lacks', () => {
    expect(planChord(MAP, parseChord('f5')).remapped).toEqual([{ code: 19, keysym: 0xffc2 }])
  })
})

it('keysyms are the code points of Latin-1, and marked code points otherwise', () => {
  expect([...'aé€👩'].map(keysymOf)).toEqual([0x61, 0xe9, 0x0100_20ac, 0x0101_f469])
})

it('finds the unused keys and the caps lock key', () => {
  expect(unusedCodes(MAP)).toEqual([19, 20])
  expect(capsLockCode(MAP)).toBe(18)
})
