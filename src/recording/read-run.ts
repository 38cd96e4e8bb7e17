import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { importAtif, importOsworld } from './import-run.ts'
import { type OpenedStep, openAtStep } from './open-at-step.ts'
import type { BuiltRecording, RecordTraceOptions } from './record-trace.ts'
import { recordTrace } from './record-trace.ts'
import { readRunFile, readTraceFiles } from './trace-files.ts'

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
