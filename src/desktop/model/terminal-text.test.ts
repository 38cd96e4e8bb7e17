import { describe, expect, it } from 'vitest'
import { terminalTextOf } from './terminal-text.ts'

const spansOf = (source: string) => terminalTextOf('Terminal', source)?.spans

describe('the text of a terminal', () => {
  it('is read only with escapes, and only in a terminal', () => {
    expect(terminalTextOf('Terminal', 'plain')).toBeUndefined()
    expect(terminalTextOf('Document', '\u001b[31mred')).toBeUndefined()
    expect(terminalTextOf('Terminal', null)).toBeUndefined()
  })

  it('has the attributes that are on, until they are off', () => {
    expect(spansOf('\u001b[1;4;31ma\u001b[22mb\u001b[24;39mc\u001b[7md\u001b[me')).toEqual([
      { from: 0, to: 1, bold: true, underline: true, ink: 1 },
      { from: 1, to: 2, underline: true, ink: 1 },
      { from: 3, to: 4, inverse: true },
    ])
  })

  it('has bright, indexed and true colours', () => {
    expect(
      spansOf('\u001b[92;41ma\u001b[0;38;5;196mb\u001b[48;2;1;20;300mc\u001b[0;38;5;250md\u001b[38;5;3me'),
    ).toEqual([
      { from: 0, to: 1, ink: 10, back: 1 },
      { from: 1, to: 2, ink: '#ff0000' },
      { from: 2, to: 3, ink: '#ff0000', back: '#0114ff' },
      { from: 3, to: 4, ink: '#bcbcbc' },
      { from: 4, to: 5, ink: 3 },
    ])
  })

  it('leaves out other sequences, also those without an end', () => {
    const source = 'a\u001b[2Jb\u001b]0;title\u0007c\u001b]8;;x\u001b\\d\u001b(Be\u001b'
    expect(terminalTextOf('Terminal', source)).toEqual({ text: 'abcde', spans: [] })
  })
})
