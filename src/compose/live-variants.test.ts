import { describe, expect, it } from 'vitest'
import { walk } from '../desktop/model/element.ts'
import { parseScenario } from '../scenario/load/load.ts'
import { PERSONALITIES } from '../scenario/personalities/personalities.ts'
import { startScenario } from '../scenario/run/step.ts'
import { withVariant } from '../scenario/seeds.ts'
import { AXES } from '../scenario/variants/axes.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'
import { openDesktop } from '../testing.ts'
import { runSolution } from './verify/solution-run.ts'

// Rules such as [VAR49] are stated in scenario/variants/README.md.

const SHOP = `
name: shop
task: Put two mugs into the cart.
synonyms: {Add: [Put in, Take]}
locales:
  de: {Add: Hinzufügen, Cheap: Günstig, Dear: Teuer, 'Amount': Menge, Sold out: Ausverkauft, mug: Becher, 'Level: {{ level }}': 'Stufe: {{ level }}', full: voll, empty: leer, Cart is empty.: Der Wagen ist leer., "{{ what }} in the cart": "{{ what }} im Wagen"}
vars:
  size: Large
  products: [{id: mug, title: Mug, price: 8.5, stock: 3, amount: 1}, {id: tea, title: Tea, price: 30.0, stock: 0, amount: 1}, {id: tin, title: Tin, price: 3.0, stock: 2, amount: 1}]
  cart: []
types: {cart: {id: text, amount: integer}}
computed:
  dearest: 'products.exists(p, p.price > 20.0) ? "Dear" : "Cheap"'
  level: 'size(cart) == 0 ? "empty" : "full"'
  code: 'size(products) > 2 ? "mug" : "tea"'
states:
  open:
    windows:
      - uid: shop
        title: Shop
        bounds: {x: 80, y: 60, width: 640, height: 620}
        tree:
          role: Window
          name: Shop
          children:
            - {id: level, role: Text, name: 'Level: {{ level }}'}
            - {id: dearest, role: Text, name: '{{ dearest }}'}
            - {if: 'level == "empty"', id: none, role: Text, name: Cart is empty.}
            - role: ScrollArea
              name: Products
              grow: 1
              children:
                - repeat: products
                  as: product
                  id: product
                  role: Group
                  name: '{{ product.title }}'
                  children:
                    - {if: product.stock == 0, id: sold, role: Text, name: Sold out}
                    - {if: product.id == code, id: best, role: Text, name: '{{ product.title }}'}
                    - {id: amount, role: Spinner, name: Amount, bind: product.amount, value_min: 1, value_max: 9}
                    - {if: product.stock > 0, id: add, role: Button, name: Add}
            - {id: sizes, role: List, name: Sizes, bind: size, children: [{role: ListItem, name: Small}, {role: ListItem, name: Large}]}
reactions:
  - "on": {tool: click_element, target_id: add}
    set: [{var: cart, append: {id: '{{ event.item.id }}', amount: '{{ event.item.amount }}'}}]
solution:
  - {call: set_value, with: {selector: 'Group "Mug"/Spinner "Amount"', value: '2'}}
  - {call: click_element, with: {selector: 'Group "Mug"/Button "Add"'}}
oracles: {success: [{kind: changes, exactly: [{var: cart, appended: {id: mug, amount: 2}}, {var: products, where: row.id == "mug", change: {amount: 2}}]}]}
`
const scenario = parseScenario(SHOP)
const treeIn = (variant: VariantChoices) =>
  startScenario(withVariant(scenario, variant), { atMs: 0 }).desktop.windows.find(({ uid }) => uid === 'shop')!.tree
const liveIds = (variant: VariantChoices) =>
  [...walk(treeIn(variant))].flatMap(({ id, traits }) => (traits?.instance ? [id] : []))
const namesIn = (variant: VariantChoices) =>
  Object.fromEntries([...walk(treeIn(variant))].map(({ id, name }) => [id, name]))

const SAMPLES = AXES.flatMap((axis) =>
  [...new Set(axis.samples(parseAuthored()))].map((value): [string, string] => [axis.name, value]),
)
function parseAuthored() {
  return { states: {}, synonyms: { Add: ['Take'] }, locales: { de: {} } } as never
}

describe('a variant of a scenario whose elements follow the data', () => {
  it.each(SAMPLES)('[VAR49] can be solved with %s=%s, and has the same items', async (axis, value) => {
    const run = await runSolution(withVariant(scenario, { [axis]: value }), undefined, { marked: false })
    expect([run.failure, liveIds({ [axis]: value })]).toEqual([undefined, liveIds({})])
  })

  it('[VAR31] translates the texts of computed names, but not what something is compared with', () => {
    const { level, dearest, none, ...items } = namesIn({ locale: 'de' })
    expect({ level, dearest, none }).toEqual({
      level: 'Stufe: empty',
      dearest: 'Teuer',
      none: 'Der Wagen ist leer.',
    })
    expect([
      items['product-mug.add'],
      items['product-mug'],
      items['product-mug.best'],
      items['product-tea.sold'],
    ]).toEqual(['Hinzufügen', 'Mug', 'Mug', 'Ausverkauft'])
  })

  it('[VAR50] makes no label of the data longer in pseudo, and shuffles no items', () => {
    const names = namesIn({ locale: 'pseudo' })
    expect([names['product-mug'], names['product-mug.best'], names['product-mug.add']]).toEqual([
      'Mug',
      'Mug',
      expect.stringMatching(/^Add ‹.*›$/),
    ])
    expect(liveIds({ order: 'shuffled' })).toEqual(liveIds({}))
  })
})

describe.each(PERSONALITIES.map(({ name }) => name))('[VAR51] in the tree of %s', (personality) => {
  it('items and their parts have their ids, also after a change, and can be used by them', async () => {
    const desktop = openDesktop({ scenario: SHOP, variant: { personality } })
    const ids = () => [...walk(desktop.computer.tree('shop')!)].map(({ id }) => id)
    const own = ['product-mug', 'product-mug.amount', 'product-mug.add', 'product-tin.add']
    expect(own.filter((id) => !ids().includes(id))).toEqual([])
    expect(new Set(ids()).size).toBe(ids().length)
    await desktop.call('set_value', { element_id: 'product-mug.amount', window_uid: 'shop', value: '2' })
    await desktop.call('click_element', { element_id: 'product-mug.add', window_uid: 'shop' })
    expect(desktop.computer.run.data.cart).toEqual([{ id: 'mug', amount: 2 }])
    expect(own.filter((id) => !ids().includes(id))).toEqual([])
    expect(new Set(ids()).size).toBe(ids().length)
  })
})
