import { describe, expect, it, vi } from 'vitest'
import { act, click, clickAt, drag, find, press, scroll, setValue, type } from '../../../test/support/desktop/driver.ts'
import { apply } from '../apply/apply.ts'
import {
  button,
  type Draft,
  desktop,
  document,
  type ElementDetails,
  edit,
  menu,
  menuItem,
  rect,
  window,
} from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { textWidth } from '../model/text-width.ts'
import type { ElementTraits, FieldText } from '../model/traits.ts'
import { paintedLines } from './text-view.ts'

const field = (details: ElementDetails = {}) =>
  desktop(window('Form', edit('Field', { id: 'field', ...details }), button('OK')))
const notes = (value: string) =>
  desktop(
    window('Notes', document('Text', { id: 'field', value, bounds: { x: 120, y: 150, width: 400, height: 200 } })),
  )
const valueAfter = (on: ReturnType<typeof field>, ...steps: Parameters<typeof act>[1][]) =>
  find(act(on, click('field'), ...steps), 'field').value

describe('text fields', () => {
  it('[DT94] take typed text in where the caret is, which a click past the text puts at its end', () => {
    expect(valueAfter(field({ value: 'ab' }), type('cd'), press('left', 'left'), type('X'))).toBe('abXcd')
  })

  it.each([
    ['backspace', 'one two thre'],
    ['ctrl+backspace', 'one two '],
    ['shift+home delete', ''],
    ['home delete', 'ne two three'],
    ['home ctrl+delete', ' two three'],
    ['ctrl+left ctrl+left shift+ctrl+right backspace', 'one  three'],
    ['ctrl+a x', 'x'],
    ['ctrl+a ctrl+x ctrl+v ctrl+v', 'one two threeone two three'],
    ['shift+left shift+left ctrl+c end ctrl+v', 'one two threeee'],
    ['ctrl+a left x', 'xone two three'],
    ['meta+a delete', ''],
  ])('[DT95] edit by keys: %s', (keys, expected) => {
    expect(valueAfter(field({ value: 'one two three' }), press(...keys.split(' ')))).toBe(expected)
  })

  it('[DT96] move on by Left in a paragraph from right to left', () => {
    expect(valueAfter(field({ value: 'שלום' }), press('ctrl+home', 'left'), type('x'))).toBe('שxלום')
    expect(valueAfter(field({ value: 'שלום' }), press('end', 'right', 'right'), type('x'))).toBe('שלxום')
  })

  it('[DT103] are clicked between the letters that their style shows', () => {
    const fieldText: FieldText = { family: 'humanist', size: 13, before: 24 }
    const on = field({ value: 'minimum width', traits: { fieldText } })
    const { bounds } = find(on, 'field')
    const x = bounds.x + 9 + 24 + textWidth('minimum', 13, 'humanist')
    expect(find(act(on, clickAt({ x, y: bounds.y + 10 }), type('|')), 'field').value).toBe('minimum| width')
  })

  it('[DT97] treat a character with all its marks as one', () => {
    expect(valueAfter(field({ value: 'a👩‍👩‍👧e\u0301' }), press('backspace', 'backspace'))).toBe('a')
    expect(valueAfter(field({ value: 'a👍🏽b' }), press('left', 'left'), type('|'))).toBe('a|👍🏽b')
  })

  it.each([
    ['a family', '👩‍👩‍👧'],
    ['a heart', '❤️'],
    ['a key', '#️⃣'],
    ['a flag', '🇨🇭'],
    ['a mark', 'e\u0301'],
  ])('[DT97] keep %s whole in words', (_, sign) => {
    expect(valueAfter(field({ value: `one ${sign}` }), press('ctrl+backspace'))).toBe('one ')
    expect(valueAfter(field({ value: `one ${sign} two` }), press('home', 'ctrl+right', 'ctrl+delete'))).toBe('one two')
    expect(valueAfter(field({ value: `one ${sign}` }), press('ctrl+shift+left'), type('X'))).toBe('one X')
    expect(valueAfter(field({ value: `one ${sign}` }), click('field', { count: 2 }), type('X'))).toBe('one X')
  })

  it('[DT98] move by lines towards the column where the movement began', () => {
    const keys = ['ctrl+home', 'end', 'down', 'down', 'x']
    expect(valueAfter(notes('long line\nab\nlonger line'), press(...keys))).toBe('long line\nab\nlonger lixne')
  })

  it('[DT104] take several lines where they can, and press Enter where they cannot', () => {
    expect(valueAfter(notes(''), type('a\tb\nc'), press('enter'), type('d'))).toBe('a\tb\nc\nd')
    expect(valueAfter(field(), type('a\nb'))).toBe('ab')
    expect(find(act(field(), setValue('field', 'a\nb')), 'field').value).toBe('a b')
  })

  it('[DT105] undo and redo whole insertions, up to fifty of them', () => {
    const edited = act(field(), click('field'), type('one '), type('two'), press('ctrl+z'))
    expect(find(edited, 'field').value).toBe('one ')
    expect(find(act(edited, press('ctrl+y')), 'field').value).toBe('one two')
    expect(find(act(edited, press('ctrl+z', 'ctrl+shift+z', 'ctrl+shift+z')), 'field').value).toBe('one two')
    expect(find(act(edited, type('six'), press('ctrl+y')), 'field').value).toBe('one six')
    const long = act(field(), click('field'), ...Array.from({ length: 60 }, () => type('x')))
    expect(find(long, 'field').traits!.history!.undo).toHaveLength(50)
    expect(find(act(long, press(...Array.from({ length: 70 }, () => 'ctrl+z'))), 'field').value).toBe('x'.repeat(10))
  })

  it('[DT106] hold no more than their length, cut between characters', () => {
    expect(valueAfter(field({ traits: { maxLength: 4 } }), type('abcdef'))).toBe('abcd')
    expect(valueAfter(field({ traits: { maxLength: 4 } }), type('abc👍🏽'))).toBe('abc')
    expect(valueAfter(field({ value: 'abcd', traits: { maxLength: 4 } }), press('ctrl+a'), type('xy'))).toBe('xy')
    const long = field({ value: 'x'.repeat(600_000) })
    expect(valueAfter(long, press('ctrl+a', 'ctrl+c', 'end', 'ctrl+v', 'ctrl+v'))).toHaveLength(1_000_000)
  })

  it('[DT107] refuse text when read-only, but let it be copied', () => {
    const fixed = field({ value: 'fixed', traits: { readOnly: true } })
    expect(() => act(fixed, click('field'), type('x'))).toThrow(expect.objectContaining({ code: 'PatternUnsupported' }))
    expect(() => act(fixed, setValue('field', 'x'))).toThrow(expect.objectContaining({ code: 'PatternUnsupported' }))
    expect(act(fixed, click('field'), press('backspace', 'ctrl+a', 'ctrl+x', 'ctrl+c'))).toMatchObject({
      clipboard: 'fixed',
    })
    expect(valueAfter(fixed, press('backspace', 'ctrl+a', 'ctrl+x', 'x'))).toBe('fixed')
  })

  it('[DT108] let nothing of a secret out', () => {
    const secret = act(
      field({ value: 'hunter2', traits: { secret: true } }),
      click('field'),
      press('ctrl+a', 'ctrl+c', 'ctrl+x'),
    )
    expect([secret.clipboard, find(secret, 'field').value]).toEqual(['', 'hunter2'])
  })

  it('[DT109] select a word by a double click and all by a triple one', () => {
    expect(valueAfter(field({ value: 'one two' }), click('field', { count: 2 }), type('X'))).toBe('one X')
    expect(valueAfter(field({ value: 'one two' }), click('field', { count: 3 }), type('X'))).toBe('X')
    expect(valueAfter(notes('one\ntwo'), press('ctrl+home'), click('field', { count: 3 }), type('X'))).toBe('one\nX')
  })

  it('[DT95] are selected by a click with shift, from the caret on, and by a drag', () => {
    const on = field({ value: 'one two', bounds: rect(120, 340, 200, 28) })
    const last = { x: 300, y: 350 }
    const clicked = act(on, click('field'), press('home'), clickAt(last, { modifiers: ['shift'] }))
    expect(find(act(clicked, type('X')), 'field').value).toBe('X')
    expect(find(act(on, drag({ x: 125, y: 350 }, last), type('Y')), 'field').value).toBe('Y')
  })

  it('[DT114] get a value set in place of the old one, or behind the caret', () => {
    expect(find(act(field({ value: 'old' }), setValue('field', 'new')), 'field').value).toBe('new')
    expect(find(act(field({ value: 'old' }), setValue('field', 'er', false)), 'field')).toMatchObject({
      value: 'older',
      focused: true,
    })
  })

  it('[DT117] reject characters that no keyboard types', () => {
    expect(() => act(field(), click('field'), type('a\u0007'))).toThrow('the text holds U+0007 at 1')
    expect(() => act(field(), click('field'), type('\ud800'))).toThrow('the text holds U+D800 at 0')
  })
})

/** A document of three lines' height. */
const page = (value: string, ...parts: readonly Draft[]) =>
  desktop(window('Window', document('Page', { id: 'page', value, bounds: rect(120, 140, 200, 80) }, ...parts)))
/** A field never touched has it at its end. */
const caretOf = (on: Desktop, id: string) => find(on, id).traits?.caret?.at ?? find(on, id).value?.length

describe('text where it is painted', () => {
  it('[DT94] has the caret where it is clicked, by the width of each letter', () => {
    const inside = (text: string, x: number) => {
      const on = desktop(window('Window', edit('Field', { id: 'field', value: text, bounds: rect(120, 140, 200, 28) })))
      return caretOf(act(on, clickAt({ x: 129 + x, y: 150 })), 'field')
    }
    expect([inside('iiiiiiii', 18), inside('WWWWWWWW', 18), inside('iiii', 190), inside('abc', -8)]).toEqual([
      5, 1, 4, 0,
    ])
  })

  it('[DT100] is hit at the characters of a line from right to left, which is at the right of its field', () => {
    const on = page('שלום')
    const { x, width } = find(on, 'page').bounds
    const at = (across: number) => caretOf(act(on, clickAt({ x: across, y: 162 })), 'page')
    expect([at(x + width - 14), at(x + 20)]).toEqual([0, 4])
  })

  it('[DT94] has it in the line that is clicked, also where a long line is broken', () => {
    const on = page('one\na much longer line that is broken\nend')
    const at = (row: number) => caretOf(act(on, clickAt({ x: 132, y: 151 + row * 20 })), 'page')
    expect([at(0), at(1), at(2)]).toEqual([0, 4, 31])
  })

  it('[DT98] follows the painted lines of a wrapped text', () => {
    const value = 'one\na much longer line that is broken\nend'
    const caretAfter = (...keys: string[]) =>
      caretOf(act(page(value), clickAt({ x: 132, y: 171 }), press(...keys)), 'page')
    expect(caretAfter('down')).toBe(31)
    expect([caretAfter('end'), caretAfter('end', 'end'), caretAfter('end', 'home')]).toEqual([30, 30, 4])
    expect(caretAfter('down', 'home')).toBe(31)
    expect(caretAfter('right', 'right', 'down', 'down')).toBe(40)
    expect(caretAfter('down', 'end', 'up', 'up')).toBe(3)
    const word = act(page('w'.repeat(40)), click('page'), press('ctrl+home', 'down'))
    expect([caretOf(word, 'page'), caretOf(act(word, press('up', 'end')), 'page')]).toEqual([15, 14])
    const family = act(page('👨‍👩‍👧'.repeat(40)), click('page'), press('ctrl+home', 'down'))
    expect(caretOf(family, 'page')).toBe(9 * '👨‍👩‍👧'.length)
  })

  const documentWith = (value: string, traits: ElementTraits) =>
    desktop(
      window(
        'Notes',
        document('Text', { id: 'field', value, traits, bounds: { x: 120, y: 150, width: 400, height: 200 } }),
      ),
    )

  it('[DT98a] puts the caret where it is clicked beside the numbers of the lines, at the start by a click on one', () => {
    const on = documentWith('first\nsecond', { lineNumbers: true })
    const x = 120 + 12 + 32
    const clicked = (at: number, y: number) => find(act(on, clickAt({ x: at, y }), type('|')), 'field').value
    expect(clicked(x + textWidth('fi', 14, 'ui'), 170)).toBe('fi|rst\nsecond')
    expect(clicked(130, 190)).toBe('first\n|second')
  })

  it('[DT98b] keeps a long line, and scrolls sideways to the caret and by the wheel', () => {
    const long = 'word '.repeat(60)
    const on = documentWith(`${long}\nshort`, { wrap: false })
    expect(paintedLines(find(on, 'field'))).toHaveLength(2)
    const across = (by: Desktop) => find(by, 'field').traits?.scrolled?.x ?? 0
    const moved = act(on, click('field'), press('ctrl+home', 'end'))
    expect(across(moved)).toBeGreaterThan(1000)
    expect(across(act(moved, press('home')))).toBe(0)
    const typed = act(moved, clickAt({ x: 500, y: 170 }), type('|'))
    expect(find(typed, 'field').value!.indexOf('|')).toBeGreaterThan(200)
    const turned = (by: number) =>
      apply(on, { type: 'scroll', at: { x: 300, y: 200 }, clicks: 0, across: by }, { isInteractive: true })
    expect(across(turned(2))).toBe(120)
    expect(across(turned(900))).toBe(across(moved))
  })

  it('[DT115] scrolls by the wheel, and by the caret', () => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
    const first = (on: Desktop) => find(on, 'page').traits?.scrolled?.y ?? 0
    const down = act(page(lines), scroll('page', -2))
    expect([first(down), first(act(down, scroll('page', 9))), first(act(down, scroll('page', -99)))]).toEqual([
      120, 0, 340,
    ])
    expect(caretOf(act(down, clickAt({ x: 132, y: 151 })), 'page')).toBe(lines.indexOf('line 6'))
    const typed = act(page(lines), click('page'), press('ctrl+end'))
    expect([first(typed), first(act(typed, press('ctrl+home')))]).toEqual([340, 0])
    expect(act(page('one'), scroll('page', -3)).windows).toEqual(page('one').windows)
  })

  it('[DT115] [DT94] scrolls to the end of thousands of lines, where it is clicked as anywhere', () => {
    const value = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n')
    const end = act(page(value), click('page'), press('ctrl+end'))
    expect(find(end, 'page').traits?.scrolled?.y).toBe(4997 * 20)
    expect(act(page(value), scroll('page', -9999)).windows[0]!.tree.children[0]!.traits).toEqual({
      scrolled: { x: 0, y: 4997 * 20 },
    })
    expect(caretOf(act(end, clickAt({ x: 132, y: 171 })), 'page')).toBe(value.indexOf('line 4998'))
  })

  it('[DT125] [DT115] scrolls by the thin bar over its edge, and leaves the caret where it is', () => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
    const paged = act(page(lines), clickAt({ x: 314, y: 210 }))
    expect(find(paged, 'page').traits).toEqual({ scrolled: { x: 0, y: 80 } })
    const end = act(paged, drag({ x: 314, y: 170 }, { x: 314, y: 400 }))
    expect(find(end, 'page').traits).toEqual({ scrolled: { x: 0, y: 340 } })
  })

  it('[DT94] [DT104] is multi-line when it is high, unless `multiline` is false', () => {
    const high = (traits: ElementTraits) =>
      desktop(
        window('Window', edit('Note', { id: 'note', value: 'one\ntwo', traits, bounds: rect(120, 140, 200, 64) })),
      )
    const below = (on: Desktop) => act(on, clickAt({ x: 129, y: 172 }), press('enter'))
    expect(find(below(high({})), 'note').value).toBe('one\n\ntwo')
    expect(find(below(high({ multiline: false })), 'note').value).toBe('one\ntwo')
  })

  it('[DT115] scrolls by the wheel with a context menu as well', () => {
    const on = page('line\n'.repeat(20), menu('Context', menuItem('Cut')))
    expect(find(act(on, scroll('page', -2)), 'page').traits?.scrolled).toEqual({ x: 0, y: 120 })
  })
})

it('[DT110] a move by words over a very long run stops after some 2,000 characters', () => {
  for (const letter of ['漢', 'e\u0301', 'a'])
    expect(
      valueAfter(field({ value: letter.repeat(300_000 / letter.length) }), press('ctrl+end', 'ctrl+backspace'))!.length,
    ).toBe(300_000 - 2001 * letter.length)
})

describe('the lines of long words', () => {
  const linesIn = (value: string, width: number) =>
    paintedLines(
      find(
        desktop(
          window('Notes', document('Page', { id: 'page', value, bounds: { x: 120, y: 150, width, height: 200 } })),
        ),
        'page',
      ),
    )

  it.each([
    ['ideographs', '漢字仮名'],
    ['letters with marks', 'e\u0301'],
    ['flags', '🇩🇪'],
  ])('[DT111] of %s are found without segmenting a letter again and again', (_, letters) => {
    const text = letters.repeat(40_000 / letters.length)
    for (const width of [44, 924]) {
      const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
      const lines = linesIn(text, width)
      const segmented = segment.mock.calls.reduce((sum, [part]) => sum + part.length, 0)
      segment.mockRestore()
      expect(lines.length).toBeGreaterThan(150)
      expect(segmented).toBeLessThan(2 * text.length)
    }
  })

  it('[DT112] have at most four units per pixel', () => {
    const text = `e${'\u0301'.repeat(9_999)}`
    const lines = linesIn(text, 524)
    expect(Math.max(...lines.map(({ from, to }) => to - from))).toBeLessThanOrEqual(4 * 500 + 200)
    expect(lines.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text)
    expect(lines).toHaveLength(5)
  })

  it.each(['漢字仮名', 'لشس', '🇩🇪🇫🇷', 'e\u0301'])('[DT113] look up each kind of character once: %s', (letters) => {
    const look = vi.spyOn(RegExp.prototype, 'test')
    const lines = linesIn(letters.repeat(5_000), 524)
    const looked = look.mock.calls.length
    look.mockRestore()
    expect(looked).toBeLessThan(lines.length + 200)
  })

  it('[DT111] are cut between characters', () => {
    const text = '🇩🇪🇫🇷 漢e\u0301'
    expect(linesIn(text, 44).map(({ from, to }) => text.slice(from, to))).toEqual(['🇩🇪', '🇫🇷', ' 漢', 'e\u0301'])
  })
})
