import * as z from 'zod'
import type { SimulationControl } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { advanceTime } from '../session/advance-time.ts'
import type { Parts } from '../session/context.ts'
import type { DesktopParts } from '../session/parts.ts'
import { defineTool } from '../tool.ts'

/** Returns the simulation. Throws `PlatformUnsupported` on a real desktop. */
export function requireSimulation(context: Parts<'computer'>, what: string): SimulationControl {
  const { simulation } = context.computer
  if (!simulation) throw new Fault('PlatformUnsupported', `${what} needs a synthetic desktop; this one is real`)
  return simulation
}

const Step = z.int().min(0).describe('The number of completed actions; 0 is the start')

const sessionFork = defineTool({
  name: 'session_fork',
  kind: 'manage',
  audience: 'harness',
  summary: 'Fork an independent session that continues from now or from after an earlier action.',
  input: z.object({ at_step: Step.optional() }),
  output: z.object({ session_id: z.string(), base_url: z.string(), at_step: z.int() }),
  faults: ['PlatformUnsupported', 'BadRequest', 'Busy'],
  traits: { sequential: true },
  run: ({ input }, context: Parts<'computer' | 'fork'>) => {
    const simulation = requireSimulation(context, 'a fork')
    const fork = context.fork(input.at_step)
    return { session_id: fork.id, base_url: `/sessions/${fork.id}`, at_step: input.at_step ?? simulation.stepCount }
  },
})

const sessionRewind = defineTool({
  name: 'session_rewind',
  kind: 'manage',
  audience: 'harness',
  summary: 'Rewind the desktop to its state after an earlier action and discard later ones.',
  input: z.object({ to_step: Step }),
  output: z.object({ step: z.int(), state: z.string() }),
  faults: ['PlatformUnsupported', 'BadRequest'],
  traits: { destructive: true, idempotent: true, sequential: true },
  run: ({ input }, context: Parts<'computer' | 'onRewind'>) => {
    const simulation = requireSimulation(context, 'a rewind')
    simulation.rewind(input.to_step)
    context.onRewind(input.to_step)
    return { step: simulation.stepCount, state: simulation.state }
  },
})

const sessionAdvance = defineTool({
  name: 'session_advance',
  kind: 'manage',
  audience: 'harness',
  summary: 'Advance the clock of a synthetic desktop: timers fire in order.',
  input: z.object({ ms: z.int().min(0).max(86_400_000).describe('The time to advance, in milliseconds') }),
  output: z.object({
    now_ms: z.number().describe('Time since the start of the scenario, by its own clock'),
    state: z.string(),
    note: z.string().describe('Present when so many timers fired that only part of the time has passed').optional(),
  }),
  faults: ['PlatformUnsupported'],
  run: async ({ input }, context: DesktopParts) => {
    const simulation = requireSimulation(context, 'advancing time')
    const allPassed = await advanceTime(context, input.ms)
    const note = 'so many timers fired that only part of the time has passed; advance again for the rest'
    return { now_ms: simulation.elapsedMs, state: simulation.state, ...(!allPassed && { note }) }
  },
})

export const simulationTools = [sessionFork, sessionRewind, sessionAdvance]
