import { describe, expect, it } from 'vitest'
import { act, begin, click, element, form, until } from '../../../../test/support/scenario/player.ts'
import { nodeById } from '../../../desktop/model/element.ts'
import { encloses } from '../../../desktop/model/geometry.ts'
import { workArea } from '../../../desktop/windows/panel.ts'
import { entriesOf, type ScenarioRun } from '../../scenario-run.ts'

// Rules such as [SC170] are stated in ../../SPEC.md.

const WINDOWS = [
  'windows:',
  '  - uid: settings',
  '    title: Settings',
  '    bounds: {x: 300, y: 200, width: 300, height: 200}',
  '    tree: {role: Window, name: Settings, children: [{id: dark, role: CheckBox, name: Dark, focused: true}]}',
  '  - {uid: tray, state: minimized, title: Tray}',
  '  - {uid: wide, state: maximized, title: Wide, bounds: {x: 10, y: 10, width: 200, height: 100}}',
]

/** The form after a click on OK, which has these effects. */
const afterClick = (set: string, ...more: readonly string[]): ScenarioRun =>
  click(
    begin(form('reactions:', `  - {on: {tool: click_element, target_id: ok}, set: [${set}]}`, ...WINDOWS, ...more)),
    'ok',
  )

/** The open windows, front to back; the active one has a star. */
const open = ({ desktop }: ScenarioRun) =>
  desktop.windows.map(
    ({ uid, state }) => `${uid}${state === 'normal' ? '' : ` ${state}`}${uid === desktop.active ? '*' : ''}`,
  )
const skipped = ({ log }: ScenarioRun) => entriesOf(log).map(({ kind, name, fields }) => [kind, name, fields])

describe('effects on windows', () => {
  it('[SC170] [SC172] open a window that is closed at the start', () => {
    const before = begin(form(...WINDOWS))
    expect(open(before)).toEqual(['main*'])
    const run = afterClick('{open: settings}')
    expect(open(run)).toEqual(['settings*', 'main'])
    expect(run.desktop.windows[0]).toMatchObject({ handle: '1001', pid: 10001, title: 'Settings', focus: 'dark' })
    expect(element(run, 'dark').focused).toBe(true)
    expect(element(run, 'ok').focused).toBe(false)
    expect(open(afterClick('{open: wide}'))).toEqual(['wide maximized*', 'main'])
    expect(open(afterClick('{open: settings}, {open: main}'))).toEqual(['main*', 'settings'])
  })

  it('[SC170] open a window of the state again, as written, and windows of other states', () => {
    const run = afterClick('{id: name, value: changed}, {close: main}, {open: main}')
    expect([open(run), element(run, 'name').value]).toEqual([['main*'], ''])
    const other = begin(
      form(
        '  far:',
        '    windows: [{uid: away, title: Away}]',
        'reactions:',
        '  - {on: {tool: click_element, target_id: ok}, set: [{open: away}]}',
      ),
    )
    expect(open(click(other, 'ok'))).toEqual(['away*', 'main'])
  })

  it('[SC171] open a window that is written in the effect, with its placeholders filled', () => {
    const run = afterClick(
      '{id: name, value: Ada}, {open: {uid: ask, title: "Ask {name.value}", modal_to: main, tree: {role: Dialog, name: "Hi {name.value}", children: [{id: yes, role: Button, name: Yes, closes: true}]}}}',
    )
    expect(run.desktop.windows[0]).toMatchObject({ uid: 'ask', title: 'Ask Ada', handle: '1004', modalTo: 'main' })
    expect(run.desktop.windows[0]!.tree.name).toBe('Hi Ada')
    expect(open(click(run, 'yes'))).toEqual(['main*'])
    expect(open(afterClick('{open: tray}'))).toEqual(['main*', 'tray minimized'])
  })

  it('[SC173] close, activate, move and resize windows', () => {
    expect(open(afterClick('{open: settings}, {close: settings}'))).toEqual(['main*'])
    expect(open(afterClick('{open: settings}, {focus: main}'))).toEqual(['main*', 'settings'])
    const moved = afterClick('{open: settings}, {move: settings, x: 50, height: 320}')
    expect(moved.desktop.windows[0]!.bounds).toEqual({ x: 50, y: 200, width: 300, height: 320 })
    const { tree } = moved.desktop.windows[0]!
    expect(nodeById(tree, 'dark')!.bounds.x).toBeLessThan(300)
    const shrunk = afterClick('{open: wide}, {move: wide, x: 40}').desktop.windows[0]
    expect(shrunk).toMatchObject({ state: 'normal', bounds: { x: 40, y: 10, width: 200, height: 100 } })
  })

  it('[SC174] minimise, maximise and restore windows', () => {
    const to = (...states: readonly string[]) =>
      afterClick(['{open: settings}', ...states.map((state) => `{window: settings, state: ${state}}`)].join(', '))
    expect(open(to('minimized'))).toEqual(['main*', 'settings minimized'])
    const wide = to('maximized').desktop.windows[0]!
    expect([wide.state, wide.bounds.width, wide.tree.bounds.width]).toEqual(['maximized', 1280, 1280])
    const back = to('maximized', 'minimized', 'normal').desktop.windows[0]!
    expect([back.state, back.bounds.width]).toEqual(['normal', 300])
    expect(open(to('minimized', 'maximized'))).toEqual(['settings maximized*', 'main'])
  })

  it('[SC175] leave windows open when the state changes', () => {
    const moving = (set: string) =>
      click(
        begin(
          form(
            'reactions:',
            `  - {on: {tool: click_element, target_id: ok}, set: [${set}], transition_to: end}`,
            ...WINDOWS,
          ),
        ),
        'ok',
      )
    expect([moving('{open: settings}').state, open(moving('{open: settings}'))]).toEqual(['end', ['settings*', 'main']])
    expect(open(moving('{open: settings}, {focus: main}, {toast: Hi}'))).toEqual(['toast', 'main*', 'settings'])
    expect(open(moving('{open: settings}, {close: settings}'))).toEqual(['main*'])
    const apart = begin(
      form(
        '  other: {windows: [{uid: else, title: Else}]}',
        'timers: [{in: start, after_ms: 5, set: [{open: settings}, {focus: main}], transition_to: other}]',
        ...WINDOWS,
      ),
    )
    expect(open(until(apart, 5))).toEqual(['else*', 'settings'])
  })

  it('[SC185] open a menu at a point', () => {
    const menu =
      '{id: root, window: main, append: [{id: menu, role: Menu, name: Row, children: [{id: cut, role: MenuItem, name: Cut}]}]}'
    const run = afterClick(`${menu}, {menu: menu, at: {x: 300, y: 300}}`)
    expect(element(run, 'menu')).toMatchObject({ expanded: true, bounds: { x: 300, y: 300 } })
    const atPointer = afterClick(`${menu}, {menu: menu}`)
    expect(element(atPointer, 'menu').traits!.popup).toMatchObject(atPointer.desktop.pointer)
  })

  it('[SC187] skip and record what cannot be applied', () => {
    const run = afterClick('{close: settings}, {focus: settings}, {move: settings, x: 1}')
    expect(skipped(run)).toEqual([
      ['effect-skipped', 'close', { reason: 'no window "settings" is open' }],
      ['effect-skipped', 'focus', { reason: 'no window "settings" is open' }],
      ['effect-skipped', 'move', { reason: 'no window "settings" is open' }],
    ])
  })
})

describe('changes of what does not exist', () => {
  it('[SC188] are skipped and recorded', () => {
    const run = afterClick(
      '{id: name, remove: true}, {id: name, value: x}, {window: main, remove: true}, {window: main, busy: true}, {path: /a.txt, remove: true}',
    )
    expect(skipped(run)).toEqual([
      ['effect-skipped', 'id', { reason: 'there is no element "name"' }],
      ['effect-skipped', 'window', { reason: 'there is no window "main"' }],
      ['effect-skipped', 'path', { reason: 'there is no /a.txt to delete' }],
    ])
  })
})

describe('a notification', () => {
  it('[SC176] closes after its time and takes no focus', () => {
    const run = afterClick('{toast: "Saved {name.value}.", title: Mail, icon: file}, {toast: Later, for_ms: 9000}')
    const [second, first] = run.desktop.windows
    expect(first).toMatchObject({ uid: 'toast', title: 'Mail', notification: true, frame: 'none' })
    expect(first!.tree).toMatchObject({
      role: 'Notification',
      name: 'Mail',
      value: 'Saved .',
      traits: { icon: 'file' },
    })
    expect(first!.bounds.x + first!.bounds.width).toBe(1264)
    expect(second!.bounds.y + second!.bounds.height).toBeLessThan(first!.bounds.y)
    expect(open(run)).toEqual(['toast~2', 'toast', 'main*'])
    expect(open(until(run, 3999))).toEqual(['toast~2', 'toast', 'main*'])
    expect(open(until(run, 4000))).toEqual(['toast~2', 'main*'])
    expect(open(until(run, 9000))).toEqual(['main*'])
  })

  it('[SC182] has buttons that close it and trigger reactions', () => {
    const run = afterClick('{toast: Deleted, actions: [{id: undo, name: Undo}, {name: Dismiss}]}')
    expect(nodeById(run.desktop.windows[0]!.tree, 'undo')).toMatchObject({ role: 'Button', name: 'Undo' })
    const undone = click(
      click(
        begin(
          form(
            'reactions:',
            '  - {on: {tool: click_element, target_id: ok}, set: [{toast: Deleted, actions: [{id: undo, name: Undo}]}]}',
            '  - {on: {tool: click_element, target_id: undo}, set: [{id: status, name: Restored}]}',
          ),
        ),
        'ok',
      ),
      'undo',
    )
    expect([open(undone), element(undone, 'status').name]).toEqual([['main*'], 'Restored'])
  })

  it('[SC182] reuses the first free uid, with its own time, and closes the oldest of six', () => {
    const clicked = (
      times: number,
      run = begin(form('reactions: [{on: {tool: click_element, target_id: ok}, set: [{toast: Hi}]}]')),
    ): ScenarioRun => (times === 0 ? run : clicked(times - 1, click(run, 'ok')))
    expect(open(clicked(6))).toEqual(['toast', 'toast~5', 'toast~4', 'toast~3', 'toast~2', 'main*'])
    const closed = act(clicked(1), { type: 'window', window: 'toast', to: 'close' }).run
    const again = clicked(1, until(closed, 3000))
    expect([open(until(again, 4000)), open(until(again, 7000))]).toEqual([['toast', 'main*'], ['main*']])
  })

  const inStyle = (style: string, set: string) => afterClick(set, `style: ${style}`, 'panel: true')
  const area = ({ desktop }: ScenarioRun) => workArea(desktop, desktop.monitors[0]!)
  const two = '{toast: One, title: Mail, icon: mail}, {toast: Two, title: Mail, icon: mail}'

  it('[SC177] is where the style has notifications', () => {
    const placesOf = (style: string) => {
      const run = inStyle(style, two)
      const { x, y, width, height } = area(run)
      return run.desktop.windows.slice(0, 2).map(({ bounds }) => ({
        right: x + width - bounds.x - bounds.width,
        middle: Math.abs(2 * (bounds.x - x) + bounds.width - width) <= 1,
        top: bounds.y - y,
        bottom: y + height - bounds.y - bounds.height,
      }))
    }
    const [windowsLater, windows] = placesOf('windows')
    expect(windows).toMatchObject({ right: 12, bottom: 12 })
    expect(windowsLater!.bottom).toBeGreaterThan(100)
    const [macosLater, macos] = placesOf('macos')
    expect(macos).toMatchObject({ right: 12, top: 12 })
    expect(macosLater!.top).toBeGreaterThan(60)
    const [gnomeLater, gnome] = placesOf('gnome')
    expect(gnome).toMatchObject({ middle: true, bottom: 12 })
    expect(gnomeLater!.bottom).toBeGreaterThan(50)
  })

  it('[SC178] names its application and a person', () => {
    const apps = 'apps: [{name: Post, icon: mail}, {name: Desk, icon: file, opens: main}]'
    const traitsOf = (toast: string) => afterClick(toast, 'style: windows', apps).desktop.windows[0]!.tree.traits!
    const named = traitsOf('{toast: Hi, title: Ada, icon: mail, avatar: Ada Moreno}')
    expect([named.banner!.app, named.avatar]).toEqual([{ name: 'Post', kind: 'mail' }, 'Ada Moreno'])
    expect(traitsOf('{toast: Hi}').banner!.app).toMatchObject({ name: 'Desk' })
    expect(afterClick('{toast: Hi, avatar: Ada}').desktop.windows[0]!.tree.traits).toBeUndefined()
  })

  it('[SC180] has the time beside its title in macos, and dots beside Close in windows', () => {
    const [note, other] = ['{toast: Hi, title: Ada}', '{toast: Hi}']
    const bannerIn = (style: string, toast: string, language = 'en') => {
      const run = begin(
        form('reactions:', `  - {on: {tool: click_element, target_id: ok}, set: [${toast}]}`, `style: ${style}`),
      )
      return click({ ...run, desktop: { ...run.desktop, language } }, 'ok').desktop.windows[0]!.tree
    }
    expect(bannerIn('macos', note).traits!.banner!.time).toBe('now')
    expect(bannerIn('macos', note, 'ja').traits!.banner!.time).toBe('たった今')
    expect(bannerIn('macos', other).traits!.banner!.time).toBeUndefined()
    const { children, bounds, traits } = bannerIn('windows', note)
    const close = children.find(({ name }) => name === 'Close')!
    const { more, row } = traits!.banner!
    expect([bounds.x + more!.x + more!.width, bounds.y + more!.y]).toEqual([close.bounds.x, close.bounds.y])
    expect(row!.x + row!.width).toBeLessThanOrEqual(more!.x)
    expect(bannerIn('gnome', note).traits!.banner).not.toMatchObject({ more: expect.anything() })
    expect(bannerIn('gnome', note).traits!.banner).not.toMatchObject({ time: expect.anything() })
  })

  it('[SC179] has a button that closes it, and others of equal widths', () => {
    const set = '{toast: Hi, title: Ada, actions: [{id: a, name: A}, {id: b, name: A much longer name}]}'
    const childrenOf = (style: string) => inStyle(style, set).desktop.windows[0]!.tree.children
    expect(childrenOf('windows').map(({ name }) => name)).toEqual(['A', 'A much longer name', 'Close'])
    const [first, second] = childrenOf('macos')
    expect([childrenOf('macos').length, first!.bounds.width]).toEqual([2, second!.bounds.width])
    for (const style of ['windows', 'gnome']) {
      expect(open(click(inStyle(style, set), 'notification-close'))).toEqual(['main*'])
      const { bounds, tree } = inStyle(style, set).desktop.windows[0]!
      expect(tree.children.every((child) => encloses(bounds, child.bounds))).toBe(true)
    }
  })

  it('[SC181] has equal space above and below its parts in gnome', () => {
    const long = 'A text that is so long that it takes two lines of a notification and has no space for a third'
    const sets = [
      'toast: One line',
      'toast: Hi, title: Ada, icon: mail',
      `toast: ${long}, title: Ada, avatar: Ada Moreno`,
    ]
    const spaces = sets.map((set) => {
      const { bounds, tree } = inStyle('gnome', `{${set}, actions: [{id: a, name: A}]}`).desktop.windows[0]!
      const { words, picture } = tree.traits!.banner!
      const buttons = tree.children.map((child) => ({ ...child.bounds, y: child.bounds.y - bounds.y }))
      for (const { y, height } of [words, ...(picture ? [picture] : []), ...buttons])
        expect(Math.abs(bounds.height - 2 * y - height)).toBeLessThanOrEqual(1)
      return { lines: words.height / 20, space: words.y }
    })
    expect(spaces.map(({ lines }) => lines)).toEqual([1, 2, 3])
    expect(spaces.slice(1).map(({ space }) => space)).toEqual([18, 18])
  })
})
