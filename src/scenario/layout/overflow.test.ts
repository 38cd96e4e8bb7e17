import { describe, expect, it } from 'vitest'
import { act, begin, click, element, key } from '../../../test/support/scenario/player.ts'
import { scrollAt } from '../../desktop/apply/pointer.ts'
import { hitTest } from '../../desktop/hit.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { centerOf, encloses, intersect, type Point } from '../../desktop/model/geometry.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { parseScenario } from '../load/load.ts'
import { startScenario } from '../run/step.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { withVariant } from '../seeds.ts'
import { layOutWindow } from './layout.ts'

// Rules such as [SC119] are stated in ../SPEC.md.

const NAMES = ['New', 'Open', 'Save', 'Print', 'Export']
const TOOLS = NAMES.map((name) => `{id: ${name}, role: Button, name: ${name} a document}`).join(', ')
const TABS = NAMES.map((name, at) => `{id: tab-${name}, role: TabItem, name: ${name} a page, selected: ${at === 0}}`)

const started = (style: string, width = 360): ScenarioRun => begin(authored(style, width))

const authored = (style: string, width: number): string =>
  [
    `style: ${style}`,
    'panel: true',
    'states:',
    '  a:',
    '    windows:',
    '      - uid: main',
    `        bounds: {x: 100, y: 100, width: ${width}, height: 400}`,
    '        tree:',
    '          role: Window',
    '          children:',
    '            - {id: status, role: Text, name: none}',
    `            - {id: bar, role: ToolBar, name: Tools, children: [${TOOLS}, {id: find, role: SearchBox, name: Find, grow: 1}]}`,
    `            - {id: tabs, role: Tab, name: Pages, children: [${TABS.join(', ')}]}`,
    'reactions:',
    '  - {on: {tool: click_element, target_id: Export}, set: [{id: status, name: exported}]}',
  ].join('\n')

const inMore = (run: ScenarioRun, id: string): readonly string[] =>
  element(run, id).children.flatMap((child) => (child.traits?.inMore ? [child.id] : []))

const STYLES = ['windows', 'macos', 'gnome'] as const

describe('what does not fit into a bar', () => {
  it('[SC119] is in the menu of a button More', () => {
    for (const style of STYLES) {
      const run = started(style)
      const bar = element(run, 'bar')
      expect(inMore(run, 'bar').at(-1)).toBe('Export')
      expect(bar.children.map(({ id }) => id)).toEqual([...NAMES, 'bar.more', 'find'])
      const shown = bar.children.filter((child) => visibilityOf(bar, child) === 'inline')
      for (const [at, child] of shown.entries()) {
        expect(encloses(bar.bounds, child.bounds)).toBe(true)
        for (const other of shown.slice(at + 1)) expect(intersect(child.bounds, other.bounds)).toBeUndefined()
      }
      expect(inMore(run, 'tabs').length).toBeGreaterThan(0)
      const [window] = run.desktop.windows
      expect(layOutWindow(window!, styleMetrics(style))).toBe(window)
    }
  })

  it('[SC121] is behind a button whose name is in the language of the desktop', () => {
    const german = `${authored('windows', 1100)}\nlocales: {de: {Find: Suchen}}`
    const run = startScenario(withVariant(parseScenario(german), { locale: 'de' }), { atMs: 0 })
    const narrow = act(run, {
      type: 'drag',
      from: { x: 1198, y: 300 },
      to: { x: 460, y: 300 },
      modifiers: [],
      durationMs: 0,
    }).run
    expect(element(narrow, 'bar.more').name).toBe('Mehr')
    const small = german.replace('width: 1100', 'width: 360')
    const start = startScenario(withVariant(parseScenario(small), { locale: 'de' }), { atMs: 0 })
    expect([element(start, 'bar.more').name, element(start, 'tabs.more').name]).toEqual(['Mehr', 'Mehr'])
    expect(element(started('windows'), 'bar.more').name).toBe('More')
  })

  it('[SC119] is in the bar again when it fits, and always in the default style', () => {
    for (const run of [started('windows', 1200), started('backlot')]) {
      expect(element(run, 'bar').children.map(({ id }) => id)).toEqual([...NAMES, 'find'])
      expect(element(run, 'tabs').children.length).toBe(NAMES.length)
    }
  })

  it('[SC120] is pressed after a click on More, which closes the menu', () => {
    for (const style of STYLES) {
      const closed = started(style)
      expect(() => click(closed, 'Export')).toThrow('not shown')
      const open = click(closed, 'bar.more')
      const item = element(open, 'Export')
      const hit = hitTest(open.desktop, centerOf(item.bounds))
      expect(hit && 'element' in hit && hit.element.id).toBe('Export')
      expect(item.bounds.y).toBeGreaterThanOrEqual(element(open, 'bar.more').bounds.y)
      const done = click(open, 'Export')
      expect([element(done, 'status').name, element(done, 'bar').expanded]).toEqual(['exported', false])
      expect(element(key(open, 'escape'), 'bar').expanded).toBe(false)
      expect(element(click(open, 'bar.more'), 'bar').expanded).toBe(false)
    }
  })

  it('[SC120] is a tab that a click selects', () => {
    const run = click(click(started('windows'), 'tabs.more'), 'tab-Export')
    expect([element(run, 'tab-Export').selected, element(run, 'tabs').expanded]).toEqual([true, false])
  })

  it('[SC122] scrolls with the wheel when it is longer than the screen', () => {
    const many = Array.from({ length: 40 }, (_, at) => `{id: tool-${at}, role: Button, name: Tool ${at} with a name}`)
    const run = begin(
      [
        'style: windows',
        'states:',
        '  a:',
        '    windows:',
        '      - uid: main',
        '        bounds: {x: 100, y: 20, width: 300, height: 700}',
        `        tree: {role: Window, children: [{id: bar, role: ToolBar, name: Tools, children: [${many.join(', ')}]}]}`,
      ].join('\n'),
    )
    const third = inMore(run, 'bar')[2]!
    const open = click(run, 'bar.more').desktop
    const yOf = (on: typeof open, id: string) => nodeById(on.windows[0]!.tree, id)!.bounds.y
    const at = centerOf(nodeById(open.windows[0]!.tree, third)!.bounds)
    const down = scrollAt(open, at, -3, 'y')
    expect(yOf(down, third)).toBeLessThan(yOf(open, third))
    expect(scrollAt(down, at, -1000, 'y').windows[0]!.tree).toEqual(scrollAt(down, at, -2000, 'y').windows[0]!.tree)
  })

  it('[SC123] is hit in its bounds while the menu is open', () => {
    for (const style of STYLES) {
      const closed = started(style)
      const { desktop } = click(closed, 'bar.more')
      const hitAt = (on: ScenarioRun['desktop'], at: Point) => {
        const hit = hitTest(on, at)
        return hit && 'element' in hit ? hit.element.id : undefined
      }
      for (const id of inMore(closed, 'bar')) {
        const at = centerOf(nodeById(desktop.windows[0]!.tree, id)!.bounds)
        expect([hitAt(desktop, at), hitAt(closed.desktop, at) === id]).toEqual([id, false])
      }
    }
  })
})
