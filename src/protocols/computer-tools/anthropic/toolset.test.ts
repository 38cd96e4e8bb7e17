import { describe, expect, it } from 'vitest'
import { overHttp } from '../../../../test/support/computer-tools.ts'
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

const GATED = { confirmation_required: [{ name_regex: '^Login$' }] }

describe('the toolset for the SDK of Anthropic', () => {
  it('[CT32] serves the members: nothing, a point or a picture, or the reason of a failure', async () => {
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

  it('[CT32] passes the options of the class on, and confirms the keyboard on a synthetic desktop', () => {
    const desktop = openDesktop({ scenario: 'login' })
    const { options } = createAnthropicToolset(FakeToolset, desktop, { configs: { zoom: {} }, display: { width: 640 } })
    expect(options).toEqual({ configs: { zoom: {} }, confirm: expect.any(Function) })
    const confirm = () => false
    expect(createAnthropicToolset(FakeToolset, desktop.session, { confirm }).options).toEqual({ confirm })
  })

  it('[CT33] serves the members from a running server alike', async () => {
    const desktop = openDesktop({ scenario: 'login', config: GATED })
    const asked: string[] = []
    const acknowledge = ({ message }: { readonly message: string }) => asked.push(message) > 0
    const toolset = createAnthropicToolset(FakeToolset, await overHttp(desktop), {
      display: { width: 640 },
      acknowledge,
    })
    const call = (name: string, input: object = {}) => toolset.execute({ toolUse: { id: 't' } }, name, input)
    expect(toolset.options).toEqual({})
    expect(await call('mouse_move', { coordinate: [100, 50] })).toBe(undefined)
    expect(await call('cursor_position')).toEqual({ x: 100, y: 50 })
    const picture = (await call('screenshot')) as { data: string; mediaType: string }
    expect([Buffer.from(picture.data, 'base64').readUInt32BE(16), picture.mediaType]).toEqual([640, 'image/png'])
    await expect(call('left_click', { coordinate: [640, 1] })).rejects.toThrow('x is 0 to 639 and y is 0 to 399')
    expect(await call('left_click', { coordinate: [125, 147] })).toBe(undefined)
    expect(asked).toEqual([expect.stringContaining('Login')])
  })

  it('[CT34] continues a call that the rules of the operator stop if it is acknowledged', async () => {
    const login = { coordinate: [250, 294] }
    const titleAfter = async (acknowledge?: () => boolean) => {
      const desktop = openDesktop({ scenario: 'login', config: GATED })
      await desktop.call('set_value', { selector: 'Edit "Username"', value: 'alice' })
      await desktop.call('set_value', { selector: 'Edit "Password"', value: 'x' })
      const toolset = createAnthropicToolset(FakeToolset, desktop, { acknowledge })
      const clicked = toolset.execute({ toolUse: { id: 't' } }, 'left_click', login)
      const message = await clicked.then(() => 'clicked').catch((fault) => fault.code)
      return [message, desktop.computer.desktop.windows[0]!.title]
    }
    expect(await titleAfter()).toEqual(['ConfirmationRequired', 'Acme Login'])
    expect(await titleAfter(() => false)).toEqual(['ConfirmationRequired', 'Acme Login'])
    expect(await titleAfter(() => true)).toEqual(['clicked', 'Acme — Welcome'])
  })
})
