import { type Element, walk, withFields } from '../../../desktop/model/element.ts'
import { chances, defineFault, lasting } from '../fault-kind.ts'

const ITEMS: ReadonlySet<string> = new Set(['ListItem', 'DataItem', 'Row', 'TreeItem', 'MenuItem', 'TabItem'])

/** The items of a container that exchange their ids. */
const itemsOf = ({ children }: Element): readonly Element[] => children.filter(({ role }) => ITEMS.has(role))

/** Each item has the id of the next one of its container, the last that of the first. */
function withMovedIds(element: Element): Element {
  const items = itemsOf(element)
  const moved = (child: Element): string | undefined => {
    const at = items.indexOf(child)
    return at === -1 ? undefined : items[(at + 1) % items.length]!.id
  }
  const children = element.children.map((child) => withFields(withMovedIds(child), { id: moved(child) ?? child.id }))
  return withFields(element, { children })
}

function actualId(tree: Element, shown: string): string {
  for (const node of walk(tree)) {
    const items = itemsOf(node)
    const at = items.findIndex(({ id }) => id === shown)
    if (at !== -1) return items[(at + items.length - 1) % items.length]!.id
  }
  return shown
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
