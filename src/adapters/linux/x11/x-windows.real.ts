import { spawnSync } from 'node:child_process'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPrivateDesktop } from '../../../../test/support/linux/private-desktop.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import { centerOf } from '../../../desktop/model/geometry.ts'
import type { Picture } from '../../../paint/picture.ts'
import { openLinuxComputer } from '../linux.ts'

let testDesktop: LinuxTestDesktop
let left: TestWindow
let right: TestWindow

beforeAll(async () => {
  testDesktop = await startTestDesktop({ width: 1000, height: 700 })
  left = await testDesktop.launch(/^Left$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Left')
  right = await testDesktop.launch(/^Right$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Right')
})
afterAll(() => testDesktop?.close())

const titles = async () => (await testDesktop.computer.windows()).map(({ title }) => title)
const pixel = (picture: Picture, x: number, y: number) => {
  const at = (y * picture.width + x) * 4
  return [...picture.pixels().subarray(at, at + 4)]
}

describe('windows', () => {
  it('[LX1] are listed front to back, the active one first', async () => {
    await left.activate()
    expect(await titles()).toEqual(['Left', 'Right'])
    await right.activate()
    expect(await titles()).toEqual(['Right', 'Left'])
    const [front, back] = await testDesktop.computer.windows()
    expect(front).toMatchObject({ process: 'python3', pid: right.process.pid, focused: true, monitorIndex: 0 })
    expect(back).toMatchObject({ uid: expect.stringMatching(/^x11:[0-9a-f]+$/), pid: left.process.pid, focused: false })
  })

  it('[LX1] leave the list while minimised and come back when restored', async () => {
    await testDesktop.computer.perform({ type: 'window', window: left.uid, to: 'minimize' })
    expect(await titles()).toEqual(['Right'])
    await testDesktop.computer.perform({ type: 'window', window: left.uid, to: 'restore' })
    expect(await titles()).toEqual(['Left', 'Right'])
  })

  it('[LX1] fill the screen when maximised', async () => {
    const before = await right.bounds()
    await testDesktop.computer.perform({ type: 'window', window: right.uid, to: 'maximize' })
    expect(await right.bounds()).toMatchObject({ x: 0, y: 0, width: 1000 })
    await testDesktop.computer.perform({ type: 'window', window: right.uid, to: 'restore' })
    expect(await right.bounds()).toEqual(before)
  })

  it('[LX17] refuse the pointer for elements that another window covers', async () => {
    await testDesktop.computer.perform({ type: 'window', window: right.uid, to: 'maximize' })
    await right.activate()
    const greet = { type: 'click', button: 'right', count: 1 } as const
    await expect(left.perform('Button "Greet"', greet)).rejects.toMatchObject({ code: 'ElementOccluded' })
    await left.activate()
    expect(await left.perform('Button "Greet"', greet)).toEqual({ via: 'pointer' })
    await testDesktop.computer.perform({ type: 'window', window: right.uid, to: 'restore' })
  })

  it('[LX14] of two programs with the same elements keep their own trees', async () => {
    await left.perform('Edit "First name"', { type: 'set_value', value: 'Lefty', clearFirst: true })
    await right.perform('Edit "First name"', { type: 'set_value', value: 'Righty', clearFirst: true })
    expect((await left.element('Edit "First name"')).value).toBe('Lefty')
    expect((await right.element('Edit "First name"')).value).toBe('Righty')
  })

  it('[LX13] keep the ids of their elements while other things change', async () => {
    const before = await left.element('Button "Greet"')
    await left.perform('Edit "First name"', { type: 'set_value', value: 'other', clearFirst: true })
    const after = await left.element('Button "Greet"')
    expect(after).toBe(before)
  })
})

describe('pictures', () => {
  it('[LX6] of a covered window show it whole, as it looks when in front', async () => {
    await left.activate()
    const inFront = await testDesktop.computer.screenshot({ window: left.uid })
    const { bounds } = await left.element('Button "Greet"')
    const window = await left.bounds()
    await right.activate()
    const covered = await testDesktop.computer.screenshot({ window: left.uid })
    expect([covered.width, covered.height]).toEqual([inFront.width, inFront.height])
    const x = bounds.x - window.x + 3
    const y = bounds.y - window.y + Math.floor(bounds.height / 2)
    expect(pixel(covered, x, y)).toEqual(pixel(inFront, x, y))
    expect(pixel(covered, x, y)).not.toEqual([0, 0, 0, 255])
  })

  it('[LX6] as PNG hold the pixels of the screen', async () => {
    const picture = await testDesktop.computer.screenshot({ screen: true })
    const png = PNG.sync.read(Buffer.from(await picture.png()))
    expect([png.width, png.height]).toEqual([1000, 700])
    expect(png.data.equals(Buffer.from(picture.pixels()))).toBe(true)
  })

  it('[LX6] of an area beyond the screen are black there', async () => {
    const picture = await testDesktop.computer.screenshot({ area: { x: 990, y: 690, width: 20, height: 20 } })
    expect([picture.width, picture.height]).toEqual([20, 20])
    expect(pixel(picture, 19, 19)).toEqual([0, 0, 0, 255])
  })
})

describe('monitors', () => {
  it('[LX4] are those of the X server, primary first', async () => {
    const setMonitor = (...args: string[]) => spawnSync('xrandr', args, { env: testDesktop.desktop.env }).status
    expect(setMonitor('--setmonitor', 'M0', '500/100x700/100+0+0', 'screen')).toBe(0)
    expect(setMonitor('--setmonitor', 'M1', '500/100x700/100+500+0', 'none')).toBe(0)
    const monitors = await waitUntil('there are two monitors', async () => {
      const found = await testDesktop.computer.monitors()
      return found.length === 2 && found
    })
    expect(monitors.map(({ bounds }) => bounds)).toEqual([
      { x: 0, y: 0, width: 500, height: 700 },
      { x: 500, y: 0, width: 500, height: 700 },
    ])
    expect(monitors.map(({ index, primary }) => [index, primary])).toEqual([
      [0, true],
      [1, false],
    ])
    const screen = await testDesktop.computer.screenshot({ screen: true })
    expect([screen.width, screen.height]).toEqual([1000, 700])
  })

  it('[LX4] are listed and reachable completely after the screen has grown', async () => {
    const own = await startPrivateDesktop({ width: 1000, height: 700 })
    const xrandr = (...args: string[]) => expect(spawnSync('xrandr', args, { env: own.env }).status).toBe(0)
    xrandr('--newmode', 'small', '60', '640', '656', '752', '800', '480', '490', '492', '525')
    xrandr('--addmode', 'screen', 'small')
    xrandr('--output', 'screen', '--mode', 'small')
    const computer = await openLinuxComputer(own.env)
    try {
      expect((await computer.monitors())[0]!.bounds).toEqual({ x: 0, y: 0, width: 640, height: 480 })
      own.start('gtk3-widget-factory')
      await waitUntil('its window is open', async () => (await computer.windows()).length > 0)
      xrandr('--output', 'screen', '--mode', '1000x700')
      await computer.perform({ type: 'hover', at: { x: 900, y: 100 }, forMs: 0 })
      const grown = async () => {
        const picture = await computer.screenshot({ screen: true })
        return picture.width === 1000 && pixel(picture, 900, 100)[0] !== 0
      }
      await waitUntil('the picture shows the new part', grown)
    } finally {
      await computer.close()
      await own.close()
    }
  })
})

describe('the pointer', () => {
  it('[LX22] does not leave the screen', async () => {
    const at = { x: 100_000, y: 5 }
    const click = async () => testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 1 })
    await expect(click()).rejects.toMatchObject({ code: 'BadRequest' })
  })

  it('[LX22] scrolls, hovers and drags at the given points', async () => {
    await left.activate()
    const { bounds } = await left.element('Slider "Volume"')
    const { y } = centerOf(bounds)
    await testDesktop.computer.perform({
      type: 'drag',
      from: { x: bounds.x + 12, y: bounds.y + bounds.height - 10 },
      to: { x: bounds.x + bounds.width - 2, y },
      modifiers: [],
      durationMs: 150,
    })
    expect((await left.element('Slider "Volume"')).valueNow).toBe(10)
    await testDesktop.computer.perform({ type: 'hover', at: centerOf(bounds), forMs: 10 })
    const spinner = centerOf((await left.element('Spinner "Count"')).bounds)
    await testDesktop.computer.perform({ type: 'scroll', clicks: 2, at: spinner })
    expect((await left.element('Spinner "Count"')).valueNow).toBe(2)
  })
})

describe('windows that are not on the screen', () => {
  it('[LX2] are known with the reason, and come back when activated', async () => {
    const own = await startTestDesktop()
    const xdotool = (...args: string[]) => expect(spawnSync('xdotool', args, { env: own.desktop.env }).status).toBe(0)
    const shown = async () => (await own.computer.windows()).map(({ title }) => title)
    const active = async () => (await own.computer.windows()).find(({ focused }) => focused)?.title
    const away = async () =>
      (await own.computer.hiddenWindows!()).map(({ title, state, workspace }) => [title, state, workspace])
    try {
      const [one, two] = [/^One$/, /^Two$/]
      for (const title of ['One', 'Two']) own.desktop.start(PYTHON, fixturePath('gtk-form.py'), '--title', title)
      const first = await own.window(one)
      const second = await own.window(two)
      expect(await away()).toEqual([])
      await own.computer.perform({ type: 'window', window: first.uid, to: 'minimize' })
      xdotool('set_desktop_for_window', second.handle, '1')
      await waitUntil('both are away', async () => (await shown()).length === 0)
      expect((await away()).sort()).toEqual([
        ['One', 'minimized', undefined],
        ['Two', undefined, expect.any(String)],
      ])
      await own.computer.perform({ type: 'activate', window: second.uid })
      expect(await active()).toBe('Two')
      expect(await away()).toEqual([['One', 'minimized', expect.any(String)]])
      await own.computer.perform({ type: 'activate', window: first.uid })
      expect(await active()).toBe('One')
    } finally {
      await own.close()
    }
  })
})
