import { describe, expect, it } from 'vitest'
import { type GnomeKeyboard, gnomeKey, hasKnownKeys, planGnomeText } from './gnome-text.ts'

// Rules such as [GN12] are stated in README.md.

const US: GnomeKeyboard = { layout: { type: 'xkb', id: 'us' }, isCapsLocked: false, takesText: true }
const withLayout = (id: string, type = 'xkb'): GnomeKeyboard => ({ ...US, layout: { type, id } })
/** The parts of a plan as text: keysyms as characters, codes as numbers. */
const told = (text: string, keyboard: GnomeKeyboard) =>
  planGnomeText(text, keyboard).map((part) =>
    'commit' in part
      ? `“${part.commit}”`
      : part.keys.map((key) => ('keysym' in key ? String.fromCodePoint(key.keysym) : `<${key.code}>`)).join(''),
  )

describe('the typing of a text', () => {
  it('[GN12] presses keys for what the layout has', () => {
    expect(told('Hi, {"a": ~1}\n\tx\r\ny', US)).toEqual(['Hi, {"a": ~1}<28><15>x<28>y'])
  })

  it('[GN13] enters the whole text as an input method where a character has no key, but line ends and tabs', () => {
    expect(told('Zażółć 日本 👩‍💻!', US)).toEqual(['“Zażółć 日本 👩‍💻!”'])
    expect(told('a\tż\r\n\nb', US)).toEqual(['“a”', '<15>', '“ż”', '<28><28>', '“b”'])
  })

  it.each([
    ['de', 'a^b`', ['“a^b`”']],
    ['fr', '$5 <b>', ['“$5 <b>”']],
    ['ru', 'ab\n', ['“ab”', '<28>']],
    ['us+unheard', 'a', ['“a”']],
  ])('[GN12] knows what the layout %s lacks', (id, text, parts) => {
    expect(told(text, withLayout(id))).toEqual(parts)
  })

  it('[GN12] leaves keys to an input method that is active, and letters where caps lock is on', () => {
    expect(told('a1', withLayout('anthy', 'ibus'))).toEqual(['“a1”'])
    expect(told('aB1', { ...US, isCapsLocked: true })).toEqual(['“aB1”'])
    expect([hasKnownKeys(US), hasKnownKeys({ layout: null })]).toEqual([true, false])
  })

  it('[GN14] refuses a whole text of which a character cannot be entered, and control characters', () => {
    const plain: GnomeKeyboard = { ...US, takesText: false }
    expect(told('plain', plain)).toEqual(['plain'])
    const refused = {
      code: 'PlatformUnsupported',
      message: expect.stringMatching(/^"日" cannot be typed here.*set_value/),
    }
    expect(() => planGnomeText('ab日本', plain)).toThrow(expect.objectContaining(refused))
    expect(() => planGnomeText('a\u0000b', US)).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  })
})

it('[GN15] finds the key of a shortcut by the layout, else by its place on a US keyboard', () => {
  expect(gnomeKey('z', withLayout('de'))).toEqual({ keysym: 0x7a })
  expect(gnomeKey('z', withLayout('ru'))).toMatchObject({ code: 44, shift: false })
  expect(gnomeKey('?', withLayout('ru'))).toMatchObject({ code: 53, shift: true })
  expect(gnomeKey('f5', US)).toMatchObject({ code: 63 })
  expect(gnomeKey('ż', US)).toBeUndefined()
  expect(() => gnomeKey('junja', US)).toThrow('has no junja key')
})
