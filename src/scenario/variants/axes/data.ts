import type { VariantAxis } from '../axis.ts'

const SAMPLES = 20

/** Other parameters, drawn while the scenario is composed (`load/load.ts`). */
export const data: VariantAxis = {
  name: 'data',
  about: 'The parameters are drawn from this seed; timers and everything else keep the seed of the run.',
  values: 'a whole number',
  problem: (value) =>
    /^-?\d{1,15}$/.test(value) ? undefined : 'expected a whole number, the seed of the drawn parameters',
  needsParameters: true,
  obstacle: () => undefined,
  samples: () => Array.from({ length: SAMPLES }, (_, index) => String(index + 1)),
  apply: (subject) => subject,
}
