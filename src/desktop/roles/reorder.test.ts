import { expect, it } from 'vitest'
import { act, drag, find } from '../../../test/support/desktop/driver.ts'
import { desktop, list, listItem, rect, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { centerOf } from '../model/geometry.ts'

const board = (reorder = true) =>
  desktop(
    window(
      'Board',
      ...['todo', 'done'].map((id, column) =>
        list(
          id,
          { id, bounds: rect(120 + column * 300, 160, 200, 200), ...(reorder && { traits: { reorder } }) },
          ...['a', 'b', 'c']
            .slice(0, 3 - 2 * column)
            .map((name, row) =>
              listItem(name, { id: `${id}-${name}`, bounds: rect(120 + column * 300, 160 + row * 28, 200, 28) }),
            ),
        ),
      ),
    ),
  )
const rows = (on: Desktop, id: string) => find(on, id).children.map(({ name, bounds }) => `${name} ${bounds.y}`)
const middle = (on: Desktop, id: string) => centerOf(find(on, id).bounds)

it('[DT152] an item is dragged to another place of its list', () => {
  const moved = act(board(), drag(middle(board(), 'todo-a'), { x: 200, y: 240 }))
  expect(rows(moved, 'todo')).toEqual(['b 160', 'c 188', 'a 216'])
  const back = act(moved, drag(middle(moved, 'todo-a'), { x: 200, y: 162 }))
  expect(rows(back, 'todo')).toEqual(['a 160', 'b 188', 'c 216'])
})

it('[DT152] an item is dragged to another list', () => {
  const moved = act(board(), drag(middle(board(), 'todo-b'), { x: 500, y: 300 }))
  expect([rows(moved, 'todo'), rows(moved, 'done')]).toEqual([
    ['a 160', 'c 188'],
    ['a 160', 'b 188'],
  ])
  expect(find(moved, 'todo-b').bounds).toEqual(rect(420, 188, 200, 28))
})

it('[DT152] nothing moves where the author does not let it', () => {
  const on = board(false)
  expect(rows(act(on, drag(middle(on, 'todo-a'), { x: 200, y: 240 })), 'todo')).toEqual(rows(on, 'todo'))
})
