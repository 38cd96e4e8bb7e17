import { describe, expect, it } from 'vitest'
import { screen } from '../../../test/support/scenario/live-edits.ts'
import { checkScenario } from '../load/load.ts'

// Rules such as [CMP57] are stated in README.md.

describe('the ten mistakes', () => {
  const items = (body: string) => `{id: log, role: Pane, name: Log, children: [{${body}}]}`
  const message = (part: string) =>
    items(
      `repeat: people, as: person, id: message, role: Group, name: x, children: [${part}, {id: likes, role: Text, name: x}]`,
    )
  const on = (set: string) => `[{on: {tool: click_element, target_id: other}, set: [${set}]}]`

  it.each<[name: string, children: string, reactions: string, place: string, message: string]>([
    [
      'records without a key',
      items('repeat: tags, as: tag, role: Text, name: x'),
      '[]',
      'tags, as',
      'the records of tags have no field id; write repeat: {of: tags, key: name} with a field that differs in each',
    ],
    [
      'equal keys',
      items('repeat: cards, as: card, role: Text, name: x'),
      '[]',
      'cards, as',
      'cards[1] has the key 7 of cards[0]; keys must differ',
    ],
    [
      'a template in an id',
      items("repeat: people, as: person, id: 'card-{{ person.id }}', role: Text, name: x"),
      '[]',
      "'card-",
      'ids in a live repeat have the key added: write id: card, and its items have ids such as card-7',
    ],
    [
      'an if that reads the screen',
      `{id: list, role: List, name: x}, {if: 'selected("log") == "Ada"', role: Text, name: x}`,
      '[]',
      `'selected(`,
      'in selected("log") == "Ada": if decides what is on the screen, so it cannot read the screen with selected(…); bind: a variable to the element, and use that',
    ],
    [
      'a bind to what map computes',
      items(`repeat: 'people.map(p, {"id": p.id})', as: each, role: Edit, name: x, bind: each.id`),
      '[]',
      'each.id',
      `each.id is computed by people.map(p, {"id": p.id}) and cannot be written; repeat over a variable, or show it with value: '{{ … }}'`,
    ],
    [
      'a check box without bind',
      message(`{role: CheckBox, name: x, selected: '{{ person.done }}'}`),
      '[]',
      "'{{ person.done }}'",
      'what a user changes here does not change person.done; write bind: person.done',
    ],
    [
      'an effect on a part of every item',
      message('{role: Text, name: x}'),
      on('{id: likes, name: y}'),
      'likes, name: y',
      'likes is in every item of people; change the data, or name one, such as message-1.likes',
    ],
    [
      'children appended beside items',
      message('{role: Text, name: x}'),
      on('{id: log, append: [{role: Text, name: y}]}'),
      '[{role: Text, name: y}]',
      'the children of log follow people; write {var: people, append: …}',
    ],
    [
      'a repeat of reactions',
      '{role: Text, name: x}',
      '[{repeat: people, as: person, on: {tool: click_element}, set: [{toast: x}]}]',
      'people, as',
      'repeat is decided before the scenario runs, and people changes while it runs; write it among the children of an element or the windows of a state; a reaction to all items has target_id and event.item',
    ],
    [
      'a field of an empty list',
      items("repeat: drafts, as: draft, role: Text, name: '{{ draft.too }}'"),
      '[]',
      "'{{ draft.too",
      'drafts starts empty, so its fields are unknown; write types: {drafts: {too: …}}',
    ],
  ])('[CMP57] are found at their place: %s', (_name, children, reactions, place, message) => {
    const text = screen(`{id: other, role: Button, name: Other}, ${children}`, {
      vars: '{tags: [{name: a}], cards: [{id: 7}, {id: 7}], people: [{id: 1, done: true}], drafts: []}',
      reactions,
    })
    const [line, column] = placeIn(text, place)
    expect(found(text)).toEqual([`${line}:${column} ${message}`])
  })

  const placeIn = (text: string, part: string): readonly [line: number, column: number] => {
    const before = text.slice(0, text.indexOf(part)).split('\n')
    return [before.length, before.at(-1)!.length + 1]
  }
  /** The problems of a file, or its warnings if it has none. */
  const found = (text: string): readonly string[] => {
    try {
      return checkScenario(text, { file: 'f' })
        .warnings([])
        .map(({ line, column, message }) => `${line}:${column} ${message}`)
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .flatMap((line) => /^f:(\d+:\d+): (?:(?:states|reactions)\S+: )?(.*)$/.exec(line)?.slice(1).join(' ') ?? [])
    }
  }
})

describe('problems of elements that follow the data', () => {
  const problems = (children: string, more: Parameters<typeof screen>[1] = {}): readonly string[] => {
    try {
      checkScenario(
        screen(children, {
          vars: '{tags: [{name: a}], cards: [{id: 7, n: 1}, {id: 7, n: 2}], people: [{id: 1, name: x, done: true}], count: 0}',
          ...more,
        }),
        { file: 'f' },
      )
      return []
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .filter((line) => /^f:\d/.test(line))
        .map((line) => line.replace(/ states\S+:/, ''))
    }
  }

  it('[CMP57] are keys that are missing or equal', () => {
    expect(problems('{repeat: tags, as: tag, role: Text, name: x}')).toEqual([
      expect.stringMatching(
        /^f:3:\d+: the records of tags have no field id; write repeat: \{of: tags, key: name\} with a field that differs in each$/,
      ),
    ])
    expect(problems('{repeat: cards, as: card, role: Text, name: x}')).toEqual([
      expect.stringContaining('cards[1] has the key 7 of cards[0]; keys must differ'),
    ])
    expect(problems('{repeat: {of: people, key: nmae}, as: person, role: Text, name: x}')).toEqual([
      expect.stringContaining('the records of people have no field "nmae"; did you mean "name"?'),
    ])
  })

  it('[CMP57] are ids with templates and names with a meaning', () => {
    expect(problems(`{repeat: people, as: person, id: 'person-{{ person.id }}', role: Text, name: x}`)).toEqual([
      expect.stringContaining(
        'ids in a live repeat have the key added: write id: person, and its items have ids such as person-7',
      ),
    ])
    expect(problems('{repeat: people, as: count, role: Text, name: x}')).toEqual([
      expect.stringContaining('count already has a meaning here; write as: with another name'),
    ])
  })

  it('[CMP57] are fields that do not exist, and types that do not fit', () => {
    expect(problems(`{repeat: people, as: person, role: Text, name: '{{ person.nmae }}'}`)).toEqual([
      expect.stringContaining('unknown field "nmae"; did you mean "name"?'),
    ])
    expect(problems(`{repeat: people, as: person, role: Edit, name: x, bind: person.nmae}`)).toEqual([
      expect.stringContaining('person has no field "nmae"; did you mean "name"?'),
    ])
    expect(problems(`{repeat: people, as: person, role: CheckBox, name: x, bind: person.name}`)).toEqual([
      expect.stringContaining('person.name is a text, which CheckBox does not show'),
    ])
    expect(problems(`{if: count, role: Text, name: x}`)).toEqual([
      expect.stringContaining('gives an integer; expected true or false'),
    ])
  })

  it('[CMP57] are fields that are bound to what is computed', () => {
    const computed = `{repeat: 'people.map(p, {"id": p.id, "total": p.id})', as: each, role: Spinner, name: x, bind: each.total}`
    expect(problems(computed)).toEqual([
      expect.stringMatching(
        /each\.total is computed by people\.map\(.*\) and cannot be written; repeat over a variable/,
      ),
    ])
    expect(problems(computed.replace(/people\.map.*?\}\)/, 'people').replace('each.total', 'each.id'))).toEqual([])
  })

  it('[CMP37] [CMP38] are fields of the items of events that do not exist, and types that do not fit', () => {
    const vars = '{columns: [{id: a, tags: [{id: x}], limit: 1}], cards: [{id: 1, column: a, price: 2.0}], text: x}'
    const board = `{repeat: columns, as: column, id: column, role: Pane, name: x, children: [{repeat: cards, as: card, id: card, role: Group, name: x, children: [{id: add, role: Button, name: Add}]}]}`
    const of = (on: string, set: string) =>
      problems(board, { vars, reactions: `[{on: {${on}}, set: [${set}]}]` }).map((line) =>
        line.replace(/^f:4:\d+: (reactions\S+ )?/, ''),
      )
    const click = 'tool: click_element, target_id: add'
    expect(of(click, `{var: event.item.price, to: '{{ event.items.column.limit + event.item.price }}'}`)).toEqual([])
    expect(of(click, `{var: event.item, change: {price: '{{ row.price * 2.0 }}'}, move: start}`)).toEqual([])
    expect(of(click, `{var: event.items.column.tags, where: row.id == "x", remove: true}`)).toEqual([])
    expect(of(click, `{var: event.item.pirce, to: 1}`)).toEqual([
      'event.item has no field "pirce"; did you mean "price"?',
    ])
    expect(of(click, `{var: event.item, change: {pirce: 1}}`)).toEqual([
      expect.stringContaining('no field "pirce"; did you mean "price"?'),
    ])
    expect(of(click, `{var: event.item, change: {price: x}}`)).toEqual(['price is a number; "x" is not'])
    expect(of(click, `{var: event.item, where: row.id == 1, remove: true}`)).toEqual([
      'event.item holds no records; where is for these',
    ])
    expect(of(click, `{toast: '{{ event.items.colunm.limit }}'}`)).toEqual([
      expect.stringContaining('unknown field "colunm"; did you mean "column"?'),
    ])
    expect(
      of('tool: click_element, target_id: column', `{toast: '{{ event.item.limit }} {{ event.item.price }}'}`),
    ).toEqual([])
    expect(of('tool: click_element, target_id: column', `{toast: '{{ event.item.limits }}'}`)).toEqual([
      expect.stringContaining('unknown field "limits"; did you mean "limit"?'),
    ])
    expect(of('tool: click_element', `{toast: '{{ event.item.anything }}'}`)).toEqual([])
  })

  it('[CMP56] are fields of items of a list that starts empty', () => {
    const drafts = `{repeat: drafts, as: draft, role: Group, name: '{{ draft.to }}', children: [{role: Edit, name: x, bind: draft.to}, {if: draft.id > 1, role: Text, name: x}]}`
    expect(problems(drafts, { vars: '{drafts: []}' })).toEqual([
      expect.stringMatching(
        /^f:3:\d+: drafts starts empty, so its fields are unknown; write types: \{drafts: \{to: …\}\}$/,
      ),
    ])
    expect(problems(drafts, { vars: '{drafts: []}\ntypes: {drafts: {id: integer, to: text}}' })).toEqual([])
    expect(
      problems(drafts.replace('bind: draft.to', 'bind: draft.too'), {
        vars: '{drafts: []}\ntypes: {drafts: {id: integer, to: text}}',
      }),
    ).toEqual([expect.stringContaining('draft has no field "too"; did you mean "to"?')])
  })

  it('[CMP57] are tables of records in items', () => {
    const table = '{role: Table, name: x, rows: cards, key: n, columns: [{field: n}]}'
    expect(problems(`{repeat: people, as: person, role: Group, name: x, children: [${table}]}`)).toContainEqual(
      expect.stringContaining('an item of repeat cannot have rows'),
    )
  })

  it('[CMP57] are structure that reads the screen, and places without a list', () => {
    expect(problems(`{id: list, role: List, name: x}, {if: 'selected("list") == "Ada"', role: Text, name: x}`)).toEqual(
      [
        expect.stringContaining(
          'if decides what is on the screen, so it cannot read the screen with selected(…); bind: a variable to the element, and use that',
        ),
      ],
    )
    expect(
      problems('{role: Text, name: x}', {
        reactions: '[{repeat: people, as: person, on: {tool: click_element}, set: [{toast: x}]}]',
      }),
    ).toEqual([
      expect.stringContaining(
        'repeat is decided before the scenario runs, and people changes while it runs; write it among the children of an element or the windows of a state; a reaction to all items has target_id and event.item',
      ),
    ])
  })
})
