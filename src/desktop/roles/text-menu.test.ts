import { describe, expect, it } from 'vitest'
import { act, click, find, press, type } from '../../../test/support/desktop/driver.ts'
import {
  button,
  desktop,
  document,
  type ElementDetails,
  edit,
  link,
  menu,
  menuItem,
  pane,
  rect,
  window,
} from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { contains } from '../model/geometry.ts'

// Rules such as [DT116] are stated in SPEC.md of the desktop.

const field = (details: ElementDetails = {}, clipboard = '') =>
  desktop({ clipboard }, window('Form', edit('Field', { id: 'field', value: 'one two', ...details }), button('OK')))
const rightClick = click('field', { button: 'right' })
const rows = (on: Desktop) => find(on, 'field.menu').children.map(({ name, enabled }) => `${enabled ? '' : '-'}${name}`)

describe('the context menu of a text field', () => {
  it('[DT116] opens at a right click, and by Menu and shift+F10', () => {
    const on = act(field(), rightClick)
    expect(find(on, 'field.menu')).toMatchObject({ role: 'Menu', expanded: true })
    expect([find(on, 'field').focused, rows(on)]).toEqual([true, ['-Cut', '-Copy', '-Paste', 'Select all']])
    for (const key of ['menu', 'shift+f10'])
      expect(rows(act(field({}, 'text'), click('field'), press('ctrl+a', key)))).toEqual([
        'Cut',
        'Copy',
        'Paste',
        'Select all',
      ])
  })

  it('[DT116] cuts, copies, pastes and selects all', () => {
    const selected = act(field({}, 'new'), click('field'), press('ctrl+a'), rightClick)
    const cut = act(selected, click('field.menu.cut'))
    expect([find(cut, 'field').value, cut.clipboard]).toEqual(['', 'one two'])
    const copied = act(selected, click('field.menu.copy'))
    expect([find(copied, 'field').value, copied.clipboard]).toEqual(['one two', 'one two'])
    expect(find(act(selected, click('field.menu.paste')), 'field').value).toBe('new')
    const all = act(field(), rightClick, click('field.menu.select-all'), type('x'))
    expect(find(all, 'field').value).toBe('x')
    expect(find(act(field({}, '!'), rightClick, press('p')), 'field').value).toBe('one two!')
  })

  it('[DT116] leaves the tree when it closes', () => {
    const on = act(field(), rightClick)
    for (const closed of [press('escape'), click('field.menu.select-all'), click('field')])
      expect(find(act(on, closed), 'field').children).toEqual([])
    expect(act(on, rightClick).windows[0]!.tree.children[0]!.children).toHaveLength(1)
  })

  it('[DT116] does not copy from a secret field, and does not change a read-only one', () => {
    const opened = (traits: ElementDetails['traits']) =>
      rows(act(field({ traits: traits! }, 'text'), click('field'), press('ctrl+a'), rightClick))
    expect(opened({ secret: true })).toEqual(['-Cut', '-Copy', 'Paste', 'Select all'])
    expect(opened({ readOnly: true })).toEqual(['-Cut', 'Copy', '-Paste', 'Select all'])
    expect(rows(act(field({ value: '' }), rightClick))).toEqual(['-Cut', '-Copy', '-Paste', '-Select all'])
    const disabled = act(field(), rightClick, click('field.menu.copy'))
    expect([disabled.clipboard, find(disabled, 'field').value]).toEqual(['', 'one two'])
  })

  it('[DT116] gives way to a menu of the author, and is not opened in a document of elements', () => {
    const own = desktop(
      window(
        'Form',
        pane('Page', { id: 'page' }, edit('Field', { id: 'field' }), menu('Own', { id: 'own' }, menuItem('Do'))),
      ),
    )
    const on = act(own, rightClick)
    expect([find(on, 'own').expanded, find(on, 'field').children]).toEqual([true, []])
    const bounds = rect(120, 150, 400, 200)
    const page = desktop(
      window('Web', document('Page', { id: 'field', bounds }, link('Home', { bounds: rect(130, 160, 60, 20) }))),
    )
    expect(find(act(page, rightClick), 'field').children).toHaveLength(1)
  })

  it('[DT116] is placed at the pointer, in a field of several lines as well', () => {
    const bounds = rect(120, 150, 400, 200)
    const on = act(desktop(window('Notes', document('Text', { id: 'field', value: 'one\ntwo', bounds }))), rightClick)
    const { x, y } = find(on, 'field.menu').bounds
    expect([x, y]).toEqual([320, 250])
    expect(contains(find(on, 'field.menu').bounds, { x: x + 10, y: y + 10 })).toBe(true)
    expect(find(act(on, click('field.menu.select-all'), type('!')), 'field').value).toBe('!')
  })
})
