import { describe, expect, it } from 'vitest'
import { act, click, drag, find, focus, press } from '../../../test/support/desktop/driver.ts'
import { desktop, edit, element, pane, rect, slider, text, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'

describe('split panes', () => {
  it('[DT149] resize the panes, up to the available space', () => {
    const split = desktop(
      window(
        'Split',
        pane(
          'Both',
          { bounds: rect(110, 140, 300, 100) },
          pane(
            'Left',
            { id: 'left', bounds: rect(110, 140, 140, 100) },
            text('wide', { id: 'wide', bounds: rect(120, 150, 120, 20) }),
          ),
          element('Splitter', '', { id: 'bar', bounds: rect(250, 140, 8, 100) }),
          pane('Right', { id: 'right', bounds: rect(258, 140, 152, 100) }),
        ),
      ),
    )
    const after = act(split, drag({ x: 254, y: 190 }, { x: 304, y: 190 }))
    expect(['left', 'bar', 'right', 'wide'].map((id) => find(after, id).bounds)).toEqual([
      rect(110, 140, 190, 100),
      rect(300, 140, 8, 100),
      rect(308, 140, 102, 100),
      rect(120, 150, 170, 20),
    ])
    expect(find(act(split, drag({ x: 254, y: 190 }, { x: 700, y: 190 })), 'right').bounds.width).toBe(24)
  })

  it('[DT149] take the focus by a click, Tab and focus, then move by arrows', () => {
    const split = desktop(
      window(
        'Split',
        pane(
          'Both',
          { bounds: rect(110, 140, 300, 100) },
          edit('Left', { id: 'left', bounds: rect(110, 140, 140, 100) }),
          element('Splitter', '', { id: 'bar', bounds: rect(250, 140, 8, 100) }),
          edit('Right', { id: 'right', bounds: rect(258, 140, 152, 100) }),
        ),
      ),
    )
    const ways = [click('bar'), focus('bar'), (on: Desktop) => act(on, focus('left'), press('tab'))]
    for (const way of ways) {
      const wider = act(split, way, press('right', 'down'))
      expect([find(wider, 'bar').focused, find(wider, 'left').bounds.width]).toEqual([true, 156])
      expect(find(act(wider, press('left', 'left')), 'left').bounds.width).toBe(124)
    }
    const others = desktop(
      window(
        'Others',
        element(
          'SplitPane',
          '',
          { id: 'panes' },
          slider('Volume', { id: 'volume' }, element('Thumb', '', { id: 'thumb' })),
          text('Hint', { id: 'hint' }),
        ),
      ),
    )
    expect(find(act(others, click('thumb')), 'volume').focused).toBe(true)
    expect(find(act(others, click('thumb'), click('hint')), 'volume').focused).toBe(true)
    expect(find(act(others, press('tab')), 'volume').focused).toBe(true)
  })
})
