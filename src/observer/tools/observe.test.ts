import jsonpatch from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { place, realDesktop, testElement } from '../../../test/support/observer/real-desktop.ts'
import { seededIds } from '../../base/ids.ts'
import { seededRandom } from '../../base/random.ts'
import { window } from '../../desktop/model/builders.ts'
import { openDesktop } from '../../testing.ts'
import { TreeCache } from '../tree-cache.ts'

// Rules such as [OB56] are stated in src/observer/SPEC.md.

const LIST = `
states:
  a:
    windows:
      - uid: mock:list
        title: List
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: List
          children:
            - {id: text, role: Edit, name: Text, value: "", bounds: {x: 10, y: 40, width: 100, height: 28}}
            - {id: on, role: CheckBox, name: "On", selected: false, bounds: {x: 10, y: 80, width: 100, height: 28}}
            - {id: more, role: Button, name: More, bounds: {x: 10, y: 120, width: 100, height: 28}}
      - uid: mock:other
        title: Other
        bounds: {x: 500, y: 0, width: 200, height: 200}
        tree: {role: Window, name: Other, children: [{id: text, role: Text, name: Other}]}
reactions:
  - on: {tool: click_element, target_id: more}
    set:
      - {id: root, append: [{id: new, role: Text, name: New}]}
      - {id: text, remove: true}
timers:
  - {in: a, after_ms: 300, set: [{id: more, name: Later}]}
`

describe('observing', () => {
  it('[OB55] returns the whole tree first', async () => {
    const answer = await openDesktop({ scenario: LIST }).call('observe_window')
    expect(answer).toMatchObject({
      window: 'List',
      window_uid: 'mock:list',
      format: 'full',
      base_token: null,
      depth_used: 64,
      depth_truncated: false,
      tree_token: expect.stringMatching(/^tt:[0-9a-f]{16}$/),
    })
  })

  it('[OB56] returns the changes since a token, as steps that produce the new tree', async () => {
    const desk = openDesktop({ scenario: LIST })
    const { tree, tree_token: since } = await desk.call('observe_window')
    await desk.call('click_element', { element_id: 'on' })
    await desk.call('click_element', { element_id: 'more' })
    const custom = await desk.call('observe_window', { since })
    expect(custom).toMatchObject({ format: 'custom', base_token: since, unchanged: false })
    expect(custom.changes).toEqual([
      { op: 'remove', path: '0' },
      { op: 'add', path: '2', node: expect.objectContaining({ id: 'new', name: 'New' }) },
      { op: 'replace', path: '0', fields: { selected: true } },
      { op: 'replace', path: '1', fields: { focused: true } },
    ])
    const patch = await desk.call('observe_window', { since, format: 'json-patch' })
    const { tree: now } = await desk.call('observe_window')
    const patched = jsonpatch.applyPatch(structuredClone(tree), patch.changes as jsonpatch.Operation[]).newDocument
    expect(patched).toEqual(now)
  })

  it('[OB56] returns changes below the shown depth', async () => {
    const desk = openDesktop({ scenario: LIST })
    const cut = await desk.call('observe_window', { depth: 0 })
    expect(cut).toMatchObject({ depth_truncated: true, tree: { children: [] } })
    await desk.call('click_element', { element_id: 'on' })
    const { changes } = await desk.call('observe_window', { since: cut.tree_token, depth: 0 })
    expect(changes).toMatchObject([{ op: 'replace', path: '1', fields: { selected: true } }])
  })

  it('[OB56] reports that nothing changed', async () => {
    const desk = openDesktop({ scenario: LIST })
    const { tree_token: since } = await desk.call('observe_window')
    expect(await desk.call('observe_window', { since })).toMatchObject({ changes: [], unchanged: true })
  })

  it('[OB57] [OB134] returns the whole tree for a token that is unknown, expired or of another window', async () => {
    const desk = openDesktop({ scenario: LIST })
    const { tree_token: since } = await desk.call('observe_window')
    const { tree_token: other } = await desk.call('observe_window', { window_uid: 'mock:other' })
    const format = async (token: unknown) => (await desk.call('observe_window' as string, { since: token })).format
    expect(await format(other)).toBe('full')
    expect(await format('tt:0000000000000000')).toBe('full')
    expect(await format('')).toBe('full')
    expect(await format(since)).toBe('custom')
    desk.operatorClock.advance(300_001)
    expect(await format(since)).toBe('full')
  })

  it('[OB57] keeps the last sixteen tokens of a window', async () => {
    const desk = openDesktop({ scenario: LIST })
    const tokens: unknown[] = []
    for (let count = 0; count < 17; count++) tokens.push((await desk.call('observe_window')).tree_token)
    expect((await desk.call('observe_window' as string, { since: tokens[2] })).format).toBe('custom')
    expect((await desk.call('observe_window' as string, { since: tokens[0] })).format).toBe('full')
  })

  it('[OB57] drops the tokens of windows that were shown least recently', () => {
    const trees = new TreeCache(seededIds(seededRandom(1)))
    const show = (uid: string) => trees.remember(uid, window('W').tree, 0)
    const [first, second] = [show('first'), show('second')]
    for (let count = 0; count < 62; count++) show(`other ${count}`)
    const again = show('first')
    show('one more')
    expect(trees.windows).toBe(64)
    expect([first, again, second].map((token) => trees.find(token, 0)?.windowUid)).toEqual([
      'first',
      'first',
      undefined,
    ])
    expect(trees.knownTree('second')).toBeUndefined()
  })

  it('[OB58] compares with the last observation', async () => {
    const desk = openDesktop({ scenario: LIST })
    expect((await desk.call('observe_window', { changed_only: true })).format).toBe('full')
    const still = await desk.call('observe_window', { changed_only: true })
    expect(still).toMatchObject({ changed_only: true, unchanged: true })
    expect(still).not.toHaveProperty('changes')
    await desk.call('click_element', { element_id: 'on' })
    const changed = await desk.call('observe_window', { changed_only: true })
    expect(changed).toMatchObject({ format: 'custom', unchanged: false })
    expect(changed.changes).toHaveLength(1)
  })

  it.each(['get_screen_description', 'get_ocr', 'get_visible_areas'])('[OB59] continues from %s', async (tool) => {
    const desk = openDesktop({ scenario: LIST })
    const { tree_token: since } = await desk.call(tool)
    await desk.call('click_element', { element_id: 'on' })
    expect(await desk.call('observe_window' as string, { since })).toMatchObject({ format: 'custom', unchanged: false })
  })
})

describe('a composite', () => {
  it('[OB77] acts, waits, and returns the observation', async () => {
    const desk = openDesktop({ scenario: LIST })
    const { tree_token: since } = await desk.call('observe_window')
    const answer = await desk.call('click_element_and_observe', { element_id: 'on', wait_after_ms: 300, since })
    expect(answer).toMatchObject({ action: 'click_element', step_id: 2, changed: true })
    expect(answer.observation).toMatchObject({
      ok: true,
      step_id: 3,
      caused_by_step_id: 2,
      changes: [
        { op: 'replace', path: '1', fields: { selected: true, focused: true } },
        { op: 'replace', path: '2', fields: { name: 'Later' } },
      ],
    })
  })

  it('[OB77] returns the requested window', async () => {
    const desk = openDesktop({ scenario: LIST })
    await desk.call('focus_element', { element_id: 'text' })
    const typed = await desk.call('type_and_observe', { text: 'x', window_uid: 'mock:other' })
    expect(typed.observation).toMatchObject({ window_uid: 'mock:other' })
    const pressed = await desk.call('press_key_and_observe', { keys: 'a' })
    expect(pressed.observation).toMatchObject({ window_uid: 'mock:list' })
    expect((await desk.tryCall('type_and_observe', { text: 'y', window_uid: 'nope' })).error?.code).toBe('WindowGone')
    expect(await desk.call('find_element', { selector: 'Edit[value="xa"]' })).toMatchObject({ element_id: 'text' })
  })

  it('[OB77] has no observation when the action is refused', async () => {
    const answer = await openDesktop({ scenario: LIST }).tryCall('click_element_and_observe', { element_id: 'nope' })
    expect(answer.ok).toBe(false)
    expect(answer).not.toHaveProperty('observation')
  })
})

it('[OB44] says that a program has more elements than were read', async () => {
  const list = testElement({ id: 'list', role: 'List', bounds: place, traits: { childCount: 900 } })
  const { ask } = realDesktop({ tree: () => testElement({ children: [list] }) })
  for (const tool of ['observe_window', 'get_window_structure'])
    expect((await ask(tool, { window_uid: 'form' })).body).toMatchObject({ incomplete: true })
  const whole = realDesktop({ tree: () => testElement({}) })
  expect((await whole.ask('observe_window', { window_uid: 'form' })).body).not.toHaveProperty('incomplete')
})
