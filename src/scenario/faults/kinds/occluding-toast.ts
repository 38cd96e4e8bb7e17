import { atStep, defineFault, lasting } from '../fault-kind.ts'

export const occludingToast = defineFault({
  id: 'occluding-toast',
  describe: 'After a step a notification covers the corner of the screen for a while.',
  params: { ...atStep, ...lasting(8000) },
  hook: {
    on: 'step',
    effects: ({ params }) => [
      {
        title: 'Storage almost full',
        toast: 'Your disk has less than 5 % free space. Remove files that you no longer need.',
        for_ms: params.for_ms,
        actions: [{ name: 'Clean up' }, { name: 'Later' }],
      },
    ],
  },
})
