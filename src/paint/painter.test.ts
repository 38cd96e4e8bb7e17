import fc from 'fast-check'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { apply } from '../desktop/apply/apply.ts'
import {
  button,
  checkbox,
  comboBox,
  type Draft,
  desktop,
  dialog,
  document,
  edit,
  element,
  list,
  listItem,
  menuItem,
  pane,
  rect,
  tab,
  tabItem,
  table,
  text,
  window,
} from '../desktop/model/builders.ts'
import { changeWindow, type Desktop, ENGLISH_DATE_NAMES } from '../desktop/model/desktop.ts'
import { changeAt, type Element } from '../desktop/model/element.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import { paintedLines } from '../desktop/widgets/text-view.ts'
import { channelsOf } from './colour.ts'
import { layersOf } from './desktop-layers.ts'
import { composite, createFrameBuffer } from './frame/frame-buffer.ts'
import { createPainter } from './painter.ts'
import { themeOf } from './styles/styles.ts'

// Rules such as [PNT2] are stated in SPEC.md beside this file.

const small = { monitors: [{ index: 0, primary: true, bounds: rect(0, 0, 400, 300), scaleFactor: 1 }] }

const at = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })

const sample = (): Desktop =>
  desktop(
    { ...small, panel: true, nowMs: 0 },
    window(
      'Login',
      { bounds: rect(40, 20, 220, 200) },
      text('User'),
      edit('User', { value: 'alice', id: 'user', focused: true }),
      checkbox('Remember me', { selected: true }),
      button('Enter', { traits: { presses: 'enter' } }),
      comboBox(
        'Group',
        { expanded: true },
        listItem('Red', at(170, 150, 90, 24)),
        listItem('Blue', at(170, 174, 90, 24)),
      ),
    ),
    window(
      'Files',
      { bounds: rect(150, 90, 230, 160) },
      list('Files', listItem('one.txt'), listItem('two.txt', { selected: true })),
    ),
  )

const live = { isInteractive: true }

/** The pixels of a screen painted from nothing. */
function freshly(shown: Desktop): Uint8Array {
  const frame = createFrameBuffer(rect(0, 0, 400, 300))
  composite(frame, layersOf(shown, themeOf()), frame.view)
  return new Uint8Array(frame.pixels.buffer)
}

const decoded = (file: Buffer): Uint8Array => new Uint8Array(PNG.sync.read(file).data)

const changes: readonly ((element: Element, draw: number) => Element)[] = [
  (element, draw) => ({ ...element, name: `name ${draw}` }),
  (element, draw) => ({ ...element, value: 'v'.repeat(draw % 30) }),
  (element) => ({ ...element, enabled: !element.enabled }),
  (element) => ({ ...element, focused: !element.focused }),
  (element) => ({ ...element, selected: element.selected !== true }),
  (element) => ({ ...element, expanded: element.expanded !== true }),
  (element, draw) => ({
    ...element,
    bounds: { ...element.bounds, x: element.bounds.x + (draw % 40) - 20, width: 20 + draw },
  }),
  (element) => ({ ...element, children: element.children.slice(1) }),
  (element) => ({ ...element, children: [...element.children, ...element.children.slice(0, 1)] }),
  (element, draw) => ({ ...element, role: ['Button', 'Text', 'Slider', 'Tab', 'Dialog', 'Toast'][draw % 6]! }),
]

const edit1 = fc.record({
  window: fc.nat(1),
  path: fc.array(fc.nat(5), { maxLength: 2 }),
  change: fc.nat(changes.length + 2),
  draw: fc.nat(200),
})

function edited(
  shown: Desktop,
  { window: place, path, change, draw }: { window: number; path: number[]; change: number; draw: number },
): Desktop {
  if (change === changes.length) return { ...shown, windows: shown.windows.toReversed() }
  if (change === changes.length + 1) return { ...shown, active: shown.windows[place]?.uid }
  return changeWindow(shown, shown.windows[place]!.uid, (old) => {
    if (change === changes.length + 2) return { ...old, bounds: { ...old.bounds, x: old.bounds.x + (draw % 60) - 30 } }
    return { ...old, tree: changeAt(old.tree, path, (element) => changes[change]!(element, draw)) }
  })
}

describe('a painter', () => {
  const painter = createPainter()

  it('[PNT2] updates a frame to equal a newly painted one, after any change', () => {
    fc.assert(
      fc.property(fc.array(edit1, { minLength: 1, maxLength: 12 }), (edits) => {
        let shown = sample()
        for (const each of edits) {
          shown = edited(shown, each)
          expect(Buffer.compare(painter.screen(shown).pixels(), freshly(shown))).toBe(0)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('[PNT3] makes files that decode to the pixels, after any change', async () => {
    let shown = sample()
    for (const draw of [3, 17, 90]) {
      shown = edited(shown, { window: 0, path: [1], change: 1, draw })
      const picture = painter.screen(shown)
      const file = await picture.png()
      expect(Buffer.compare(decoded(file), picture.pixels())).toBe(0)
      expect(picture.base64!()).toBe(file.toString('base64'))
    }
  })

  it('[PNT1] shows a window whole, at its own size, though another covers it', async () => {
    const shown = sample()
    const files = shown.windows[1]!
    const picture = painter.window(shown, files.uid)
    expect([picture.width, picture.height]).toEqual([230, 160])
    expect(picture.text!.map((run) => run.text)).toContain('one.txt')
    expect(Buffer.compare(decoded(await picture.png()), picture.pixels())).toBe(0)
  })

  it('[PNT1] shows an area as the same pixels as the screen, and black beside the monitors', () => {
    const shown = sample()
    const screen = painter.screen(shown).pixels()
    const area = painter.area(shown, rect(380, 280, 40, 30)).pixels()
    const pixelAt = (pixels: Uint8Array, width: number, x: number, y: number) =>
      Array.from(pixels.slice((y * width + x) * 4, (y * width + x) * 4 + 4))
    expect(pixelAt(area, 40, 5, 5)).toEqual(pixelAt(screen, 400, 385, 285))
    expect(pixelAt(area, 40, 30, 25)).toEqual([0, 0, 0, 255])
  })

  it('[PNT5] reads no text that another window covers', () => {
    const runs = painter.screen(sample()).text!.map((run) => run.text)
    expect(runs).toContain('alice')
    expect(runs).not.toContain('one.txt')
  })

  it('[PNT5] excludes text below a dialog or an open list', () => {
    const parts = [
      text('Behind the dialog', at(20, 60, 150, 20)),
      text('Behind the list', at(20, 190, 150, 20)),
      dialog('Sure?', at(10, 40, 200, 100), button('Yes', at(20, 90, 80, 28))),
      comboBox(
        'Colour',
        { expanded: true },
        at(20, 150, 150, 28),
        listItem('Red', at(20, 180, 150, 28)),
        listItem('Blue', at(20, 208, 150, 28)),
      ),
    ]
    const runs = painter.screen(desktop(small, window('W', at(0, 0, 300, 280), ...parts))).text!
    expect(runs.map((run) => run.text)).toEqual(['W', 'Sure?', 'Yes', 'Colour', 'Red', 'Blue'])
  })

  it('[PNT16] cuts text with an ellipsis', () => {
    const shown = desktop(
      small,
      window('W', { frame: 'none' }, text('A label that is much too long', { bounds: rect(110, 110, 80, 20) })),
    )
    expect(painter.window(shown, 'mock:w').text).toMatchObject([{ text: expect.stringMatching(/^A label.*…$/) }])
  })

  it('[PNT83] writes the date on the clock of the panel in the language of the desktop', () => {
    const shown = desktop({ panel: true, nowMs: Date.UTC(2026, 2, 2, 10, 5) })
    const clock = (more: Partial<Desktop>) => painter.screen({ ...shown, ...more }).text!.map(({ text }) => text)
    const german = { ...ENGLISH_DATE_NAMES, shortMonths: ['Jan.', 'Feb.', 'März'], clockDate: 'd. M y' }
    expect([clock({}), clock({ dateNames: german })]).toEqual([['10:05  2 Mar 2026'], ['10:05  2. März 2026']])
  })

  it('[PNT16] leaves the beginning of each title on a panel of twenty windows', () => {
    const many = Array.from({ length: 20 }, (_, place) => window(`Report ${place}`, { state: 'minimized' }))
    const wide = { monitors: [{ index: 0, primary: true, bounds: rect(0, 0, 900, 300), scaleFactor: 1 }] }
    const titles = painter.screen(desktop({ ...wide, panel: true }, ...many)).text!
    expect(titles.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, () => 'R…'))
  })

  it('[PNT16] cuts a name before it runs into the value or shortcut beside it', () => {
    const long = 'A name that leaves no room for anything else'
    const open = { expanded: true, ...at(20, 140, 60, 24) }
    const parts = [
      list('Files', at(20, 60, 200, 60), listItem(long, { value: '12 KB' }, at(20, 60, 200, 28))),
      menuItem('File', open, menuItem(long, { keyboardShortcut: 'Ctrl+S' }, at(20, 170, 200, 28))),
    ]
    const runs = painter.screen(desktop(small, window('W', at(0, 0, 300, 260), ...parts))).text!
    const [name, value, entry, shortcut] = runs.filter(({ text }) => /^A name|KB|Ctrl/.test(text))
    expect([name!.text, value!.text, entry!.text, shortcut!.text]).toEqual([
      expect.stringMatching(/^A name.*…$/),
      '12 KB',
      expect.stringMatching(/^A name.*…$/),
      'Ctrl+S',
    ])
    expect(name!.bounds.x + name!.bounds.width).toBeLessThan(value!.bounds.x)
    expect(entry!.bounds.x + entry!.bounds.width).toBeLessThan(shortcut!.bounds.x)
  })

  it('[PNT22] keeps the name of a control that a tooltip or context menu belongs to', () => {
    const tip = () => element('ToolTip', 'Explained')
    const parts = [
      button('Save', at(20, 60, 100, 28), tip()),
      checkbox('Wrap', at(20, 100, 100, 22), tip()),
      list('Files', at(20, 130, 200, 60), listItem('one.txt', at(20, 130, 200, 28), element('Menu', ''))),
    ]
    const runs = painter.screen(desktop(small, window('W', at(0, 0, 300, 260), ...parts))).text!
    expect(runs.map((run) => run.text)).toEqual(['W', 'Save', 'Wrap', 'one.txt'])
  })

  it('[PNT23a] paints a desktop that was switched in the colours that it was switched to', () => {
    const on = desktop(small, window('W', at(20, 20, 300, 200), button('OK')))
    const pixelsOf = (painted: Desktop, theme: 'light' | 'dark') => createPainter({ theme }).screen(painted).pixels()
    expect(pixelsOf({ ...on, theme: 'dark' }, 'light')).toEqual(pixelsOf(on, 'dark'))
    expect(pixelsOf({ ...on, theme: 'light' }, 'dark')).toEqual(pixelsOf(on, 'light'))
  })

  it('[PNT23] marks the focused tab and expander', () => {
    const tabs = tab(
      'Pages',
      { id: 'tabs' },
      at(20, 50, 200, 60),
      tabItem('One', { selected: true }, at(20, 50, 90, 34)),
    )
    const more = element('Expander', 'More', { id: 'more', expanded: false }, at(20, 130, 200, 28))
    const plain = desktop(small, window('W', at(0, 0, 300, 260), tabs, more))
    const isMarked = (id: string, { x, y, width, height }: Rect) => {
      const shown = apply(plain, { type: 'focus', target: { window: 'mock:w', element: id }, at: { x, y } }, live)
      const pixels = (on: Desktop) => painter.area(on, rect(x, y, width, height)).pixels()
      return Buffer.compare(pixels(shown), pixels(plain)) !== 0
    }
    expect(isMarked('tabs', rect(20, 50, 90, 34))).toBe(true)
    expect(isMarked('more', rect(20, 130, 200, 28))).toBe(true)
  })

  it('[PNT25] paints checkable menu items like other items', () => {
    const entries = (current: string) =>
      menuItem(
        'View',
        { expanded: true, traits: { current } },
        at(10, 40, 60, 24),
        menuItem('Plain', { id: 'plain' }, at(20, 70, 200, 28)),
        element('CheckMenuItem', 'Ticked', { id: 'ticked', selected: true }, at(20, 98, 200, 28)),
        element('RadioMenuItem', 'Chosen', { id: 'chosen', selected: true }, at(20, 126, 200, 28)),
      )
    const shown = (current: string) => desktop(small, window('W', at(0, 0, 300, 260), entries(current)))
    const runs = painter.screen(shown('plain')).text!.filter(({ text }) => /Plain|Ticked|Chosen/.test(text))
    expect(runs.map(({ bounds }) => [bounds.x, bounds.height])).toEqual(Array(3).fill([46, runs[0]!.bounds.height]))
    const backs = ['plain', 'ticked', 'chosen'].map((id, row) =>
      painter.area(shown(id), rect(200, 75 + row * 28, 1, 1)).pixels(),
    )
    expect(backs[1]).toEqual(backs[0])
    expect(backs[2]).toEqual(backs[0])
  })

  it('[PNT26] paints a combo box with a field in it as one box', () => {
    const shown = (focused: string) => {
      const field = edit('Inner', { value: 'Red', focused: focused === 'field' }, at(20, 60, 132, 28))
      const box = comboBox('Colour', { value: 'Red', focused: focused === 'box' }, at(20, 60, 160, 28))
      return desktop(small, window('W', at(0, 0, 300, 260), { ...box, children: [field] }))
    }
    expect(painter.screen(shown('field')).text!.map(({ text }) => text)).toEqual(['W', 'Colour', 'Red'])
    const end = (focused: string) => painter.area(shown(focused), rect(150, 50, 40, 50)).pixels()
    expect(Buffer.compare(end('field'), end('box'))).toBe(0)
    expect(Buffer.compare(end('field'), end('neither'))).not.toBe(0)
  })

  it('[PNT17] paints a secret as dots', () => {
    const secret = edit('Password', { value: 'hunter2', traits: { secret: true } })
    const runs = painter.screen(desktop(small, window('W', { bounds: rect(0, 0, 300, 200) }, secret))).text!
    expect(runs.map((run) => run.text)).toEqual(['W', '•••••••'])
  })

  it('[PNT17] puts the caret of a secret behind as many dots as there are characters before it', () => {
    const shown = (value: string, at: number) => {
      const traits = { secret: true, caret: { at, from: at } }
      const field = edit('Password', { value, focused: true, traits, bounds: rect(20, 60, 200, 28) })
      return painter.screen(desktop(small, window('W', { bounds: rect(0, 0, 300, 200) }, field))).pixels()
    }
    expect(Buffer.compare(shown('😀ab', 2), shown('xab', 1))).toBe(0)
    expect(Buffer.compare(shown('😀ab', 2), shown('xab', 2))).not.toBe(0)
  })

  it('[PNT18] paints elements beside a scroll area completely', () => {
    const box = checkbox('Wrap', at(20, 80, 100, 22))
    const boxIn = (holder: Draft) => {
      const shown = desktop(small, window('W', at(0, 0, 300, 260), { ...holder, children: [box] }))
      return painter.area(shown, rect(15, 80, 100, 22)).pixels()
    }
    const area = boxIn(element('ScrollArea', 'A', at(20, 60, 200, 100)))
    expect(Buffer.compare(area, boxIn(pane('A', at(20, 60, 200, 100))))).toBe(0)
  })

  it('[PNT23] shows the caret at the end of an untouched text if that is in view', () => {
    const shown = (value: string, focused: boolean) => {
      const page = document('D', { value, focused }, at(20, 60, 200, 60))
      return painter.area(desktop(small, window('W', at(0, 0, 300, 260), page)), rect(22, 62, 180, 56)).pixels()
    }
    expect(Buffer.compare(shown('One\nTwo', true), shown('One\nTwo', false))).not.toBe(0)
    expect(Buffer.compare(shown('One\nTwo\nThree', true), shown('One\nTwo\nThree', false))).toBe(0)
  })

  it('[PNT23] shows the caret of the last of thousands of lines', () => {
    const value = 'Line\n'.repeat(5000)
    const shown = (focused: boolean) => {
      const traits = { caret: { at: value.length, from: value.length }, scrolled: { x: 0, y: 4999 * 20 } }
      const page = document('D', { value, focused, traits }, at(20, 60, 200, 60))
      return painter.area(desktop(small, window('W', at(0, 0, 300, 260), page)), rect(22, 62, 180, 56)).pixels()
    }
    expect(Buffer.compare(shown(true), shown(false))).not.toBe(0)
  })

  it('[PNT23] breaks a long text where clicks take it to be broken', () => {
    const value = 'The quick brown fox jumps over the lazy dog and runs away. '.repeat(40)
    const page = document('D', { id: 'page', value }, at(20, 60, 200, 220))
    const runs = painter.screen(desktop(small, window('W', at(0, 0, 300, 290), page))).text!
    const painted = runs.slice(1).map(({ text }) => text)
    const lines = paintedLines({ ...page, bounds: rect(20, 60, 200, 220) } as Element)
    expect(painted).toEqual(lines.slice(0, 10).map(({ from, to }) => value.slice(from, to).trimEnd()))
  })

  it('[PNT27] puts a thumb at the edge of a document that is longer than its place', () => {
    const edgeOf = (page: Draft) =>
      painter.area(desktop(small, window('W', at(0, 0, 300, 260), page)), rect(213, 70, 1, 1)).pixels()
    const lines = (count: number) => document('D', { value: 'Line\n'.repeat(count) }, at(20, 60, 200, 100))
    const page = (bottom: number) => document('D', at(20, 60, 200, 100), text('Text', at(30, 60, 80, bottom)))
    const thumb = Uint8Array.of(...channelsOf(themeOf().thumb))
    expect(edgeOf(lines(30))).toEqual(thumb)
    expect(edgeOf(page(300))).toEqual(thumb)
    expect(edgeOf(lines(3))).not.toEqual(thumb)
    expect(edgeOf(page(100))).not.toEqual(thumb)
  })

  it('[PNT27] puts a thumb at the edge of an open list that is higher than its place', () => {
    const options = Array.from({ length: 40 }, (_, place) => listItem(`Option ${place}`, { id: `o${place}` }))
    const box = comboBox('Colour', { id: 'box' }, at(20, 40, 160, 28), ...options)
    const press = (on: Desktop, keys: string) => apply(on, { type: 'key', keys }, live)
    const aimed = { target: { window: 'mock:w', element: 'box' }, at: { x: 30, y: 50 } }
    const closed = desktop(small, window('W', at(0, 0, 300, 260), box))
    const open = press(apply(closed, { type: 'focus', ...aimed }, live), 'alt+Down')
    const thumbAt = (on: Desktop, y: number) =>
      Buffer.compare(painter.area(on, rect(173, y, 1, 1)).pixels(), Uint8Array.of(...channelsOf(themeOf().thumb))) === 0
    expect([thumbAt(open, 76), thumbAt(open, 290)]).toEqual([true, false])
    const end = press(open, 'End')
    expect([thumbAt(end, 76), thumbAt(end, 290)]).toEqual([false, true])
  })

  it('[PNT72] pales the icon and the box of disabled controls', () => {
    const pictures = (enabled: boolean) => {
      const item = listItem('one.txt', { enabled, traits: { icon: 'folder' } }, at(20, 60, 160, 28))
      const parts = [list('Files', at(20, 60, 160, 60), item), checkbox('Off', { enabled }, at(20, 140, 100, 22))]
      const shown = desktop(small, window('W', at(0, 0, 300, 260), ...parts))
      return [rect(22, 62, 30, 24), rect(20, 140, 18, 22)].map((area) => painter.area(shown, area).pixels())
    }
    const [folder, box] = pictures(true)
    expect(pictures(false).map((each, place) => Buffer.compare(each, [folder!, box!][place]!) !== 0)).toEqual([
      true,
      true,
    ])
  })

  it('[PNT72] lays the veil of a busy window inside its round corners', () => {
    const cornerOf = (busy: boolean) => {
      const shown = desktop(small, window('W', { busy, ...at(40, 40, 200, 160) }))
      return painter.area(shown, rect(40, 40, 1, 1)).pixels()
    }
    expect(cornerOf(true)).toEqual(cornerOf(false))
  })

  it('shows the end of a long value while the caret is there, in time however long it is', () => {
    const value = `${'x'.repeat(100_000)} the end`
    const field = edit('Name', { value, focused: true, id: 'name', bounds: rect(20, 60, 200, 28) })
    const runs = painter.screen(desktop(small, window('W', { bounds: rect(0, 0, 300, 200) }, field))).text!
    expect(runs.at(-1)!.text).toMatch(/^x+ the end$/)
  })

  it('[PNT18] paints the rows of a scrolled table below its header only, and repairs them there', () => {
    const cells = (line: number) =>
      element(
        'DataItem',
        '',
        at(20, 88 + line * 28, 200, 28),
        element('Cell', `R${line}`, at(20, 88 + line * 28, 200, 28)),
      )
    const header = element('Header', '', at(20, 60, 200, 28), element('HeaderItem', 'Head', at(20, 60, 200, 28)))
    const rows = Array.from({ length: 8 }, (_, line) => cells(line))
    const before = desktop(small, window('W', at(0, 0, 300, 260), table('T', at(20, 60, 200, 140), header, ...rows)))
    const read = (on: Desktop) => painter.screen(on).text!.map((run) => run.text)
    expect(read(before)).toEqual(['W', 'Head', 'R0', 'R1', 'R2', 'R3'])
    let shown = before
    for (const y of [80, 130, 90, 125, 165]) {
      shown = apply(shown, { type: 'scroll', at: { x: 60, y: 120 }, clicks: y % 2 ? 1 : -1 }, { isInteractive: true })
      shown = apply(shown, { type: 'click', at: { x: 60, y }, button: 'left', count: 1 }, { isInteractive: true })
      expect(Buffer.compare(painter.screen(shown).pixels(), freshly(shown))).toBe(0)
    }
    const scrolled = apply(before, { type: 'scroll', at: { x: 60, y: 120 }, clicks: -1 }, { isInteractive: true })
    expect(read(scrolled)).toEqual(['W', 'Head', 'R2', 'R3', 'R4', 'R5'])
  })

  it('[PNT18] omits hidden and folded elements, and paints an open list above its window', () => {
    const options = [
      listItem('Red', { bounds: rect(60, 100, 100, 24) }),
      listItem('Blue', { bounds: rect(60, 124, 100, 24) }),
    ]
    const box = (expanded: boolean) =>
      comboBox('Colour', { value: 'Red', expanded, bounds: rect(60, 70, 100, 28) }, ...options)
    const hidden = text('Nowhere', { traits: { hidden: true } })
    const read = (expanded: boolean) =>
      painter
        .screen(desktop(small, window('W', { bounds: rect(40, 20, 150, 100) }, box(expanded), hidden)))
        .text!.map((run) => run.text)
    expect(read(false)).toEqual(['W', 'Red'])
    expect(read(true)).toEqual(['W', 'Red', 'Red', 'Blue'])
  })

  it('[PNT19] refuses pictures that cannot be made', () => {
    expect(() => painter.area(sample(), rect(0, 0, 0, 5))).toThrow(expect.objectContaining({ code: 'BadRequest' }))
    expect(() => painter.area(sample(), rect(0, 0, 100_000, 5))).toThrow(
      expect.objectContaining({ code: 'BadRequest' }),
    )
    expect(() => painter.window(sample(), 'nope')).toThrow(expect.objectContaining({ code: 'WindowGone' }))
  })

  it('[PNT20] [PNT21] names a field by the text beside it, above it, or in it while it is empty', () => {
    const fields = [
      edit('Alone', { value: 'filled' }, at(120, 70, 150, 28)),
      edit('Below', at(120, 100, 150, 28)),
      text('Beside:', { bounds: rect(20, 140, 90, 28) }),
      edit('Beside', at(120, 140, 150, 28)),
      edit('Hinted', { traits: { placeholder: 'you@x.org' } }, at(120, 190, 150, 28)),
    ]
    const runs = painter.screen(desktop(small, window('W', { bounds: rect(0, 0, 300, 250) }, ...fields))).text!
    const words = runs.map((run) => run.text)
    expect(words).toEqual(['W', 'Alone', 'filled', 'Below', 'Beside:', 'Hinted', 'you@x.org'])
  })

  it('[PNT104] shows each of many desktops as itself, whichever were shown before', () => {
    const many = Array.from({ length: 20 }, (_, count) =>
      edited(sample(), { window: count % 2, path: [1], change: count % 6, draw: count * 9 }),
    )
    for (const shown of [...many, ...many.toReversed(), ...many])
      expect(Buffer.compare(painter.screen(shown).pixels(), freshly(shown))).toBe(0)
  })
})

describe('messages', () => {
  it('[PNT82] are below a field with invalid content, whose border has the colour of errors', () => {
    const field = (traits: Element['traits']) =>
      desktop(
        small,
        window(
          'Form',
          at(0, 0, 300, 280),
          edit('Name', { id: 'name', ...at(20, 60, 200, 32), ...(traits && { traits }) }),
        ),
      )
    const shown = createPainter().screen(field({ invalid: { message: 'Fill this in', description: null } }))
    const run = shown.text?.find((each) => each.text === 'Fill this in')
    expect(run?.bounds.y).toBeGreaterThanOrEqual(92)
    const pixel = (screen: typeof shown) => [...screen.pixels().slice((60 * 400 + 100) * 4, (60 * 400 + 100) * 4 + 3)]
    expect(pixel(shown)).toEqual(channelsOf(themeOf().danger).slice(0, 3))
    expect(pixel(createPainter().screen(field(undefined)))).not.toEqual(pixel(shown))
  })

  it('[PNT84] of a notification are its name and value', () => {
    const note = window(
      'Mail',
      { role: 'Notification', notification: true, frame: 'none', bounds: rect(60, 200, 320, 90) },
      button('Undo', at(290, 250, 80, 32)),
    )
    const named = { ...note, tree: { ...note.tree, value: 'Two messages' } }
    const words = createPainter()
      .screen(desktop(small, named))
      .text?.map(({ text: each }) => each)
    expect(words).toEqual(expect.arrayContaining(['Mail', 'Two messages', 'Undo']))
  })

  it('[PNT85] of a notification has the time at the end of the line of its name', () => {
    const banner = { words: rect(12, 12, 296, 36), time: 'now' }
    const note = window('A very long name of somebody who writes', {
      role: 'Notification',
      notification: true,
      frame: 'none',
      bounds: rect(60, 200, 320, 90),
    })
    const tree = { ...note.tree, value: 'Two messages', traits: { banner } }
    const shown = createPainter().screen({ ...desktop(small, { ...note, tree }), style: 'macos' as const })
    const [name, time, rest] = shown.text!
    expect([time!.text, rest!.text]).toEqual(['now', 'Two messages'])
    expect([time!.bounds.x + time!.bounds.width, rest!.bounds.x]).toEqual([60 + 12 + 296, 60 + 12])
    expect(name!.bounds.x + name!.bounds.width).toBeLessThan(time!.bounds.x)
    expect(tree.children).toEqual([])
  })

  it('[PNT87] is in the middle of its height in gnome, in as many lines as it takes', () => {
    const note = (value: string) => {
      const own = window('Ada', {
        role: 'Notification',
        notification: true,
        frame: 'none',
        bounds: rect(20, 200, 300, 96),
      })
      const banner = { words: { x: 18, y: 18, width: 260, height: 60 } }
      return { ...own, tree: { ...own.tree, value, traits: { banner } } }
    }
    const middleOf = (value: string) => {
      const screen = { ...desktop(small, note(value)), style: 'gnome' as const }
      const runs = createPainter()
        .screen(screen)
        .text!.filter(({ bounds }) => bounds.y >= 200)
      expect(runs[0]!.text).toBe('Ada')
      const last = runs.at(-1)!.bounds
      return (runs[0]!.bounds.y + last.y + last.height) / 2
    }
    for (const value of ['Lunch', 'Lunch on Friday at the new place in the street behind the station?'])
      expect(Math.abs(middleOf(value) - 248)).toBeLessThanOrEqual(1)
  })
})
