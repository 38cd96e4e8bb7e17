import { chances, defineFault } from '../fault-kind.ts'

export const silentNoOp = defineFault({
  id: 'silent-no-op',
  describe: 'An action of any kind does nothing, although its receipt says ok.',
  params: chances({ probability: 0.2, times: 3 }),
  hook: { on: 'action', applies: () => true, alter: () => 'dropped' },
})
