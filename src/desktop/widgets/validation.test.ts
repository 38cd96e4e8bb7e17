import { describe, expect, it } from 'vitest'
import { act, click, find, focus, press, setValue, type } from '../../../test/support/desktop/driver.ts'
import { performAction } from '../apply/apply.ts'
import { button, checkbox, desktop, dialog, edit, element, list, listItem, spinner, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { centerOf } from '../model/geometry.ts'
import type { FieldValidation } from '../model/traits.ts'
import { problemOf } from './validation.ts'

// Rules such as [DT153] are stated in ../SPEC.md.

const rules = (validation: FieldValidation) => ({ traits: { validation } })

const form = (): Desktop =>
  desktop(
    window(
      'Form',
      { uid: 'form' },
      edit('Name', { id: 'name', description: 'Your name', ...rules({ required: true }) }),
      edit('Age', { id: 'age', value: 'x', ...rules({ min: 18, max: 99 }) }),
      edit('Note', { id: 'note' }),
      button('Save', { id: 'save', traits: { submits: true } }),
      button('Cancel', { id: 'cancel', traits: { presses: 'escape', closes: true } }),
    ),
  )

const problem = (on: Desktop, id: string) => find(on, id).traits?.invalid?.message
const focused = ({ windows }: Desktop) => windows[0]?.focus
/** Clicks an element and returns the effect. */
const clicked = (on: Desktop, id: string) =>
  performAction(
    on,
    { type: 'click', at: centerOf(find(on, id).bounds), button: 'left', count: 1 },
    { isInteractive: true },
  )

describe('the validation of fields', () => {
  it('[DT153] checks a field when it loses the focus', () => {
    const typing = act(form(), focus('age'), press('ctrl+a'), type('5'))
    expect(problem(typing, 'age')).toBeUndefined()
    const left = act(typing, press('tab'))
    expect([problem(left, 'age'), find(left, 'age').description]).toEqual(['Enter 18 or more', 'Enter 18 or more'])
    expect(problem(left, 'name')).toBeUndefined()
  })

  it('[DT153] removes the message when the content becomes valid', () => {
    const wrong = act(form(), focus('name'), press('tab'))
    expect(find(wrong, 'name').description).toBe('This field is required')
    const right = act(wrong, focus('name'), type('A'))
    expect([problem(right, 'name'), find(right, 'name').description]).toEqual([undefined, 'Your name'])
    const other = act(form(), focus('age'), press('tab'), setValue('age', '100'))
    expect(problem(other, 'age')).toBe('Enter 99 or less')
  })

  it.each<[FieldValidation, string, string | undefined]>([
    [{ required: true }, '', 'This field is required'],
    [{ required: true }, '  ', 'This field is required'],
    [{ required: true, message: 'Who?' }, '', 'Who?'],
    [{ pattern: '[A-Z]+' }, 'ABc', 'The format is not valid'],
    [{ pattern: '[A-Z]+' }, 'ABC', undefined],
    [{ pattern: '[A-Z]+' }, '', undefined],
    [{ min: 1 }, 'one', 'Enter a number'],
    [{ min: 1 }, '0.5', 'Enter 1 or more'],
    [{ max: 9 }, '10', 'Enter 9 or less'],
    [{ min: 1, max: 9 }, '9', undefined],
    [{ min: '2026-03-01' }, '2026-02-28', 'Enter 2026-03-01 or later'],
    [{ max: '2026-03-01' }, '2026-03-02', 'Enter 2026-03-01 or earlier'],
  ])('[DT153] %j of %j is %j', (validation, value, message) => {
    expect(problemOf(find(desktop(window('A', edit('B', { id: 'b', value, ...rules(validation) }))), 'b'))).toBe(
      message,
    )
  })

  it('[DT153] requires a checked box, a selected item and a number', () => {
    const on = desktop(
      window(
        'A',
        checkbox('Agree', { id: 'agree', ...rules({ required: true }) }),
        list('Kind', { id: 'kind', ...rules({ required: true }) }, listItem('One', { id: 'one' })),
        spinner('Nights', { id: 'nights', valueNow: 0, ...rules({ min: 1 }) }),
      ),
    )
    const problems = (now: Desktop) => ['agree', 'kind', 'nights'].map((id) => problemOf(find(now, id)))
    expect(problems(on)).toEqual(['This field is required', 'This field is required', 'Enter 1 or more'])
    const chosen = act(on, click('agree'), click('one'), focus('nights'), press('up'))
    expect(problems(chosen)).toEqual([undefined, undefined, undefined])
  })

  it('[DT154] refuses a button that submits, and focuses the first invalid field', () => {
    const { desktop: after, pressed, refused } = clicked(form(), 'save')
    expect({ pressed, refused }).toEqual({ pressed: [], refused: true })
    expect(['name', 'age', 'note'].map((id) => problem(after, id))).toEqual([
      'This field is required',
      'Enter a number',
      undefined,
    ])
    expect([focused(after), after.refused]).toEqual(['name', undefined])
    const fixed = act(after, setValue('name', 'Ada'), setValue('age', '20'))
    expect(clicked(fixed, 'save')).toMatchObject({ pressed: [{ element: 'save' }] })
    expect(clicked(form(), 'cancel').desktop.windows).toEqual([])
  })

  it('[DT154] refuses Enter in a field, without closing a dialog', () => {
    const asking = desktop(
      window(
        'Main',
        edit('Outside', { id: 'outside', ...rules({ required: true }) }),
        dialog(
          'Ask',
          { id: 'ask' },
          edit('Code', { id: 'code', ...rules({ pattern: '\\d+' }), value: 'x' }),
          button('OK', { id: 'ok', traits: { presses: 'enter', closes: true } }),
        ),
      ),
    )
    const refused = act(asking, focus('code'), press('enter'))
    expect([find(refused, 'ask').traits?.hidden, problem(refused, 'code'), problem(refused, 'outside')]).toEqual([
      undefined,
      'The format is not valid',
      undefined,
    ])
    const accepted = act(refused, setValue('code', '12'), press('enter'))
    expect(find(accepted, 'ask').traits?.hidden).toBe(true)
  })

  it('[DT154] ignores hidden and disabled fields', () => {
    const on = desktop(
      window(
        'A',
        edit('B', { id: 'b', traits: { validation: { required: true }, hidden: true } }),
        edit('C', { id: 'c', enabled: false, ...rules({ required: true }) }),
        element('Pane', 'D', { traits: { hidden: true } }, edit('E', { id: 'e', ...rules({ required: true }) })),
        button('Save', { id: 'save', traits: { submits: true } }),
      ),
    )
    expect(clicked(on, 'save')).toMatchObject({ pressed: [{ element: 'save' }] })
  })
})
