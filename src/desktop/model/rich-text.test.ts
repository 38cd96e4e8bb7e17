import { describe, expect, it } from 'vitest'
import { BACKLOT_METRICS } from '../style/backlot.ts'
import { flowRichText, linkBounds, richTextSize } from './rich-flow.ts'
import { fillMarkup, formatMarkup, parseMarkup, type RichText } from './rich-text.ts'
import { textWidth } from './text-width.ts'

const { text: METRICS } = BACKLOT_METRICS

// Rules such as [DT3] are stated in SPEC.md of the folder above.

const rich = (source: string): RichText => parseMarkup(source) as RichText

describe('mark-up', () => {
  it('[DT3] makes parts of a text bold, coloured and links', () => {
    expect(parseMarkup('Read [the **manual**](#manual), [now](danger): **a**b')).toEqual({
      text: 'Read the manual, now: ab',
      spans: [
        { from: 5, to: 9, link: 'manual' },
        { from: 9, to: 15, bold: true, link: 'manual' },
        { from: 17, to: 20, colour: 'danger' },
        { from: 22, to: 23, bold: true },
      ],
    })
  })

  it('[DT4] makes parts italic, a line after # a heading, and a line after - an item of a list', () => {
    expect(parseMarkup('# The *plan*\n- one [two](italic)\n- three # - four')).toEqual({
      text: 'The *plan*\n• one two\n• three # - four',
      spans: [
        { from: 0, to: 10, heading: true },
        { from: 17, to: 20, italic: true },
      ],
    })
    expect(parseMarkup('#1\n-2\n\\# 3\n\\- 4')).toEqual({ text: '#1\n-2\n# 3\n- 4', spans: [] })
  })

  it('[DT3] takes characters after a backslash literally, and lone ones', () => {
    expect(parseMarkup('2 \\*\\* 3 * 4 \\[x\\] \\\\ a]b \\n')).toEqual({ text: '2 ** 3 * 4 [x] \\ a]b \\n', spans: [] })
  })

  it.each([
    ['**open', 'has a "**" that is not closed'],
    ['[text', 'has a "[" without "](…)"'],
    ['[text] (x)', 'has a "[" without "](…)"'],
    ['[](#a)', 'has brackets without a text'],
    ['[a [b](#b)](#a)', 'has a "[" inside of brackets'],
    ['[a](red)', 'has the unknown colour "red"; expected accent, danger, muted, italic, or # and the id of a link'],
  ])('[DT5] that is wrong has a problem: %s', (source, problem) => {
    expect(parseMarkup(source)).toEqual(expect.stringContaining(problem))
  })

  it.each([
    '# A [b](#c) **d**\n\\# e\n- f [g](italic)\n\\- h',
    '- a\n[- b](danger)',
    'plain',
    'a **b** [c **d**](#e) [f](muted) \\*\\* \\[g\\]',
    '**[a](#b)**',
  ])('[DT6] is written again: %s', (source) => {
    expect(parseMarkup(formatMarkup(rich(source)))).toEqual(rich(source))
  })

  it('[DT6] is not in what its templates are filled with', () => {
    expect(rich(fillMarkup('{a}', () => '# x\n- y'))).toEqual({ text: '# x\n- y', spans: [] })
    const filled = fillMarkup('Hi **{who}**', () => '**[x](#y)**')
    expect(parseMarkup(filled)).toEqual(expect.objectContaining({ spans: [expect.objectContaining({ bold: true })] }))
    expect(rich(fillMarkup('Hi **{who}**', (text) => text.replace('{who}', '[x](#y)'))).text).toBe('Hi [x](#y)')
  })
})

describe('formatted text', () => {
  it('[DT8] breaks between words, also where the style changes inside of one', () => {
    const lines = flowRichText(rich('one two **thr**ee four'), textWidth('one two three', 14), METRICS)
    expect(lines.map(({ text, line }) => [line, text])).toEqual([
      [0, 'one two '],
      [1, 'thr'],
      [1, 'ee four'],
    ])
    expect(lines[2]!.x).toBe(lines[1]!.width)
  })

  it('[DT7] breaks between the letters of Japanese and Chinese texts, but not before their punctuation', () => {
    const text = rich('数字は**金曜日**から変わりました。')
    const width = textWidth('数字は金曜日から変', 14) + 2
    expect(flowRichText(text, width, METRICS).map(({ text, line }) => [line, text])).toEqual([
      [0, '数字は'],
      [0, '金曜日'],
      [0, 'から'],
      [1, '変わりました。'],
    ])
    const lines = flowRichText(rich('一二三四。五'), textWidth('一二三四', 14), METRICS)
    expect(lines.map((each) => each.text)).toEqual(['一二三', '四。五'])
  })

  it('[DT9] breaks a word that is wider than a line, between its letters', () => {
    const width = textWidth('abcdef', 14)
    const shown = (source: string) => flowRichText(rich(source), width, METRICS).map(({ text, line }) => [line, text])
    expect(shown('a abcdefabcdefab c')).toEqual([
      [0, 'a '],
      [1, 'abcdef'],
      [2, 'abcdef'],
      [3, 'ab c'],
    ])
    expect(shown('abcd[efab](#x)')).toEqual([
      [0, 'abcd'],
      [0, 'ef'],
      [1, 'ab'],
    ])
    expect(flowRichText(rich('👩‍👩‍👧👩‍👩‍👧'), 1, METRICS).map((each) => each.text)).toEqual(['👩‍👩‍👧', '👩‍👩‍👧'])
  })

  it('[DT10] places the next lines of an item behind its bullet, and makes headings larger', () => {
    const [first, second] = flowRichText(rich('- one two three'), textWidth('• one two', 14), METRICS)
    expect([first!.x, second!.x]).toEqual([0, textWidth('• ', 14)])
    expect([first!.text, second!.text]).toEqual(['• one two ', 'three'])
    const [heading] = flowRichText(rich('# Title'), 400, METRICS)
    expect(heading!.width).toBe(Math.ceil(textWidth('Title', 14 * 1.2) * METRICS.bold))
  })

  it('[DT12] places the parts of a line in its direction, on a mirrored screen the other way', () => {
    const placed = (text: RichText) => flowRichText(text, 400, METRICS).map(({ text, x }) => [text, x])
    const english = rich('see **you** now')
    const hebrew = rich('שלום **Ada** טוב')
    const widths = (text: RichText) => flowRichText(text, 400, METRICS).map(({ width }) => width)
    const [a, b, c] = widths(english) as [number, number, number]
    expect(placed(english)).toEqual([
      ['see ', 0],
      ['you', a],
      [' now', a + b],
    ])
    expect(placed({ ...english, isMirrored: true })).toEqual([
      ['see ', b + c],
      ['you', c],
      [' now', 0],
    ])
    const [d, e, f] = widths(hebrew) as [number, number, number]
    expect(placed(hebrew).map(([, x]) => x)).toEqual([e + f, f, 0])
    expect(placed({ ...hebrew, isMirrored: true }).map(([, x]) => x)).toEqual([0, d, d + e])
  })

  it('[DT8] keeps line breaks and is as wide as its longest line', () => {
    const size = richTextSize(rich('a\n\n**long line**'), 500, METRICS)
    expect(size).toEqual({ width: Math.ceil(textWidth('long line', 14) * 1.08), height: 60 })
    expect(richTextSize(rich(''), 500, METRICS)).toEqual({ width: 0, height: 20 })
  })

  it('[DT11] has its links around their fragments', () => {
    const text = rich('See [the manual](#manual)')
    const [before, link] = flowRichText(text, 400, METRICS)
    const place = { x: 10, y: 20, width: 400, height: 20 }
    expect(linkBounds(text, 'manual', place, METRICS)).toEqual({
      x: 10 + before!.width,
      y: 20,
      width: link!.width,
      height: 20,
    })
    const narrow = linkBounds(text, 'manual', { ...place, width: textWidth('See the', 14) }, METRICS)
    expect(narrow).toMatchObject({ x: 10, height: 40 })
    expect(linkBounds(text, 'other', place, METRICS)).toBeUndefined()
  })
})
