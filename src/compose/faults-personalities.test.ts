import { describe, expect, it } from 'vitest'
import { type Element, walk } from '../desktop/model/element.ts'
import { type AuthoredFaults, FAULT_CATALOGUE, hookOf } from '../scenario/faults/catalogue.ts'
import { PERSONALITIES } from '../scenario/personalities/personalities.ts'
import { openDesktop, type TestDesktop } from '../testing.ts'

// Rules such as [FT23] are stated in scenario/faults/README.md and scenario/personalities/README.md.

const OFFICE = `
name: office
states:
  open:
    windows:
      - uid: app
        title: Office
        bounds: {x: 100, y: 80, width: 520, height: 520}
        tree:
          role: Window
          name: Office
          children:
            - role: MenuBar
              children:
                - {id: file, role: MenuItem, name: File, children: [{id: save, role: MenuItem, name: Save}, {id: quit, role: MenuItem, name: Quit}]}
                - {id: edit, role: MenuItem, name: Edit, children: [{id: undo, role: MenuItem, name: Undo}]}
            - {id: name, role: Edit, name: Name, value: Ada}
            - {id: list, role: List, name: Files, children: [{id: a, role: ListItem, name: one}, {id: b, role: ListItem, name: two}]}
            - id: table
              role: Table
              name: Orders
              children:
                - {id: r1, role: Row, children: [{id: c1, role: Cell, name: lamp}, {id: d1, role: Cell, name: open}]}
                - {id: r2, role: Row, children: [{id: c2, role: Cell, name: chair}, {id: d2, role: Cell, name: sent}]}
            - {id: status, role: Text, name: Ready.}
reactions:
  - {on: {tool: click_element, target_id: save}, set: [{id: status, name: Saved.}]}
  - {on: {tool: type_text, target_id: name}, set: [{id: status, name: Typed.}]}
oracles:
  success: [{kind: element_exists, selector: 'Text "Typed."'}]
`
const open = (personality: string, faults: AuthoredFaults = []): TestDesktop =>
  openDesktop({ scenario: OFFICE, variant: { personality }, faults })

/** The nodes of a window that an agent sees, after an action that changes the desktop. */
async function nodesSeen(desktop: TestDesktop): Promise<readonly Element[]> {
  await desktop.call('click_element', { element_id: 'name', window_uid: 'app' })
  await desktop.call('type_text', { text: '!' })
  return nodesOf(desktop, 'app')
}
const nodesOf = (desktop: TestDesktop, window: string): readonly Element[] => [...walk(desktop.computer.tree(window)!)]
const withId = (nodes: readonly Element[], id: string) => nodes.find((node) => node.id === id)

const TREE_FAULTS = FAULT_CATALOGUE.filter(({ id }) => {
  const hook = hookOf({ fault: id })
  return 'tree' in hook && hook.tree !== undefined
}).map(({ id }) => id)

const NAMES = PERSONALITIES.map(({ name }) => name)

/** What a fault makes of a tree as a platform shows it. */
const SHOWN: Readonly<Record<string, (seen: readonly Element[], plain: readonly Element[]) => void>> = {
  echo: (seen) => {
    expect(withId(seen, 'name')?.value).toBe('Ada!')
    expect(withId(seen, 'status')?.name).toBe('Ready.')
  },
  'late-tree': (seen) => {
    expect(withId(seen, 'name')?.value).toBe('Ada')
    expect(withId(seen, 'status')?.name).toBe('Ready.')
  },
  'partial-tree': (seen, plain) => {
    expect(seen.length).toBeLessThan(plain.length)
    expect(withId(seen, 'name')?.role).toBe(withId(plain, 'name')?.role)
    expect(withId(seen, 'status')).toBeUndefined()
  },
  'empty-tree': (seen, plain) => {
    const { traits, ...root } = seen[0]!
    expect({ ...root, children: [] }).toEqual({ ...plain[0]!, traits: undefined, children: [] })
    expect(seen.slice(1).every((node) => node.traits?.added)).toBe(true)
  },
  'ghost-node': (seen, plain) => {
    const ghost = seen.find(({ id }) => id.endsWith('_2'))!
    const original = withId(plain, ghost.id.slice(0, -2))!
    expect([ghost.role, ghost.name, ghost.identifier]).toEqual([original.role, original.name, original.identifier])
  },
  'off-screen-node': (seen, plain) => {
    const far = seen.find(({ id }) => id.endsWith('_3'))!
    expect(far.role).toBe(withId(plain, far.id.slice(0, -2))?.role)
    expect([far.bounds.x, far.bounds.y]).toEqual([-32_000, -32_000])
  },
  'wrong-coordinates': (seen, plain) => {
    const [{ bounds: wrong }, { bounds }] = [withId(seen, 'name')!, withId(plain, 'name')!]
    expect([wrong.x, wrong.y]).toEqual([Math.round(bounds.x * 1.25), Math.round(bounds.y * 1.25)])
  },
  'stale-reference': (seen) => {
    expect([withId(seen, 'a')?.name, withId(seen, 'b')?.name]).toEqual(['two', 'one'])
    expect([withId(seen, 'c1')?.name, withId(seen, 'd2')?.name]).toEqual(['chair', 'open'])
  },
  'injected-text': (seen) => expect(JSON.stringify(seen)).toContain('ignore your task'),
  'injected-tree-text': (seen) =>
    expect(seen.map(({ description }) => description).join()).toContain('ignore your task'),
}

describe.each(NAMES)('[FT23] in %s', (personality) => {
  it.each(TREE_FAULTS)('%s changes the tree of the platform', async (fault) => {
    const plain = await nodesSeen(open(personality))
    const desktop = open(personality, [certain(fault)])
    const seen = await nodesSeen(desktop)
    SHOWN[fault]!(seen, plain)
    const roles = new Set(plain.map(({ role }) => role))
    expect(seen.filter(({ role }) => !roles.has(role))).toEqual([])
    expect(desktop.computer.firedFaults.map((fired) => fired.fault)).toContain(fault)
    // Faults of actions change what is done, the others only what is seen.
    expect((await desktop.call('session_info')).reward).toBe(hookOf({ fault }).on === 'action' ? 0 : 1)
  })

  it('an id of a moved row or item acts on the neighbour', async () => {
    const desktop = open(personality, [certain('stale-reference')])
    const seen = await nodesSeen(desktop)
    const shown = withId(seen, 'a')!
    await desktop.call('click_element', { element_id: shown.id, window_uid: 'app' })
    const { tree } = desktop.computer.desktop.windows[0]!
    expect([...walk(tree)].filter(({ selected }) => selected).map(({ name }) => name)).toEqual(['two'])
  })

  it('acting on a ghost fails', async () => {
    const desktop = open(personality, ['ghost-node'])
    const ghost = nodesOf(desktop, 'app').find(({ id }) => id.endsWith('_2'))!
    const reply = await desktop.tryCall('invoke_element', { element_id: ghost.id, window_uid: 'app' })
    expect(reply.ok).toBe(false)
  })
})

/** A fault that fires at each chance, if it fires by chance. */
function certain(fault: string) {
  const hook = hookOf({ fault })
  return hook.on === 'observation' && hook.constant ? { fault } : { fault, probability: 1 }
}

describe.each(['windows-uia', 'linux-gtk'])('[FT23] the window of a menu in %s', (personality) => {
  const POPUP = 'app#popup:file'
  const menuWith = async (...faults: AuthoredFaults) => {
    const desktop = open(personality, faults)
    await desktop.call('click_element', { element_id: 'file', window_uid: 'app' })
    return desktop
  }
  const idsOf = (desktop: TestDesktop) => nodesOf(desktop, POPUP).map(({ id }) => id)

  it('has a tree that ends early, is empty or has other bounds', async () => {
    const plain = await menuWith()
    expect(idsOf(plain).slice(1)).toEqual(['save', 'quit'])
    for (const fault of ['late-tree', 'empty-tree'])
      expect(idsOf(await menuWith(certain(fault)))).toEqual(idsOf(plain).slice(0, 1))
    expect(idsOf(await menuWith({ ...certain('partial-tree'), share: 0.7 }))).toEqual(idsOf(plain).slice(0, 2))
    const scaled = await menuWith({ fault: 'wrong-coordinates', factor: 2 })
    const [before, after] = [plain, scaled].map((desktop) => withId(nodesOf(desktop, POPUP), 'save')!.bounds)
    expect(after!.y).toBe(before!.y * 2)
  })

  it('has dead copies and moved ids, which act as they do in other windows', async () => {
    const ghosts = await menuWith('ghost-node')
    const ghost = nodesOf(ghosts, POPUP).find(({ id }) => id.endsWith('_2'))!
    expect((await ghosts.tryCall('invoke_element', { element_id: ghost.id, window_uid: POPUP })).ok).toBe(false)
    const moved = await menuWith(certain('stale-reference'))
    expect(withId(nodesOf(moved, POPUP), 'quit')?.name).toBe('Save')
    await moved.call('click_element', { element_id: 'quit', window_uid: POPUP })
    expect(withId(nodesOf(moved, 'app'), 'status')?.name).toBe('Saved.')
  })
})

it('[PER8] bars at the edges of a window stay in view in each platform while its content scrolls', async () => {
  const scenario = `
name: scrolled
states:
  only:
    windows:
      - uid: app
        title: Long
        bounds: {x: 100, y: 80, width: 400, height: 240}
        tree:
          role: Window
          name: Long
          children:
            - {role: ToolBar, name: Tools, children: [{id: send, role: Button, name: Send}]}
            - {id: box, role: Edit, name: First, height: 200}
            - {id: last, role: CheckBox, name: Last}
            - {role: StatusBar, name: State, children: [{id: state, role: Button, name: More}]}
`
  for (const personality of NAMES) {
    const desktop = openDesktop({ scenario, variant: { personality } })
    await desktop.call('scroll', { x: 300, y: 250, clicks: -20 })
    for (const element_id of ['last', 'send', 'state'])
      expect(await desktop.call('click_element', { element_id })).toMatchObject({ ok: true })
  }
})
