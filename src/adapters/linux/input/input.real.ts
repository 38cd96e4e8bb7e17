import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { centerOf } from '../../../desktop/model/geometry.ts'
import type { Computer } from '../../computer.ts'
import { openLinuxComputer } from '../linux.ts'

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

describe('held input', () => {
  beforeEach(async () => {
    const { uid } = await testDesktop.window(/^Input$/)
    await perform({ type: 'activate', window: uid })
    await waitUntil('the window has the keyboard', async () => (await testDesktop.window(/^Input$/)).focused)
    from = lines().length
  })

  it('[L14] presses, drags and releases any button', async () => {
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

  it('[L14] makes a double click of two presses and releases', async () => {
    const press: Action = { type: 'press', at, button: 'left' }
    const release: Action = { type: 'release', at, button: 'left' }
    await perform(press, release, press, release)
    await waitUntil('there is a double click', () => events().includes('double'))
  })

  it('[L14] turns the wheel on both axes, and holds modifiers during clicks, the wheel and drags', async () => {
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

  it('[L15] holds keys, presses others meanwhile, and repeats a held one', async () => {
    await perform({ type: 'key_down', key: 'ctrl' }, { type: 'key', keys: 'a' }, { type: 'key_up', key: 'ctrl' })
    await waitFor('down Control_L', 'ctrl down a', 'ctrl up a', 'ctrl up Control_L')
    from = lines().length
    await perform({ type: 'hold', keys: 'b', forMs: 1200 })
    const presses = () => events().filter((line) => line === 'down b').length
    await waitUntil('the key is up', () => events().at(-1) === 'up b')
    expect(presses()).toBeGreaterThan(3)
    expect(await testDesktop.computer.pointer()).toMatchObject({ keys: [] })
  })

  it('[L16] drags along a path', async () => {
    const path = [at, { x: at.x + 30, y: at.y }, { x: at.x + 30, y: at.y + 30 }] as const
    await perform({
      type: 'drag',
      from: path[0],
      through: [path[1]],
      to: path[2],
      modifiers: [],
      durationMs: 100,
    })
    await waitUntil('the button is up', () => events().at(-1) === 'release 1')
    const seen = lines().slice(from)
    expect(seen).toContain('press 1')
    const points = seen.flatMap((line) => {
      const [, x, y] = /^drag (\d+) (\d+)$/.exec(line) ?? []
      return x === undefined ? [] : [{ x: Number(x), y: Number(y) }]
    })
    // Toolkits may leave out points where they are slow, the corner too. The others are on the way, and the last is the end.
    expect(points.at(-1)).toEqual(path[2])
    expect(points.filter(({ x, y }) => x !== path[1].x && y !== path[1].y)).toEqual([])
    expect(points.some(({ x }) => x < path[1].x) && points.some(({ y }) => y > path[1].y)).toBe(true)
  })

  it.each([
    ['the operator stops it', (computer: Computer) => computer.abort?.()],
    ['it is closed', (computer: Computer) => computer.close()],
  ])('[L17] releases everything when %s', async (_when, end) => {
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
  it('[L14] moves a slider while the button is held', async () => {
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
