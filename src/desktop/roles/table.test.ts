import { describe, expect, it } from 'vitest'
import {
  act,
  changeElement,
  changeTree,
  click,
  clickAt,
  drag,
  find,
  focus,
  press,
  scroll,
  select,
  setValue,
  states,
  type,
} from '../../../test/support/desktop/driver.ts'
import { performAction } from '../apply/apply.ts'
import { hitTest } from '../hit.ts'
import { button, desktop, edit, element, menuBar, menuItem, rect, window, withBounds } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { pathOf } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { moved, without } from '../tree/tree-edits.ts'
import { shownBounds } from '../visible-bounds.ts'

const changeBounds = (on: Desktop, id: string, bounds: Rect): Desktop =>
  changeElement(on, id, (element) => ({ ...element, bounds }))

describe('tables and grids', () => {
  const grid = (role: string) =>
    desktop(
      window(
        'Sheet',
        element(
          role,
          'Prices',
          { id: 'grid', bounds: rect(110, 140, 200, 200) },
          element(
            'Header',
            '',
            { bounds: rect(110, 140, 200, 28) },
            ...['Name', 'Price'].map((name, i) =>
              element('HeaderItem', name, { id: name, bounds: rect(110 + i * 100, 140, 100, 28) }),
            ),
          ),
          ...[
            ['pear', '10'],
            ['apple', '9'],
            ['fig', '1,000'],
          ].map((cells, line) =>
            element(
              'DataItem',
              cells[0]!,
              { id: `row${line}`, bounds: rect(110, 168 + line * 28, 200, 28) },
              ...cells.map((value, i) =>
                element('Cell', '', {
                  id: `c${line}${i}`,
                  value,
                  bounds: rect(110 + i * 100, 168 + line * 28, 100, 28),
                }),
              ),
            ),
          ),
        ),
      ),
    )
  const order = (on: Desktop) =>
    find(on, 'grid')
      .children.slice(1)
      .map(({ id, bounds }) => [id, bounds.y])

  it('[DT143] sort by a click on a header, numbers as numbers, and back by another', () => {
    expect(order(act(grid('Table'), click('Name')))).toEqual([
      ['row1', 168],
      ['row2', 196],
      ['row0', 224],
    ])
    expect(order(act(grid('Table'), click('Price')))).toEqual([
      ['row1', 168],
      ['row0', 196],
      ['row2', 224],
    ])
    const back = act(grid('Table'), click('Price'), click('Price'))
    expect([order(back)[0], find(back, 'Price').traits]).toEqual([['row2', 168], { sorted: 'descending' }])
  })

  it('[DT124] keep their header in sight: rows scrolled under it are neither hit nor shown', () => {
    const small = changeBounds(grid('Table'), 'grid', rect(110, 140, 200, 56))
    const scrolled = act(small, scroll('row0', -1))
    expect(['Name', 'row1', 'row2'].map((id) => find(scrolled, id).bounds.y)).toEqual([140, 140, 168])
    expect(states(act(scrolled, click('Name')), 'row0', 'row1', 'row2')).toEqual([false, false, false])
    expect(find(act(scrolled, click('Name')), 'Name').traits).toEqual({ sorted: 'ascending' })
    const shownOf = (on: Desktop, id: string) => shownBounds(on.windows[0]!.tree, pathOf(on.windows[0]!.tree, id)!)
    expect(['Name', 'row1', 'c20'].map((id) => shownOf(scrolled, id))).toEqual([
      rect(110, 140, 100, 28),
      undefined,
      rect(110, 168, 100, 28),
    ])
    const half = changeElement(scrolled, 'row2', (row) => moved(row, 0, -10))
    expect([shownOf(half, 'c21'), hitTest(half, { x: 220, y: 165 })]).toMatchObject([
      rect(210, 168, 100, 18),
      { element: { id: 'Price' } },
    ])
  })

  it('[DT144] are chosen by rows, a grid by cells', () => {
    const row = act(grid('Table'), click('c11'))
    expect(states(row, 'row0', 'row1', 'c11')).toEqual([false, true, false])
    const cell = act(grid('DataGrid'), click('c11'), press('left', 'up'))
    expect(states(cell, 'c11', 'c00', 'row0')).toEqual([false, true, false])
  })

  it('[DT121] continue in the same column when the current row of a grid is removed', () => {
    const on = changeTree(act(grid('DataGrid'), click('c11')), (tree) => without(tree, pathOf(tree, 'row1')!))
    expect(find(on, 'grid').traits?.current).toBe('c21')
    expect(states(act(on, press('up')), 'c01', 'c00')).toEqual([true, false])
  })

  it('[DT145] edit a cell in place: typing replaces, F2 continues, Enter moves down, Escape reverts', () => {
    const typed = act(grid('DataGrid'), click('c01'), type('12'), press('enter'))
    expect([find(typed, 'c01').value, find(typed, 'c11').selected]).toEqual(['12', true])
    expect(find(act(grid('DataGrid'), click('c01'), press('f2', '5', 'tab')), 'c01').value).toBe('105')
    expect(find(act(grid('DataGrid'), click('c01'), type('12'), press('escape')), 'c01').value).toBe('10')
    expect(find(act(grid('DataGrid'), click('c01'), press('ctrl+c'), click('c11'), press('ctrl+v')), 'c11').value).toBe(
      '10',
    )
    expect(find(act(grid('DataGrid'), setValue('c11', 'x')), 'c11')).toMatchObject({ value: 'x' })
    expect(find(act(grid('DataGrid'), click('c01'), press('delete')), 'c01').value).toBe('')
  })

  /** A grid whose first price is being edited, in a window with a menu, a field and a shortcut. */
  const editing = () => {
    const { windows } = grid('DataGrid')
    const more = desktop(
      window(
        'More',
        menuBar(
          'Bar',
          withBounds(110, 100, 200, 24),
          menuItem('File', { id: 'file', ...withBounds(110, 100, 60, 24) }, menuItem('New')),
        ),
        edit('Else', { id: 'else', ...withBounds(400, 140, 100, 28) }),
        button('Save', { id: 'save', keyboardShortcut: 'Ctrl+S', ...withBounds(400, 180, 100, 28) }),
      ),
    ).windows[0]!
    const on = desktop({
      ...more,
      tree: { ...more.tree, children: [...more.tree.children, ...windows[0]!.tree.children] },
    })
    return act(on, click('c01'), press('f2'), type('5'))
  }

  it('[DT145] keep the typed text when the cell is left in any way', () => {
    const ways = [
      click('else'),
      focus('else'),
      press('f10', 'escape', 'enter'),
      click('c11'),
      select('grid', { name: 'fig' }),
      click('Name'),
      clickAt({ x: 200, y: 320 }),
    ]
    for (const leave of ways) {
      const left = act(editing(), leave)
      expect([find(left, 'c01').value, find(left, 'c01').traits]).toEqual(['105', undefined])
    }
    const back = act(editing(), click('else'), focus('grid'), press('escape'))
    expect(find(back, 'c01').value).toBe('105')
    expect(find(act(back, type('7')), 'c01').value).toBe('7')
  })

  it('[DT145] leave keys to the window that the cell being edited does not use', () => {
    const saved = performAction(editing(), { type: 'key', keys: 'ctrl+s' }, { isInteractive: true })
    expect(saved.pressed).toEqual([{ window: 'mock:more', element: 'save' }])
    expect(find(saved.desktop, 'c01').traits?.editing).toBe('10')
    expect(find(act(editing(), press('alt+f')), 'file').expanded).toBe(true)
    expect(find(act(editing(), press('ctrl+enter')), 'c01').traits?.editing).toBe('10')
  })

  it('[DT145] take clicks and drags in the cell being edited as a field does', () => {
    const caretOf = (on: Desktop) => find(on, 'c01').traits?.caret
    expect(caretOf(act(editing(), clickAt({ x: 212, y: 182 })))).toEqual({ at: 0, from: 0 })
    expect(caretOf(act(editing(), clickAt({ x: 222, y: 182 }, { count: 2 })))).toEqual({ at: 3, from: 0 })
    expect(caretOf(act(editing(), drag({ x: 212, y: 182 }, { x: 300, y: 182 })))).toEqual({ at: 3, from: 0 })
    expect(find(act(editing(), clickAt({ x: 212, y: 182 }), type('9')), 'c01').value).toBe('9105')
  })
})
