import { describe, expect, it } from 'vitest'
import { typeOf } from '../expression/data-type.ts'
import { isProblem } from '../expression/expression.ts'
import type { ScreenReader } from '../expression/functions.ts'
import { evaluateTemplate, liveTemplatesOf } from '../live/live-template.ts'
import { conditionHolds, createScope, evaluateLive, type LiveContext, NO_EVENT } from './scope.ts'

const INITIAL = { orders: [{ id: 1, total: 2.5 }], count: 0, search: '' }
const scope = createScope({ initial: INITIAL, constants: { limit: 10 } })

const screen: ScreenReader = {
  value: (id) => (id === 'search' ? 'dune' : ''),
  name: (id) => (id === 'search' ? 'Search' : ''),
  selected: (id) => id === 'agree',
  cell: () => ({ name: 'B3', text: '2.5', content: '=5/2' }),
  selectedKeys: () => ['1', '3'],
  selectedNumbers: () => [2.5, 4],
  selectedCells: () => ['1.a', '2.a'],
  caret: () => ({ at: 3, selected: 'ab' }),
  sheetCell: () => ({ value: 2.5, content: '=5/2' }),
  exists: (id) => id === 'search',
  count: (selector) => (selector === 'Button' ? 2 : 0),
  happened: (name) => (name === 'saved' ? 3 : 0),
  canUndo: () => false,
  canRedo: () => false,
}
const context: LiveContext = {
  data: { ...INITIAL, count: 4 },
  state: 'ready',
  startMs: Date.UTC(2026, 2, 2, 9),
  nowMs: Date.UTC(2026, 2, 2, 9, 0, 30),
  screen,
  event: { ...NO_EVENT, text: 'go', groups: ['go now', 'go'] },
}
const evaluated = (text: string, given = context) => {
  const result = evaluateLive(scope, text, given)
  return 'value' in result ? result.value : result.message
}

describe('live expressions', () => {
  it('[DAT1] read variables, parameters and the moment', () => {
    expect(evaluated('count + limit')).toBe(14)
    expect(evaluated('sum(orders.map(order, order.total))')).toBe(2.5)
    expect(evaluated('state + " " + now.format("HH:mm:ss") + " " + start_time.format("HH:mm:ss")')).toBe(
      'ready 09:00:30 09:00:00',
    )
    expect(evaluated('event.text + event.groups[0]')).toBe('gogo now')
  })

  it('[DAT2] compare with the start', () => {
    expect(evaluated('count == initial.count + 4')).toBe(true)
  })

  it('[DAT3] name the nearest known name', () => {
    expect(evaluated('cuont > 1')).toBe('unknown name "cuont"; did you mean "count"?')
    expect(evaluated('orders[0].totl')).toBe('unknown field "totl"; did you mean "total"?')
    expect(evaluated('count + "x"')).toContain('string(…) around the int')
  })

  it('[DAT4] read the screen', () => {
    expect(evaluated('value("search") + name("search") + value("none")')).toBe('duneSearch')
    expect(evaluated('[selected("agree"), exists("search"), exists("none")]')).toEqual([true, true, false])
    expect(evaluated('count("Button") + happened("saved")')).toBe(5)
    expect(evaluated('[1, 2].exists(x, x > 1)')).toBe(true)
    expect(evaluated('value("search")', { ...context, screen: undefined })).toContain('only while the scenario runs')
  })

  it('[DAT5] know names of one place only there', () => {
    const row = scope.rowOf('orders')!
    expect(
      evaluateLive(scope, 'row.total > 2.0', context, { types: row, values: { row: INITIAL.orders[0]! } }),
    ).toMatchObject({ value: true })
    expect(evaluated('row.total > 2.0')).toContain('unknown name "row"')
    expect([scope.rowOf('count'), scope.rowOf('none')]).toEqual([undefined, undefined])
    const local = { types: { x: typeOf(1) }, values: { x: 5 } }
    expect([
      conditionHolds(scope, 'x > count', context, local),
      conditionHolds(scope, 'x < count', context, local),
      conditionHolds(scope, '1 / (count - 4) > 0', context),
    ]).toEqual([true, false, false])
  })

  it('[DAT7] are compiled once', () => {
    const expression = scope.compile('count + 1')
    expect(isProblem(expression)).toBe(false)
    expect(scope.compile('count + 1')).toBe(expression)
    expect(scope.compile('row.id', { row: typeOf({ id: 1 }) })).toBe(
      scope.compile('row.id', { row: typeOf({ id: 1 }) }),
    )
  })

  it('[DAT1] fill live templates with their type, and leave other texts', () => {
    const source = { scope, templates: liveTemplatesOf(['{{ count }}', 'Total {{ count }} of {{ limit }}']) }
    const fill = (text: string) => evaluateTemplate(source, text, context).value
    expect([fill('{{ count }}'), fill('Total {{ count }} of {{ limit }}'), fill('{{ other }}')]).toEqual([
      4,
      'Total 4 of 10',
      '{{ other }}',
    ])
  })
})
