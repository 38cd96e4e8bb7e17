import { atStep, defineFault, lasting } from '../fault-kind.ts'

export const hungWindow = defineFault({
  id: 'hung-window',
  describe: 'After a step the active window takes no input for a while.',
  params: { ...atStep, ...lasting(3000) },
  hook: {
    on: 'step',
    effects: ({ desktop, params }) => {
      const { active } = desktop
      if (active === undefined) return []
      return [
        { window: active, busy: true },
        { schedule: { after_ms: params.for_ms, set: [{ window: active, busy: false }] } },
      ]
    },
  },
})
