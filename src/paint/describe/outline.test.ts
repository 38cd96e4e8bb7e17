import { expect, it } from 'vitest'
import { button, edit, menuItem, rect, slider, window } from '../../desktop/model/builders.ts'
import { outlineOf } from './outline.ts'

// Rules such as [T4] are stated in SPEC.md beside this file.

it('[T4] lists every element with role, name, id, state and value, two blanks further in for each level', () => {
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

it('[T5] cuts values at 500 characters, never within one, and keeps names on one line', () => {
  const { tree } = window('W', edit('Two\nlines', { id: 'e', value: '😀'.repeat(600) }))
  expect(outlineOf(tree).split('\n').slice(1)).toEqual([`  - Edit "Two lines" [id=e]: "${'😀'.repeat(499)}…"`])
})
