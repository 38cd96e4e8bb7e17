import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { encloses } from '../../desktop/model/geometry.ts'
import { textWidth } from '../../desktop/model/text-width.ts'
import { BACKLOT_METRICS } from '../../desktop/style/backlot.ts'
import { DESKTOP_STYLES, styleMetrics } from '../../desktop/style/style.ts'
import { placed } from '../../desktop/tree/tree-edits.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { parseScenario } from '../load/load.ts'
import { layOutWindow } from './layout.ts'

// Rules such as [SC76] are stated in SPEC.md beside this file.

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
  it('[SC76] is a column below the title bar by default', () => {
    const window = shown('{id: a, role: Edit}', '{id: b, role: Button, name: B}', '{id: c, role: List}')
    expect(places(window)).toEqual({ a: '20,52 360x32', b: '20,96 88x32', c: '20,140 360x140' })
  })

  it('[SC76] leaves elements with bounds where they are and takes no account of them', () => {
    const window = shown(
      '{id: a, role: Text, name: A, bounds: {x: 7, y: 8, width: 9, height: 10}}',
      '{id: b, role: List}',
    )
    expect(places(window)).toEqual({ a: '7,8 9x10', b: '20,20 360x260' })
  })

  it('[SC78] spans its parent with an element that only has children with bounds', () => {
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

  it('[SC79] is around children with bounds', () => {
    const fixed = '{id: b, role: Button, name: B, bounds: {x: 30, y: 200, width: 80, height: 24}}'
    const { p, a } = places(shown(`{id: p, role: Pane, children: [{id: a, role: Edit}, ${fixed}]}`))
    expect([a, p]).toEqual(['20,52 360x32', '20,52 360x172'])
  })

  it('[SC76] distributes the remaining space to elements that grow, by their shares', () => {
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

  it('[SC76] makes the columns of a grid as wide as their content', () => {
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

  it('[SC77] makes the columns of a grid of cards equally wide, and its cards equally high', () => {
    const card = (id: string, name: string, text: string) =>
      `{id: ${id}, role: Group, look: card, name: ${name}, children: [{role: Text, name: ${text}}]}`
    const window = shown(
      `{role: Pane, layout: {arrange: grid, columns: 2, gap: 10}, children: [${card('a', 'Mug', 'Blue')}, ${card('b', 'Kettle', 'A text that is much longer than the other one and needs several lines')}, ${card('c', 'Tin', 'Red')}]}`,
    )
    const [a, b, c] = ['a', 'b', 'c'].map((id) => [...walk(window.tree)].find((each) => each.id === id)!.bounds)
    expect([a!.width, b!.width, c!.width, b!.x, a!.height === b!.height, b!.height > c!.height]).toEqual([
      175,
      175,
      175,
      205,
      true,
      true,
    ])
  })

  it('[SC76] keeps controls inside a parent that is too narrow', () => {
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

  it('[SC76] keeps the height of fields, list items and words where there is too little room', () => {
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

  it('[SC76] gives the content of a document a margin like its text', () => {
    const window = shown('{id: page, role: Document, children: [{id: in, role: Text, name: Words}]}')
    expect(places(window)).toEqual({ page: '20,52 360x228', in: '32,64 336x20' })
  })

  it('[SC76] makes a row as high as the controls in its cells', () => {
    const cells = '{role: Cell, name: A}, {id: cell, role: Cell, children: [{id: go, role: Button, name: Go}]}'
    const window = shown(
      `{role: Table, children: [{id: a, role: DataItem, children: [${cells}]}, {id: b, role: DataItem, children: [{role: Cell, name: B}]}]}`,
    )
    expect(places(window)).toEqual({ a: '20,52 360x40', cell: '200,52 180x40', go: '204,56 88x32', b: '20,92 360x28' })
  })

  it('[SC80] breaks words into lines where they do not fit', () => {
    const words = 'The quick brown fox jumps over the lazy dog and runs away into the dark wood behind the hill.'
    const window = shown(`{id: a, role: Text, name: ${words}}`, '{id: b, role: Button, name: OK}')
    expect(places(window)).toEqual({ a: '20,52 360x40', b: '20,104 88x32' })
  })

  it('[SC82] lets bars reach from side to side', () => {
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

  it('[SC82] puts pages below their tabs, also those that are turned away', () => {
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

  it('[SC82] hangs the items of a tree below each other', () => {
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
    '[SC82] indents the items of a tree as the style %s does, also those of a closed item',
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

  it('[SC82] keeps only those rows of a long list that are in view', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `Row ${at}`)
    const window = shown(`{id: l, role: List, rows: [${names.join(', ')}]}`)
    expect([...walk(window.tree)].length).toBe(11)
    expect(window.tree.children[0]!.children[0]).toMatchObject({
      name: 'Row 0',
      bounds: { x: 20, y: 52, width: 360, height: 28 },
    })
  })

  it('[SC83] centres a dialog in its window, above its content', () => {
    const { tree } = shown(
      '{role: Button, name: Go}',
      '{id: sure, role: Dialog, name: Sure?, children: [{role: Text, name: Really?}, {role: Button, name: Yes}]}',
    )
    const [button, dialog] = tree.children
    expect([button!.bounds.y, dialog!.bounds]).toEqual([52, { x: 136, y: 81, width: 128, height: 138 }])
    expect(dialog!.children.every((child) => encloses(dialog!.bounds, child.bounds))).toBe(true)
  })

  it('[SC83] breaks the words of a dialog that would be wider than its window', () => {
    const long = 'This cannot be undone. '.repeat(6).trimEnd()
    const { tree } = shown(`{id: sure, role: Dialog, name: Sure?, children: [{id: words, role: Text, name: ${long}}]}`)
    const dialog = tree.children[0]!
    expect(dialog.bounds).toEqual({ x: 20, y: 83, width: 360, height: 134 })
    expect(dialog.children[0]!.bounds).toEqual({ x: 40, y: 137, width: 320, height: 60 })
  })

  it('[SC81] changes nothing when it is made again, and [SC80] is in whole pixels', () => {
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

  it('[SC76] keeps fixed elements inside their parent when there is space', () => {
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

it('[SC95] the name of a group at the top of a scroll area is not cut', () => {
  const above = (name: string) => {
    const group = `{role: Group, name: '${name}', children: [{role: Button, name: Go}]}`
    const [area] = shown(`{role: ScrollArea, name: All, children: [${group}, ${group}]}`).tree.children
    return area!.children.map(({ bounds }) => bounds.y - area!.bounds.y)[0]
  }
  expect([above('Ada'), above('')]).toEqual([9, 0])
})

it('[SC129] virtual lists have rows in view, with written bounds and in every size of the window', () => {
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
  it('[SC105] sizes windows of every state and those that effects open', () => {
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
