import { describe, expect, it } from 'vitest'
import { hitTest } from '../../desktop/hit.ts'
import {
  button,
  comboBox,
  desktop,
  edit,
  element,
  list,
  listItem,
  menu,
  menuBar,
  menuItem,
  monitor,
  rect,
  tab,
  tabItem,
  text,
  treeItem,
  treeView,
  window,
} from '../../desktop/model/builders.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import { contains, type Rect } from '../../desktop/model/geometry.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { type ScreenProjection, unprojectPoint } from '../../desktop/projection.ts'
import { panelAt } from '../../desktop/windows/panel.ts'
import { type ElementArea, visibleAreas } from './areas.ts'
import { maskOf, runLengthsOf } from './coco.ts'

// Rules such as [AN1] are stated in README.md beside this file.

const bounds = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })
const SCREEN = rect(0, 0, 420, 320)

/** Two windows that overlap, with a scrolled list, an open menu, an open list and a tree, above a panel. */
const crowded = (): Desktop =>
  desktop(
    window(
      'Front',
      { uid: 'front', ...bounds(150, 60, 200, 150), frame: 'outside' },
      menuBar(
        'Bar',
        bounds(150, 60, 200, 24),
        menuItem(
          'File',
          { id: 'file', expanded: true, ...bounds(150, 60, 50, 24) },
          menu(
            'File menu',
            { id: 'menu', expanded: true, ...bounds(150, 84, 90, 64) },
            menuItem('Open', { id: 'open', ...bounds(154, 88, 82, 28) }),
            menuItem('Save', { id: 'save', ...bounds(154, 116, 82, 28) }),
          ),
        ),
      ),
      button('Below the menu', { id: 'below', ...bounds(160, 100, 150, 30) }),
      button('Partly covered', { id: 'partly', ...bounds(200, 120, 100, 40) }),
      button('Later sibling', { id: 'later', ...bounds(260, 140, 60, 40) }),
      button('Outside', { id: 'outside', ...bounds(400, 140, 60, 40) }),
    ),
    window(
      'Back',
      { uid: 'back', ...bounds(20, 20, 260, 240), frame: 'inside' },
      list(
        'Rows',
        { id: 'rows', ...bounds(30, 60, 100, 70), traits: { scrolled: { x: 0, y: 10 } } },
        listItem('One', { id: 'one', ...bounds(30, 50, 100, 28) }),
        listItem('Two', { id: 'two', ...bounds(30, 78, 100, 28) }),
        listItem('Three', { id: 'three', ...bounds(30, 106, 100, 28) }),
        listItem('Four', { id: 'four', ...bounds(30, 134, 100, 28) }),
      ),
      comboBox(
        'Size',
        { id: 'combo', expanded: true, ...bounds(30, 150, 100, 28) },
        listItem('Small', { id: 'small', ...bounds(30, 180, 100, 24) }),
        listItem('Large', { id: 'large', ...bounds(30, 204, 100, 24) }),
      ),
      text('Behind the list', { id: 'behind', ...bounds(40, 190, 160, 40) }),
      treeView(
        'Tree',
        { id: 'tree', ...bounds(140, 200, 120, 50) },
        treeItem(
          'Root',
          { id: 'node', expanded: true, ...bounds(140, 200, 120, 20) },
          treeItem('Leaf', { id: 'leaf', ...bounds(150, 220, 110, 20) }),
        ),
      ),
    ),
    { monitors: [monitor(SCREEN)], panel: true },
  )

const holds = ({ parts }: ElementArea, x: number, y: number): boolean => parts.some((part) => contains(part, { x, y }))

/** Compares the areas with a hit test at each pixel of a picture, or at one of so many in each row. */
function mismatches(shown: Desktop, projection: ScreenProjection | undefined, size: Rect, every = 1) {
  const areas = visibleAreas(shown, { projection })
  const masks = areas.map(({ parts }) => maskOf(runLengthsOf(parts, size.width, size.height)))
  const wrong: string[] = []
  const missing: string[] = []
  for (let y = 0; y < size.height; y++)
    for (let x = y % every; x < size.width; x += every) {
      const at = projection ? unprojectPoint(projection, { x, y }) : { x, y }
      const hit = panelAt(shown, at) ? undefined : hitTest(shown, at)
      const found = hit && 'path' in hit ? hit : undefined
      areas.forEach(({ window: uid, path, element: shownElement }, index) => {
        const isHere = masks[index]![y * size.width + x] === 1
        if (!isHere && found?.element === shownElement) missing.push(`${shownElement.id} ${x},${y}`)
        if (!isHere || roleKind(shownElement.role) === 'tooltip') return
        const isBelow = found?.window.uid === uid && path.every((each, depth) => found.path[depth] === each)
        if (!isBelow) wrong.push(`${shownElement.id} ${x},${y}`)
      })
    }
  return { areas, wrong, missing }
}

const pixelsOf = (areas: readonly ElementArea[], id: string) => areas.find(({ element }) => element.id === id)?.pixels
const boxOf = (areas: readonly ElementArea[], id: string) => areas.find(({ element }) => element.id === id)?.box

describe('areas of a crowded desktop', () => {
  const { areas, wrong, missing } = mismatches(crowded(), undefined, SCREEN)

  it('[AN1] have only pixels that hit the element or a descendant', () => {
    expect(wrong).toEqual([])
  })

  it('[AN2] have all pixels that hit the element, but for round corners and the edges of popups', () => {
    // The corners of both windows, and the four pixels around the open list.
    expect(new Set(missing.map((each) => each.split(' ')[0]))).toEqual(new Set(['root', 'combo', 'behind']))
    expect(
      missing.filter((each) => each.startsWith('behind')).every((each) => Number(each.split(/[ ,]/)[1]) < 134),
    ).toBe(true)
  })

  it('[AN3] leave out what covers and clips them', () => {
    expect(boxOf(areas, 'one')).toEqual(rect(30, 60, 100, 18))
    expect(boxOf(areas, 'three')).toEqual(rect(30, 106, 100, 24))
    expect(pixelsOf(areas, 'four')).toBeUndefined()
    expect(pixelsOf(areas, 'outside')).toBeUndefined()
    expect(boxOf(areas, 'below')).toEqual(rect(240, 100, 70, 30))
    // Less the menu above it and the later sibling beside it.
    expect(pixelsOf(areas, 'partly')).toBe(100 * 40 - 40 * 28 - 40 * 20)
    expect(boxOf(areas, 'menu')).toEqual(rect(150, 84, 90, 64))
    expect(boxOf(areas, 'leaf')).toEqual(rect(150, 220, 110, 20))
  })

  it('[AN5] lack the pixels of round corners', () => {
    const lowest = areas.filter(({ window, path }) => window === 'back' && path.length === 0)[0]!
    expect(holds(lowest, 20, 259)).toBe(false)
    expect(holds(lowest, 29, 259)).toBe(true)
  })

  it('are cut at the panel', () => {
    const low = window('Low', { uid: 'low', ...bounds(100, 200, 200, 120), frame: 'none' })
    const shown = visibleAreas(desktop(low, { monitors: [monitor(SCREEN)], panel: true }))
    expect(shown[0]!.box).toEqual(rect(100, 200, 200, 80))
  })
})

describe.each([
  ['larger', { ratio: 1.25, scale: 1.25 }],
  ['smaller', { ratio: 0.75, scale: 1 }],
  ['mirrored and larger', { ratio: 1.5, scale: 1.5, mirror: 420 }],
] as const)('areas of a %s screen', (_, projection) => {
  it('[AN6] hold exactly the pixels that hit their elements', () => {
    const size = rect(0, 0, SCREEN.width * projection.ratio, SCREEN.height * projection.ratio)
    const { wrong, areas } = mismatches(crowded(), projection, size, 5)
    expect(wrong).toEqual([])
    expect(areas.length).toBe(visibleAreas(crowded()).length)
  })
})

describe('areas', () => {
  it('[AN4] of a window have that window alone, and of a part of the screen what reaches into it', () => {
    const alone = visibleAreas(crowded(), { of: { window: 'back' } })
    expect(new Set(alone.map(({ window }) => window))).toEqual(new Set(['back']))
    expect(boxOf(alone, 'node')).toEqual(rect(120, 180, 120, 20))
    const part = visibleAreas(crowded(), { of: { area: rect(30, 60, 40, 30) } })
    expect(part.map(({ element }) => element.id)).toEqual(['root', 'rows', 'one', 'two'])
    expect(boxOf(part, 'two')).toEqual(rect(0, 18, 40, 12))
  })

  it('[AN7] of a tooltip exist and hide what is behind them', () => {
    const shown = desktop(
      window(
        'App',
        { ...bounds(0, 0, 300, 200), frame: 'none', state: 'maximized' },
        button(
          'Save',
          { id: 'save', ...bounds(20, 20, 80, 30) },
          element('ToolTip', 'Writes the file', { id: 'tip', expanded: true, ...bounds(60, 30, 120, 30) }),
        ),
      ),
      { monitors: [monitor(SCREEN)] },
    )
    const areas = visibleAreas(shown)
    expect(boxOf(areas, 'tip')).toEqual(rect(60, 30, 120, 30))
    expect(pixelsOf(areas, 'save')).toBe(80 * 30 - 40 * 20)
  })

  it('[AN8] are clickable for enabled controls in a window that takes input', () => {
    const shown = (details: object = {}) =>
      visibleAreas(
        desktop(
          window(
            'App',
            { ...bounds(0, 0, 300, 200), ...details },
            button('Go', { id: 'go' }),
            button('Off', { id: 'off', enabled: false }),
            text('Words', { id: 'words' }),
            edit('Name', { id: 'name' }),
            list(
              'Rows',
              { id: 'rows', ...bounds(10, 100, 80, 60) },
              listItem('Row', { id: 'row', ...bounds(10, 100, 80, 20) }),
            ),
            tab(
              'Tabs',
              { id: 'tabs', ...bounds(100, 100, 80, 60) },
              tabItem('Page', { id: 'page', ...bounds(100, 100, 60, 20) }),
            ),
          ),
          { monitors: [monitor(SCREEN)] },
        ),
      )
        .filter(({ clickable }) => clickable)
        .map(({ element }) => element.id)
    expect(shown()).toEqual(['go', 'name', 'row', 'page'])
    expect(shown({ busy: true })).toEqual([])
  })
})
