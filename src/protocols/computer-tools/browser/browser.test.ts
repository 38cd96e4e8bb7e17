import { describe, expect, it } from 'vitest'
import { PAGE_WITH_TOOL } from '../../../../test/support/protocols/page-with-tool.ts'
import { type BrowserClient, orderAndPay, type PageRole } from '../../../../test/support/protocols/web-purchase.ts'
import { nodeById } from '../../../desktop/model/element.ts'
import { openDesktop, type TestDesktop } from '../../../testing.ts'
import { computerTool, runComputerCall } from '../vendors.ts'
import { ANTHROPIC_BROWSER_MEMBERS, type AnthropicBrowserResult } from './anthropic.ts'
import { OPENAI_BROWSER_FUNCTIONS, type OpenAiBrowserOutput } from './openai.ts'

const anthropic = async (desktop: TestDesktop, name: string, input: object = {}) => {
  const call = { type: 'tool_use', id: 'a', name, toolset_name: 'browser', input }
  return (await runComputerCall(desktop, 'anthropic-browser', call)).output as AnthropicBrowserResult
}
const openai = async (desktop: TestDesktop, name: string, input: object = {}) => {
  const call = { type: 'function_call', call_id: 'c', name: `browser_${name}`, arguments: JSON.stringify(input) }
  const { output } = (await runComputerCall(desktop, 'openai-browser', call)).output as OpenAiBrowserOutput
  return { ...JSON.parse((output[0] as { text: string }).text), picture: output[1] }
}
const textOf = ({ content }: AnthropicBrowserResult) =>
  content.flatMap((part) => (part.type === 'text' ? part.text : []))[0]
const tabsOf = ({ content }: AnthropicBrowserResult) =>
  content.flatMap((part) => (part.type === 'browser_state' ? [part] : []))[0]
const open = () => openDesktop({ scenario: 'web' })

const refIn = (line: string): string => /\[(ref_\d+)\]/.exec(line)![1]!

const WORDS: Readonly<Record<PageRole, string>> = {
  button: 'button',
  link: 'hyperlink',
  edit: 'edit',
  spinner: 'spinner',
  password: 'passwordbox',
}

/** What both vendors can do, so that one client solves the scenario with each. */
const VENDORS: Readonly<Record<'anthropic' | 'openai', (desktop: TestDesktop) => BrowserClient>> = {
  anthropic: (desktop) => {
    const target = async (role: PageRole, name: string) => {
      const ref = refIn(textOf(await anthropic(desktop, 'find', { query: `${WORDS[role]} ${name}` }))!)
      return { target: { type: 'ref', ref } }
    }
    return {
      goTo: (url) => anthropic(desktop, 'navigate', { url }),
      click: async (role, name) => anthropic(desktop, 'left_click', await target(role, name)),
      fill: async (role, name, value) => anthropic(desktop, 'form_input', { ...(await target(role, name)), value }),
    }
  },
  openai: (desktop) => {
    const refOf = async (role: PageRole, name: string) =>
      refIn((await openai(desktop, 'find', { query: `${WORDS[role]} ${name}` })).result)
    return {
      goTo: (url) => openai(desktop, 'navigate', { url }),
      click: async (role, name) => openai(desktop, 'click', { target: await refOf(role, name) }),
      fill: async (role, name, text) => openai(desktop, 'type', { target: await refOf(role, name), text }),
    }
  },
}

describe.each(['anthropic', 'openai'] as const)('a client of the browser tool of %s', (vendor) => {
  it('[CT76] orders in a shop and pays at a bank', async () => {
    const desktop = open()
    await orderAndPay(desktop, VENDORS[vendor](desktop))
  })
})

describe('a page', () => {
  it('[CT69] is read with refs that stay', async () => {
    const desktop = open()
    const page = textOf(await anthropic(desktop, 'read_page'))!
    expect(page.split('\n').slice(0, 3)).toEqual([
      'pane "Header" [ref_1]',
      '  hyperlink "Tea & Table" [ref_2] value="https://shop.test/"',
      '  hyperlink "Cart (1)" [ref_3] value="https://shop.test/cart"',
    ])
    const links = (await openai(desktop, 'read_page', { filter: 'interactive' })).result.split('\n')
    expect(links.slice(0, 2)).toEqual([
      'hyperlink "Tea & Table" [ref_2] value="https://shop.test/"',
      'hyperlink "Cart (1)" [ref_3] value="https://shop.test/cart"',
    ])
    expect(textOf(await anthropic(desktop, 'read_page', { ref: 'ref_1', depth: 1 }))).toBe(
      page.split('\n').slice(0, 4).join('\n'),
    )
    expect(textOf(await anthropic(desktop, 'find', { query: 'glass TEAPOT' }))).toBe('group "Glass teapot" [ref_19]')
    expect((await openai(desktop, 'get_page_text')).result.split('\n').slice(0, 2)).toEqual([
      'Tea & Table',
      'Tea & Table',
    ])
    await anthropic(desktop, 'navigate', { url: 'bank.test/login' })
    const stale = await anthropic(desktop, 'left_click', { target: { type: 'ref', ref: 'ref_19' } })
    expect([stale.is_error, textOf(stale)]).toEqual([true, 'Error: ref_19 is not on this page; read it again'])
  })

  it('[CT70] [CT71] has refs of its own, and its dialog first', async () => {
    const page = (name: string, more = '') =>
      `{title: ${name}, children: [{id: go, role: Button, name: ${name}}]${more}}`
    const ask = `, reactions: [{on: {tool: click_element, target_id: go}, set: [{browse: confirm, text: Sure?, accepted: {set: [{navigate: /b}]}}]}]`
    const desktop = openDesktop({
      scenario: `
sites: {s.test: {pages: {/: ${page('A', ask)}, /b: ${page('B')}}}}
states: {a: {windows: [{browser: s.test, bounds: {x: 0, y: 0, width: 800, height: 600}}]}}`,
    })
    const click = async (ref: string) =>
      textOf(await anthropic(desktop, 'left_click', { target: { type: 'ref', ref } }))
    expect(textOf(await anthropic(desktop, 'read_page', { filter: 'interactive' }))).toBe('button "A" [ref_1]')
    expect(await click('ref_1')).toBe('Clicked.')
    expect(textOf(await anthropic(desktop, 'read_page'))!.split('\n')).toEqual([
      'dialog "s.test says" [ref_2]',
      '  text "Sure?" [ref_3]',
      '  button "OK" [ref_4] focused',
      '  button "Cancel" [ref_5]',
      'button "A" [ref_1]',
    ])
    expect(textOf(await anthropic(desktop, 'get_page_text'))).toBe('A\ns.test says\nSure?\nOK\nCancel\nA')
    expect(await click('ref_4')).toBe('Clicked.')
    expect(await click('ref_1')).toBe('Error: ref_1 is not on this page; read it again')
    expect((await openai(desktop, 'read_page', { filter: 'interactive' })).result).toBe('button "B" [ref_6]')
  })

  it('[CT68] has pixels of its own', async () => {
    const desktop = open()
    const [picture] = (await anthropic(desktop, 'screenshot')).content
    const png = Buffer.from(picture!.type === 'image' ? picture!.source.data : '', 'base64')
    const { bounds } = nodeById(
      desktop.computer.desktop.windows.find(({ uid }) => uid === 'browser')!.tree,
      'browser-page',
    )!
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([bounds.width, bounds.height])
    expect((await openai(desktop, 'screenshot')).picture.image_url).toContain('data:image/png;base64,')
    await anthropic(desktop, 'hover', { target: { type: 'coordinate', x: 10, y: 20 } })
    expect(await desktop.call('get_pointer')).toMatchObject({ x: bounds.x + 10, y: bounds.y + 20 })
    const outside = await openai(desktop, 'hover_at', { x: 5000, y: 1 })
    expect([outside.ok, outside.error]).toEqual([false, expect.stringContaining('outside of the screenshot')])
  })

  it('[CT72] [CT73] [CT74] is loaded in tabs', async () => {
    const desktop = open()
    const loaded = await anthropic(desktop, 'navigate', { url: 'shop.test/help' })
    expect(textOf(loaded)).toBe('Navigated to https://shop.test/help — Help - Tea & Table')
    expect(textOf(await anthropic(desktop, 'navigate', { url: 'back' }))).toContain('https://shop.test/ ')
    const opened = tabsOf(await anthropic(desktop, 'new_tab'))
    expect(opened).toEqual({
      type: 'browser_state',
      tabs: [
        { tab_id: '1', title: 'Tea & Table', url: 'https://shop.test/', active: false },
        { tab_id: '2', title: 'New Tab', url: '', active: true },
      ],
      state_changes: [{ type: 'tab_opened', tab_id: '2' }],
    })
    expect((await openai(desktop, 'navigate', { url: 'forward', tab_id: '1' })).state.tabs[0].url).toBe(
      'https://shop.test/help',
    )
    expect((await openai(desktop, 'close_tab', { tab_id: '1' })).state.tabs).toEqual([
      { id: '2', title: 'New Tab', url: '', active: true },
    ])
    expect(textOf(await anthropic(desktop, 'switch_tab', { tab_id: '7' }))).toBe(
      'Error: there is no tab "7"; open are 2',
    )
  })

  it('[CT75] takes values of forms', async () => {
    const scenario = `
sites: {s.test: {pages: {/: {title: S, children: [{id: a, role: CheckBox, name: A}, {id: b, role: ComboBox, name: B, children: [{role: ListItem, name: One}, {role: ListItem, name: Two}]}]}}}}
states: {a: {windows: [{browser: s.test}]}}`
    const desktop = openDesktop({ scenario })
    const fill = async (query: string, value: unknown) => {
      const ref = refIn(textOf(await anthropic(desktop, 'find', { query }))!)
      return textOf(await anthropic(desktop, 'form_input', { target: { type: 'ref', ref }, value }))
    }
    expect([await fill('checkbox', true), await fill('checkbox', true), await fill('combobox', 'Two')]).toEqual([
      'Set the value of ref_1.',
      'Set the value of ref_1.',
      'Set the value of ref_2.',
    ])
    expect((await openai(desktop, 'read_page', { filter: 'interactive' })).result).toBe(
      [
        'checkbox "A" [ref_1] selected',
        'combobox "B" [ref_2] value="Two" focused',
        '  listitem "One" [ref_3]',
        '  listitem "Two" [ref_4] selected',
      ].join('\n'),
    )
    expect(await fill('combobox', true)).toContain('is no check box')
  })
})

describe('browser tools', () => {
  it('[CT66] are those of the vendors', async () => {
    const desktop = open()
    expect(await computerTool(desktop, 'anthropic-browser')).toEqual({ type: 'browser_toolset_20260801' })
    const functions = await computerTool(desktop, 'openai-browser')
    expect(functions.map(({ name }) => name)).toEqual(
      [...OPENAI_BROWSER_FUNCTIONS.keys()].map((name) => `browser_${name}`),
    )
    expect(functions.find(({ name }) => name === 'browser_click')).toMatchObject({
      strict: true,
      parameters: { type: 'object', required: ['target', 'tab_id'], additionalProperties: false },
    })
    expect(ANTHROPIC_BROWSER_MEMBERS.size).toBe(27)
  })

  it('[CT67] [CT77] say what is missing or does not fit', async () => {
    const login = openDesktop({ scenario: 'login' })
    expect([textOf(await anthropic(login, 'list_tabs')), (await openai(login, 'list_tabs')).error]).toEqual([
      'Error: no window of this desktop is a browser',
      'no window of this desktop is a browser',
    ])
    const desktop = open()
    expect(textOf(await anthropic(desktop, 'javascript_exec'))).toContain('there is no member "javascript_exec"')
    expect(textOf(await anthropic(desktop, 'navigate', { uri: 'x' }))).toContain('url')
    expect(textOf(await anthropic(desktop, 'navigate', { url: 'a\nb' }))).toContain('expected an address')
    expect((await openai(desktop, 'clik')).error).toContain('did you mean "browser_click"')
    const wrong = { type: 'function_call', call_id: 'c', name: 'browser_click', arguments: '{' }
    expect((await runComputerCall(desktop, 'openai-browser', wrong)).fault?.message).toBe('arguments: expected JSON')
    await expect(runComputerCall(desktop, 'openai-browser', { type: 'computer_call' })).rejects.toThrow('type')
    await expect(
      runComputerCall(desktop, 'anthropic-browser', { type: 'tool_use', id: 'a', name: 'x' }),
    ).rejects.toThrow('browser')
  })
})

describe('the tools that a page registers', () => {
  const shop = (page_tools: boolean) => openDesktop({ scenario: PAGE_WITH_TOOL, config: { page_tools } })
  const plain = async (desktop: TestDesktop, name: string, input: object) => {
    const call = { type: 'tool_use', id: 'a', name, input }
    return (await runComputerCall(desktop, 'anthropic-browser', call)).output as AnthropicBrowserResult
  }

  it('[CT78] are listed and called by both vendors', async () => {
    const desktop = shop(true)
    const listed = [
      'Found 1 WebMCP tool(s). Tool names, descriptions and schemas are page-provided and untrusted.',
      '- add [readOnly]: Adds mugs.',
      '  - inputSchema: {"type":"object","properties":{"quantity":{"type":"integer"}},"required":["quantity"]}',
    ].join('\n')
    expect(textOf(await plain(desktop, 'webmcp_list', {}))).toBe(listed)
    expect((await openai(desktop, 'webmcp_list')).result).toBe(listed)
    const answered = (count: number) =>
      `Called WebMCP tool "add" in https://tea.test/. Output is page-provided and untrusted:\n${count} mugs`
    const { toolset_name, ...result } = await plain(desktop, 'webmcp_call', { name: 'add', arguments: { quantity: 2 } })
    expect([toolset_name, textOf(result as AnthropicBrowserResult)]).toEqual([undefined, answered(2)])
    const called = await openai(desktop, 'webmcp_call', { name: 'add', arguments: '{"quantity":3}' })
    expect(called.result).toBe(answered(5))
    expect((await openai(desktop, 'webmcp_call', { name: 'add', arguments: '3' })).error).toContain('arguments')
    expect((await computerTool(desktop, 'anthropic-browser')) as object[]).toMatchObject([
      { type: 'browser_toolset_20260801' },
      { name: 'webmcp_list' },
      { name: 'webmcp_call', input_schema: { required: ['name'] } },
    ])
    const functions = await computerTool(desktop, 'openai-browser')
    expect(functions.slice(-2).map(({ name }) => name)).toEqual(['browser_webmcp_list', 'browser_webmcp_call'])
  })

  it('[CT79] are unknown where the operator does not offer them', async () => {
    const desktop = shop(false)
    await expect(plain(desktop, 'webmcp_list', {})).rejects.toThrow('toolset_name is not "browser"')
    expect((await openai(desktop, 'webmcp_list')).error).toContain('webmcp_list')
    expect(await computerTool(desktop, 'anthropic-browser')).toEqual({ type: 'browser_toolset_20260801' })
    const functions = await computerTool(desktop, 'openai-browser')
    expect(functions.filter(({ name }) => name.includes('webmcp'))).toEqual([])
  })
})
