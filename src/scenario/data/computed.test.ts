import { describe, expect, it } from 'vitest'
import { begin, click, element, setValue } from '../../../test/support/scenario/player.ts'
import { withinBudget } from '../expression/budget.ts'
import { checkScenario, parseScenario } from '../load/load.ts'
import { openPacked } from '../load/packed.ts'
import { startScenario } from '../run/step.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'
import { createScope, evaluateLive } from './scope.ts'

const SHOP = `
params: {page_size: 2}
vars: {search: '', page: 0, parts: 4, products: [{id: mug, name: Mug, price: 8.5}, {id: tea, name: Green tea, price: 4.0}, {id: tin, name: Tin, price: 2.0}]}
computed:
  hits: take(products.filter(p, p.name.lower().contains(search.lower())), 100)
  pages: '{{ (size(hits) + page_size - 1) / page_size }}'
  total: sum(hits.map(p, p.price))
  dear: total > 10.0
  share: 100 / parts
states: {shop: {windows: [{uid: shop, bounds: {x: 0, y: 0, width: 600, height: 600}, tree: {role: Window, name: Shop, children: [
  {id: search, role: Edit, name: Search, bind: search},
  {repeat: {of: hits, sort_by: price, page: page, page_size: 2}, as: product, id: product, role: Group, name: '{{ product.name }}', children: [
    {id: price, role: Edit, name: Price, bind: product.price}, {id: drop, role: Button, name: Drop}]},
  {if: dear, id: dear, role: Text, name: 'Dear: {{ total }}'},
  {id: share, role: Text, name: 'Share {{ share }}'},
  {id: none, role: Button, name: None},
  {id: pages, role: Text, name: '{{ size(hits) }} on {{ pages }}'}]}}]}}
reactions:
  - {on: {tool: click_element, target_id: drop}, when: [{expression: pages > 0}], set: [{var: event.item, remove: true}]}
  - {on: {tool: click_element, target_id: none}, set: [{var: parts, to: 0}]}`

const names = (run: ScenarioRun) =>
  run.desktop.windows[0]!.tree.children.filter(({ role }) => !['Edit', 'Button'].includes(role)).map(
    ({ id, name }) => `${id} ${name}`,
  )

describe('computed names', () => {
  it('[DAT26] [DAT27] follow the data in expressions of all places, and keep their types', () => {
    const run = begin(SHOP)
    expect(names(run)).toEqual([
      'product-tin Tin',
      'product-tea Green tea',
      'dear Dear: 14.5',
      'share Share 25',
      'pages 3 on 2',
    ])
    const searched = setValue(run, 'search', 'te')
    expect(names(searched)).toEqual(['product-tea Green tea', 'share Share 25', 'pages 1 on 1'])
  })

  it('[DAT28] that select items of a variable let these be written', () => {
    const changed = setValue(begin(SHOP), 'product-tea.price', '1')
    expect(changed.data.products).toMatchObject([{}, { id: 'tea', price: 1 }, {}])
    expect(names(changed)).toEqual([
      'product-tea Green tea',
      'product-tin Tin',
      'dear Dear: 11.5',
      'share Share 25',
      'pages 3 on 2',
    ])
    expect(names(click(changed, 'product-tin.drop'))).toEqual([
      'product-tea Green tea',
      'product-mug Mug',
      'share Share 25',
      'pages 2 on 1',
    ])
  })

  it('[DAT29] keep their value while what they are computed from stays', () => {
    const { scope } = begin(SHOP).scenario.program!
    const evaluate = (data: object) => {
      const context = { data: { ...scope.initial, ...data }, state: 'shop', nowMs: 0, startMs: 0, screen: undefined }
      const expression = scope.compile('hits')
      if (!('evaluate' in expression)) throw new Error(expression.message)
      return evaluateLive(scope, 'hits', context)
    }
    const value = (data: object) => (evaluate(data) as { readonly value: unknown }).value
    expect(value({ page: 1 })).toBe(value({ page: 2 }))
    expect(value({ search: 'te' })).not.toBe(value({}))
  })

  it('[DAT30] count for the steps of an action, whether they were kept or not', () => {
    const numbers = Array.from({ length: 500 }, (_, number) => number)
    const scope = createScope({
      initial: { numbers },
      computed: [{ name: 'pairs', text: 'numbers.map(n, numbers.map(m, m + 1)[n])' }],
    })
    const context = { data: scope.initial, state: '', nowMs: 0, startMs: 0, screen: undefined }
    const loops = () =>
      withinBudget(() => {
        const results = Array.from({ length: 10_000 }, () => evaluateLive(scope, 'numbers.map(n, n + 1)', context))
        return results.findIndex((result) => 'message' in result)
      })
    const alone = loops()
    const loopsAfter = () =>
      withinBudget(() => {
        for (let index = 0; index < 3; index++) evaluateLive(scope, 'pairs', context)
        return loops()
      })
    const first = loopsAfter()
    expect(first).toBeLessThan(alone)
    expect(loopsAfter()).toBe(first)
  })

  it('[DAT26] without a value leave the element as it is, and the log records it', () => {
    const run = click(begin(SHOP), 'none')
    expect(element(run, 'share').name).toBe('Share 25')
    expect(entriesOf(run.log).map(({ fields }) => fields?.reason)).toContainEqual(
      expect.stringContaining('"100 / parts" has no value: division by zero'),
    )
  })

  it('[DAT31] are the same after a scenario was packed', () => {
    const opened = openPacked(structuredClone(checkScenario(SHOP).pack()))
    expect(names(startScenario(opened, { atMs: 0 }))).toEqual(names(begin(SHOP)))
  })
})

describe('problems of computed names', () => {
  const problems = (computed: string, element = '{role: Text, name: x}', reactions = '[]'): readonly string[] => {
    try {
      parseScenario(
        `vars: {cart: [{id: 1, price: 2}], count: 0}
params: {limit: 3}
computed: {${computed}}
states: {s: {windows: [{uid: a, tree: {role: Window, children: [${element}]}}]}}
reactions: ${reactions}`,
        { file: 'f' },
      )
      return []
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .filter((line) => /^f:\d/.test(line))
        .map((line) => line.replace(/ (states|reactions)\S+:/, ''))
    }
  }

  it('[DAT32] are names with a meaning, and what is no expression', () => {
    expect(problems('now: 1, count: 2, limit: 3, a-b: 4, none: , ok: 5')).toEqual([
      'f:3:12: now already has a meaning in expressions; choose another name',
      'f:3:20: count is a variable already; choose another name',
      'f:3:30: limit is a parameter already; choose another name',
      'f:3:40: "a-b" is not a name; expected letters, digits and _',
      'f:3:54: expected an expression for none, such as size(orders)',
    ])
  })

  it('[DAT33] are names that are computed later, or from themselves', () => {
    expect(problems('a: b + 1, b: count, c: c + 1')).toEqual([
      'f:3:15: a needs b, which is computed after it; write b above it',
      'f:3:35: c needs itself; expected an expression over variables and names above it',
    ])
  })

  it('[DAT34] are unknown names, events, the screen and drawing', () => {
    expect(problems("a: cuont, b: event.text, c: value('x'), d: 'pick(cart)'")).toEqual([
      'f:3:15: in cuont: unknown name "cuont"; did you mean "count"?',
      'f:3:25: in event.text: event is known only in reactions, and in timers with on',
      "f:3:40: in value('x'): a computed name follows the data, so it cannot read the screen with value(…); bind: a variable to the element, and use that",
      'f:3:55: in pick(cart): pick draws from the seed, which is possible only before the scenario runs; draw a parameter instead',
    ])
  })

  it('[DAT35] are changes of them', () => {
    const message =
      'total is computed and read-only, and a variable is needed here; name cart, from which it is computed'
    const total = "total: 'sum(cart.map(c, c.price))'"
    expect(problems(total, '{role: Edit, name: x, bind: total}')).toEqual([`f:4:93: ${message}`])
    expect(problems(total, undefined, '[{on: {tool: click_element}, set: [{var: total, to: 1}]}]')).toEqual([
      `f:5:53: ${message}`,
    ])
    expect(
      problems('lines: \'cart.map(c, {"id": c.id})\'', '{repeat: lines, as: line, role: Edit, name: x, bind: line.id}'),
    ).toEqual([expect.stringContaining('line.id is computed by cart.map(c, {"id": c.id}) and cannot be written')])
  })
})
