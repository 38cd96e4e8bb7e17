import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'
import type { WireElement } from '../wire.ts'

// Rules such as [OB45] are stated in src/observer/SPEC.md.

const FORM = `
states:
  a:
    windows:
      - uid: mock:form
        title: Form
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: Form
          children:
            - id: pane
              role: Pane
              bounds: {x: 0, y: 40, width: 400, height: 100}
              children:
                - {id: name, role: Edit, name: Full name, value: Ada Lovelace, bounds: {x: 10, y: 50, width: 100, height: 28}}
                - {id: age, role: Spinner, name: Age, value_now: 36, value_min: 0, value_max: 120, bounds: {x: 10, y: 90, width: 100, height: 28}}
            - {id: empty, role: Pane, bounds: {x: 0, y: 150, width: 400, height: 50}}
            - {id: ok, role: Button, name: OK, keyboard_shortcut: Alt+O, bounds: {x: 10, y: 250, width: 80, height: 28}}
            - {id: off, role: Button, name: Off screen, bounds: {x: -500, y: 250, width: 80, height: 28}}
`

const MENU = `
states:
  a:
    windows:
      - uid: mock:menu
        title: Menu
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: Menu
          children:
            - id: bar
              role: MenuBar
              bounds: {x: 0, y: 30, width: 400, height: 24}
              children:
                - id: file
                  role: MenuItem
                  name: File
                  bounds: {x: 0, y: 30, width: 50, height: 24}
                  children: [{id: save, role: MenuItem, name: Save, bounds: {x: 0, y: 54, width: 80, height: 24}}]
            - {id: gone, role: Button, name: OK, hidden: true, bounds: {x: 10, y: 100, width: 80, height: 28}}
            - {id: shown, role: Button, name: OK, bounds: {x: 10, y: 200, width: 80, height: 28}}
`

const ids = (tree: unknown): unknown => {
  const { id, children } = tree as WireElement
  return children.length === 0 ? id : [id, ...children.map(ids)]
}
const shape = async (args: object) =>
  ids((await openDesktop({ scenario: FORM }).call('get_window_structure', args)).tree)

describe('the tree of a window', () => {
  it('[OB40] writes elements in the documented form, with the fields that are known', async () => {
    const { tree } = await openDesktop({ scenario: FORM }).call('get_window_structure', { scope: 'pane' })
    expect((tree as WireElement).children[1]).toEqual({
      id: 'age',
      role: 'Spinner',
      name: 'Age',
      value: null,
      bounds: { x: 10, y: 90, width: 100, height: 28 },
      enabled: true,
      focused: false,
      keyboard_shortcut: null,
      description: null,
      value_now: 36,
      value_min: 0,
      value_max: 120,
      children: [],
    })
  })

  it('[OB42] is complete unless a depth or the operator limits it', async () => {
    const whole = ['root', ['pane', 'name', 'age'], 'empty', 'ok', 'off']
    expect(await shape({})).toEqual(whole)
    const cut = await openDesktop({ scenario: FORM }).call('get_window_structure', { depth: 1 })
    expect(cut).toMatchObject({ depth_used: 1, depth_truncated: true, element_count: 7, node_count: 5 })
    expect((cut.tree as WireElement).children[0]).toMatchObject({
      id: 'pane',
      truncated: true,
      child_count: 2,
      children: [],
    })
    const limited = openDesktop({ scenario: FORM, config: { tree: { max_depth: 0 } } })
    expect(await limited.call('get_window_structure', { depth: 5 })).toMatchObject({ depth_used: 0, node_count: 1 })
  })

  it('[OB45] drops elements that do not match and have no matching descendant', async () => {
    expect(await shape({ roles: ['Edit'] })).toEqual(['root', ['pane', 'name']])
    expect(await shape({ exclude_roles: ['Pane', 'Spinner'] })).toEqual(['root', ['pane', 'name'], 'ok', 'off'])
    expect(await shape({ name_regex: '(?i)o' })).toEqual(['root', 'ok', 'off'])
    expect(await shape({ visible_only: true })).toEqual(['root', ['pane', 'name', 'age'], 'empty', 'ok'])
    expect(await shape({ prune_empty: true })).toEqual(['root', ['pane', 'name', 'age'], 'ok', 'off'])
    expect(await shape({ roles: ['Nothing'] })).toEqual('root')
  })

  it('[OB46] omits hidden and collapsed elements when only visible ones are requested', async () => {
    const desk = openDesktop({ scenario: MENU })
    const { tree } = await desk.call('get_window_structure', { visible_only: true })
    expect(ids(tree)).toEqual(['root', ['bar', 'file'], 'shown'])
    await desk.call('click_element', { selector: 'MenuItem "File"' })
    const opened = await desk.call('get_window_structure', { visible_only: true })
    expect(ids(opened.tree)).toEqual(['root', ['bar', ['file', 'save']], 'shown'])
  })

  it('[OB30] lists shown elements before hidden ones', async () => {
    const { element_id, all_matches } = await openDesktop({ scenario: MENU }).call('find_element', {
      selector: 'Button "OK"',
    })
    expect([element_id, (all_matches as { element_id: string }[]).map((match) => match.element_id)]).toEqual([
      'shown',
      ['shown', 'gone'],
    ])
  })

  it('[OB45] shortens names and values', async () => {
    const { tree } = await openDesktop({ scenario: FORM }).call('get_window_structure', {
      scope: 'name',
      max_text_len: 4,
    })
    expect(tree).toMatchObject({ name: 'Full…', value: 'Ada …' })
  })

  it('[OB45] names the invalid pattern', async () => {
    const { error } = await openDesktop({ scenario: FORM }).tryCall('get_window_structure', { name_regex: '(' })
    expect(error?.code).toBe('BadRequest')
  })

  it('[OB47] returns a subtree without a token', async () => {
    const answer = await openDesktop({ scenario: FORM }).call('get_window_structure', { scope: 'pane' })
    expect(answer).toMatchObject({ scope: 'pane', element_count: 3, node_count: 3, tree_token: null })
    expect(answer).not.toHaveProperty('degraded')
    const { error } = await openDesktop({ scenario: FORM }).tryCall('get_window_structure', { scope: 'nope' })
    expect(error?.code).toBe('ElementNotFound')
  })

  it('[OB48] is returned in pages that together form the whole tree', async () => {
    const desk = openDesktop({ scenario: FORM })
    const rows: string[] = []
    let cursor: unknown
    for (let page = 0; page < 10; page++) {
      const answer = await desk.call('get_window_structure' as string, {
        max_nodes: 3,
        ...(cursor === undefined ? {} : { page_cursor: cursor }),
      })
      const { id, name, role, children } = answer.tree as WireElement
      expect([id, name, role]).toEqual(['page-root', '[paged]', 'Group'])
      rows.push(...children.map((child) => `${child.id}:${child.child_count}`))
      cursor = answer.next_cursor
      expect(answer.truncated).toBe(cursor !== null)
      if (cursor === null) break
    }
    expect(rows).toEqual(['root:4', 'pane:2', 'name:0', 'age:0', 'empty:0', 'ok:0', 'off:0'])
  })

  it('[OB48] keeps its shape when it fits into a page', async () => {
    expect(await shape({ max_nodes: 7 })).toEqual(await shape({}))
  })

  it('[OB48] refuses pages of a tree that has changed', async () => {
    const desk = openDesktop({ scenario: FORM })
    const { next_cursor } = await desk.call('get_window_structure', { max_nodes: 3 })
    await desk.call('set_value', { element_id: 'name', value: 'Grace' })
    const { error } = await desk.tryCall('get_window_structure' as string, { max_nodes: 3, page_cursor: next_cursor })
    expect(error?.code).toBe('SnapshotExpired')
    const made = await desk.tryCall('get_window_structure', { page_cursor: 'mine' })
    expect(made.error?.code).toBe('BadRequest')
  })

  it('[OB48] refuses pages of the visible tree when other windows have covered it since', async () => {
    const gallery = readFileSync(new URL('../../../scenarios/desktop.yaml', import.meta.url), 'utf8')
    const desk = openDesktop({ scenario: gallery })
    const args = { window_uid: 'mock:chrome', visible_only: true, max_nodes: 15 }
    const { next_cursor } = await desk.call('get_window_structure', args)
    await desk.call('bring_to_foreground', { window_uid: 'mock:chrome' })
    const { error } = await desk.tryCall('get_window_structure' as string, { ...args, page_cursor: next_cursor })
    expect(error?.code).toBe('SnapshotExpired')
  })

  it('[OB49] has the hash of the whole tree, whichever part is returned', async () => {
    const desk = openDesktop({ scenario: FORM })
    const { tree_hash } = await desk.call('get_window_structure')
    for (const args of [{ depth: 0 }, { roles: ['Edit'] }, { max_nodes: 1 }, { max_text_len: 1 }])
      expect((await desk.call('get_window_structure', args)).tree_hash).toBe(tree_hash)
  })

  it('[OB50] warns when it contains little information', async () => {
    const answer = await openDesktop({ scenario: FORM }).call('get_window_structure')
    expect(answer.degraded).toEqual({
      reason: 'sparse_accessibility_tree',
      named_node_count: 4,
      threshold: 5,
      suggested_fallbacks: ['get_ocr', 'get_screen_description'],
    })
    const settings = { tree: { sparse_threshold: 4 } }
    expect(await openDesktop({ scenario: FORM, config: settings }).call('get_window_structure')).not.toHaveProperty(
      'degraded',
    )
  })

  it('[OB54] reports whether it was seen before', async () => {
    const desk = openDesktop({ scenario: FORM })
    const perf = async () => (await desk.call('get_window_structure')).perf
    expect(await perf()).toEqual({ capture_ms: 0, node_count: 7, cache: 'miss', depth_used: 64 })
    expect(await perf()).toEqual({ capture_ms: 0, node_count: 7, cache: 'hit', depth_used: 64 })
    const { tree_stats } = await desk.call('get_capabilities')
    expect(tree_stats).toEqual({
      'mock:form': { node_count: 7, named_node_count: 4, capture_ms: 0, captured_at: desk.clock.now() / 1000 },
    })
  })
})

const CLOSED = `
states:
  a:
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: App
          children:
            - id: ask
              role: Dialog
              name: Sure?
              hidden: true
              bounds: {x: 50, y: 60, width: 200, height: 120}
              children: [{id: yes, role: Button, name: Yes, bounds: {x: 60, y: 130, width: 80, height: 28}}]
            - id: pane
              role: Pane
              bounds: {x: 0, y: 40, width: 400, height: 200}
              children:
                - {id: inner, role: Window, name: Inner, hidden: true, bounds: {x: 50, y: 60, width: 90, height: 90}}
                - {id: note, role: Text, name: Later, hidden: true, bounds: {x: 10, y: 190, width: 80, height: 20}}
            - {id: delete, role: Button, name: Delete, bounds: {x: 10, y: 250, width: 80, height: 28}}
reactions:
  - on: {tool: click_element, target_id: delete}
    set: [{id: ask, hidden: false}]
`

describe('closed dialogs and windows', () => {
  const open = () => openDesktop({ scenario: CLOSED, config: { tree: { sparse_threshold: 0 } } })
  const withoutThem = ['root', ['pane', 'note'], 'delete']
  const all = ['root', ['ask', 'yes'], ['pane', 'inner', 'note'], 'delete']

  it('[OB51] are in no observation by default, and the hash covers them', async () => {
    const desk = open()
    const { tree, element_count, node_count, tree_hash } = await desk.call('get_window_structure', {})
    expect([ids(tree), element_count, node_count]).toEqual([withoutThem, 7, 4])
    const observed = await desk.call('observe_window', {})
    expect([ids(observed.tree), observed.tree_hash]).toEqual([withoutThem, tree_hash])
    const { snapshot_id } = await desk.call('snapshot', {})
    const snapshot = await desk.call('snapshot_get', { snapshot_id })
    expect(ids((snapshot.trees as Record<string, unknown>)['mock:app'])).toEqual(withoutThem)
    const { accessibility } = await desk.call('get_screen_description', {})
    expect(String(accessibility)).not.toMatch(/Sure|Yes|Inner/)
    const { observation } = await desk.call('session_reset', { observe: 'outline' })
    expect((observation as { outline: string }).outline).not.toMatch(/Sure|Yes|Inner/)
  })

  it('[OB52] are shown with hidden: true when elements that are not visible are requested', async () => {
    const { tree } = await open().call('get_window_structure', { visible_only: false })
    expect(ids(tree)).toEqual(all)
    const [ask, pane] = (tree as WireElement).children
    expect([ask?.hidden, pane?.hidden, pane?.children[0]?.hidden]).toEqual([true, undefined, true])
    const scoped = await open().call('get_window_structure', { scope: 'ask' })
    expect(ids(scoped.tree)).toEqual(['ask', 'yes'])
  })

  it.each(['custom', 'json-patch'] as const)(
    '[OB53] are added by a change in format %s when they open',
    async (format) => {
      const desk = open()
      const { tree_token } = await desk.call('observe_window', {})
      await desk.call('click_element', { element_id: 'delete' })
      const { changes } = await desk.call('observe_window', { since: tree_token, format })
      const added = (changes as { op: string; path: string; node?: object; value?: object }[]).filter(
        ({ op }) => op === 'add',
      )
      expect(added.map(({ path, node, value }) => [path, ids(node ?? value)])).toEqual([
        [format === 'custom' ? '0' : '/children/0', ['ask', 'yes']],
      ])
      expect(ids((await desk.call('observe_window', {})).tree)).toEqual([
        'root',
        ['ask', 'yes'],
        ['pane', 'note'],
        'delete',
      ])
    },
  )
})

const HIDDEN_WINDOW = `
name: hidden
initial_state: a
states:
  a:
    windows:
      - uid: mock:ask
        title: Ask
        bounds: {x: 50, y: 50, width: 200, height: 200}
        tree:
          role: Window
          name: Ask
          id: ask
          hidden: true
          children: [{id: yes, role: Button, name: Yes, bounds: {x: 60, y: 130, width: 80, height: 28}}]
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: App
          id: app
          children: [{id: delete, role: Button, name: Delete, bounds: {x: 60, y: 130, width: 80, height: 28}}]
reactions:
  - on: {tool: click_element, target_id: delete}
    set: [{id: ask, hidden: false}]
  - on: {tool: click_element, target_id: yes}
    set: [{id: ask, hidden: true}]
`

describe('a window whose root is hidden', () => {
  const open = (yaml = HIDDEN_WINDOW) => openDesktop({ scenario: yaml, config: { tree: { sparse_threshold: 0 } } })
  const listed = async (desk: ReturnType<typeof open>, args = {}) => {
    const { windows } = await desk.call('list_windows', args)
    return windows.map(({ window_uid, focused, hidden }) => [window_uid, focused, hidden])
  }

  it('[OB12] is in no list and no picture, and clicks reach what is below it', async () => {
    const desk = open()
    expect(await listed(desk)).toEqual([['mock:app', true, undefined]])
    expect((await desk.tryCall('observe_window', { window_uid: 'mock:ask' })).error).toMatchObject({
      code: 'WindowGone',
      message: expect.stringContaining('mock:ask'),
    })
    const [first, ...others] = HIDDEN_WINDOW.split('      - uid: ')
    const without = open([first, others[1]].join('      - uid: ').split('reactions:')[0])
    const picture = async (of: typeof desk) => (await of.call('get_screenshot', {})).data
    expect(await picture(desk)).toBe(await picture(without))
    await desk.call('click_at', { x: 100, y: 144 })
    expect(await listed(desk)).toEqual([
      ['mock:ask', true, undefined],
      ['mock:app', false, undefined],
    ])
  })

  it('[OB12] returns to front and focus when a reaction shows it, and leaves both when one hides it', async () => {
    const desk = open()
    expect(await desk.call('click_element', { element_id: 'delete' })).toMatchObject({ new_dialogs: [{}] })
    await desk.call('click_element', { element_id: 'yes' })
    expect(await listed(desk)).toEqual([['mock:app', true, undefined]])
  })

  it('[OB13] is shown with hidden: true when windows that are not visible are requested', async () => {
    const desk = open()
    expect(await listed(desk, { visible_only: false })).toEqual([
      ['mock:app', true, undefined],
      ['mock:ask', false, true],
    ])
    const { tree } = await desk.call('get_window_structure', { window_uid: 'mock:ask', visible_only: false })
    expect([ids(tree), (tree as WireElement).hidden]).toEqual([['ask', 'yes'], true])
  })

  it('[OB13] hides its title like those of other windows', async () => {
    const desk = openDesktop({ scenario: HIDDEN_WINDOW, config: { redaction: { window_title_patterns: ['Ask'] } } })
    const { windows } = await desk.call('list_windows', { visible_only: false })
    expect(windows.map(({ title }) => title)).toEqual(['App', '[REDACTED]'])
    const { tree } = await desk.call('get_window_structure', { window_uid: 'mock:ask', visible_only: false })
    expect(JSON.stringify(tree)).not.toMatch(/Ask|Yes/)
  })
})

it('[OB31] marks matches that are hidden, or in something hidden', async () => {
  const desk = openDesktop({ scenario: CLOSED })
  const marks = async (selector: string) => {
    const { hidden, all_matches } = await desk.call('find_element', { selector })
    return [hidden, all_matches.map((match) => match.hidden)]
  }
  expect(await marks('Button')).toEqual([undefined, [undefined, true]])
  expect(await marks('Text "Later"')).toEqual([true, [true]])
})
