import { join } from 'node:path'
import type { EpisodeResult } from '../episode/result.ts'
import { RESULT_FILES, readManifest } from '../evaluate.ts'
import { readResults } from '../results/results-file.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'

/** The results of an evaluation, as its folder has them. */
export interface StoredResults {
  readonly folder: string
  readonly manifest: EvaluationManifest
  readonly results: readonly EpisodeResult[]
}

/** Reads the results in a folder. Throws a `SuiteError` when it has none, or when its files are not those of an evaluation. */
export function readStored(folder: string): StoredResults {
  const manifest = readManifest(folder)
  const path = join(folder, RESULT_FILES.results)
  const results = readResults(path)
  if (results.length === 0) throw new SuiteError(`${path} has no result; let the evaluation play an episode first`)
  const lines = new Map<string, number>()
  for (const [index, { episode }] of results.entries()) {
    const earlier = lines.get(episode)
    if (earlier !== undefined)
      throw new SuiteError(`${path} has ${episode} twice, in the lines ${earlier} and ${index + 1}`)
    lines.set(episode, index + 1)
  }
  return { folder, manifest, results }
}
