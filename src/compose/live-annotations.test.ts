import { expect, it } from 'vitest'
import { hitTest } from '../desktop/hit.ts'
import { centerOf } from '../desktop/model/geometry.ts'
import { visibleAreas } from '../paint/annotations/areas.ts'
import { annotationsOf } from '../paint/annotations/coco.ts'
import { marksOf } from '../paint/annotations/set-of-marks.ts'
import { openDesktop, type TestDesktop } from '../testing.ts'

// Rules such as [AN20] are stated in paint/annotations/README.md.

const BOARD = `
name: board
vars:
  columns: [{id: open, done: false}, {id: closed, done: true}]
  cards: [{id: 1, title: Ann, done: false}, {id: 2, title: Bob, done: false}, {id: 3, title: Cy, done: false}]
states:
  open:
    windows:
      - uid: board
        title: Board
        bounds: {x: 40, y: 40, width: 640, height: 640}
        tree:
          role: Window
          name: Board
          layout: {arrange: row}
          children:
            - {role: Pane, name: Tools, width: 140, children: [{id: add, role: Button, name: Add}, {id: turn, role: Button, name: Turn}, {id: finish, role: Button, name: Finish}]}
            - repeat: columns
              as: column
              id: column
              role: Pane
              name: '{{ column.id }}'
              width: 190
              children:
                - repeat: 'cards.filter(c, c.done == column.done)'
                  as: card
                  id: card
                  role: Group
                  look: card
                  height: 96
                  name: '{{ card.title }}'
                  children: [{id: title, role: Text, name: '{{ card.title }}'}, {id: pick, role: Button, name: 'Pick {{ card.title }}'}]
reactions:
  - {"on": {tool: click_element, target_id: add}, set: [{var: cards, append: {id: '{{ next_id(cards) }}', title: New, done: false}}]}
  - {"on": {tool: click_element, target_id: turn}, set: [{var: cards, sort_by: title, descending: true}]}
  - {"on": {tool: click_element, target_id: finish}, set: [{var: cards, where: row.id == 2, change: {done: true}}]}
`

/** The annotations of a frame, by element, with their marks and the pixels of their masks. */
async function frameOf(desktop: TestDesktop, image: number) {
  const { desktop: shown } = desktop.computer
  const picture = await desktop.computer.screenshot({ screen: true })
  const { width, height } = picture
  const areas = visibleAreas(shown)
  const { annotations } = annotationsOf(areas, picture.text ?? [], {
    id: image,
    file_name: `${image}.png`,
    width,
    height,
  })
  const marks = marksOf(areas, picture, { height: 12, widthOf: (label) => 8 * label.length })
  for (const area of areas) {
    const hit = hitTest(shown, centerOf(area.parts[0]!))
    expect(hit && 'element' in hit && hit.path.slice(0, area.path.length)).toEqual(area.path)
  }
  const items = annotations.filter(({ element_id }) => element_id.startsWith('card-'))
  return new Map(
    items.map(({ element_id, name, area, bbox, id }) => [
      element_id,
      { name, area, size: bbox.slice(2), isMarked: marks.some((mark) => mark.id === id) },
    ]),
  )
}

it('[AN20] keeps the id, the mask and the mark of each item through a film of changes', async () => {
  const desktop = openDesktop({ scenario: BOARD })
  const frames = [await frameOf(desktop, 1)]
  for (const [index, tool] of ['add', 'turn', 'finish', 'add'].entries()) {
    await desktop.call('click_element', { element_id: tool })
    frames.push(await frameOf(desktop, index + 2))
  }
  const [first] = frames
  const ids = [
    'card-1',
    'card-1.title',
    'card-1.pick',
    'card-2',
    'card-2.title',
    'card-2.pick',
    'card-3',
    'card-3.title',
    'card-3.pick',
  ]
  expect([...first!.keys()].sort()).toEqual(ids.toSorted())
  for (const frame of frames) for (const id of ids) expect({ id, ...frame.get(id) }).toEqual({ id, ...first!.get(id) })
  expect([...frames.at(-1)!.keys()].filter((id) => /^card-\d$/.test(id)).sort()).toEqual([
    'card-1',
    'card-2',
    'card-3',
    'card-4',
    'card-5',
  ])
  expect(first!.get('card-2.pick')).toMatchObject({ name: 'Pick Bob', isMarked: true })
})
