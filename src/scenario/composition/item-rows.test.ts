import { describe, expect, it } from 'vitest'
import { screen } from '../../../test/support/scenario/live-edits.ts'
import { act, begin, click, element, key, setValue, target, type } from '../../../test/support/scenario/player.ts'
import { type Element, nodeById, walk } from '../../desktop/model/element.ts'
import { offsetOf } from '../../desktop/widgets/scrolling.ts'
import { checkScenario, parseScenario } from '../load/load.ts'
import { startScenario } from '../run/step.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'

// Rules such as [CMP12] are stated in README.md.

const MAILS = screen(
  `{id: list, role: List, name: Inbox, height: 200, bind: chosen, children: [
    {repeat: {of: 'mails.filter(m, m.folder == folder)', item_height: 50}, as: mail, id: mail, role: ListItem, name: '{{ mail.subject }}', unread: '{{ !mail.read }}'}]},
  {id: cards, role: ScrollArea, name: Cards, height: 300, layout: {gap: 10, padding: 4}, children: [
    {repeat: {of: mails, sort_by: rank, item_height: 100}, as: card, id: card, role: Group, name: '{{ card.subject }}', layout: {arrange: row}, children: [
      {id: subject, role: Edit, name: Subject, bind: card.subject}, {id: rank, role: Edit, name: Rank, bind: card.rank}, {id: memo, role: Edit, name: Memo}, {id: drop, role: Button, name: Drop}]}]},
  {id: add, role: Button, name: Add}, {id: turn, role: Button, name: Turn}, {id: other, role: Button, name: Other}`,
  {
    vars: `{chosen: 0, folder: inbox, mails: [{repeat: 1000, as: n, id: '{{ n + 1 }}', folder: inbox, subject: 'Mail {{ n + 1 }}', rank: '{{ n + 1 }}', read: false}]}`,
    reactions: `[{on: {tool: click_element, target_id: mail}, set: [{var: event.item.read, to: true}]},
      {on: {tool: click_element, target_id: drop}, set: [{var: event.item, remove: true}]},
      {on: {tool: click_element, target_id: add}, set: [{var: mails, append: {id: '{{ next_id(mails) }}', folder: inbox, subject: First, rank: 0, read: false}}, {var: mails, where: row.rank == 0, move: start}]},
      {on: {tool: click_element, target_id: other}, set: [{var: folder, to: none}]},
      {on: {tool: click_element, target_id: turn}, set: [{var: mails, sort_by: id, descending: true}]}]`,
  },
)

const treeOf = (run: ScenarioRun): Element => run.desktop.windows[0]!.tree
const idsIn = (run: ScenarioRun, list: string) => element(run, list).children.map(({ id }) => id)
const scrolled = (run: ScenarioRun, list: string, clicks: number) =>
  act(run, { type: 'scroll', clicks, target: target(run, list) }).run
const revealed = (run: ScenarioRun, id: string) =>
  act(run, { type: 'scroll', clicks: 0, target: { window: 'app', element: id }, reveals: true }).run
const numbers = (from: number, to: number, prefix: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}-${from + index}`)

describe('a list with item_height', () => {
  const run = begin(MAILS)

  it('[CMP12] has only the items in view in the tree, each at its place', () => {
    expect([idsIn(run, 'list'), idsIn(run, 'cards')]).toEqual([numbers(1, 4, 'mail'), numbers(1, 3, 'card')])
    const { x, y, width } = element(run, 'cards').bounds
    expect(element(run, 'cards').children.map(({ bounds }) => bounds)).toEqual(
      [0, 1, 2].map((at) => ({ x: x + 4, y: y + 100 * at + 10, width: width - 8, height: 90 })),
    )
    const later = scrolled(run, 'cards', -10)
    expect([offsetOf(element(later, 'cards')).y, idsIn(later, 'cards')]).toEqual([600, numbers(7, 9, 'card')])
    expect(element(later, 'card-7.subject').value).toBe('Mail 7')
  })

  it('[CMP12] fills a window that gets larger, and lays out its items again', () => {
    const large = act(run, { type: 'window', window: 'app', to: 'maximize' }).run
    const fresh = begin(MAILS.replace('uid: app', 'uid: app, state: maximized'))
    const bounds = (each: ScenarioRun) => [...walk(treeOf(each))].map((node) => [node.id, node.bounds])
    expect(bounds(large)).toEqual(bounds(fresh))
    expect(element(large, 'card-1').bounds.width).toBeGreaterThan(element(run, 'card-1').bounds.width)
  })

  it('[CMP12] shows a hundred thousand items, and records what is left out', () => {
    const many = begin(
      screen(
        `{id: all, role: ScrollArea, name: All, height: 100, children: [{repeat: {of: many, item_height: 20}, as: n, id: n, role: Text, name: '{{ n }}'}]}`,
        { vars: '{many: 100001}' },
      ),
    )
    expect(entriesOf(many.log).map(({ fields }) => fields?.reason)).toEqual([
      'repeat: many has 100001 items; 100000 are shown',
    ])
    expect(idsIn(revealed(many, 'n-99999'), 'all')).toEqual(numbers(99_995, 99_999, 'n'))
  })

  it('[CMP13] scrolls to an item or a part of it that is not in the tree', () => {
    expect(idsIn(revealed(run, 'mail-500'), 'list')).toEqual(numbers(497, 500, 'mail'))
    const part = revealed(run, 'card-900.drop')
    expect(idsIn(part, 'cards')).toEqual(numbers(898, 900, 'card'))
    expect(idsIn(click(part, 'card-900.drop'), 'cards')).toEqual(['card-898', 'card-899', 'card-901'])
    expect(() => revealed(run, 'card-1001')).toThrow('no list or table has the row "card-1001"')
  })

  it('[CMP14] keeps an item with the focus, or with text that the data do not have', () => {
    const focused = scrolled(click(run, 'card-1.subject'), 'cards', -10)
    expect(idsIn(focused, 'cards')).toEqual(['card-1', ...numbers(7, 9, 'card')])
    const typed = type(focused, '!')
    expect((typed.data.mails as readonly { subject: string }[])[0]!.subject).toBe('Mail 1!')
    // The focus went elsewhere, and the text is in the data.
    expect(idsIn(click(typed, 'card-8.subject'), 'cards')).toEqual(numbers(7, 9, 'card'))
    const memo = scrolled(click(type(click(run, 'card-2.memo'), 'new'), 'card-1.drop'), 'cards', -10)
    expect(idsIn(memo, 'cards')).toEqual(['card-2', ...numbers(8, 10, 'card')])
    expect(element(scrolled(memo, 'cards', 10), 'card-2.memo').value).toBe('new')
    const wrong = scrolled(click(setValue(run, 'card-3.rank', 'many'), 'turn'), 'cards', -10)
    expect(idsIn(wrong, 'cards')).toEqual(['card-3', ...numbers(7, 9, 'card')])
  })

  it('[CMP15] moves through all of them with keys, letters and names, and binds the key of one', () => {
    const first = click(run, 'mail-1')
    expect([first.data.chosen, element(first, 'mail-1').selected]).toEqual([1, true])
    const down = ['Down', 'Down', 'Down', 'Down'].reduce(key, first)
    expect([down.data.chosen, idsIn(down, 'list'), element(down, 'mail-5').selected]).toEqual([
      5,
      numbers(2, 5, 'mail'),
      true,
    ])
    // Each of these was a click on its item, which the file reacts to.
    const read = (each: ScenarioRun) =>
      (each.data.mails as readonly { id: number; read: boolean }[]).flatMap((mail) => (mail.read ? [mail.id] : []))
    expect(read(down)).toEqual([1, 2, 3, 4, 5])
    const end = key(down, 'End')
    expect([end.data.chosen, idsIn(end, 'list'), read(end)]).toEqual([
      1000,
      numbers(997, 1000, 'mail'),
      [1, 2, 3, 4, 5, 1000],
    ])
    const named = act(run, {
      type: 'select',
      target: target(run, 'list'),
      at: { x: 0, y: 0 },
      option: { name: 'Mail 321' },
    }).run
    expect([named.data.chosen, element(named, 'mail-321').selected]).toEqual([321, true])
    // A selected item that goes takes the selection with it.
    expect(element(click(named, 'other'), 'list').traits?.rows?.selected).toEqual([])
  })

  it('[CMP16] keeps the first item in view where it is, but for sorting', () => {
    const away = scrolled(run, 'cards', -1)
    const top = element(away, 'card-2').bounds.y
    const more = click(away, 'add')
    expect([offsetOf(element(more, 'cards')).y, element(more, 'card-2').bounds.y]).toEqual([160, top])
    const list = scrolled(run, 'list', -5)
    const turned = click(list, 'turn')
    expect(offsetOf(element(turned, 'list')).y).toBe(300)
    expect(idsIn(turned, 'list')).toEqual(['mail-994', 'mail-993', 'mail-992', 'mail-991'])
  })

  it('[CMP16] stays at its end with follow', () => {
    const yaml = MAILS.replace('height: 300,', 'height: 300, scroll: {follow: end},').replace('rank: 0', 'rank: 2000')
    const there = begin(yaml)
    expect(idsIn(there, 'cards')).toEqual(numbers(998, 1000, 'card'))
    expect(idsIn(click(there, 'add'), 'cards')).toEqual(numbers(999, 1001, 'card'))
    expect(idsIn(click(scrolled(there, 'cards', 5), 'add'), 'cards')).toEqual(numbers(995, 997, 'card'))
  })

  it('[CMP17] has higher items in a variant with larger texts', () => {
    const large = startScenario(parseScenario(MAILS, { variant: { text_size: '1.6' } }), { atMs: 0 })
    const [one, two] = element(large, 'cards').children
    expect(large.scenario.projection!.ratio * (two!.bounds.y - one!.bounds.y)).toBe(160)
  })

  it('[CMP12] gives the second of two items with a key another id', () => {
    const twice = begin(MAILS.replace("id: '{{ next_id(mails) }}'", "id: '{{ 3 }}'"))
    const added = click(twice, 'add')
    expect(idsIn(added, 'cards')).toEqual(['card-3', 'card-1', 'card-2'])
    expect(idsIn(scrolled(added, 'cards', -2), 'cards')).toEqual(['card-1', 'card-2', 'card-3~2', 'card-4'])
    expect(idsIn(revealed(added, 'card-3~2'), 'cards')).toEqual(['card-1', 'card-2', 'card-3~2'])
  })
})

it('[CMP12] makes the items of lists in items, and keeps the scroll offset in states that are entered', () => {
  const yaml = `
vars: {columns: [{id: a}, {id: b}], cards: [{repeat: 90, as: n, id: '{{ n }}', column: '{{ n % 2 == 0 ? "a" : "b" }}'}]}
initial_state: open
states:
  open: {windows: [{uid: app, bounds: {x: 0, y: 0, width: 600, height: 400}, tree: {role: Window, name: App, children: [
    {id: go, role: Button, name: Go}, {id: status, role: Text, name: Open},
    {role: Pane, name: Board, layout: {arrange: row}, grow: 1, children: [{repeat: columns, as: column, id: column, role: Pane, name: '{{ column.id }}', grow: 1, children: [
      {id: list, role: List, name: Cards, height: 120, children: [{repeat: {of: 'cards.filter(c, c.column == column.id)', item_height: 40}, as: card, id: card, role: ListItem, name: '{{ card.id }}'}]}]}]}]}}]}
  shut: {extends: open, set: [{id: status, name: Shut}]}
reactions:
  - {on: {tool: click_element, target_id: go}, in: open, transition_to: shut}
  - {on: {tool: click_element, target_id: go}, in: shut, transition_to: open}
`
  const run = begin(yaml)
  expect(idsIn(run, 'column-b.list')).toEqual(['card-1', 'card-3', 'card-5'])
  const away = click(scrolled(run, 'column-b.list', -2), 'card-7')
  expect(idsIn(away, 'column-b.list')).toEqual(['card-7', 'card-9', 'card-11'])
  for (const state of [click(away, 'go'), click(click(away, 'go'), 'go')]) {
    expect(idsIn(state, 'column-b.list')).toEqual(['card-7', 'card-9', 'card-11'])
    expect([...walk(treeOf(state))].filter(({ selected }) => selected).map(({ id }) => id)).toEqual(['card-7'])
  }
  expect(nodeById(treeOf(revealed(run, 'card-88')), 'card-88')?.name).toBe('88')
})

describe('[CMP18] item_height is a problem', () => {
  const list = (more: string, item: string, repeat = 'of: many, item_height: 20') =>
    screen(`{role: List, name: All, ${more}children: [{repeat: {${repeat}}, as: n, role: ListItem, name: x${item}}]}`, {
      vars: '{many: 3, page: 0}',
    })

  it.each([
    [
      'in what does not scroll',
      list('', '').replace('role: List', 'role: Pane'),
      'the parent scrolls, so it is a List or ScrollArea; Pane shows all items',
    ],
    [
      'in a grid',
      list('layout: {arrange: grid, columns: 2}, ', ''),
      'items are below each other; leave out arrange: grid of the parent',
    ],
    [
      'beside other children',
      list('', '}, {role: ListItem, name: y'),
      'the repeat is the only child of its parent; put other children beside that parent',
    ],
    [
      'of groups in a list',
      list('', '').replace('role: ListItem', 'role: Group'),
      'the items of a List are ListItem; write a ScrollArea around items of the role Group',
    ],
    [
      'with pages',
      list('', '', 'of: many, page: page, page_size: 2, item_height: 20'),
      'the list scrolls through all items; leave out page and page_size',
    ],
    [
      'with a condition',
      list('', ', if: n > 1'),
      'each item has its place; leave items out with of: LIST.filter(item, CONDITION)',
    ],
    ['with another height', list('', ', height: 30'), 'it decides the place of items; leave out height'],
  ])('%s', (_, yaml, message) => {
    expect(() => checkScenario(yaml)).toThrow(`: with item_height, ${message}\n`)
  })
})
