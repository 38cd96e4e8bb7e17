import { describe, expect, it } from 'vitest'
import { act, at, begin, element } from '../../../test/support/scenario/player.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { ScenarioRun } from '../scenario-run.ts'

const WEEK = `
vars:
  shift: 0
  events: [{id: 1, day: 0, start: 540, minutes: 30}, {id: 2, day: 1, start: 600, minutes: 60}]
states:
  open:
    windows:
      - uid: week
        frame: none
        bounds: {x: 0, y: 0, width: 600, height: 700}
        tree:
          role: Window
          layout: {padding: 0, gap: 0}
          children:
            - id: grid
              role: Pane
              name: Grid
              height: 600
              accept: {kinds: event, x: {from: 0, to: 5, cells: true}, y: {from: 480, to: 1080, step: 30}}
              children:
                - {id: noon, role: Separator, name: Noon, at: {y: 720, height: 1}}
                - repeat: events
                  as: item
                  id: event
                  role: Button
                  name: 'Event {{ item.id }}'
                  drag: {kind: event, edges: [bottom]}
                  at: {x: '{{ item.day }}', y: '{{ item.start }}', width: 1, height: '{{ item.minutes }}'}
            - id: plain
              role: Pane
              name: Plain
              height: 100
              children:
                - {id: first, role: Text, name: First}
                - {id: shifted, role: Text, name: Shifted, at: {x: '{{ shift * 10 }}', y: 40}}
                - {id: second, role: Text, name: Second}
reactions:
  - on: {tool: drop, target_id: grid, from_id: event}
    when: [{expression: event.drag.edge == "bottom"}]
    set: [{var: event.from_item, change: {minutes: '{{ int(event.drag.y) - row.start }}'}}]
  - on: {tool: drop, target_id: grid, from_id: event}
    set: [{var: event.from_item, change: {day: '{{ event.drag.x }}', start: '{{ event.drag.y }}'}}]
  - {on: {tool: click_element, target_id: first}, set: [{var: shift, to: '{{ shift + 1 }}'}]}
  - {on: {tool: click_element, target_id: second}, set: [{id: noon, at: {x: 2, width: 1, y: 720, height: 60}}]}
`
const boundsOf = (run: ScenarioRun, id: string): Rect => element(run, id).bounds
const click = (run: ScenarioRun, id: string): ScenarioRun =>
  act(run, { type: 'click', at: at(run, id), button: 'left', count: 1, modifiers: [] }).run
const dragged = (run: ScenarioRun, from: [number, number], to: [number, number]): unknown =>
  act(run, {
    type: 'drag',
    from: { x: from[0], y: from[1] },
    to: { x: to[0], y: to[1] },
    modifiers: [],
    durationMs: 0,
  }).run

describe('places of values', () => {
  it('[SC89] [SC90] puts elements at their values in the scales of their parent, and across an axis without values', () => {
    const run = begin(WEEK)
    expect(boundsOf(run, 'event-2')).toEqual({ x: 120, y: 120, width: 120, height: 60 })
    expect(boundsOf(run, 'noon')).toEqual({ x: 0, y: 240, width: 600, height: 1 })
  })

  it('[SC89] moves them as the data change, and by drags to other values', () => {
    const run = begin(WEEK)
    const moved = dragged(run, [180, 150], [460, 215]) as ScenarioRun
    expect(moved.data.events).toContainEqual({ id: 2, day: 3, start: 660, minutes: 60 })
    expect(boundsOf(moved, 'event-2')).toEqual({ x: 360, y: 180, width: 120, height: 60 })
    const longer = dragged(moved, [400, 237], [400, 268]) as ScenarioRun
    expect(boundsOf(longer, 'event-2')).toEqual({ x: 360, y: 180, width: 120, height: 90 })
  })

  it('[SC90] leaves out what is beyond the ends of a scale', () => {
    const run = begin(
      WEEK.replace('{id: 2, day: 1, start: 600, minutes: 60}', '{id: 2, day: 4, start: 450, minutes: 60}'),
    )
    expect(boundsOf(run, 'event-2')).toEqual({ x: 480, y: 0, width: 120, height: 30 })
  })

  it('[SC91] counts pixels without a scale, and leaves the place of the others to them', () => {
    const run = begin(WEEK)
    const [first, second] = [boundsOf(run, 'first'), boundsOf(run, 'second')]
    const { x, y } = boundsOf(run, 'plain')
    expect(boundsOf(run, 'shifted')).toMatchObject({ x, y: y + 40 })
    expect(second.y - first.y).toBeLessThan(40)
    const shifted = click(click(run, 'first'), 'first')
    expect(boundsOf(shifted, 'shifted')).toMatchObject({ x: x + 20, y: y + 40 })
    expect([boundsOf(shifted, 'first'), boundsOf(shifted, 'second')]).toEqual([first, second])
  })

  it('[SC89] takes another place from set', () => {
    expect(boundsOf(click(begin(WEEK), 'second'), 'noon')).toEqual({ x: 240, y: 240, width: 120, height: 60 })
  })

  it('[SC207] [SC208] gives the cell below the pointer, and keeps the whole element within the scale', () => {
    const run = begin(WEEK)
    const right = dragged(run, [125, 150], [599, 690]) as ScenarioRun
    expect(right.data.events).toContainEqual({ id: 2, day: 1, start: 600, minutes: 60 })
    const corner = dragged(run, [125, 125], [599, 599]) as ScenarioRun
    expect(corner.data.events).toContainEqual({ id: 2, day: 4, start: 1020, minutes: 60 })
  })

  it('[SC88] follows the data in grow, width and height, also in items, and takes them from set', () => {
    const run = begin(`
vars: {share: 1, bars: [{id: 1, tall: 40}]}
states:
  open:
    windows:
      - uid: app
        frame: none
        bounds: {x: 0, y: 0, width: 600, height: 400}
        tree:
          role: Window
          layout: {arrange: row, padding: 0, gap: 0}
          children:
            - {id: more, role: Button, name: More, width: 100}
            - {id: wide, role: Button, name: Wide, width: 100}
            - {id: left, role: Pane, name: Left, grow: '{{ share }}', height: 200, children: [{repeat: bars, as: bar, id: bar, role: Pane, name: Bar, height: '{{ bar.tall }}'}]}
            - {id: right, role: Pane, name: Right, grow: 1, height: 200}
reactions:
  - {on: {tool: click_element, target_id: more}, set: [{var: share, to: 3}, {var: bars, where: row.id == 1, change: {tall: 70}}]}
  - {on: {tool: click_element, target_id: wide}, set: [{id: wide, width: 200}]}
`)
    const sizes = (now: ScenarioRun) => [
      boundsOf(now, 'left').width,
      boundsOf(now, 'right').width,
      boundsOf(now, 'bar-1').height,
    ]
    expect(sizes(run)).toEqual([200, 200, 40])
    expect(sizes(click(run, 'more'))).toEqual([300, 100, 70])
    expect(sizes(click(run, 'wide'))).toEqual([150, 150, 40])
  })

  it.each([
    ['{y: 720, height: 1}}', '{y: 720, height: 1}, grow: 1}', 'at is the whole place; leave out grow'],
    ['{y: 720, height: 1}}', '{y: 720, height: -1}}', 'width and height are not negative'],
    [
      'role: Window\n',
      'role: Window\n          at: {x: 1}\n',
      'a window has its place from its bounds; write at in elements in it',
    ],
    [
      'role: Pane\n              name: Plain',
      'role: TabControl\n              name: Plain',
      'a TabControl places what is in it; write a Pane in it, and at in that',
    ],
  ])('[SC92] reports %j written as %j', (right, wrong, message) => {
    expect(() => begin(WEEK.replace(right, wrong))).toThrow(message)
  })
})
