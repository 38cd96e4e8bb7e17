import * as z from 'zod'
import { drawInteger, type Random } from '../../../base/random.ts'
import { chances, defineFault, type FaultKind } from '../fault-kind.ts'

const MAX_DELAY_MS = 600_000

const delay = (what: string, ms: number) =>
  z
    .int()
    .min(1)
    .max(MAX_DELAY_MS)
    .describe(what)
    .meta({ examples: [ms] })
    .default(ms)

/** A draw of the standard normal distribution: the sum of twelve uniform ones. */
function normal(random: Random): number {
  let sum = 0
  let next = random
  for (let draw = 0; draw < 12; draw++) {
    const [part, after] = drawInteger(next, 0, 999_999)
    sum += part / 1_000_000
    next = after
  }
  return sum - 6
}

/** Calls that take longer, in the time of the desktop. */
export const latencies: readonly FaultKind[] = [
  defineFault({
    id: 'latency',
    describe: 'Each call of an agent takes longer, always the same time of the desktop clock.',
    params: { ...chances({ probability: 1, times: 1000 }), delay_ms: delay('The delay, in milliseconds', 500) },
    hook: { on: 'call', outcome: ({ delay_ms }) => ({ delayMs: delay_ms }) },
  }),
  defineFault({
    id: 'latency-lognormal',
    describe: 'Each call of an agent takes longer, mostly a little and now and then much longer.',
    params: {
      ...chances({ probability: 1, times: 1000 }),
      median_ms: delay('The median of the delays, in milliseconds', 300),
      sigma: z
        .number()
        .min(0)
        .max(3)
        .describe('The spread of the logarithm of the delays')
        .meta({ examples: [0.8] })
        .default(0.8),
    },
    hook: {
      on: 'call',
      outcome: ({ median_ms, sigma }, random) => ({
        delayMs: Math.min(MAX_DELAY_MS, Math.max(1, Math.round(median_ms * Math.exp(sigma * normal(random))))),
      }),
    },
  }),
]
