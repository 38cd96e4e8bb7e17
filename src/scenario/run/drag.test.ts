import { describe, expect, it } from 'vitest'
import { act, at, begin, element, key, target } from '../../../test/support/scenario/player.ts'
import { pointerEffectOf } from '../../desktop/apply/pointer-effect.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { ScenarioStep } from './step.ts'

const BOARD = `
undo: [cards, meetings, folders]
vars:
  dropped: ''
  columns: [{id: todo}, {id: done}]
  cards: [{id: 1, column: todo, title: One}, {id: 2, column: todo, title: Two}, {id: 3, column: done, title: Three}]
  meetings: [{id: 5, title: Review, start: 540, minutes: 60}]
  folders: [{id: a, parent: ''}, {id: b, parent: a}, {id: c, parent: ''}]
  tasks: [{id: 8, title: Call}, {id: 9, title: Write}]
states:
  open:
    windows:
      - uid: board
        bounds: {x: 0, y: 0, width: 600, height: 400}
        tree:
          role: Window
          layout: {arrange: row}
          children:
            - repeat: columns
              as: column
              id: column
              role: List
              grow: 1
              name: '{{ column.id }}'
              accept: card
              children: [{repeat: 'cards.filter(card, card.column == column.id)', as: card, id: card, role: ListItem, name: '{{ card.title }}', drag: card}]
            - {id: bin, role: Pane, name: Bin, width: 100, accept: [meeting, task]}
      - uid: day
        bounds: {x: 620, y: 0, width: 300, height: 700}
        frame: none
        tree:
          role: Window
          children:
            - id: day
              role: Pane
              name: Day
              bounds: {x: 620, y: 0, width: 200, height: 600}
              accept: {kinds: [meeting, task], y: {from: 480, to: 1080, step: 15}}
              children:
                - id: review
                  role: Group
                  name: Review
                  bounds: {x: 630, y: 60, width: 100, height: 60}
                  drag: {kind: meeting, edges: [bottom]}
            - {id: tasks, role: Table, name: Tasks, bounds: {x: 830, y: 0, width: 90, height: 300}, rows: tasks, key: id, columns: [{field: title}], drag: task}
      - uid: folders
        bounds: {x: 0, y: 420, width: 600, height: 300}
        frame: none
        tree:
          role: Window
          children:
            - repeat: folders.filter(f, f.parent == "")
              as: folder
              id: folder
              role: Group
              name: '{{ folder.id }}'
              drag: folder
              accept: folder
              children:
                - {repeat: 'folders.filter(f, f.parent == folder.id)', as: inner, id: inner, role: Group, name: '{{ inner.id }}', drag: folder, accept: folder, height: 40}
reactions:
  - on: {tool: drop, target_id: column, from_id: card}
    set:
      - {var: event.from_item, change: {column: '{{ event.items.column.id }}'}, move: {before: '{{ event.drag.before }}'}}
  - on: {tool: drop, target_id: day, from_id: review}
    when: [{expression: event.drag.edge == "bottom"}]
    set: [{var: meetings, where: row.id == 5, change: {minutes: '{{ int(event.drag.y) - row.start }}'}}]
  - on: {tool: drop, target_id: day, from_id: review}
    set: [{var: meetings, where: row.id == 5, change: {start: '{{ event.drag.y }}'}}]
  - on: {tool: drop, target_id: day, from_id: tasks}
    set: [{var: meetings, append: {id: '{{ event.from_row.id }}', title: '{{ event.from_row.title }}', start: '{{ event.drag.y }}', minutes: 30}}]
  - {on: {tool: drop, target_id: inner, from_id: folder}, set: [{var: event.from_item.parent, to: '{{ event.items.inner.id }}'}]}
  - {on: {tool: drop, target_id: folder, from_id: folder}, set: [{var: event.from_item.parent, to: '{{ event.items.folder.id }}'}]}
  - {on: {tool: drop}, set: [{var: dropped, to: '{{ event.drag.kind }}'}]}
`

const drag = (run: ScenarioRun, from: Point, to: Point): ScenarioStep =>
  act(run, { type: 'drag', from, to, modifiers: [], durationMs: 0 })
/** The same by presses and moves of the mouse. */
function byHand(run: ScenarioRun, from: Point, to: Point): ScenarioStep {
  const pressed = act(run, { type: 'press', at: from, button: 'left' }).run
  const moved = act(pressed, { type: 'hover', at: to, forMs: 0 }).run
  return act(moved, { type: 'release', at: to, button: 'left' })
}
const cards = ({ data }: ScenarioRun) =>
  (data.cards as readonly { id: number; column: string }[]).map(({ id, column }) => `${id} ${column}`).join(', ')
const meetings = ({ data }: ScenarioRun) =>
  (data.meetings as readonly { title: string; start: number; minutes: number }[]).map((each) =>
    Object.values(each).join(' '),
  )
const above = ({ x, y }: Point): Point => ({ x, y: y - 4 })
const inBin = (run: ScenarioRun): Point => at(run, 'bin')
const endOf = (run: ScenarioRun, id: string): Point => {
  const { x, y, width, height } = element(run, id).bounds
  return { x: x + width / 2, y: y + height - 10 }
}

describe.each([
  ['one drag', drag],
  ['presses and moves', byHand],
])('drags of records by %s', (_, move) => {
  it('[SC203] drop an item where it is accepted, and say what was dropped where', () => {
    const run = begin(BOARD)
    const step = move(run, at(run, 'card-1'), endOf(run, 'column-done'))
    expect([cards(step.run), step.note]).toEqual([
      '2 todo, 3 done, 1 done',
      'dropped the card "One" on the List "done"',
    ])
  })

  it('[SC204] tell the item before which it was dropped', () => {
    const run = begin(BOARD)
    const step = move(run, at(run, 'card-2'), above(at(run, 'card-3')))
    expect([cards(step.run), step.note]).toEqual([
      '1 todo, 2 done, 3 done',
      'dropped the card "Two" on the List "done" before "Three"',
    ])
    expect(cards(move(run, at(run, 'card-2'), above(at(run, 'card-1'))).run)).toBe('2 todo, 1 todo, 3 done')
  })

  it('[SC205] are refused by what accepts other kinds, and by what accepts none', () => {
    const run = begin(BOARD)
    const refused = move(run, at(run, 'card-1'), inBin(run))
    expect([refused.run.data, refused.note]).toEqual([run.data, 'the Pane "Bin" does not accept the card "One"'])
    const nowhere = move(run, at(run, 'card-1'), { x: 880, y: 500 })
    expect([nowhere.run.data, nowhere.note]).toEqual([
      run.data,
      'nothing there accepts the card "One", so it was not dropped',
    ])
  })

  it('[SC206] give the value of the place, moved as far as the pointer, in steps', () => {
    const run = begin(BOARD)
    const step = move(run, { x: 680, y: 80 }, { x: 680, y: 206 })
    expect([meetings(step.run), step.note]).toEqual([
      ['5 Review 660 60'],
      'dropped the meeting "Review" on the Pane "Day" at y 660',
    ])
    expect(meetings(move(run, { x: 680, y: 80 }, { x: 680, y: 5 }).run)).toEqual(['5 Review 480 60'])
  })

  it('[SC209] drag an edge alone', () => {
    const run = begin(BOARD)
    const step = move(run, { x: 680, y: 116 }, { x: 680, y: 152 })
    expect([meetings(step.run), step.note]).toEqual([
      ['5 Review 540 90'],
      'dropped the meeting "Review" on the Pane "Day" by its bottom edge, at y 630',
    ])
    expect(meetings(move(run, { x: 680, y: 116 }, { x: 680, y: 91 }).run)).toEqual(['5 Review 540 30'])
  })

  it('[SC210] drop rows of a table with their records', () => {
    const run = begin(BOARD)
    expect(meetings(move(run, at(run, 'tasks.row-9'), { x: 680, y: 300 }).run)).toEqual([
      '5 Review 540 60',
      '9 Write 780 30',
    ])
  })

  it('[SC211] give a parent in a tree, and drop nothing into itself', () => {
    const run = begin(BOARD)
    const parents = ({ data }: ScenarioRun) =>
      (data.folders as readonly { id: string; parent: string }[]).map(({ id, parent }) => `${id}<${parent}`).join(' ')
    const edgeOf = (id: string): Point => ({ x: element(run, id).bounds.x + 3, y: element(run, id).bounds.y + 3 })
    expect(parents(move(run, at(run, 'folder-c'), at(run, 'inner-b')).run)).toBe('a< b<a c<b')
    expect(parents(move(run, at(run, 'inner-b'), at(run, 'folder-c')).run)).toBe('a< b<c c<')
    const self = move(run, edgeOf('folder-a'), at(run, 'inner-b'))
    expect([self.run.data, self.note]).toEqual([
      run.data,
      'nothing there accepts the folder "a", so it was not dropped',
    ])
  })

  it('[SC212] are undone', () => {
    const run = begin(BOARD)
    const dropped = move(run, at(run, 'card-2'), above(at(run, 'card-3'))).run
    expect(key(dropped, 'ctrl+z').data.cards).toEqual(run.data.cards)
  })
})

describe('a drag that is held', () => {
  it('[SC213] shows what accepts and what refuses it', () => {
    const run = begin(BOARD)
    const held = act(run, { type: 'press', at: at(run, 'card-1'), button: 'left' }).run
    const over = (point: Point) => pointerEffectOf(act(held, { type: 'hover', at: point, forMs: 0 }).run.desktop)?.drop
    const line = over(above(at(run, 'card-3')))?.line
    expect(line).toEqual({ ...element(run, 'card-3').bounds, height: 0 })
    expect(over(inBin(run))?.isRefused).toBe(true)
    expect(target(run, 'bin')).toEqual({ window: 'board', element: 'bin' })
  })

  it.each([
    [
      'accept: [meeting, task]}',
      'accept: [meting, task]}',
      'nothing that can be dragged is a meting; did you mean "meeting"?',
    ],
    ['{from: 480, to: 1080, step: 15}', '{from: 1080, to: 480}', 'must be greater than from'],
    ['event.drag.edge ==', 'event.drag.edges ==', 'unknown field "edges"; did you mean "edge"?'],
  ])('[SC217] reports %s written as %j', (right, wrong, message) => {
    expect(() => begin(BOARD.replace(right, wrong))).toThrow(message)
  })
})
