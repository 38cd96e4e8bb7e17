import { describe, expect, it } from 'vitest'
import type { Window } from '../../desktop/model/desktop.ts'
import { encloses, intersect } from '../../desktop/model/geometry.ts'
import { textWidth } from '../../desktop/model/text-width.ts'
import { BACKLOT_METRICS } from '../../desktop/style/backlot.ts'
import { DESKTOP_STYLES, type DesktopStyle, styleMetrics } from '../../desktop/style/style.ts'
import { frameOf, paneStarts, raisedTabsEnd, sidePartOf } from '../../desktop/windows/frame.ts'
import { parseScenario } from '../load/load.ts'
import { layOutWindow } from './layout.ts'

// Rules such as [SC106] are stated in SPEC.md beside this file.

/** The window of a scenario of one state. `keys` is what is written of it beside its children. */
const windowIn = (style: string, keys: string, children: string, layout = ''): Window =>
  parseScenario(
    `style: ${style}\nstates:\n  only:\n    windows:\n      - {${keys}, tree: {role: Window, ${layout}children: [${children}]}}`,
  ).states.get('only')!.windows[0]!

describe('a band of a title and tools', () => {
  const inStyle = (style: string, tools: string, before = ''): Window =>
    windowIn(
      style,
      'title: Post, bounds: {x: 0, y: 40, width: 800, height: 300}',
      `${before}{id: bar, role: ToolBar, children: [${tools}]}, {id: list, role: List}`,
    )
  /** Whether a style has tools in the title bar, and tabs of one width below it. */
  const hasBand = (style: DesktopStyle) => styleMetrics(style).title.header !== undefined
  const BUTTONS = '{id: new, role: Button, name: New, icon: plus}, {id: go, role: Button, name: Go}'
  const SEARCH = '{id: find, role: SearchBox, name: Find, grow: 1}'

  it.each(['gnome', 'macos'] as const)('[SC106] holds the first tool bar in the style %s', (style) => {
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

  it.each([...DESKTOP_STYLES])('[SC126] has tabs below it that share the width in the same styles: %s', (style) => {
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

  it.each([...DESKTOP_STYLES])('[SC127] keeps a margin around tabs without pages: %s', (style) => {
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

  it.each([...DESKTOP_STYLES])('[SC128] has a progress bar at the end of a status bar: %s', (style) => {
    const bar =
      '{role: StatusBar, children: [{role: Text, name: Ready, grow: 1}, {id: done, role: ProgressBar, name: Done}]}'
    const [status] = inStyle(style, BUTTONS, `${bar}, `).tree.children
    const { bounds } = status!.children[1]!
    const free = status!.bounds.x + status!.bounds.width - bounds.x - bounds.width
    expect(free > 10).toBe(styleMetrics(style).bar.statusEnd > 10)
  })

  it('[SC106] holds none that is not the first part, has bounds or is in a style without bands', () => {
    const heights = [
      inStyle('gnome', BUTTONS, '{role: Edit, name: Above}, '),
      inStyle('gnome', BUTTONS, '{role: ToolBar, bounds: {x: 0, y: 80, width: 800, height: 40}}, '),
      inStyle('windows', BUTTONS),
    ].map((window) => window.tree.children.some(({ traits }) => traits?.titleAt !== undefined))
    expect(heights).toEqual([false, false, false])
  })

  it('[SC107] shows icons alone, and a search field of one width', () => {
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
    windowIn(
      style,
      `title: Post, bounds: {x: 10, y: 40, width: ${width}, height: 300}`,
      `{id: bar, role: ToolBar, children: [${tools}]}, {role: Pane, grow: 1, layout: {arrange: row, gap: 0, padding: 0}, children: [{role: Tree, width: ${tree}, grow: 0}, {role: List, width: 200}, {role: List, grow: 1}]}`,
      'layout: {gap: 0, padding: 0}, ',
    )
  const DIVIDED = `${BUTTONS}, {id: gap, role: Separator, name: ""}, {id: ok, role: Button, name: Ok, icon: check}, ${SEARCH}`

  it.each(['gnome', 'macos'] as const)('[SC125] is divided above a tree at the edge in the style %s', (style) => {
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

  it('[SC125] is whole where the tools or the title lack room, and divided again once they have it', () => {
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

  it('[SC124] is filled by another field that grows', () => {
    const window = inStyle('macos', `${BUTTONS}, {id: address, role: Edit, name: Address, grow: 1}`)
    const address = window.tree.children[0]!.children[2]!
    expect(address.bounds.width).toBeGreaterThan(400)
    expect(frameOf(window, styleMetrics('macos'))!.room!.width).toBe(0)
  })
})

describe('the buttons at the end of a dialog', () => {
  const inStyle = (style: string, buttons: string, align = 'end', width = 400): Window =>
    windowIn(
      style,
      `bounds: {x: 0, y: 40, width: ${width}, height: 300}`,
      `{role: Tab, children: [{role: TabItem, name: A}]}, {role: Pane, layout: {arrange: row, align: ${align}, gap: 8}, children: [${buttons}]}`,
    )
  const BOTH = '{role: Button, name: OK, presses: enter}, {role: Button, name: Cancel, presses: escape}'
  const rowOf = (window: Window) =>
    window.tree.children[1]!.children.map(({ name, bounds: { x, width } }) => ({ name, x, width }))

  it('[SC108] fill their row in equal widths or are in reverse order', () => {
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

  it('[SC108] stay so while one of them is hidden', () => {
    const back = (hidden: string) => inStyle('windows', `{role: Button, name: Back${hidden}}, ${BOTH}`)
    for (const window of [back(''), back(', hidden: true')]) expect(window.tree.children[1]!.traits?.footer).toBe(true)
    const hidden = inStyle(
      'windows',
      '{role: Button, name: OK, presses: enter, hidden: true}, {role: Button, name: Cancel, presses: escape}',
    )
    expect(hidden.tree.children[1]!.traits?.footer).toBeUndefined()
  })

  it('[SC118] [SC117] are in a window with a higher title bar in gnome, near to its tabs', () => {
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
      windowIn(
        style,
        'bounds: {x: 0, y: 40, width: 400, height: 300}',
        `${before}{role: Tab, grow: 1, children: [${tabs}, {role: Pane, name: One, children: [{role: Text, name: Page}]}]}, {role: Pane, layout: {arrange: row, gap: 8}, children: [${buttons}]}`,
      )
    const ICONS =
      '{role: TabItem, name: One, icon: settings, selected: true}, {role: TabItem, name: Signatures, icon: user}'
    const tabsOf = (window: Window) =>
      window.tree.children.find(({ role }) => role === 'Tab')!.children.filter(({ role }) => role === 'TabItem')

    it('[SC109] are in the band of the title in macos, if all have icons', () => {
      const window = withTabs('macos', ICONS)
      const [one, two] = tabsOf(window).map(({ bounds }) => bounds)
      expect(one).toMatchObject({ y: 40 + 28, width: 66, height: 48 })
      expect(two!.width).toBeGreaterThan(66)
      expect([two!.x - one!.x - one!.width, Math.abs(one!.x + two!.x + two!.width - 400) <= 1]).toEqual([8, true])
      expect(raisedTabsEnd(window.tree)).toBe(40 + 76)
      const page = window.tree.children[0]!.children.at(-1)!
      expect(page.bounds.y).toBe(40 + 76)
    })

    it('[SC109] are as other tabs elsewhere', () => {
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

  it('[SC108] are as elsewhere in other windows', () => {
    const first = (window: Window) => rowOf(window)[0]!.width
    const { minButton } = styleMetrics('windows').control
    expect(first(inStyle('windows', BOTH, 'end', 700))).toBe(minButton)
    expect(first(inStyle('windows', '{role: Button, name: OK, presses: enter}'))).toBe(minButton)
    expect(first(inStyle('backlot', BOTH))).toBe(BACKLOT_METRICS.control.minButton)
  })
})
