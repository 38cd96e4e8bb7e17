import * as z from 'zod'
import { countNodes, type Element, withFields } from '../../../desktop/model/element.ts'
import { chances, defineFault, lasting } from '../fault-kind.ts'

/** The first nodes of a tree in document order, and how many more may follow. */
function firstNodes(element: Element, most: number): [Element, number] {
  let left = most - 1
  const children: Element[] = []
  for (const child of element.children) {
    if (left <= 0) break
    const [kept, rest] = firstNodes(child, left)
    children.push(kept)
    left = rest
  }
  return [children.length === 0 && element.children.length === 0 ? element : withFields(element, { children }), left]
}

export const partialTree = defineFault({
  id: 'partial-tree',
  describe: 'After an action the trees end early for a while, as if reading them took too long.',
  params: {
    ...chances({ probability: 0.5, times: 5 }),
    ...lasting(1000),
    share: z
      .number()
      .min(0)
      .max(1)
      .describe('The share of the nodes that is kept, in document order')
      .meta({ examples: [0.5] })
      .default(0.5),
  },
  hook: {
    on: 'observation',
    tree: ({ tree, params }) => firstNodes(tree, Math.max(1, Math.floor(countNodes(tree) * params.share)))[0],
  },
})

export const emptyTree = defineFault({
  id: 'empty-tree',
  describe: 'After an action the trees have only their root for a while; pictures show everything.',
  params: { ...chances({ probability: 0.3, times: 3 }), ...lasting(1000) },
  hook: { on: 'observation', tree: ({ tree }) => withFields(tree, { children: [] }) },
})
