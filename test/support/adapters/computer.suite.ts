import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Computer } from '../../../src/adapters/computer.ts'
import type { Action } from '../../../src/desktop/input/action.ts'
import { type Element, walk } from '../../../src/desktop/model/element.ts'
import { centerOf } from '../../../src/desktop/model/geometry.ts'
import { querySelectorAll } from '../../../src/desktop/tree/select.ts'

/**
 * A computer with one window "Form" in front: Edit "First name", an unchecked CheckBox "Agree", ComboBox "Colour" of
 * Red, Green and Blue, and a disabled Button "Forbidden".
 */
export interface ComputerFixture {
  readonly computer: Computer
  /** Reads until the value is `good`, and returns the last value after a time limit. */
  until<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T>
  close(): Promise<void>
}

/** An action on an element, without its target. */
type On = Action extends infer A
  ? A extends { target: unknown; at: unknown }
    ? Omit<A, 'target' | 'at'>
    : never
  : never

/** The tests that every computer passes. */
export function computerSuite(name: string, open: () => Promise<ComputerFixture>): void {
  describe(`${name} as a computer`, () => {
    let rig: ComputerFixture
    let uid: string
    beforeAll(async () => {
      rig = await open()
      uid = (await rig.computer.windows()).find(({ title }) => title === 'Form')!.uid
    })
    afterAll(() => rig?.close())

    const tree = async () => (await rig.computer.tree(uid))!
    const find = async (selector: string): Promise<Element> => querySelectorAll(await tree(), selector)[0]!.element
    const perform = async (selector: string, action: On | { type: 'click'; button: 'left'; count: 1 }) => {
      const { id, bounds } = await find(selector)
      return rig.computer.perform({ ...action, target: { window: uid, element: id }, at: centerOf(bounds) } as Action)
    }
    const becomes = async (selector: string, good: (element: Element) => boolean) =>
      rig.until(() => find(selector), good)

    it('has the focused window in front', async () => {
      const windows = await rig.computer.windows()
      expect(windows.map(({ focused }) => focused)).toEqual(windows.map((_, place) => place === 0))
      expect(windows[0]).toMatchObject({ uid, title: 'Form' })
      expect(new Set(windows.map(({ uid }) => uid)).size).toBe(windows.length)
    })

    it('has a primary monitor at the origin', async () => {
      const monitors = await rig.computer.monitors()
      const primary = monitors.filter(({ primary }) => primary)
      expect(primary.map(({ bounds: { x, y } }) => ({ x, y }))).toEqual([{ x: 0, y: 0 }])
    })

    it('has trees of unique ids and whole pixels', async () => {
      const elements = [...walk(await tree())]
      expect(new Set(elements.map(({ id }) => id)).size).toBe(elements.length)
      for (const { bounds } of elements) expect(Object.values(bounds).every(Number.isInteger)).toBe(true)
      expect(elements.filter(({ focused }) => focused).length).toBeLessThanOrEqual(1)
    })

    it('takes screenshots of the size of what they show, or tells why it takes none', async () => {
      const { screenshots } = rig.computer.info.supports
      if (screenshots !== true) {
        const refused = { code: 'PlatformUnsupported', message: screenshots }
        for (const of of [{ window: uid }, { screen: true }] as const)
          await expect((async () => rig.computer.screenshot(of))()).rejects.toMatchObject(refused)
        return
      }
      const { bounds } = (await rig.computer.windows())[0]!
      const whole = await rig.computer.screenshot({ window: uid })
      const part = await rig.computer.screenshot({ area: { x: 10, y: 20, width: 30, height: 40 } })
      expect([whole.width, whole.height]).toEqual([bounds.width, bounds.height])
      expect([part.width, part.height, part.pixels().length]).toEqual([30, 40, 30 * 40 * 4])
    })

    it('sets, types and clears values', async () => {
      await perform('Edit "First name"', { type: 'set_value', value: 'Ada', clearFirst: true })
      expect((await becomes('Edit "First name"', ({ value }) => value === 'Ada')).value).toBe('Ada')
      await perform('Edit "First name"', { type: 'clear_text' })
      await perform('Edit "First name"', { type: 'focus' })
      await rig.computer.perform({ type: 'type', text: 'Grace' })
      expect((await becomes('Edit "First name"', ({ value }) => value === 'Grace')).value).toBe('Grace')
    })

    it('toggles a clicked checkbox', async () => {
      const before = (await find('CheckBox "Agree"')).selected
      await perform('CheckBox "Agree"', { type: 'click', button: 'left', count: 1 })
      expect((await becomes('CheckBox "Agree"', ({ selected }) => selected !== before)).selected).toBe(!before)
    })

    it('selects options by name and by index, and no others', async () => {
      await perform('ComboBox "Colour"', { type: 'select', option: { name: 'Blue' } })
      expect((await becomes('ComboBox "Colour"', ({ value }) => value === 'Blue')).value).toBe('Blue')
      await perform('ComboBox "Colour"', { type: 'select', option: { index: 0 } })
      expect((await becomes('ComboBox "Colour"', ({ value }) => value === 'Red')).value).toBe('Red')
      await expect(
        (async () => perform('ComboBox "Colour"', { type: 'select', option: { name: 'Mauve' } }))(),
      ).rejects.toMatchObject({ code: 'ElementNotFound' })
    })

    it('refuses disabled elements, closed windows and unknown keys', async () => {
      const refused = async (action: () => unknown) => {
        try {
          await action()
        } catch (error) {
          return (error as { code?: string }).code
        }
        return 'done'
      }
      expect(await refused(() => perform('Button "Forbidden"', { type: 'invoke' }))).toBe('ElementDisabled')
      expect(await refused(() => rig.computer.perform({ type: 'key', keys: 'no-such-key' }))).toBe('BadRequest')
      expect(await refused(() => rig.computer.perform({ type: 'activate', window: 'gone' }))).toBe('WindowGone')
      expect(await refused(() => rig.computer.screenshot({ window: 'gone' }))).toBe('WindowGone')
      expect(await rig.computer.tree('gone')).toBeUndefined()
    })
  })
}
