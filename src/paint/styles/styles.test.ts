import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hitTest } from '../../desktop/hit.ts'
import { centerOf, encloses, type Rect } from '../../desktop/model/geometry.ts'
import { DEFAULT_STYLE, DESKTOP_STYLES, SHELL_STYLES, styleMetrics } from '../../desktop/style/style.ts'
import { frameOf } from '../../desktop/windows/frame.ts'
import { panelAt } from '../../desktop/windows/panel.ts'
import { openDesktop } from '../../testing.ts'
import { visibleAreas } from '../annotations/areas.ts'
import { channelsOf } from '../colour.ts'
import { contrastRatio } from '../lint/lint-window.ts'
import { themeOf } from './styles.ts'

// Rules such as [PS1] are stated in README.md beside this file.

type Rgb = readonly [red: number, green: number, blue: number]

/** A colour over an opaque one. */
function over(colour: string, below: Rgb): Rgb {
  const [red = 0, green = 0, blue = 0, alpha = 255] = channelsOf(colour)
  const mix = (one: number, other: number) => Math.round((one * alpha + other * (255 - alpha)) / 255)
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2])]
}

const contrastOf = (one: Rgb, other: Rgb): number => {
  const [a, b] = [one, other].map(([red, green, blue]) => red | (green << 8) | (blue << 16)) as [number, number]
  return contrastRatio(a, b)
}

const GUIDE = readFileSync(new URL('../../../docs/styles.md', import.meta.url), 'utf8')

it('[PS5] every style but the default has a shell', () => {
  expect(SHELL_STYLES).toEqual(DESKTOP_STYLES.filter((style) => style !== DEFAULT_STYLE))
})

it.each(SHELL_STYLES)('the style %s has a section in the guide', (style) => {
  expect(GUIDE.split('\n').filter((line) => line === `## ${style}`)).toHaveLength(1)
})

describe.each(DESKTOP_STYLES)('the style %s', (style) => {
  it('[PS1] shows of each element what clicks hit', () => {
    for (const scenario of ['showcase', 'inbox']) {
      const { desktop } = openDesktop({ scenario, style }).computer.run
      const areas = visibleAreas(desktop)
      expect(areas.length).toBeGreaterThan(10)
      for (const { element, path, window, parts } of areas)
        for (const { x, y, width, height } of parts)
          for (const at of [
            { x, y },
            { x: x + width - 1, y: y + height - 1 },
          ]) {
            const hit = panelAt(desktop, at) ? undefined : hitTest(desktop, at)
            const isHit =
              hit &&
              'path' in hit &&
              hit.window.uid === window &&
              path.every((index, depth) => hit.path[depth] === index)
            expect(isHit, `${element.id} at ${at.x},${at.y}`).toBe(true)
          }
    }
  })

  it('[PS2] has a contrast of 7 in every text colour in high contrast', () => {
    const { text, muted, disabled, link, onAccent, accent, ...rest } = themeOf(style, 'high-contrast')
    const white: Rgb = [255, 255, 255]
    const surface = over(rest.window.surface, white)
    for (const back of [
      rest.window.surface,
      rest.field,
      rest.fieldDisabled,
      rest.buttonDisabled,
      rest.raised,
      rest.bar,
    ]) {
      const below = over(back, surface)
      for (const ink of [text, muted, disabled, link])
        expect(contrastOf(over(ink, below), below), `${ink} on ${back}`).toBeGreaterThanOrEqual(7)
    }
    const filled = over(accent, surface)
    expect(contrastOf(over(onAccent, filled), filled)).toBeGreaterThanOrEqual(7)
  })

  it('[PS4] has colours of a shell exactly if its metrics have a shell', () => {
    for (const name of ['light', 'dark', 'high-contrast'] as const) {
      const { metrics, shell } = themeOf(style, name)
      expect([name, shell?.launcher, shell?.bars]).toEqual([name, metrics.shell?.launcher, metrics.shell?.bars])
    }
  })

  it('[PS1] paints the title bar inside the title bar', () => {
    const { desktop } = openDesktop({ scenario: 'form', style }).computer.run
    const [window] = desktop.windows
    const frame = frameOf(window!, styleMetrics(style))!
    for (const theme of (['light', 'dark', 'high-contrast'] as const).map((name) => themeOf(style, name)))
      for (const active of [true, false])
        for (const { bounds: ink } of theme.chrome.titleBar(window!, theme, active)) {
          expect(ink.y + ink.height).toBeLessThanOrEqual(frame.title.y + frame.title.height)
          expect(ink.x + ink.width).toBeLessThanOrEqual(frame.title.x + frame.title.width)
        }
  })
})

it.each(DESKTOP_STYLES.filter((style) => styleMetrics(style).bar.hasMore))(
  '[PS1] shows of a menu of tools what clicks hit, in the style %s',
  async (style) => {
    const tools = ['New', 'Open', 'Save'].map((name) => `{id: ${name}, role: Button, name: ${name} a document}`)
    const desk = openDesktop({
      scenario: `style: ${style}\npanel: true\nstates:\n  a:\n    windows:\n      - {bounds: {x: 50, y: 50, width: 240, height: 300}, tree: {role: Window, children: [{role: Text, name: Above}, {id: bar, role: ToolBar, children: [${tools}]}]}}`,
    })
    await desk.locator('Button "More"').click()
    const { desktop } = desk.computer.run
    const items = visibleAreas(desktop).filter(({ element }) => element.traits?.inMore)
    expect(items.length).toBeGreaterThan(0)
    for (const { element, parts } of items)
      for (const part of parts) {
        const hit = hitTest(desktop, centerOf(part))
        expect(hit && 'element' in hit && hit.element.id).toBe(element.id)
      }
  },
)

it.each(['gnome', 'macos'] as const)('paints a band of a title and tools as a title bar, in the style %s', (style) => {
  const { desktop } = openDesktop({ scenario: 'inbox', style }).computer.run
  const window = desktop.windows.find(({ uid }) => uid === 'mail')!
  const { title, buttons, room } = frameOf(window, styleMetrics(style))!
  const partAt = (at: Rect) => {
    const hit = hitTest(desktop, centerOf(at))!
    return 'part' in hit ? hit.part : hit.element.id
  }
  const forward = window.tree.children[0]!.children.find(({ id }) => id === 'forward')!
  expect([partAt(forward.bounds), partAt(room!), ...Object.values(buttons).map(partAt)]).toEqual([
    'forward',
    'title',
    ...Object.values(buttons).map(() => 'title'),
  ])
  expect(encloses(title, forward.bounds)).toBe(true)
})

it('[PS6] is backlot in light colours by default', () => {
  expect(themeOf()).toBe(themeOf('backlot', 'light'))
  expect(themeOf(undefined, 'dark')).toBe(themeOf('backlot', 'dark'))
})
