import { type Element, nodeAt, pathOf, withFields } from '../../../desktop/model/element.ts'
import { chances, defineFault, lasting } from '../fault-kind.ts'

const ITEMS: ReadonlySet<string> = new Set(['ListItem', 'DataItem', 'Row', 'TreeItem', 'MenuItem', 'TabItem'])

/** The items of a container that exchange their ids. */
const itemsOf = ({ children }: Element): readonly Element[] => children.filter(({ role }) => ITEMS.has(role))

/** Each item has the id of the next one of its container, the last that of the first. So have its parts, such as cells. */
function withMovedIds(element: Element): Element {
  const items = itemsOf(element)
  const areAlike = items.every((item) => haveSameShape(item, items[0]!))
  const children = element.children.map((child) => {
    const at = items.indexOf(child)
    if (at === -1) return withMovedIds(child)
    const next = items[(at + 1) % items.length]!
    return areAlike ? withIdsOf(child, next) : withFields(withMovedIds(child), { id: next.id })
  })
  return withFields(element, { children })
}

const haveSameShape = (a: Element, b: Element): boolean =>
  a.children.length === b.children.length &&
  a.children.every((child, index) => haveSameShape(child, b.children[index]!))

/** An element with the ids of another one of the same shape. */
const withIdsOf = (element: Element, other: Element): Element =>
  withFields(element, {
    id: other.id,
    children: element.children.map((child, index) => withIdsOf(child, other.children[index]!)),
  })

function actualId(tree: Element, shown: string): string {
  const path = pathOf(withMovedIds(tree), shown)
  return path ? nodeAt(tree, path)!.id : shown
}

export const staleReference = defineFault({
  id: 'stale-reference',
  describe:
    'After an action the ids of rows and items are used for their neighbours, so that an id seen before is another row.',
  params: { ...chances({ probability: 0.5, times: 1 }), ...lasting(3_600_000) },
  hook: {
    on: 'observation',
    tree: ({ tree }) => withMovedIds(tree),
    actualId: (_, tree, shown) => actualId(tree, shown),
  },
})
