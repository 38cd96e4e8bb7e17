import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../../testing.ts'
import { createAnthropicToolset } from './dialect.ts'

/** The part of the SDK's class that a subclass relies on. `fixtures/vendor-types` checks the real one. */
abstract class FakeToolset {
  readonly options: { readonly confirm?: unknown; readonly configs?: object }
  constructor(options: { readonly confirm?: unknown; readonly configs?: object } = {}) {
    this.options = options
  }
  execute(_context: object, _name: string, _input: object): Promise<unknown> {
    return Promise.reject(new Error('not served'))
  }
}

describe('the toolset for the SDK of Anthropic', () => {
  it('[CT31] serves the members: nothing, a point or a picture, or the reason of a failure', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const toolset = createAnthropicToolset(FakeToolset, desktop, { display: { width: 640 } })
    const call = (name: string, input: object = {}) => toolset.execute({ toolUse: { id: 't' } }, name, input)
    expect(toolset).toBeInstanceOf(FakeToolset)
    expect(await call('mouse_move', { coordinate: [100, 50] })).toBe(undefined)
    expect(await call('cursor_position')).toEqual({ x: 100, y: 50 })
    const picture = (await call('screenshot')) as { data: string; mediaType: string }
    expect([Buffer.from(picture.data, 'base64').readUInt32BE(16), picture.mediaType]).toEqual([640, 'image/png'])
    await expect(call('left_click', { coordinate: [640, 1] })).rejects.toThrow('x is 0 to 639 and y is 0 to 399')
    await expect(call('left_click_drag', { coordinate: [5, 5] })).rejects.toThrow('start_coordinate')
    await expect(call('nothing')).rejects.toThrow('there is no action "nothing"')
  })

  it('[CT31] passes the options of the class on, and confirms the keyboard on a synthetic desktop', () => {
    const desktop = openDesktop({ scenario: 'login' })
    const { options } = createAnthropicToolset(FakeToolset, desktop, { configs: { zoom: {} }, display: { width: 640 } })
    expect(options).toEqual({ configs: { zoom: {} }, confirm: expect.any(Function) })
    const confirm = () => false
    expect(createAnthropicToolset(FakeToolset, desktop.session, { confirm }).options).toEqual({ confirm })
  })
})
