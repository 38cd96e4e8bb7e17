import { describe, expect, it } from 'vitest'
import { act, clickAt, find, hover, press } from '../../../test/support/desktop/driver.ts'
import { button, checkbox, desktop, edit, element, rect, window } from '../model/builders.ts'
import { centerOf } from '../model/geometry.ts'

describe('controls', () => {
  it('[DT53] let clicks through to the element below', () => {
    const tip = desktop(
      window(
        'Tips',
        button(
          'Save',
          { id: 'save', bounds: rect(120, 140, 80, 30) },
          element('ToolTip', 'Writes', { id: 'tip', bounds: rect(0, 0, 120, 24) }),
        ),
        checkbox('Under', { id: 'under', bounds: rect(120, 172, 300, 40) }),
      ),
    )
    const shown = act(tip, hover('save'))
    const { bounds } = find(shown, 'tip')
    const ticked = act(shown, clickAt(centerOf(bounds)))
    expect([find(ticked, 'under').selected, find(ticked, 'tip').expanded]).toEqual([true, false])
  })

  it('[DT150] show a tooltip while the pointer rests on its owner', () => {
    const tip = desktop(
      window(
        'Tips',
        button(
          'Save',
          { id: 'save' },
          element('ToolTip', 'Writes the file', { id: 'tip', bounds: rect(0, 0, 120, 24) }),
        ),
        edit('Other', { id: 'other' }),
      ),
    )
    const shown = act(tip, hover('save'))
    expect(find(shown, 'tip')).toMatchObject({
      expanded: true,
      bounds: { x: shown.pointer.x + 12, y: shown.pointer.y + 20 },
    })
    expect(find(act(tip, hover('save', 100)), 'tip').expanded).toBeUndefined()
    expect(find(act(shown, hover('other')), 'tip').expanded).toBe(false)
  })

  it('[DT150] keep a tooltip on its screen, and keys go past it', () => {
    const tip = element('ToolTip', 'Closes the window', { id: 'tip', bounds: rect(0, 0, 120, 24) })
    const away = button(
      'Away',
      { id: 'away', traits: { closes: true, presses: 'escape' }, bounds: rect(1230, 760, 50, 40) },
      tip,
    )
    const on = desktop(window('Tips', { bounds: rect(1000, 600, 280, 200) }, away))
    const shown = act(on, hover('away'))
    expect(find(shown, 'tip').bounds).toEqual({ x: 1160, y: 748, width: 120, height: 24 })
    expect(act(shown, press('escape')).windows).toEqual([])
  })
})
