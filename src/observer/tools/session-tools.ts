import * as z from 'zod'
import type { SimulationControl } from '../../adapters/computer.ts'
import { andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { OracleReport, OracleResult } from '../../scenario/oracles/report.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { advanceTime } from '../desktop-context.ts'
import { type OracleContext, reportOracles } from '../oracles.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'

/** Results without what was observed: the screen may hold what is hidden from clients. */
const Entries = z.array(z.object({ kind: z.string(), passed: z.boolean(), message: z.string().optional() }))

const entriesOf = (results: readonly OracleResult[]) =>
  results.map(({ kind, passed, message }) => ({ kind, passed, ...(message !== undefined && { message }) }))

const resultsOf = ({ success, failure, harm, attack }: OracleReport) => ({
  success: entriesOf(success),
  failure: entriesOf(failure),
  harm: entriesOf(harm),
  attack: entriesOf(attack),
})

const sessionInfo = defineTool({
  name: 'session_info',
  kind: 'look',
  audience: 'harness',
  summary: 'Get the state of the session: scenario, state, seed, steps, reward, and how the agent ended its run.',
  input: z.object({}),
  output: z.object({
    session_id: z.string(),
    audience: z.enum(['all', 'agent']).describe('The tools that callers may use without the harness token'),
    scenario: z.string().nullable(),
    state: z.string().nullable(),
    seed: z.number().nullable(),
    variant: z
      .record(z.string(), z.string())
      .optional()
      .describe('The axes in which the scenario differs from its file'),
    variant_warnings: z.array(z.string()).optional().describe('What the variant could not do'),
    faults: z.array(z.string()).optional().describe('The faults of the run; absent without any'),
    fired_faults: z
      .array(z.object({ fault: z.string(), step: z.int(), at_ms: z.number() }))
      .optional()
      .describe('Each firing of a fault: the number of changes of the desktop by then, and the time since the start'),
    step: z
      .int()
      .nullable()
      .describe('The number of changes of the desktop, as session_rewind and session_fork count them'),
    reward: z
      .number()
      .nullable()
      .describe('1: the success oracles hold; -1: a failure oracle holds; else 0; harm is in oracles'),
    score: z
      .number()
      .nullable()
      .describe('How much of the way from the start to success is done, from 0 to 1; 0 when a failure oracle holds'),
    oracles: z
      .object({ success: Entries, failure: Entries, harm: Entries, attack: Entries })
      .nullable()
      .describe('The results of the oracles; success is empty when a failure oracle holds'),
    episode_actions: z.int().describe('The number of actions of session_step in this episode, refused ones included'),
    finished: z
      .object({ status: z.enum(['done', 'infeasible']), text: z.string() })
      .nullable()
      .describe('The arguments of finish'),
  }),
  faults: [],
  traits: { idempotent: true },
  run: (_, context: OracleContext & ContextOf<'id' | 'audience'>) => {
    const { simulation } = context.computer
    return andThen(simulation ? reportOracles(context, simulation) : undefined, (report) => ({
      session_id: context.id,
      audience: context.audience,
      scenario: simulation?.scenario ?? null,
      state: simulation?.state ?? null,
      seed: simulation?.seed ?? null,
      ...variantOf(simulation),
      ...faultsOf(simulation),
      step: simulation?.stepCount ?? null,
      reward: report?.reward ?? null,
      score: report?.score ?? null,
      oracles: report ? resultsOf(report) : null,
      episode_actions: context.episode.actions,
      finished: context.episode.finish ?? null,
    }))
  },
})

/** The variant of a scenario and its warnings. Nothing for a scenario as its file is. */
export const variantOf = (simulation: SimulationControl | undefined) =>
  simulation?.variant && {
    variant: simulation.variant,
    ...(simulation.variantWarnings.length > 0 && { variant_warnings: [...simulation.variantWarnings] }),
  }

/** The faults of a run and those that have fired. Nothing for a run without faults. */
export const faultsOf = (simulation: SimulationControl | undefined) =>
  simulation &&
  simulation.faultNames.length > 0 && {
    faults: [...simulation.faultNames],
    fired_faults: simulation.firedFaults.map(({ fault, step, elapsedMs }) => ({ fault, step, at_ms: elapsedMs })),
  }

export const sessionInfoTools = [sessionInfo]

/** Returns the simulation. Throws `PlatformUnsupported` on a real desktop. */
export function requireSimulation(context: ContextOf<'computer'>, what: string): SimulationControl {
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
  run: ({ input }, context: ContextOf<'computer' | 'fork'>) => {
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
  run: ({ input }, context: ContextOf<'computer' | 'onRewind'>) => {
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
  run: async ({ input }, context: DesktopContext) => {
    const simulation = requireSimulation(context, 'advancing time')
    const allPassed = await advanceTime(context, input.ms)
    const note = 'so many timers fired that only part of the time has passed; advance again for the rest'
    return { now_ms: simulation.elapsedMs, state: simulation.state, ...(!allPassed && { note }) }
  },
})

export const simulationTools = [sessionFork, sessionRewind, sessionAdvance]

const MAX_FINISH_TEXT_LENGTH = 10_000

const finish = defineTool({
  name: 'finish',
  kind: 'manage',
  audience: 'agent',
  summary:
    'End your run: done when the task is complete, infeasible when it is impossible. Put the answer to a question into text.',
  input: z.object({
    status: z.enum(['done', 'infeasible']).default('done').describe('Whether the task is complete or impossible'),
    text: z
      .string()
      .max(MAX_FINISH_TEXT_LENGTH)
      .default('')
      .describe('The answer to the task, or why it is infeasible'),
  }),
  output: z.object({ finished: z.object({ status: z.enum(['done', 'infeasible']), text: z.string() }) }),
  faults: [],
  traits: { idempotent: true, sequential: true },
  run: ({ input }, context: ContextOf<'episode'>) => ({ finished: context.episode.end(input) }),
})

export const finishTools = [finish]
