import * as z from 'zod'
import type { SimulationControl } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { advanceTime } from '../session/advance-time.ts'
import type { Parts } from '../session/context.ts'
import type { DesktopParts } from '../session/parts.ts'
import { defineTool } from '../tool.ts'

/** Throws `PlatformUnsupported` on a real desktop, whose past cannot be had back. */
export function requireSimulation(context: Parts<'computer'>, what: string): SimulationControl {
  const { simulation } = context.computer
  if (!simulation) throw new Fault('PlatformUnsupported', `${what} needs a synthetic desktop; this one is real`)
  return simulation
}

const Step = z.int().min(0).describe('A number of actions done; 0 is the beginning')

const sessionFork = defineTool({
  name: 'session_fork',
  kind: 'manage',
  audience: 'harness',
  summary: 'Split off an independent session that goes on from here, or from after an earlier action.',
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
  summary: 'Go back to how the desktop was after an earlier action; what came later is forgotten.',
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
  summary: 'Let time pass on a synthetic desktop: timers go off in order.',
  input: z.object({ ms: z.int().min(0).max(86_400_000).describe('How much, in milliseconds') }),
  output: z.object({
    now_ms: z.number().describe('Since the scenario began, in its own time'),
    state: z.string(),
    note: z.string().describe('When so many timers went off that not all of the time has passed').optional(),
  }),
  faults: ['PlatformUnsupported'],
  run: async ({ input }, context: DesktopParts) => {
    const simulation = requireSimulation(context, 'advancing time')
    const allPassed = await advanceTime(context, input.ms)
    const note = 'so many timers went off that only some of the time has passed; advance again for the rest'
    return { now_ms: simulation.elapsedMs, state: simulation.state, ...(!allPassed && { note }) }
  },
})

export const simulationTools = [sessionFork, sessionRewind, sessionAdvance]
