import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { encloses, intersect } from '../../desktop/model/geometry.ts'
import { textWidth } from '../../desktop/model/text-width.ts'
import { BACKLOT_METRICS } from '../../desktop/style/backlot.ts'
import { DESKTOP_STYLES, type DesktopStyle, styleMetrics } from '../../desktop/style/style.ts'
import { placed } from '../../desktop/tree/tree-edits.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { frameOf, paneStarts, raisedTabsEnd, sidePartOf } from '../../desktop/windows/frame.ts'
import { parseScenario } from '../load/load.ts'
import { layOutWindow } from './layout.ts'

// Rules such as [Y1] are stated in SPEC.md beside this file.

/** The only window of a scenario of one state, 400 × 300 at 0,0 with its title bar in it. */
function shown(...children: readonly string[]): Window {
  const text = [
    'states:',
    '  only:',
    '    windows:',
    '      - bounds: {x: 0, y: 0, width: 400, height: 300}',
    '        tree:',
    '          role: Window',
    '          children:',
    ...children.map((child) => `            - ${child}`),
  ].join('\n')
  return parseScenario(text).states.get('only')!.windows[0]!
}

const places = (window: Window): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...walk(window.tree)]
      .filter(({ id }) => !id.startsWith('root'))
      .map(({ id, bounds: { x, y, width, height } }) => [id, `${x},${y} ${width}x${height}`]),
  )

describe('a layout', () => {
  it('[Y1] is a column below the title bar by default', () => {
    const window = shown('{id: a, role: Edit}', '{id: b, role: Button, name: B}', '{id: c, role: List}')
    expect(places(window)).toEqual({ a: '20,52 360x32', b: '20,96 88x32', c: '20,140 360x140' })
  })

  it('[Y1] leaves elements with bounds where they are and takes no account of them', () => {
    const window = shown(
      '{id: a, role: Text, name: A, bounds: {x: 7, y: 8, width: 9, height: 10}}',
      '{id: b, role: List}',
    )
    expect(places(window)).toEqual({ a: '7,8 9x10', b: '20,20 360x260' })
  })

  it('[Y1a] spans its parent with an element that only has children with bounds', () => {
    const button = (id: string, x: number) =>
      `{id: ${id}, role: Button, name: B, bounds: {x: ${x}, y: 100, width: 80, height: 24}}`
    expect(
      places(shown(`{id: p, role: Pane, children: [{id: q, role: Group, children: [${button('b', 20)}]}]}`)),
    ).toEqual({
      p: '0,0 400x300',
      q: '0,0 400x300',
      b: '20,100 80x24',
    })
    expect(
      places(shown('{id: a, role: Edit}', `{id: p, role: Pane, children: [${button('b', 20)}, ${button('c', 200)}]}`)),
    ).toEqual({
      a: '20,52 360x32',
      p: '20,100 260x24',
      b: '20,100 80x24',
      c: '200,100 80x24',
    })
  })

  it('[Y1b] is around children with bounds', () => {
    const fixed = '{id: b, role: Button, name: B, bounds: {x: 30, y: 200, width: 80, height: 24}}'
    const { p, a } = places(shown(`{id: p, role: Pane, children: [{id: a, role: Edit}, ${fixed}]}`))
    expect([a, p]).toEqual(['20,52 360x32', '20,52 360x172'])
  })

  it('[Y1] distributes the remaining space to elements that grow, by their shares', () => {
    const row = (children: string) => shown(`{role: Pane, layout: {arrange: row, gap: 10}, children: [${children}]}`)
    expect(
      places(
        row(
          '{id: a, role: Pane, grow: 1, height: 20}, {id: b, role: Pane, grow: 2, height: 20}, {id: c, role: Pane, width: 40, height: 20}',
        ),
      ),
    ).toEqual({ a: '20,52 100x20', b: '130,52 200x20', c: '340,52 40x20' })
    expect(
      places(
        shown(
          '{role: Pane, layout: {arrange: row, align: end}, children: [{id: a, role: Pane, width: 40, height: 20}]}',
        ),
      ),
    ).toEqual({
      a: '340,52 40x20',
    })
  })

  it('[Y1] makes the columns of a grid as wide as their content', () => {
    const window = shown(
      '{role: Pane, layout: {arrange: grid, columns: 2, gap: 10}, children: [{id: a, role: Text, name: Name}, {id: b, role: Edit}, {id: c, role: Text, name: Telephone}, {id: d, role: Edit}]}',
    )
    const label = textWidth('Telephone', 14)
    const field = `${20 + label + 10},52 ${360 - label - 10}x32`
    expect(places(window)).toEqual({
      a: `20,58 ${label}x20`,
      b: field,
      c: `20,100 ${label}x20`,
      d: field.replace(',52', ',94'),
    })
  })

  it('[Y1] keeps controls inside a parent that is too narrow', () => {
    const narrow = shown(
      '{role: Pane, width: 120, children: [{id: list, role: List, children: [{id: item, role: ListItem, name: A name that is much longer than that}]}, {id: a, role: Edit}]}',
    )
    const row = shown(
      '{role: Pane, width: 200, layout: {arrange: row, gap: 10}, children: [{id: b, role: Edit}, {id: c, role: Edit}]}',
    )
    expect(places(narrow)).toEqual({ list: '20,52 120x84', item: '20,52 120x28', a: '20,148 120x32' })
    expect(places(row)).toEqual({ b: '20,52 95x32', c: '125,52 95x32' })
    const long = 'A name that is much longer than a hundred and twenty pixels'
    const named = ['CheckBox', 'Button', 'Heading', 'Link'].map((role) => `{id: ${role}, role: ${role}, name: ${long}}`)
    const column = shown(`{role: Pane, width: 120, children: [${named.join(', ')}]}`)
    expect(Object.values(places(column)).map((place) => place.match(/ \d+/)![0])).toEqual(Array(4).fill(' 120'))
    const tipped = '{role: ListItem, name: A name, id: tipped, children: [{role: ToolTip, name: Tip}]}'
    const tiles = shown(`{role: List, layout: {arrange: row}, children: [${tipped}]}`)
    expect(tiles.tree.children[0]!.children[0]!.bounds.width).toBeGreaterThan(textWidth('A name', 14))
    const box = shown('{id: box, role: ComboBox, children: [{id: in, role: Edit}, {role: ListItem, name: A}]}')
    expect(places(box)).toEqual({ box: '20,52 200x32', in: '20,52 172x32' })
  })

  it('[Y1] keeps the height of fields, list items and words where there is too little room', () => {
    const items = Array.from({ length: 20 }, (_, at) => `{id: i${at}, role: ListItem, name: Item}`)
    const fields = Array.from({ length: 20 }, (_, at) => `{id: f${at}, role: Edit}`)
    const list = shown(`{role: List, children: [${items.join(', ')}]}`)
    expect(Object.values(places(list)).at(-1)).toBe('20,584 360x28')
    expect(Object.values(places(shown(...fields))).at(-1)).toBe('20,888 360x32')
    const words = 'Words that take two lines when they stand in a page. '.repeat(2).trimEnd()
    const texts = Array.from({ length: 9 }, (_, at) => `{id: t${at}, role: Text, name: ${words}}`)
    const page = shown(`{role: Document, children: [${texts.join(', ')}]}`)
    expect(Object.values(places(page)).at(-1)).toBe('32,544 336x60')
  })

  it('[Y1] gives the content of a document a margin like its text', () => {
    const window = shown('{id: page, role: Document, children: [{id: in, role: Text, name: Words}]}')
    expect(places(window)).toEqual({ page: '20,52 360x228', in: '32,64 336x20' })
  })

  it('[Y1] makes a row as high as the controls in its cells', () => {
    const cells = '{role: Cell, name: A}, {id: cell, role: Cell, children: [{id: go, role: Button, name: Go}]}'
    const window = shown(
      `{role: Table, children: [{id: a, role: DataItem, children: [${cells}]}, {id: b, role: DataItem, children: [{role: Cell, name: B}]}]}`,
    )
    expect(places(window)).toEqual({ a: '20,52 360x40', cell: '200,52 180x40', go: '204,56 88x32', b: '20,92 360x28' })
  })

  it('[Y2] breaks words into lines where they do not fit', () => {
    const words = 'The quick brown fox jumps over the lazy dog and runs away into the dark wood behind the hill.'
    const window = shown(`{id: a, role: Text, name: ${words}}`, '{id: b, role: Button, name: OK}')
    expect(places(window)).toEqual({ a: '20,52 360x40', b: '20,104 88x32' })
  })

  it('[Y4] lets bars reach from side to side', () => {
    const window = shown(
      '{id: menu, role: MenuBar, children: [{id: file, role: MenuItem, name: File, children: [{id: open, role: MenuItem, name: Open}]}]}',
      '{id: tools, role: ToolBar}',
      '{id: text, role: Document}',
      '{id: status, role: StatusBar}',
    )
    expect(places(window)).toEqual({
      menu: '0,32 400x28',
      file: `0,32 ${textWidth('File', 14) + 24}x28`,
      open: '0,60 0x0',
      tools: '0,60 400x40',
      text: '20,112 360x150',
      status: '0,274 400x26',
    })
  })

  it('[Y4] puts pages below their tabs, also those that are turned away', () => {
    const window = shown(
      '{id: tabs, role: Tab, children: [{id: one, role: TabItem, name: A}, {id: two, role: TabItem, name: B}, {id: first, role: Pane}, {id: second, role: Pane, children: [{id: in, role: Button, name: In}]}]}',
    )
    expect(places(window)).toEqual({
      tabs: '20,52 360x228',
      one: '20,52 72x36',
      two: '96,52 72x36',
      first: '20,88 360x192',
      second: '20,88 360x192',
      in: '36,104 88x32',
    })
  })

  it('[Y4] hangs the items of a tree below each other', () => {
    const window = shown(
      '{id: tree, role: Tree, children: [{id: a, role: TreeItem, expanded: true, children: [{id: b, role: TreeItem}]}, {id: c, role: TreeItem, expanded: false, children: [{id: d, role: TreeItem}]}, {id: e, role: TreeItem}]}',
    )
    expect(places(window)).toEqual({
      tree: '20,52 360x228',
      a: '20,52 360x28',
      b: '40,80 340x28',
      c: '20,108 360x28',
      d: '40,136 340x28',
      e: '20,136 360x28',
    })
  })

  it.each(DESKTOP_STYLES)(
    '[Y4] indents the items of a tree as the style %s does, also those of a closed item',
    (style) => {
      const items = '{id: a, role: TreeItem, expanded: true, children: [{id: b, role: TreeItem}]}'
      const closed = '{id: c, role: TreeItem, expanded: false, children: [{id: d, role: TreeItem}]}'
      const run = parseScenario(`
style: ${style}
states:
  only:
    windows:
      - bounds: {x: 0, y: 40, width: 400, height: 300}
        tree: {role: Window, children: [{role: Tree, children: [${items}, ${closed}]}]}
`).states.get('only')!.windows[0]!
      const at = new Map([...walk(run.tree)].map(({ id, bounds }) => [id, bounds]))
      const { treeIndent } = styleMetrics(style)
      expect(at.get('b')!.x - at.get('a')!.x).toBe(treeIndent)
      expect(at.get('d')!.x - at.get('c')!.x).toBe(treeIndent)
    },
  )

  it('[Y4] keeps only those rows of a long list that are in view', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `Row ${at}`)
    const window = shown(`{id: l, role: List, rows: [${names.join(', ')}]}`)
    expect([...walk(window.tree)].length).toBe(11)
    expect(window.tree.children[0]!.children[0]).toMatchObject({
      name: 'Row 0',
      bounds: { x: 20, y: 52, width: 360, height: 28 },
    })
  })

  it('[Y6] centres a dialog in its window, above its content', () => {
    const { tree } = shown(
      '{role: Button, name: Go}',
      '{id: sure, role: Dialog, name: Sure?, children: [{role: Text, name: Really?}, {role: Button, name: Yes}]}',
    )
    const [button, dialog] = tree.children
    expect([button!.bounds.y, dialog!.bounds]).toEqual([52, { x: 136, y: 81, width: 128, height: 138 }])
    expect(dialog!.children.every((child) => encloses(dialog!.bounds, child.bounds))).toBe(true)
  })

  it('[Y6] breaks the words of a dialog that would be wider than its window', () => {
    const long = 'This cannot be undone. '.repeat(6).trimEnd()
    const { tree } = shown(`{id: sure, role: Dialog, name: Sure?, children: [{id: words, role: Text, name: ${long}}]}`)
    const dialog = tree.children[0]!
    expect(dialog.bounds).toEqual({ x: 20, y: 83, width: 360, height: 134 })
    expect(dialog.children[0]!.bounds).toEqual({ x: 40, y: 137, width: 320, height: 60 })
  })

  it('[Y3] changes nothing when it is made again, and [Y2] is in whole pixels', () => {
    fc.assert(
      fc.property(
        tree,
        fc.integer({ min: 50, max: 900 }),
        fc.integer({ min: 50, max: 900 }),
        (authored, width, height) => {
          const text = JSON.stringify({
            states: {
              a: { windows: [{ bounds: { x: 3, y: 5, width, height }, tree: { role: 'Window', children: authored } }] },
            },
          })
          const window = parseScenario(text).states.get('a')!.windows[0]!
          for (const { bounds } of walk(window.tree))
            expect(
              Object.values(bounds).every((pixels) => Number.isInteger(pixels) && Object.is(pixels, pixels + 0)),
            ).toBe(true)
          expect(layOutWindow(window, BACKLOT_METRICS)).toBe(window)
          const bounds = { x: 3, y: 5, width: 900, height: 900 }
          const resized = layOutWindow({ ...window, bounds, tree: placed(window.tree, bounds) }, BACKLOT_METRICS)
          const back = layOutWindow(
            { ...resized, bounds: window.bounds, tree: placed(resized.tree, window.bounds) },
            BACKLOT_METRICS,
          )
          expect(back.tree).toEqual(window.tree)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('[Y1] keeps fixed elements inside their parent when there is space', () => {
    fc.assert(
      fc.property(tree, (authored) => {
        const text = JSON.stringify({
          states: {
            a: {
              windows: [
                { bounds: { x: 0, y: 0, width: 9000, height: 9000 }, tree: { role: 'Window', children: authored } },
              ],
            },
          },
        })
        const { tree: root } = parseScenario(text).states.get('a')!.windows[0]!
        const check = (parent: Element) => {
          for (const child of parent.children) {
            if (visibilityOf(parent, child) === 'inline')
              expect([child.role, encloses(parent.bounds, child.bounds)]).toEqual([child.role, true])
            check(child)
          }
        }
        check(root)
      }),
      { numRuns: 60 },
    )
  })
})

const ROLES = [
  'Button',
  'Edit',
  'Text',
  'CheckBox',
  'List',
  'Pane',
  'Group',
  'Slider',
  'ProgressBar',
  'Document',
  'ToolBar',
]

interface Written {
  readonly role: string
  readonly name: string
  readonly children?: readonly Written[]
}

const { tree } = fc.letrec<{ node: Written; tree: Written[] }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.record({ role: fc.constantFrom(...ROLES), name: fc.string({ maxLength: 30, unit: 'grapheme-ascii' }) }),
    fc.record({
      role: fc.constantFrom('Pane', 'Group'),
      name: fc.constant('p'),
      layout: fc.record(
        {
          arrange: fc.constantFrom('row', 'column', 'grid'),
          gap: fc.integer({ min: 0, max: 20 }),
          padding: fc.integer({ min: 0, max: 20 }),
          columns: fc.integer({ min: 1, max: 4 }),
        },
        { requiredKeys: [] },
      ),
      children: tie('tree'),
    }),
  ),
  tree: fc.array(tie('node'), { maxLength: 5 }),
}))

it('[Y7a] the name of a group at the top of a scroll area is not cut', () => {
  const above = (name: string) => {
    const group = `{role: Group, name: '${name}', children: [{role: Button, name: Go}]}`
    const [area] = shown(`{role: ScrollArea, name: All, children: [${group}, ${group}]}`).tree.children
    return area!.children.map(({ bounds }) => bounds.y - area!.bounds.y)[0]
  }
  expect([above('Ada'), above('')]).toEqual([9, 0])
})

it('[Y16] virtual lists have rows in view, with written bounds and in every size of the window', () => {
  const rows = '[a, b, c, d, e, f, g, h, i, j, k, l]'
  const authored = shown(`{id: l, role: List, bounds: {x: 20, y: 40, width: 200, height: 112}, rows: ${rows}}`)
  const names = (window: Window) => window.tree.children[0]!.children.map(({ name }) => name).join('')
  expect(names(authored)).toBe('abcd')
  const bounds = { x: 0, y: 0, width: 400, height: 500 }
  expect(names(layOutWindow({ ...authored, bounds, tree: placed(authored.tree, bounds) }, BACKLOT_METRICS))).toBe(
    'abcd',
  )
  expect(names(shown(`{id: l, role: List, height: 84, rows: ${rows}}`))).toBe('abc')
})

describe.each(DESKTOP_STYLES)('the style %s', (style) => {
  it('[Y17] sizes windows of every state and those that effects open', () => {
    const tree =
      '{role: Window, children: [{id: ok, role: Button, name: OK}, {role: List, children: [{role: ListItem, name: a}]}]}'
    const { states, windows } = parseScenario(
      `style: ${style}\nstates:\n  a: {windows: [{tree: ${tree}}]}\n  b: {windows: [{tree: ${tree}}]}\nwindows: [{uid: w, tree: ${tree}}]`,
    )
    const { control, row, title, space } = styleMetrics(style)
    for (const window of [states.get('a')!.windows[0]!, states.get('b')!.windows[0]!, windows.get('w')!]) {
      const [button, list] = window.tree.children
      expect(button!.bounds).toMatchObject({
        y: window.bounds.y + title.height + space.window,
        height: control.height,
      })
      expect(list!.children[0]!.bounds.height).toBe(row.list)
      expect(layOutWindow(window, styleMetrics(style))).toBe(window)
    }
  })
})

describe('a band of a title and tools', () => {
  const inStyle = (style: string, tools: string, before = ''): Window =>
    parseScenario(
      `style: ${style}\nstates:\n  only:\n    windows:\n      - {title: Post, bounds: {x: 0, y: 40, width: 800, height: 300}, tree: {role: Window, children: [${before}{id: bar, role: ToolBar, children: [${tools}]}, {id: list, role: List}]}}`,
    ).states.get('only')!.windows[0]!
  /** Whether a style has tools in the title bar, and tabs of one width below it. */
  const hasBand = (style: DesktopStyle) => styleMetrics(style).title.header !== undefined
  const BUTTONS = '{id: new, role: Button, name: New, icon: plus}, {id: go, role: Button, name: Go}'
  const SEARCH = '{id: find, role: SearchBox, name: Find, grow: 1}'

  it.each(['gnome', 'macos'] as const)('[Y18] holds the first tool bar in the style %s', (style) => {
    const window = inStyle(style, `${BUTTONS}, ${SEARCH}`)
    const metrics = styleMetrics(style)
    const { title, buttons, room } = frameOf(window, metrics)!
    const [bar, list] = window.tree.children
    expect(bar!.bounds).toEqual(title)
    expect(title.height).toBe(metrics.title.header!.height)
    expect(list!.bounds.y).toBeGreaterThanOrEqual(title.y + title.height)
    const taken = [...Object.values(buttons), ...bar!.children.map(({ bounds }) => bounds)]
    for (const each of taken) {
      expect(encloses(title, each)).toBe(true)
      expect(intersect(each, room!)).toBeUndefined()
    }
    expect(room!.width).toBeGreaterThan(textWidth('Post', metrics.title.header!.titleSize))
    expect(layOutWindow(window, metrics)).toBe(window)
    const renamed = layOutWindow({ ...window, title: 'A much longer title' }, metrics)
    expect(frameOf(renamed, metrics)!.room!.width).toBeGreaterThan(textWidth('A much longer title', 14))
  })

  it.each([...DESKTOP_STYLES])('[Y18c] has tabs below it that share the width in the same styles: %s', (style) => {
    const tabs = ['One', 'Two', 'Three'].map((name) => `{role: TabItem, name: ${name}, selected: false}`).join(', ')
    const at = (width: number) => {
      const text = `{id: tabs, role: Tab, width: ${width}, children: [${tabs}]}`
      return inStyle(style, BUTTONS, `${text}, `).tree.children[0]!.children.map(({ bounds }) => bounds)
    }
    const { maxTab } = styleMetrics(style).bar
    const [narrow, wide] = [at(400), at(780)]
    const room = ([first, , last]: typeof wide) => last!.x + last!.width - first!.x
    if (maxTab === undefined) expect(narrow.map(({ width }) => width)).toEqual(wide.map(({ width }) => width))
    else {
      expect(room(narrow)).toBe(400)
      expect(wide.map(({ width }) => width)).toEqual([maxTab, maxTab, maxTab])
      expect(wide[0]!.x + wide[2]!.x + maxTab).toBe(wide[1]!.x * 2 + maxTab)
    }
    expect(maxTab !== undefined).toBe(hasBand(style))
  })

  it.each([...DESKTOP_STYLES])('[Y18e] keeps a margin around tabs without pages: %s', (style) => {
    const tabs = '{role: TabItem, name: One, selected: true}, {role: TabItem, name: Two, selected: false}'
    const [plain, paged] = ['', ', {role: Pane, name: One, children: [{role: Text, name: Page}]}'].map((page) => {
      const text = `{id: tabs, role: Tab, height: 40, children: [${tabs}${page}]}`
      const { bounds, children } = inStyle(style, BUTTONS, `${text}, `).tree.children[0]!
      const [first] = children
      return { above: first!.bounds.y - bounds.y, height: bounds.height }
    })
    const { tab, tabMargin } = styleMetrics(style).bar
    expect([paged!.above, paged!.height]).toEqual([0, 40])
    expect([plain!.above, plain!.height]).toEqual([tabMargin, Math.max(40, tab + 2 * tabMargin)])
    expect(tabMargin > 0).toBe(hasBand(style))
  })

  it.each([...DESKTOP_STYLES])('[Y18d] has a progress bar at the end of a status bar: %s', (style) => {
    const bar =
      '{role: StatusBar, children: [{role: Text, name: Ready, grow: 1}, {id: done, role: ProgressBar, name: Done}]}'
    const [status] = inStyle(style, BUTTONS, `${bar}, `).tree.children
    const { bounds } = status!.children[1]!
    const free = status!.bounds.x + status!.bounds.width - bounds.x - bounds.width
    expect(free > 10).toBe(styleMetrics(style).bar.statusEnd > 10)
  })

  it('[Y18] holds none that is not the first part, has bounds or is in a style without bands', () => {
    const heights = [
      inStyle('gnome', BUTTONS, '{role: Edit, name: Above}, '),
      inStyle('gnome', BUTTONS, '{role: ToolBar, bounds: {x: 0, y: 80, width: 800, height: 40}}, '),
      inStyle('windows', BUTTONS),
    ].map((window) => window.tree.children.some(({ traits }) => traits?.titleAt !== undefined))
    expect(heights).toEqual([false, false, false])
  })

  it('[Y18a] shows icons alone, and a search field of one width', () => {
    const { header } = styleMetrics('gnome').title
    const bar = inStyle('gnome', `${BUTTONS}, {id: gap, role: Separator, name: ""}, ${SEARCH}`).tree.children[0]!
    const [icon, words, gap, search] = bar.children
    expect([icon!.bounds.width, icon!.bounds.height]).toEqual([34, 34])
    expect(words!.bounds.width).toBe(textWidth('Go', 14.67) + 22)
    expect([icon!, words!, gap!].map(({ traits }) => traits?.compact)).toEqual([true, undefined, true])
    expect(search!.bounds.width).toBe(header!.search)
    expect(search!.bounds.x + search!.bounds.width).toBe(800 - header!.end)
  })

  const sidebarIn = (style: string, tools: string, { width = 800, tree = 180 } = {}): Window =>
    parseScenario(
      `style: ${style}\nstates:\n  only:\n    windows:\n      - {title: Post, bounds: {x: 10, y: 40, width: ${width}, height: 300}, tree: {role: Window, layout: {gap: 0, padding: 0}, children: [{id: bar, role: ToolBar, children: [${tools}]}, {role: Pane, grow: 1, layout: {arrange: row, gap: 0, padding: 0}, children: [{role: Tree, width: ${tree}, grow: 0}, {role: List, width: 200}, {role: List, grow: 1}]}]}}`,
    ).states.get('only')!.windows[0]!
  const DIVIDED = `${BUTTONS}, {id: gap, role: Separator, name: ""}, {id: ok, role: Button, name: Ok, icon: check}, ${SEARCH}`

  it.each(['gnome', 'macos'] as const)('[Y18f] is divided above a tree at the edge in the style %s', (style) => {
    const window = sidebarIn(style, DIVIDED)
    const metrics = styleMetrics(style)
    const [bar] = window.tree.children
    const [plus, go, , ok, find] = bar!.children.map(({ bounds }) => bounds)
    const { header } = metrics.title
    expect(sidePartOf(window)).toEqual({ x: 10, y: 40, width: 180, height: header!.height })
    expect(paneStarts(window)).toEqual([190, 390])
    const { room } = frameOf(window, metrics)!
    if (style === 'gnome') {
      expect([plus!.x, ok!.x]).toEqual([16, 196])
      expect(go!.x + go!.width).toBeLessThanOrEqual(190)
      expect(room!.x).toBeGreaterThan(ok!.x)
    } else {
      expect(room!.x).toBe(206)
      expect(plus!.x).toBeGreaterThanOrEqual(room!.x + room!.width)
    }
    expect(find!.x + find!.width).toBe(810 - header!.end)
    expect(layOutWindow(window, metrics)).toBe(window)
  })

  it('[Y18f] is whole where the tools or the title lack room, and divided again once they have it', () => {
    const sideOf = (window: Window) => sidePartOf(window)?.width
    expect(sideOf(sidebarIn('gnome', DIVIDED, { tree: 60 }))).toBeUndefined()
    expect(sideOf(sidebarIn('macos', DIVIDED, { tree: 60 }))).toBeUndefined()
    expect(sideOf(sidebarIn('gnome', `${BUTTONS}, {id: address, role: Edit, name: Address, grow: 1}`))).toBeUndefined()
    expect(sideOf(sidebarIn('windows', DIVIDED))).toBeUndefined()
    for (const style of ['gnome', 'macos'] as const) {
      const metrics = styleMetrics(style)
      const window = sidebarIn(style, DIVIDED)
      const sized = (from: Window, width: number): Window => {
        const bounds = { ...window.bounds, width }
        return layOutWindow({ ...from, bounds, tree: { ...from.tree, bounds } }, metrics)
      }
      const narrow = sized(window, 340)
      expect(sideOf(narrow)).toBeUndefined()
      expect(frameOf(narrow, metrics)!.room!.x).toBeLessThan(190)
      expect(sized(narrow, 800)).toEqual(window)
      const renamed = layOutWindow({ ...sized(window, 560), title: 'A very long title of a letter' }, metrics)
      expect(sideOf(renamed)).toBeUndefined()
    }
  })

  it('[Y18b] is filled by another field that grows', () => {
    const window = inStyle('macos', `${BUTTONS}, {id: address, role: Edit, name: Address, grow: 1}`)
    const address = window.tree.children[0]!.children[2]!
    expect(address.bounds.width).toBeGreaterThan(400)
    expect(frameOf(window, styleMetrics('macos'))!.room!.width).toBe(0)
  })
})

describe('the buttons at the end of a dialog', () => {
  const inStyle = (style: string, buttons: string, align = 'end', width = 400): Window =>
    parseScenario(
      `style: ${style}\nstates:\n  only:\n    windows:\n      - {bounds: {x: 0, y: 40, width: ${width}, height: 300}, tree: {role: Window, children: [{role: Tab, children: [{role: TabItem, name: A}]}, {role: Pane, layout: {arrange: row, align: ${align}, gap: 8}, children: [${buttons}]}]}}`,
    ).states.get('only')!.windows[0]!
  const BOTH = '{role: Button, name: OK, presses: enter}, {role: Button, name: Cancel, presses: escape}'
  const rowOf = (window: Window) =>
    window.tree.children[1]!.children.map(({ name, bounds: { x, width } }) => ({ name, x, width }))

  it('[Y19] fill their row in equal widths or are in reverse order', () => {
    expect(rowOf(inStyle('windows', BOTH))).toEqual([
      { name: 'OK', x: 20, width: 176 },
      { name: 'Cancel', x: 204, width: 176 },
    ])
    expect(rowOf(inStyle('gnome', BOTH))).toEqual([
      { name: 'OK', x: 204, width: 176 },
      { name: 'Cancel', x: 20, width: 176 },
    ])
    const [ok, cancel] = rowOf(inStyle('macos', BOTH))
    expect(ok!.x + ok!.width).toBe(380)
    expect(cancel!.x + cancel!.width).toBe(ok!.x - 8)
    expect(inStyle('windows', BOTH).tree.children[0]!.children[0]!.traits?.raised).toBe(true)
    const [first, last] = rowOf(inStyle('macos', BOTH, 'center'))
    expect(Math.abs(first!.x + first!.width + last!.x - 400)).toBeLessThanOrEqual(1)
  })

  it('[Y19] stay so while one of them is hidden', () => {
    const back = (hidden: string) => inStyle('windows', `{role: Button, name: Back${hidden}}, ${BOTH}`)
    for (const window of [back(''), back(', hidden: true')]) expect(window.tree.children[1]!.traits?.footer).toBe(true)
    const hidden = inStyle(
      'windows',
      '{role: Button, name: OK, presses: enter, hidden: true}, {role: Button, name: Cancel, presses: escape}',
    )
    expect(hidden.tree.children[1]!.traits?.footer).toBeUndefined()
  })

  it('[Y21e] [Y21g] are in a window with a higher title bar in gnome, near to its tabs', () => {
    const of = (style: 'gnome' | 'macos', buttons: string) => {
      const window = inStyle(style, buttons)
      const { height } = frameOf(window, styleMetrics(style))!.title
      return { height, content: window.tree.children[0]!.bounds.y - window.bounds.y }
    }
    expect(of('gnome', BOTH)).toEqual({ height: 47, content: 47 + 8 })
    expect(of('gnome', '{role: Button, name: OK, presses: enter}')).toEqual({ height: 32, content: 52 })
    expect(of('macos', BOTH)).toEqual({ height: 28, content: 48 })
  })

  describe('tabs above them', () => {
    const withTabs = (style: string, tabs: string, { before = '', buttons = BOTH } = {}): Window =>
      parseScenario(
        `style: ${style}\nstates:\n  only:\n    windows:\n      - {bounds: {x: 0, y: 40, width: 400, height: 300}, tree: {role: Window, children: [${before}{role: Tab, grow: 1, children: [${tabs}, {role: Pane, name: One, children: [{role: Text, name: Page}]}]}, {role: Pane, layout: {arrange: row, gap: 8}, children: [${buttons}]}]}}`,
      ).states.get('only')!.windows[0]!
    const ICONS =
      '{role: TabItem, name: One, icon: settings, selected: true}, {role: TabItem, name: Signatures, icon: user}'
    const tabsOf = (window: Window) =>
      window.tree.children.find(({ role }) => role === 'Tab')!.children.filter(({ role }) => role === 'TabItem')

    it('[Y19a] are in the band of the title in macos, if all have icons', () => {
      const window = withTabs('macos', ICONS)
      const [one, two] = tabsOf(window).map(({ bounds }) => bounds)
      expect(one).toMatchObject({ y: 40 + 28, width: 66, height: 48 })
      expect(two!.width).toBeGreaterThan(66)
      expect([two!.x - one!.x - one!.width, Math.abs(one!.x + two!.x + two!.width - 400) <= 1]).toEqual([8, true])
      expect(raisedTabsEnd(window.tree)).toBe(40 + 76)
      const page = window.tree.children[0]!.children.at(-1)!
      expect(page.bounds.y).toBe(40 + 76)
    })

    it('[Y19a] are as other tabs elsewhere', () => {
      const text = '{role: TabItem, name: Two}'
      for (const window of [
        withTabs('macos', `${ICONS}, ${text}`),
        withTabs('macos', ICONS, { before: '{role: Text, name: First}, ' }),
        withTabs('macos', ICONS, { buttons: '{role: Button, name: OK, presses: enter}' }),
        withTabs('gnome', ICONS),
      ]) {
        expect(raisedTabsEnd(window.tree)).toBeUndefined()
        expect(tabsOf(window)[0]!.bounds.height).toBeLessThan(48)
      }
    })
  })

  it('[Y19] are as elsewhere in other windows', () => {
    const first = (window: Window) => rowOf(window)[0]!.width
    const { minButton } = styleMetrics('windows').control
    expect(first(inStyle('windows', BOTH, 'end', 700))).toBe(minButton)
    expect(first(inStyle('windows', '{role: Button, name: OK, presses: enter}'))).toBe(minButton)
    expect(first(inStyle('backlot', BOTH))).toBe(BACKLOT_METRICS.control.minButton)
  })
})
