import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LinuxTestDesktop, startTestDesktop, type TestWindow } from '../../../test/support/linux/test-desktop.ts'
import { centerOf, encloses } from '../../desktop/model/geometry.ts'

let testDesktop: LinuxTestDesktop
let calculator: TestWindow

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  calculator = await testDesktop.launch(/Calculator/, 'gnome-calculator')
})
afterAll(() => testDesktop?.close())

describe('the calculator', () => {
  beforeEach(async () => {
    await testDesktop.computer.perform({ type: 'activate', window: calculator.uid })
    await testDesktop.computer.perform({ type: 'key', keys: 'escape' })
  })

  const reads = (value: string) => calculator.element(`Document[value="${value}"]`)

  it('[LX18] displays 42 after 7 × 6 = through the actions of its buttons', async () => {
    const ways = []
    for (const name of ['7', '×', '6', '='])
      ways.push((await calculator.perform(`Button[name="${name}"]`, { type: 'invoke' })).via)
    await reads('42')
    expect(ways).toEqual(['accessibility', 'accessibility', 'accessibility', 'accessibility'])
  })

  it('[LX18] displays 42 after clicks on its buttons', async () => {
    for (const name of ['7', '×', '6', '='])
      await calculator.perform(`Button[name="${name}"]`, { type: 'click', button: 'left', count: 1 })
    await reads('42')
  })

  it('[LX22] displays 42 after clicks at the coordinates of its buttons', async () => {
    for (const name of ['7', '×', '6', '=']) {
      const { bounds } = await calculator.element(`Button[name="${name}"]`)
      await testDesktop.computer.perform({ type: 'click', at: centerOf(bounds), button: 'left', count: 1 })
    }
    await reads('42')
  })

  it('[LX14] reports the bounds of its menu items, which can be clicked', async () => {
    await calculator.perform('Button[name="Basic"]', { type: 'click', button: 'left', count: 1 })
    const item = await calculator.element('MenuItem[name="Advanced"]')
    const [menu] = await testDesktop.computer.windows()
    expect(menu!.popupOf).toBe(calculator.uid)
    expect(encloses(menu!.bounds, item.bounds)).toBe(true)
    await calculator.perform('MenuItem[name="Advanced"]', { type: 'click', button: 'left', count: 1 })
    await calculator.element('Button[name="Advanced"]')
    await calculator.perform('Button[name="Advanced"]', { type: 'click', button: 'left', count: 1 })
    await calculator.perform('MenuItem[name="Basic"]', { type: 'click', button: 'left', count: 1 })
    await calculator.element('Button[name="Basic"]')
  })

  it('[LX23] displays 42 after keys', async () => {
    await testDesktop.computer.perform({ type: 'type', text: '7*6' })
    await testDesktop.computer.perform({ type: 'key', keys: 'Return' })
    await reads('42')
  })
})
