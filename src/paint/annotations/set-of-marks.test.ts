import { expect, it } from 'vitest'
import { button, desktop, element, monitor, rect, table, window } from '../../desktop/model/builders.ts'
import { encloses, intersect } from '../../desktop/model/geometry.ts'
import { createPainter } from '../painter.ts'
import { visibleAreas } from './areas.ts'
import { annotate, drawnMarks, LABEL_SIZE, marksOf } from './set-of-marks.ts'

// Rules such as [AN17] are stated in README.md beside this file.

const SCREEN = rect(0, 0, 300, 200)
/** A wall of buttons without gaps, a few beside the edges of the screen. */
const wall = desktop(
  window(
    'App',
    { bounds: SCREEN, frame: 'none', state: 'maximized' },
    ...Array.from({ length: 70 }, (_, index) =>
      button(`B${index}`, { id: `b${index}`, bounds: rect((index % 10) * 30, Math.floor(index / 10) * 22, 30, 22) }),
    ),
  ),
  { monitors: [monitor(SCREEN)] },
)

it('[AN17] marks number clickable elements by their annotations, and cells by their row', () => {
  const cell = (name: string, x: number) => element('Cell', name, { bounds: rect(x, 40, 100, 24) })
  const rows = desktop(
    window(
      'App',
      { bounds: SCREEN, frame: 'none', state: 'maximized' },
      table(
        'Rows',
        { bounds: rect(0, 40, 200, 100) },
        element('Row', 'One', { id: 'row', bounds: rect(0, 40, 200, 24) }, cell('a', 0), cell('b', 100)),
      ),
      button('Go', { id: 'go', bounds: rect(220, 40, 60, 28) }),
    ),
    { monitors: [monitor(SCREEN)] },
  )
  const areas = visibleAreas(rows)
  const marks = marksOf(areas, createPainter().screen(rows), LABEL_SIZE)
  expect(marks.map(({ id }) => areas[id - 1]!.element.id)).toEqual(['row', 'go'])
})

it('[AN18] labels are inside the picture and cover neither each other nor their element', () => {
  const marks = marksOf(visibleAreas(wall), createPainter().screen(wall), LABEL_SIZE)
  expect(marks).toHaveLength(70)
  for (const [index, { label, box }] of marks.entries()) {
    expect(encloses(SCREEN, label)).toBe(true)
    expect(intersect(label, box)).toBeUndefined()
    expect(marks.slice(0, index).filter((other) => intersect(other.label, label))).toEqual([])
  }
})

it('[AN19] labels avoid other elements and texts where there is room', () => {
  const loose = desktop(
    window(
      'App',
      { bounds: SCREEN, frame: 'none', state: 'maximized' },
      button('Up', { bounds: rect(100, 60, 60, 24) }),
      button('Down', { bounds: rect(100, 84, 60, 24) }),
    ),
    { monitors: [monitor(SCREEN)] },
  )
  const picture = createPainter().screen(loose)
  const marks = marksOf(visibleAreas(loose), picture, LABEL_SIZE)
  const boxes = [...marks.map(({ box }) => box), ...picture.text!.map(({ bounds }) => bounds)]
  for (const { label } of marks) expect(boxes.filter((box) => intersect(box, label))).toEqual([])
  expect(Buffer.compare(annotate(picture, drawnMarks(marks)).pixels(), picture.pixels())).not.toBe(0)
})
