import { describe, expect, it } from 'vitest'
import type { Action } from '../input/action.ts'
import { button, checkbox, desktop, document, edit, group, radioButton, window } from '../model/builders.ts'
import { type Desktop, windowByUid } from '../model/desktop.ts'
import { nodeById } from '../model/element.ts'
import { centerOf } from '../model/geometry.ts'
import { apply, performAction } from './apply.ts'

const LOGIN = 'mock:login'

const login = () =>
  desktop(
    window(
      'Login',
      edit('User', { id: 'user' }),
      edit('Password', { id: 'password', traits: { secret: true } }),
      checkbox('Remember me', { id: 'remember' }),
      group(
        'Size',
        { id: 'size' },
        radioButton('Small', { id: 'small', selected: true }),
        radioButton('Large', { id: 'large' }),
      ),
      button('Enter', { id: 'enter', traits: { presses: 'enter' } }),
      button('Locked', { id: 'locked', enabled: false }),
      document('Notes', { id: 'notes', bounds: { x: 110, y: 500, width: 400, height: 150 } }),
    ),
  )

const find = (on: Desktop, id: string, uid = LOGIN) => nodeById(windowByUid(on, uid)!.tree, id)!
const clickOn = (on: Desktop, id: string): Desktop =>
  apply(on, { type: 'click', at: centerOf(find(on, id).bounds), button: 'left', count: 1 }, { isInteractive: true })
const act = (on: Desktop, ...actions: readonly Action[]): Desktop =>
  actions.reduce((next, action) => apply(next, action, { isInteractive: true }), on)
const type = (text: string): Action => ({ type: 'type', text })
const key = (keys: string): Action => ({ type: 'key', keys })

describe('a login', () => {
  it('[DT55] types into the field that was clicked', () => {
    const after = act(clickOn(login(), 'user'), type('alice'))
    expect(find(after, 'user')).toMatchObject({ value: 'alice', focused: true })
    expect(windowByUid(after, LOGIN)!.focus).toBe('user')
  })

  it('[DT56] moves on with Tab and presses the default button with Enter', () => {
    const before = act(clickOn(login(), 'user'), type('alice\tsecret'))
    expect([find(before, 'user').value, find(before, 'password').value]).toEqual(['alice', 'secret'])
    const outcome = performAction(before, key('Return'), { isInteractive: true })
    expect(outcome).toEqual({ desktop: before, pressed: [{ window: LOGIN, element: 'enter' }] })
    expect(outcome.desktop).toBe(before)
  })

  it('[DT57] toggles and selects, and rejects disabled elements', () => {
    const after = clickOn(clickOn(login(), 'remember'), 'large')
    expect([find(after, 'remember').selected, find(after, 'small').selected, find(after, 'large').selected]).toEqual([
      true,
      false,
      true,
    ])
    expect(() => act(login(), type('x'))).toThrow(expect.objectContaining({ code: 'BadRequest' }))
    expect(() =>
      act(login(), { type: 'invoke', target: { window: LOGIN, element: 'locked' }, at: { x: 0, y: 0 } }),
    ).toThrow(expect.objectContaining({ code: 'ElementDisabled' }))
  })
})
