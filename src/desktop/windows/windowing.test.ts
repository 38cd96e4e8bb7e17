import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  act,
  activate,
  change,
  click,
  clickAt,
  drag,
  find,
  focus,
  hover,
  press,
  type,
} from '../../../test/support/desktop/driver.ts'
import { notificationBounds } from '../../scenario/run/effects/toast.ts'
import { apply } from '../apply/apply.ts'
import { button, type Draft, desktop, document, edit, element, monitor, rect, text, window } from '../model/builders.ts'
import { type Desktop, windowByUid } from '../model/desktop.ts'
import { type Element, walk } from '../model/element.ts'
import { centerOf, encloses, type Rect } from '../model/geometry.ts'
import { textWidth } from '../model/text-width.ts'
import { BACKLOT_METRICS } from '../style/backlot.ts'
import { MAX_TITLE_HEIGHT_PX, type WindowButton } from '../style/metrics.ts'
import { DESKTOP_STYLES, type DesktopStyle, styleMetrics } from '../style/style.ts'
import { placed } from '../tree/tree-edits.ts'
import { frameOf } from './frame.ts'
import { panelOf, workArea } from './panel.ts'

const two = (more: Partial<Desktop> = {}) =>
  desktop(
    more,
    window(
      'Front',
      { uid: 'front', bounds: rect(100, 100, 400, 300) },
      edit('A', { id: 'a' }),
      button('OK', { id: 'ok' }),
    ),
    window('Back', { uid: 'back', bounds: rect(300, 200, 400, 300) }, edit('B', { id: 'b' }), edit('C', { id: 'c' })),
  )
const dialogs = () =>
  desktop(
    window(
      'Ask',
      { uid: 'ask', modalTo: 'main', bounds: rect(300, 250, 200, 150) },
      button('No', { id: 'no', traits: { presses: 'escape' } }),
      button('Yes', { id: 'yes', traits: { presses: 'enter', closes: true } }),
    ),
    window('Main', { uid: 'main', bounds: rect(100, 100, 600, 500), focus: 'body' }, document('Body', { id: 'body' })),
  )
const order = (on: Desktop) => on.windows.map(({ uid, state }) => (state === 'normal' ? uid : `${uid} ${state}`))
const at = (on: Desktop, uid: string) => windowByUid(on, uid)!
const frame = (on: Desktop, uid: string) => frameOf(at(on, uid), BACKLOT_METRICS)!

describe('windows', () => {
  it('[DT193] come to the front when clicked and restore their focus', () => {
    const back = act(two(), focus('a'), clickAt({ x: 650, y: 450 }))
    expect([order(back), back.active, find(back, 'a').focused]).toEqual([['back', 'front'], 'back', false])
    const again = act(back, focus('c'), activate('front'))
    expect([order(again), find(again, 'a').focused, at(again, 'back').focus]).toEqual([['front', 'back'], true, 'c'])
  })

  it('[DT194] [DT80] are switched by alt+Tab and closed by alt+F4, which activates the next one', () => {
    expect(act(two(), press('alt+tab')).active).toBe('back')
    const closed = act(two(), press('alt+f4'))
    expect([order(closed), closed.active]).toEqual([['back'], 'back'])
    expect(act(closed, press('alt+f4')).active).toBeUndefined()
    expect(() => act(closed, change('front', 'close'))).toThrow(expect.objectContaining({ code: 'WindowGone' }))
  })

  it('[DT80] are maximised by meta+Up, restored or put away by meta+Down, and all put away by meta+D', () => {
    const big = act(two(), press('meta+up'))
    const small = act(big, press('meta+down'))
    expect([at(big, 'front').state, small]).toEqual(['maximized', two()])
    expect(order(act(small, press('meta+down')))).toEqual(['back', 'front minimized'])
    expect(order(act(two(), press('meta+d')))).toEqual(['front minimized', 'back minimized'])
  })

  it('[DT195] are closed, maximised, restored and put away by the buttons of their title bar', () => {
    const big = act(two(), clickAt(centerOf(frame(two(), 'front').buttons.maximize!)))
    expect(at(big, 'front')).toMatchObject({
      state: 'maximized',
      bounds: rect(0, 0, 1280, 800),
      restoreTo: rect(100, 100, 400, 300),
    })
    const back = act(big, clickAt(centerOf(frame(big, 'front').buttons.maximize!)))
    expect(back.windows).toEqual(act(two(), activate('front')).windows)
    expect(order(act(two(), clickAt(centerOf(frame(two(), 'front').buttons.close!))))).toEqual(['back'])
    const away = act(two(), clickAt(centerOf(frame(two(), 'front').buttons.minimize!)))
    expect([order(away), away.active]).toEqual([['back', 'front minimized'], 'back'])
    expect(at(act(two(), clickAt({ x: 200, y: 116 }, { count: 2 })), 'front').state).toBe('maximized')
  })

  it('[DT196] come back from the panel, which never covers a maximised one', () => {
    const on = two({ panel: true })
    const [first] = panelOf(on)!.buttons
    const away = act(on, clickAt(centerOf(first!.bounds)))
    expect([first!.window, order(away)]).toEqual(['front', ['back', 'front minimized']])
    const back = act(away, clickAt(centerOf(first!.bounds)))
    expect([order(back), back.active]).toEqual([['front', 'back'], 'front'])
    expect(at(act(on, change('front', 'maximize')), 'front').bounds).toEqual(rect(0, 0, 1280, 760))
  })

  it('[DT204] are not on the screen while their root is hidden', () => {
    const main = window('Main', { uid: 'main', bounds: rect(100, 100, 400, 300) }, button('OK', { id: 'ok' }))
    const waiting = window('Ask', { uid: 'ask', modalTo: 'main', bounds: rect(100, 100, 400, 300) }, button('No'))
    const hidden = { ...waiting, tree: { ...waiting.tree, traits: { hidden: true as const } } }
    const on = desktop({ panel: true }, hidden, main)
    expect([on.active, panelOf(on)!.buttons.map((each) => each.window), frameOf(hidden, BACKLOT_METRICS)]).toEqual([
      'main',
      ['main'],
      undefined,
    ])
    expect(find(act(on, clickAt(centerOf(find(on, 'ok').bounds))), 'ok').focused).toBe(true)
    expect(act(on, press('alt+Tab')).active).toBe('main')
  })

  it('[DT197] have a button as wide as their title, and narrower ones only when the panel is full', () => {
    const titled = (...titles: readonly string[]) =>
      panelOf(desktop({ panel: true }, ...titles.map((title, at) => window(title, { uid: `w${at}` }))))!
    const long = 'A title of a window that says at some length what is in it'
    const [short, wide] = titled('Mail', long).buttons
    expect(short!.bounds.width).toBe(132)
    expect(wide!.bounds.width).toBeGreaterThan(textWidth(long, 13) + 20)
    expect(wide!.bounds.x).toBe(short!.bounds.x + short!.bounds.width + 8)
    const many = titled('Mail', ...Array<string>(8).fill(long))
    const widths = many.buttons.map(({ bounds }) => bounds.width)
    expect(widths[0]).toBeGreaterThan(textWidth('Mail', 13) + 20)
    expect(new Set(widths.slice(1)).size).toBe(1)
    const { x, width } = many.buttons.at(-1)!.bounds
    expect(x + width).toBeLessThanOrEqual(many.clock.x)
    expect(many.clock.x - x - width).toBeLessThan(20)
  })

  it('[DT196] have their button lit while a dialog of theirs is active, which puts both away', () => {
    const on = act({ ...dialogs(), panel: true }, activate('ask'))
    const [button, ...others] = panelOf(on)!.buttons
    expect([button!.window, button!.isActive, others]).toEqual(['main', true, []])
    const away = act(on, clickAt(centerOf(button!.bounds)))
    expect([order(away), panelOf(away)!.buttons[0]!.isActive]).toEqual([['ask minimized', 'main minimized'], false])
  })

  it('[DT198] are moved by their title bar with all that is in them, and stay reachable', () => {
    const moved = act(two(), drag({ x: 200, y: 116 }, { x: 250, y: 176 }))
    expect(at(moved, 'front').bounds).toEqual(rect(150, 160, 400, 300))
    expect(find(moved, 'a').bounds).toEqual({
      ...find(two(), 'a').bounds,
      x: find(two(), 'a').bounds.x + 50,
      y: find(two(), 'a').bounds.y + 60,
    })
    const far = act(two(), drag({ x: 480, y: 116 }, { x: 5, y: 790 }), drag({ x: 20, y: 765 }, { x: 0, y: 799 }))
    expect(at(far, 'front').bounds.y).toBeLessThanOrEqual(760)
  })

  it('[DT198] are restored under the pointer that moves them while they are maximised', () => {
    const bounds = rect(100, 60, 700, 500)
    for (const frame of ['inside', 'outside'] as const) {
      const on = desktop(window('Big', { uid: 'big', bounds, frame }, edit('A', { id: 'a' })))
      const moved = act(on, change('big', 'maximize'), drag({ x: 1000, y: 10 }, { x: 1000, y: 300 }))
      const { title } = frameOf(at(moved, 'big'), BACKLOT_METRICS)!
      expect(at(moved, 'big')).toMatchObject({ state: 'normal', bounds: { x: 453, width: 700, height: 500 } })
      expect(title).toEqual(rect(453, 290, 700, 32))
      const offset = { x: find(moved, 'a').bounds.x - 453, y: find(moved, 'a').bounds.y - at(moved, 'big').bounds.y }
      expect(offset).toEqual({ x: find(on, 'a').bounds.x - 100, y: find(on, 'a').bounds.y - 60 })
    }
  })

  it('[DT199] are resized by their edges, together with their content', () => {
    const on = desktop(
      window(
        'Form',
        { uid: 'form', bounds: rect(100, 100, 400, 300) },
        document('Body', { id: 'body', bounds: rect(110, 140, 380, 200) }),
        button('OK', { id: 'ok', bounds: rect(400, 350, 80, 30) }),
        text('Hint', { id: 'hint', bounds: rect(110, 350, 80, 30) }),
      ),
    )
    const larger = act(on, drag({ x: 499, y: 399 }, { x: 599, y: 449 }))
    expect(at(larger, 'form').bounds).toEqual(rect(100, 100, 500, 350))
    expect(['body', 'ok', 'hint'].map((id) => find(larger, id).bounds)).toEqual([
      rect(110, 140, 480, 250),
      rect(500, 400, 80, 30),
      rect(110, 400, 80, 30),
    ])
    const narrow = act(on, drag({ x: 499, y: 250 }, { x: 0, y: 250 }))
    expect(at(narrow, 'form').bounds.width).toBe(160)
  })

  it('[DT199] have the same layout at the same size, however small they have been', () => {
    const boundsIn = (tree: Element) => Array.from(walk(tree), ({ bounds }) => bounds)
    const inner = fc.record({ x: fc.nat(300), y: fc.nat(200), width: fc.nat(300), height: fc.nat(200) })
    const size = fc.record({ x: fc.nat(90), y: fc.nat(90), width: fc.nat(500), height: fc.nat(500) })
    fc.assert(
      fc.property(inner, inner, fc.array(size), size, (a, b, between, last) => {
        const parts = element('Pane', '', { bounds: a }, button('', { bounds: b }))
        const { tree } = window('W', { bounds: rect(0, 0, 300, 200) }, parts)
        const there = between.reduce(placed, tree)
        expect(boundsIn(placed(there, last))).toEqual(boundsIn(placed(tree, last)))
        expect(placed(there, tree.bounds)).toEqual(tree)
      }),
      { numRuns: 1000 },
    )
    const on = desktop(
      window(
        'Form',
        { uid: 'form', bounds: rect(100, 100, 400, 300) },
        document('Body', { id: 'body', bounds: rect(150, 140, 300, 200) }),
        button('OK', { id: 'ok', bounds: rect(400, 350, 80, 30) }),
      ),
    )
    const small = act(on, drag({ x: 499, y: 399 }, { x: 100, y: 100 }))
    expect(find(small, 'body').bounds).toEqual(rect(150, 140, 60, 0))
    expect(act(small, drag({ x: 259, y: 179 }, { x: 499, y: 399 })).windows).toEqual(act(on, activate('form')).windows)
  })

  it('[DT200] fill the monitor that shows most of them, at negative coordinates as well', () => {
    const on = desktop(
      { monitors: [monitor(rect(0, 0, 1280, 800)), monitor(rect(-800, -100, 800, 600), 1)] },
      window('Left', { uid: 'left', bounds: rect(-500, 0, 400, 300), frame: 'outside' }, edit('A', { id: 'a' })),
    )
    expect(at(act(on, change('left', 'maximize')), 'left').bounds).toEqual(rect(-800, -68, 800, 568))
    expect(find(act(on, click('a'), type('x')), 'a').value).toBe('x')
  })
})

describe('dialogs', () => {
  it('[DT201] keep their owner from taking input, and come to the front when it is clicked', () => {
    const on = dialogs()
    expect(() => act(on, focus('body'))).toThrow('"Main" takes no input while its dialog "Ask" is open')
    const clicked = act(on, clickAt({ x: 150, y: 550 }))
    expect([clicked.active, find(clicked, 'body').focused]).toEqual(['ask', false])
    expect(act(on, activate('main')).active).toBe('ask')
    expect(() => act(on, change('main', 'close'))).toThrow(expect.objectContaining({ code: 'ElementDisabled' }))
  })

  it('[DT202] [DT80] press their default button by Enter, close by Escape and return the focus', () => {
    for (const step of [press('escape'), click('no'), press('enter'), press('alt+f4')]) {
      const done = act(dialogs(), step)
      expect([order(done), done.active, find(done, 'body').focused]).toEqual([['main'], 'main', true])
    }
  })

  it('[DT71] focus their first field, otherwise their default button', () => {
    const asking = (...parts: readonly Draft[]) =>
      act(
        desktop(
          window('Main', { uid: 'main' }, edit('Body', { id: 'body' })),
          window('Ask', { uid: 'ask', modalTo: 'main' }, button('No', { id: 'no' }), ...parts),
        ),
        activate('main'),
      )
    const ok = button('OK', { id: 'ok', traits: { presses: 'enter' } })
    expect(find(act(asking(edit('Name', { id: 'name' }), ok), type('Ada')), 'name').value).toBe('Ada')
    expect([find(asking(ok), 'ok').focused, find(asking(), 'no').focused]).toEqual([true, true])
  })

  it('[DT203] go with their owner', () => {
    const on = act(dialogs(), change('ask', 'minimize'))
    expect(order(on)).toEqual(['ask minimized', 'main minimized'])
    const back = act(on, activate('main'))
    expect(order(back)).toEqual(['ask', 'main'])
  })

  it('[DT205] a busy window comes to the front and takes nothing in', () => {
    const on = desktop(window('Slow', { uid: 'slow', busy: true }, edit('A', { id: 'a' })))
    expect(act(on, click('a'), press('tab')).windows).toEqual(on.windows)
    expect(() => act(on, focus('a'))).toThrow(expect.objectContaining({ code: 'ElementDisabled' }))
  })

  it('[DT205] a busy window is put away and brought back, but not closed, maximised, moved or resized', () => {
    const slow = (on: Desktop) => desktop(...on.windows.map((each) => ({ ...each, busy: each.uid === 'front' })))
    const on = slow(two())
    const { close, maximize, minimize } = frame(on, 'front').buttons as Record<WindowButton, Rect>
    const [title, aside] = [
      { x: 200, y: 116 },
      { x: 260, y: 180 },
    ]
    const refused = [
      press('alt+f4'),
      press('meta+up'),
      clickAt(centerOf(close)),
      clickAt(centerOf(maximize)),
      clickAt(title, { count: 2 }),
      drag(title, aside),
      drag({ x: 499, y: 250 }, { x: 560, y: 250 }),
    ]
    for (const step of refused) expect(act(on, step).windows).toBe(on.windows)
    const big = slow(act(two(), change('front', 'maximize')))
    expect(act(big, press('meta+down'))).toBe(big)
    for (const [from, to] of [
      [on, 'close'],
      [on, 'maximize'],
      [big, 'restore'],
    ] as const)
      expect(() => act(from, change('front', to))).toThrow('"Front" is busy and takes no input now; wait for it')
    const away = act(on, clickAt(centerOf(minimize)))
    expect(order(away)).toEqual(['back', 'front minimized'])
    expect(order(act(on, press('meta+down')))).toEqual(order(away))
    expect(order(act(away, change('front', 'restore')))).toEqual(['front', 'back'])
    const behind = act(on, activate('back'), clickAt(centerOf(close)))
    expect([order(behind), behind.active]).toEqual([['front', 'back'], 'front'])
  })

  it('[DT205] resting on a busy window opens nothing', () => {
    const tip = element('ToolTip', 'Writes the file', { id: 'tip', bounds: rect(0, 0, 120, 24) })
    const on = desktop(window('Slow', { uid: 'slow', busy: true }, button('Save', { id: 'save' }, tip)))
    expect(act(on, hover('save')).windows).toBe(on.windows)
  })
})

describe('nonsense', () => {
  it('[DT58] is refused, and the desktop is as it was', () => {
    const on = two()
    const frozen = structuredClone(on)
    const refused = [
      type('x'),
      press('hyper+nothing'),
      clickAt({ x: 5000, y: 5 }),
      drag({ x: -5, y: 5 }, { x: 50, y: 50 }),
      change('gone', 'close'),
      activate('gone'),
      (before: Desktop) =>
        apply(
          before,
          { type: 'focus', target: { window: 'front', element: 'gone' }, at: { x: 0, y: 0 } },
          { isInteractive: true },
        ),
    ]
    const codes = refused.map((step) => {
      try {
        act(on, step)
        return 'done'
      } catch (error) {
        return (error as { code: string }).code
      }
    })
    expect(codes).toEqual([
      'BadRequest',
      'BadRequest',
      'BadRequest',
      'BadRequest',
      'WindowGone',
      'WindowGone',
      'ElementNotFound',
    ])
    expect(on).toEqual(frozen)
  })
})

describe('a notification', () => {
  const note = (more: Partial<Desktop['windows'][number]> = {}) =>
    window(
      'Note',
      { uid: 'note', notification: true, frame: 'none', bounds: rect(900, 600, 300, 100), ...more },
      button('Undo', { id: 'undo', traits: { closes: true } }),
    )
  const noted = () => desktop({ panel: true }, note(), ...two().windows)

  it('[DT206] stays above other windows and is never active', () => {
    const on = act(noted(), focus('a'))
    const raised = act(on, activate('back'))
    expect([order(raised), raised.active]).toEqual([['note', 'back', 'front'], 'back'])
    expect(act(on, activate('note'))).toMatchObject({ active: 'front', windows: on.windows })
    expect(act(on, press('alt+tab')).active).toBe('back')
    expect(
      panelOf(on)!
        .buttons.map(({ window }) => window)
        .sort(),
    ).toEqual(['back', 'front'])
    const closed = act(on, change('front', 'close'))
    expect([order(closed), closed.active]).toEqual([['note', 'back'], 'back'])
  })

  it('[DT206] leaves the focus where it is when one of its buttons is pressed', () => {
    const pressed = act(noted(), focus('a'), click('undo'))
    expect([order(pressed), pressed.active, find(pressed, 'a').focused]).toEqual([['front', 'back'], 'front', true])
    const typed = act(noted(), focus('a'), clickAt({ x: 905, y: 690 }), type('x'))
    expect(find(typed, 'a').value).toBe('x')
  })

  it('[DT207] is placed in the corner, above those that are open', () => {
    const size = { width: 300, height: 100 }
    const first = notificationBounds(desktop({ panel: true }), size)
    expect(first).toEqual(rect(1280 - 316, 760 - 116, 300, 100))
    const second = desktop({ panel: true }, note({ bounds: first }))
    expect(notificationBounds(second, size)).toEqual(rect(964, 644 - 108, 300, 100))
    const full = desktop({ panel: true }, note({ bounds: rect(964, 50, 300, 100) }))
    expect(notificationBounds(full, size)).toEqual(first)
  })
})

describe('styles', () => {
  it.each(DESKTOP_STYLES)('[DT208] %s has its own window buttons, at the place that a click hits', (style) => {
    const on = two({ style })
    const { title, buttons } = frameOf(at(on, 'front'), styleMetrics(style))!
    const { side } = styleMetrics(style).title
    const areas = Object.values(buttons)
    for (const area of areas) {
      expect(encloses(title, area)).toBe(true)
      expect(side === 'left' ? area.x < 300 : area.x > 300).toBe(true)
    }
    expect(order(act(on, clickAt(centerOf(buttons.close!))))).toEqual(['back'])
    if (buttons.minimize)
      expect(order(act(on, clickAt(centerOf(buttons.minimize))))).toEqual(['back', 'front minimized'])
    if (buttons.maximize) {
      const big = act(on, clickAt(centerOf(buttons.maximize)))
      expect(at(big, 'front').bounds).toEqual(workArea(on, on.monitors[0]!))
    }
  })

  it('[DT209] have title bars of at most 32 pixels, with their own buttons', () => {
    for (const style of DESKTOP_STYLES)
      expect(styleMetrics(style).title.height).toBeLessThanOrEqual(MAX_TITLE_HEIGHT_PX)
    const namesOf = (style: DesktopStyle) => Object.keys(frameOf(at(two(), 'front'), styleMetrics(style))!.buttons)
    expect(namesOf('windows')).toEqual(['close', 'maximize', 'minimize'])
    expect(namesOf('macos')).toEqual(['close', 'minimize', 'maximize'])
    expect(namesOf('gnome')).toEqual(['close'])
  })

  it('[DT212] a band of a title and tools moves the window, except for its tools', () => {
    const bounds = rect(100, 100, 400, 300)
    const tool = button('Go', { id: 'go', bounds: rect(110, 106, 34, 34) })
    const bar = element(
      'ToolBar',
      'Tools',
      {
        id: 'bar',
        bounds: rect(100, 100, 400, 47),
        traits: { titleAt: 1 },
      },
      tool,
    )
    const on = desktop({ style: 'gnome' }, window('Post', { uid: 'post', bounds }, bar))
    const { title, buttons } = frameOf(at(on, 'post'), styleMetrics('gnome'))!
    expect(title).toEqual(rect(100, 100, 400, 47))
    const moved = act(on, drag({ x: 300, y: 120 }, { x: 310, y: 140 }))
    expect(at(moved, 'post').bounds).toMatchObject({ x: 110, y: 120 })
    const pressed = act(on, drag({ x: 120, y: 120 }, { x: 130, y: 140 }))
    expect(at(pressed, 'post').bounds).toMatchObject({ x: 100, y: 100 })
    expect(order(act(on, clickAt(centerOf(buttons.close!))))).toEqual([])
  })

  it('[DT211] has menus as wide as their texts', () => {
    const item = (name: string, more: object = {}) => element('MenuItem', name, { id: name, ...more })
    const name = 'A command with a name of some length'
    const rows = [item(name, { keyboardShortcut: 'Ctrl+Shift+S' }), item('B')]
    const menu = element('Menu', 'File', { id: 'file', bounds: rect(0, 32, 60, 28) }, ...rows)
    const bar = element('MenuBar', 'Menus', { id: 'menus', bounds: rect(0, 32, 800, 28) }, menu)
    const main = window('Post', { uid: 'post', bounds: rect(0, 0, 800, 600) }, bar)
    for (const style of ['windows', 'macos', 'gnome'] as const) {
      const { body, family } = styleMetrics(style).text
      const { bounds } = find(act(desktop({ style }, main), click('file')), name)
      const keys = style === 'macos' ? '⌃⇧S' : 'Ctrl+Shift+S'
      const words = textWidth(name, body, family) + textWidth(keys, body, family)
      expect(Number.isInteger(bounds.width)).toBe(true)
      expect(bounds.width - words).toBeGreaterThan(40)
      expect(bounds.width - words).toBeLessThan(100)
    }
  })

  it('[DT210] a dialog of a style can only be closed', () => {
    const namesOf = (style: DesktopStyle, uid: string) =>
      Object.keys(frameOf(at(dialogs(), uid), styleMetrics(style))!.buttons)
    for (const style of ['windows', 'macos', 'gnome'] as const) expect(namesOf(style, 'ask')).toEqual(['close'])
    expect(namesOf('windows', 'main')).toEqual(['close', 'maximize', 'minimize'])
    expect(namesOf('backlot', 'ask')).toEqual(['close', 'maximize', 'minimize'])
    const doubleClick = (style: DesktopStyle, uid: string) => {
      const on = { ...dialogs(), style }
      const { title } = frameOf(at(on, uid), styleMetrics(style))!
      return at(act(on, clickAt(centerOf(title), { count: 2 })), uid).state
    }
    expect(doubleClick('windows', 'ask')).toBe('normal')
    expect(doubleClick('backlot', 'ask')).toBe('maximized')
    expect(at(act({ ...dialogs(), style: 'macos' }, press('meta+up')), 'ask').state).toBe('normal')
  })

  it('[DT208] leaves a desktop without a style as it is', () => {
    expect(styleMetrics(undefined)).toBe(styleMetrics('backlot'))
    expect('style' in two()).toBe(false)
  })
})
