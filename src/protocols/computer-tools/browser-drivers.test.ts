import { describe, expect, it } from 'vitest'
import { overHttp } from '../../../test/support/computer-tools.ts'
import { openDesktop, type TestDesktop } from '../../testing.ts'
import {
  type AnthropicBrowserState,
  createAnthropicBrowserToolset,
  createOpenAiBrowserDriver,
} from './browser-drivers.ts'

interface FakeOptions {
  readonly browserState: (context: object) => Promise<AnthropicBrowserState>
  readonly configs?: object
}

/** The part of the SDK's class that a subclass relies on. `fixtures/vendor-types` checks the real one. */
abstract class FakeBrowserToolset {
  readonly options: FakeOptions
  constructor(options: FakeOptions) {
    this.options = options
  }
  execute(_context: object, _name: string, _input: object): Promise<unknown> {
    return Promise.reject(new Error('not served'))
  }
}

const WHERE = ['this process', 'a running server'] as const
const targetIn = async (where: (typeof WHERE)[number], desktop: TestDesktop) =>
  where === 'this process' ? desktop : overHttp(desktop)
const SHOP = { tab_id: '1', title: 'Tea & Table', url: 'https://shop.test/', active: true }
const HELP = { tab_id: '1', title: 'Help - Tea & Table', url: 'https://shop.test/help', active: false }
const BLANK = { tab_id: '2', title: 'New Tab', url: '', active: true }

describe('the browser toolset for the SDK of Anthropic', () => {
  it.each(WHERE)('[CT35] returns what the members of the SDK do, in %s', async (where) => {
    const target = await targetIn(where, openDesktop({ scenario: 'web' }))
    const toolset = createAnthropicBrowserToolset(FakeBrowserToolset, target, { configs: { zoom: {} } })
    const call = (name: string, input: object = {}) => toolset.execute({ toolUse: { id: 't' } }, name, input)
    expect([toolset instanceof FakeBrowserToolset, toolset.options.configs]).toEqual([true, { zoom: {} }])
    expect(await call('list_tabs')).toEqual([SHOP])
    expect(await call('navigate', { url: 'shop.test/help' })).toEqual({ url: HELP.url, title: HELP.title })
    expect(await call('get_page_text')).toMatch(/^Help - Tea & Table\n/)
    expect(await call('key', { text: 'Tab' })).toBe(undefined)
    expect(await call('new_tab')).toEqual(BLANK)
    const picture = (await call('screenshot')) as { data: string; mediaType: string }
    expect([Buffer.from(picture.data, 'base64').toString('latin1', 1, 4), picture.mediaType]).toEqual([
      'PNG',
      'image/png',
    ])
    await expect(call('javascript_exec', { text: '1' })).rejects.toThrow('there is no member "javascript_exec"')
    expect([await toolset.options.browserState({}), await toolset.options.browserState({})]).toEqual([
      { tabs: [HELP, BLANK], state_changes: [{ type: 'tab_opened', tab_id: '2' }] },
      { tabs: [HELP, BLANK] },
    ])
    expect(await call('close_tab', { tab_id: '2' })).toBe(undefined)
  })
})

describe('the driver for the browser helper of OpenAI', () => {
  class BrowserError extends Error {}

  it.each(WHERE)('[CT52] acts on the page, and has the tabs as its state, in %s', async (where) => {
    const driver = createOpenAiBrowserDriver(await targetIn(where, openDesktop({ scenario: 'web' })), { BrowserError })
    const signal = undefined
    await driver.navigate({ url: 'https://shop.test/help', tab_id: null }, { signal })
    expect(await driver.find({ query: 'help', tab_id: null }, { signal })).toBe(
      'heading "Help" [ref_1]\nhyperlink "Help" [ref_2] value="https://shop.test/help"',
    )
    await driver.click({ target: 'ref_2', tab_id: null }, { signal })
    const { type, detail, image_url } = await driver.screenshot({ tab_id: null }, { signal })
    expect([type, detail, image_url.slice(0, 22)]).toEqual(['input_image', 'original', 'data:image/png;base64,'])
    expect(await driver.state()).toEqual({
      tabs: [{ id: '1', title: 'Help - Tea & Table', url: 'https://shop.test/help', active: true }],
    })
    await driver.new_tab({ url: null }, { signal })
    expect((await driver.state()).tabs.map(({ url }) => url)).toEqual(['https://shop.test/help', 'about:blank'])
    const stale = driver.click({ target: 'ref_99', tab_id: null }, { signal })
    await expect(stale).rejects.toThrow(new BrowserError('ref_99 is not on this page; read it again'))
    await expect(stale).rejects.toBeInstanceOf(BrowserError)
  })

  it('[CT52] passes the faults of the desktop on without such a class', async () => {
    const driver = createOpenAiBrowserDriver(openDesktop({ scenario: 'login' }))
    await expect(driver.state()).rejects.toMatchObject({ code: 'WindowGone' })
  })
})
