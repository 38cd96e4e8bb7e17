import { describe, expect, it } from 'vitest'
import { act, begin, click, element, key, type } from '../../../test/support/scenario/player.ts'
import { problemsOf } from '../../../test/support/scenario/problems.ts'
import type { Modifier } from '../../desktop/input/action.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'

// Rules such as [CF21] are stated in README.md beside this file.

const COLUMNS = '[{field: a, editable: true}, {field: b, editable: true}, {field: c, editable: true}, {field: d}]'

/** Two sheets in one window beside a button, with other keys of the first, its records, and sections of the file. */
const book = (more = '', rows: readonly string[] = [], ...sections: readonly string[]): string =>
  [
    'start_time: "2024-05-03T12:00:00Z"',
    'vars:',
    '  costs:',
    ...(rows.length > 0
      ? rows.map((row) => `    - ${row}`)
      : [
          '    - {id: 1, a: Mug, b: "8.5", c: "2", d: "=B1*C1"}',
          '    - {id: 2, a: Tea, b: "4", c: "3", d: "=B2*C2"}',
          '    - {id: 3, a: Total, b: "", c: "=SUM(C1:C2)", d: "=SUM(D1:D2)"}',
          '    - {id: 4, a: "", b: "", c: "", d: ""}',
          '    - {id: 5, a: "", b: "", c: "", d: ""}',
          '    - {id: 6, a: "", b: "", c: "", d: ""}',
        ]),
    '  rates: [{id: x, a: "=Costs!D3*2", b: "=TODAY()", c: "", d: ""}]',
    'states:',
    '  start:',
    '    windows:',
    '      - uid: main',
    '        bounds: {x: 0, y: 0, width: 700, height: 600}',
    '        tree:',
    '          role: Window',
    '          children:',
    '            - {id: sum, role: Text, name: \'{{ cell_value("Costs!D3") }}\'}',
    '            - {id: bar, role: Text, name: \'{{ cell_content("t") }}\'}',
    '            - {id: go, role: Button, name: Go}',
    `            - {id: t, role: Spreadsheet, name: Costs, sheet: Costs, rows: costs, key: id, height: 240, columns: ${COLUMNS}${more}}`,
    `            - {id: u, role: Spreadsheet, name: Rates, sheet: Rates, rows: rates, key: id, height: 100, columns: ${COLUMNS}}`,
    ...sections,
  ].join('\n')

/** The cells of the first three columns and rows, or others. */
const cells = (run: ScenarioRun, rows = [1, 2, 3], columns = 'abcd') =>
  rows.map((row) => [...columns].map((column) => element(run, `t.row-${row}.${column}`).value).join(' '))
const contents = (run: ScenarioRun, field: string) =>
  (run.data.costs as readonly Readonly<Record<string, string>>[]).map((record) => record[field])
/** Clicks a cell, types a text and presses Enter. */
const enter = (run: ScenarioRun, id: string, text: string) => key(type(click(run, id), text), 'enter')
const center = (run: ScenarioRun, id: string) => {
  const { x, y, width, height } = element(run, id).bounds
  return { x: x + width / 2, y: y + height / 2 }
}
const drag = (run: ScenarioRun, from: { x: number; y: number }, id: string, modifiers: readonly Modifier[] = []) =>
  act(run, { type: 'drag', from, to: center(run, id), modifiers, durationMs: 0 }).run
/** The handle of a cell. */
const handle = (run: ScenarioRun, id: string) => {
  const { x, y, width, height } = element(run, id).bounds
  return { x: x + width - 2, y: y + height - 2 }
}
const keys = (run: ScenarioRun, ...all: readonly string[]) => all.reduce(key, run)

describe('a table that is a sheet', () => {
  it('[CF21] shows the values of its formulas, and calculates again after an edit', () => {
    const run = begin(book())
    expect([cells(run), element(run, 'u.row-x.a').value, element(run, 'sum').name]).toEqual([
      ['Mug 8.5 2 17', 'Tea 4 3 12', 'Total  5 29'],
      '58',
      '29',
    ])
    const edited = enter(run, 't.row-2.b', '=sum(b1,1.5)')
    expect([cells(edited), element(edited, 'u.row-x.a').value]).toEqual([
      ['Mug 8.5 2 17', 'Tea 10 3 30', 'Total  5 47'],
      '94',
    ])
    expect(contents(edited, 'b')).toEqual(['8.5', '=SUM(B1,1.5)', '', '', '', ''])
    expect(element(edited, 't.row-2.b').traits).toMatchObject({ formula: '=SUM(B1,1.5)', align: 'end' })
  })

  it('[CF22] edits what was typed: by typing, F2 and a double click', () => {
    const at = click(begin(book()), 't.row-3.c')
    expect(element(at, 'bar').name).toBe('=SUM(C1:C2)')
    expect(element(type(key(at, 'f2'), '*2'), 'bar').name).toBe('=SUM(C1:C2)*2')
    const edited = keys(type(key(at, 'f2'), '*2'), 'enter')
    expect([contents(edited, 'c')[2], cells(edited)[2]]).toEqual(['=SUM(C1:C2)*2', 'Total  10 29'])
    const doubled = act(at, { type: 'click', at: center(at, 't.row-3.c'), button: 'left', count: 2 }).run
    expect(element(doubled, 't.row-3.c').value).toBe('=SUM(C1:C2)')
    expect(cells(key(type(doubled, '+5'), 'escape'))).toEqual(cells(at))
    expect(cells(keys(type(click(at, 't.row-1.b'), '3'), 'tab'))[0]).toBe('Mug 3 2 6')
  })

  it('[CF23] shows errors as values', () => {
    const texts = ['=1/0', '=NOPE()', '=A1+1', '=B9!C1', '=C2']
    const run = texts.reduce((next, text, index) => enter(next, `t.row-${index + 1}.c`, text), begin(book()))
    expect(cells(run, [1, 2, 3, 4, 5], 'c')).toEqual(['#DIV/0!', '#NAME?', '#VALUE!', '#REF!', '#NAME?'])
    expect(cells(enter(run, 't.row-2.c', '=C5'), [2, 5], 'c')).toEqual(['Err:522', 'Err:522'])
  })

  it('[CF24] formats numbers and dates by the format of a column', () => {
    const columns = "[{field: a, format: '0.00'}, {field: b, format: d MMM yyyy}]"
    const file = book().replace(
      `key: id, height: 240, columns: ${COLUMNS}`,
      `key: id, height: 240, columns: ${columns}`,
    )
    const run = begin(file.replace(/a: Mug, b: "8.5"/, 'a: "=10/3", b: "=TODAY()"'))
    expect(cells(run, [1], 'ab')).toEqual(['3.33 3 May 2024'])
  })

  it('[CF25] reads cells in expressions and oracles', () => {
    const read = (to: string) => {
      const reaction = `  - {on: {tool: click_element, target_id: go}, set: [{log: '{{ ${to} }}'}]}`
      const run = click(begin(book('', [], 'reactions:', reaction)), 'go')
      return entriesOf(run.log).map(({ kind, name }) => [kind, name])
    }
    expect([
      read('cell_value("costs!D3") + 1.0'),
      read('cell_formula("Costs!D3")'),
      read('cell_value("Rates!B1")'),
    ]).toEqual([[['log', '30']], [['log', '=SUM(D1:D2)']], [['log', '2024-05-03']]])
  })

  it('[CF26] has the numbers of the selected cells for a status bar', () => {
    const bar = `            - {id: bar, role: Text, name: '{{ sum(selected_numbers("t")) }} in {{ size(selected_numbers("t")) }}'}`
    const run = begin(book().replace(/ {12}- \{id: bar.*/, bar))
    const shown = (after: ScenarioRun) => element(after, 'bar').name
    expect([shown(run), shown(keys(click(run, 't.row-1.b'), 'shift+right', 'shift+down'))]).toEqual([
      '0 in 0',
      '17.5 in 4',
    ])
  })

  it('[CF31] reports wrong formulas, cells and keys when it is loaded', () => {
    const messages = (file: string) =>
      problemsOf(file)
        .map(({ message }) => message)
        .join()
    const wrong = (formula: string) =>
      problemsOf(book('', [`{id: 1, a: x, b: '${formula}', c: "", d: ""}`])).map(
        ({ line, column, message }) => `${line}:${column}: ${message}`,
      )
    expect([wrong('=SUM(A1'), wrong('=SUN(A1)'), wrong('=Cost!A1'), wrong('=B1+1'), wrong('=abc')]).toEqual([
      ['4:24: in the formula of Costs!B1: expected ), at character 8 of =SUM(A1'],
      ['4:24: in the formula of Costs!B1: there is no function SUN; did you mean "SUM"?'],
      ['4:24: in the formula of Costs!B1: there is no sheet Cost; did you mean "Costs"?'],
      ['4:24: the formula of Costs!B1 reads itself, directly or through other cells'],
      ['4:24: in the formula of Costs!B1: ABC is not a cell; expected a reference such as B2, or a text in quotes'],
    ])
    expect(messages(book(', sort_by: a'))).toContain('leave out sort_by')
    expect(messages(book().replace('Costs!D3")', 'Cots!D3")'))).toContain(
      'there is no sheet "Cots"; did you mean "Costs"?',
    )
  })
})

describe('records of a sheet that reactions change', () => {
  it('[CF36] move the references behind them', () => {
    const dFieldAfter = (set: string) =>
      contents(
        click(
          begin(
            book('', [], 'reactions:', `  - {on: {tool: click_element, target_id: go}, set: [{var: costs, ${set}}]}`),
          ),
          'go',
        ),
        'd',
      )
    expect(dFieldAfter('where: row.id == 1, remove: true').slice(0, 2)).toEqual(['=B1*C1', '=SUM(D1:D1)'])
    expect(dFieldAfter('where: row.id != 3, remove: true')).toEqual(['=SUM(#REF!)'])
    const run = begin(
      book(
        '',
        [],
        'reactions:',
        '  - {on: {tool: click_element, target_id: go}, set: [{var: costs, where: row.id == 2, remove: true}]}',
      ),
    )
    const removed = click(run, 'go')
    expect([cells(removed, [1, 3]), element(removed, 'u.row-x.a').value]).toEqual([
      ['Mug 8.5 2 17', 'Total  2 17'],
      '34',
    ])
  })
})

describe('the selected cells of a sheet', () => {
  it('[CF32] are filled by ctrl+D, ctrl+R and the handle', () => {
    const run = enter(begin(book()), 't.row-4.a', '=A1&$A$2')
    const down = keys(click(run, 't.row-4.a'), 'shift+down', 'shift+down', 'ctrl+d')
    expect(contents(down, 'a').slice(3)).toEqual(['=A1&$A$2', '=A2&$A$2', '=A3&$A$2'])
    const right = keys(click(run, 't.row-4.a'), 'shift+right', 'ctrl+r')
    expect([contents(right, 'b')[3], cells(right, [4], 'ab')]).toEqual(['=B1&$A$2', ['MugTea 8.5Tea']])
    const at = click(run, 't.row-4.a')
    const dragged = drag(at, handle(at, 't.row-4.a'), 't.row-6.a')
    expect(contents(dragged, 'a').slice(3)).toEqual(['=A1&$A$2', '=A2&$A$2', '=A3&$A$2'])
    expect(element(dragged, 't.row-6.a').traits?.range).toBe('lbr')
  })

  it('[CF33] continue series of numbers, days and names', () => {
    const filled = (first: string, second: string, modifiers: readonly Modifier[] = []) => {
      const typed = enter(enter(begin(book()), 't.row-1.a', first), 't.row-2.a', second)
      const at = second === '' ? click(typed, 't.row-1.a') : key(click(typed, 't.row-1.a'), 'shift+down')
      return contents(
        drag(at, handle(at, second === '' ? 't.row-1.a' : 't.row-2.a'), 't.row-4.a', modifiers),
        'a',
      ).slice(0, 4)
    }
    expect(filled('1', '3')).toEqual(['1', '3', '5', '7'])
    expect(filled('Mon', '')).toEqual(['Mon', 'Tue', 'Wed', 'Thu'])
    expect(filled('2024-02-28', '')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'])
    expect([filled('5', ''), filled('5', '', ['ctrl'])]).toEqual([Array(4).fill('5'), ['5', '6', '7', '8']])
    expect([filled('Room 9', ''), filled('x', 'y')]).toEqual([
      ['Room 9', 'Room 10', 'Room 11', 'Room 12'],
      ['x', 'y', 'x', 'y'],
    ])
  })

  it('[CF34] are copied with moved references, and pasted from elsewhere as texts', () => {
    const run = enter(begin(book()), 't.row-4.a', '=A1&$A$2')
    const copied = keys(click(run, 't.row-4.a'), 'ctrl+c')
    expect(copied.desktop.clipboard).toBe('MugTea')
    expect(contents(key(click(copied, 't.row-5.b'), 'ctrl+v'), 'b')[4]).toBe('=B2&$A$2')
    const elsewhere = act(copied, { type: 'set_clipboard', text: '1\t2\n3\t=A1' }).run
    const pasted = key(click(elsewhere, 't.row-5.a'), 'ctrl+v')
    expect([contents(pasted, 'a').slice(4), contents(pasted, 'b').slice(4)]).toEqual([
      ['1', '3'],
      ['2', '=A1'],
    ])
    const cut = keys(click(run, 't.row-4.a'), 'ctrl+x')
    expect([contents(cut, 'a')[3], contents(key(click(cut, 't.row-5.b'), 'ctrl+v'), 'b')[4]]).toEqual(['', '=A1&$A$2'])
  })

  it('[CF35] take back edits with ctrl+Z and do them again with ctrl+Y', () => {
    const start = begin(book())
    const cleared = keys(click(start, 't.row-1.b'), 'shift+down', 'delete')
    expect(contents(cleared, 'b').slice(0, 2)).toEqual(['', ''])
    const edited = enter(cleared, 't.row-4.a', '=1+1')
    const back = keys(edited, 'ctrl+z')
    expect([contents(back, 'a')[3], contents(back, 'b')[0], element(back, 't').traits?.current]).toEqual([
      '',
      '',
      't.row-4.a',
    ])
    const all = key(back, 'ctrl+z')
    expect([contents(all, 'b'), cells(all)]).toEqual([contents(start, 'b'), cells(start)])
    expect(keys(all, 'ctrl+z').data).toBe(all.data)
    expect(contents(keys(all, 'ctrl+y', 'ctrl+shift+z'), 'a')[3]).toBe('=1+1')
  })

  it('[CF41] are chosen by drags, shift and headers', () => {
    const run = begin(book(', row_headers: true'))
    const ranges = (after: ScenarioRun) =>
      ['t.row-1.a', 't.row-1.b', 't.row-2.a', 't.row-2.b'].map((id) => element(after, id).traits?.range)
    expect(ranges(drag(run, center(run, 't.row-1.a'), 't.row-2.b'))).toEqual(['tlc', 'tr', 'lb', 'br'])
    expect(ranges(keys(click(run, 't.row-1.b'), 'shift+left'))).toEqual(['tlb', 'tbrc', '', ''])
    expect(ranges(click(run, 't.header.b'))).toEqual(['', 'tlrc', '', 'lr'])
    expect(ranges(click(run, 't.row-2.row-header'))).toEqual(['', '', 'tlbc', 'tb'])
    expect(ranges(key(click(run, 't.row-2.b'), 'ctrl+a'))).toEqual(['tlc', 't', 'l', '-'])
  })
})

describe('reactions to buttons of a sheet', () => {
  const with_ = (...effects: readonly string[]) => [
    'undo: [costs]',
    'reactions:',
    `  - {on: {tool: click_element, target_id: go}, set: [${effects.join(', ')}]}`,
  ]
  const go = (more: string, ...effects: readonly string[]) =>
    begin(
      book(more, [], ...with_(...effects)).replace(
        'vars:\n',
        'vars:\n  looks: [{id: 1.b, bold: false, format: "0.00"}]\n',
      ),
    )

  it('[CF28] [CF27] say how selected cells look', () => {
    const run = go(
      ', looks: looks',
      '{var: looks, to: \'{{ looks.filter(l, !(l.id in selected_cells("t"))) .map(l, {"id": l.id, "bold": l.bold, "format": l.format}) + selected_cells("t").map(c, {"id": c, "bold": true, "format": "0.0"}) }}\'}',
    )
    expect(cells(run)[0]).toBe('Mug 8.50 2 17')
    const chosen = drag(run, center(run, 't.row-1.c'), 't.row-2.d')
    const done = click(chosen, 'go')
    expect(cells(done)).toEqual(['Mug 8.50 2.0 17.0', 'Tea 4 3.0 12.0', 'Total  5 29'])
    const bold = (id: string) => element(done, id).traits?.bold
    expect([bold('t.row-1.b'), bold('t.row-1.c'), bold('t.row-2.d'), bold('t.row-3.d')]).toEqual([
      undefined,
      true,
      true,
      undefined,
    ])
    expect(cells(enter(done, 't.row-1.c', '5'))[0]).toBe('Mug 8.50 5.0 42.5')
  })

  it('[CF28a] colour cells and their texts', () => {
    const looks =
      '[{id: 1.b, bold: false, format: "", fill: yellow, ink: red}, {id: 2.c, bold: true, format: "", fill: "", ink: pink}]'
    const run = begin(book(', looks: looks').replace('vars:\n', `vars:\n  looks: ${looks}\n`))
    expect(element(run, 't.row-1.b').traits?.cellColours).toMatchObject({ fill: 'yellow', ink: 'red' })
    expect(element(run, 't.row-2.c').traits).toMatchObject({ bold: true })
    expect(element(run, 't.row-2.c').traits?.cellColours).toBeUndefined()
  })

  it('[CF29] are reported if the variable of looks has other records', () => {
    expect(problemsOf(book(', looks: rates'))).toMatchObject([
      { message: expect.stringContaining('rates does not hold records with') },
    ])
  })

  it('[CF30] go to a cell by its name', () => {
    const at = (name: string) =>
      element(click(begin(book('', [], ...with_(`{id: t, cell: ${name}}`))), 'go'), 'bar').name
    expect([at('D2'), at(' c3 '), at('Z99'), at('no')]).toEqual(['=B2*C2', '=SUM(C1:C2)', '', ''])
  })

  it('[CF37] sort records with formulas, which read their own row as before', () => {
    const sorted = click(go('', '{var: costs, sort_by: b, descending: true}'), 'go')
    expect(contents(sorted, 'a').slice(0, 2)).toEqual(['Mug', 'Tea'])
    const risen = click(
      go(
        '',
        '{var: costs, where: row.a == "Mug" || row.a == "Tea", change: {b: "{{ row.c }}", c: "1"}}',
        '{var: costs, where: row.a == "Total", change: {a: ""}}',
        '{var: costs, sort_by: a, descending: true}',
      ),
      'go',
    )
    expect(cells(risen, [2, 1])).toEqual(['Tea 3 1 3', 'Mug 2 1 2'])
  })

  it('[CF36a] insert and remove columns, and references follow', () => {
    const rows = (run: ScenarioRun) =>
      [0, 1, 2].map((row) => ['a', 'b', 'c', 'd'].map((field) => contents(run, field)[row]).join('|'))
    const looks = ', looks: looks'
    const inserted = click(
      go(looks, '{var: costs, where: "true", change: {d: ""}}', '{var: costs, insert_column: B}'),
      'go',
    )
    expect(rows(inserted)).toEqual(['Mug||8.5|2', 'Tea||4|3', 'Total|||=SUM(D1:D2)'])
    expect([inserted.data.looks, inserted.data.rates]).toMatchObject([[{ id: '1.c' }], [{ a: '=Costs!E3*2' }]])
    const full = click(go(looks, '{var: costs, insert_column: B}'), 'go')
    expect([rows(full)[0], entriesOf(full.log).at(-1)!.kind]).toEqual(['Mug|8.5|2|=B1*C1', 'effect-skipped'])
    const removed = click(go(looks, '{var: costs, remove_column: B}'), 'go')
    expect(rows(removed)).toEqual(['Mug|2|=#REF!*B1|', 'Tea|3|=#REF!*B2|', 'Total|=SUM(B1:B2)|=SUM(C1:C2)|'])
    expect([removed.data.looks, removed.data.rates]).toMatchObject([[], [{ a: '=Costs!C3*2' }]])
    expect(rows(keys(removed, 'ctrl+z'))).toEqual(rows(go(looks)))
  })

  it('[CF37a] leave the cell cursor where it is when they insert and sort records', () => {
    const at = (...effects: readonly string[]) =>
      element(click(click(go('', ...effects), 't.row-2.d'), 'go'), 'bar').name
    expect(at('{var: costs, append: {id: 9, a: Cup, b: "1", c: "1", d: ""}, move: {before: 1}}')).toBe('=B2*C2')
    expect(at('{var: costs, sort_by: id, descending: true}')).toBe('')
  })

  it('[CF36] [DAT10] insert a record before another, and references follow', () => {
    const run = click(go('', '{var: costs, append: {id: 9, a: Cup, b: "1", c: "1", d: ""}, move: {before: 2}}'), 'go')
    expect(contents(run, 'a').slice(0, 4)).toEqual(['Mug', 'Cup', 'Tea', 'Total'])
    expect(contents(run, 'd').slice(0, 4)).toEqual(['=B1*C1', '', '=B3*C3', '=SUM(D1:D3)'])
  })
})
