import { describe, expect, it } from 'vitest'
import { drawInteger, type Random, seededRandom } from '../../base/random.ts'
import type { DataValue } from '../expression/data-type.ts'
import { shownValue } from './cell-value.ts'
import { parseFormula } from './formula.ts'
import { type Calculation, createWorkbook, MAX_FORMULAS, type SheetDefinition } from './workbook.ts'

// Rules such as [CF13] are stated in README.md beside this file.

const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f']
const SHEETS: readonly SheetDefinition[] = ['One', 'Two'].map((name) => ({ name, variable: name, fields: FIELDS }))
const ENVIRONMENT = { nowMs: 0, seed: 1 }

const records = (rows: readonly (readonly string[])[]): readonly DataValue[] =>
  rows.map((row) => Object.fromEntries(FIELDS.map((field, index) => [field, row[index] ?? ''])))

const shown = ({ values }: Calculation) => values.map((rows) => rows.map((row) => row.map(shownValue)))

/** The shown values of one sheet. */
function shownOf(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const workbook = createWorkbook(SHEETS.slice(0, 1))
  return shown(workbook.calculate([records(rows)], ENVIRONMENT))[0]!.map((row, index) =>
    row.slice(0, rows[index]!.length),
  )
}

describe('a workbook', () => {
  it('[CF13] calculates over all sheets in the order in which formulas read each other', () => {
    const one = records([['=B1+1', '=C1+1', '=Two!A1+1'], ['=SUM(A1:C1)']])
    const two = records([['=B1*2', '5'], ['=One!A2']])
    expect(
      shown(createWorkbook(SHEETS).calculate([one, two], ENVIRONMENT)).map((rows) =>
        rows.map((row) => row.slice(0, 3)),
      ),
    ).toEqual([
      [
        ['13', '12', '11'],
        ['36', '', ''],
      ],
      [
        ['10', '5', ''],
        ['36', '', ''],
      ],
    ])
  })

  it('[CF13] calculates a chain of thousands of cells', () => {
    const rows = Array.from({ length: 4000 }, (_, row) => [row === 3999 ? '1' : `=A${row + 2}+1`])
    expect(shownOf(rows)[0]).toEqual(['4000'])
  })

  it('[CF14] has Err:522 in a circle and what reads it, and values elsewhere', () => {
    expect(
      shownOf([
        ['=B1', '=C1+1', '=A1', '=A1+1', '=IFERROR(B1,"caught")', '=2+3'],
        ['=A2', '=SUM(A3:B3)', '=IF(TRUE,1,C2)', '=F1'],
        ['1', '=SUM(B1:B2)'],
      ]),
    ).toEqual([
      ['Err:522', 'Err:522', 'Err:522', 'Err:522', 'caught', '5'],
      ['Err:522', 'Err:522', 'Err:522', '5'],
      ['1', 'Err:522'],
    ])
  })

  it('[CF16] keeps the rows in which nothing changed', () => {
    const workbook = createWorkbook(SHEETS.slice(0, 1))
    const list = records([
      ['1', '=A1*2'],
      ['2', '=A2*2'],
      ['3', '=SUM(B1:B2)'],
    ])
    const first = workbook.calculate([list], ENVIRONMENT)
    const edited = list.with(1, { ...(list[1] as object), a: '5' })
    const second = workbook.calculate([edited], { ...ENVIRONMENT, nowMs: 5 })
    expect(second.values[0]!.map((row, index) => row === first.values[0]![index])).toEqual([true, false, false])
    expect(second.rows[0]!.map((row, index) => row === first.rows[0]![index])).toEqual([true, false, true])
    expect(second.order).toBe(first.order)
    expect(workbook.calculate([edited], { ...ENVIRONMENT, nowMs: 9 })).toBe(second)
    expect(workbook.calculate([list], ENVIRONMENT)).toBe(first)
  })

  it('[CF16] evaluates TODAY again when the clock moves', () => {
    const workbook = createWorkbook(SHEETS.slice(0, 1))
    const list = records([['=NOW()', '=A1+1']])
    expect(
      [0, 86_400_000].map((nowMs) => shown(workbook.calculate([list], { nowMs, seed: 1 }))[0]![0]!.slice(0, 2)),
    ).toEqual([
      ['1970-01-01', '1970-01-02'],
      ['1970-01-02', '1970-01-03'],
    ])
  })
})

describe('the bounds', () => {
  it('[CF17] are those of one formula', () => {
    expect(parseFormula(`=${'1+'.repeat(600)}1`)).toEqual({
      message: 'the formula has 1202 characters; at most 1000 are allowed',
      start: 0,
      end: 1202,
    })
    expect(parseFormula(`=${'('.repeat(65)}1${')'.repeat(65)}`)).toMatchObject({
      message: 'the formula has more than 64 levels',
    })
    expect(shownOf([['=SUM(A2:A20002)', '=SUM(A2:A20001)', `=SUM(A2:A20001*1${'+1'.repeat(11)})`]])).toEqual([
      ['#NUM!', '0', '#VALUE!'],
    ])
    expect(shownOf([[`=${'IFERROR('.repeat(60)}1/0${',1/0)'.repeat(60)}`]])).toEqual([['#DIV/0!']])
  })

  it('[CF18] are those of all formulas of a workbook', () => {
    const many = Array.from({ length: MAX_FORMULAS + 1 }, () => ['=1'])
    expect(shownOf(many).flat().slice(-2)).toEqual(['1', '#NUM!'])
    const reading = Array.from({ length: 251 }, () => ['=SUM(B1:B20000)'])
    expect(shownOf(reading).flat().slice(-2)).toEqual(['0', '#NUM!'])
  })

  it('[CF19] are those of texts', () => {
    const texts = [
      '=LEN(REPT("ab",2000))',
      '=REPT("ab",2001)',
      '=REPT("a",1E+300)',
      '=REPT("a",4000)&"b"',
      '=SUBSTITUTE(REPT("a",4000),"a","aa")',
    ]
    expect(texts.map((text) => shownOf([[text]])[0]![0])).toEqual(['4000', '#VALUE!', '#VALUE!', '#VALUE!', '#VALUE!'])
    expect(shownOf([['=REPT("a",3000)', '=TEXTJOIN("-",TRUE,A1,A1)']])[0]![1]).toBe('#VALUE!')
  })

  it('[CF20] hold for wildcards, which have no meaning of regular expressions', () => {
    const row = [
      '(a+)+$',
      '=COUNTIF(A1,"(a+)+$")',
      '=COUNTIF(A1,"(*~+)?$")',
      '=SEARCH("~+)",A1)',
      '=SEARCH("*a*a*a*b",REPT("a",4000))',
    ]
    expect(shownOf([row])[0]).toEqual(['(a+)+$', '1', '1', '3', '#VALUE!'])
  })
})

/** Draws one of several things. */
class Draw {
  #random: Random
  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }
  below(count: number): number {
    const [value, next] = drawInteger(this.#random, 0, count - 1)
    this.#random = next
    return value
  }
  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}

const ROWS = 12

/** A random content: an empty cell, a constant, or a formula over random cells. */
function contentFrom(draw: Draw): string {
  const cell = () =>
    `${draw.of(['', '', 'One!', 'Two!'])}${draw.of(['A', 'B', 'C', 'D', 'E', 'F'])}${1 + draw.below(ROWS)}`
  const range = () => `${cell()}:${draw.of(['A', 'C', 'F'])}${1 + draw.below(ROWS)}`
  return draw.of([
    () => '',
    () => String(draw.below(100)),
    () => draw.of(['text', 'TRUE', '2024-05-03', "'7"]),
    () => `=${cell()}+${cell()}`,
    () => `=${cell()}&"-"&${draw.below(9)}`,
    () => `=SUM(${range()})`,
    () => `=IF(${cell()}>${cell()},${cell()},${draw.below(5)})`,
    () => `=IFERROR(${cell()}/${cell()},COUNTIF(${range()},">5"))`,
    () => draw.of(['=TODAY()+1', '=RAND()', '=1/0', '=NONE()', '=1+', '=SUM(Two!A:B)']),
    () => `=VLOOKUP(${cell()},A1:F${ROWS},2,FALSE)`,
  ])()
}

/** A list in which something was edited: mostly one cell, sometimes rows. */
function edited(draw: Draw, list: readonly DataValue[]): readonly DataValue[] {
  const kind = draw.below(60)
  if (kind === 0 && list.length > 2) return list.toSpliced(draw.below(list.length), 1)
  if (kind === 1 && list.length < ROWS + 4)
    return list.toSpliced(draw.below(list.length), 0, ...records([[contentFrom(draw)]]))
  const row = draw.below(list.length)
  return list.with(row, { ...(list[row] as object), [draw.of(FIELDS)]: contentFrom(draw) })
}

describe('a derived calculation', () => {
  it('[CF15] equals that from scratch after 10,000 random edits, also in forks', () => {
    const draw = new Draw(20)
    const workbook = createWorkbook(SHEETS)
    const start = [0, 1].map(() => records(Array.from({ length: ROWS }, () => FIELDS.map(() => contentFrom(draw)))))
    // Three runs of one scenario share the workbook. A fork goes on from where another run is.
    const runs = [start, start, start]
    const wrong: unknown[] = []
    for (let edit = 0; edit < 10_000; edit++) {
      const at = draw.below(runs.length)
      const sheet = draw.below(2)
      runs[at] = draw.below(50) === 0 ? draw.of(runs) : runs[at]!.with(sheet, edited(draw, runs[at]![sheet]!))
      const environment = { nowMs: 86_400_000 * Math.floor(edit / 500), seed: 1 + Math.floor(edit / 4000) }
      const derived = workbook.calculate(runs[at]!, environment)
      if (edit % 25 !== 0) continue
      const scratch = createWorkbook(SHEETS).calculate(runs[at]!, environment)
      if (JSON.stringify(shown(derived)) !== JSON.stringify(shown(scratch)))
        wrong.push({ edit, derived: shown(derived), scratch: shown(scratch) })
    }
    expect(wrong.slice(0, 1)).toEqual([])
  })
})
