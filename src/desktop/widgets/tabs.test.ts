import { describe, expect, it } from 'vitest'
import { act, click, find, focus, invoke, press, select, setValue } from '../../../test/support/desktop/driver.ts'
import { hitTest } from '../hit.ts'
import { desktop, edit, element, pane, rect, tab, tabItem, text, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { visibilityOf } from '../tree/visibility.ts'

describe('tabs and expanders', () => {
  const pages = desktop(
    window(
      'Pages',
      tab(
        'Tabs',
        { id: 'tabs', bounds: rect(110, 140, 400, 200) },
        tabItem('One', { id: 'one', bounds: rect(110, 140, 80, 28) }),
        tabItem('Two', { id: 'two', bounds: rect(190, 140, 80, 28) }),
        pane('First', { bounds: rect(110, 170, 400, 170) }, edit('A', { id: 'a', bounds: rect(120, 180, 100, 28) })),
        pane('Second', { bounds: rect(110, 170, 400, 170) }, edit('B', { id: 'b', bounds: rect(120, 180, 100, 28) })),
      ),
    ),
  )
  const here = (on: Desktop) => {
    const hit = hitTest(on, { x: 150, y: 190 })
    return hit && 'element' in hit ? hit.element.id : undefined
  }

  it('[DT138] show the page of the tab that a click, an arrow, ctrl+Tab or an option turns to', () => {
    expect(here(pages)).toBe('a')
    const turns = [
      click('two'),
      select('tabs', { name: 'Two' }),
      press('ctrl+tab'),
      (on: Desktop) => act(on, focus('tabs'), press('right')),
    ]
    expect(turns.map((turn) => here(act(pages, turn)))).toEqual(['b', 'b', 'b', 'b'])
    expect(() => act(pages, setValue('b', 'x'))).toThrow(expect.objectContaining({ code: 'ElementOccluded' }))
  })

  it('[DT139] take the focus from a page that is hidden', () => {
    const after = act(pages, click('a'), press('ctrl+tab'))
    expect([find(after, 'a').focused, find(after, 'tabs').focused]).toEqual([false, true])
  })

  it('[DT142] keep the content of an expander folded until it is expanded', () => {
    const more = desktop(
      window('More', element('Expander', 'Details', { id: 'more' }, text('Hidden', { id: 'hidden' }))),
    )
    expect(visibilityOf(find(more, 'more'), find(more, 'hidden'))).toBe('folded')
    const open = act(more, click('more'))
    expect(visibilityOf(find(open, 'more'), find(open, 'hidden'))).toBe('loose')
    expect(find(act(open, click('hidden')), 'more').expanded).toBe(true)
    expect(find(act(open, invoke('hidden')), 'more').expanded).toBe(true)
  })
})
