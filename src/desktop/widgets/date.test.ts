import { describe, expect, it } from 'vitest'
import { act, click, drag, find, focus, invoke, press, setValue } from '../../../test/support/desktop/driver.ts'
import { hitTest } from '../hit.ts'
import { button, desktop, edit, element, rect, window, withBounds } from '../model/builders.ts'
import { overlaysOf } from './scrolling.ts'

describe('dates', () => {
  const due = desktop(
    window('Form', element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', bounds: rect(120, 150, 160, 30) })),
  )

  it('[DT146] step by days and months, and take a day from the calendar or from text', () => {
    const value = (...keys: string[]) => find(act(due, focus('due'), press(...keys)), 'due').value
    expect([value('down'), value('pagedown'), value('home'), value('up', 'end')]).toEqual([
      '2024-02-01',
      '2024-02-29',
      '2024-01-01',
      '2024-01-31',
    ])
    const open = act(due, click('due'), click('due.next'))
    expect(find(open, 'due.month').name).toBe('February 2024')
    const chosen = act(open, click('due.2024-02-14'))
    expect([find(chosen, 'due').value, find(chosen, 'due').expanded, find(chosen, 'due').children]).toEqual([
      '2024-02-14',
      false,
      [],
    ])
    expect(() => act(due, setValue('due', '2024-02-30'))).toThrow(
      '"Due" takes a day such as 2024-03-12; "2024-02-30" is none',
    )
  })

  it('[DT147] have a calendar whose buttons are in the language of a desktop with a style', () => {
    const namesIn = (style: 'backlot' | 'windows' | 'gnome', language: string) => {
      const open = act({ ...due, style, language }, click('due'))
      return [open, act(open, click('due.next'))].flatMap((on) =>
        ['due.previous', 'due.next'].map((id) => find(on, id).name),
      )
    }
    const twice = (...names: string[]) => [...names, ...names]
    expect(namesIn('windows', 'de')).toEqual(twice('Voriger Monat', 'Nächster Monat'))
    expect(namesIn('gnome', 'ja')).toEqual(twice('先月', '来月'))
    expect(namesIn('windows', 'en')).toEqual(twice('Previous month', 'Next month'))
    expect(namesIn('backlot', 'de')).toEqual(twice('Previous month', 'Next month'))
  })

  it('[DT148] show a calendar without a scroll bar', () => {
    const picker = find(act(due, click('due')), 'due')
    expect(picker.traits?.popup).toBeDefined()
    expect(overlaysOf(picker)).toEqual([])
    const over = { x: picker.traits!.popup!.x + picker.traits!.popup!.width - 5, y: picker.traits!.popup!.y + 150 }
    expect(hitTest(act(due, click('due')), over)).toMatchObject({ element: { role: 'Calendar' } })
  })

  it('[DT146] have no calendar in the tree when it has closed, whichever way', () => {
    const on = desktop(
      window(
        'Form',
        element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', ...withBounds(120, 150, 160, 30) }),
        edit('Note', { id: 'note', ...withBounds(600, 150, 160, 30) }),
        button('Last', { id: 'last', ...withBounds(600, 200, 160, 30) }),
      ),
    )
    const open = act(on, click('due'))
    const turned = act(open, click('due.next'))
    const titleBy = drag({ x: 200, y: 110 }, { x: 220, y: 120 })
    const ways = [
      press('tab'),
      press('shift+tab'),
      press('escape'),
      click('note'),
      click('root'),
      invoke('due'),
      titleBy,
    ]
    for (const shut of ways)
      for (const from of [open, turned])
        expect(find(act(from, shut), 'due')).toMatchObject({ expanded: false, children: [] })
    const focusAfter = (...keys: string[]) => act(turned, press(...keys)).windows[0]!.focus
    expect([focusAfter('tab'), focusAfter('shift+tab'), focusAfter('escape')]).toEqual(['note', 'last', 'due'])
    expect([find(act(turned, press('escape')), 'due').focused, act(turned, click('root')).windows[0]!.focus]).toEqual([
      true,
      'due',
    ])
  })

  it('[DT146] keep the calendar clear of the panel', () => {
    const low = desktop(
      { panel: true },
      window('Low', element('DatePicker', 'Due', { id: 'due', value: '2024-01-31', bounds: rect(120, 480, 160, 30) })),
    )
    expect(find(act(low, click('due')), 'due').traits?.popup?.y).toBe(480 - 272)
  })
})
