import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../base/fault.ts'
import { createTestbed, type Testbed } from '../compose/testbed.ts'
import { call } from '../observer/call.ts'
import { importAtif, importOsworld } from './import-run.ts'
import { readRunFile, readTraceFiles, readTraceText, scenarioFileOf, type TraceFiles } from './read-trace.ts'
import { type BuiltRecording, type RecordTraceOptions, recordTrace } from './record-trace.ts'
import { HIDDEN_TEXT } from './replayed-run.ts'

/** A recorded run that can be shown. */
export interface RecordedRun extends BuiltRecording {
  /** Opens a live session after a step. Undefined where the desktop cannot be opened. */
  readonly open?: (step: number) => Promise<OpenedStep>
}

/**
 * Reads a recorded run and builds its recording.
 * @param path A folder with `trace.jsonl`, that file, a zip archive of the folder, a result folder of OSWorld, or an ATIF file.
 * @throws A `Fault` `BadRequest` for anything else.
 * @example
 * const { recording } = await readRun('results/episodes/login-7')
 */
export async function readRun(path: string, options: RecordTraceOptions = {}): Promise<RecordedRun> {
  if (path.endsWith('.json') && existsSync(path)) return importAtif(path, readRunFile(path).toString('utf8'))
  if (existsSync(join(path, 'traj.jsonl')) && !existsSync(join(path, 'trace.jsonl'))) return importOsworld(path)
  const files = readTraceFiles(path)
  const built = await recordTrace(files, options)
  return built.recording.scenario ? { ...built, open: (step) => openAtStep(files, options, step) } : built
}

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
async function openAtStep(
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
