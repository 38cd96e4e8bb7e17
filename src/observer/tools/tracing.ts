import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { formatChoices } from '../../scenario/variants/axes.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import type { PlayedVariant, TracedScenario } from '../trace/trace.ts'

const traceStart = defineTool({
  name: 'trace_start',
  kind: 'manage',
  audience: 'harness',
  summary: 'Start a trace, which records every call as one line.',
  input: z.object({ label: z.string().max(500).default('').describe('A label for people') }),
  output: z.object({
    trace_id: z.string(),
    started_at: z.number(),
    desktop_started_at: z.number().describe('The same moment by the desktop clock'),
    dir: z.string(),
  }),
  faults: ['BadRequest', 'StorageFailed'],
  traits: { untraced: true },
  run: ({ input }, context: ContextOf<'tracing' | 'now' | 'computer'>) =>
    context.tracing.start(input.label, context.now(), tracedScenario(context)),
})

/** The scenario of a session. */
function tracedScenario({ computer }: ContextOf<'computer'>): TracedScenario | undefined {
  const { simulation } = computer
  if (!simulation) return undefined
  const { scenario, scenarioHash, seed, variant, chosenFaults: faults } = simulation
  const isPlain = variant === undefined && faults.length === 0
  return {
    scenario,
    seed,
    ...(!isPlain && { variant: variant ?? {} }),
    ...(faults.length > 0 && { faults }),
    ...(scenarioHash !== undefined && { scenario_hash: scenarioHash }),
    ...(simulation.oracles.seen.length > 0 && { notes_seen: true as const }),
  }
}

/** Restarts the scenario in the variant and with the faults of a trace, unless it is so already or another one is open. */
async function restartIn(
  context: ContextOf<'computer' | 'onRewind' | 'prepareReset'>,
  { scenario, seed, variant, faults }: PlayedVariant,
): Promise<void> {
  const { simulation } = context.computer
  if (simulation?.scenario !== scenario) return
  const isSame = simulation.seed === seed && formatChoices(simulation.variant ?? {}) === formatChoices(variant)
  if (isSame && !faults) return
  await context.prepareReset({ seed, variant })
  simulation.reset(seed, variant, faults)
  context.onRewind(0)
}

const traceStop = defineTool({
  name: 'trace_stop',
  kind: 'manage',
  audience: 'harness',
  summary: 'End the trace.',
  input: z.object({}),
  output: z.object({
    trace_id: z.string(),
    path: z.string(),
    step_count: z.int(),
    duration_ms: z.number(),
    desktop_duration_ms: z.number().describe('The same duration by the desktop clock'),
  }),
  faults: ['BadRequest', 'StorageFailed'],
  traits: { untraced: true },
  run: (_, context: ContextOf<'tracing' | 'now'>) => {
    const stopped = context.tracing.stop(context.now())
    if (!stopped) throw new Fault('BadRequest', 'no trace is active; start one with trace_start')
    return stopped
  },
})

const traceStatus = defineTool({
  name: 'trace_status',
  kind: 'look',
  audience: 'harness',
  summary: 'The active trace and its number of calls.',
  input: z.object({}),
  output: z.object({ active_trace_id: z.string().nullable(), step_count: z.int(), dir: z.string().nullable() }),
  faults: ['StorageFailed'],
  traits: { untraced: true, alwaysAllowed: true, idempotent: true },
  run: (_, context: ContextOf<'tracing'>) => context.tracing.status(),
})

const ReplayId = z.object({ replay_id: z.string().describe('From replay_start') })

const replayStart = defineTool({
  name: 'replay_start',
  kind: 'manage',
  audience: 'harness',
  summary: 'Open a trace to repeat its calls. execute repeats them, verify also compares the results.',
  input: z.object({
    path: z.string().describe('The trace.jsonl file or its folder'),
    mode: z.enum(['execute', 'verify']).default('execute').describe('Whether results are compared'),
    on_divergence: z
      .enum(['stop', 'warn', 'resume'])
      .default('warn')
      .describe(
        'stop: end the replay; warn: record it and continue; resume: skip calls until the screen matches the recording',
      ),
    bindings: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Values that the trace hides, by sequence and argument, e.g. {"4.text": "secret"}'),
  }),
  output: z.object({
    replay_id: z.string(),
    total: z.int(),
    mode: z.string(),
    label: z.string(),
    warning: z.string().optional().describe('What the trace lacks, if its footer or the numbers of its rows say so'),
  }),
  faults: ['BadRequest'],
  traits: { untraced: true },
  run: async (
    { input },
    context: ContextOf<'tracing' | 'replays' | 'folder' | 'computer' | 'onRewind' | 'prepareReset'>,
  ) => {
    const path = traceFile(context, input.path)
    return context.replays.start(
      {
        text: await context.folder.readText(path, 'trace'),
        path: input.path,
        mode: input.mode,
        onDivergence: input.on_divergence,
        bindings: input.bindings,
      },
      context.tracing.withheld(path, context.folder),
      (played) => restartIn(context, played),
    )
  },
})

/** The file of a trace, given the file or its folder. Throws `BadRequest` outside of the roots. */
function traceFile(context: ContextOf<'folder'>, path: string): string {
  return path.endsWith('.jsonl')
    ? context.folder.resolve(path, 'trace')
    : context.folder.resolve(`${path}/trace.jsonl`, 'trace')
}

const replayStep = defineTool({
  name: 'replay_step',
  kind: 'manage',
  audience: 'harness',
  summary: 'Repeat the next recorded call.',
  input: ReplayId,
  output: z.object({
    replay_id: z.string(),
    position: z.int(),
    total: z.int(),
    tool: z.string().optional(),
    divergence: z
      .array(z.object({ path: z.string(), want: z.unknown(), got: z.unknown() }))
      .nullable()
      .optional(),
    actual_summary: z.record(z.string(), z.unknown()).optional(),
    skipped: z.boolean().optional(),
    finished: z.boolean(),
  }),
  faults: ['BadRequest'],
  traits: { repeatsCalls: true, untraced: true, sequential: true },
  run: ({ input, call }, context: DesktopContext & ContextOf<'replays' | 'episode'>) =>
    context.replays.step(input.replay_id, { call, context }),
})

const replayStatus = defineTool({
  name: 'replay_status',
  kind: 'look',
  audience: 'harness',
  summary: 'The position of a replay and all divergences so far.',
  input: ReplayId,
  output: z.object({
    replay_id: z.string(),
    position: z.int(),
    total: z.int(),
    finished: z.boolean(),
    mode: z.string(),
    skipped: z.int(),
    divergences: z.array(z.looseObject({})),
  }),
  faults: ['BadRequest'],
  traits: { untraced: true, alwaysAllowed: true, idempotent: true },
  run: ({ input }, context: ContextOf<'replays'>) => context.replays.status(input.replay_id),
})

const replayStop = defineTool({
  name: 'replay_stop',
  kind: 'manage',
  audience: 'harness',
  summary: 'Discard a replay.',
  input: ReplayId,
  output: z.object({ replay_id: z.string(), stopped: z.boolean() }),
  faults: ['BadRequest'],
  traits: { untraced: true },
  run: ({ input }, context: ContextOf<'replays'>) => context.replays.stop(input.replay_id),
})

export const tracingTools = [traceStart, traceStop, traceStatus, replayStart, replayStep, replayStatus, replayStop]
