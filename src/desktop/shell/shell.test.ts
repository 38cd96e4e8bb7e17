import { describe, expect, it } from 'vitest'
import { apply, performAction } from '../apply/apply.ts'
import { withFolders } from '../files/folder.ts'
import { hitTest } from '../hit.ts'
import type { Action } from '../input/action.ts'
import { button, desktop, dialog, edit, list, rect, text, window } from '../model/builders.ts'
import { changeWindow, type Desktop, windowByUid } from '../model/desktop.ts'
import { type Element, nodeById, walk } from '../model/element.ts'
import { centerOf, contains, encloses, intersect } from '../model/geometry.ts'
import { SHELL_LANGUAGES, shellTextIn } from '../model/shell-texts.ts'
import { type DesktopStyle, SHELL_STYLES } from '../style/style.ts'
import { primaryMonitor, workArea } from '../windows/panel.ts'
import { maximize } from '../windows/windowing.ts'
import { runShellCommand, toggleLauncher, withShell } from './shell.ts'

const FILES = { '/home/ada/Desktop/plan.txt': 'Plan', '/home/ada/Desktop/Photos/sea.png': '' }

/** A desktop with a mail window in front of a file manager, and two applications. */
const shown = (style: DesktopStyle, more: Partial<Desktop> = {}): Desktop =>
  withShell(
    withFolders({
      ...desktop(
        { files: FILES },
        window('Inbox', { uid: 'inbox' }, button('Save', { id: 'save' }), edit('To', { id: 'to' })),
        window(
          'Files',
          { uid: 'files' },
          list('Files', { id: 'list', bounds: rect(120, 160, 300, 200), traits: { folder: '/' } }),
        ),
      ),
      panel: true,
      nowMs: Date.UTC(2024, 2, 12, 14, 5),
      style,
      apps: [
        { id: 'mail', name: 'Mail', icon: 'mail', windows: ['inbox'] },
        { id: 'email', name: 'Old Mail', icon: 'mail', windows: [] },
        { id: 'calendar', name: 'Calendar', icon: 'calendar', windows: ['calendar'] },
      ],
      ...more,
    }),
  )

const act = (on: Desktop, action: Action): Desktop => apply(on, action, { isInteractive: true })
const press = (on: Desktop, keys: string): Desktop => act(on, { type: 'key', keys })
const type = (on: Desktop, text: string): Desktop => act(on, { type: 'type', text })

function found(on: Desktop, name: string): Element {
  const all = (on.shell?.windows ?? []).flatMap(({ tree }) => [...walk(tree)])
  const element = all.find((each) => each.name === name && each.role !== 'Pane' && each.role !== 'MenuItem')
  if (!element) throw new Error(`no ${name} in the shell`)
  return element
}

const click = (on: Desktop, name: string, count = 1): Desktop =>
  act(on, { type: 'click', at: centerOf(found(on, name).bounds), button: 'left', count })

const partsOf = (on: Desktop): readonly string[] => on.shell?.windows.map(({ uid }) => uid) ?? []
const namesIn = (on: Desktop, uid: string): readonly string[] =>
  windowByUid(on, uid)?.tree.children.map(({ name }) => name) ?? []

describe('the windows of the shell', () => {
  it('[SH1] are apart from the windows of applications, and found by uid', () => {
    const on = shown('windows')
    expect(on.windows.map(({ uid }) => uid)).toEqual(['inbox', 'files'])
    expect(partsOf(on)).toEqual(['shell:taskbar', 'shell:desktop'])
    expect(windowByUid(on, 'shell:taskbar')?.title).toBe('Taskbar')
    expect(withShell({ ...on, style: 'backlot' }).shell).toBeUndefined()
    expect(withShell({ ...on, panel: false }).shell).toBeUndefined()
  })

  it('[SH2] cover windows as bars and are covered by them as the desktop', () => {
    for (const style of SHELL_STYLES) {
      const on = changeWindow(shown(style), 'files', (each) => ({ ...each, bounds: rect(0, 0, 1280, 800) }))
      const bar = on.shell!.windows.find(({ shell }) => shell === 'bar')!
      expect(hitTest(on, centerOf(bar.bounds))?.window.uid).toBe(bar.uid)
      expect(hitTest(on, { x: 20, y: 100 })?.window.uid).toBe('files')
    }
  })

  it('[SH3] are active as the launcher or the desktop, never as a bar', () => {
    const on = shown('windows')
    const empty = act(on, { type: 'click', at: { x: 4, y: 776 }, button: 'left', count: 1 })
    expect(empty.active).toBe('inbox')
    expect(click(on, 'plan.txt').active).toBe('shell:desktop')
    expect(act(on, { type: 'activate', window: 'shell:taskbar' }).active).toBe('inbox')
    expect(press(on, 'meta').active).toBe('shell:launcher')
  })

  it('[SH4] keep elements that do not change', () => {
    const on = shown('windows')
    const typed = type(
      act(on, { type: 'focus', target: { window: 'inbox', element: 'to' }, at: { x: 0, y: 0 } }),
      'Bob',
    )
    expect(typed.shell?.windows).toBe(on.shell?.windows)
    const later = withShell({ ...on, nowMs: on.nowMs! + 60_000 })
    expect(found(later, '14:06  3/12/2024').role).toBe('Button')
    expect(found(later, 'Start')).toBe(found(on, 'Start'))
    const renamed = withShell(changeWindow(on, 'inbox', (each) => ({ ...each, title: 'Drafts' })))
    expect(namesIn(renamed, 'shell:taskbar')).toContain('Drafts')
    expect(found(renamed, 'Files')).toBe(found(on, 'Files'))
    const added = withShell({ ...on, files: { ...FILES, '/home/ada/Desktop/new.txt': '' } })
    expect(found(added, 'new.txt').role).toBe('ListItem')
    expect(found(added, 'Photos')).toBe(found(on, 'Photos'))
  })

  it('[SH5] are a taskbar in the style windows', () => {
    const on = shown('windows')
    expect(namesIn(on, 'shell:taskbar')).toEqual([
      ...['Start', 'Search', 'Inbox', 'Old Mail', 'Calendar', 'Files'],
      ...['ENG', 'Show hidden icons', 'Network', 'Sound', 'Battery', '14:05  3/12/2024', 'Notifications'],
    ])
    expect(windowByUid(on, 'shell:taskbar')?.bounds).toEqual(rect(0, 752, 1280, 48))
  })

  it('[SH6] are a menu bar and a dock in the style macos', () => {
    const on = shown('macos')
    expect(partsOf(on)).toEqual(['shell:menu-bar', 'shell:dock', 'shell:desktop'])
    expect(namesIn(on, 'shell:menu-bar')[0]).toBe('Mail')
    expect(namesIn(click(on, 'plan.txt'), 'shell:menu-bar')[0]).toBe('Desktop')
    expect(namesIn(on, 'shell:dock')).toEqual(['Launcher', 'Inbox', 'Old Mail', 'Calendar', 'Files', 'Bin'])
  })

  it('[SH7] are a top bar and an overview in the style gnome', () => {
    const on = click(shown('gnome'), 'Activities')
    expect(namesIn(on, 'shell:top-bar')).toEqual([
      ...['Activities', 'Tue Mar 12  14:05', 'ENG', 'Network', 'Sound', 'Battery'],
    ])
    expect(windowByUid(on, 'shell:launcher')?.bounds).toEqual(rect(0, 32, 1280, 768))
    expect(click(on, 'Files')).toMatchObject({ active: 'files' })
  })

  it('[SH2] contain their elements, which do not overlap and are hit, on small and large monitors', () => {
    for (const style of SHELL_STYLES)
      for (const bounds of [rect(0, 0, 640, 480), rect(-400, 50, 1280, 800), rect(0, 0, 2560, 1440)]) {
        const monitors = [{ index: 0, primary: true, bounds, scaleFactor: 1 }]
        const on = press(withShell({ ...shown(style), monitors, windows: [], active: undefined }), 'meta')
        for (const part of on.shell!.windows) {
          expect(encloses(bounds, part.bounds)).toBe(true)
          for (const [at, child] of part.tree.children.entries()) {
            expect([child.name, encloses(part.bounds, child.bounds)]).toEqual([child.name, true])
            const others = part.tree.children.slice(at + 1)
            expect(others.filter((other) => intersect(other.bounds, child.bounds))).toEqual([])
            if (part.shell === 'desktop') continue
            expect(hitTest(on, centerOf(child.bounds))).toMatchObject({ element: { id: child.id } })
          }
        }
      }
  })
})

describe('tasks', () => {
  it('[SH8] are windows by application, and shrink', () => {
    const many = Array.from({ length: 60 }, (_, at) => window(`W${at}`, { uid: `w${at}`, handle: String(2000 + at) }))
    for (const style of ['windows', 'macos'] as const) {
      const on = withShell({ ...shown(style), windows: [...shown(style).windows, ...many] })
      const bar = windowByUid(on, style === 'windows' ? 'shell:taskbar' : 'shell:dock')!
      const tasks = bar.tree.children.filter(({ id }) => id.startsWith('shell.task.'))
      expect(tasks.map(({ name }) => name)).toEqual([
        ...['Inbox', 'Old Mail', 'Calendar', 'Files'],
        ...many.map(({ title }) => title),
      ])
      expect(tasks.every(({ bounds }) => encloses(bar.bounds, bounds) && bounds.width > 4)).toBe(true)
    }
  })

  it('[SH9] activate a window, and minimise the active one', () => {
    for (const style of ['windows', 'macos'] as const) {
      const on = shown(style)
      expect([found(on, 'Inbox').selected, found(on, 'Files').selected]).toEqual([true, false])
      const other = click(on, 'Files')
      expect(other.active).toBe('files')
      const away = click(other, 'Files')
      expect(windowByUid(away, 'files')?.state).toBe('minimized')
      expect(found(away, 'Files').value).toBe('Minimized')
      expect(click(away, 'Files')).toMatchObject({ active: 'files' })
    }
    const asking = shown('windows')
    const modal = window('Sure', { uid: 'sure', modalTo: 'inbox' }, dialog('Sure'))
    const asked = withShell({ ...asking, windows: [modal, ...asking.windows], active: 'sure' })
    expect(found(asked, 'Inbox').selected).toBe(true)
  })

  it('[SH10] of an application activate its window, or are left to the scenario', () => {
    const on = press(shown('windows'), 'meta')
    const mail = click(on, 'Mail')
    expect([mail.active, partsOf(mail)]).toEqual(['inbox', ['shell:taskbar', 'shell:desktop']])
    const at = centerOf(found(on, 'Calendar').bounds)
    const { pressed, desktop: after } = performAction(
      on,
      { type: 'click', at, button: 'left', count: 1 },
      { isInteractive: true },
    )
    expect(pressed).toEqual([{ window: 'shell:launcher', element: 'shell.app.calendar' }])
    expect(after.active).toBe('inbox')
  })
})

describe('the launcher', () => {
  it('[SH11] opens and closes by keys and buttons', () => {
    for (const [style, way] of [
      ['windows', 'Start'],
      ['macos', 'Launcher'],
      ['gnome', 'Activities'],
    ] as const) {
      const on = shown(style)
      const open = click(on, way)
      expect(open.active).toBe('shell:launcher')
      expect(windowByUid(open, 'shell:launcher')?.focus).toBe('shell.query')
      expect(partsOf(click(open, way))).not.toContain('shell:launcher')
      for (const keys of ['meta', 'ctrl+escape']) {
        const again = press(press(type(press(on, keys), 'x'), keys), keys)
        expect(windowByUid(again, 'shell:launcher')).toEqual(windowByUid(open, 'shell:launcher'))
      }
    }
    expect(press(shown('macos'), 'meta+space').active).toBe('shell:launcher')
    expect(press({ ...shown('windows'), style: 'backlot' }, 'meta').active).toBe('inbox')
  })

  it('[SH12] filters applications, and Enter opens the first', () => {
    for (const style of SHELL_STYLES) {
      const apps = (on: Desktop) =>
        windowByUid(on, 'shell:launcher')!
          .tree.children.filter(({ id }) => id.startsWith('shell.app.'))
          .map(({ name }) => name)
      const open = press(shown(style), 'meta')
      expect(apps(open)).toEqual(['Mail', 'Old Mail', 'Calendar'])
      expect(apps(type(open, 'MA'))).toEqual(['Mail', 'Old Mail'])
      expect(apps(type(open, 'l'))).toEqual(['Mail', 'Old Mail', 'Calendar'])
      expect(apps(type(open, 'old'))).toEqual(['Old Mail'])
      expect(found(type(open, 'zzz'), 'No results for "zzz"').role).toBe('Text')
      const other = act(open, { type: 'activate', window: 'files' })
      expect(press(type(press(other, 'meta'), 'ma'), 'enter').active).toBe('inbox')
    }
  })

  it('[SH13] closes with Escape and when another window is activated', () => {
    const open = type(press(shown('windows'), 'meta'), 'ma')
    expect(press(open, 'escape')).toMatchObject({ active: 'inbox' })
    const outside = [
      press(open, 'escape'),
      click(open, 'plan.txt'),
      click(open, 'Files'),
      act(open, { type: 'click', at: { x: 110, y: 300 }, button: 'left', count: 1 }),
    ]
    for (const on of outside) expect(partsOf(on)).toEqual(['shell:taskbar', 'shell:desktop'])
    expect(
      nodeById(windowByUid(press(press(open, 'escape'), 'meta'), 'shell:launcher')!.tree, 'shell.query')?.value,
    ).toBe('')
  })
})

describe('all applications', () => {
  const NAMES = ['zip', 'Álbum', 'Mail', ...Array.from({ length: 30 }, (_, at) => `App ${String(at).padStart(2, '0')}`)]
  const apps = NAMES.map((name, at) => ({
    id: `a${at}`,
    name,
    icon: 'window',
    windows: name === 'zip' ? ['files'] : [],
  }))
  const shownApps = (on: Desktop) =>
    [...walk(windowByUid(on, 'shell:launcher')!.tree)].filter(({ id }) => id.startsWith('shell.app.'))
  const names = (on: Desktop) => shownApps(on).map(({ name }) => name)
  const open = press(shown('windows', { apps }), 'meta')

  it('[SH25] are in a list by name, which scrolls, beside a button back', () => {
    const all = click(open, 'All')
    expect(names(all)).toEqual([...NAMES.slice(3), 'Mail', 'zip', 'Álbum'])
    const [was, is] = [found(open, 'All').bounds, found(all, 'Back').bounds]
    expect([is.x + is.width, is.y]).toEqual([was.x + was.width, was.y])
    const list = found(all, 'Applications')
    const scrolled = act(all, { type: 'scroll', clicks: -100, at: centerOf(list.bounds) })
    const last = shownApps(scrolled).at(-1)!
    expect([encloses(list.bounds, last.bounds), encloses(list.bounds, shownApps(all).at(-1)!.bounds)]).toEqual([
      true,
      false,
    ])
    expect(hitTest(scrolled, centerOf(found(scrolled, 'zip').bounds))).toMatchObject({ element: { name: 'zip' } })
    expect(click(scrolled, 'zip')).toMatchObject({ active: 'files' })
    expect(names(click(scrolled, 'Back'))).toEqual(names(open))
  })

  it('[SH25] [SH28] do not overlap the other parts on small and large monitors', () => {
    for (const [style, button] of [
      ['windows', 'All'],
      ['gnome', 'Page 2'],
    ] as const)
      for (const bounds of [rect(0, 0, 640, 480), rect(-400, 50, 1280, 800)]) {
        const monitors = [{ index: 0, primary: true, bounds, scaleFactor: 1 }]
        const on = click(press(shown(style, { apps, monitors, windows: [], active: undefined }), 'meta'), button)
        const { bounds: inside, children } = windowByUid(on, 'shell:launcher')!.tree
        for (const [at, child] of children.entries()) {
          expect([child.name, encloses(inside, child.bounds)]).toEqual([child.name, true])
          expect(children.slice(at + 1).filter((other) => intersect(other.bounds, child.bounds))).toEqual([])
        }
      }
  })

  it('[SH26] end with a text and with closing, and 18 of them are pinned', () => {
    const bare = press(shown('windows', { apps, files: {} }), 'meta')
    expect(names(bare)).toEqual(NAMES.slice(0, 18))
    const all = click(bare, 'All')
    expect(windowByUid(all, 'shell:launcher')?.focus).toBe('shell.query')
    const typed = type(all, 'app 1')
    expect(names(typed)).toEqual(NAMES.filter((name) => name.startsWith('App 1')))
    expect(() => found(typed, 'Back')).toThrow('no Back')
    expect(names(press(typed, 'ctrl+a')).length).toBe(10)
    expect(names(press(press(typed, 'ctrl+a'), 'backspace'))).toEqual(NAMES.slice(0, 18))
    expect(names(press(press(all, 'escape'), 'meta'))).toEqual(NAMES.slice(0, 18))
    expect(() => found(press(shown('windows', { apps: [] }), 'meta'), 'All')).toThrow('no All')
  })
})

describe('the dash', () => {
  it('[SH27] ends with a button that closes the launcher', () => {
    const open = press(shown('gnome'), 'meta')
    const dash = namesIn(open, 'shell:launcher').slice(-5)
    expect(dash).toEqual(['Inbox', 'Old Mail', 'Calendar', 'Files', 'Show Apps'])
    const boxes = dash.map(
      (name) => windowByUid(open, 'shell:launcher')!.tree.children.findLast((each) => each.name === name)!,
    )
    expect(new Set(boxes.map(({ bounds }) => `${bounds.y} ${bounds.width} ${bounds.height}`)).size).toBe(1)
    expect(boxes[4]!.bounds.x - boxes[3]!.bounds.x).toBe(boxes[3]!.bounds.x - boxes[2]!.bounds.x)
    const shut = click(open, 'Show Apps')
    expect([shut.active, partsOf(shut)]).toEqual(['inbox', ['shell:top-bar', 'shell:desktop']])
  })

  it('[SH28] has a button above it for each page of applications', () => {
    const apps = Array.from({ length: 30 }, (_, at) => ({
      id: `a${at}`,
      name: `App ${at}`,
      icon: 'window',
      windows: [],
    }))
    const names = (on: Desktop) => namesIn(on, 'shell:launcher').filter((name) => name.startsWith('App '))
    const pagesIn = (on: Desktop) => namesIn(on, 'shell:launcher').filter((name) => name.startsWith('Page '))
    const onPages = (from: number, to: number) => apps.slice(from, to).map(({ name }) => name)
    // The tasks of the dash have these names too.
    const bare = (count: number) => press(shown('gnome', { apps: apps.slice(0, count) }), 'meta')
    const open = bare(30)
    expect(pagesIn(open)).toEqual(['Page 1', 'Page 2', 'Page 3'])
    expect(names(open).slice(0, 12)).toEqual(onPages(0, 12))
    const last = click(open, 'Page 3')
    expect(names(last).slice(0, 6)).toEqual(onPages(24, 30))
    expect([found(open, 'Page 1').selected, found(last, 'Page 1').selected, found(last, 'Page 3').selected]).toEqual([
      true,
      false,
      true,
    ])
    expect(windowByUid(last, 'shell:launcher')?.focus).toBe('shell.query')
    expect([pagesIn(type(last, 'app 2')), names(type(last, 'app 2')).slice(0, 2)]).toEqual([[], ['App 2', 'App 20']])
    expect(names(press(press(last, 'escape'), 'meta')).slice(0, 12)).toEqual(onPages(0, 12))
    expect([pagesIn(bare(12)), pagesIn(bare(13))]).toEqual([[], ['Page 1', 'Page 2']])
  })
})

describe('files in the launcher', () => {
  it('[SH23] are those of home folders, in the style macos those that are searched', () => {
    const idsIn = (on: Desktop) =>
      windowByUid(on, 'shell:launcher')!
        .tree.children.map(({ id }) => id)
        .filter((id) => id.startsWith('shell.document'))
    const start = press(shown('windows'), 'meta')
    expect(idsIn(start)).toEqual([
      'shell.document./home/ada/Desktop/plan.txt',
      'shell.document./home/ada/Desktop/Photos/sea.png',
    ])
    expect(found(start, 'Ada').id).toBe('shell.user')
    expect(idsIn(press(shown('macos'), 'meta'))).toEqual([])
    expect(idsIn(type(press(shown('macos'), 'meta'), 'SEA'))).toEqual([
      'shell.document./home/ada/Desktop/Photos/sea.png',
    ])
  })
})

describe('flyouts', () => {
  const WAYS = [
    ['Network', 'shell:quick-settings'],
    ['Sound', 'shell:quick-settings'],
    ['Battery', 'shell:quick-settings'],
    ['ENG', 'shell:input'],
    ['Show hidden icons', 'shell:tray'],
    ['Notifications', 'shell:calendar'],
    ['14:05  3/12/2024', 'shell:calendar'],
  ] as const

  it('[SH19] open from the tray, and close by their button, Escape and a click outside', () => {
    for (const [name, uid] of WAYS) {
      const open = click(shown('windows'), name)
      expect([open.active, partsOf(open)[0]]).toEqual([uid, uid])
      const shut = [
        click(open, name),
        press(open, 'escape'),
        act(open, { type: 'click', at: { x: 110, y: 300 }, button: 'left', count: 1 }),
        act(open, { type: 'window', window: uid, to: 'close' }),
      ]
      for (const on of shut) expect(partsOf(on)).toEqual(['shell:taskbar', 'shell:desktop'])
      expect(partsOf(click(open, 'Start'))).toEqual(['shell:launcher', 'shell:taskbar', 'shell:desktop'])
    }
  })

  it('[SH19] are inside the work area, with elements that do not overlap and are hit', () => {
    const buttons = [
      ['windows', WAYS.map(([name]) => name)],
      ['macos', ['Network', 'Tue Mar 12  14:05']],
      ['gnome', ['ENG', 'Sound', 'Tue Mar 12  14:05']],
    ] as const
    for (const [style, names] of buttons)
      for (const name of names) {
        const on = click(shown(style), name)
        const flyout = on.shell!.windows[0]!
        expect([name, flyout.shell]).toEqual([name, 'flyout'])
        expect(encloses(workArea(on, primaryMonitor(on)!), flyout.bounds)).toBe(true)
        for (const [at, child] of flyout.tree.children.entries()) {
          expect([child.name, encloses(flyout.bounds, child.bounds)]).toEqual([child.name, true])
          expect(flyout.tree.children.slice(at + 1).filter((each) => intersect(each.bounds, child.bounds))).toEqual([])
          expect(hitTest(on, centerOf(child.bounds))?.window.uid).toBe(flyout.uid)
        }
      }
  })

  it('[SH20] change what the tray shows, also after they closed', () => {
    const open = click(shown('windows'), 'Network')
    const off = click(open, 'Wi-Fi')
    expect(found(off, 'Network').value).toBe('Not connected')
    const quiet = act(off, {
      type: 'set_value',
      target: { window: 'shell:quick-settings', element: 'shell.quick.volume' },
      at: { x: 0, y: 0 },
      value: '10',
      clearFirst: true,
    })
    const shut = press(quiet, 'escape')
    expect([found(shut, 'Network').value, found(shut, 'Sound').value]).toEqual(['Not connected', '10%'])
    const again = click(shut, 'Sound')
    expect([found(again, 'Wi-Fi').selected, found(again, 'Volume').valueNow]).toEqual([false, 10])
    const german = click(click(shown('windows'), 'ENG'), 'Deutsch')
    expect([german.active, found(german, 'DEU').description]).toEqual(['inbox', 'Input language'])
    expect(found(click(german, 'DEU'), 'Deutsch').selected).toBe(true)
  })

  it('[SH21] offer the layout for the language of the desktop first, which is chosen', () => {
    const layoutsIn = (language: string | undefined) => {
      const bare = shown('windows', language === undefined ? {} : { language })
      const flyout = runShellCommand(bare, { does: 'flyout', flyout: 'input' }).shell!.windows
      const [bar, open] = ['shell.input', 'shell.input.eng'].map(
        (id) => flyout.find(({ tree }) => nodeById(tree, id) !== undefined)!.tree,
      )
      return [nodeById(bar!, 'shell.input')!.name, ...open!.children.map(({ name }) => name)]
    }
    expect(layoutsIn(undefined)).toEqual(['ENG', 'English', 'Deutsch', 'Français'])
    expect(layoutsIn('de')).toEqual(['DEU', 'Deutsch', 'English', 'Français'])
    expect(layoutsIn('ja')).toEqual(['JPN', '日本語', 'English', 'Deutsch', 'Français'])
    expect(layoutsIn('pl')).toEqual(layoutsIn(undefined))
  })

  it('[SH22] show the month of the clock, which turns, and the open notifications', () => {
    const note = window('', { uid: 'toast', notification: true }, text('Build passed'))
    const noted = withShell({
      ...shown('windows'),
      windows: [{ ...note, tree: { ...note.tree, name: 'Saved' } }, ...shown('windows').windows],
    })
    const open = click(noted, '14:05  3/12/2024')
    expect(found(open, 'Saved').id).toBe('shell.note.toast')
    expect(found(open, 'March 2024').role).toBe('Text')
    expect(found(open, '12')).toMatchObject({ selected: true, description: '2024-03-12' })
    const next = click(click(open, 'Next month'), 'Next month')
    expect(found(next, 'May 2024').role).toBe('Text')
    expect(found(click(next, 'Previous month'), 'April 2024').role).toBe('Text')
    expect(found(click(shown('windows'), 'Notifications'), 'No new notifications').role).toBe('Text')
  })
})

describe('icons', () => {
  it('[SH15] are the files of the desktop, at the side of the style', () => {
    const sideOf = (style: DesktopStyle) => found(shown(style), 'plan.txt').bounds
    expect(sideOf('windows')).toEqual(rect(4, 100, 76, 84))
    expect(sideOf('macos')).toEqual(rect(1180, 204, 96, 88))
    expect(windowByUid(shown('gnome'), 'shell:desktop')?.tree.children).toEqual([])
    const selected = click(shown('windows'), 'plan.txt')
    const cleared = windowByUid(withShell({ ...selected, files: {} }), 'shell:desktop')!
    expect([cleared.tree.children, cleared.focus]).toEqual([[], undefined])
    expect(found(selected, 'plan.txt').selected).toBe(true)
    expect(found(press(click(selected, 'Photos'), 'delete'), 'plan.txt').selected).toBe(false)
    expect(Object.keys(press(selected, 'delete').files ?? {})).not.toContain('/home/ada/Desktop/plan.txt')
  })

  it('[SH14] are the machine and its bin too, in the style windows with an application for files', () => {
    const apps = [{ id: 'files', name: 'Files', icon: 'folder', windows: ['files'] }]
    const on = shown('windows', { apps })
    expect(found(on, 'plan.txt').bounds.y).toBe(found(shown('windows'), 'plan.txt').bounds.y + 2 * 92)
    for (const name of ['This Device', 'Recycle Bin']) {
      expect(click(on, name).active).toBe('shell:desktop')
      expect([click(on, name, 2).active, found(click(on, name), name).selected]).toEqual(['files', true])
    }
    expect(() => found(shown('macos', { apps }), 'This Device')).toThrow('no This Device')
  })

  it('[SH16] open folders in the file manager, and files are pressed', () => {
    const on = shown('windows')
    for (const open of [click(on, 'Photos', 2), press(click(on, 'Photos'), 'enter')]) {
      expect(open.active).toBe('files')
      expect(nodeById(windowByUid(open, 'files')!.tree, 'list')?.traits?.folder).toBe('/home/ada/Desktop/Photos')
      expect(found(open, 'plan.txt').role).toBe('ListItem')
    }
    const at = centerOf(found(on, 'plan.txt').bounds)
    const { pressed } = performAction(on, { type: 'click', at, button: 'left', count: 2 }, { isInteractive: true })
    expect(pressed).toContainEqual({ window: 'shell:desktop', element: 'shell.icons/plan.txt' })
    expect(press(click(on, 'plan.txt'), 'backspace').shell?.windows.at(-1)?.tree.children[0]?.traits?.folder).toBe(
      '/home/ada/Desktop',
    )
  })
})

describe('parts of the shell', () => {
  it('[SH17] stay in place', () => {
    const on = press(shown('windows'), 'meta')
    for (const to of ['minimize', 'maximize', 'restore', 'close'] as const)
      expect(() => act(on, { type: 'window', window: 'shell:taskbar', to })).toThrow(
        expect.objectContaining({ code: 'PatternUnsupported' }),
      )
    expect(act(on, { type: 'window', window: 'shell:launcher', to: 'close' }).active).toBe('inbox')
    const icons = click(shown('windows'), 'plan.txt')
    for (const keys of ['alt+f4', 'meta+up', 'meta+down']) expect(press(icons, keys)).toBe(icons)
  })

  it('[SH18] are not covered by maximised windows', () => {
    for (const style of SHELL_STYLES) {
      const on = maximize(shown(style), 'inbox')
      const area = workArea(on, primaryMonitor(on)!)
      expect(windowByUid(on, 'inbox')?.bounds).toMatchObject({ x: area.x, width: area.width })
      for (const bar of on.shell!.windows.filter(({ shell }) => shell === 'bar')) {
        expect(intersect(area, bar.bounds)).toBeUndefined()
        expect(contains(area, centerOf(bar.bounds))).toBe(false)
      }
    }
  })
})

describe('the texts of the shell', () => {
  it.each(SHELL_STYLES)('[SH24] are in the language of the desktop in the style %s', (style) => {
    const said = (language: string | undefined) => {
      const bare = shown(style, language === undefined ? {} : { language })
      const parts = ['quick-settings', 'calendar', 'input', 'tray'] as const
      const open = [toggleLauncher(bare), ...parts.map((flyout) => runShellCommand(bare, { does: 'flyout', flyout }))]
      return open.flatMap(({ shell }) =>
        shell!.windows.flatMap(({ title, tree }) => [title, ...[...walk(tree)].map(({ name }) => name)]),
      )
    }
    const [english, german, polish] = [said(undefined), said('de'), said('pl')]
    expect(polish).toEqual(english)
    const notInGerman = english.filter(
      (text, at) => shellTextIn('de', text) !== undefined && german[at] !== shellTextIn('de', text),
    )
    expect(notInGerman).toEqual([])
    const isOfShell = (text: string) => shellTextIn('de', text) !== undefined
    expect(new Set(english.filter(isOfShell)).size).toBeGreaterThan(20)
    // What stays are names of the user and of languages, and the calendar, whose texts are in `dateNames`.
    const kept = english.filter((text, at) => text === german[at] && /[a-z]{2}/.test(text) && !isOfShell(text))
    const ofUser = ['Ada', 'Calendar', 'Files', 'Inbox', 'Mail', 'Old Mail', 'Photos', 'plan.txt', 'sea.png']
    const ofCalendar = ['March 2024', 'Tue Mar 12  14:05']
    const known = new Set([...ofUser, ...ofCalendar, 'Deutsch', 'English', 'Français'])
    expect(kept.filter((text) => !known.has(text))).toEqual([])
  })

  it('[SH24] show the state of the network in each language', () => {
    for (const language of SHELL_LANGUAGES) {
      const open = runShellCommand(shown('windows', { language }), { does: 'flyout', flyout: 'quick-settings' })
      const off = click(open, shellTextIn(language, 'Wi-Fi')!)
      expect(found(withShell(off), shellTextIn(language, 'Network')!).value).toBe(
        shellTextIn(language, 'Not connected'),
      )
    }
  })
})
