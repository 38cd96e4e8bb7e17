import { describe, expect, it } from 'vitest'
import { createSyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../base/clock.ts'
import { parseScenario } from '../../scenario/load/load.ts'
import { fromPixels } from '../picture.ts'
import { contrastRatio, lintedWindow, lintWindow, RULES } from './lint-window.ts'

// Rules such as [LI1] are stated in README.md beside this file.

/** The findings about a window with these children, as `code element: message`. */
function findingsFor(children: string, window = '', theme: 'light' | 'dark' = 'light'): readonly string[] {
  const scenario = parseScenario(`states:
  only:
    windows:
      - uid: app
        title: Orders
        bounds: {x: 100, y: 100, width: 400, height: 300}
        ${window}
        tree: {role: Window, name: Orders, children: [${children}]}
`)
  const { desktop } = createSyntheticComputer({ scenario, clock: virtualClock() })
  return lintWindow(desktop, desktop.windows[0]!, theme).map(
    ({ code, element, message }) => `${code} ${element}: ${message}`,
  )
}

const WINDOW = 'states: {only: {windows: [{uid: app, tree: {role: Window}}]}}'

const LETTERS = { x: 0, y: 0, width: 10, height: 10 }

/** A white picture with a grey stroke. */
function letters(level: number) {
  const pixels = new Uint8Array(400).fill(255)
  for (let at = 0; at < 40; at++) if (at % 4 < 3) pixels[at] = level
  return fromPixels(10, 10, pixels)
}

const SAVE = '{id: save, role: Button, name: Save, bounds: {x: 120, y: 150, width: 80, height: 30}}'

describe('the linter', () => {
  it('[LI1] reports two controls that cover each other', () => {
    const copy = '{id: copy, role: Button, name: Copy, bounds: {x: 170, y: 160, width: 80, height: 30}}'
    expect(findingsFor(`${SAVE}, ${copy}`)).toEqual([
      'overlap copy: Button "Copy" covers Button "Save" by 30 × 20 pixels',
    ])
    const beside = '{id: copy, role: Button, name: Copy, bounds: {x: 199, y: 150, width: 80, height: 30}}'
    expect(findingsFor(`${SAVE}, ${beside}`)).toEqual([])
    const dialog = `{id: ask, role: Dialog, name: Ask, children: [{role: Button, name: "OK"}]}`
    expect(findingsFor(`{id: save, role: Button, name: Save, grow: 1}, ${dialog}`)).toEqual([])
  })

  it('[LI2] reports a control that its parent, its window or the screens cut off', () => {
    const wide = '{id: wide, role: Button, name: Save, bounds: {x: 450, y: 150, width: 80, height: 30}}'
    expect(findingsFor(wide)).toEqual(['clipped wide: Button "Save" is cut off by 30 × 0 pixels'])
    const outside = '{id: out, role: Button, name: Save, bounds: {x: 600, y: 150, width: 80, height: 30}}'
    expect(findingsFor(outside)).toEqual(['clipped out: Button "Save" lies outside its window or the screens'])
    const rows = Array.from({ length: 40 }, (_, row) => `{role: ListItem, name: Row ${row}}`).join(', ')
    expect(findingsFor(`{role: List, name: Rows, height: 100, children: [${rows}]}`)).toEqual([])
    const links = Array.from({ length: 40 }, (_, link) => `{role: Hyperlink, name: Link ${link}}`).join(', ')
    expect(findingsFor(`{role: Document, name: Page, height: 100, children: [${links}]}`)).toEqual([])
  })

  it('[LI3] measures the contrast of painted text', () => {
    expect(contrastRatio(0x000000, 0xffffff)).toBeCloseTo(21)
    expect(contrastRatio(0x777777, 0xffffff)).toBeCloseTo(4.48, 2)
    expect(findingsFor(SAVE)).toEqual([])
    expect(findingsFor(SAVE, '', 'dark')).toEqual([])
    const { desktop } = createSyntheticComputer({ scenario: parseScenario(WINDOW), clock: virtualClock() })
    const screen = lintedWindow(desktop, desktop.windows[0]!, 'light')
    const grey = (level: number) => ({
      ...screen,
      picture: { ...letters(level), text: [{ text: 'Save', bounds: LETTERS }] },
    })
    expect(RULES.contrast.find(grey(0x90)).map(({ message }) => message)).toEqual([
      'shows "Save" with a contrast of 3.2:1; at least 4.5:1 is readable',
    ])
    expect(RULES.contrast.find(grey(0x70))).toEqual([])
  })

  it('[LI4] leaves the colours of a system style alone', () => {
    const styled = (tree: string) => {
      const scenario = parseScenario(
        `style: macos\nstates: {only: {windows: [{uid: app, title: Orders, tree: {role: Window, children: [${tree}]}}]}}`,
      )
      const { desktop } = createSyntheticComputer({ scenario, clock: virtualClock() })
      return lintWindow(desktop, desktop.windows[0]!, 'light').map(({ code }) => code)
    }
    expect(styled('{id: save, role: Button, name: Save, look: primary}')).toEqual([])
  })

  it('[LI5] accepts muted text of disabled controls and busy windows', () => {
    const disabled = '{id: save, role: Button, name: Save, enabled: false}'
    expect(findingsFor(disabled)).toEqual([])
    expect(findingsFor(SAVE, 'busy: true')).toEqual([])
  })

  it('[LI6] reports a control without a name', () => {
    expect(findingsFor('{id: go, role: Button, icon: trash}, {id: field, role: Edit}')).toEqual([
      'name go: Button "go" has no name',
      'name field: Edit "field" has no name',
    ])
    expect(findingsFor('{role: Text, name: Amount}, {id: field, role: Edit}')).toEqual([])
  })

  it('[LI8] finds texts that show boxes', () => {
    const found = (name: string) =>
      findingsFor(`{id: save, role: Button, name: "${name}", bounds: {x: 120, y: 150, width: 180, height: 30}}`)
    expect(found('ภาษา')).toEqual(['glyphs save: Button "ภาษา" shows boxes for "ภาษ"; no font has them'])
    expect(found('حفظ שמור Ж 保存')).toEqual([])
    expect(found('보기')).toEqual([
      'glyphs save: Button "보기" shows boxes for "보기"; run: npm install @fontsource-variable/noto-sans-kr@5',
    ])
  })

  it('[LI9] reports text that ends with an ellipsis for lack of space', () => {
    const narrow = '{id: go, role: Button, name: Send everything now, width: 70, grow: 0}'
    expect(findingsFor(`{role: Pane, layout: {arrange: row}, children: [${narrow}]}`)).toEqual([
      expect.stringMatching(/^cut-text go: Button "Send everything now" shows only "Send.*…"$/),
    ])
    expect(findingsFor('{role: Text, name: Please wait…}')).toEqual([])
  })

  it('[LI11] accepts cut texts in cells of a spreadsheet, but not in those of other tables', () => {
    const table = (look: string) =>
      `{id: t, role: Spreadsheet, ${look}name: T, children: [{role: Header, children: [{role: HeaderItem, name: A}]}, {role: Row, name: r, children: [{id: c, role: Cell, name: A, width: 90, value: A name that is far longer than the column}]}]}`
    expect(findingsFor(table('look: spreadsheet, '))).toEqual([])
    expect(findingsFor(table(''))).toEqual([expect.stringMatching(/^cut-text c: /)])
  })

  it('[LI10] accepts a cut preview below the name of an item, but not a cut name', () => {
    const long = 'Please find attached the figures of this quarter for the board'
    const item = (name: string) =>
      `{role: List, name: L, children: [{id: a, role: ListItem, name: ${name}, subtitle: ${long}}]}`
    expect(findingsFor(item('Ada'))).toEqual([])
    const name = 'Ada who writes to everyone in the company about all that happens'
    expect(findingsFor(item(name))).toEqual([expect.stringMatching(/^cut-text a: /)])
  })
})
