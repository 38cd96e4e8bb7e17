import { describe, expect, it } from 'vitest'
import { apply, performAction } from '../apply/apply.ts'
import { hitTest } from '../hit.ts'
import type { Action } from '../input/action.ts'
import { button, desktop, dialog, edit, menu, menuBar, menuItem, rect, window } from '../model/builders.ts'
import { changeWindow, type Desktop, windowByUid } from '../model/desktop.ts'
import { type Element, nodeById } from '../model/element.ts'
import { centerOf, contains } from '../model/geometry.ts'
import { isOpen } from '../tree/visibility.ts'
import { editStateOf, selectedText } from '../widgets/text.ts'
import { minimize } from '../windows/windowing.ts'
import { MENUS_ID } from './menus.ts'
import { withShell } from './shell.ts'

const BAR = 'shell:menu-bar'

/** A mail window with a field in front of one with a menu bar of its own. */
const shown = (more: Partial<Desktop> = {}): Desktop =>
  withShell({
    ...desktop(
      window(
        'Inbox',
        { uid: 'inbox', bounds: rect(100, 100, 500, 300), handle: '100' },
        edit('To', { id: 'to' }),
        button('Send', { id: 'send' }),
      ),
      window(
        'Notes',
        { uid: 'notes', bounds: rect(300, 200, 500, 300), handle: '101' },
        menuBar(
          'Menus',
          { bounds: rect(300, 232, 500, 24) },
          menu('Note', { bounds: rect(300, 232, 60, 24) }, menuItem('New')),
        ),
      ),
    ),
    panel: true,
    style: 'macos',
    ...more,
  })

const act = (on: Desktop, action: Action): Desktop => apply(on, action, { isInteractive: true })
const press = (on: Desktop, keys: string): Desktop => act(on, { type: 'key', keys })
const inBar = (on: Desktop, id: string): Element => nodeById(windowByUid(on, BAR)!.tree, `shell.menu.${id}`)!
const click = (on: Desktop, id: string): Desktop =>
  act(on, { type: 'click', at: centerOf(inBar(on, id).bounds), button: 'left', count: 1 })
const hover = (on: Desktop, id: string): Desktop =>
  act(on, { type: 'hover', at: centerOf(inBar(on, id).bounds), forMs: 0 })
const menusIn = (on: Desktop): readonly Element[] => nodeById(windowByUid(on, BAR)!.tree, MENUS_ID)?.children ?? []
const titles = (on: Desktop): readonly string[] => menusIn(on).map(({ name }) => name)
const openIn = (on: Desktop): readonly string[] =>
  menusIn(on)
    .filter(isOpen)
    .map(({ name }) => name)
const enabledIn = (on: Desktop, id: string): readonly string[] =>
  inBar(on, id).children.flatMap(({ role, name, enabled }) => (enabled && role === 'MenuItem' ? [name] : []))
const activate = (on: Desktop, uid: string): Desktop => act(on, { type: 'activate', window: uid })
const typing = (on: Desktop): Desktop =>
  act(act(on, { type: 'focus', target: { window: 'inbox', element: 'to' }, at: { x: 0, y: 0 } }), {
    type: 'type',
    text: 'Bob',
  })
const fieldOf = (on: Desktop): Element => nodeById(windowByUid(on, 'inbox')!.tree, 'to')!

describe('the menus of the menu bar', () => {
  it('[SH29] are those of the active window in the style macos', () => {
    const on = shown()
    expect(titles(on)).toEqual(['File', 'Edit', 'View', 'Window'])
    expect(titles(activate(on, 'notes'))).toEqual(['Window'])
    expect(titles(press(on, 'meta'))).toEqual(['File', 'Edit', 'View', 'Window'])
    expect(titles(press(on, 'meta+d'))).toEqual([])
    expect(windowByUid(shown({ style: 'gnome' }), BAR)).toBeUndefined()
    expect(titles(shown({ language: 'de' }))).toEqual(['Ablage', 'Bearbeiten', 'Darstellung', 'Fenster'])
  })

  it('[SH30] open, close, and take the pointer and keys without being active', () => {
    const on = click(typing(shown()), 'edit')
    expect([on.active, windowByUid(on, 'inbox')!.focus, openIn(on)]).toEqual(['inbox', 'to', ['Edit']])
    const row = inBar(on, 'undo')
    expect(contains(inBar(on, 'edit').traits!.popup!, centerOf(row.bounds))).toBe(true)
    expect(hitTest(on, centerOf(row.bounds))).toMatchObject({ window: { uid: BAR }, element: { id: row.id } })
    expect(openIn(press(on, 'right'))).toEqual(['View'])
    expect(openIn(press(on, 'left'))).toEqual(['File'])
    expect(openIn(hover(on, 'window'))).toEqual(['Window'])
    expect(inBar(press(press(on, 'down'), 'down'), 'edit').traits?.current).toBe('shell.menu.select-all')
    const lettered = act(on, { type: 'type', text: 's' })
    expect([openIn(lettered), selectedText(editStateOf(fieldOf(lettered)))]).toEqual([[], 'Bob'])
    for (const shut of [press(on, 'escape'), click(on, 'edit'), activate(on, 'notes')]) expect(openIn(shut)).toEqual([])
    expect(fieldOf(press(on, 'escape'))).toMatchObject({ value: 'Bob', focused: true })
  })

  it('[SH30] stay open while the clock goes on, and close the launcher and flyouts', () => {
    const open = press(click(shown({ nowMs: 0 }), 'window'), 'down')
    const later = withShell({ ...open, nowMs: 60_000 })
    expect(later.shell).not.toBe(open.shell)
    expect(inBar(later, 'window')).toEqual(inBar(open, 'window'))
    const launching = press(shown(), 'meta')
    expect(launching.active).toBe('shell:launcher')
    const quick = act(shown(), {
      type: 'invoke',
      target: { window: BAR, element: 'shell.network' },
      at: { x: 0, y: 0 },
    })
    expect([quick.active, click(quick, 'view').active]).toEqual(['shell:quick-settings', 'inbox'])
    const opened = click(launching, 'view')
    expect([opened.active, openIn(opened), windowByUid(opened, 'shell:launcher')]).toEqual([
      'inbox',
      ['View'],
      undefined,
    ])
  })

  it('[SH30] report the press of an item', () => {
    const on = click(shown(), 'file')
    const { pressed } = performAction(on, { type: 'key', keys: 'enter' }, { isInteractive: true })
    expect(pressed).toEqual([])
    const done = performAction(press(on, 'down'), { type: 'key', keys: 'enter' }, { isInteractive: true })
    expect(done.pressed).toEqual([{ window: BAR, element: 'shell.menu.close' }])
    expect(windowByUid(done.desktop, 'inbox')).toBeUndefined()
  })

  it('[SH31] edit the focused field as its shortcuts do', () => {
    const on = typing(shown())
    const choose = (from: Desktop, id: string) => click(click(from, 'edit'), id)
    const all = choose(on, 'select-all')
    expect(selectedText(editStateOf(fieldOf(all)))).toBe('Bob')
    const cut = choose(all, 'cut')
    expect([fieldOf(cut).value, cut.clipboard]).toEqual(['', 'Bob'])
    const pasted = choose(choose(cut, 'paste'), 'paste')
    expect(fieldOf(pasted).value).toBe('BobBob')
    const undone = choose(pasted, 'undo')
    expect([fieldOf(undone).value, fieldOf(choose(undone, 'redo')).value]).toEqual(['Bob', 'BobBob'])
    expect(choose(all, 'copy')).toMatchObject({ clipboard: 'Bob', active: 'inbox' })
  })

  it('[SH31] have the items that work now enabled', () => {
    const on = shown()
    expect(enabledIn(on, 'edit')).toEqual([])
    const typed = typing(on)
    expect(enabledIn(typed, 'edit')).toEqual(['Undo', 'Select All'])
    expect(enabledIn(press(typed, 'ctrl+a'), 'edit')).toEqual(['Undo', 'Cut', 'Copy', 'Select All'])
    expect(enabledIn(act(typed, { type: 'set_clipboard', text: 'x' }), 'edit')).toContain('Paste')
    expect(act(typed, { type: 'type', text: 'b' }).shell).toBe(typed.shell)
    const busy = withShell(changeWindow(typed, 'inbox', (each) => ({ ...each, busy: true })))
    expect([...enabledIn(busy, 'file'), ...enabledIn(busy, 'edit'), ...enabledIn(busy, 'view')]).toEqual([])
    expect(enabledIn(busy, 'window')).toEqual(['Minimize', 'Inbox', 'Notes'])
    const asking = window('Sure', { uid: 'sure', modalTo: 'inbox', handle: '102' }, dialog('Sure'))
    const asked = withShell({ ...on, windows: [asking, ...on.windows], active: 'sure' })
    expect([enabledIn(asked, 'file'), enabledIn(asked, 'window')]).toEqual([['Close Window'], ['Inbox', 'Notes']])
  })

  it('[SH32] close, enlarge and minimise the active window, and activate another', () => {
    const on = shown()
    const choose = (from: Desktop, id: string, row: string) => click(click(from, id), row)
    expect(windowByUid(choose(on, 'file', 'close'), 'inbox')).toBeUndefined()
    const large = choose(on, 'view', 'full-screen')
    expect(windowByUid(large, 'inbox')!.state).toBe('maximized')
    expect(inBar(large, 'full-screen').name).toBe('Exit Full Screen')
    expect(windowByUid(choose(large, 'window', 'zoom'), 'inbox')!.state).toBe('normal')
    expect(windowByUid(choose(on, 'window', 'minimize'), 'inbox')!.state).toBe('minimized')
    const ticked = (at: Desktop) =>
      inBar(at, 'window').children.flatMap(({ name, selected }) => (selected ? [name] : []))
    expect(ticked(on)).toEqual(['Inbox'])
    const notes = choose(on, 'window', 'window.notes')
    expect([notes.active, ticked(notes)]).toEqual(['notes', ['Notes']])
    expect(ticked(choose(on, 'window', 'window.inbox'))).toEqual(['Inbox'])
    const back = choose(withShell(minimize(notes, 'inbox')), 'window', 'window.inbox')
    expect([back.active, windowByUid(back, 'inbox')!.state]).toEqual(['inbox', 'normal'])
  })

  it('[SH33] end before the tray', () => {
    const widths = [1280, 500, 440, 380, 320, 250]
    const counts = widths.map((width) => {
      const monitors = [{ index: 0, primary: true, bounds: rect(0, 0, width, 480), scaleFactor: 1 }]
      const on = shown({ monitors })
      const { children } = windowByUid(on, BAR)!.tree
      const tray = children.find(({ id }) => id === 'shell.network')!.bounds.x
      for (const { bounds } of [children[0]!, ...menusIn(on)]) expect(bounds.x + bounds.width).toBeLessThan(tray)
      return menusIn(on).length
    })
    expect(counts[0]).toBe(4)
    expect(counts.at(-1)).toBe(0)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    expect(new Set(counts).size).toBeGreaterThan(2)
  })
})
