import { describe, expect, it } from 'vitest'
import { apply } from '../../desktop/apply/apply.ts'
import { hitTest } from '../../desktop/hit.ts'
import { button, desktop, edit, rect, window } from '../../desktop/model/builders.ts'
import { changeWindow, type Desktop, windowByUid } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, pathOf, walk } from '../../desktop/model/element.ts'
import { centerOf, contains, encloses } from '../../desktop/model/geometry.ts'
import { appKindOf } from '../../desktop/model/pictures.ts'
import { withShell } from '../../desktop/shell/shell.ts'
import { type DesktopStyle, SHELL_STYLES } from '../../desktop/style/style.ts'
import { visibleAreas } from '../annotations/areas.ts'
import { windowLayer } from '../desktop-layers.ts'
import { createPainter } from '../painter.ts'
import type { Picture } from '../picture.ts'
import { themeOf } from '../styles/styles.ts'

const SHADES = ['light', 'dark', 'high-contrast'] as const

const shown = (style: DesktopStyle): Desktop =>
  withShell({
    ...desktop(
      { files: { '/home/ada/Desktop/plan.txt': 'Plan', '/home/ada/Desktop/Photos': null } },
      window('Inbox', { uid: 'inbox', bounds: rect(400, 200, 400, 300) }, button('Save'), edit('To', { id: 'to' })),
      window('Files', { uid: 'files', bounds: rect(500, 300, 400, 300) }),
    ),
    panel: true,
    nowMs: Date.UTC(2024, 2, 12, 14, 5),
    style,
    apps: [
      { id: 'mail', name: 'Mail', icon: 'mail', windows: ['inbox'] },
      { id: 'chess', name: 'Chess', icon: 'window', windows: [] },
    ],
  })

const press = (on: Desktop, keys: string): Desktop => apply(on, { type: 'key', keys }, { isInteractive: true })
const pictureOf = (on: Desktop, theme: (typeof SHADES)[number] = 'light') => createPainter({ theme }).screen(on)

/** The number of pixels that differ inside an area, and outside it. */
function differences(a: Picture, b: Picture, area: Element['bounds']): { inside: number; outside: number } {
  const [before, after] = [new Uint32Array(a.pixels().buffer), new Uint32Array(b.pixels().buffer)]
  const found = { inside: 0, outside: 0 }
  for (let at = 0; at < before.length; at++)
    if (before[at] !== after[at])
      found[contains(area, { x: at % a.width, y: Math.floor(at / a.width) }) ? 'inside' : 'outside']++
  return found
}

describe('the shell', () => {
  it('[SL1] is visible where it is hit', () => {
    for (const style of SHELL_STYLES)
      for (const on of [shown(style), press(shown(style), 'meta')]) {
        const areas = visibleAreas(on)
        expect(areas.some((area) => area.window.startsWith('shell:'))).toBe(true)
        for (const { window: uid, element, parts } of areas.filter((area) => area.window.startsWith('shell:')))
          for (const part of parts) {
            const hit = hitTest(on, centerOf(part))
            expect(hit).toMatchObject({ window: { uid } })
            expect([...walk(element)]).toContain(hit && 'element' in hit ? hit.element : undefined)
          }
        for (const { uid, bounds } of on.shell!.windows) {
          const { width, height } = createPainter().window(on, uid)
          expect({ width, height }).toEqual({ width: bounds.width, height: bounds.height })
        }
      }
  })

  it('[SL2] paints each button inside its bounds', () => {
    for (const style of SHELL_STYLES) {
      const on = shown(style)
      const picture = pictureOf(on)
      for (const { uid, tree } of on.shell!.windows.filter(({ shell }) => shell === 'bar'))
        for (const child of tree.children) {
          const without = changeWindow(on, uid, (each) => ({
            ...each,
            tree: changeAt(each.tree, pathOf(each.tree, child.id)!, (node) => ({
              ...node,
              bounds: rect(-200, -200, 0, 0),
              name: '',
            })),
          }))
          if (child.name === '') continue
          const { inside, outside } = differences(picture, pictureOf(without), child.bounds)
          expect([child.name, inside > 10, outside]).toEqual([child.name, true, 0])
        }
    }
  })

  it('[SL2] is different in each style and shade', () => {
    const pictures = SHELL_STYLES.flatMap((style) =>
      SHADES.map((shade) => pictureOf(shown(style), shade).png().toString('base64')),
    )
    expect(new Set(pictures).size).toBe(9)
  })

  it('[SL3] marks open and active windows', () => {
    for (const style of ['windows', 'macos'] as const) {
      const bar = style === 'windows' ? 'shell:taskbar' : 'shell:dock'
      const on = shown(style)
      const marksOf = (at: Desktop, name: string): readonly string[] => {
        const task = windowByUid(at, bar)!.tree.children.find((child) => child.name === name)!
        const { over: ops } = windowLayer(windowByUid(at, bar)!, themeOf(style), false)
        const own = ops.filter(({ bounds: ink }) => encloses(task.bounds, ink)).map(({ key }) => key)
        return own.filter((key) => key.startsWith('box'))
      }
      expect(marksOf(on, 'Files').length).toBeGreaterThan(marksOf(on, 'Chess').length)
      if (style === 'windows') expect(marksOf(on, 'Inbox').length).toBeGreaterThan(marksOf(on, 'Files').length)
    }
  })

  it('[SL4] draws applications by icon, otherwise by name', () => {
    const area = rect(0, 0, 40, 40)
    const keys = (name: string, icon: string) =>
      themeOf('macos')
        .chrome.appPicture(area, { kind: appKindOf(name, icon), name })
        .map(({ key }) => key)
    expect(keys('Mail', 'mail')).toEqual(keys('Letters', 'mail'))
    expect(keys('Mail', 'mail')).not.toEqual(keys('Files', 'folder'))
    expect(keys('Chess', 'window')).not.toEqual(keys('Draughts', 'window'))
  })

  it('[SL5] is not painted again for a change inside a window', () => {
    const on = apply(
      shown('windows'),
      { type: 'focus', target: { window: 'inbox', element: 'to' }, at: { x: 0, y: 0 } },
      { isInteractive: true },
    )
    const typed = apply(on, { type: 'type', text: 'x' }, { isInteractive: true })
    expect(typed).not.toBe(on)
    for (const { uid } of on.shell!.windows)
      expect(windowLayer(windowByUid(typed, uid)!, themeOf('windows'), false)).toBe(
        windowLayer(windowByUid(on, uid)!, themeOf('windows'), false),
      )
  })

  it('[SL10] shows an open menu of the menu bar above windows', () => {
    const on = changeWindow(shown('macos'), 'inbox', (each) => ({ ...each, bounds: rect(0, 0, 1280, 800) }))
    const { bounds } = [...walk(windowByUid(on, 'shell:menu-bar')!.tree)].find(({ name }) => name === 'Window')!
    const open = apply(on, { type: 'click', at: centerOf(bounds), button: 'left', count: 1 }, { isInteractive: true })
    const menu = [...walk(windowByUid(open, 'shell:menu-bar')!.tree)].find(({ name }) => name === 'Window')!
    const both = { ...bounds, width: menu.traits!.popup!.width, height: bounds.height + menu.traits!.popup!.height }
    const still = { ...open, pointer: on.pointer }
    expect(differences(pictureOf(on), pictureOf(still), both).inside).toBeGreaterThan(1000)
    expect(differences(pictureOf(on), pictureOf(still), bounds).inside).toBeGreaterThan(100)
    expect((pictureOf(still).text ?? []).map(({ text }) => text)).toEqual(expect.arrayContaining(['Zoom', 'Inbox']))
    const rows = visibleAreas(open).filter(({ element }) => menu.children.some(({ id }) => id === element.id))
    expect(rows.map(({ element }) => element.name)).toEqual(['Minimize', 'Zoom', '', 'Inbox', 'Files'])
    for (const { element, parts } of rows)
      expect(hitTest(open, centerOf(parts[0]!))).toMatchObject({ element: { id: element.id } })
  })

  it('[SL11] has its words in the texts of a picture', () => {
    const textsOf = (on: Desktop) => (pictureOf(on).text ?? []).map(({ text }) => text)
    expect(textsOf(shown('windows'))).toEqual(
      expect.arrayContaining(['Search', '14:05', '3/12/2024', 'Photos', 'plan.txt']),
    )
    expect(textsOf(shown('macos'))).toEqual(expect.arrayContaining(['Mail', 'Tue Mar 12  14:05']))
    expect(textsOf(press(shown('gnome'), 'meta'))).toEqual(expect.arrayContaining(['Mail', 'Chess']))
    expect(textsOf(shown('windows')).filter((text) => text === 'plan.txt')).toHaveLength(1)
  })

  it('[SL8] shows the sign of the letters of a keyboard, its code or its language', () => {
    const signsIn = (style: 'windows' | 'gnome', language: string) => {
      const { shell: _, ...bare } = shown(style)
      const texts = pictureOf(withShell({ ...bare, language })).text!.map(({ text }) => text)
      return ['あ', 'JPN', 'DEU', 'ja', 'de'].filter((text) => texts.includes(text))
    }
    expect([signsIn('windows', 'ja'), signsIn('windows', 'de')]).toEqual([['あ'], ['DEU']])
    expect([signsIn('gnome', 'ja'), signsIn('gnome', 'de')]).toEqual([['ja'], ['de']])
  })

  it('[SL7] paints the edges of workspaces, which are no elements, and no dots of a single page', () => {
    const on = press(shown('gnome'), 'meta')
    const { bounds, tree } = windowByUid(on, 'shell:launcher')!
    const dash = tree.children.find(({ id }) => id.startsWith('shell.dash.'))!
    const colourAt = (picture: Picture, x: number, y: number) =>
      new Uint32Array(picture.pixels().buffer)[y * picture.width + x]!
    const [left, middle] = [bounds.x + 10, bounds.x + bounds.width / 2]
    const right = bounds.x + bounds.width - 10
    const side = bounds.y + 160
    for (const shade of ['light', 'dark'] as const) {
      const picture = pictureOf(on, shade)
      const empty = colourAt(picture, bounds.x + 200, side)
      for (const x of [left, right]) expect(colourAt(picture, x, side)).not.toBe(empty)
      for (let x = middle - 40; x < middle + 40; x++) expect(colourAt(picture, x, dash.bounds.y - 16)).toBe(empty)
    }
    for (const x of [left, right])
      expect(hitTest(on, { x, y: side })).toMatchObject({ window: { uid: 'shell:launcher' } })
    expect(tree.children.some((child) => contains(child.bounds, { x: left, y: side }))).toBe(false)
  })

  it('[SL7] paints a dot for each of several pages, the larger for the one that is shown', () => {
    const { shell: _, ...bare } = shown('gnome')
    const apps = Array.from({ length: 13 }, (_, at) => ({ id: `a${at}`, name: `App ${at}`, icon: '', windows: [] }))
    const on = press(withShell({ ...bare, apps }), 'meta')
    const dots = windowByUid(on, 'shell:launcher')!.tree.children.filter(({ id }) => id.startsWith('shell.page.'))
    for (const shade of SHADES) {
      const picture = pictureOf(on, shade)
      const pixels = new Uint32Array(picture.pixels().buffer)
      const [first, second] = dots.map(({ bounds: { x, y, width, height } }) => {
        let lit = 0
        for (let row = y; row < y + height; row++)
          for (let column = x; column < x + width; column++)
            if (pixels[row * picture.width + column] !== pixels[y * picture.width + x]) lit++
        return lit
      })
      expect([dots.length, second! > 20, first! > second!]).toEqual([2, true, true])
    }
  })

  it('[SL9] clips the list of all applications, which has a thumb if it scrolls', () => {
    const withApps = (count: number) => {
      const { shell: _, ...bare } = shown('windows')
      const apps = Array.from({ length: count }, (_, at) => ({
        id: `a${at}`,
        name: `App ${at}`,
        icon: '',
        windows: [],
      }))
      const open = press(withShell({ ...bare, apps }), 'meta')
      const target = { window: 'shell:launcher', element: 'shell.all' }
      return apply(open, { type: 'invoke', target, at: { x: 0, y: 0 } }, { isInteractive: true })
    }
    const listIn = (on: Desktop) =>
      [...walk(windowByUid(on, 'shell:launcher')!.tree)].find(({ id }) => id === 'shell.apps')!
    const { bounds } = listIn(withApps(30))
    const scrolled = apply(withApps(30), { type: 'scroll', clicks: -1, at: centerOf(bounds) }, { isInteractive: true })
    const moved = differences(pictureOf(withApps(30)), pictureOf(scrolled), bounds)
    expect([moved.inside > 1000, moved.outside]).toEqual([true, 0])
    const thumb = { ...bounds, x: bounds.x + bounds.width - 14, width: 14 }
    expect(listIn(withApps(9)).bounds).toEqual(bounds)
    expect(differences(pictureOf(withApps(9)), pictureOf(withApps(30)), thumb).inside).toBeGreaterThan(50)
    expect(differences(pictureOf(withApps(8)), pictureOf(withApps(9)), thumb).inside).toBe(0)
  })

  it('[SL6] completes the name of the first application, as a hint that is no text', () => {
    const typed = (text: string) =>
      apply(press(shown('macos'), 'meta'), { type: 'type', text }, { isInteractive: true })
    const { tree } = windowByUid(typed('che'), 'shell:launcher')!
    const { bounds } = [...walk(tree)].find(({ role }) => role === 'Edit')!
    // Right of three letters. The text of the other picture is in a name too, but not at its start.
    const after = { ...bounds, x: bounds.x + 60, width: bounds.width - 60 }
    expect(differences(pictureOf(typed('che')), pictureOf(typed('hes')), after).inside).toBeGreaterThan(20)
    expect(differences(pictureOf(typed('hes')), pictureOf(typed('ess')), after).inside).toBe(0)
    const texts = (pictureOf(typed('che')).text ?? []).map(({ text }) => text)
    expect([texts.includes('Chess'), texts.includes('ss')]).toEqual([true, false])
  })
})
