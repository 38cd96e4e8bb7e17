import { describe, expect, it } from 'vitest'
import { act, changeTree, click, clickAt, find, press, states } from '../../../test/support/desktop/driver.ts'
import { desktop, rect, treeItem, treeView, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { pathOf } from '../model/element.ts'
import { without } from '../tree/tree-edits.ts'

describe('trees', () => {
  const folders = desktop(
    window(
      'Folders',
      treeView(
        'Tree',
        { id: 'tree', bounds: rect(110, 140, 300, 200) },
        treeItem(
          'home',
          { id: 'home', bounds: rect(110, 140, 300, 28) },
          treeItem('docs', { id: 'docs' }),
          treeItem('pictures', { id: 'pictures' }),
        ),
        treeItem('tmp', { id: 'tmp', bounds: rect(110, 168, 300, 28) }),
      ),
    ),
  )

  it('[DT141] indent their levels as the style does', () => {
    for (const [style, x] of [
      ['macos', 126],
      ['windows', 124],
      ['gnome', 130],
    ] as const)
      expect(find(act({ ...folders, style }, click('home', { count: 2 })), 'docs').bounds).toEqual(
        rect(x, 168, 410 - x, 28),
      )
  })

  it('[DT140] open by a double click, the arrow or Right, and move the rows below', () => {
    const open = act(folders, click('home', { count: 2 }))
    expect(find(open, 'docs').bounds).toEqual(rect(130, 168, 280, 28))
    expect(find(open, 'tmp').bounds).toEqual(rect(110, 224, 300, 28))
    expect(act(folders, clickAt({ x: 115, y: 150 })).windows[0]!.tree.children[0]!.children[0]!.expanded).toBe(true)
    const inside = act(folders, click('home'), press('right', 'right'))
    expect([find(inside, 'home').expanded, find(inside, 'docs').selected]).toEqual([true, true])
    const closed = act(inside, press('left', 'left'))
    expect([find(closed, 'home').expanded, find(closed, 'home').selected, find(closed, 'tmp').bounds.y]).toEqual([
      false,
      true,
      168,
    ])
  })

  it('[DT140] choose the item that a double click opens or closes, and none by its arrow', () => {
    const open = act(folders, click('tmp'), click('home', { count: 2 }))
    expect([find(open, 'tree').traits?.current, ...states(open, 'home', 'tmp')]).toEqual(['home', true, false])
    const shut = act(open, click('docs'), click('home', { count: 2 }))
    expect([find(shut, 'home').expanded, ...states(shut, 'home', 'docs')]).toEqual([false, true, false])
    const arrow = act(folders, click('tmp'), clickAt({ x: 115, y: 150 }, { count: 2 }))
    expect([find(arrow, 'home').expanded, ...states(arrow, 'home', 'tmp')]).toEqual([true, false, true])
  })

  it('[DT121] continue beside a removed branch with the current item, otherwise at its parent', () => {
    const at = (id: string, ...keys: string[]) => act(folders, click('home', { count: 2 }), click(id), press(...keys))
    const removed = (on: Desktop, id: string) => changeTree(on, (tree) => without(tree, pathOf(tree, id)!))
    const currentIn = (on: Desktop) => find(on, 'tree').traits?.current
    expect(currentIn(removed(at('docs'), 'home'))).toBe('tmp')
    expect(currentIn(removed(at('docs'), 'docs'))).toBe('pictures')
    expect(currentIn(removed(removed(at('pictures'), 'docs'), 'pictures'))).toBe('home')
    expect(currentIn(removed(at('docs'), 'tmp'))).toBe('docs')
  })
})
