import { expect, it } from 'vitest'
import {
  button,
  checkbox,
  comboBox,
  document,
  edit,
  group,
  listItem,
  menuItem,
  pane,
  rect,
  slider,
  table,
  text,
  window,
} from '../desktop/model/builders.ts'
import { outlineOf, refOutlineOf } from './outline.ts'

// Rules such as [PNT127] are stated in SPEC.md beside this file.

it('[PNT127] lists every element with role, name, id, state and value, two blanks further in for each level', () => {
  const { tree } = window(
    'Sign in',
    { bounds: rect(0, 0, 400, 300) },
    menuItem('File', { id: 'file', expanded: false }),
    edit('User "name"', { id: 'user', value: 'al\nice', focused: true }),
    edit('Password', { id: 'secret', value: 'hunter2', traits: { secret: true } }),
    slider('Volume', { id: 'volume', valueNow: 3, valueMin: 0, valueMax: 10 }),
    button('Go', { id: 'go', enabled: false }),
  )
  expect(outlineOf(tree).split('\n')).toEqual([
    '- Window "Sign in" [id=root]',
    '  - MenuItem "File" [id=file] [collapsed]',
    '  - Edit "User \\"name\\"" [id=user] [focused]: "al\\nice"',
    '  - Edit "Password" [id=secret]: <filled>',
    '  - Slider "Volume" [id=volume]: 3 of 10',
    '  - Button "Go" [id=go] [disabled]',
  ])
})

it('[PNT128] cuts values at 500 characters, never within one, and keeps names on one line', () => {
  const { tree } = window('W', edit('Two\nlines', { id: 'e', value: '😀'.repeat(600) }))
  expect(outlineOf(tree).split('\n').slice(1)).toEqual([`  - Edit "Two lines" [id=e]: "${'😀'.repeat(499)}…"`])
})

it('[PNT129] [PNT130] [PNT131] gives a ref to what can be acted on, and leaves out empty containers, repetitions and what is hidden', () => {
  const { tree } = window(
    'Mail',
    { bounds: rect(0, 0, 400, 300) },
    pane(
      '',
      { id: 'p' },
      group('Reply', { id: 'g' }, edit('To', { id: 'to', value: 'ada' }), text('Draft', { id: 't' })),
    ),
    checkbox('Urgent', { id: 'c', selected: true }),
    button('Send', { id: 'send', enabled: false }, text('Send', { id: 'label' })),
    menuItem('File', { id: 'file', expanded: false }, menuItem('Open', { id: 'open' })),
    comboBox('Size', { id: 'size', expanded: false }, listItem('Large', { id: 'large' })),
    button('Gone', { id: 'gone', traits: { hidden: true } }),
    document('Body', { id: 'body', value: 'Dear Ada' }),
  )
  expect(refOutlineOf(tree, ({ id }) => `ref-${id}`).split('\n')).toEqual([
    '- window "Mail"',
    '  - group "Reply"',
    '    - textbox "To" [ref=ref-to]: "ada"',
    '    - text "Draft"',
    '  - checkbox "Urgent" [checked] [ref=ref-c]',
    '  - button "Send" [disabled] [ref=ref-send]',
    '  - menuitem "File" [collapsed] [ref=ref-file]',
    '  - combobox "Size" [collapsed] [ref=ref-size]',
    '  - document "Body" [ref=ref-body]: "Dear Ada"',
  ])
})

it('[PNT130] leaves out names that are the texts of cells, and bars and headers that say nothing', () => {
  const cell = (id: string, name: string, value: string | null) => ({ ...text(name, { id, value }), role: 'Cell' })
  const row = (id: string, name: string, ...cells: ReturnType<typeof cell>[]) => ({
    ...pane(name, { id }, ...cells),
    role: 'Row',
  })
  const bar = (id: string, more: object) => ({ ...pane('Down', { id }), role: 'ScrollBar', ...more })
  const header = {
    ...pane('Columns', { id: 'h' }, { ...text('Name', { id: 'n' }), role: 'HeaderItem' }),
    role: 'Header',
  }
  const { tree } = window(
    'People',
    table(
      'People',
      { id: 'people' },
      header,
      row('r1', 'Ada, 36', cell('a', 'Name', 'Ada'), cell('b', 'Age', '36'), cell('c', 'Note', null)),
      row('r2', 'Bo', cell('d', 'Name', 'Bo'), cell('e', 'Age', '7')),
    ),
    bar('idle', {}),
    bar('moved', { valueNow: 40, valueMax: 100 }),
  )
  expect(refOutlineOf(tree, ({ id }) => id).split('\n')).toEqual([
    '- window "People"',
    '  - table "People" [ref=people]',
    '    - columnheader "Name" [ref=n]',
    '    - row [ref=r1]',
    '      - cell "Name" [ref=a]: "Ada"',
    '      - cell "Age" [ref=b]: "36"',
    '      - cell "Note" [ref=c]',
    '    - row "Bo" [ref=r2]',
    '      - cell "Name" [ref=d]: "Bo"',
    '      - cell "Age" [ref=e]: "7"',
    '  - scrollbar "Down": 40 of 100',
  ])
})

it('[PNT132] names texts in the rows of a table as cells with refs', () => {
  const cells = [text('Time', { id: 'time', value: '09:00' }), text('Monday', { id: 'mon' })]
  const row = { ...pane('09:00', { id: 'row' }, ...cells), role: 'Row' }
  const { tree } = window('Calendar', table('Week', { id: 'week' }, row), text('Today', { id: 'today' }))
  expect(refOutlineOf(tree, ({ id }) => `ref-${id}`).split('\n')).toEqual([
    '- window "Calendar"',
    '  - table "Week" [ref=ref-week]',
    '    - row "09:00" [ref=ref-row]',
    '      - cell "Time" [ref=ref-time]: "09:00"',
    '      - cell "Monday" [ref=ref-mon]',
    '  - text "Today"',
  ])
})
