import { describe, expect, it } from 'vitest'
import { act, at, begin, element, key } from '../../../test/support/scenario/player.ts'
import { scrollByWheel } from '../../desktop/apply/wheel.ts'
import { hitTest } from '../../desktop/hit.ts'
import { pathOf } from '../../desktop/model/element.ts'
import { shownBounds } from '../../desktop/visible-bounds.ts'
import type { ScenarioRun } from '../scenario-run.ts'

const SHEET = `
vars:
  plan: '{{ range(30).map(n, {"id": n + 1, "a": "A" + string(n + 1), "b": "B" + string(n + 1), "c": "C" + string(n + 1), "d": "D" + string(n + 1)}) }}'
states:
  open:
    windows:
      - uid: plan
        bounds: {x: 0, y: 0, width: 400, height: 230}
        frame: none
        tree:
          role: Window
          children:
            - id: sheet
              role: Grid
              name: Plan
              bounds: {x: 0, y: 0, width: 400, height: 230}
              rows: plan
              key: id
              frozen: {rows: 2, columns: 1}
              columns: [{field: a, width: 100, editable: true}, {field: b, width: 150}, {field: c, width: 150}, {field: d, width: 150, total: count}]
`
const boundsOf = (run: ScenarioRun, id: string) => element(run, id).bounds
const shown = ({ desktop: { windows } }: ScenarioRun, id: string) =>
  shownBounds(windows[0]!.tree, pathOf(windows[0]!.tree, id)!)
const hit = (run: ScenarioRun, x: number, y: number): string => {
  const found = hitTest(run.desktop, { x, y })
  return found && 'element' in found ? found.element.id : ''
}
const scroll = (run: ScenarioRun, clicks: number, axis: 'x' | 'y' = 'y'): ScenarioRun =>
  act(run, { type: 'scroll', at: { x: 250, y: 150 }, ...(axis === 'x' ? { clicks: 0, across: -clicks } : { clicks }) })
    .run
const click = (run: ScenarioRun, id: string): ScenarioRun =>
  act(run, { type: 'click', at: at(run, id), button: 'left', count: 1, modifiers: [] }).run

describe('frozen rows and columns', () => {
  it('[REC24] keep their place while the others scroll in both directions', () => {
    const run = begin(SHEET)
    const moved = scroll(scroll(run, -1), -1, 'x')
    const [a1, c6] = [boundsOf(run, 'sheet.row-1.a'), boundsOf(run, 'sheet.row-6.c')]
    expect([boundsOf(moved, 'sheet.row-1.a'), boundsOf(moved, 'sheet.header.a')]).toEqual([
      a1,
      boundsOf(run, 'sheet.header.a'),
    ])
    expect(boundsOf(moved, 'sheet.row-6.c')).toEqual({ ...c6, x: c6.x - 60, y: c6.y - 60 })
    expect(boundsOf(moved, 'sheet.row-6.a')).toEqual({ ...boundsOf(run, 'sheet.row-6.a'), y: c6.y - 60 })
    expect(boundsOf(moved, 'sheet.row-2.c')).toMatchObject({ x: c6.x - 60, y: boundsOf(run, 'sheet.row-2.c').y })
    expect(boundsOf(moved, 'sheet.totals.d').x).toBe(boundsOf(run, 'sheet.totals.d').x - 60)
  })

  it('[REC24] scroll sideways only as far as the last column, which keeps its width', () => {
    const run = scroll(begin(SHEET), -30, 'x')
    expect(boundsOf(run, 'sheet.row-1.d')).toMatchObject({ x: 250, width: 150 })
  })

  it('[REC25] cover what scrolls below them, in hits and in visible bounds', () => {
    const run = scroll(scroll(begin(SHEET), -3), -2, 'x')
    expect(hit(run, 90, boundsOf(run, 'sheet.row-1').y + 5)).toBe('sheet.row-1.a')
    expect(boundsOf(run, 'sheet.row-1.b').x).toBeLessThan(100)
    expect(shown(run, 'sheet.row-1.b')).toMatchObject({ x: 100, width: 30 })
    expect(hit(run, 250, boundsOf(run, 'sheet.row-2').y + 27)).toBe('sheet.row-2.c')
    const below = run.desktop.windows[0]!.tree.children[0]!.children[3]!
    expect(shown(run, below.id)!.y).toBe(boundsOf(run, 'sheet.row-2').y + 28)
  })

  it('[REC26] let keys and choices bring a cell into the part that scrolls', () => {
    const first = click(begin(SHEET), 'sheet.row-1.a')
    const right = key(key(key(first, 'right'), 'right'), 'right')
    expect(boundsOf(right, 'sheet.row-1.d')).toMatchObject({ x: 250, width: 150 })
    const back = key(key(right, 'left'), 'left')
    expect(boundsOf(back, 'sheet.row-1.b').x).toBe(100)
    const down = key(first, 'ctrl+down')
    expect(boundsOf(down, 'sheet.row-30').y + 28).toBe(boundsOf(down, 'sheet.totals').y)
    const frozen = key(down, 'ctrl+up')
    expect(boundsOf(frozen, 'sheet.row-30').y).toBe(boundsOf(down, 'sheet.row-30').y)
    const third = key(key(frozen, 'down'), 'down')
    expect(boundsOf(third, 'sheet.row-3').y).toBe(boundsOf(third, 'sheet.row-2').y + 28)
  })

  it('[REC26] stay while cells are edited and records are sorted away', () => {
    const editing = act(key(click(begin(SHEET), 'sheet.row-1.a'), 'f2'), { type: 'type', text: '!' }).run
    const run = key(scroll(editing, -5), 'enter')
    expect(element(run, 'sheet.row-1.a').value).toBe('A1!')
    expect(run.data.plan).toContainEqual({ id: 1, a: 'A1!', b: 'B1', c: 'C1', d: 'D1' })
  })

  it('[REC26] come with the wheel event that brings a cell from below them into view', () => {
    const { tree } = scroll(begin(SHEET), -5, 'x').desktop.windows[0]!
    const wheelTo = (id: string) => scrollByWheel(tree, pathOf(tree, id)!)
    expect([wheelTo('sheet.row-5.b')?.clicks, wheelTo('sheet.row-1.b')?.clicks, wheelTo('sheet.row-1.a')]).toEqual([
      3,
      3,
      undefined,
    ])
  })

  it.each([
    ['frozen: {rows: 2, columns: 1}', 'frozen: {columns: 4}', 'the table has 4 columns, and one of them has to scroll'],
    ['frozen: {rows: 2, columns: 1}', 'frozen: {}', 'expected rows or columns'],
    ['role: Grid', 'role: List', 'frozen is for tables'],
  ])('[REC27] reports %s written as %j', (right, wrong, message) => {
    expect(() => begin(SHEET.replace(right, wrong))).toThrow(message)
  })
})
