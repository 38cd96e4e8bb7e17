import { chances, defineFault } from '../fault-kind.ts'

export const lostClick = defineFault({
  id: 'lost-click',
  describe: 'A click reaches no element, although its receipt says ok.',
  params: chances({ probability: 0.3, times: 3 }),
  hook: { on: 'action', applies: ({ type }) => type === 'click', alter: () => 'dropped' },
})
