import { describe, expect, it } from 'vitest'
import { find } from '../../../test/support/desktop/driver.ts'
import type { Draft } from '../../desktop/model/builders.ts'
import {
  button,
  desktop,
  element,
  list,
  listItem,
  monitor,
  rect,
  tab,
  tabItem,
  treeItem,
  treeView,
  window,
} from '../../desktop/model/builders.ts'
import { fieldTextOf } from '../../desktop/model/control-metrics.ts'
import { DESKTOP_STYLES, type DesktopStyle, styleMetrics } from '../../desktop/style/style.ts'
import { openDesktop } from '../../testing.ts'
import { channelsOf } from '../colour.ts'
import { contrastRatio } from '../lint/lint-window.ts'
import { createPainter } from '../painter.ts'
import { themeOf } from '../styles/styles.ts'
import { charactersWithoutGlyph } from '../text/fonts.ts'
import { AVATAR_COLOURS, colourOfName, initialsOf } from './item-content.ts'

// Rules such as [PNT47] are stated in SPEC.md of the folder above.

const painter = createPainter()
const bounds = rect(0, 0, 400, 200)
const shown = (child: Draft, style: DesktopStyle = 'backlot') =>
  desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, child))
const wordsOf = (on: ReturnType<typeof shown>) => painter.screen(on).text!.map(({ text }) => text)
const pixelAt = (on: ReturnType<typeof shown>, x: number, y: number) => [...painter.area(on, rect(x, y, 1, 1)).pixels()]
const place = rect(20, 60, 300, 60)

describe('an avatar', () => {
  it('[PNT47] has the initials of the first and the last word', () => {
    const names = ['Ada King Lovelace', 'the shop', 'Иван Петров', '田中 太郎', 'ana@example.org', '  ', 'émile']
    expect(names.map((name) => initialsOf(name, 2))).toEqual(['AL', 'TS', 'ИП', '田太', 'AO', '', 'É'])
    expect(initialsOf('Ada Lovelace', 1)).toBe('A')
  })

  it('[PNT47] is a disc in the colour of its name', () => {
    const on = shown(element('Image', 'Ada', { bounds: rect(20, 60, 40, 40), traits: { avatar: 'Ada' } }))
    expect(pixelAt(on, 40, 63)).toEqual([...channelsOf(colourOfName('Ada'))])
    expect(pixelAt(on, 21, 61)).not.toEqual([...channelsOf(colourOfName('Ada'))])
    expect(new Set(['Ada', 'Bob', 'Cem', 'Dan', 'Eve', 'Flo'].map(colourOfName)).size).toBeGreaterThan(2)
  })

  it('[PNT48] has readable letters that are no text', () => {
    const on = shown(element('Image', 'Ada', { bounds: rect(20, 60, 40, 40), traits: { avatar: 'Ada' } }))
    expect(wordsOf(on)).toEqual([])
    const contrasts = AVATAR_COLOURS.map((colour) => {
      const [red, green, blue] = channelsOf(colour)
      return contrastRatio(red! | (green! << 8) | (blue! << 16), 0xffffff)
    })
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
  })
})

describe('a search field', () => {
  it.each([...DESKTOP_STYLES])('[PNT63] has a sign beside its text: %s', (style) => {
    const searches = (role: string) => {
      const fieldText = fieldTextOf(role, styleMetrics(style))
      const traits = fieldText ? { traits: { fieldText } } : {}
      return shown(element(role, 'Find', { value: 'abc', bounds: rect(20, 60, 300, 32), ...traits }), style)
    }
    const differs = (area: ReturnType<typeof rect>) => {
      const [one, other] = ['SearchBox', 'Edit'].map((role) => painter.area(searches(role), area).pixels())
      return Buffer.compare(one!, other!) !== 0
    }
    const textAt = (role: string) =>
      painter.screen(searches(role)).text!.find(({ text }) => text === 'abc')!.bounds.x - 20
    const { searchSign } = styleMetrics(style).control
    expect([textAt('Edit'), textAt('SearchBox')]).toEqual([9, searchSign === 'start' ? 33 : 9])
    expect([differs(rect(24, 64, 24, 24)), differs(rect(292, 64, 24, 24))]).toEqual([
      searchSign === 'start',
      searchSign === 'end',
    ])
  })

  it.each([...DESKTOP_STYLES])('[PNT64] has its sign at the other side of a mirrored field: %s', (style) => {
    const metrics = styleMetrics(style)
    const [plain, mirrored] = [false, true].map((isMirrored) => fieldTextOf('SearchBox', metrics, isMirrored))
    const sides = [plain?.before, plain?.after]
    expect([mirrored?.after, mirrored?.before]).toEqual(sides)
    expect(sides.filter((side) => side !== undefined)).toHaveLength(metrics.control.searchSign === undefined ? 0 : 1)
    const scenario = {
      name: 'find',
      style,
      states: {
        only: {
          windows: [
            { uid: 'w', tree: { role: 'Window', children: [{ id: 'find', role: 'SearchBox', name: 'Find' }] } },
          ],
        },
      },
    }
    const opened = openDesktop({ scenario: JSON.stringify(scenario), variant: { locale: 'mirrored' } })
    expect(find(opened.computer.run.desktop, 'find').traits?.fieldText).toEqual(mirrored)
  })
})

describe('a tree', () => {
  it('[PNT65] has the surface of its window or one of its own', () => {
    const backs = DESKTOP_STYLES.map((style) => pixelAt(shown(element('Tree', 'T', { bounds: place }), style), 150, 90))
    const surface = channelsOf(themeOf('windows', 'light').window.surface)
    expect(backs[DESKTOP_STYLES.indexOf('windows')]).toEqual([...surface])
    expect(backs[DESKTOP_STYLES.indexOf('gnome')]).toEqual([...channelsOf('#ebebed')])
  })
})

describe('an icon', () => {
  it('[PNT96] is a line in styles with line icons', () => {
    const isFilled = (style: DesktopStyle) => {
      const item = listItem('Post', { bounds: place, traits: { icon: 'folder' } })
      const on = shown(list('L', { bounds: place }, item), style)
      // The middle of the folder, and the row beside it.
      return `${pixelAt(on, place.x + 18, place.y + 31)}` !== `${pixelAt(on, place.x + 200, place.y + 31)}`
    }
    expect(DESKTOP_STYLES.map(isFilled)).toEqual(DESKTOP_STYLES.map((style) => !themeOf(style).hasLineIcons))
  })
})

describe('a table', () => {
  it('[PNT66] has no frame where it fills its parent', () => {
    const frameOf = (style: DesktopStyle, table: ReturnType<typeof rect>) => {
      const inside = shown(element('Pane', 'P', { bounds: place }, element('Table', 'T', { bounds: table })), style)
      const middle = table.x + table.width / 2
      const isLine = (x: number, y: number) => `${pixelAt(inside, x, y)}` !== `${pixelAt(inside, middle, 90)}`
      return { atTop: isLine(middle, place.y), atSide: isLine(table.x, 90) }
    }
    const of = (style: DesktopStyle) => [frameOf(style, place), frameOf(style, { ...place, width: 200 })]
    for (const style of ['gnome', 'macos'] as const)
      expect(of(style)).toEqual([
        { atTop: false, atSide: true },
        { atTop: true, atSide: true },
      ])
    for (const style of ['backlot', 'windows'] as const) expect(of(style)[0]).toEqual({ atTop: true, atSide: true })
  })
})

describe('a table of the style macos', () => {
  it('[PNT67] has stripes below its last row', () => {
    const { table: height } = styleMetrics('macos').row
    const area = rect(20, 60, 300, 26 + 4 * height)
    const line = (index: number) => rect(area.x, area.y + 26 + index * height, area.width, height)
    const table = (rows: number, ...more: Parameters<typeof element>[]) =>
      element(
        'Table',
        'T',
        { bounds: area },
        element('Header', 'H', { bounds: { ...line(0), y: area.y, height: 26 } }),
        ...Array.from({ length: rows }, (_, index) => element('Row', '', { bounds: line(index) })),
        ...more.map((each) => element(...each)),
      )
    const stripesOf = (inside: ReturnType<typeof table>, count: number) => {
      const picture = shown(element('Pane', 'P', { bounds: area }, inside), 'macos')
      const colour = (index: number) => `${pixelAt(picture, area.x + 40, line(index).y + height / 2)}`
      return Array.from({ length: count }, (_, index) => colour(index) !== colour(1))
    }
    const alternate = [true, false, true, false]
    for (const rows of [0, 1, 2]) expect(stripesOf(table(rows), 4)).toEqual(alternate)
    const totals = ['Row', 'Total', { bounds: line(2), traits: { summary: true } }] as const
    expect(stripesOf(table(1, [...totals]), 2)).toEqual([true, false])
  })
})

describe('an unread row of a table', () => {
  const table = (isUnread: boolean) => {
    const cells = (['start', 'end'] as const).map((align, index) =>
      element('Cell', 'Column', {
        value: 'Wwwww',
        bounds: rect(40 + index * 100, 60, 100, 30),
        traits: { align, ...(isUnread && { unread: true }) },
      }),
    )
    const traits = isUnread ? { traits: { unread: true } } : {}
    return element(
      'Table',
      'T',
      { bounds: place },
      element('Row', 'R', { bounds: rect(20, 60, 300, 30), ...traits }, ...cells),
    )
  }
  const inkIn = (style: DesktopStyle, isUnread: boolean, area: ReturnType<typeof rect>) => {
    const pixels = painter.area(shown(table(isUnread), style), area).pixels()
    return pixels.reduce((sum, value) => sum + 255 - value, 0)
  }

  it.each([...DESKTOP_STYLES])('[PNT53] has an accent dot before its bold cells: %s', (style) => {
    const accent = [...channelsOf(themeOf(style, 'light').accent)]
    expect(pixelAt(shown(table(true), style), 33, 75)).toEqual(accent)
    expect(pixelAt(shown(table(false), style), 33, 75)).not.toEqual(accent)
    const first = rect(44, 61, 90, 27)
    expect(inkIn(style, true, first)).toBeGreaterThan(inkIn(style, false, first))
  })

  it('[PNT53] has the dot after the header of its row', () => {
    const header = element('RowHeader', '1', { bounds: rect(20, 60, 48, 30) })
    const cell = element('Cell', 'C', { value: 'x', bounds: rect(84, 60, 100, 30), traits: { unread: true } })
    const line = element('Row', 'R', { bounds: rect(20, 60, 300, 30), traits: { unread: true } }, header, cell)
    const on = shown(element('Table', 'T', { bounds: place }, line))
    const accent = [...channelsOf(themeOf('backlot', 'light').accent)]
    expect(pixelAt(on, 33 + 48, 75)).toEqual(accent)
  })

  it('[PNT54] has values at its end in the accent colour in some styles only', () => {
    const last = rect(144, 61, 90, 27)
    const marked = DESKTOP_STYLES.filter((style) => inkIn(style, true, last) !== inkIn(style, false, last))
    expect(marked).toEqual(DESKTOP_STYLES.filter((style) => themeOf(style).hasMarkedValues))
  })

  it('[PNT55] has soft dates at its end, but not soft numbers, in styles with soft values', () => {
    const inkOf = (style: DesktopStyle, value: string, align: 'start' | 'end') => {
      const cell = element('Cell', 'Column', { value, bounds: rect(40, 60, 100, 30), traits: { align } })
      const line = element('Row', 'R', { bounds: rect(20, 60, 300, 30) }, cell)
      const pixels = painter
        .area(shown(element('Table', 'T', { bounds: place }, line), style), rect(41, 62, 98, 25))
        .pixels()
      return Math.min(...pixels.filter((_, index) => index % 4 === 0))
    }
    const isSoft = (value: string) =>
      DESKTOP_STYLES.filter((style) => inkOf(style, value, 'end') > inkOf(style, value, 'start') + 20)
    expect(isSoft('MMM')).toEqual(DESKTOP_STYLES.filter((style) => themeOf(style).hasSoftValues))
    expect(isSoft('1,111')).toEqual([])
  })
})

describe('an item of an open menu', () => {
  it('[PNT56] shows its icon in styles with menu icons, and its check mark in all', () => {
    const inks = (style: DesktopStyle, traits: object, selected: boolean) => {
      const item = element('MenuItem', 'Print', { bounds: rect(20, 60, 160, 24), selected, traits })
      const open = element('Menu', 'Menu', { bounds: rect(20, 30, 100, 24), expanded: true }, item)
      return painter
        .area(shown(open, style), rect(20, 60, 26, 24))
        .pixels()
        .join()
    }
    const shows = (traits: object, selected: boolean) =>
      DESKTOP_STYLES.filter((style) => inks(style, traits, selected) !== inks(style, {}, false))
    expect(shows({ icon: 'print' }, false)).toEqual(DESKTOP_STYLES.filter((style) => themeOf(style).hasMenuIcons))
    expect(shows({}, true)).toEqual([...DESKTOP_STYLES])
  })
})

describe('the shortcut of an item of an open menu', () => {
  const shortcutsIn = (style: DesktopStyle, keys: readonly string[]): readonly string[] => {
    const items = keys.map((keyboardShortcut, index) =>
      element('MenuItem', 'Do', { bounds: rect(20, 60 + index * 24, 300, 24), keyboardShortcut }),
    )
    const open = element('Menu', 'Menu', { bounds: rect(20, 30, 100, 24), expanded: true }, ...items)
    return wordsOf(shown(open, style)).filter((text) => !['Do', 'Menu'].includes(text))
  }

  it('[PNT57] has signs in macos, and is as written in the other styles', () => {
    const written = ['Ctrl+Q', 'shift+cmd+alt+ctrl+s', 'Enter', 'Del']
    for (const style of DESKTOP_STYLES)
      expect(shortcutsIn(style, written)).toEqual(style === 'macos' ? ['⌃Q', '⌃⌥⇧⌘S', '↩', '⌦'] : written)
  })

  it('[PNT57] has a word for a key without a sign, and stays as it is if it is no chord', () => {
    expect(shortcutsIn('macos', ['Ctrl+F5', 'Space', 'Ctrl+,', 'Ctrl+Hmm'])).toEqual(['⌃F5', 'Space', '⌃,', 'Ctrl+Hmm'])
  })

  it('[PNT57] has glyphs in the fonts of the package', () => {
    const { modifiers, keys } = styleMetrics('macos').popup.keySigns!
    expect(charactersWithoutGlyph([...modifiers.map(([, sign]) => sign), ...Object.values(keys)].join(''))).toEqual([])
  })
})

describe('tabs in the band of a title', () => {
  const scenario = `
name: settings
style: macos
states:
  all:
    windows:
      - uid: settings
        title: Settings
        bounds: {x: 20, y: 40, width: 400, height: 300}
        tree:
          role: Window
          children:
            - role: Tab
              grow: 1
              children:
                - {id: one, role: TabItem, name: One, icon: user, selected: true}
                - {id: two, role: TabItem, name: Two, icon: pencil, selected: false}
                - {role: Pane, name: One, children: [{role: Text, name: Page}]}
            - role: Pane
              layout: {arrange: row}
              children: [{role: Button, name: OK, presses: enter}, {role: Button, name: Cancel, presses: escape}]`

  it('[PNT68] have the colour of the title, an icon above each name, and the accent on the chosen one', () => {
    const on = openDesktop({ scenario }).computer.run.desktop
    const { accent, muted, window: chrome } = themeOf('macos')
    const [one, two] = [find(on, 'one').bounds, find(on, 'two').bounds]
    expect(pixelAt(on, 40, one.y + 20)).toEqual([...channelsOf(chrome.title)])
    expect(pixelAt(on, 40, one.y + one.height + 8)).toEqual([...channelsOf(chrome.surface)])
    const inked = ({ x, y, width }: typeof one, half: 0 | 1, colour: string) => {
      const [red, green, blue] = channelsOf(colour)
      const pixels = painter.area(on, rect(x, y + 4 + half * 22, width, 20)).pixels()
      let count = 0
      for (let at = 0; at < pixels.length; at += 4)
        if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) count++
      return count
    }
    for (const half of [0, 1] as const) {
      expect(inked(one, half, accent)).toBeGreaterThan(0)
      expect(inked(two, half, accent)).toBe(0)
      expect(inked(two, half, muted)).toBeGreaterThan(0)
    }
    expect(pixelAt(on, one.x + 4, one.y + 10)).not.toEqual(pixelAt(on, two.x + 4, two.y + 10))
  })
})

describe('a badge', () => {
  it.each([...DESKTOP_STYLES])('[PNT49] stands after the name of a button or tab: %s', (style) => {
    const pressed = shown(button('Inbox', { bounds: place, traits: { badge: '12' } }), style)
    expect(wordsOf(pressed)).toEqual(['Inbox', '12'])
    const page = tabItem('Unread', { bounds: rect(20, 60, 120, 40), traits: { badge: '9' } })
    const tabbed = shown(tab('Pages', { bounds: place }, page), style)
    const [name, count] = painter.screen(tabbed).text!
    expect([name!.text, count!.text]).toEqual(['Unread', '9'])
    expect(count!.bounds.x).toBeGreaterThan(name!.bounds.x + name!.bounds.width)
  })

  it.each([...DESKTOP_STYLES])('[PNT49] is a dot at the corner of an icon: %s', (style) => {
    const bell = { icon: 'bell', iconOnly: true, badge: 'dot' }
    const on = shown(button('Bell', { bounds: rect(20, 60, 32, 32), traits: bell }), style)
    const { badge } = themeOf(style).controls
    expect(wordsOf(on)).toEqual([])
    expect(pixelAt(on, 46, 67)).toEqual([...channelsOf(badge)])
  })

  it('[PNT50] is a disc in the rows of some styles and a text in those of others', () => {
    const row = list('L', { bounds }, listItem('Ana', { bounds: rect(2, 60, 300, 28), traits: { badge: '4' } }))
    const hasDisc = (style: DesktopStyle) => {
      const on = shown(row, style)
      const { badge } = themeOf(style).controls
      const count = painter.screen(on).text!.find(({ text }) => text === '4')!
      return JSON.stringify(pixelAt(on, count.bounds.x - 3, 74)) === JSON.stringify([...channelsOf(badge)])
    }
    expect(DESKTOP_STYLES.filter(hasDisc)).toEqual(DESKTOP_STYLES.filter((style) => themeOf(style).hasCountDiscs))
  })
})

describe('the selected item of a tree', () => {
  const folder = (style: DesktopStyle, selected: boolean, enabled = true) => {
    const traits = { icon: 'inbox', badge: 'Newest' }
    const item = treeItem('Inbox', { bounds: rect(2, 60, 300, 34), selected, enabled, traits })
    return shown(treeView('Folders', { bounds }, item), style)
  }

  it('[PNT51] is marked in windows alone: bold, with its count and icon in the accent colour', () => {
    const widths = (style: DesktopStyle, selected: boolean) =>
      painter.screen(folder(style, selected)).text!.map(({ bounds: { width } }) => width)
    for (const style of DESKTOP_STYLES) {
      const wider = widths(style, true).map((width, at) => width > widths(style, false)[at]!)
      const isMarked = themeOf(style).selectedBranch !== undefined
      expect([style, wider]).toEqual([style, [isMarked, isMarked]])
    }
    const { accent } = themeOf('windows')
    const hasAccent = (on: ReturnType<typeof shown>, area: ReturnType<typeof rect>) => {
      const wanted = channelsOf(accent).join()
      const pixels = painter.area(on, area).pixels()
      return Array.from({ length: pixels.length / 4 }, (_, at) => pixels.slice(4 * at, 4 * at + 4).join()).includes(
        wanted,
      )
    }
    const count = (on: ReturnType<typeof shown>) => painter.screen(on).text!.at(-1)!.bounds
    for (const [selected, enabled] of [
      [true, true],
      [false, true],
      [true, false],
    ] as const) {
      const on = folder('windows', selected, enabled)
      const areas = [count(on), rect(20, 60, 24, 34)]
      expect(areas.map((area) => hasAccent(on, area))).toEqual([selected && enabled, selected && enabled])
    }
  })
})

describe('an item', () => {
  const item = (unread: boolean) =>
    listItem('Ana', {
      bounds: rect(2, 60, 300, 68),
      value: '11:40',
      traits: { unread, subtitle: 'Lunch\nOn Friday' },
    })

  it.each([...DESKTOP_STYLES])('[PNT52] shows its name, its value and its lines below: %s', (style) => {
    const runs = painter.screen(shown(list('L', { bounds }, item(true)), style)).text!
    expect(runs.map(({ text }) => text)).toEqual(['Ana', '11:40', 'Lunch', 'On Friday'])
    const [name, value, first, second] = runs.map(({ bounds: at }) => at)
    expect(value!.x).toBeGreaterThan(name!.x + name!.width)
    expect(first!.y).toBeGreaterThan(name!.y + 12)
    expect(second!.y).toBeGreaterThan(first!.y + 12)
    expect([first!.x, second!.x]).toEqual([name!.x, name!.x])
  })

  it('[PNT52] has a dot while it is unread', () => {
    const [on, off] = [true, false].map((unread) => shown(list('L', { bounds }, item(unread))))
    const { accent } = themeOf()
    expect(pixelAt(on!, 16, 94)).toEqual([...channelsOf(accent)])
    expect(pixelAt(off!, 16, 94)).not.toEqual([...channelsOf(accent)])
  })
})

it.each(
  DESKTOP_STYLES.flatMap((style) =>
    ['Button', 'Edit', 'CheckBox', 'ComboBox', 'Slider'].map((role) => [role, style] as const),
  ),
)('[PNT24] a disabled %s does not show that it has the focus: %s', (role, style) => {
  const look = (states: object) =>
    Buffer.from(painter.screen(shown(element(role, 'Go', { bounds: place, ...states }), style)).pixels())
  const rest = look({ enabled: false })
  expect(look({ enabled: false, focused: true }).equals(rest)).toBe(true)
  expect(look({ focused: true }).equals(look({}))).toBe(false)
})

describe('a button', () => {
  it.each([...DESKTOP_STYLES])('[PNT58] is filled if it is primary: %s', (style) => {
    const look = (traits: object) => painter.screen(shown(button('Go', { bounds: place, traits }), style)).pixels()
    expect(Buffer.compare(look({ look: 'primary' }), look({ presses: 'enter' }))).toBe(0)
    expect(Buffer.compare(look({ look: 'primary' }), look({}))).not.toBe(0)
  })

  it.each([...DESKTOP_STYLES])('[PNT58] has colours of its own if it is destructive: %s', (style) => {
    const looks = [{}, { look: 'destructive' as const }, { look: 'primary' as const }, { look: 'flat' as const }]
    const pictures = looks.map((traits) =>
      painter.screen(shown(button('Go', { bounds: place, traits }), style)).pixels(),
    )
    expect(new Set(pictures.map((each) => Buffer.from(each).toString('base64'))).size).toBe(looks.length)
  })

  it('[PNT59] shows its lines if it is a card', () => {
    const traits = { look: 'card', subtitle: '48 kB', icon: 'file' } as const
    const runs = painter.screen(shown(button('figures.xlsx', { bounds: place, traits }))).text!
    expect(runs.map(({ text }) => text)).toEqual(['figures.xlsx', '48 kB'])
    expect(runs[0]!.bounds.x).toBe(runs[1]!.bounds.x)
    expect(runs[0]!.bounds.x).toBeLessThan(80)
  })

  it('[PNT60] [PNT61] is plain in the bands of a web page, which has no frame', () => {
    const link = element('Hyperlink', 'Cart', { bounds: rect(20, 60, 60, 24) })
    const shade = (on: ReturnType<typeof shown>) => new Set(painter.area(on, rect(20, 79, 60, 4)).pixels()).size
    const page = (look: 'header' | 'footer' | undefined, focused = false) =>
      shown(
        element(
          'Document',
          'Shop',
          { bounds: rect(0, 0, 400, 200), focused, traits: { look: 'page' } },
          element('Pane', '', { bounds: rect(0, 40, 400, 60), ...(look && { traits: { look } }) }, link),
        ),
      )
    expect([shade(page(undefined)) > 3, shade(page('header'))]).toEqual([true, 1])
    expect(pixelAt(page('header'), 200, 50)).toEqual(pixelAt(page('header'), 200, 150))
    expect(pixelAt(page('footer'), 200, 50)).not.toEqual(pixelAt(page('footer'), 200, 150))
    expect(pixelAt(page('header', true), 0, 150)).toEqual(pixelAt(page('header'), 0, 150))
  })

  it('[PNT62] has an arrow after its name if it is a step of a path', () => {
    const step = (selected: boolean) =>
      shown(button('Mail', { bounds: rect(20, 60, 80, 30), selected, traits: { look: 'breadcrumb' } }))
    const arrow = (on: ReturnType<typeof shown>) => painter.area(on, rect(78, 62, 20, 26)).pixels()
    expect(new Set(arrow(step(true))).size).toBeLessThan(6)
    expect(new Set(arrow(step(false))).size).toBeGreaterThan(6)
  })
})

describe('behind a modal dialog', () => {
  const rest = { bounds: rect(0, 0, 400, 200), frame: 'none' } as const
  const ask = { uid: 'ask', modalTo: 'main', bounds: rect(200, 50, 100, 100) }
  const inWindow = element('Dialog', 'Sure?', { bounds: rect(200, 50, 100, 100) })
  const screen = (style: DesktopStyle, ...windows: readonly Draft[]) =>
    desktop({ monitors: [monitor(bounds)], style }, window('Main', { uid: 'main', ...rest }, ...windows))

  it('[PNT77] no scrim lies on the window in high contrast', () => {
    for (const style of DESKTOP_STYLES)
      expect([style, themeOf(style, 'high-contrast').scrim]).toEqual([style, undefined])
  })

  it('[PNT77] [PNT78] a scrim lies on the window, in styles with one', () => {
    for (const style of DESKTOP_STYLES) {
      const [plain] = pixelAt(screen(style), 60, 100)
      const [behind] = pixelAt(screen(style, inWindow), 60, 100)
      const modal = desktop(
        { monitors: [monitor(bounds)], style },
        window('Ask', ask),
        window('Main', { uid: 'main', ...rest }),
      )
      const [below] = pixelAt(modal, 60, 100)
      const hasScrim = themeOf(style).scrim !== undefined
      expect([style, behind! < plain!, below! < plain!]).toEqual([style, hasScrim, hasScrim && style !== 'windows'])
    }
  })
})

describe('a notification', () => {
  const TEXTS = [
    'غداء يوم الجمعة؟ نعم، يفتح المطعم الجديد ظهرًا.',
    'Lunch on Friday? The place opens at noon.',
    'Freitag gemeinsam essen? Das Lokal öffnet.',
    'שלום! נפתחה מסעדה חדשה ליד המשרד שלנו.',
    'Freitag gemeinsam Mittag essen? Das neue Lokal öffnet um zwölf Uhr.',
  ]

  it.each<DesktopStyle>(['windows', 'macos'])('[PNT86] has as many lines as it has room for: %s', (style) => {
    const { banner } = styleMetrics(style).notification
    expect(themeOf(style).type.second.size).toBe(banner!.text)
    for (const toast of TEXTS) {
      const opened = openDesktop({ scenario: noted(style, toast) })
      opened.clock.advance(1)
      const { desktop: on } = opened.computer.run
      const window = on.windows.find(({ notification }) => notification)!
      const area = window.tree.traits!.banner!.words
      const { text = [] } = painter.window(on, window.uid)
      const inside = text.filter(({ bounds: { y, height } }) => y + height / 2 > area.y && y < area.y + area.height)
      const lines = inside.filter((line) => line.text !== 'now')
      expect(lines.map((line) => line.text.trim()).join(' ')).toBe(`Ana ${toast}`)
      expect([toast, lines.length]).toEqual([toast, area.height / banner!.line])
    }
  })
})

const noted = (style: DesktopStyle, toast: string): string => `
name: noted
style: ${style}
timers: [{after_ms: 1, set: [{toast: ${JSON.stringify(toast)}, title: Ana, icon: mail}]}]
states: {only: {windows: [{uid: main, tree: {role: Window, name: Main, children: [{role: Text, name: Main}]}}]}}
`
