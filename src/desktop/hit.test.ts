import { describe, expect, it } from 'vitest'
import { hitTest, hitTree } from './hit.ts'
import {
  button,
  comboBox,
  desktop,
  edit,
  group,
  listItem,
  menuBar,
  menuItem,
  pane,
  rect,
  text,
  window,
} from './model/builders.ts'
import type { Desktop } from './model/desktop.ts'

// Rules such as [DT51] are stated in SPEC.md beside this file.

const hitAt = (shown: Desktop, x: number, y: number): string | undefined => {
  const hit = hitTest(shown, { x, y })
  return hit && `${hit.window.title}: ${'element' in hit ? hit.element.name : hit.part}`
}

const bounds = rect(100, 100, 200, 200)

describe('hitTest', () => {
  it('[DT51] looks from the front window to the back and leaves out minimised ones', () => {
    const shown = desktop(
      window('Small', { bounds, state: 'minimized' }),
      window('Front', { bounds: rect(100, 100, 100, 100) }),
      window('Back', { bounds }),
    )
    expect(hitAt(shown, 150, 150)).toBe('Front: Front')
    expect(hitAt(shown, 250, 250)).toBe('Back: Back')
    expect(hitAt(shown, 99, 150)).toBeUndefined()
  })

  it('[DT51] finds title bars inside the bounds, above them and not at all', () => {
    const titled = (frame: 'inside' | 'outside' | 'none') => desktop(window('W', { bounds, frame }))
    expect([90, 110, 150].map((y) => hitAt(titled('inside'), 150, y))).toEqual([undefined, 'W: title', 'W: W'])
    expect([90, 110, 150].map((y) => hitAt(titled('outside'), 150, y))).toEqual(['W: title', 'W: W', 'W: W'])
    expect([90, 110, 150].map((y) => hitAt(titled('none'), 150, y))).toEqual([undefined, 'W: W', 'W: W'])
  })

  it('[DT52] finds the deepest node, and of siblings the later one', () => {
    const shown = desktop(
      window(
        'W',
        { bounds, frame: 'none' },
        group('A', { bounds: rect(100, 100, 100, 100) }, button('under', { bounds: rect(110, 110, 50, 50) })),
        group('B', { bounds: rect(130, 130, 100, 100) }),
      ),
    )
    expect(hitAt(shown, 115, 115)).toBe('W: under')
    expect(hitAt(shown, 105, 105)).toBe('W: A')
    expect(hitAt(shown, 140, 140)).toBe('W: B')
    expect(hitTest(shown, { x: 115, y: 115 })).toMatchObject({ path: [0, 0], element: { id: 'root.0.0' } })
  })

  it('[DT52] passes through hidden and empty elements', () => {
    const shown = desktop(
      window(
        'W',
        { bounds, frame: 'none' },
        button('below', { bounds }),
        group('veil', { bounds, traits: { hidden: true } }, button('in the veil', { bounds })),
        text('nothing', { bounds: rect(150, 150, 0, 20) }),
      ),
    )
    expect(hitAt(shown, 150, 155)).toBe('W: below')
  })

  it('[DT52] clips children by their parents', () => {
    const shown = desktop(
      window(
        'W',
        { bounds, frame: 'none' },
        pane('P', { bounds: rect(100, 100, 50, 50) }, edit('long', { bounds: rect(110, 110, 150, 20) })),
      ),
    )
    expect(hitAt(shown, 120, 115)).toBe('W: long')
    expect(hitAt(shown, 180, 115)).toBe('W: W')
  })

  it('[DT53] puts open menus and lists above everything of their window', () => {
    const shown = (expanded: boolean) =>
      desktop(
        window(
          'W',
          { bounds, frame: 'none' },
          menuBar(
            'M',
            { bounds: rect(100, 100, 200, 20) },
            menuItem(
              'File',
              { bounds: rect(100, 100, 40, 20), expanded },
              menuItem('Open', { bounds: rect(100, 120, 250, 20) }),
            ),
          ),
          comboBox(
            'C',
            { bounds: rect(100, 270, 90, 20), expanded },
            listItem('One', { bounds: rect(100, 290, 90, 20) }),
          ),
          button('under', { bounds: rect(100, 120, 200, 20) }),
        ),
      )
    expect(hitAt(shown(false), 150, 130)).toBe('W: under')
    expect(hitAt(shown(false), 150, 305)).toBeUndefined()
    expect(hitAt(shown(true), 150, 130)).toBe('W: Open')
    expect(hitAt(shown(true), 340, 130)).toBe('W: Open')
    expect(hitAt(shown(true), 150, 305)).toBe('W: One')
  })

  it('[DT53] finds the same in a tree alone', () => {
    const { tree } = window('W', { bounds, frame: 'none' }, button('B', { bounds: rect(110, 110, 9, 9) }))
    expect(hitTree(tree, { x: 112, y: 112 })).toEqual([0])
    expect(hitTree(tree, { x: 102, y: 112 })).toEqual([])
    expect(hitTree(tree, { x: 0, y: 0 })).toBeUndefined()
  })
})
