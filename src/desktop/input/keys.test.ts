import { describe, expect, it } from 'vitest'
import {
  characterOf,
  formatChord,
  KEY_NAMES,
  type KeyDialect,
  keyNameIn,
  parseChord,
  parseKey,
  sameChord,
} from './keys.ts'
import { shortcutInLanguage } from './shortcut.ts'

const chord = (text: string) => formatChord(parseChord(text))

describe('keys', () => {
  it('[DT73] reads every example of the document', () => {
    const examples = ['enter', 'tab', 'escape', 'ctrl+s', 'ctrl+a', 'alt+f4', 'ctrl+shift+n', 'f5', 'delete']
    expect(examples.map(chord)).toEqual(examples)
    expect(chord('ctrl+alt+delete')).toBe('ctrl+alt+delete')
  })

  it.each([
    ['Return', 'enter'],
    ['KP_Enter', 'enter'],
    ['VK_RETURN', 'enter'],
    ['Control_L+c', 'ctrl+c'],
    ['cmd+shift+Z', 'shift+meta+Z'],
    ['super+Up', 'meta+up'],
    ['option+Left', 'alt+left'],
    ['Page_Down', 'pagedown'],
    ['Prior', 'pageup'],
    ['ArrowDown', 'down'],
    ['ISO_Left_Tab', 'tab'],
    ['BackSpace', 'backspace'],
    ['forward delete', 'delete'],
    ['F12', 'f12'],
    ['KP_5', '5'],
    ['plus', 'plus'],
    ['ctrl++', 'ctrl+plus'],
    ['ctrl+plus', 'ctrl+plus'],
    ['+', 'plus'],
    [' ', 'space'],
    ['shift+ctrl+a', 'ctrl+shift+a'],
    ['⌘+c', 'meta+c'],
    ['ä', 'ä'],
    ['super', 'meta'],
  ])('[DT74] reads %s as %s', (text, expected) => {
    expect(chord(text)).toBe(expected)
  })

  it.each(['xdotool', 'pyautogui', 'openai', 'gemini'] as const satisfies readonly KeyDialect[])(
    '[DT76] reads every name of %s as its key, and writes a name that it reads',
    (dialect) => {
      const read = [...KEY_NAMES].map(([key, names]) => [key, names[dialect].map((name) => parseKey(name))])
      expect(read).toEqual([...KEY_NAMES].map(([key, names]) => [key, names[dialect].map(() => key)]))
      const written = [...KEY_NAMES.keys()].map((key) => keyNameIn(dialect, key))
      const known = [...KEY_NAMES].filter(([, names]) => names[dialect].length > 0).map(([key]) => key)
      expect(written.filter((name) => name !== undefined).map((name) => parseKey(name))).toEqual(known)
      const missing = [...KEY_NAMES.keys()].filter((key) => keyNameIn(dialect, key) === undefined)
      expect(missing.length).toBeLessThan(dialect === 'openai' ? 30 : 4)
      expect(keyNameIn(dialect, 'ä')).toBe('ä')
    },
  )

  it('[DT76] gives no name of a dialect to two keys', () => {
    for (const dialect of ['xdotool', 'pyautogui', 'openai', 'gemini'] as const) {
      const names = [...KEY_NAMES.values()].flatMap((each) => each[dialect].map((name) => name.toLowerCase()))
      expect(names).toEqual([...new Set(names)])
    }
  })

  it.each([
    ['xdotool', 'pagedown', 'Page_Down'],
    ['xdotool', '/', 'slash'],
    ['xdotool', 'meta', 'super'],
    ['pyautogui', 'escape', 'esc'],
    ['pyautogui', '+', '+'],
    ['openai', 'left', 'ARROWLEFT'],
    ['openai', 'browserback', undefined],
    ['gemini', 'ctrl', 'Control'],
    ['gemini', 'no such key', undefined],
  ] as const)('[DT76] writes for %s the key %s as %s', (dialect, key, name) => {
    expect(keyNameIn(dialect, key)).toBe(name)
  })

  it('[DT77] reads one key, and reports a chord', () => {
    expect(['Control_L', '\n', 'A', 'ARROWUP'].map(parseKey)).toEqual(['ctrl', 'enter', 'A', 'up'])
    expect(() => parseKey('ctrl+a')).toThrow('"ctrl+a" is several keys; give one, such as "ctrl"')
  })

  it.each(['hasOwnProperty', 'constructor', '__proto__', 'toString'])(
    '[DT75] rejects %j, which every object has',
    (name) => {
      expect(() => parseKey(name)).toThrow(expect.objectContaining({ code: 'BadRequest' }))
    },
  )

  it('[DT75] rejects unknown keys and suggests similar ones', () => {
    const said = (text: string) => {
      try {
        parseChord(text)
      } catch (error) {
        return (error as Error).message
      }
      return ''
    }
    expect(said('entr')).toBe('there is no key "entr"; near names are enter. Text is typed with type_text')
    expect(said('hello world')).toBe('there is no key "hello world". Text is typed with type_text')
    expect(said('')).toBe('no key was given; write one such as "enter" or "ctrl+s"')
    expect(said('ctrl+')).toBe('"ctrl+" has a plus sign without a key beside it')
    expect(said('a+ctrl')).toBe('in "a+ctrl", "a" is no modifier; modifiers come first: ctrl, shift, alt, meta')
  })

  it('[DT78] types a character unless a modifier other than shift is held', () => {
    expect(
      ['a', 'shift+a', 'space', 'ctrl+a', 'enter', '+', 'shift+ä'].map((text) => characterOf(parseChord(text))),
    ).toEqual(['a', 'A', ' ', undefined, undefined, '+', 'Ä'])
    const shifted = ['1', ',', '.', "'", '\\', '`', '<', '+'].map((key) => characterOf(parseChord(`shift+${key}`)))
    expect(shifted).toEqual(['!', '<', '>', '"', '|', '~', '<', '+'])
  })

  it.each([
    [
      'Ctrl++',
      ['ctrl++', 'ctrl+plus', 'ctrl+shift+=', 'ctrl+shift+equal', 'shift+ctrl++', 'ctrl+add'],
      ['ctrl+=', '+'],
    ],
    ['Ctrl+Shift+1', ['ctrl+!', 'ctrl+exclam', 'ctrl+shift+!'], ['ctrl+1']],
    ['?', ['shift+/', 'shift+slash', 'question'], ['/']],
    ['shift+a', ['A', 'shift+A'], ['a', 'ctrl+A']],
    ['N', ['n', 'N', 'shift+n'], ['ctrl+n']],
  ])('[DT79] takes %s as the same keys by whichever keys its character is typed', (keys, same, others) => {
    const isSame = (other: string) => sameChord(other, parseChord(keys)) && sameChord(keys, parseChord(other))
    expect([same.map(isSame), others.map(isSame)]).toEqual([same.map(() => true), others.map(() => false)])
  })

  it('[DT79a] knows keys by their names in German and French menus', () => {
    const spelt = ['Ctrl+Shift+S', 'Delete', 'Ctrl+Home', 'PageUp', 'Ctrl+;', 'F5']
    const german = spelt.map((keys) => shortcutInLanguage('de', keys))
    expect(german).toEqual(['Strg+Umschalt+S', 'Entf', 'Strg+Pos1', 'Bild auf', 'Strg+;', 'F5'])
    expect(shortcutInLanguage('fr', 'Ctrl+Shift+Delete')).toBe('Ctrl+Maj+Suppr')
    expect(shortcutInLanguage('ja', 'Ctrl+S')).toBe('Ctrl+S')
    const canonical = (keys: string) => formatChord(parseChord(keys))
    expect(german.map(canonical)).toEqual(spelt.map(canonical))
    expect(canonical('Ctrl+Maj+Suppr')).toBe('ctrl+shift+delete')
  })

  it('compares spellings of a shortcut, and none that cannot be read', () => {
    const keys = parseChord('ctrl+s')
    expect(['Ctrl+S', 'Strg+S', 'Crtl+S'].map((spelt) => sameChord(spelt, keys))).toEqual([true, true, false])
  })
})
