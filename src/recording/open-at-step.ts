import { Fault } from '../base/fault.ts'
import { createTestbed, type Testbed } from '../compose/testbed.ts'
import { call } from '../observer/call.ts'
import { readTraceText } from './read-trace.ts'
import type { RecordTraceOptions } from './record-trace.ts'
import { HIDDEN_TEXT } from './replayed-run.ts'
import type { TraceFiles } from './trace-files.ts'
import { scenarioFileOf } from './trace-scenario.ts'

/** A live session that continues from a step of a trace. */
export interface OpenedStep {
  /** The page of the session. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves a new desktop on a free port of this machine, on which the calls of a trace up to a step were made again.
 * @throws A `Fault` `BadRequest` for a step that the trace does not have, and without a scenario.
 */
export async function openAtStep(
  files: TraceFiles,
  { scenario: given, bindings = {} }: Pick<RecordTraceOptions, 'scenario' | 'bindings'>,
  step: number,
): Promise<OpenedStep> {
  const { header, rows, hidden, text } = readTraceText(files.text, files.path)
  if (!Number.isInteger(step) || step < 0 || step > rows.length)
    throw new Fault('BadRequest', `step: the run has the steps 0 to ${rows.length}, and not ${step}`, { field: 'step' })
  const testbed = await createTestbed({
    scenario: scenarioFileOf(header, given),
    seed: header.seed,
    ...(header.variant && { variant: header.variant }),
    faults: header.faults,
  })
  try {
    const { replays } = testbed.session.context
    const known = { ...Object.fromEntries(hidden.map((place) => [place, HIDDEN_TEXT])), ...bindings }
    const request = { text, path: files.path, mode: 'execute', onDivergence: 'warn', bindings: known } as const
    // The desktop was opened in the variant of the trace.
    const { replay_id } = await replays.start(request, new Map(), () => {})
    for (let made = 0; made < step; made++) await required(testbed, String(replay_id))
    return { url: `${(await testbed.serveRest({ port: 0 })).url}/`, close: () => testbed.close() }
  } catch (thrown) {
    await testbed.close()
    throw thrown
  }
}

async function required({ session }: Testbed, replay_id: string): Promise<void> {
  const { fault } = await call(session, 'replay_step', { replay_id })
  if (fault) throw fault
}
