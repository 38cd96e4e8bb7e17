import { describe, expect, it } from 'vitest'
import { runComputerCall } from '../../src/protocols/computer-tools/vendors.ts'
import { openDesktop, type TestDesktop } from '../../src/testing.ts'
import { openOsworld } from '../support/protocols/osworld-server.ts'

// Rules such as [OB212] are stated in src/observer/SPEC.md.

const seen = async (desktop: TestDesktop) => (await desktop.call('session_info')).reward === 1

/** A browser behind whose first page the decisive text is, and a terminal. */
const DESK = (oracle: string) => `
name: doors
sites:
  bank.test:
    pages:
      /:
        title: Bank
        children:
          - {id: balance, role: Text, name: Balance 512}
          - {id: rate, role: Edit, name: Rate, value: 4.25 percent}
          - {id: mail, role: Document, name: Mail, value: "Dear Bo,\\nthe code is 7714.\\nYours"}
          - {role: Pane, name: Space, height: 1200}
          - {id: note, role: Text, name: The last line}
states:
  a:
    windows:
      - {browser: bank.test, bounds: {x: 0, y: 0, width: 700, height: 700}}
      - uid: mock:terminal
        title: ada@desk
        process: gnome-terminal-server
        bounds: {x: 720, y: 100, width: 500, height: 400}
        tree:
          role: Window
          name: ada@desk
          children: [{role: Document, name: Terminal, id: shell, value: "$ ls\\nnotes.txt\\n", bounds: {x: 740, y: 150, width: 400, height: 300}}]
oracles: {success: [{kind: seen, selector: '${oracle}'}]}
`
const BALANCE = 'Text[id="balance"]'
const RATE = 'Edit "Rate"'
const MAIL = 'Document "Mail"'
const LAST = 'Text "The last line"'
const SHELL = 'Document "Terminal"'

/** A call of a vendor's tool, in the shape of its API. */
const anthropic = (input: object) => ['anthropic', { type: 'tool_use', id: 'a', name: 'computer', input }] as const
const openai = (...actions: readonly object[]) => ['openai', { type: 'computer_call', call_id: 'c', actions }] as const
const gemini = (name: string, args: object = {}) => ['gemini', { functionCall: { name, args } }] as const
const anthropicBrowser = (name: string, input: object = {}) =>
  ['anthropic-browser', { type: 'tool_use', id: 'a', name, toolset_name: 'browser', input }] as const
const openaiBrowser = (name: string, input: object = {}) =>
  [
    'openai-browser',
    { type: 'function_call', call_id: 'c', name: `browser_${name}`, arguments: JSON.stringify(input) },
  ] as const

describe('[OB214] [OB218] [OB215] what the computer tool of a vendor shows', () => {
  it.each([
    ['a screenshot', anthropic({ action: 'screenshot' }), [BALANCE, true]],
    ['a screenshot without what is below', anthropic({ action: 'screenshot' }), [LAST, false]],
    ['the picture after an action', anthropic({ action: 'mouse_move', coordinate: [1, 1] }), [BALANCE, true]],
    ['a screenshot', openai({ type: 'screenshot' }), [BALANCE, true]],
    ['the picture after an action', openai({ type: 'move', x: 1, y: 1 }), [BALANCE, true]],
    ['a screenshot', gemini('take_screenshot'), [BALANCE, true]],
    ['a screenshot without what is below', gemini('take_screenshot'), [LAST, false]],
    ['a picture of the page', anthropicBrowser('screenshot'), [BALANCE, true]],
    ['no terminal in a picture of the page', anthropicBrowser('screenshot'), [SHELL, false]],
    ['the elements of the page', anthropicBrowser('read_page'), [RATE, true]],
    ['the elements of the page beyond its view', anthropicBrowser('read_page'), [LAST, true]],
    ['a text of several lines', anthropicBrowser('read_page'), [MAIL, true]],
    ['what can be used only', anthropicBrowser('read_page', { filter: 'interactive' }), [BALANCE, false]],
    ['the elements that were found', anthropicBrowser('find', { query: 'rate' }), [RATE, true]],
    ['not those that were not found', anthropicBrowser('find', { query: 'rate' }), [BALANCE, false]],
    ['the text of the page', anthropicBrowser('get_page_text'), [BALANCE, true]],
    ['a name without its value', anthropicBrowser('get_page_text'), [RATE, false]],
    ['nothing of other tabs', anthropicBrowser('list_tabs'), [BALANCE, false]],
    ['the elements of the page', openaiBrowser('read_page', { filter: 'all' }), [RATE, true]],
    ['the elements that were found', openaiBrowser('find', { query: 'rate' }), [RATE, true]],
    ['the text of the page', openaiBrowser('get_page_text'), [BALANCE, true]],
    ['a picture of the page', openaiBrowser('screenshot'), [BALANCE, true]],
    ['nothing', openaiBrowser('list_tabs'), [BALANCE, false]],
  ] as const)('%s: %j', async (_name, [vendor, call], [oracle, isSeen]) => {
    const desktop = openDesktop({ scenario: DESK(oracle) })
    expect(await seen(desktop)).toBe(false)
    const { fault } = await runComputerCall(desktop, vendor, call)
    expect([fault, await seen(desktop)]).toEqual([undefined, isSeen])
  })
})

describe("[OB214] [OB215] what OSWorld's control server shows", () => {
  const shows = async (url: string, oracle: string, before?: (desktop: TestDesktop) => Promise<unknown>) => {
    const { desktop, app } = await openOsworld({ scenario: DESK(oracle) })
    await before?.(desktop)
    expect((await app.inject({ url })).statusCode).toBe(200)
    return seen(desktop)
  }
  const focusTerminal = (desktop: TestDesktop) =>
    desktop.call('focus_element', { element_id: 'shell', window_uid: 'mock:terminal' })

  it('is in its picture, its tree and its terminal', async () => {
    expect([await shows('/screenshot', BALANCE), await shows('/screenshot', LAST)]).toEqual([true, false])
    expect([await shows('/accessibility', RATE), await shows('/accessibility', MAIL)]).toEqual([true, true])
    expect([await shows('/terminal', SHELL, focusTerminal), await shows('/terminal', SHELL)]).toEqual([true, false])
    expect([await shows('/terminal', BALANCE, focusTerminal), await shows('/platform', BALANCE)]).toEqual([
      false,
      false,
    ])
  })
})

describe('[OB220] a replay of a trace', () => {
  /** Whether the run of a trace has seen, and whether its replay has. */
  async function played(oracle: string, act: (desktop: TestDesktop) => Promise<unknown>): Promise<readonly boolean[]> {
    const desktop = openDesktop({ scenario: DESK(oracle) })
    const { dir } = await desktop.call('trace_start')
    await act(desktop)
    await desktop.call('press_keys', { keys: 'shift' })
    const first = await seen(desktop)
    await desktop.call('trace_stop')
    await desktop.call('session_reset')
    const { replay_id, total } = await desktop.call('replay_start', { path: String(dir), mode: 'verify' })
    for (let step = 0; step < total; step++) await desktop.call('replay_step', { replay_id })
    return [first, await seen(desktop)]
  }

  it('has seen what its run had', async () => {
    const call = (each: readonly [string, unknown]) => (desktop: TestDesktop) =>
      runComputerCall(desktop, each[0] as 'anthropic', each[1])
    expect(await played(BALANCE, call(anthropicBrowser('get_page_text')))).toEqual([true, true])
    expect(await played(BALANCE, call(anthropicBrowser('list_tabs')))).toEqual([false, false])
    expect(await played(LAST, call(anthropicBrowser('screenshot')))).toEqual([false, false])
    expect(await played(RATE, (desktop) => desktop.call('get_window_structure', { window_uid: 'browser' }))).toEqual([
      true,
      true,
    ])
  })
})
