import { describe, expect, it } from 'vitest'
import type { Desktop } from './desktop/desktop.ts'
import { type Element, walk } from './desktop/element.ts'
import { intersect, type Rect } from './desktop/geometry.ts'
import { createPainter } from './paint/painter.ts'
import { begin } from './scenario/player.suite.ts'

// What a scenario's layout and the painter show together. Rules are stated in src/scenario/SPEC.md and src/paint/SPEC.md.

const painter = createPainter()

/** The desktop of a window of 620 × 740 with these children, each a line of YAML. */
function desktopWith(...children: readonly string[]): Desktop {
  const lines = [
    'states:',
    '  only:',
    '    windows:',
    '      - title: Some program',
    '        bounds: {x: 20, y: 10, width: 620, height: 740}',
    '        tree:',
    '          role: Window',
    '          children:',
    ...children.map((child) => `            - ${child}`),
  ]
  return begin(lines.join('\n')).desktop
}

const runsOf = (desktop: Desktop) => painter.screen(desktop).text ?? []
const wordsOf = (desktop: Desktop): readonly string[] => runsOf(desktop).map(({ text }) => text)

function elementOf(desktop: Desktop, id: string): Element {
  for (const { tree } of desktop.windows) for (const element of walk(tree)) if (element.id === id) return element
  throw new Error(`no element "${id}"`)
}

/** Where words are painted. */
function placeOf(desktop: Desktop, words: string): Rect {
  const run = runsOf(desktop).find(({ text }) => text === words)
  if (!run) throw new Error(`nothing says "${words}"`)
  return run.bounds
}

const FIELDS = [
  '{id: a, role: Edit, name: E-mail, value: ada@example.com}',
  '{id: b, role: Edit, name: Password, secret: true, value: secret}',
  '{id: c, role: ComboBox, name: Region, value: Europe, children: [{role: ListItem, name: Europe}]}',
  '{id: d, role: Slider, name: Volume, value_now: 40}',
  '{id: e, role: Spinner, name: Guests of the long table, value_now: 3}',
  '{id: f, role: DatePicker, name: Arrival, value: 2024-03-12}',
  '{id: g, role: ProgressBar, name: Upload, value_now: 40}',
  '{id: h, role: List, name: Fruit, height: 60, children: [{role: ListItem, name: Fig}]}',
  '{id: i, role: Document, name: Notes, height: 60, value: Some text}',
]
const NAMES = 'E-mail,Password,Region,Volume,Guests of the long table,Arrival,Upload,Fruit,Notes'.split(',')

describe('the name of a field', () => {
  it('[Y7] [P11] is written above it, where the layout has kept room', () => {
    const desktop = desktopWith(...FIELDS)
    for (const [at, name] of NAMES.entries()) {
      const { bounds } = elementOf(desktop, 'abcdefghi'[at]!)
      const place = placeOf(desktop, name)
      expect(place.y + place.height, name).toBeLessThanOrEqual(bounds.y)
      expect(bounds.y - place.y, name).toBeLessThan(20)
      expect(
        runsOf(desktop).filter((run) => intersect(run.bounds, place)),
        name,
      ).toHaveLength(1)
    }
  })

  it('[Y7] is written above fields in rows and grids, which stay in line with what is beside them', () => {
    for (const layout of ['arrange: row', 'arrange: grid, columns: 3']) {
      const inside =
        '{id: a, role: Edit, name: City, value: Paris}, {id: b, role: Spinner, name: Nights, value_now: 2}, {id: c, role: Button, name: Look}'
      const desktop = desktopWith(`{role: Pane, name: Line, layout: {${layout}}, children: [${inside}]}`)
      expect(wordsOf(desktop)).toEqual(expect.arrayContaining(['City', 'Nights']))
      const tops = ['a', 'b', 'c'].map((id) => elementOf(desktop, id).bounds.y)
      expect(new Set(tops).size, layout).toBe(1)
    }
  })

  it('[Y8] is not what a heading or words about something else say', () => {
    const texts = ['{role: Heading, name: E-mail}', '{role: Text, name: Step 1 of 3}']
    for (const text of texts) {
      const desktop = desktopWith(text, FIELDS[0]!)
      expect(
        placeOf(desktop, 'ada@example.com').y - runsOf(desktop).findLast(({ text }) => text === 'E-mail')!.bounds.y,
      ).toBeLessThan(40)
      expect(wordsOf(desktop).filter((words) => words === 'E-mail')).toHaveLength(text.includes('Heading') ? 2 : 1)
    }
  })

  it('[Y8] [Y11] is not written again when words beside the field, above it or in a toolbar before it say it', () => {
    const grid = `{role: Pane, name: G, layout: {arrange: grid, columns: 2}, children: [{role: Text, name: "Mail:"}, ${FIELDS[0]}]}`
    const above = '{role: Text, name: Your e-mail address}'
    const bar = `{role: ToolBar, name: Bar, children: [{role: Text, name: "Region:"}, ${FIELDS[2]}]}`
    const row =
      '{role: Pane, name: R, layout: {arrange: row}, children: [{role: Edit, name: Search, placeholder: Search here}]}'
    expect(wordsOf(desktopWith(row))).not.toContain('Search')
    expect(
      wordsOf(desktopWith('{role: Heading, name: Fruit}', FIELDS[7]!)).filter((words) => words === 'Fruit'),
    ).toHaveLength(1)
    expect(wordsOf(desktopWith(grid))).not.toContain('E-mail')
    expect(wordsOf(desktopWith(above, FIELDS[0]!))).not.toContain('E-mail')
    expect(wordsOf(desktopWith(bar))).not.toContain('Region')
  })

  it('[Y9] stands to the left of a control in a toolbar', () => {
    const desktop = desktopWith(`{role: ToolBar, name: Bar, children: [${FIELDS[2]}, ${FIELDS[3]}]}`)
    for (const [id, name] of [
      ['c', 'Region'],
      ['d', 'Volume'],
    ] as const) {
      const [{ bounds }, place] = [elementOf(desktop, id), placeOf(desktop, name)]
      expect(place.x + place.width).toBeLessThanOrEqual(bounds.x)
      expect(place.y).toBeGreaterThanOrEqual(bounds.y - 2)
    }
  })

  it('[Y10] is followed by the number that a slider is set to, which also stands beside one that words name', () => {
    const number = placeOf(desktopWith(FIELDS[3]!), '40')
    expect(number.y + number.height).toBeLessThanOrEqual(elementOf(desktopWith(FIELDS[3]!), 'd').bounds.y)
    const said = desktopWith('{role: Text, name: Volume}', FIELDS[3]!)
    const { x, width } = elementOf(said, 'd').bounds
    expect(placeOf(said, '40').x).toBeGreaterThan(x + width)
    expect(wordsOf(said).filter((words) => words === 'Volume')).toHaveLength(1)
  })

  it('[Y7] [Y12] is not written above what shows it, such as buttons and check boxes, nor above the parts of one window', () => {
    const plain = desktopWith('{id: a, role: Button, name: Go}', '{id: b, role: CheckBox, name: Now}')
    expect(elementOf(plain, 'a').bounds.y).toBe(62)
    expect(wordsOf(plain).filter((words) => words === 'Go' || words === 'Now')).toHaveLength(2)
    const parts = `{role: Pane, name: P, grow: 1, layout: {gap: 0}, children: [${FIELDS[7]}, ${FIELDS[8]}]}`
    expect(wordsOf(desktopWith(parts))).not.toContain('Notes')
  })
})

describe('a table', () => {
  it('[P20] aligns the head of a column as its cells, numbers at the right', () => {
    const row = (...cells: readonly string[]) =>
      `{role: DataItem, children: [${cells.map((cell) => `{role: Cell, name: "${cell}"}`).join(', ')}]}`
    const heads = ['Client', 'Amount', 'Share', 'Note'].map((name) => `{role: HeaderItem, name: ${name}}`).join(', ')
    const rows = [row('Acme', '1,200.50', '12 %', '7'), row('Globex', '$ 3', '', 'none')].join(', ')
    const desktop = desktopWith(`{role: Table, name: Bills, children: [{role: Header, children: [${heads}]}, ${rows}]}`)
    const right = (words: string) => placeOf(desktop, words).x + placeOf(desktop, words).width
    expect(Math.abs(right('Amount') - right('1,200.50'))).toBeLessThanOrEqual(1)
    expect(Math.abs(right('Share') - right('12 %'))).toBeLessThanOrEqual(1)
    expect(placeOf(desktop, 'Client').x).toBe(placeOf(desktop, 'Acme').x)
    expect(placeOf(desktop, 'Note').x).toBe(placeOf(desktop, 'none').x)
  })
})
