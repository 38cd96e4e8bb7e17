import { describe, expect, it } from 'vitest'
import { screen } from '../../../test/support/scenario/live-edits.ts'
import {
  act,
  at,
  begin,
  click,
  element,
  key,
  setValue,
  target,
  type,
  until,
} from '../../../test/support/scenario/player.ts'
import { type Element, nodeById, walk } from '../../desktop/model/element.ts'
import { farthest, offsetOf } from '../../desktop/widgets/scrolling.ts'
import { checkScenario, parseScenario } from '../load/load.ts'
import { openPacked } from '../load/packed.ts'
import { startScenario } from '../run/step.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'
import type { VariantChoices } from '../variants/axis.ts'

const treeOf = (run: ScenarioRun): Element => run.desktop.windows[0]!.tree
/** The elements below the root: their ids and names. */
const shown = (run: ScenarioRun): readonly string[] =>
  [...walk(treeOf(run))].slice(1).map(({ id, name }) => `${id} ${name}`.trim())
const has = (run: ScenarioRun, id: string): boolean => nodeById(treeOf(run), id) !== undefined
const skipped = (run: ScenarioRun) => entriesOf(run.log).map(({ fields }) => fields?.reason)

const LIST = screen(
  `{role: Text, name: First}, {repeat: people, as: person, id: person, role: Group, name: '{{ person.name }}', children: [{role: Text, name: '{{ person_index }}'}, {id: drop, role: Button, name: Drop}]}, {role: Text, name: Last}, {id: more, role: Button, name: More}`,
  {
    vars: '{people: [{id: 7, name: Ada}, {id: 8, name: Bo}]}',
    reactions: `[{on: {tool: click_element, target_id: drop}, set: [{var: event.item, remove: true}]},
  {on: {tool: click_element, target_id: more}, set: [{var: people, append: {id: '{{ 9 }}', name: Cy}}]}]`,
  },
)

describe('repeat over data', () => {
  it('[CMP2] [CMP3] [CMP5] makes an element for each record, and keeps the others', () => {
    const run = begin(LIST)
    expect(shown(run)).toEqual([
      'root.0 First',
      'person-7 Ada',
      'person-7.0 0',
      'person-7.drop Drop',
      'person-8 Bo',
      'person-8.0 1',
      'person-8.drop Drop',
      'root.2 Last',
      'more More',
    ])
    expect(shown(click(click(run, 'more'), 'person-7.drop'))).toEqual([
      'root.0 First',
      'person-8 Bo',
      'person-8.0 0',
      'person-8.drop Drop',
      'person-9 Cy',
      'person-9.0 1',
      'person-9.drop Drop',
      'root.2 Last',
      'more More',
    ])
  })

  it('[CMP8] gives the second of two equal keys another id, and records it', () => {
    const run = click(click(begin(LIST), 'more'), 'more')
    expect(shown(run).filter((each) => each.endsWith('Cy'))).toEqual(['person-9 Cy', 'person-9~2 Cy'])
    expect(skipped(run)).toContain('two elements would have the id person-9; the second is person-9~2')
  })

  it('[CMP6] [CMP7] takes texts and integers as their own keys, and another field of records', () => {
    const vars = "{words: [one two, 'ä/b'], files: [{path: /a.txt}], pages: 2}"
    const run = begin(
      screen(
        `{repeat: words, as: word, id: word, role: Text, name: '{{ word }}'}, {repeat: {of: files, key: path}, as: file, role: Text, name: '{{ file.path }}'}, {repeat: pages, as: page, id: page, role: Button, name: '{{ page + 1 }}'}`,
        { vars },
      ),
    )
    expect(shown(run)).toEqual(['word-one_two one two', 'word-ä_b ä/b', 'root.1-_a_txt /a.txt', 'page-0 1', 'page-1 2'])
  })

  it('[CMP4] [CMP36] prefixes items of a list in an item, and moves those of a variable between them', () => {
    const vars =
      '{columns: [{id: todo, tags: [{id: a}]}, {id: done, tags: []}], cards: [{id: 1, column: todo}, {id: 2, column: done}]}'
    const run = begin(
      screen(
        `{repeat: columns, as: column, id: column, role: Pane, name: '{{ column.id }}', children: [{repeat: column.tags, as: tag, id: tag, role: Text, name: tag}, {repeat: 'cards.filter(c, c.column == column.id)', as: card, id: card, role: Button, name: card}]}`,
        {
          vars,
          reactions: `[{on: {tool: click_element, target_id: card}, set: [{var: event.item.column, to: done}]},
            {on: {tool: drop, target_id: column, from_id: card}, set: [{var: event.from_item, change: {column: '{{ event.items.column.id }}'}, move: {before: '{{ cards[0].id }}'}}]}]`,
        },
      ),
    )
    expect(shown(run)).toEqual([
      'column-todo todo',
      'column-todo.tag-a tag',
      'card-1 card',
      'column-done done',
      'card-2 card',
    ])
    const moved = click(run, 'card-1')
    expect(shown(moved).slice(2)).toEqual(['column-done done', 'card-1 card', 'card-2 card'])
    expect(moved.desktop.windows[0]!.focus).toBe('card-1')
    const [from, to] = [target(run, 'card-2'), target(run, 'column-todo')]
    const dragged = act(run, {
      type: 'drag',
      from: at(run, 'card-2'),
      to: at(run, 'column-todo'),
      modifiers: [],
      durationMs: 0,
      fromTarget: from,
      toTarget: to,
    })
    expect(shown(dragged.run).slice(2, 5)).toEqual(['card-2 card', 'card-1 card', 'column-done done'])
  })

  it('[CMP9] [CMP10] orders, pages and bounds the items', () => {
    const reactions = `[{on: {tool: click_element, target_id: next}, set: [{var: page, to: '{{ page + 1 }}'}]}]`
    const run = begin(
      screen(
        `{id: next, role: Button, name: Next}, {repeat: {of: items, sort_by: rank, descending: true, page: page, page_size: 2}, as: item, id: item, role: Text, name: '{{ item.rank }}'}, {role: List, name: All, children: [{repeat: many, as: number, id: number, role: ListItem, name: '{{ number }}'}]}`,
        { vars: '{page: 0, many: 600, items: [{id: a, rank: 1}, {id: b, rank: 3}, {id: c, rank: 2}]}', reactions },
      ),
    )
    const ranks = (each: ScenarioRun) => shown(each).filter((line) => line.startsWith('item-'))
    expect([ranks(run), ranks(click(run, 'next'))]).toEqual([['item-b 3', 'item-c 2'], ['item-a 1']])
    expect(has(run, 'number-499') && !has(run, 'number-500')).toBe(true)
    expect(skipped(run)).toEqual(['repeat: many has 600 items; 500 are shown'])
  })
})

describe('if over data', () => {
  const vars = "{big: false, note: ''}"
  const reactions = `[{on: {tool: click_element, target_id: switch}, set: [{var: big, to: '{{ !big }}'}]}]`
  const run = begin(
    screen(
      `{id: switch, role: Button, name: Switch}, {if: big, then: [{id: words, role: Edit, name: Words}, {id: extra, role: Text, name: Extra}], else: [{id: words, role: Edit, name: Word}]}, {if: big, role: Text, name: Big}`,
      { vars, reactions },
    ),
  )

  it('[CMP19] [CMP20] shows one of two branches, and keeps what both have', () => {
    expect(shown(run)).toEqual(['switch Switch', 'words Word'])
    const typed = click(type(click(run, 'words'), 'hello'), 'switch')
    expect(shown(typed)).toEqual(['switch Switch', 'words Words', 'extra Extra', 'root.4 Big'])
    expect(element(typed, 'words').value).toBe('hello')
  })

  it('[CMP21] is false without a value, and the log records it', () => {
    const there = begin(
      screen(`{id: clear, role: Button, name: Clear}, {if: 'numbers[0] > 1', role: Text, name: Big}`, {
        vars: '{numbers: [2]}',
        reactions: '[{on: {tool: click_element, target_id: clear}, set: [{var: numbers, to: []}]}]',
      }),
    )
    expect(shown(there)).toEqual(['clear Clear', 'root.1 Big'])
    const cleared = click(there, 'clear')
    expect(shown(cleared)).toEqual(['clear Clear'])
    expect(skipped(cleared)).toEqual([expect.stringContaining('if: ')])
  })

  it('[CMP52] forgets what was typed in an element that went', () => {
    const optional = begin(
      screen(`{id: switch, role: Button, name: Switch}, {if: big, id: memo, role: Edit, name: Memo}`, {
        vars: '{big: true}',
        reactions,
      }),
    )
    const typed = type(click(optional, 'memo'), 'hello')
    expect(element(typed, 'memo').value).toBe('hello')
    expect(element(click(click(typed, 'switch'), 'switch'), 'memo').value).toBeNull()
  })
})

const CART = screen(
  `{repeat: cart, as: line, use: line, with: {line: '{{ line }}', label: 'Line {{ line_index + 1 }}'}}, {if: size(cart) == 0, role: Text, name: Empty}`,
  {
    vars: '{cart: [{id: mug, title: Mug, price: 8.5, quantity: 1}, {id: tea, title: Tea, price: 4.0, quantity: 3}]}',
    components: `{line: {params: {line: record, label: text}, element: {id: line, role: Group, name: '{{ label }}: {{ line.title }}', children: [
    {id: quantity, role: Spinner, name: Quantity, bind: line.quantity, value_min: 1, value_max: 20},
    {id: price, role: Edit, name: Price, bind: line.price},
    {id: dear, role: CheckBox, name: Dear, selected: '{{ line.price > 5.0 }}'},
    {id: note, role: Edit, name: Note},
    {id: sum, role: Text, name: '{{ value("quantity") }} x {{ line.price }}'},
    {id: remove, role: Button, name: Remove}, {id: clear, role: Button, name: Clear}]},
  reactions: [{on: {tool: click_element, target_id: remove}, set: [{schedule: {after_ms: 100, set: [{var: line.quantity, to: 9}]}}, {var: line, remove: true}]},
    {on: {tool: click_element, target_id: clear}, when: [{id: note, value_not_empty: true}], set: [{id: note, value: ''}, {toast: 'Cleared {note.name} of {{ event.item.title }}, {{ value("price") }}'}]}]}}`,
  },
)

describe('components with live parameters', () => {
  it('[CMP22] [CMP44] [CMP41] read, bind and write the item', () => {
    const run = begin(CART)
    expect(element(run, 'line-tea').name).toBe('Line 2: Tea')
    const changed = setValue(run, 'line-tea.quantity', '5')
    expect(changed.data.cart).toMatchObject([{ quantity: 1 }, { id: 'tea', quantity: 5 }])
    expect(element(changed, 'line-tea.sum').name).toBe('5 x 4')
    const removed = click(changed, 'line-mug.remove')
    expect([removed.data.cart, element(removed, 'line-tea').name]).toMatchObject([[{ id: 'tea' }], 'Line 1: Tea'])
  })

  it('[CMP37] [CMP39] change the item with its types, and lists in it', () => {
    const run = begin(
      screen(
        `{repeat: cards, as: card, id: card, role: Group, name: x, children: [{id: third, role: Button, name: Third}, {id: untag, role: Button, name: Untag}]}`,
        {
          vars: '{cards: [{id: 1, price: 2.0, tags: [{id: x}, {id: y}]}, {id: 2, price: 4.5, tags: [{id: y}]}]}',
          reactions: `[{on: {tool: click_element, target_id: third}, set: [{var: event.item, change: {price: '{{ row.price / 4 }}'}}]},
            {on: {tool: click_element, target_id: untag}, set: [{var: event.item.tags, where: row.id == "y", remove: true}]}]`,
        },
      ),
    )
    const changed = click(click(run, 'card-1.third'), 'card-1.untag')
    expect(changed.data.cards).toEqual([
      { id: 1, price: 0.5, tags: [{ id: 'x' }] },
      { id: 2, price: 4.5, tags: [{ id: 'y' }] },
    ])
  })

  it('[CMP40] skip a later change of an item that is gone', () => {
    const run = click(begin(CART), 'line-mug.remove')
    expect(skipped(run)).toEqual([])
    const later = until(run, 1000)
    expect(later.data).toBe(run.data)
    expect(skipped(later)).toEqual(['cart no longer has the item with the key mug'])
  })

  it('[CMP41] mean the part in the item of the event', () => {
    const noted = type(click(begin(CART), 'line-tea.note'), 'green')
    expect(element(click(noted, 'line-mug.clear'), 'line-tea.note').value).toBe('green')
    const cleared = click(noted, 'line-tea.clear')
    expect(element(cleared, 'line-tea.note').value).toBe('')
    const texts = cleared.desktop.windows.flatMap(({ tree }) => [...walk(tree)].map(({ name }) => name))
    expect(texts).toContain('Cleared Note of Tea, 4')
  })

  it('[CMP48] [CMP49] show the data in live fields, and keep the others', () => {
    const ticked = click(begin(CART), 'line-mug.dear')
    expect(element(ticked, 'line-mug.dear').selected).toBe(true)
    const typed = type(click(ticked, 'line-mug.note'), 'blue')
    const spelt = setValue(typed, 'line-mug.price', '1.50')
    expect([spelt.data.cart, element(spelt, 'line-mug.price').value]).toMatchObject([[{ price: 1.5 }, {}], '1.50'])
    expect([element(spelt, 'line-mug.note').value, element(spelt, 'line-mug.dear').selected]).toEqual(['blue', false])
  })

  it('[CMP23] may use themselves', () => {
    const run = begin(
      screen(`{use: thread, with: {of: 0}}`, {
        vars: '{posts: [{id: 1, parent: 0}, {id: 2, parent: 1}, {id: 3, parent: 2}, {id: 4, parent: 0}]}',
        components: `{thread: {params: {of: integer}, element: {role: Pane, name: 'Below {{ of }}', children: [{repeat: 'posts.filter(p, p.parent == of)', as: post, id: post, role: Group, name: '{{ post.id }} below {{ of }}', children: [{id: reply, role: Button, name: Reply}, {use: thread, with: {of: '{{ post.id }}'}}]}]}}}`,
        reactions: `[{on: {tool: click_element, target_id: reply}, set: [{var: posts, append: {id: '{{ size(posts) + 1 }}', parent: '{{ event.item.id }}'}}]}]`,
      }),
    )
    const posts = (each: ScenarioRun) => shown(each).filter((line) => /^post-\d+ /.test(line))
    expect(posts(run)).toEqual(['post-1 1 below 0', 'post-2 2 below 1', 'post-3 3 below 2', 'post-4 4 below 0'])
    expect(posts(click(run, 'post-3.reply'))).toContain('post-5 5 below 3')
  })
})

describe('lists and states', () => {
  it('[CMP45] bind a list to the key of its selected item', () => {
    const run = begin(
      screen(
        `{id: list, role: List, name: People, bind: chosen, children: [{repeat: people, as: person, id: person, role: ListItem, name: '{{ person.name }}'}]}, {id: bo, role: Button, name: Bo}`,
        {
          vars: '{chosen: 1, people: [{id: 1, name: Ada}, {id: 2, name: Ada}]}',
          reactions: `[{on: {tool: click_element, target_id: bo}, set: [{var: chosen, to: 1}]}]`,
        },
      ),
    )
    const selected = (each: ScenarioRun) => [...walk(treeOf(each))].filter((item) => item.selected).map(({ id }) => id)
    expect(selected(run)).toEqual(['person-1'])
    const second = click(run, 'person-2')
    expect([second.data.chosen, selected(second)]).toEqual([2, ['person-2']])
    expect(selected(click(second, 'bo'))).toEqual(['person-1'])
  })

  it('[CMP49] keep what was typed when a state is entered', () => {
    const yaml = `${screen(`{id: go, role: Button, name: Go}, {id: status, role: Text, name: On}, {repeat: people, as: person, id: person, role: Group, name: '{{ person.id }}', children: [{id: note, role: Edit, name: Note}]}`, { vars: '{people: [{id: 1}]}', reactions: '[{on: {tool: click_element, target_id: go}, in: open, transition_to: off}, {on: {tool: click_element, target_id: go}, in: off, transition_to: open}]' }).replace('\nreactions', '\n__')}`
    const two = yaml
      .replace(
        'states: {open: {windows',
        'states: {off: {extends: open, set: [{id: status, name: Off}]}, open: {windows',
      )
      .replace('\n__', '\ninitial_state: open\nreactions')
    const typed = type(click(begin(two), 'person-1.note'), 'kept')
    const off = click(typed, 'go')
    expect([element(off, 'status').name, element(off, 'person-1.note').value]).toEqual(['Off', 'kept'])
    const on = click(off, 'go')
    expect([element(on, 'status').name, element(on, 'person-1.note').value]).toEqual(['On', 'kept'])
  })

  it('[CMP49] keep the caret in a field that is bound', () => {
    const run = type(click(begin(CART), 'line-mug.note'), 'abc')
    const before = key(key(run, 'Home'), 'Right')
    expect(element(type(before, 'x'), 'line-mug.note').value).toBe('axbc')
  })
})

describe('the layout of elements that follow the data', () => {
  it('[SC84] is that of a new run, whether an item keeps its height or not', () => {
    const yaml = screen(
      `{id: log, role: ScrollArea, name: Log, grow: 1, children: [{repeat: people, as: person, id: person, role: Group, name: P, children: [{id: words, role: Text, name: '{{ person.name }}'}, {id: more, role: Button, name: More}, {id: less, role: Button, name: Less}]}]}`,
      {
        vars: '{people: [{id: 1, name: Ada}, {id: 2, name: Bo}]}',
        reactions: `[{on: {tool: click_element, target_id: more}, set: [{var: event.item.name, to: ${'many words '.repeat(40)}}]},
          {on: {tool: click_element, target_id: less}, set: [{var: event.item.name, to: Al}]}]`,
      },
    )
    for (const id of ['less', 'more']) {
      const run = click(begin(yaml), `person-1.${id}`)
      const fresh = startScenario({ ...run.scenario, data: run.data }, { atMs: 0 })
      const bounds = (each: ScenarioRun) => [...walk(treeOf(each))].map((node) => [node.id, node.name, node.bounds])
      expect(bounds(run)).toEqual(bounds(fresh))
    }
  })

  describe('of what scrolls', () => {
    const log = (scroll: string) =>
      screen(
        `{id: log, role: ScrollArea, name: Log, height: 120, ${scroll}children: [{repeat: people, as: person, id: person, role: Button, name: P, height: 40}]}, {id: last, role: Button, name: Last}, {id: first, role: Button, name: First}, {id: drop, role: Button, name: Drop}, {id: sort, role: Button, name: Sort}`,
        {
          vars: `{people: [${Array.from({ length: 9 }, (_, id) => `{id: ${id + 1}}`).join(', ')}]}`,
          reactions: `[{on: {tool: click_element, target_id: last}, set: [{var: people, append: {id: '{{ next_id(people) }}'}}]},
            {on: {tool: click_element, target_id: first}, set: [{var: people, append: {id: '{{ next_id(people) }}'}}, {var: people, where: row.id == size(people), move: start}]},
            {on: {tool: click_element, target_id: drop}, set: [{var: people, where: row.id == 1, remove: true}]},
            {on: {tool: click_element, target_id: sort}, set: [{var: people, sort_by: id, descending: true}]}]`,
        },
      )
    const offset = (run: ScenarioRun) => offsetOf(element(run, 'log')).y
    const end = (run: ScenarioRun) => farthest(element(run, 'log'))
    const scrolled = (run: ScenarioRun, clicks: number) =>
      act(run, { type: 'scroll', clicks, target: target(run, 'log') }).run
    const top = (run: ScenarioRun, id: string) => element(run, id).bounds.y - element(run, 'log').bounds.y

    it('[SC86] stays at its end until the user scrolls away', () => {
      const run = begin(log('scroll: {follow: end}, '))
      expect([offset(run) > 0, offset(run)]).toEqual([true, end(run)])
      const more = click(run, 'last')
      expect([offset(more), offset(more) > offset(run)]).toEqual([end(more), true])
      const away = scrolled(more, 1)
      expect(offset(away)).toBeLessThan(end(away))
      expect(offset(click(away, 'last'))).toBe(offset(away))
      expect(offset(begin(log('')))).toBe(0)
    })

    it('[SC87] keeps the first item in view where it is, but for sorting', () => {
      const run = scrolled(begin(log('')), -1)
      const [first = ''] = element(run, 'log')
        .children.filter(({ bounds }) => bounds.y + bounds.height > element(run, 'log').bounds.y)
        .map(({ id }) => id)
      expect(offset(run)).toBeGreaterThan(0)
      for (const button of ['first', 'drop', 'last']) {
        const changed = click(run, button)
        expect([button, top(changed, first)]).toEqual([button, top(run, first)])
      }
      expect(offset(click(run, 'first'))).toBeGreaterThan(offset(run))
      expect(offset(click(run, 'sort'))).toBe(offset(run))
    })
  })

  it('[SC85] has a caption that the new name of its container does not make needless', () => {
    const yaml = screen(
      `{repeat: people, as: person, id: person, role: Group, name: '{{ person.name }}', children: [{id: title, role: Edit, name: Title}, {id: set, role: Button, name: Set}]}`,
      {
        vars: '{people: [{id: 1, name: Ada}]}',
        reactions: `[{on: {tool: click_element, target_id: set}, set: [{var: event.item.name, to: The title}]}]`,
      },
    )
    const run = click(begin(yaml), 'person-1.set')
    const fresh = startScenario({ ...run.scenario, data: run.data }, { atMs: 0 })
    expect(element(run, 'person-1.title').bounds).toEqual(element(fresh, 'person-1.title').bounds)
    expect(element(run, 'person-1.title').bounds).not.toEqual(element(begin(yaml), 'person-1.title').bounds)
  })
})

describe('variants and copies of elements that follow the data', () => {
  const yaml = `${screen(
    `{role: List, name: All, children: [{id: head, role: ListItem, name: Head}, {repeat: people, as: person, id: person, role: ListItem, name: '{{ person.name }}', children: [{id: open, role: Button, name: Open}]}, {id: tail, role: ListItem, name: Tail}]}, {role: Edit, name: ''}`,
    { vars: '{people: [{id: 1, name: Open}, {id: 2, name: Bo}]}' },
  )}\nlocales: {de: {Open: Öffnen, All: Alle}}`

  it('[CMP53] have the texts of the variant, and the order of the data', () => {
    const names = (variant: VariantChoices) => shown(startScenario(parseScenario(yaml, { variant }), { atMs: 0 }))
    expect(names({ locale: 'de' })).toEqual([
      'root.0 Alle',
      'head Head',
      'person-1 Open',
      'person-1.open Öffnen',
      'person-2 Bo',
      'person-2.open Öffnen',
      'tail Tail',
      'root.1',
    ])
    expect(names({ order: 'shuffled' }).map((line) => line.split(' ')[0])).toEqual([
      'root.0',
      'tail',
      'person-1',
      'person-1.open',
      'person-2',
      'person-2.open',
      'head',
      'root.1',
    ])
  })

  it('[CMP54] are the same after a scenario was packed', () => {
    const opened = openPacked(structuredClone(checkScenario(yaml).pack()))
    expect(shown(startScenario(opened, { atMs: 0 }))).toEqual(shown(begin(yaml)))
  })

  it('[CMP55] do not shift the warnings of their siblings', () => {
    const warned = checkScenario(
      screen(`{repeat: people, as: person, role: Text, name: '{{ person }}'}, {role: Edit, name: ''}`, {
        vars: '{people: [Ada]}',
      }),
    ).warnings([])
    expect(warned.map(({ path }) => path)).toEqual(['states.open.windows[0].tree.children[1].name'])
  })
})
