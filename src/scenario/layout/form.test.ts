import { describe, expect, it } from 'vitest'
import { formLabelPlace } from '../../desktop/caption.ts'
import { formCardsOf } from '../../desktop/model/control-metrics.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { encloses, type Rect } from '../../desktop/model/geometry.ts'
import { DESKTOP_STYLES, styleMetrics } from '../../desktop/style/style.ts'
import { parseScenario } from '../load/load.ts'
import { layOutWindow } from './layout.ts'

// Rules such as [SC110] are stated in SPEC.md of the folder above.

/** The row of buttons that a dialog ends with. */
const BUTTONS = `
            - role: Pane
              layout: {arrange: row}
              children: [{id: ok, role: Button, name: OK, presses: enter}, {role: Button, name: Cancel, presses: escape}]`

/** A form in a window of a style, with an arrangement and a height. */
const formIn = (style: string, arrange = 'form', height = 600, y = 40, more = ''): Window =>
  parseScenario(`
style: ${style}
states:
  only:
    windows:
      - bounds: {x: 0, y: ${y}, width: 480, height: ${height}}
        tree:
          role: Window
          children:
            - role: Tab
              grow: 1
              children:
                - {role: TabItem, name: Page, selected: true}
                - id: form
                  role: Pane
                  name: Page
                  layout: {arrange: ${arrange}}
                  children:
                    - id: choices
                      role: Pane
                      layout: {arrange: row}
                      children:
                        - {id: left, role: Pane, children: [{id: one, role: CheckBox, name: One}, {id: two, role: CheckBox, name: Two}]}
                        - {id: right, role: Pane, children: [{id: group, role: Text, name: Three}, {id: three, role: RadioButton, name: Four}]}
                    - {id: dark, role: Switch, name: Dark}
                    - id: fields
                      role: Pane
                      layout: {arrange: row}
                      children:
                        - {id: name, role: Edit, name: Name}
                        - {id: often, role: ComboBox, name: How often, value: Daily, children: [{role: ListItem, name: Daily}]}
                    - {id: size, role: Slider, name: Size, value_now: 5}
${more}
`).states.get('only')!.windows[0]!

const byId = (window: Window): ReadonlyMap<string, Element> =>
  new Map([...walk(window.tree)].map((element) => [element.id, element]))
const shapeOf = ({ tree }: Window) => [...walk(tree)].map(({ id, role, name, value }) => [id, role, name, value])
const rightOf = ({ x, width }: Rect) => x + width

describe('a form', () => {
  it('[SC110] has the same elements in every style, and the bounds of a column in those without forms', () => {
    for (const style of DESKTOP_STYLES) {
      const window = formIn(style)
      expect(shapeOf(window)).toEqual(shapeOf(formIn('backlot')))
      expect(layOutWindow(window, styleMetrics(style))).toBe(window)
      const bounds = (each: Window) => [...walk(each.tree)].map((element) => element.bounds)
      const isColumn = JSON.stringify(bounds(window)) === JSON.stringify(bounds(formIn(style, 'column')))
      expect(isColumn).toBe(styleMetrics(style).form === undefined)
    }
  })

  it('[SC111] has cards with controls at the end of rows in gnome', () => {
    const window = formIn('gnome')
    const of = byId(window)
    const metrics = styleMetrics('gnome')
    const form = of.get('form')!
    const [choices, rows, ...rest] = formCardsOf(form, metrics)
    expect(rest).toEqual([])
    expect(choices!.bounds.height).toBe(2 * metrics.form!.choice)
    expect(rows!.bounds.height).toBe(4 * metrics.form!.row)
    expect([choices!.lines.length, rows!.lines.length]).toEqual([1, 3])
    for (const id of ['one', 'two', 'three']) expect(encloses(choices!.bounds, of.get(id)!.bounds)).toBe(true)
    for (const id of ['dark', 'name', 'often', 'size']) {
      const { bounds } = of.get(id)!
      expect(encloses(rows!.bounds, bounds)).toBe(true)
      expect(rightOf(rows!.bounds) - rightOf(bounds)).toBe(metrics.form!.padding)
      expect(formLabelPlace(of.get(id)!).x).toBe(rows!.bounds.x + metrics.form!.padding)
    }
    expect(of.get('one')!.bounds.y).toBe(formLabelPlace(of.get('one')!).y)
    expect(of.get('two')!.bounds.y).toBe(of.get('three')!.bounds.y)
  })

  it('[SC112] has names that end at one line before the controls in macos', () => {
    const of = byId(formIn('macos'))
    const { form } = styleMetrics('macos')
    const fields = ['name', 'often', 'size'].map((id) => of.get(id)!)
    const [line] = fields.map((each) => rightOf(formLabelPlace(each)))
    for (const each of fields) {
      expect(rightOf(formLabelPlace(each))).toBe(line)
      expect(each.bounds.x).toBe(line! + form!.labelGap)
    }
    expect(rightOf(formLabelPlace(of.get('dark')!))).toBe(line)
    expect(['one', 'two', 'three'].map((id) => of.get(id)!.bounds.x)).toEqual(fields.map(({ bounds }) => bounds.x))
    expect(rightOf(formLabelPlace(of.get('group')!))).toBe(line)
    expect(formCardsOf(of.get('form')!, styleMetrics('macos'))).toEqual([])
  })

  it('[SC113] has the text before choices in the column of names, in styles with labels', () => {
    for (const style of DESKTOP_STYLES) {
      const named = byId(formIn(style)).get('group')!.traits?.formLabel
      expect(named?.isEnd).toBe(styleMetrics(style).form?.look === 'labels' ? true : undefined)
    }
  })

  it('[SC114] has lower rows where space is short', () => {
    const heights = [600, 390].map((height) => byId(formIn('gnome', 'form', height)).get('dark')!.bounds.height)
    const { row, minRow } = styleMetrics('gnome').form!
    expect(heights[0]).toBe(row)
    expect(heights[1]).toBeLessThan(row)
    expect(heights[1]).toBeGreaterThanOrEqual(minRow)
  })

  it('[SC115] makes the dialog that it is in higher in gnome, as far as its monitor reaches', () => {
    const dialogIn = (style: string, { y = 40, height = 390, buttons = true } = {}) =>
      formIn(style, 'form', height, y, buttons ? BUTTONS : '')
    const { row, choice } = styleMetrics('gnome').form!
    const grown = dialogIn('gnome')
    const [choices, rows] = formCardsOf(byId(grown).get('form')!, styleMetrics('gnome'))
    expect([choices!.bounds.height, rows!.bounds.height]).toEqual([2 * choice, 4 * row])
    expect(grown.tree.bounds).toEqual(grown.bounds)
    expect(byId(grown).get('ok')!.bounds.y).toBeGreaterThan(
      rightOf({ ...rows!.bounds, x: rows!.bounds.y, width: rows!.bounds.height }),
    )
    const full = dialogIn('gnome', { height: grown.bounds.height })
    expect(full.bounds.height).toBe(grown.bounds.height)
    const low = dialogIn('gnome', { y: 800 - 390 - 12 })
    expect(low.bounds.y + low.bounds.height).toBe(800)
    for (const kept of [
      dialogIn('macos'),
      dialogIn('windows'),
      dialogIn('backlot'),
      dialogIn('gnome', { buttons: false }),
    ])
      expect(kept.bounds.height).toBe(390)
    expect(Math.abs(dialogIn('gnome', { height: 200 }).bounds.height - grown.bounds.height)).toBeLessThanOrEqual(2)
  })

  it('[SC116] moves names with their controls when its window grows', () => {
    const window = formIn('gnome')
    const bounds = { ...window.bounds, width: 600 }
    const wide = layOutWindow({ ...window, bounds, tree: { ...window.tree, bounds } }, styleMetrics('gnome'))
    const [before, after] = [window, wide].map((each) => formLabelPlace(byId(each).get('name')!))
    expect(after).toEqual({ ...before, width: before!.width + 120 })
  })
})
