import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EpisodeResult } from '../episode/result.ts'
import { RESULT_FILES, readManifest } from '../evaluate.ts'
import { readResults } from '../results/results-file.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'

/** The results of an evaluation, as its folder has them. */
export interface StoredResults {
  readonly folder: string
  readonly manifest: EvaluationManifest
  readonly results: readonly EpisodeResult[]
}

/** Reads the results in a folder. Throws a `SuiteError` when it has none. */
export const readStored = (folder: string): StoredResults => ({
  folder,
  manifest: readManifest(folder),
  results: readResults(join(folder, RESULT_FILES.results)),
})

/** The trace of an episode; undefined without one. Its path comes from a file, so that one outside of the folder is not read. */
export function traceText({ folder }: StoredResults, { trace }: EpisodeResult): string | undefined {
  if (trace === null || trace.split(/[\\/]/).includes('..')) return undefined
  try {
    return readFileSync(join(folder, trace), 'utf8')
  } catch {
    return undefined
  }
}
