import { describe, expect, it } from 'vitest'
import { scrollByWheel, type WheelEvent } from '../../src/desktop/apply/wheel.ts'
import { hitTest } from '../../src/desktop/hit.ts'
import type { Desktop, Window } from '../../src/desktop/model/desktop.ts'
import { type Element, pathOf, walk } from '../../src/desktop/model/element.ts'
import { centerOf, contains, intersect, type Rect } from '../../src/desktop/model/geometry.ts'
import { shownBounds } from '../../src/desktop/visible-bounds.ts'
import { overlaysOf, thumbOf } from '../../src/desktop/widgets/scrolling.ts'
import { createPainter } from '../../src/paint/painter.ts'
import { act, at, begin, click, element, key, target } from '../support/scenario/player.ts'

// Layout and painting of a scenario together. Rules are stated in src/scenario/SPEC.md and src/paint/SPEC.md.

const painter = createPainter()

/** A scenario with a window of 620 × 740 and these children, each a line of YAML. */
const yamlOf = (...children: readonly string[]): string =>
  [
    'states:',
    '  only:',
    '    windows:',
    '      - title: Some program',
    '        bounds: {x: 20, y: 10, width: 620, height: 740}',
    '        tree:',
    '          role: Window',
    '          children:',
    ...children.map((child) => `            - ${child}`),
  ].join('\n')

const desktopWith = (...children: readonly string[]): Desktop => begin(yamlOf(...children)).desktop

const runsOf = (desktop: Desktop) => painter.screen(desktop).text ?? []
const wordsOf = (desktop: Desktop): readonly string[] => runsOf(desktop).map(({ text }) => text)

function elementOf(desktop: Desktop, id: string): Element {
  for (const { tree } of desktop.windows) for (const element of walk(tree)) if (element.id === id) return element
  throw new Error(`no element "${id}"`)
}

/** The position of painted text. */
function placeOf(desktop: Desktop, words: string): Rect {
  const run = runsOf(desktop).find(({ text }) => text === words)
  if (!run) throw new Error(`no text run "${words}"`)
  return run.bounds
}

/** Whether two desktops differ visually in an area. */
const differs = (a: Desktop, b: Desktop, place: Rect): boolean =>
  Buffer.compare(painter.area(a, place).pixels(), painter.area(b, place).pixels()) !== 0

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
  it('[SC94] [PNT20] is painted above it, in the space that the layout reserved', () => {
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

  it('[SC94] is painted above fields in rows and grids, which stay aligned with their neighbours', () => {
    for (const layout of ['arrange: row', 'arrange: grid, columns: 3']) {
      const inside =
        '{id: a, role: Edit, name: City, value: Paris}, {id: b, role: Spinner, name: Nights, value_now: 2}, {id: c, role: Button, name: Look}'
      const desktop = desktopWith(`{role: Pane, name: Line, layout: {${layout}}, children: [${inside}]}`)
      expect(wordsOf(desktop)).toEqual(expect.arrayContaining(['City', 'Nights']))
      const tops = ['a', 'b', 'c'].map((id) => elementOf(desktop, id).bounds.y)
      expect(new Set(tops).size, layout).toBe(1)
    }
  })

  it('[SC97] is painted next to a heading or a text about something else', () => {
    const texts = ['{role: Heading, name: E-mail}', '{role: Text, name: Step 1 of 3}']
    for (const text of texts) {
      const desktop = desktopWith(text, FIELDS[0]!)
      expect(
        placeOf(desktop, 'ada@example.com').y - runsOf(desktop).findLast(({ text }) => text === 'E-mail')!.bounds.y,
      ).toBeLessThan(40)
      expect(wordsOf(desktop).filter((words) => words === 'E-mail')).toHaveLength(text.includes('Heading') ? 2 : 1)
    }
  })

  it('[SC97] [SC98] is not repeated when a text beside the field, above it or before it in a toolbar shows it', () => {
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

  it('[SC100] is painted to the left of a control in a toolbar', () => {
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

  it('[SC101] is followed by the value of a slider, also next to one that a text labels', () => {
    const number = placeOf(desktopWith(FIELDS[3]!), '40')
    expect(number.y + number.height).toBeLessThanOrEqual(elementOf(desktopWith(FIELDS[3]!), 'd').bounds.y)
    const labelled = desktopWith('{role: Text, name: Volume}', FIELDS[3]!)
    const { x, width } = elementOf(labelled, 'd').bounds
    expect(placeOf(labelled, '40').x).toBeGreaterThan(x + width)
    expect(wordsOf(labelled).filter((words) => words === 'Volume')).toHaveLength(1)
  })

  it('[SC94] [SC99] is not painted above controls that show it, such as buttons, nor above the parts of one window', () => {
    const plain = desktopWith('{id: a, role: Button, name: Go}', '{id: b, role: CheckBox, name: Now}')
    expect(elementOf(plain, 'a').bounds.y).toBe(62)
    expect(wordsOf(plain).filter((words) => words === 'Go' || words === 'Now')).toHaveLength(2)
    const parts = `{role: Pane, name: P, grow: 1, layout: {gap: 0}, children: [${FIELDS[7]}, ${FIELDS[8]}]}`
    expect(wordsOf(desktopWith(parts))).not.toContain('Notes')
  })
})

describe('a table', () => {
  it('[PNT73] aligns column headers with their cells, numbers to the right', () => {
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

const OVERFULL = [
  '{role: MenuBar, name: Menus, children: [{role: MenuItem, name: File}]}',
  ...Array.from({ length: 20 }, (_, at) => `{id: f${at}, role: Edit, name: Field ${at}}`),
  '{id: ok, role: Button, name: OK}',
  '{id: bar, role: StatusBar, name: Status, children: [{role: Text, name: Ready}]}',
]

describe('content that does not fit', () => {
  const full = () => begin(yamlOf(...OVERFULL))

  it('[SC103] [PNT75] has a scroll bar between the bars of its window, which stay in place', () => {
    const run = full()
    const { overflow } = run.desktop.windows[0]!.tree.traits!
    expect(overflow).toEqual({ top: 60, bottom: 26, end: 20 })
    expect(element(run, 'bar').bounds).toEqual({ x: 20, y: 724, width: 620, height: 26 })
    const [bar] = overlaysOf(run.desktop.windows[0]!.tree)
    expect(bar?.bounds).toEqual({ x: 629, y: 71, width: 10, height: 652 })
    const plain = begin(yamlOf(...OVERFULL.slice(0, 3)))
    expect(differs(run.desktop, plain.desktop, thumbOf(bar!)!)).toBe(true)
  })

  it('[SC103] scrolls by the wheel to its last element, which can be clicked', () => {
    const run = full()
    expect(shownBounds(run.desktop.windows[0]!.tree, pathOf(run.desktop.windows[0]!.tree, 'ok')!)).toBeUndefined()
    const end = act(run, { type: 'scroll', at: { x: 300, y: 300 }, clicks: -100 }).run
    const { y, height } = element(end, 'ok').bounds
    expect(y + height).toBe(element(end, 'bar').bounds.y - 20)
    expect(hitTest(end.desktop, centerOf(element(end, 'ok').bounds))).toMatchObject({ element: { id: 'ok' } })
    // Between the scrolled-out fields and the menu bar, the menu bar is hit.
    expect(hitTest(end.desktop, { x: 60, y: 56 })).toMatchObject({ element: { name: 'File' } })
    const words = wordsOf(end.desktop)
    expect([words.includes('Field 0'), words.includes('Field 19'), words.includes('Ready')]).toEqual([
      false,
      true,
      true,
    ])
    expect(act(end, { type: 'scroll', at: { x: 300, y: 300 }, clicks: 100 }).run.desktop.windows[0]!.tree).toEqual(
      run.desktop.windows[0]!.tree,
    )
  })

  it('[SC103] scrolls to the focused element, and by the thumb', () => {
    const run = act(full(), { type: 'focus', target: target(full(), 'f0'), at: at(full(), 'f0') }).run
    const tabbed = Array.from({ length: 19 }).reduce<typeof run>((each) => key(each, 'tab'), run)
    const { y, height } = element(tabbed, 'f19').bounds
    expect(y + height).toBeLessThanOrEqual(724)
    const [bar] = overlaysOf(run.desktop.windows[0]!.tree)
    const thumb = centerOf(thumbOf(bar!)!)
    const dragged = act(run, {
      type: 'drag',
      from: thumb,
      to: { x: thumb.x, y: 740 },
      modifiers: [],
      durationMs: 0,
    }).run
    expect(element(dragged, 'ok').bounds.y).toBeLessThan(724)
  })

  it('[SC103] scrolls sideways when it is too wide', () => {
    const buttons = Array.from({ length: 8 }, (_, at) => `{id: b${at}, role: Button, name: A long name ${at}}`)
    const run = begin(yamlOf(`{id: row, role: Pane, layout: {arrange: row}, children: [${buttons.join(', ')}]}`))
    const row = element(run, 'row')
    expect(overlaysOf(row)[0]!.bounds.height).toBe(10)
    const end = act(run, { type: 'scroll', at: centerOf(row.bounds), clicks: -100 }).run
    const { x, width } = element(end, 'b7').bounds
    expect(x + width).toBe(row.bounds.x + row.bounds.width)
  })

  it('[DT126] scrolls sideways by the wheel over its lower bar when it is also too high', () => {
    const wide = '{id: wide, role: Group, width: 900, height: 900, children: [{role: Button, name: In}]}'
    const row = `{id: row, role: Pane, height: 300, layout: {arrange: row}, children: [${wide}, {id: far, role: Button, name: Far}]}`
    const run = begin(yamlOf(row))
    const [, lower] = overlaysOf(element(run, 'row'))
    const wheels: WheelEvent[] = []
    const wheelToFar = ({ tree }: Window) => scrollByWheel(tree, pathOf(tree, 'far')!)
    let { desktop } = run
    for (let next = wheelToFar(desktop.windows[0]!); next; next = wheelToFar(desktop.windows[0]!)) {
      wheels.push(next)
      desktop = act({ ...run, desktop }, { type: 'scroll', at: next, clicks: next.clicks }).run.desktop
    }
    expect(wheels.map((wheel) => contains(lower!.bounds, wheel))).toEqual([false, true])
    const { tree } = desktop.windows[0]!
    expect(shownBounds(tree, pathOf(tree, 'far')!)).toBeDefined()
    const inside = act(run, { type: 'scroll', at: centerOf(element(run, 'row').bounds), clicks: -1 }).run
    expect(element(inside, 'row').traits!.scrolled).toEqual({ x: 0, y: 60 })
  })

  it('[SC104] starts at the start of its container, where it can be scrolled to', () => {
    const tall = Array.from({ length: 20 }, (_, at) => `{id: b${at}, role: Button, name: B${at}}`).join(', ')
    const row = `{id: row, role: Pane, height: 200, layout: {arrange: row}, children: [{role: Pane, height: 868, children: [${tall}]}]}`
    const run = begin(yamlOf(row))
    expect(element(run, 'b0').bounds.y).toBe(element(run, 'row').bounds.y)
    const end = act(run, { type: 'scroll', at: centerOf(element(run, 'row').bounds), clicks: -100 }).run
    expect(element(end, 'b19').bounds.y + 32).toBe(element(run, 'row').bounds.y + 200)
  })

  it('[SC103] fits again in a larger window, and keeps its scroll position after a change', () => {
    const low = yamlOf(...OVERFULL.slice(1, 7), '{id: ok, role: Button, name: OK}').replace(
      'height: 740',
      'height: 300',
    )
    const run = begin(`${low}\nreactions: [{on: {tool: click_element, target_id: ok}, set: [{id: f2, name: Renamed}]}]`)
    const end = act(run, { type: 'scroll', at: { x: 300, y: 200 }, clicks: -100 }).run
    const before = element(end, 'ok').bounds
    expect(element(click(end, 'ok'), 'ok').bounds).toEqual(before)
    const [from, to] = [
      { x: 300, y: 309 },
      { x: 300, y: 700 },
    ]
    const large = act(end, { type: 'drag', from, to, modifiers: [], durationMs: 0 }).run
    expect(large.desktop.windows[0]!.tree.traits).toBeUndefined()
    expect(element(large, 'f0').bounds.y).toBe(element(run, 'f0').bounds.y)
  })

  it('[SC103] matches a full repaint when a frame is repainted in part', () => {
    const run = full()
    const slot = createPainter()
    slot.screen(run.desktop)
    let next = run
    for (const clicks of [-1, -3, 2, -100]) {
      next = act(next, { type: 'scroll', at: { x: 300, y: 300 }, clicks }).run
      expect(Buffer.compare(slot.screen(next.desktop).pixels(), createPainter().screen(next.desktop).pixels())).toBe(0)
    }
  })
})

describe('a window of the default desktop', () => {
  const at = (x: number, y: number, width: number, height: number) =>
    `bounds: {x: ${x}, y: ${y}, width: ${width}, height: ${height}}`

  it('[PNT81] hides scroll bars without a range', () => {
    const bar = (range: string) => desktopWith(`{role: ScrollBar, name: Down, ${at(600, 60, 18, 500)}${range}}`)
    const place = { x: 600, y: 60, width: 18, height: 500 }
    expect(differs(bar(''), desktopWith('{role: Text, name: ""}'), place)).toBe(false)
    expect(differs(bar(', value_now: 0, value_max: 900'), bar(''), place)).toBe(true)
  })

  it('[PNT88] keeps a check box away from its edge', () => {
    const box = (x: number) => desktopWith(`{role: CheckBox, name: Wrap, ${at(x, 300, 120, 18)}}`)
    expect(placeOf(box(20), 'Wrap').x - placeOf(box(60), 'Wrap').x).toBe(8 - 40)
    expect(differs(box(20), desktopWith('{role: Text, name: ""}'), { x: 21, y: 300, width: 6, height: 18 })).toBe(false)
  })
})

describe('a message', () => {
  const LONG = 'Model or storage is not available for this kind of request, so please try again a little later on'

  it('[SC130] floats in the bottom right corner of its window, above the status bar, without moving other elements', () => {
    const others = ['{id: a, role: Document, name: Name}', '{id: s, role: StatusBar, name: Status}']
    const run = begin(
      yamlOf(others[0]!, '{id: t, role: Toast, name: Saved}', '{id: u, role: Toast, name: Sent}', others[1]!),
    )
    expect(element(run, 's').bounds).toEqual(element(begin(yamlOf(...others)), 's').bounds)
    expect(element(run, 'u').bounds).toEqual({ x: 304, y: 652, width: 320, height: 56 })
    expect(element(run, 't').bounds).toEqual({ x: 304, y: 588, width: 320, height: 56 })
    expect(hitTest(run.desktop, { x: 310, y: 660 })).toMatchObject({ element: { id: 'u' } })
  })

  it('[SC130] wraps its text, so that all of it is visible', () => {
    for (const toast of [`name: Failed, value: "${LONG}"`, `name: "${LONG}"`, `name: Failed, description: "${LONG}"`]) {
      const desktop = desktopWith(`{role: Pane, name: P, children: [{id: t, role: Toast, ${toast}}]}`)
      const words = wordsOf(desktop).join(' ')
      expect(words).toContain(LONG)
      const { bounds } = elementOf(desktop, 't')
      for (const run of runsOf(desktop).filter(({ text }) => LONG.includes(text)))
        expect(intersect(run.bounds, bounds)).toEqual(run.bounds)
    }
  })

  it('[SC130] grows with its text, and its buttons can be clicked', () => {
    const run = begin(
      `${yamlOf(`{id: t, role: Toast, name: Deleted, children: [{id: undo, role: Button, name: Undo}]}`)}\nreactions: [{on: {tool: click_element, target_id: undo}, set: [{id: t, name: "${LONG} ${LONG}"}]}]`,
    )
    expect(wordsOf(run.desktop)).toEqual(expect.arrayContaining(['Deleted', 'Undo']))
    expect(hitTest(run.desktop, centerOf(element(run, 'undo').bounds))).toMatchObject({ element: { id: 'undo' } })
    const longer = click(run, 'undo')
    expect(element(longer, 't').bounds.height).toBeGreaterThan(element(run, 't').bounds.height)
    expect(wordsOf(longer.desktop).join(' ')).toContain(LONG)
  })
})
