import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Element, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../desktop/selector/select.ts'
import { buildMacStandIn, type MacStandIn } from '../../test-support/macos/stand-in.ts'
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
  computer = openMacComputer(standIn.libraries)
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
        bounds: { x: 100, y: 50, width: 400, height: 300 },
        focused: true,
      },
    ])
    expect(await computer.monitors()).toEqual([
      { index: 0, primary: true, bounds: { x: 0, y: 0, width: 1280, height: 800 }, scaleFactor: 1 },
      { index: 1, primary: false, bounds: { x: 1280, y: 0, width: 1920, height: 1080 }, scaleFactor: 1 },
    ])
    expect(await computer.tree('mac:8')).toBeUndefined()
    await expect((async () => computer.screenshot({ window: UID }))()).rejects.toMatchObject({
      code: 'PlatformUnsupported',
    })
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
      'PasswordEdit | PIN |  |  | true | true',
      'Slider | Volume |  | 30 | true | false',
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
    const at = { x: 10, y: 20 }
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
      { x: 24, y: 12 },
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
    const window = { window: UID, element: 'root' }
    const field = await on('Edit "First name"')
    await computer.windows()
    let before = 0
    for (let round = 0; round < 1000; round++) {
      await tree()
      await computer.windows()
      await computer.perform({ type: 'set_value', ...field, value: `v${round}`, clearFirst: false })
      await computer.perform({ type: 'click', ...field, target: window, button: 'left', count: 0 })
      await Promise.resolve(computer.perform({ type: 'invoke', ...field })).catch(() => {})
      await computer.perform({ type: 'type', text: 'x' })
      await computer.perform({ type: 'scroll', clicks: 1 })
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
      (await checkMac(libraries)).map(({ subject, verdict }) => [subject, verdict])
    expect(await verdicts(standIn.libraries)).toEqual([
      ['adapter', 'note'],
      ['accessibility', 'good'],
      ['screenshots', 'note'],
    ])
    expect(await verdicts({ coreFoundation: '/nowhere', applicationServices: '/nowhere' })).toEqual([
      ['adapter', 'note'],
      ['accessibility', 'bad'],
      ['screenshots', 'note'],
    ])
  })
})

it('[MC7] libraries that are missing, and a computer that is closed, are faults', async () => {
  const missing = { coreFoundation: '/nowhere/CoreFoundation', applicationServices: '/nowhere/ApplicationServices' }
  expect(() => openMacComputer(missing)).toThrow(expect.objectContaining({ code: 'PlatformUnsupported' }))
  await computer.close()
  expect(() => computer.windows()).toThrow(expect.objectContaining({ code: 'PlatformUnsupported' }))
})
