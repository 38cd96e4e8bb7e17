import { withFields } from '../../../desktop/model/element.ts'
import { chances, defineFault, lasting } from '../fault-kind.ts'

export const lateTree = defineFault({
  id: 'late-tree',
  describe: 'After an action the trees are those of before for a while; a new window has an empty one.',
  params: { ...chances({ probability: 0.5, times: 5 }), ...lasting(1000) },
  hook: { on: 'observation', tree: ({ tree, before }) => before ?? withFields(tree, { children: [] }) },
})
