import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dragBetween } from '../../../../test/support/linux/programs.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { centerOf, type Rect } from '../../../desktop/model/geometry.ts'
import type { Computer } from '../../computer.ts'
import { openLinuxComputer } from '../linux.ts'
import { openDisplay } from '../x11/display.ts'

let testDesktop: LinuxTestDesktop
let form: TestWindow
const folder = mkdtempSync(join(tmpdir(), 'backlot-input-'))
const file = join(folder, 'events.log')
/** The middle of the window that writes events. */
let at = { x: 0, y: 0 }
let from = 0

beforeAll(async () => {
  testDesktop = await startTestDesktop({ width: 1000, height: 700 })
  form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  testDesktop.desktop.start(PYTHON, fixturePath('tk-input.py'), file)
  at = centerOf((await testDesktop.window(/^Input$/)).bounds)
})
afterAll(async () => {
  await testDesktop?.close()
  rmSync(folder, { recursive: true })
})

const lines = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
/** The events since the test began, without repeated movements. */
const events = () =>
  lines()
    .slice(from)
    .filter((line, index, all) => !line.startsWith('drag') || !all[index + 1]?.startsWith('drag'))
const perform = (...actions: readonly Action[]) =>
  actions.reduce<Promise<unknown>>(
    (before, action) => before.then(() => testDesktop.computer.perform(action, { settleMs: 0 })),
    Promise.resolve(),
  )
const waitFor = (...expected: readonly string[]) =>
  waitUntil(`the events are ${expected.join(', ')}`, () => events().join(', ') === expected.join(', ')).catch(() =>
    expect(events()).toEqual(expected),
  )

/** The types of pointer events, by number. */
const POINTER_EVENTS: Readonly<Record<number, string>> = { 4: 'press', 5: 'release', 6: 'move' }
const [COPY_FROM_PARENT, INPUT_ONLY] = [0, 2]
const POINTER_MASK = 0x4 | 0x8 | 0x40

/** Opens a window without content, and lists the pointer events that the X server sends to it. */
async function openEventWindow(name: string, { x, y, width, height }: Rect) {
  const display = await openDisplay(name)
  const events: string[] = []
  const client = display.client as typeof display.client & {
    CreateWindow(...values: readonly (number | { eventMask: number; overrideRedirect: number })[]): void
  }
  client.on('event', (event) => {
    const { type, rootx, rooty } = event as unknown as { type: number; rootx: number; rooty: number }
    if (POINTER_EVENTS[type]) events.push(`${POINTER_EVENTS[type]} ${rootx} ${rooty}`)
  })
  const window = client.AllocID()
  const values = { eventMask: POINTER_MASK, overrideRedirect: 1 }
  client.CreateWindow(
    window,
    display.root,
    x,
    y,
    width,
    height,
    0,
    COPY_FROM_PARENT,
    INPUT_ONLY,
    COPY_FROM_PARENT,
    values,
  )
  client.MapWindow(window)
  // A reply means that the server has processed what came before.
  await display.atom('WM_NAME')
  return { events, close: () => display.close() }
}

describe('held input', () => {
  beforeEach(async () => {
    const { uid } = await testDesktop.window(/^Input$/)
    await perform({ type: 'activate', window: uid })
    await waitUntil('the window has the keyboard', async () => (await testDesktop.window(/^Input$/)).focused)
    from = lines().length
  })

  it('[LX25] presses, drags and releases any button', async () => {
    const to = { x: at.x + 40, y: at.y + 20 }
    await perform({ type: 'press', at, button: 'left' })
    expect(await testDesktop.computer.pointer()).toEqual({ at, buttons: ['left'], keys: [] })
    await perform({ type: 'hover', at: to, forMs: 0 }, { type: 'release', at: to, button: 'left' })
    await perform({ type: 'press', at: to, button: 'back' }, { type: 'release', at: to, button: 'back' })
    await perform({ type: 'click', at, button: 'forward', count: 1 })
    await waitFor('press 1', `drag ${to.x} ${to.y}`, 'release 1', 'press 8', 'release 8', 'press 9', 'release 9')
    expect(await testDesktop.computer.pointer()).toEqual({ at, buttons: [], keys: [] })
    expect(await testDesktop.computer.perform({ type: 'release', at, button: 'left' })).toEqual({ via: 'nothing' })
  })

  it('[LX25] makes a double click of two presses and releases', async () => {
    const press: Action = { type: 'press', at, button: 'left' }
    const release: Action = { type: 'release', at, button: 'left' }
    await perform(press, release, press, release)
    await waitUntil('there is a double click', () => events().includes('double'))
  })

  it('[LX25] turns the wheel on both axes, and holds modifiers during clicks, the wheel and drags', async () => {
    await perform({ type: 'scroll', clicks: -1.4, across: 0.2, at }, { type: 'key_down', key: 'shift' })
    await perform({ type: 'scroll', clicks: 1, across: -1, at, modifiers: ['ctrl'] }, { type: 'key_up', key: 'shift' })
    await waitUntil('all events have come', () => events().includes('shift up Shift_L'))
    // Tk turns the sideways buttons 6 and 7 into 4 and 5 with the other state of shift.
    expect(events()).toEqual([
      'press 5',
      'release 5',
      'shift press 5',
      'shift release 5',
      'down Shift_L',
      'shift down Control_L',
      'shift ctrl press 4',
      'shift ctrl release 4',
      'ctrl press 4',
      'ctrl release 4',
      'shift ctrl up Control_L',
      'shift up Shift_L',
    ])
  })

  it('[LX26] holds keys, presses others meanwhile, and repeats a held one', async () => {
    await perform({ type: 'key_down', key: 'ctrl' }, { type: 'key', keys: 'a' }, { type: 'key_up', key: 'ctrl' })
    await waitFor('down Control_L', 'ctrl down a', 'ctrl up a', 'ctrl up Control_L')
    from = lines().length
    await perform({ type: 'hold', keys: 'b', forMs: 1200 })
    const presses = () => events().filter((line) => line === 'down b').length
    await waitUntil('the key is up', () => events().at(-1) === 'up b')
    expect(presses()).toBeGreaterThan(3)
    expect(await testDesktop.computer.pointer()).toMatchObject({ keys: [] })
  })

  it('[LX28] drags what another program takes', async () => {
    const drag = (kind: string) => testDesktop.launch(RegExp(`^${kind}$`), PYTHON, fixturePath('gtk-drag.py'), kind)
    const [source, target] = [await drag('Source'), await drag('Target')]
    await dragBetween(testDesktop, source, target)
    for (const { process } of [source, target]) process.kill()
  })

  it('[LX27] drags along a path', async () => {
    // Toolkits leave out points where they are slow, so a window of this process receives them.
    const seen = await openEventWindow(testDesktop.desktop.display, { x: 700, y: 300, width: 200, height: 200 })
    try {
      const path = [
        { x: 720, y: 320 },
        { x: 750, y: 320 },
        { x: 750, y: 350 },
      ] as const
      await perform({ type: 'drag', from: path[0], through: [path[1]], to: path[2], modifiers: [], durationMs: 100 })
      await waitUntil('the button is up', () => seen.events.at(-1) === 'release 750 350')
      const pressed = seen.events.indexOf('press 720 320')
      const moves = seen.events.slice(pressed + 1, -1)
      // Each leg has at least a dozen moves in one direction, and the first ends at the corner.
      const corner = moves.indexOf('move 750 320')
      const legs = [moves.slice(0, corner + 1), moves.slice(corner + 1)]
      expect(legs.map(({ length }) => length >= 12)).toEqual([true, true])
      expect(legs[0]!.filter((move) => !move.endsWith(' 320'))).toEqual([])
      expect(legs[1]!.filter((move) => !move.startsWith('move 750 '))).toEqual([])
      expect(moves.at(-1)).toBe('move 750 350')
    } finally {
      seen.close()
    }
  })

  it.each([
    ['the operator stops it', (computer: Computer) => computer.abort?.()],
    ['it is closed', (computer: Computer) => computer.close()],
  ])('[LX29] releases everything when %s', async (_when, end) => {
    const other = await openLinuxComputer(testDesktop.desktop.env)
    await other.perform({ type: 'press', at, button: 'left' }, { settleMs: 0 })
    await other.perform({ type: 'key_down', key: 'Control_L' }, { settleMs: 0 })
    await other.perform({ type: 'key_down', key: 'x' }, { settleMs: 0 })
    await waitUntil('the key is down', () => events().some((line) => line.endsWith('down x')))
    await end(other)
    await waitUntil('the button is up', () => events().some((line) => line.endsWith('release 1')))
    await waitUntil('the key is up', () => events().some((line) => line.endsWith('up Control_L')))
    expect(events().some((line) => line.endsWith('up x'))).toBe(true)
    await other.close()
  })
})

describe('a drag by presses and releases', () => {
  it('[LX25] moves a slider while the button is held', async () => {
    await perform({ type: 'activate', window: form.uid })
    await waitUntil('the form is in front', async () => (await testDesktop.window(/^Form$/)).focused)
    const { bounds } = await form.element('Slider "Volume"')
    const y = bounds.y + bounds.height - 10
    await testDesktop.computer.perform({ type: 'press', at: { x: bounds.x + 12, y }, button: 'left' })
    const end = { x: bounds.x + bounds.width - 2, y }
    await testDesktop.computer.perform({ type: 'hover', at: end, forMs: 0 })
    expect((await form.element('Slider "Volume"')).valueNow).toBe(10)
    await testDesktop.computer.perform({ type: 'release', at: end, button: 'left' })
    expect((await form.element('Slider "Volume"')).valueNow).toBe(10)
  })
})
