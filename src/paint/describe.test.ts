import { expect, it } from 'vitest'
import { button, document, edit, menuBar, menuItem, rect, window } from '../desktop/model/builders.ts'
import { describeWindow } from './describe.ts'

// Rules such as [PNT127] are stated in SPEC.md beside this file.

it('[PNT124] gives application, title and bounds, then each element once, and the count', () => {
  const shown = window(
    'Untitled',
    { bounds: rect(80, 60, 800, 600), process: 'notepad.exe' },
    menuBar(
      'Menus',
      { bounds: rect(80, 60, 800, 22) },
      menuItem('File', { bounds: rect(80, 60, 56, 22), keyboardShortcut: 'Alt+F' }),
    ),
    document('Text Editor', { bounds: rect(80, 82, 800, 514), focused: true, value: `It's\nfine` }),
    edit('Password', { bounds: rect(80, 600, 80, 20), value: 'hunter2', traits: { secret: true } }),
    button('Save', { bounds: rect(170, 600, 80, 20), enabled: false, description: 'Writes the file' }),
  )
  expect(describeWindow(shown, shown.tree)).toBe(
    [
      'Application : notepad.exe',
      'Window      : Untitled',
      'Geometry    : (80, 60)  800 × 600 px',
      '',
      'Root: Window  "Untitled"',
      '    └─ MenuBar  "Menus"  @(80,60) 800×22',
      '      └─ MenuItem  "File"  [shortcut:Alt+F]  @(80,60) 56×22',
      `    └─ Document  "Text Editor"  = "It's\\nfine"  [FOCUSED]  @(80,82) 800×514`,
      `    └─ Edit  "Password"  = '•••'  @(80,600) 80×20`,
      '    └─ Button  "Save"  [DISABLED  desc:Writes the file]  @(170,600) 80×20',
      '',
      '[6 elements total; focused → Document "Text Editor"]',
    ].join('\n'),
  )
})

it('[PNT125] [PNT126] cuts long values and keeps every element on one line', () => {
  const shown = window('W', edit('Two\nlines', { value: 'x'.repeat(100), bounds: rect(1, 2, 3, 4) }))
  expect(describeWindow(shown, shown.tree).split('\n').slice(5)).toEqual([
    `    └─ Edit  "Two lines"  = '${'x'.repeat(59)}…'  @(1,2) 3×4`,
    '',
    '[2 elements total]',
  ])
})

it.each([
  ["it's", `"it's"`],
  [`"it's"`, `'"it\\'s"'`],
  ['a\\b\tc\r\n', "'a\\\\b\\tc\\r\\n'"],
  ['\u001b[2J\u00a0\u2028é\u{e0001}😀', "'\\x1b[2J\\xa0\\u2028é\\U000e0001😀'"],
  ['😀'.repeat(60), `'${'😀'.repeat(60)}'`],
  ['😀'.repeat(61), `'${'😀'.repeat(59)}…'`],
  ['', "''"],
])('[PNT125] writes the value %j as Python does', (value, written) => {
  const shown = window('W', edit('E', { value, bounds: rect(1, 2, 3, 4) }))
  expect(describeWindow(shown, shown.tree).split('\n')[5]).toBe(`    └─ Edit  "E"  = ${written}  @(1,2) 3×4`)
})
