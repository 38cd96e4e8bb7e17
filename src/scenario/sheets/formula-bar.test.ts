import { describe, expect, it } from 'vitest'
import { act, begin, click, element, key, setValue, target, type } from '../../../test/support/scenario/player.ts'
import { problemsOf } from '../../../test/support/scenario/problems.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [CF38] are stated in README.md beside this file.

const book = (bar = 'id: bar, sheet: Costs') => `
vars: {costs: [{id: 1, a: "2", b: "=A1*3"}, {id: 2, a: "5", b: ""}, {id: 3, a: "", b: ""}]}
states:
  open:
    windows:
      - uid: main
        bounds: {x: 0, y: 0, width: 600, height: 400}
        tree:
          role: Window
          children:
            - {${bar}, role: Edit, name: Input line}
            - {id: t, role: Spreadsheet, name: Costs, sheet: Costs, rows: costs, key: id, height: 200, columns: [{field: a}, {field: b, editable: true}]}
            - {id: other, role: Button, name: Other}
`
const bar = (run: ScenarioRun) => element(run, 'bar').value
const formulas = (run: ScenarioRun) => (run.data.costs as readonly { readonly b: string }[]).map(({ b }) => b)
const focusOf = (run: ScenarioRun) => run.desktop.windows[0]!.focus
const currentOf = (run: ScenarioRun) => {
  const { current, column } = element(run, 't').traits!.grid!
  return [current, column]
}

describe('a formula bar', () => {
  const first = click(begin(book()), 't.row-1.b')

  it('[CF38] shows the formula of the current cell, and writes it', () => {
    expect([bar(begin(book())), bar(first), bar(key(first, 'down')), bar(key(first, 'left'))]).toEqual([
      null,
      '=A1*3',
      '',
      '2',
    ])
    const typed = type(click(first, 'bar'), '0+sum(a1:a2)')
    expect([bar(typed), formulas(typed)]).toEqual(['=A1*30+sum(a1:a2)', ['=A1*3', '', '']])
    const done = key(typed, 'enter')
    expect([formulas(done), element(done, 't.row-1.b').value, focusOf(done), currentOf(done), bar(done)]).toEqual([
      ['=A1*30+SUM(A1:A2)', '', ''],
      '67',
      't',
      [1, 1],
      '',
    ])
    expect(formulas(type(click(key(first, 'down'), 'bar'), '=B1\n'))).toEqual(['=A1*3', '=B1', ''])
    const set = setValue(first, 'bar', '=a2')
    expect([formulas(set), bar(set)]).toEqual([['=A2', '', ''], '=A2'])
  })

  it('[CF39] writes its text when it is left, and discards it with Escape', () => {
    const typed = type(click(first, 'bar'), '1')
    const other = click(typed, 't.row-2.b')
    expect([formulas(other), bar(other), currentOf(other)]).toEqual([['=A1*31', '', ''], '', [1, 1]])
    expect(formulas(act(typed, { type: 'focus', target: target(typed, 'other'), at: { x: 0, y: 0 } }).run)).toEqual([
      '=A1*31',
      '',
      '',
    ])
    const kept = key(typed, 'escape')
    expect([formulas(kept), bar(kept), focusOf(kept), currentOf(kept)]).toEqual([
      ['=A1*3', '', ''],
      '=A1*3',
      't',
      [0, 1],
    ])
    const fixed = key(type(click(click(first, 't.row-1.a'), 'bar'), '9'), 'enter')
    expect([element(fixed, 't.row-1.a').value, bar(key(fixed, 'up'))]).toEqual(['2', '2'])
  })

  it('[CF40] has an id, no other value, and a table in its window', () => {
    expect(
      ['sheet: Costs', 'id: bar, sheet: Csts', 'id: bar, sheet: Costs, value: x'].map((each) =>
        problemsOf(book(each)).map(({ message }) => message),
      ),
    ).toEqual([
      ['a field that edits the cells of a sheet needs an id'],
      ['the window has no table that is the sheet Csts'],
      ['the field shows the current cell of the sheet; leave it out'],
    ])
  })
})
