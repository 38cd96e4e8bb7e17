import { beforeAll, describe, expect, it } from 'vitest'
import { encloses, intersect, type Rect } from '../../src/desktop/model/geometry.ts'
import type { Picture } from '../../src/paint/picture.ts'
import { waitUntil } from '../support/linux/test-desktop.ts'
import { sharedWindowsDesktop } from '../support/mswindows/shared-windows.ts'
import {
  elementsOf,
  type ProgramWindow,
  type WindowsDesktop,
  type WireElement,
} from '../support/mswindows/windows-desktop.ts'

// Windows, trees and pictures of programs under Wine, over HTTP. Pictures are those of the X server, which Wine draws on.

let desktop: WindowsDesktop
let form: ProgramWindow
beforeAll(async () => {
  desktop = await sharedWindowsDesktop()
  form = await desktop.launchForm()
})

/** Elements as lines: role, name, value and states. */
const lines = (elements: readonly WireElement[]) =>
  elements.map(({ role, name, value, enabled, selected, expanded }) =>
    [
      `${role} "${name}"`,
      ...(value ? [`= ${value}`] : []),
      ...(enabled ? [] : ['disabled']),
      ...(selected === undefined ? [] : [selected ? 'selected' : 'not selected']),
      ...(expanded === undefined ? [] : [expanded ? 'open' : 'closed']),
    ].join(' '),
  )

describe('trees over HTTP', () => {
  it('[MS1] lists the windows with their programs', async () => {
    const { windows } = await desktop.ask('list_windows')
    expect(windows).toMatchObject([
      { window_uid: form.uid, title: 'Form', process: 'form.exe', focused: true, bounds: { x: 40, y: 30 } },
    ])
    expect(form.uid).toBe(`win:${windows[0].pid}:${windows[0].handle}`)
  })

  it('[MS2] of a form have roles, names, values and states', async () => {
    const tree = await form.tree()
    const shown = lines(elementsOf(tree))
    expect(shown).toEqual(
      expect.arrayContaining([
        'MenuItem "File" closed',
        'Button "Wrap" selected',
        'Button "Quit" disabled',
        'Edit "First name"',
        'ComboBox "Colour" = Red closed',
        'ListItem "Red" selected',
        'ComboBox "City" = Zürich closed',
        'CheckBox "Agree" not selected',
        'Group "Size"',
        'RadioButton "Small" selected',
        'RadioButton "Large" not selected',
        'Button "Forbidden" disabled',
        'Button "Greet"',
        'Document "Notes" = One\nTwo é\nThree',
        'ListItem "Pêche" selected',
        'ListItem "桃" not selected',
        'TreeItem "Home" selected open',
        'TreeItem "Documents" not selected closed',
        'TreeItem "Téléchargements" not selected',
        'DataItem "photo.png" = checked not selected',
        'DataItem "notes.md" = unchecked selected',
        'Cell "Picture"',
        'HeaderItem "Size"',
        'TabItem "General" selected',
        'TabItem "Détails" not selected',
        'Text "ready"',
        'Text "Ln 1, Col 1"',
      ]),
    )
    const numbers = elementsOf(tree).filter((element) => 'value_now' in element)
    expect(numbers.map((element) => ({ ...element, children: 0 }))).toMatchObject([
      { role: 'Spinner', name: 'Count', value_now: 5, value_min: 0, value_max: 100 },
      { role: 'Slider', name: 'Volume', value_now: 3, value_min: 0, value_max: 10 },
      { role: 'ProgressBar', name: 'Progress', value_now: 40, value_min: 0, value_max: 100 },
    ])
    expect(JSON.stringify(tree)).not.toContain('secret')
  })

  it('[MS2] of notepad, regedit and winecfg have their controls', async () => {
    const notepad = await desktop.launch(/Notepad$/, 'notepad')
    expect(lines(elementsOf(await notepad.tree()))).toEqual([
      'Window "Untitled - Notepad"',
      'MenuBar ""',
      ...['File', 'Edit', 'Search', 'View', 'Help'].map((name) => `MenuItem "${name}" closed`),
      'Document ""',
      'StatusBar "Ln 1, Col 1"',
      'Text "Ln 1, Col 1"',
    ])
    await notepad.end()
    const regedit = await desktop.launch(/^Registry Editor$/, 'regedit')
    expect(lines(elementsOf(await regedit.tree()))).toEqual(
      expect.arrayContaining([
        'MenuItem "Favorites" closed',
        'TreeItem "My Computer" selected open',
        'TreeItem "HKEY_CURRENT_USER" not selected closed',
        'HeaderItem "Type"',
      ]),
    )
    await regedit.end()
    const winecfg = await desktop.launch(/^Wine configuration$/, 'winecfg')
    expect(lines(elementsOf(await winecfg.tree()))).toEqual(
      expect.arrayContaining([
        'Dialog "Wine configuration"',
        'Group "Application settings"',
        'ListItem "Default Settings" selected',
        'Button "Remove application" disabled',
        'ComboBox "Windows Version" = Windows 10 closed',
        'TabItem "Applications" selected',
        'TabItem "Drives" not selected',
      ]),
    )
    await winecfg.end()
  })
})

/** A function that returns the colour of a pixel. */
function coloursOf(picture: Picture) {
  const pixels = picture.pixels()
  return (x: number, y: number): number => {
    const at = (y * picture.width + x) * 4
    return (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!
  }
}

/** The smallest rectangle around the pixels of an area that satisfy a condition. */
function boxOf({ x, y, width, height }: Rect, holds: (x: number, y: number) => boolean): Rect | undefined {
  const columns: number[] = []
  const rows: number[] = []
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++)
      if (holds(column, row)) {
        columns.push(column)
        rows.push(row)
      }
  if (columns.length === 0) return undefined
  const [left, top] = [columns.reduce((a, b) => Math.min(a, b)), rows.reduce((a, b) => Math.min(a, b))]
  const [right, bottom] = [columns.reduce((a, b) => Math.max(a, b)), rows.reduce((a, b) => Math.max(a, b))]
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

const SCREEN: Rect = { x: 0, y: 0, width: 1280, height: 800 }
const around = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** The box of all pixels that differ between two pictures of the screen. */
function changeOf(before: Picture, after: Picture, area: Rect = SCREEN): Rect | undefined {
  const [first, second] = [coloursOf(before), coloursOf(after)]
  return boxOf(area, (x, y) => first(x, y) !== second(x, y))
}

describe('bounds match the picture to the pixel', () => {
  const MARGIN_PX = 4
  /** The size of the box of a check box. */
  const BOX_PX = 16

  it('[MS3] of controls that differ from the background of their window', async () => {
    const { bounds: last } = await form.element('StatusBar', 'ready')
    const colour = await waitUntil('the form is painted', async () => {
      const colour = coloursOf(await desktop.machine.screenshot())
      return boxOf(last, (x, y) => colour(x, y) !== colour(655, 300)) && colour
    })
    const background = colour(655, 300)
    const edges = (bounds: Rect) => boxOf(around(bounds, MARGIN_PX), (x, y) => colour(x, y) !== background)
    const tree = elementsOf(await form.tree())
    const measured = tree.filter(({ role, name }) =>
      [
        ...[
          'Edit First name',
          'PasswordEdit Password',
          'Document Notes',
          'List Fruits',
          'Tree Folders',
          'DataGrid Files',
        ],
        ...['Button Greet', 'Button Delete all', 'Button Forbidden', 'ProgressBar Progress', 'DatePicker Date'],
      ].includes(`${role} ${name}`),
    )
    expect(measured.length).toBe(11)
    expect(measured.map(({ name, bounds }) => [name, edges(bounds)])).toEqual(
      measured.map(({ name, bounds }) => [name, bounds]),
    )
  })

  it('[MS3] of windows, against the desktop behind them', async () => {
    const colour = coloursOf(await desktop.machine.screenshot())
    const wallpaper = colour(1000, 700)
    const { windows } = await desktop.ask('list_windows')
    const edges = boxOf(SCREEN, (x, y) => colour(x, y) !== wallpaper)
    expect(edges).toEqual(windows[0].bounds)
  })

  it('[MS3] of items, by the pixels of their selection', async () => {
    const select = (name: string) =>
      desktop.ask('click_element', { window_uid: form.uid, selector: `ListItem[name="${name}"]` })
    await select('Apple')
    const before = await desktop.machine.screenshot()
    await select('Cherry')
    const after = await desktop.machine.screenshot()
    const [apple, cherry] = [await form.element('ListItem', 'Apple'), await form.element('ListItem', 'Cherry')]
    const colour = coloursOf(after)
    const list = (await form.element('List', 'Fruits')).bounds
    expect(colour(cherry.bounds.x, cherry.bounds.y)).not.toBe(colour(apple.bounds.x, apple.bounds.y))
    expect(changeOf(before, after, list)).toEqual({
      ...apple.bounds,
      height: cherry.bounds.y + cherry.bounds.height - apple.bounds.y,
    })
  })

  it('[MS3] of check boxes and radio buttons: their box is at the left edge', async () => {
    for (const [role, name] of [
      ['CheckBox', 'Agree'],
      ['RadioButton', 'Large'],
    ] as const) {
      const { bounds } = await form.element(role, name)
      const before = await desktop.machine.screenshot()
      const clicked = await desktop.ask('click_element', { window_uid: form.uid, selector: `${role}[name="${name}"]` })
      expect(clicked).toMatchObject({ ok: true, changed: true })
      const change = changeOf(before, await desktop.machine.screenshot(), around(bounds, 2))!
      expect(encloses({ ...bounds, width: BOX_PX }, change)).toBe(true)
    }
  })

  it('[MS3] of menus and their items', async () => {
    const before = await desktop.machine.screenshot()
    await desktop.ask('click_element', { window_uid: form.uid, selector: 'MenuItem[name="File"]' })
    const { windows } = await desktop.ask('list_windows')
    const menu = windows.find((each: { popup_of?: string }) => each.popup_of === form.uid)
    const { bounds } = await form.element('MenuItem', 'File')
    const opened = await desktop.machine.screenshot()
    expect(intersect(bounds, menu.bounds)).toBeUndefined()
    expect(changeOf(before, opened, belowOf(menu.bounds))).toEqual(menu.bounds)
    const { tree } = await desktop.ask('get_window_structure', { window_uid: menu.window_uid })
    expect(lines(elementsOf(tree))).toEqual([
      'Menu "" open',
      ...['MenuItem "New"', 'MenuItem "Open…"', 'MenuItem "Save as…"', 'Separator ""', 'MenuItem "Quit" disabled'],
    ])
    const item = elementsOf(tree).find(({ name }) => name === 'Open…')!
    await desktop.ask('hover_at', { x: item.bounds.x + 20, y: item.bounds.y + 5 })
    const hovered = await desktop.machine.screenshot()
    expect(changeOf(opened, hovered, menu.bounds)).toEqual(item.bounds)
    await desktop.ask('press_key', { keys: 'escape' })
    await desktop.ask('press_key', { keys: 'escape' })
  })
})

/** An area around a menu without the bar above it. */
const belowOf = ({ x, y, width, height }: Rect): Rect => ({ x: x - 10, y, width: width + 20, height: height + 10 })
