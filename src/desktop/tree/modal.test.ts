import { expect, it } from 'vitest'
import { act, click, find, invoke, press, type } from '../../../test/support/desktop/driver.ts'
import { button, desktop, dialog, edit, rect, text, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { changeRef, refOf, withTraits } from './element-ref.ts'

const page = () =>
  desktop(
    window(
      'Page',
      { uid: 'page' },
      edit('Name', { id: 'name', bounds: rect(120, 160, 200, 28) }),
      button('Save', { id: 'save', keyboardShortcut: 'ctrl+s', bounds: rect(120, 200, 80, 28) }),
      dialog(
        'Sure?',
        { id: 'sure', bounds: rect(300, 300, 300, 160), traits: { hidden: true } },
        text('Really?', { id: 'really', bounds: rect(310, 340, 200, 20) }),
        button('No', { id: 'no', bounds: rect(310, 400, 80, 28), traits: { presses: 'escape' } }),
        button('Yes', { id: 'yes', bounds: rect(400, 400, 80, 28), traits: { presses: 'enter', closes: true } }),
      ),
    ),
  )

/** Shows the dialog as a reaction would, and lets the desktop follow by a key that means nothing. */
const asking = (on: Desktop): Desktop =>
  act(
    changeRef(on, refOf(on, { window: 'page', element: 'sure' }), (each) => withTraits(each, { hidden: undefined })),
    press('shift'),
    click('really'),
  )
const keyboardIn = (on: Desktop) => on.windows[0]!.focus

it('[DT71] a dialog in the tree takes the focus and all input of its window', () => {
  const on = asking(act(page(), click('name'), type('Ada')))
  expect(keyboardIn(on)).toBe('yes')
  expect(act(on, click('name'), press('ctrl+s'), press('tab', 'tab', 'tab')).windows[0]!.focus).toBe('no')
  expect(() => act(on, invoke('save'))).toThrow(expect.objectContaining({ code: 'ElementDisabled' }))
})

it('[DT71] Escape and its closing button hide it and return the focus', () => {
  const on = asking(act(page(), click('name')))
  for (const done of [act(on, press('escape')), act(on, click('yes')), act(on, click('no'))]) {
    expect([find(done, 'sure').traits?.hidden, keyboardIn(done)]).toEqual([true, 'name'])
    expect(find(act(done, type('x')), 'name').value).toBe('x')
  }
})
