import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { computerSuite } from '../../../test/support/adapters/computer.suite.ts'
import { buildMacStandIn, type MacStandIn } from '../../../test/support/macos/stand-in.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import type { Picture } from '../../paint/picture.ts'
import type { Computer } from '../computer.ts'
import { checkMac } from './doctor.ts'
import { openMacComputer } from './macos.ts'

let standIn: MacStandIn
let computer: Computer
beforeAll(() => {
  standIn = buildMacStandIn()
})
afterAll(() => standIn.close())
beforeEach(async () => {
  await computer?.close()
  standIn.reset()
  computer = openMacComputer(standIn.libraries, async () => standIn.screenshots)
})

const UID = 'mac:7'
const tree = async (): Promise<Element> => (await computer.tree(UID))!
const find = async (selector: string) => querySelectorAll(await tree(), selector)[0]!.element
const on = async (selector: string) => {
  const { id, bounds } = await find(selector)
  return { target: { window: UID, element: id }, at: centerOf(bounds) }
}

describe('[MC1] windows and displays of macOS', () => {
  it('[MC1] are those of the window server, without the menu bar', async () => {
    expect(await computer.windows()).toEqual([
      {
        uid: UID,
        handle: '7',
        title: 'Form',
        process: 'FormApp',
        pid: 42,
        bounds: { x: 200, y: 100, width: 800, height: 840 },
        focused: true,
        monitorIndex: 0,
        scaleFactor: 2,
      },
    ])
    expect(await computer.tree('mac:8')).toBeUndefined()
  })

  it('[MC1] have pixels of the display that has most of them per point', async () => {
    expect(await computer.monitors()).toEqual([
      { index: 0, primary: true, bounds: { x: 0, y: 0, width: 2560, height: 1600 }, scaleFactor: 2 },
      { index: 1, primary: false, bounds: { x: 2560, y: 0, width: 3840, height: 2160 }, scaleFactor: 2 },
    ])
    expect((await find('CheckBox "Agree"')).bounds).toEqual({ x: 240, y: 240, width: 160, height: 36 })
  })

  it('[MC1] are minimised, maximised, restored and closed', async () => {
    const change = (to: 'close' | 'minimize' | 'maximize' | 'restore') =>
      computer.perform({ type: 'window', window: UID, to })
    const bounds = async () => (await computer.windows())[0]?.bounds
    await change('minimize')
    expect(await computer.windows()).toEqual([])
    await change('restore')
    await change('maximize')
    expect(await bounds()).toEqual({ x: 0, y: 0, width: 2560, height: 1600 })
    await change('restore')
    expect(await bounds()).toEqual({ x: 200, y: 100, width: 800, height: 840 })
    await change('close')
    expect(await computer.windows()).toEqual([])
    await expect((async () => change('minimize'))()).rejects.toMatchObject({ code: 'WindowGone' })
  })
})

describe('[MC8] screenshots of macOS', () => {
  const pixel = (picture: Picture, x: number, y: number) =>
    [...picture.pixels().subarray((y * picture.width + x) * 4)].slice(0, 4)

  it('[MC8] show windows and areas in pixels, and enlarge displays with fewer', async () => {
    const window = await computer.screenshot({ window: UID })
    expect([window.width, window.height, pixel(window, 300, 500)]).toEqual([800, 840, [300 - 256, 500 - 256, 0, 255]])
    const screen = await computer.screenshot({ screen: true })
    expect([screen.width, screen.height]).toEqual([2560 + 3840, 2160])
    const area = await computer.screenshot({ area: { x: 2558, y: 100, width: 6, height: 2 } })
    const columns = [254, 255, 0, 0, 1, 1]
    expect(columns.map((_, x) => pixel(area, x, 0))).toEqual(columns.map((red, x) => [red, x < 2 ? 100 : 50, 0, 255]))
  })

  it('[MC8] need the permission to record the screen', async () => {
    standIn.refuseCapture(true)
    await expect((async () => computer.screenshot({ window: UID }))()).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: expect.stringContaining('Screen & System Audio Recording'),
    })
    const refused = openMacComputer(standIn.libraries, async () => standIn.screenshots)
    expect(refused.info.supports.screenshots).toContain('may not record the screen')
    await refused.close()
  })
})

describe('[MC2] trees of macOS', () => {
  it('[MC2] have roles, names, values and states', async () => {
    const shown = [...walk(await tree())].map(({ role, name, value, selected, valueNow, enabled, traits }) =>
      [role, name, value, selected ?? valueNow ?? null, enabled, traits?.secret ?? false].join(' | '),
    )
    expect(shown).toEqual([
      'Window | Form |  |  | true | false',
      'Edit | First name |  |  | true | false',
      'CheckBox | Agree |  | false | true | false',
      'ComboBox | Colour | Red |  | true | false',
      'Button | Forbidden |  |  | false | false',
      'PasswordEdit | Password |  |  | true | true',
      'Slider | Volume |  | 30 | true | false',
      'Button | Greet |  |  | true | false',
      'Button | Delete all |  |  | true | false',
      'Button | Later |  |  | true | false',
      'Text | nothing yet |  |  | true | false',
      'Button | Close |  |  | true | false',
    ])
    expect(await find('Slider "Volume"')).toMatchObject({ valueMin: 0, valueMax: 100 })
  })

  it('[MC2] keep the ids of elements', async () => {
    const ids = async () => [...walk(await tree())].map(({ id }) => id)
    const first = await ids()
    expect(first[0]).toBe('root')
    expect(new Set(first).size).toBe(first.length)
    expect(await ids()).toEqual(first)
  })
})

describe('[MC3] actions on macOS', () => {
  it('[MC3] set, append to and clear values', async () => {
    await computer.perform({ type: 'set_value', ...(await on('Edit "First name"')), value: 'Zażółć', clearFirst: true })
    expect((await find('Edit "First name"')).value).toBe('Zażółć')
    await computer.perform({ type: 'set_value', ...(await on('Edit "First name"')), value: '!', clearFirst: false })
    expect((await find('Edit "First name"')).value).toBe('Zażółć!')
    await computer.perform({ type: 'clear_text', ...(await on('Edit "First name"')) })
    expect((await find('Edit "First name"')).value).toBe('')
  })

  it('[MC3] prefer the action of the element to the pointer', async () => {
    const click = { type: 'click', button: 'left', count: 1 } as const
    expect(await computer.perform({ ...click, ...(await on('CheckBox "Agree"')) })).toEqual({ via: 'accessibility' })
    expect((await find('CheckBox "Agree"')).selected).toBe(true)
    expect(await computer.perform({ ...click, ...(await on('Edit "First name"')) })).toEqual({ via: 'pointer' })
    expect(standIn.journal()).toEqual(['AXPress', 'mouse 5 220,101 x0', 'mouse 1 220,101 x1', 'mouse 2 220,101 x1'])
  })

  it('[MC3] focus elements and raise windows', async () => {
    await computer.perform({ type: 'focus', ...(await on('Slider "Volume"')) })
    expect((await find('Slider "Volume"')).focused).toBe(true)
    await computer.perform({ type: 'activate', window: UID })
    expect(standIn.journal()).toEqual(['AXRaise', 'AXFrontmost'])
  })

  it('[MC4] are refused for disabled, unknown and hung elements and windows', async () => {
    const refused = async (work: () => unknown) => {
      try {
        await work()
      } catch (thrown) {
        return (thrown as { code?: string }).code
      }
      return 'done'
    }
    const target = { window: UID, element: 'w7-e99' }
    const forbidden = await on('Button "Forbidden"')
    const slider = await on('Slider "Volume"')
    expect(await refused(() => computer.perform({ type: 'invoke', ...forbidden }))).toBe('ElementDisabled')
    expect(await refused(() => computer.perform({ type: 'invoke', ...slider }))).toBe('PatternUnsupported')
    expect(await refused(() => computer.perform({ type: 'invoke', target, at: { x: 0, y: 0 } }))).toBe(
      'ElementNotFound',
    )
    expect(await refused(() => computer.perform({ type: 'activate', window: 'gone' }))).toBe('WindowGone')
    expect(await refused(() => computer.perform({ type: 'key', keys: 'no-such-key' }))).toBe('BadRequest')
    standIn.hang(true)
    expect(await refused(() => computer.perform({ type: 'activate', window: UID }))).toBe('Timeout')
  })
})

describe('[MC5] input on macOS', () => {
  it('[MC5] posts clicks, drags, the wheel, keys and text', async () => {
    const at = { x: 20, y: 40 }
    await computer.perform({ type: 'click', at, button: 'right', count: 1, modifiers: ['meta'] })
    await computer.perform({ type: 'scroll', clicks: -2, across: 1, at })
    await computer.perform({ type: 'key', keys: 'meta+s' })
    await computer.perform({ type: 'type', text: 'hello' })
    expect(standIn.journal()).toEqual([
      'mouse 5 10,20 x0',
      'mouse 3 10,20 x1',
      'mouse 4 10,20 x1',
      'mouse 5 10,20 x0',
      'wheel -1 -2',
      'key down 1 0x100000',
      'key up 1 0x100000',
      'key down 0 hello0',
      'key up 0 hello0',
    ])
    expect(await computer.pointer()).toEqual({ at, buttons: [], keys: [] })
  })

  it('[MC5] types long text in parts, and keeps characters of two units whole', async () => {
    await computer.perform({ type: 'type', text: `${'a'.repeat(19)}🎬b` })
    expect(standIn.journal().filter((line) => line.startsWith('key down'))).toEqual([
      `key down 0 ${'a'.repeat(19)}0`,
      'key down 0 ??b0',
    ])
  })

  it('[MC5] drags along a path and holds buttons and keys, which closing releases', async () => {
    const [from, to] = [
      { x: 0, y: 0 },
      { x: 48, y: 24 },
    ]
    await computer.perform({ type: 'drag', from, to, modifiers: [], durationMs: 0 })
    const drag = standIn.journal()
    expect([drag[1], drag[2], drag.at(-2), drag.at(-1)]).toEqual([
      'mouse 1 0,0 x1',
      'mouse 6 2,1 x1',
      'mouse 6 24,12 x1',
      'mouse 2 24,12 x1',
    ])
    await computer.perform({ type: 'press', at: from, button: 'left' })
    await computer.perform({ type: 'key_down', key: 'shift' })
    expect(await computer.pointer()).toMatchObject({ buttons: ['left'], keys: ['shift'] })
    await computer.close()
    expect(standIn.journal().slice(-2)).toEqual(['mouse 2 0,0 x1', 'key up 56 0'])
  })

  it("[MC5] ends with the operator's stop", async () => {
    computer.abort?.()
    await expect(computer.perform({ type: 'type', text: 'a' })).rejects.toMatchObject({ code: 'PermissionDenied' })
    expect(standIn.journal()).toEqual([])
  })
})

describe('[MC6] references of Core Foundation', () => {
  it('[MC6] are released once each, over ten thousand calls and through errors', async () => {
    // Receipts that wait would make this take minutes.
    const now = { settleMs: 0 }
    const window = { window: UID, element: 'root' }
    const field = await on('Edit "First name"')
    await computer.windows()
    let before = 0
    for (let round = 0; round < 1000; round++) {
      await tree()
      await computer.windows()
      await computer.perform({ type: 'set_value', ...field, value: `v${round}`, clearFirst: false }, now)
      await computer.perform({ type: 'click', ...field, target: window, button: 'left', count: 0 }, now)
      await Promise.resolve(computer.perform({ type: 'invoke', ...field }, now)).catch(() => {})
      await computer.perform({ type: 'type', text: 'x' }, now)
      await computer.perform({ type: 'scroll', clicks: 1 }, now)
      await computer.pointer()
      standIn.hang(true)
      expect(() => computer.tree(UID)).toThrow(expect.objectContaining({ code: 'Timeout' }))
      standIn.hang(false)
      await computer.monitors()
      // The first round creates the strings that are kept.
      if (round === 0) {
        await tree()
        before = standIn.live()
      }
    }
    await tree()
    expect(standIn.live()).toBe(before)
    await computer.close()
    expect([standIn.live(), standIn.faults()]).toEqual([0, 0])
  })
})

describe('[MC7] the doctor', () => {
  it('[MC7] reports that the adapter is not verified, and what is missing', async () => {
    const verdicts = async (libraries: MacStandIn['libraries']) =>
      (await checkMac(libraries, true)).map(({ subject, verdict }) => [subject, verdict])
    expect(await verdicts(standIn.libraries)).toEqual([
      ['adapter', 'note'],
      ['accessibility', 'good'],
      ['screenshots', 'good'],
      ['screen recording', 'good'],
    ])
    standIn.refuseCapture(true)
    expect((await checkMac(standIn.libraries, false)).slice(2)).toMatchObject([
      { verdict: 'bad', fix: 'npm install node-screenshots@0.2' },
      { verdict: 'bad', fix: expect.stringContaining('System Settings') },
    ])
    expect(await verdicts({ coreFoundation: '/nowhere', applicationServices: '/nowhere' })).toEqual([
      ['adapter', 'note'],
      ['accessibility', 'bad'],
    ])
  })
})

it('[MC7] libraries that are missing, and a computer that is closed, are faults', async () => {
  const missing = { coreFoundation: '/nowhere/CoreFoundation', applicationServices: '/nowhere/ApplicationServices' }
  expect(() => openMacComputer(missing)).toThrow(expect.objectContaining({ code: 'PlatformUnsupported' }))
  await computer.close()
  expect(() => computer.windows()).toThrow(expect.objectContaining({ code: 'PlatformUnsupported' }))
})

describe('[MC9] receipts and the keyboard', () => {
  it('[MC9] end after a dialog has opened', async () => {
    await computer.perform({ type: 'click', button: 'left', count: 1, ...(await on('Button "Delete all"')) })
    expect((await computer.windows()).map(({ title }) => title)).toEqual(['Really?', 'Form'])
  })

  it('[MC9] keep keys from another window', async () => {
    const type = () => computer.perform({ type: 'type', text: 'a' }, { keyboardWindow: 'mac:8', settleMs: 0 })
    await expect(type()).rejects.toMatchObject({ code: 'WindowOccluded' })
    expect(standIn.journal()).toEqual([])
  })
})

computerSuite('[MC3] a stand-in for a Mac', async () => {
  const own = buildMacStandIn()
  own.reset()
  const form = openMacComputer(own.libraries, async () => own.screenshots)
  return {
    computer: form,
    until: async (read) => read(),
    async close() {
      await form.close()
      own.close()
    },
  }
})
