import { describe, expect, it } from 'vitest'
import { createFastifyApp } from '../compose/rest-app.ts'
import { openDesktop, type TestDesktop } from '../testing.ts'
import { call } from './call.ts'

// Rules such as [OB212] are stated in SPEC.md beside this file.

const BANK = (oracle: string, noteX = 40) => `
vars: {accounts: [{id: 1, owner: Ana, balance: 40}, {id: 2, owner: Bo, balance: 512}]}
states:
  only:
    windows:
      - uid: note
        title: Note
        bounds: {x: ${noteX}, y: 40, width: 300, height: 200}
        tree: {role: Window, name: Note, children: [{id: memo, role: Text, name: Nothing here.}]}
      - uid: bank
        title: Bank
        bounds: {x: 400, y: 40, width: 500, height: 400}
        tree:
          role: Window
          name: Bank
          children:
            - {id: box, role: Pane, name: Box, children: [{id: total, role: Edit, name: Total, value: '552', read_only: true}]}
            - {id: list, role: Table, name: Accounts, rows: accounts, key: id, columns: [{field: owner, title: Owner}, {field: balance, title: Balance}]}
oracles: {success: [${oracle}]}
`
const TOTAL = '{kind: seen, selector: Edit "Total"}'

const bank = (oracle = TOTAL) => openDesktop({ scenario: BANK(oracle) })
const seen = async (desk: TestDesktop) => (await desk.call('session_info')).reward === 1

/** Whether a call, made first, shows the total. */
const shows = async (tool: string, args: object = {}, oracle = TOTAL) => {
  const desk = bank(oracle)
  expect(await seen(desk)).toBe(false)
  await desk.call(tool, args as never)
  return seen(desk)
}
const IN_BANK = { window_uid: 'bank' }

describe('words', () => {
  it('[OB212] [OB213] show what is in a tree, after its filters', async () => {
    expect(await shows('get_window_structure', IN_BANK)).toBe(true)
    expect(await shows('get_window_structure', { window_uid: 'note' })).toBe(false)
    expect(await shows('get_window_structure', { ...IN_BANK, depth: 1 })).toBe(false)
    expect(await shows('get_window_structure', { ...IN_BANK, roles: ['Table'] })).toBe(false)
    expect(await shows('get_window_structure', { ...IN_BANK, max_text_len: 2 })).toBe(false)
    expect(await shows('get_window_structure', { ...IN_BANK, max_nodes: 2 })).toBe(false)
    expect(await shows('find_element', { ...IN_BANK, selector: 'Edit "Total"' })).toBe(false)
  })

  it('[OB212] show what is in an outline, a description, a snapshot or a change', async () => {
    expect(await shows('get_screen_outline', IN_BANK)).toBe(true)
    expect(await shows('get_screen_outline', { ...IN_BANK, format: 'ids' })).toBe(true)
    expect(await shows('get_screen_description', IN_BANK)).toBe(true)
    expect(await shows('list_windows')).toBe(false)
  })

  it('[OB212] show rows and cells of records', async () => {
    const cell = '{kind: seen, selector: \'Row[name*="Bo"]/Cell[name="Balance"]\'}'
    expect(await shows('get_screen_outline', IN_BANK, cell)).toBe(true)
    expect(await shows('get_screen_outline', IN_BANK, '{kind: seen, selector: \'Row[name*="Bo"]\'}')).toBe(true)
    expect(
      await shows('get_window_structure', IN_BANK, '{kind: seen, selector: \'Row[name*="Bo"]\', window_uid: bank}'),
    ).toBe(true)
    expect(
      await shows('get_window_structure', IN_BANK, '{kind: seen, selector: \'Row[name*="Bo"]\', window_uid: note}'),
    ).toBe(false)
  })
})

describe('pictures', () => {
  it('[OB215] show what is visible in their part of the screen', async () => {
    expect(await shows('get_screenshot')).toBe(true)
    expect(await shows('get_screenshot', IN_BANK)).toBe(true)
    expect(await shows('get_screenshot', { window_uid: 'note' })).toBe(false)
    expect(await shows('get_screenshot_cropped', { ...IN_BANK, element_id: 'total' })).toBe(true)
    expect(await shows('get_screenshot_cropped', { ...IN_BANK, element_id: 'list' })).toBe(false)
    expect(await shows('capture_screen', { region: { x: 400, y: 40, width: 500, height: 400 } })).toBe(true)
    expect(await shows('capture_screen', { region: { x: 0, y: 0, width: 300, height: 400 } })).toBe(false)
  })

  it('[OB215] do not show what another window covers', async () => {
    const desk = openDesktop({ scenario: BANK(TOTAL, 500) })
    await desk.call('get_screenshot')
    expect(await seen(desk)).toBe(false)
    await desk.call('get_screenshot', IN_BANK)
    expect(await seen(desk)).toBe(true)
  })

  it('[OB216] show a region as a whole, and in a readable size', async () => {
    const part = '{kind: seen, selector: Edit "Total", region: {x: 0, y: 0, width: 40, height: 10}}'
    expect(await shows('get_window_structure', IN_BANK, part)).toBe(false)
    expect(await shows('get_screenshot', {}, part)).toBe(true)
    expect(await shows('capture_screen', { max_width: 200 }, part)).toBe(false)
    expect(await shows('capture_screen', { max_width: 800 }, part)).toBe(true)
  })
})

describe('doors', () => {
  const TEXT = { contract: 'text' }
  const AGENT_DESKTOP = { contract: 'agent-desktop' }
  const command = async (contract: object, ...argv: readonly string[]) => {
    const desk = bank()
    const app = await createFastifyApp(desk)
    await app.inject({ method: 'POST', url: '/desk', payload: { ...contract, argv } })
    return seen(desk)
  }

  it('[OB214] of the command line count by what it prints', async () => {
    expect(await command(TEXT, 'snapshot', '--window', 'Bank')).toBe(true)
    expect(await command(TEXT, 'snapshot', '--window', 'Note')).toBe(false)
    expect(await command(AGENT_DESKTOP, 'snapshot', '--window-id', 'w-bank')).toBe(true)
    expect(await command(AGENT_DESKTOP, 'snapshot', '--window-id', 'w-bank', '--max-depth', '1')).toBe(false)
  })

  it('[OB217] do not count for what a person or the harness looks at', async () => {
    const desk = bank()
    await desk.call('get_annotations', IN_BANK)
    await call(desk.session, 'get_screenshot', IN_BANK, { caller: 'person' })
    expect(await seen(desk)).toBe(false)
  })
})

describe('sessions', () => {
  it('[OB219] keep what was seen in a fork and until the step of a rewind', async () => {
    const desk = bank()
    await desk.call('bring_to_foreground', IN_BANK)
    await desk.call('get_screenshot')
    await desk.call('bring_to_foreground', { window_uid: 'note' })
    expect(await seen(desk)).toBe(true)
    const { session } = desk
    const [oracle] = desk.computer.loadedScenario.oracles.seen
    const inFork = (step?: number) => session.fork(`fork ${step}`, step).context.episode.hasSeen(oracle!)
    expect([inFork(), inFork(1), inFork(0)]).toEqual([true, true, false])
    await desk.call('session_rewind', { to_step: 1 })
    expect(await seen(desk)).toBe(true)
    await desk.call('session_rewind', { to_step: 0 })
    expect(await seen(desk)).toBe(false)
    await desk.call('get_screenshot')
    await desk.call('session_reset', {})
    expect(await seen(desk)).toBe(false)
  })
})
