import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startForeignObserver } from '../../../fixtures/foreign-servers/observer.ts'
import type { RestartableServer } from '../../../fixtures/foreign-servers/restartable-server.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import type { Computer } from '../computer.ts'
import { openRemoteComputer } from './remote.ts'

describe('an observer of another maker, with the documented routes only', () => {
  let server: RestartableServer
  let computer: Computer
  beforeAll(async () => {
    server = await startForeignObserver()
    computer = await openRemoteComputer({ url: server.url })
  })
  afterAll(async () => {
    await computer.close()
    await server.close()
  })
  const find = async (selector: string) => querySelectorAll((await computer.tree('desk/1'))!, selector)[0]!.element
  const on = async (selector: string) => {
    const { id, bounds } = await find(selector)
    return { target: { window: 'desk/1', element: id }, at: centerOf(bounds) }
  }

  it('[RM1] has windows and trees', async () => {
    expect((await computer.windows()).map(({ uid, focused }) => [uid, focused])).toEqual([
      ['desk/1', true],
      ['notes/2', false],
    ])
    expect(await find('Button "Save"')).toMatchObject({ bounds: { x: 390, y: 120, width: 120, height: 32 } })
    expect(await computer.tree('gone')).toBeUndefined()
  })

  it('[RM1] has one monitor around its windows, if it lists none', async () => {
    expect(await computer.monitors()).toEqual([
      { index: 0, primary: true, bounds: { x: 0, y: 0, width: 1200, height: 660 }, scaleFactor: 1 },
    ])
  })

  it('[RM7] is acted on', async () => {
    await computer.perform({ type: 'set_value', ...(await on('Edit "Note"')), value: 'second', clearFirst: true })
    await computer.perform({ type: 'select', ...(await on('ComboBox "Colour"')), option: { name: 'Blue' } })
    await computer.perform({ type: 'focus', ...(await on('Edit "Name"')) })
    await computer.perform({ type: 'type', text: 'Ada' })
    expect([
      (await find('Edit "Note"')).value,
      (await find('ComboBox "Colour"')).value,
      (await find('Edit "Name"')).value,
    ]).toEqual(['second', 'Blue', 'Ada'])
    const { at } = await on('Button "Open dialog"')
    await computer.perform({ type: 'click', at, button: 'left', count: 1 })
    expect((await computer.windows())[0]).toMatchObject({ title: 'Question' })
  })

  it('[RM10] refuses with its codes', async () => {
    const target = { window: 'desk/1', element: 'none' }
    await expect(computer.perform({ type: 'invoke', target, at: { x: 1, y: 1 } })).rejects.toMatchObject({
      code: 'ElementNotFound',
      message: 'no such element',
    })
  })

  it('[RM14] lacks pictures and primitive input, and says so', async () => {
    expect(computer.info.supports.primitive_input).toMatch(/does not offer get_pointer/)
    await expect(computer.screenshot({ window: 'desk/1' })).rejects.toMatchObject({ code: 'PlatformUnsupported' })
    await expect(computer.pointer()).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: expect.stringContaining('the pointer cannot be read: the other server does not offer'),
    })
  })
})
