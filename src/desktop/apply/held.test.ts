import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everything, point } from '../../../test/support/desktop/anything.ts'
import {
  act,
  clickAt,
  down,
  drag,
  find,
  focus,
  keyDown,
  keyUp,
  move,
  press,
  type Step,
  type,
  up,
} from '../../../test/support/desktop/driver.ts'
import { type Action, UnreceivedInput } from '../input/action.ts'
import {
  button,
  checkbox,
  desktop,
  document,
  edit,
  element,
  list,
  listItem,
  rect,
  slider,
  window,
} from '../model/builders.ts'
import { type Desktop, windowByUid } from '../model/desktop.ts'
import { centerOf, type Point } from '../model/geometry.ts'
import { BACKLOT_METRICS } from '../style/backlot.ts'
import { frameOf } from '../windows/frame.ts'
import { apply, performAction } from './apply.ts'
import { heldOf, meaningOf, repeatsIn } from './held.ts'

const reordered = { reorder: true }

const form = () =>
  desktop(
    window(
      'Form',
      { uid: 'form', bounds: rect(100, 100, 600, 500) },
      edit('Name', { id: 'name', value: 'one two three', bounds: rect(120, 150, 300, 30) }),
      button('OK', { id: 'ok', bounds: rect(120, 200, 100, 30) }),
      checkbox('Post', { id: 'post', bounds: rect(120, 250, 100, 24) }),
      slider('Volume', { id: 'volume', valueNow: 5, valueMin: 0, valueMax: 10, bounds: rect(120, 300, 216, 24) }),
      list(
        'Cards',
        { id: 'cards', bounds: rect(450, 150, 200, 120), traits: reordered },
        listItem('A', { id: 'card-a', bounds: rect(450, 150, 200, 30) }),
        listItem('B', { id: 'card-b', bounds: rect(450, 180, 200, 30) }),
        listItem('C', { id: 'card-c', bounds: rect(450, 210, 200, 30) }),
      ),
    ),
    window(
      'Back',
      { uid: 'back', bounds: rect(500, 450, 400, 250) },
      document('Notes', { id: 'notes', bounds: rect(510, 490, 380, 200) }),
    ),
  )

const middle = (on: Desktop, id: string): Point => centerOf(find(on, id).bounds)
const pressed = (on: Desktop, action: Action) => performAction(on, action, { isInteractive: true }).pressed
const bounds = (on: Desktop, uid: string) => windowByUid(on, uid)!.bounds
const step =
  (action: Action): Step =>
  (on) =>
    apply(on, action, { isInteractive: true })

describe('held buttons', () => {
  it('[DT81] are in the desktop until they are released', () => {
    const on = form()
    const at = middle(on, 'ok')
    const held = act(on, keyDown('ctrl'), down(at, 'right'), down(at, 'left'))
    expect([heldOf(held).buttons.map(({ button }) => button), heldOf(held).keys]).toEqual([['right', 'left'], ['ctrl']])
    expect(JSON.parse(JSON.stringify(held))).toEqual(held)
    const released = act(held, up(at, 'left'), up(at, 'right'), keyUp('control'))
    expect([released.held, Object.hasOwn(JSON.parse(JSON.stringify(released)), 'held')]).toEqual([undefined, false])
  })

  it('[DT82] raise the window and move the focus at the press', () => {
    const held = act(form(), down({ x: 850, y: 600 }))
    expect([held.windows[0]!.uid, find(held, 'notes').focused]).toEqual(['back', true])
  })

  it('[DT83] click where they are released near their press, or on the same control', () => {
    const on = form()
    const at = middle(on, 'post')
    const [ok, post] = [middle(on, 'ok'), at]
    const release = (to: Point): Action => ({ type: 'release', at: to, button: 'left' })
    expect(pressed(act(on, down(ok)), release(ok))).toEqual([{ window: 'form', element: 'ok' }])
    expect(find(act(on, down(at), up({ x: at.x + 4, y: at.y - 4 })), 'post').selected).toBe(true)
    expect(find(act(on, down(at), move({ x: at.x + 30, y: at.y }), up(at)), 'post').selected).toBe(true)
    expect(pressed(act(on, down(ok)), release(post))).toEqual([])
    expect(act(on, down(at), up(middle(on, 'ok'))).pointer).toEqual(middle(on, 'ok'))
  })

  it('[DT84] count presses in quick succession at one place', () => {
    const on = form()
    const at = { x: 175, y: 165 }
    const selection = (...times: readonly number[]) => {
      const after = act(on, ...times.flatMap((nowMs) => [down(at, 'left', nowMs), up(at)]))
      const { caret } = find(after, 'name').traits!
      return 'one two three'.slice(caret!.from, caret!.at)
    }
    expect([selection(0), selection(0, 500), selection(0, 501), selection(0, 200, 400)]).toEqual([
      '',
      'two',
      '',
      'one two three',
    ])
    expect(selection(0, 200, 400, 600)).toBe('')
    const clicked = act(on, down(at), up(at), clickAt(middle(on, 'ok')), down(at), up(at))
    expect(find(clicked, 'name').traits!.caret!.from).toBe(find(clicked, 'name').traits!.caret!.at)
    const away = act(on, down(at), up(at), down({ x: at.x + 5, y: at.y }), up({ x: at.x + 5, y: at.y }))
    expect(heldOf(away).buttons).toEqual([])
    expect(away.lastPress?.count).toBe(1)
  })

  it('[DT85] drop the item that they dragged', () => {
    const on = form()
    const [from, to] = [middle(on, 'card-a'), { x: 550, y: 235 }]
    const names = (after: Desktop) => find(after, 'cards').children.map(({ name }) => name)
    const held = act(on, down(from), move({ x: 500, y: 200 }, to))
    expect([names(held), names(act(held, up(to)))]).toEqual([
      ['A', 'B', 'C'],
      ['B', 'C', 'A'],
    ])
  })

  it('[DT85] end the same drag as drag does, between any two points', () => {
    /** Without what a resize remembers of the sizes on its way, and the caret of an untouched text. */
    const plain = (on: Desktop): unknown =>
      JSON.parse(
        JSON.stringify({ ...on, held: undefined, lastPress: undefined }, (key, value) => {
          if (key !== 'traits' || !value) return value
          const { home, caret, ...others } = value
          return caret && caret.at !== caret.from ? { ...others, caret } : others
        }).replaceAll(',"traits":{}', ''),
      )
    /** Texts and long lists may keep traces of the scrolling on a way. */
    const placed = ({ windows, active, pointer }: Desktop): unknown => [
      active,
      pointer,
      windows.map(({ uid, bounds, focus, state }) => ({ uid, bounds, focus, state })),
    ]
    const on = act(everything(), keyDown('ctrl'), keyUp('ctrl'))
    fc.assert(
      fc.property(point(), point(), fc.array(point(), { maxLength: 3 }), (from, to, through) => {
        const steps = [down(from), ...through.map((at) => move(at)), up(to)]
        let whole: Desktop
        try {
          whole = act(on, drag(from, to))
          for (const at of through) act(on, move(at))
        } catch (error) {
          expect(error).toBeInstanceOf(UnreceivedInput)
          return
        }
        const meant = meaningOf(act(on, ...steps.slice(0, -1)), { type: 'release', at: to, button: 'left' })
        if (meant?.type === 'click') return
        const compared = through.length > 0 ? placed : plain
        expect(compared(act(on, ...steps))).toEqual(compared(whole))
      }),
      { numRuns: 150 },
    )
  })

  it('[DT86] move windows by their title bars and edges while they are held', () => {
    const on = form()
    const from = { x: 300, y: 110 }
    const [here, there] = [
      { x: 310, y: 130 },
      { x: 250, y: 125 },
    ]
    expect(bounds(act(on, down(from), move(here)), 'form')).toEqual(rect(110, 120, 600, 500))
    expect(bounds(act(on, down(from), move(here, there)), 'form')).toEqual(rect(50, 115, 600, 500))
    expect(act(on, down(from), move(here, there), up(there)).windows).toEqual(act(on, drag(from, there)).windows)
    const edge = { x: 699, y: 300 }
    const wide = act(on, down(edge), move({ x: 300, y: 300 }, { x: 720, y: 300 }), up({ x: 720, y: 300 }))
    expect(bounds(wide, 'form')).toEqual(rect(100, 100, 621, 500))
    const large = apply(on, { type: 'window', window: 'form', to: 'maximize' }, { isInteractive: true })
    const top = { x: 640, y: 10 }
    const dragged = act(large, down(top), move({ x: 700, y: 80 }, { x: 500, y: 60 }), up({ x: 500, y: 60 }))
    expect(dragged.windows).toEqual(act(large, drag(top, { x: 500, y: 60 })).windows)
    const close = centerOf(frameOf(windowByUid(on, 'form')!, BACKLOT_METRICS)!.buttons.close!)
    expect(bounds(act(on, down(close), move({ x: 200, y: 300 }), up({ x: 200, y: 300 })), 'form')).toEqual(
      bounds(on, 'form'),
    )
  })

  it('[DT86] move sliders and select text while they are held', () => {
    const on = form()
    const volume = (...points: readonly Point[]) =>
      find(act(on, down(middle(on, 'volume')), move(...points)), 'volume').valueNow
    expect([volume({ x: 290, y: 310 }), volume({ x: 290, y: 310 }, { x: 168, y: 400 })]).toEqual([8, 2])
    const ends = [
      { x: 126, y: 165 },
      { x: 200, y: 165 },
    ] as const
    const caret = (after: Desktop) => find(after, 'name').traits!.caret
    const selecting = act(on, down(ends[0]), move({ x: 400, y: 165 }, ends[1]))
    expect(caret(selecting)).toEqual(caret(act(on, drag(ends[0], ends[1]))))
    expect(caret(act(selecting, up(ends[1])))).toEqual(caret(selecting))
  })

  it('[DT87] are released by a click or drag', () => {
    const on = form()
    const from = { x: 300, y: 110 }
    const clicked = act(on, down(from), clickAt({ x: 320, y: 120 }))
    expect([bounds(clicked, 'form'), clicked.held]).toEqual([rect(120, 110, 600, 500), undefined])
    const dragged = act(on, down(from), drag({ x: 350, y: 200 }, { x: 330, y: 115 }))
    expect([bounds(dragged, 'form'), dragged.held]).toEqual([rect(130, 105, 600, 500), undefined])
  })

  it('[DT88] are received only once', () => {
    const on = form()
    const at = middle(on, 'ok')
    for (const [held, action, message] of [
      [
        act(on, down(at)),
        { type: 'press', at, button: 'left' },
        'the left button is down already; release it with mouse_up',
      ],
      [on, { type: 'release', at, button: 'middle' }, 'the middle button is not down, so nothing was released'],
      [
        act(on, keyDown('shift')),
        { type: 'key_down', key: 'Shift_L' },
        'the shift key is down already; release it with key_up',
      ],
      [on, { type: 'key_up', key: 'a' }, 'the a key is not down, so nothing was released'],
    ] as const)
      expect(() => apply(held, action, { isInteractive: true })).toThrow(new UnreceivedInput(message))
  })

  it('[DT91] go back and forward by the control with that shortcut', () => {
    const pages = desktop(
      window(
        'Pages',
        { uid: 'pages', bounds: rect(100, 100, 400, 300) },
        button('Back', { id: 'back', keyboardShortcut: 'Alt+Left' }),
        button('Next', { id: 'next', keyboardShortcut: 'BrowserForward', enabled: false }),
      ),
    )
    const at = { x: 400, y: 380 }
    const clicked = (name: 'back' | 'forward') => pressed(pages, { type: 'click', at, button: name, count: 1 })
    expect(clicked('back')).toEqual([{ window: 'pages', element: 'back' }])
    expect(() => clicked('forward')).toThrow('nothing at 400,380 goes forward in a history')
    expect(pressed(act(pages, down(at, 'back')), { type: 'release', at, button: 'back' })).toEqual(clicked('back'))
    expect(act(pages, down(at, 'forward'), up(at, 'forward')).held).toBeUndefined()
  })

  it('[DT93] click on a desktop without behaviour, and drag nothing', () => {
    const inert = (on: Desktop, ...actions: readonly Action[]) =>
      actions.reduce((next, action) => apply(next, action, { isInteractive: false }), on)
    const on = form()
    const at = middle(on, 'name')
    const button = 'left' as const
    expect(find(inert(on, { type: 'press', at, button }, { type: 'release', at, button }), 'name').focused).toBe(true)
    const title = { x: 300, y: 110 }
    const moved = inert(
      on,
      { type: 'press', at: title, button },
      { type: 'hover', at: { x: 350, y: 160 }, forMs: 0 },
      { type: 'release', at: { x: 350, y: 160 }, button },
    )
    expect([moved.windows, moved.held, moved.pointer]).toEqual([on.windows, undefined, { x: 350, y: 160 }])
    const keys = inert(on, { type: 'key_down', key: 'ctrl' }, { type: 'hold', keys: 'a', forMs: 50 })
    expect([heldOf(keys).keys, inert(keys, { type: 'key_up', key: 'ctrl' }).held]).toEqual([['ctrl'], undefined])
  })
})

describe('held keys', () => {
  it('[DT89] change clicks, keys and typed characters', () => {
    const many = desktop(
      window(
        'Files',
        list(
          'Files',
          { id: 'files', traits: { multiSelect: true } },
          ...['a', 'b', 'c'].map((id) => listItem(id, { id })),
        ),
        edit('Name', { id: 'name' }),
      ),
    )
    const at = (id: string) => clickAt(middle(many, id))
    const chosen = (after: Desktop) =>
      find(after, 'files')
        .children.filter(({ selected }) => selected)
        .map(({ id }) => id)
    expect(chosen(act(many, at('a'), keyDown('ctrl'), at('c')))).toEqual(['a', 'c'])
    expect(chosen(act(many, at('a'), keyDown('shift'), at('c'), keyUp('shift'), at('b')))).toEqual(['b'])
    const typed = act(many, focus('name'), type('old'), keyDown('ctrl'), press('a'), keyUp('ctrl'), type('new'))
    expect(find(typed, 'name').value).toBe('new')
    const shouted = act(many, focus('name'), keyDown('shift'), type('abc'), type('d'), keyUp('shift'), type('e'))
    expect(find(shouted, 'name').value).toBe('ABCDe')
    const cut = act(many, focus('name'), type('old'), keyDown('Control_L'), type('ax'))
    expect([find(cut, 'name').value, cut.clipboard]).toEqual(['', 'old'])
  })

  it('[DT90] act when they are pressed, and repeat while they are held', () => {
    const on = act(form(), focus('name'), press('home'))
    const value = (after: Desktop) => find(after, 'name').value
    expect(value(act(on, keyDown('x'), keyUp('x')))).toBe('xone two three')
    expect(value(act(on, keyDown('shift'), keyDown('x')))).toBe('Xone two three')
    expect([0, 500, 501, 533, 534, 1000].map(repeatsIn)).toEqual([1, 1, 2, 2, 3, 17])
    expect(value(act(on, step({ type: 'hold', keys: 'delete', forMs: 600 })))).toBe('wo three')
    expect(value(act(on, step({ type: 'hold', keys: 'shift', forMs: 60_000 })))).toBe('one two three')
  })
})

describe('the wheel', () => {
  const area = desktop(
    window(
      'Map',
      { bounds: rect(100, 100, 400, 300) },
      element(
        'ScrollArea',
        'Map',
        {
          id: 'map',
          bounds: rect(110, 140, 300, 200),
          traits: { overflow: { top: 0, bottom: 0, end: 0 } },
        },
        element('Image', 'Image', { id: 'image', bounds: rect(110, 140, 900, 800) }),
      ),
      slider('Volume', { id: 'volume', valueNow: 5, valueMin: 0, valueMax: 10, bounds: rect(110, 350, 216, 24) }),
    ),
  )
  const at = { x: 200, y: 200 }
  const offset = (more: Partial<Extract<Action, { type: 'scroll' }>>, on = area) => {
    const { x = 0, y = 0 } =
      find(apply(on, { type: 'scroll', clicks: 0, at, ...more }, { isInteractive: true }), 'map').traits!.scrolled ?? {}
    return [x, y]
  }

  it('[DT92] scrolls on both axes, by parts of a click too', () => {
    expect([
      offset({ clicks: -2 }),
      offset({ across: 3 }),
      offset({ clicks: -0.5, across: 0.25 }),
      offset({ across: 1000 }),
      offset({ clicks: 1, across: -1 }),
    ]).toEqual([
      [0, 120],
      [180, 0],
      [15, 30],
      [600, 0],
      [0, 0],
    ])
  })

  it('[DT92] turns to the other axis with shift, and scrolls nothing with ctrl', () => {
    expect([
      offset({ clicks: -1, modifiers: ['shift'] }),
      offset({ clicks: -1 }, act(area, keyDown('shift'))),
      offset({ clicks: -1, modifiers: ['ctrl'] }),
    ]).toEqual([
      [60, 0],
      [60, 0],
      [0, 0],
    ])
  })

  it('[DT92] moves a slider by at least one step, on its own axis only', () => {
    const on = act(area, focus('volume'))
    const value = (more: { clicks: number; across?: number }) =>
      find(apply(on, { type: 'scroll', at: middle(on, 'volume'), ...more }, { isInteractive: true }), 'volume').valueNow
    expect([value({ clicks: 0.1 }), value({ clicks: -1.6 }), value({ clicks: 0, across: 2 })]).toEqual([6, 3, 5])
  })
})
