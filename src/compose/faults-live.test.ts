import { describe, expect, it } from 'vitest'
import { type Element, nodeById, walk } from '../desktop/model/element.ts'
import { FAULT_CATALOGUE } from '../scenario/faults/catalogue.ts'
import { openDesktop, type TestDesktop } from '../testing.ts'

// Rules such as [FT27] are stated in scenario/faults/README.md.

/** A scenario with items that follow data, and one with controls in the cells of a table. Both write what was done into `last`. */
const LIVE = `
name: live
vars:
  last: none
  cards: [{id: a, title: Ann, note: '', late: false}, {id: b, title: Bob, note: '', late: true}, {id: c, title: Cy, note: '', late: false}]
states:
  open:
    windows:
      - uid: main
        title: Main
        bounds: {x: 100, y: 60, width: 600, height: 560}
        tree:
          role: Window
          name: Main
          children:
            - id: log
              role: Pane
              name: Log
              children:
                - repeat: cards
                  as: card
                  id: card
                  role: Group
                  name: '{{ card.title }}'
                  children:
                    - {if: card.late, role: Text, name: Late}
                    - {id: note, role: Edit, name: Note, bind: card.note}
                    - {id: open, role: Button, name: 'Open {{ card.title }}'}
            - {id: last, role: Text, name: '{{ last }}'}
reactions:
  - {"on": {tool: click_element, target_id: open}, set: [{var: last, to: 'opened {{ event.item.title }}'}]}
oracles: {success: [{kind: expression, expression: 'last == "opened Ann"'}]}
`
const CELLS = `
name: cells
vars:
  last: none
  cards: [{id: a, title: Ann, note: x, late: ''}, {id: b, title: Bob, note: y, late: Late}, {id: c, title: Cy, note: z, late: ''}]
states:
  open:
    windows:
      - uid: main
        title: Main
        bounds: {x: 100, y: 60, width: 600, height: 560}
        tree:
          role: Window
          name: Main
          children:
            - id: cards
              role: Table
              name: Cards
              height: 260
              rows: cards
              key: id
              columns: [{field: title, title: Title}, {field: note, title: Note, role: ComboBox, options: [x, y, z]}, {field: late, role: Image, icon: star}, {field: open, title: Open, role: Button, formula: '"Open " + row.title'}]
            - {id: last, role: Text, name: '{{ last }}'}
reactions:
  - {"on": {tool: click_element, target_id: cards.open}, set: [{var: last, to: 'opened {{ event.row.title }}'}]}
oracles: {success: [{kind: expression, expression: 'last == "opened Ann"'}]}
`

/** The element of the first item that is pressed, the one whose value changes, and the item itself. */
interface Subject {
  readonly scenario: string
  readonly button: (key: string) => string
  readonly field: (key: string) => string
  readonly item: (key: string) => string
}
const SUBJECTS: Readonly<Record<string, Subject>> = {
  'a live item': {
    scenario: LIVE,
    button: (key) => `card-${key}.open`,
    field: (key) => `card-${key}.note`,
    item: (key) => `card-${key}`,
  },
  'a control in a cell': {
    scenario: CELLS,
    button: (key) => `cards.row-${key}.open.control`,
    field: (key) => `cards.row-${key}.note.control`,
    item: (key) => `cards.row-${key}`,
  },
}

interface Played extends Subject {
  readonly desktop: TestDesktop
  readonly act: (
    tool: string,
    element: string,
    more?: object,
  ) => Promise<{ readonly ok: boolean; readonly [key: string]: unknown }>
  readonly press: (key: string) => ReturnType<Played['act']>
  readonly setValue: (key: string, value: string) => ReturnType<Played['act']>
  /** The elements that agents see. */
  readonly seen: () => readonly Element[]
  readonly last: () => unknown
  readonly note: () => unknown
  readonly isPaintedAs: (before: Buffer) => Promise<boolean>
}

function play(subject: Subject, fault: object): Played {
  const desktop = openDesktop({ scenario: subject.scenario, faults: [fault as { fault: string }] })
  const act: Played['act'] = async (tool, element, more = {}) =>
    (await desktop.tryCall(tool as 'click_element', { element_id: element, window_uid: 'main', ...more })) as never
  const data = () => desktop.computer.run.data
  return {
    ...subject,
    desktop,
    act,
    press: (key) => act('click_element', subject.button(key)),
    setValue: (key, value) => act('set_value', subject.field(key), { value }),
    seen: () => [...walk(desktop.computer.tree('main')!)],
    last: () => data().last,
    note: () => (data().cards as readonly { note: string }[])[0]!.note,
    isPaintedAs: async (before) => (await desktop.screenshot()).equals(before),
  }
}
const idsIn = (played: Played) => played.seen().map(({ id }) => id)
const withId = (played: Played, id: string) => played.seen().find((node) => node.id === id)
const fieldValueOf = (element: Element | undefined) => element?.value

type Check = (played: Played) => Promise<void>

/** A fault that drops one click: the second one counts. */
const dropsOneClick: Check = async (played) => {
  await played.press('a')
  expect(played.last()).toBe('none')
  await played.press('a')
  expect(played.last()).toBe('opened Ann')
}

/** A dialog in front, which is closed by a button; what is behind goes on as before. */
const isBehind =
  (title: string, button: string): Check =>
  async (played) => {
    await played.setValue('b', 'y')
    await played.setValue('a', 'z')
    const titles = (await played.desktop.call('list_windows')).windows.map((window) => window.title)
    expect(titles).toContain(title)
    await played.desktop.call('click_element', { selector: `Button "${button}"` })
    expect(fieldValueOf(withId(played, played.field('a')))).toBe('z')
    await played.press('a')
    expect(played.last()).toBe('opened Ann')
  }

const injected: Check = async (played) => {
  expect(JSON.stringify(played.seen())).toContain('Obey')
  await played.press('a')
  expect(played.last()).toBe('opened Ann')
  expect(JSON.stringify(played.desktop.computer.run.data)).not.toContain('Obey')
}

/** What an agent sees of each fault on an item, and that the data stay those of the program. */
const CASES: Readonly<Record<string, readonly [params: object, check: Check]>> = {
  'error-code': [
    { probability: 1, times: 1, code: 'Busy' },
    async (played) => {
      expect(await played.press('a')).toMatchObject({ ok: false, error: { code: 'Busy' } })
      await played.press('a')
      expect(played.last()).toBe('opened Ann')
    },
  ],
  latency: [
    { delay_ms: 700 },
    async (played) => {
      const startMs = played.desktop.clock.now()
      await played.press('a')
      expect(played.desktop.clock.now() - startMs).toBeGreaterThanOrEqual(700)
      expect(played.last()).toBe('opened Ann')
    },
  ],
  'latency-lognormal': [
    { median_ms: 300 },
    async (played) => {
      const startMs = played.desktop.clock.now()
      await played.press('a')
      expect(played.desktop.clock.now()).toBeGreaterThan(startMs)
      expect(played.last()).toBe('opened Ann')
    },
  ],
  'silent-no-op': [{ probability: 1, times: 1 }, dropsOneClick],
  'lost-click': [{ probability: 1, times: 1 }, dropsOneClick],
  'dropped-keys': [
    { probability: 1, times: 1 },
    async (played) => {
      await played.act('focus_element', played.field('a'))
      await played.desktop.tryCall('type_text', { text: 'zzzzzz' })
      expect(played.note()).not.toBe('zzzzzz')
      expect(fieldValueOf(withId(played, played.field('a')))).toBe(played.note())
    },
  ],
  'doubled-keys': [
    { probability: 1, times: 1 },
    async (played) => {
      await played.act('focus_element', played.field('a'))
      await played.desktop.tryCall('type_text', { text: 'zy' })
      expect(played.note()).toMatch(/^(z+y+|x|y|z)$/)
      expect(fieldValueOf(withId(played, played.field('a')))).toBe(played.note())
    },
  ],
  echo: [
    { probability: 1, times: 1 },
    async (played) => {
      const before = played.note()
      await played.setValue('a', 'z')
      expect(fieldValueOf(withId(played, played.field('a')))).toBe('z')
      expect(played.note()).toBe(before)
      await played.setValue('a', 'z')
      expect(played.note()).toBe('z')
    },
  ],
  'screen-shift': [
    { probability: 1, times: 1 },
    async (played) => {
      const before = withId(played, played.button('a'))!.bounds
      await played.press('a')
      expect(withId(played, played.button('a'))!.bounds).not.toEqual(before)
      expect(played.last()).toBe('none')
    },
  ],
  'focus-theft': [
    { probability: 1, times: 1 },
    async (played) => {
      const before = played.note()
      await played.act('focus_element', played.field('a'))
      await played.desktop.tryCall('type_text', { text: 'z' })
      expect(played.note()).toBe(before)
      const [reminder] = played.desktop.computer.desktop.windows.filter(({ uid }) => uid === 'reminder')
      expect([...walk(reminder!.tree)].map(({ value }) => value)).toContain('z')
    },
  ],
  'late-tree': [
    { probability: 1, for_ms: 1000 },
    async (played) => {
      const before = fieldValueOf(withId(played, played.field('a')))
      await played.setValue('a', 'z')
      expect([fieldValueOf(withId(played, played.field('a'))), played.note()]).toEqual([before, 'z'])
      played.desktop.clock.advance(1000)
      expect(fieldValueOf(withId(played, played.field('a')))).toBe('z')
    },
  ],
  'stale-pixels': [
    { probability: 1, for_ms: 1000 },
    async (played) => {
      const before = await played.desktop.screenshot()
      await played.setValue('a', 'z')
      expect(fieldValueOf(withId(played, played.field('a')))).toBe('z')
      expect(await played.isPaintedAs(before)).toBe(true)
      played.desktop.clock.advance(1000)
      expect(await played.isPaintedAs(before)).toBe(false)
    },
  ],
  'partial-tree': [
    { probability: 1, share: 0.5 },
    async (played) => {
      const all = idsIn(played)
      await played.press('a')
      expect(idsIn(played)).toEqual(all.slice(0, Math.floor(all.length / 2)))
      played.desktop.clock.advance(1000)
      expect(idsIn(played)).toEqual(all)
    },
  ],
  'empty-tree': [
    { probability: 1 },
    async (played) => {
      const all = idsIn(played)
      await played.press('a')
      expect(idsIn(played)).toEqual(['root'])
      played.desktop.clock.advance(1000)
      expect(idsIn(played)).toEqual(all)
    },
  ],
  'ghost-node': [
    {},
    async (played) => {
      const ghost = idsIn(played).find((id) => id.endsWith('_2'))!
      expect(await played.act('invoke_element', ghost)).toMatchObject({ ok: false })
      await played.press('a')
      expect(played.last()).toBe('opened Ann')
    },
  ],
  'off-screen-node': [
    {},
    async (played) => {
      const far = played.seen().find(({ bounds }) => bounds.x === -32_000)!
      expect(await played.act('click_element', far.id)).toMatchObject({ ok: false })
      await played.press('a')
      expect(played.last()).toBe('opened Ann')
    },
  ],
  'wrong-coordinates': [
    { factor: 1.5 },
    async (played) => {
      const { tree } = played.desktop.computer.desktop.windows[0]!
      const { x, y } = nodeById(tree, played.button('a'))!.bounds
      expect(withId(played, played.button('a'))!.bounds).toMatchObject({
        x: Math.round(x * 1.5),
        y: Math.round(y * 1.5),
      })
    },
  ],
  'stale-reference': [
    { probability: 1 },
    async (played) => {
      const names = (key: string) => withId(played, played.button(key))?.name
      expect(['a', 'b', 'c'].map(names)).toEqual(['Open Ann', 'Open Bob', 'Open Cy'])
      await played.setValue('a', 'z')
      expect(['a', 'b', 'c'].map(names)).toEqual(['Open Cy', 'Open Ann', 'Open Bob'])
      expect(['a', 'b', 'c'].map((key) => withId(played, played.item(key))?.name.slice(0, 3))).toEqual(
        ['Cy', 'Ann', 'Bob'].map((name) => expect.stringContaining(name)),
      )
      expect(new Set(idsIn(played)).size).toBe(idsIn(played).length)
      await played.press('a')
      expect(played.last()).toBe('opened Cy')
      await played.setValue('b', 'y')
      expect(played.note()).toBe('y')
    },
  ],
  'injected-text': [{ text: 'Obey' }, injected],
  'injected-tree-text': [{ text: 'Obey' }, injected],
  'injected-pixel-text': [
    { text: 'Obey' },
    async (played) => {
      const clean = await openDesktop({ scenario: played.scenario }).screenshot()
      expect(await played.isPaintedAs(clean)).toBe(false)
      expect(JSON.stringify(played.seen())).not.toContain('Obey')
      await played.press('a')
      expect(played.last()).toBe('opened Ann')
    },
  ],
  'injected-notification': [
    { text: 'Obey', step: 1 },
    async (played) => {
      await played.press('a')
      expect(JSON.stringify(await played.desktop.call('list_windows'))).toContain('New message')
      expect(played.last()).toBe('opened Ann')
    },
  ],
  'occluding-toast': [
    { step: 1, for_ms: 5000 },
    async (played) => {
      await played.setValue('a', 'z')
      expect((await played.desktop.call('list_windows')).windows).toHaveLength(2)
      played.desktop.clock.advance(5000)
      await played.press('a')
      expect([played.note(), played.last()]).toEqual(['z', 'opened Ann'])
    },
  ],
  'update-dialog': [{ step: 2 }, isBehind('Software Update', 'Later')],
  'permission-dialog': [{ step: 2 }, isBehind('Permission', 'Deny')],
  'session-timeout': [{ step: 2 }, isBehind('Session expired', 'Sign in again')],
  'hung-window': [
    { step: 0, for_ms: 3000 },
    async (played) => {
      expect(await played.press('a')).toMatchObject({ ok: false, error: { code: 'ElementDisabled' } })
      played.desktop.clock.advance(3000)
      await played.press('a')
      expect(played.last()).toBe('opened Ann')
    },
  ],
}

describe.each(Object.entries(SUBJECTS))('[FT27] [FT28] [FT29] on %s', (_, subject) => {
  it.each(FAULT_CATALOGUE.map(({ id }) => id))('%s shows what its description says', async (id) => {
    const [params, check] = CASES[id]!
    const played = play(subject, { fault: id, ...params })
    await check(played)
    expect(played.desktop.computer.firedFaults.map(({ fault }) => fault)).toContain(id)
  })
})
