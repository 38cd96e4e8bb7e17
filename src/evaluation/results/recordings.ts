import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { readRun } from '../../recording/read-run.ts'
import type { RecordTraceOptions } from '../../recording/record-trace.ts'
import { recordingHtml } from '../../recording/recording-page.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { RESULT_FILES } from './results-folder.ts'
import { readStored, type StoredResults } from './stored-results.ts'

/** Which episodes get a recording. */
export type KeptRecordings = 'all' | 'failed' | 'none'

/** The recording of an episode beside its trace: one HTML file. */
const RECORDING = 'recording.html'

/**
 * Writes the recordings of episodes beside their traces. Those that are there stay.
 * @param onWritten Receives the number written so far and the episode, or why its recording is missing.
 */
export async function writeRecordings(
  folder: string,
  which: KeptRecordings,
  onWritten: (count: number, episode: string, problem?: string) => void = () => {},
): Promise<number> {
  if (which === 'none') return 0
  const stored = readStored(folder)
  let count = 0
  for (const result of stored.results) {
    const { trace, success, episode } = result
    if (trace === null || (which === 'failed' && success)) continue
    const file = join(folder, dirname(trace), RECORDING)
    if (existsSync(file)) continue
    try {
      writeFileSync(file, await recordingHtml(await readRun(join(folder, trace), recordingOf(stored, result))))
      onWritten(++count, episode)
    } catch (error) {
      onWritten(count, episode, (error as Error).message)
    }
  }
  return count
}

/** How the recording of an episode is built: with its scenario, its name and its result. */
export function recordingOf(
  { manifest }: Pick<StoredResults, 'manifest'>,
  result: EpisodeResult,
): Required<Pick<RecordTraceOptions, 'scenario' | 'title' | 'verdict'>> {
  const { task, episode, success, score, end, message } = result
  const scenario = manifest.tasks.find(({ id }) => id === task)?.scenario
  return { scenario, title: episode, verdict: { success, score, end, message } }
}

/** A results folder has its episodes at most so many folders below it. */
const MAX_DEPTH = 8

/** The episode of a trace in a folder of results, given by the trace or its folder. Undefined for any other trace. */
export function episodeOfTrace(path: string): ReturnType<typeof recordingOf> | undefined {
  const trace = basename(path).endsWith('.jsonl') ? resolve(path) : resolve(path, 'trace.jsonl')
  let folder = dirname(trace)
  for (let depth = 0; depth < MAX_DEPTH; depth++, folder = dirname(folder)) {
    if (!existsSync(join(folder, RESULT_FILES.manifest))) continue
    try {
      const stored = readStored(folder)
      const name = relative(folder, trace).replaceAll('\\', '/')
      const result = stored.results.find((each) => each.trace === name)
      return result && recordingOf(stored, result)
    } catch (error) {
      if (error instanceof SuiteError) return undefined
      throw error
    }
  }
  return undefined
}
