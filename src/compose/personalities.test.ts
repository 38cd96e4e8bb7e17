import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pathOf } from '../desktop/model/element.ts'
import { PERSONALITIES } from '../scenario/personalities/personalities.ts'
import type { Personality, RoleView, ViewedKind } from '../scenario/personalities/personality.ts'
import { openDesktop, type TestDesktop } from '../testing.ts'
import { render } from './preview.ts'

const EDITOR = `
name: editor
states:
  open:
    windows:
      - uid: app
        title: Editor
        bounds: {x: 100, y: 80, width: 480, height: 360}
        tree:
          role: Window
          name: Editor
          children:
            - role: MenuBar
              id: bar
              children:
                - role: MenuItem
                  id: file
                  name: File
                  children:
                    - {id: save, role: MenuItem, name: Save, keyboard_shortcut: Ctrl+S}
                    - {id: quit, role: MenuItem, name: Quit}
            - {id: title, role: Heading, name: Settings}
            - {id: name, role: Edit, name: Name, value: Ada}
            - {id: box, role: CheckBox, name: Agree}
            - {id: list, role: List, name: Files, children: [{role: ListItem, name: one}, {role: ListItem, name: two}]}
            - {id: status, role: Text, name: Ready.}
reactions:
  - {on: {tool: click_element, target_id: save}, set: [{id: status, name: Saved.}]}
oracles:
  success: [{kind: element_exists, selector: 'Window/Heading "Settings"'}, {kind: element_absent, selector: 'Text "Settings"'}, {kind: text_visible, regex: Saved}]
`
const open = (personality?: string): TestDesktop =>
  openDesktop({ scenario: EDITOR, ...(personality !== undefined && { variant: { personality } }) })
type Body = Readonly<Record<string, never>>
type Reply = { readonly error?: { readonly code: string; readonly message: string }; readonly [key: string]: unknown }
type Tool = Parameters<TestDesktop['tryCall']>[0]
const attempt = async (desktop: TestDesktop, tool: Tool, args: object): Promise<Reply> =>
  (await desktop.tryCall(tool, args as never)) as unknown as Reply
const treeOf = async (desktop: TestDesktop) => (await desktop.call('get_window_structure')) as unknown as Body
const windowsOf = async (desktop: TestDesktop) =>
  (await desktop.call('list_windows')).windows as unknown as { window_uid: string; popup_of?: string; title: string }[]

describe('an agent', () => {
  it.each([
    ['windows-uia', 'Windows', 'Text "Settings"', null],
    ['macos-ax', 'Darwin', 'StaticText "Settings"', 'AXStaticText'],
    ['linux-gtk', 'Linux', 'Window/Group/Text "Settings"', 'label'],
    ['linux-qt', 'Linux', 'Window/Text "Settings"', 'label'],
    ['web-chromium', 'Linux', 'Window/Pane/Document/Heading "Settings"', 'heading'],
    ['web-firefox', 'Linux', 'Window/Window/Document/Heading "Settings"', 'heading'],
  ])('[PER1] sees the platform, roles and containers of %s', async (personality, platform, selector, identifier) => {
    const desktop = open(personality)
    expect(await desktop.call('get_capabilities')).toMatchObject({ platform, adapter: 'MockAdapter' })
    const found = await desktop.call('find_element', { selector })
    expect(found).toMatchObject({ element_id: 'title', ambiguous_matches: 1 })
    const text = JSON.stringify(await treeOf(desktop))
    if (identifier) expect(text).toContain(`"identifier":"${identifier}"`)
    else expect(text).not.toContain('"identifier"')
    expect(await desktop.call('session_info')).toMatchObject({ variant: { personality } })
  })

  it.each(PERSONALITIES)(
    '[PER2] of $name gets receipts, hashes and diffs of the tree that it sees',
    async ({ name }) => {
      const desktop = open(name)
      const { tree_hash, tree_token } = await treeOf(desktop)
      const receipt = await desktop.call('click_element', { element_id: 'box' })
      expect(receipt).toMatchObject({ changed: true, before: { tree_hash }, target: { element_id: 'box' } })
      const { role } = PERSONALITIES.find((each) => each.name === name)!.roles.checkbox
      const { changes } = (await desktop.call('observe_window', { since: tree_token })) as unknown as {
        changes: object[]
      }
      const path = pathOf(desktop.computer.tree('app')!, 'box')!.join('/')
      expect(changes).toEqual([{ op: 'replace', path, fields: expect.objectContaining({ selected: true }) }])
      const selector = `${role} "Agree"[selected=true]`
      expect(await desktop.call('find_element', { selector })).toMatchObject({ element_id: 'box' })
      expect((await treeOf(desktop)).tree_hash).toBe((receipt.after as { tree_hash: string }).tree_hash)
    },
  )

  it.each(PERSONALITIES)('[PER6] of $name acts on a field by its label', async ({ name }) => {
    const desktop = open(name)
    await desktop.call('click_element', { element_id: 'label:name' })
    await desktop.call('type_text', { text: '!' })
    const field = await desktop.call('find_element', { selector: '*[id="name"][value="Ada!"][focused=true]' })
    expect(field).toMatchObject({ element_id: 'name' })
  })

  it.each([
    ['windows-uia', 1, 'tree'],
    ['linux-gtk', 1, 'tree'],
    ['linux-qt', 1, 'no tree'],
    ['macos-ax', 0, 'no window'],
    ['web-chromium', 0, 'no window'],
  ])('[PER11] of %s sees an open menu as %i windows, with %s', async (personality, count, kind) => {
    const desktop = open(personality)
    await desktop.call('click_element', { element_id: 'file' })
    const popups = (await windowsOf(desktop)).filter(({ popup_of }) => popup_of !== undefined)
    expect(popups).toHaveLength(count)
    for (const { window_uid } of popups) {
      expect(await desktop.call('get_screenshot', { window_uid })).toHaveProperty('data')
      const read = await attempt(desktop, 'get_window_structure', { window_uid })
      if (kind === 'tree') expect(JSON.stringify(read.tree)).toContain('"save"')
      else expect(read.error?.code).toBe('PlatformUnsupported')
    }
    const window_uid = kind === 'tree' ? popups[0]!.window_uid : 'app'
    expect(await desktop.call('click_element', { window_uid, element_id: 'save' })).toMatchObject({ changed: true })
    expect(await desktop.call('find_element', { selector: '*[id="status"][name="Saved."]' })).toBeTruthy()
    expect(await windowsOf(desktop)).toHaveLength(1)
    // Oracles and reactions keep the tree of the scenario.
    expect(await desktop.call('session_info')).toMatchObject({ reward: 1 })
  })

  it('[PER13] is refused a pattern that the platform does not have', async () => {
    const invoke = async (personality?: string) =>
      (await attempt(open(personality), 'invoke_element', { element_id: 'box' })).error
    expect(await invoke('windows-uia')).toMatchObject({
      code: 'PatternUnsupported',
      message: expect.stringContaining('CheckBox "Agree"'),
      suggested_next_tool: 'click_element',
    })
    expect(await invoke('linux-qt')).toBeUndefined()
    expect(await invoke()).toBeUndefined()
  })

  it('[PER4] cannot act on what is closed', async () => {
    for (const { name } of PERSONALITIES) {
      const { error } = await attempt(open(name), 'click_element', { element_id: 'save' })
      expect(error?.code).toBe(
        ['macos-ax', 'linux-gtk', 'linux-qt'].includes(name) ? 'ElementOccluded' : 'ElementNotFound',
      )
    }
  })

  it('[PER1] sees the platform of a scenario that it loads or resets', async () => {
    const desktop = open()
    const before = await treeOf(desktop)
    await desktop.call('session_reset', { variant: { personality: 'macos-ax' } })
    expect((await desktop.call('get_capabilities')).platform).toBe('Darwin')
    expect(JSON.stringify(await treeOf(desktop))).toContain('AXCheckBox')
    await desktop.call('session_reset', { variant: {} })
    expect((await treeOf(desktop)).tree_hash).toBe(before.tree_hash)
    const { error } = await attempt(desktop, 'session_reset', { variant: { personality: 'linux-kde' } })
    expect(error).toMatchObject({ code: 'BadRequest', message: expect.stringContaining('windows-uia') })
  })
})

it('[PER14] confirmation rules match what is shown and what the scenario has', async () => {
  for (const rule of [{ role: 'Edit' }, { role: 'TextField' }, { name_regex: 'Name' }]) {
    const config = { confirmation_required: [rule] }
    const desktop = openDesktop({ scenario: EDITOR, variant: { personality: 'macos-ax' }, config })
    const { error } = await attempt(desktop, 'set_value', { element_id: 'name', value: 'Eve' })
    expect(error?.code).toBe('ConfirmationRequired')
    const typed = await attempt(desktop, 'click_at', { x: 300, y: 230 })
    expect(typed.error?.code).toBe('ConfirmationRequired')
  }
})

it('[PER3] pixels are those of the scenario', async () => {
  const png = async (personality?: string) =>
    Buffer.from(await (await open(personality).computer.screenshot({ screen: true })).png()).toString('base64')
  const expected = await png()
  for (const { name } of PERSONALITIES) expect(await png(name)).toBe(expected)
})

it('[PER4] combines with a scale and a mirrored screen', async () => {
  for (const { name } of PERSONALITIES) {
    const desktop = openDesktop({ scenario: EDITOR, variant: { personality: name, scale: 1.5, locale: 'mirrored' } })
    await desktop.call('click_element', { element_id: 'file' })
    expect(await desktop.call('click_element', { element_id: 'save' })).toMatchObject({ changed: true })
    for (const { children } of [desktop.computer.tree('app')!])
      expect(children.every(({ bounds, traits }) => bounds.width > 0 || traits?.hidden)).toBe(true)
  }
})

it('[PER1] is rendered as prose and as a sketch', async () => {
  const rendered = await render('form', { variant: { personality: 'macos-ax' } })
  expect(rendered.prose()).toContain('StaticText')
  expect((await render('form')).prose()).not.toContain('StaticText')
})

describe('docs/personalities.md', () => {
  const page = readFileSync(new URL('../../docs/personalities.md', import.meta.url), 'utf8')
  const tableAfter = (mark: string): readonly string[] =>
    (page.split(`<!-- ${mark} -->\n`)[1] ?? '').split('\n\n')[0]!.split('\n').slice(2)

  it('[PER1] lists every personality with what it does', () => {
    expect(tableAfter('personalities')).toEqual(PERSONALITIES.map(describePersonality))
  })

  it('[PER1] lists the role of every kind', () => {
    const kinds = Object.keys(PERSONALITIES[0]!.roles) as ViewedKind[]
    expect(tableAfter('roles')).toEqual(kinds.map(describeKind))
  })

  it('[PER13] lists the actions that platforms do not offer', () => {
    const lacking = PERSONALITIES.flatMap(({ name, roles }) => {
      const kinds = Object.entries(roles).filter(([, { lacks }]) => lacks?.includes('invoke'))
      return kinds.length === 0 ? [] : [`| \`${name}\` | ${kinds.map(([kind]) => kind).join(', ')} |`]
    })
    expect(tableAfter('invoke')).toEqual(lacking)
  })
})

const CLOSED = { zero: 'without bounds', absent: 'absent', options: 'absent; options without bounds' } as const
const SCROLLED_OUT = { kept: 'in place', zero: 'without bounds', absent: 'absent' } as const
const POPUPS = { inside: 'in their window', windows: 'windows', 'treeless windows': 'windows without a tree' } as const

function describePersonality(each: Personality): string {
  const page = each.page.map(({ role }) => role).join(' > ') || 'none'
  const rows = each.flatRows ? 'no' : 'yes'
  const cells = [page, each.scrollPane?.role ?? 'none', rows, CLOSED[each.closed], SCROLLED_OUT[each.scrolledOut]]
  return `| \`${each.name}\` | ${each.about} | ${[...cells, POPUPS[each.popups]].join(' | ')} |`
}

const describeKind = (kind: ViewedKind): string =>
  `| ${kind} | ${PERSONALITIES.map(({ roles }) => cellOf(roles[kind])).join(' | ')} |`

const cellOf = ({ role, native, isNameless }: RoleView): string =>
  `${role || 'as written'}${native === role ? '' : ` (${native})`}${isNameless ? ', nameless' : ''}`
