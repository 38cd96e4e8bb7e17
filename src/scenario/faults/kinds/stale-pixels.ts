import { chances, defineFault, lasting } from '../fault-kind.ts'

export const stalePixels = defineFault({
  id: 'stale-pixels',
  describe: 'After an action pictures show the screen of before for a while; the trees are those of now.',
  params: { ...chances({ probability: 0.5, times: 5 }), ...lasting(1000) },
  hook: { on: 'observation', pictureBefore: true },
})
