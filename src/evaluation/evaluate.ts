import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VERSION } from '../compose/package.ts'
import type { PlayedEpisode } from './episode/play.ts'
import type { EpisodeResult } from './episode/result.ts'
import type { EpisodesPlayer } from './pool/coordinate.ts'
import { resultsJunit, summaryMarkdown } from './results/format.ts'
import { openResults, readResults, rewriteResults } from './results/results-file.ts'
import { type EvaluationSummary, summarize } from './results/summary.ts'
import { type LoadedSuite, SuiteError } from './suite/load-suite.ts'
import { changeSince, type EvaluationManifest, manifestOf } from './suite/manifest.ts'
import { episodesOf } from './suite/task.ts'

/** Which traces are kept. */
export type KeptTraces = 'all' | 'failed' | 'none'

/** The parts of an evaluation. */
export interface EvaluationOptions {
  readonly suite: LoadedSuite
  /** The agent as the operator named it. */
  readonly agent: string
  /** The folder of the results. Results that are in it are continued. */
  readonly out: string
  readonly traces: KeptTraces
  readonly playAll: EpisodesPlayer
  readonly onProgress?: (progress: EvaluationProgress) => void
}

/** How far an evaluation is. */
export interface EvaluationProgress {
  readonly done: number
  readonly planned: number
  readonly succeeded: number
  /** The episodes that this process has played. */
  readonly played: number
  /** Undefined at the start. */
  readonly last: EpisodeResult | undefined
}

/** The files of an evaluation below its folder. */
export const RESULT_FILES = {
  manifest: 'manifest.json',
  results: 'results.jsonl',
  summary: 'summary.json',
  markdown: 'summary.md',
  junit: 'junit.xml',
} as const

/**
 * Plays all episodes of a suite that have no result yet, and writes the results: each as it ends, and the summary at the end.
 * @returns The summary of all results; `episodes.done` is less than `planned` when `playAll` was stopped.
 * @throws A `SuiteError` when the folder holds results of something else.
 */
export async function runEvaluation(options: EvaluationOptions): Promise<EvaluationSummary> {
  const { suite, out, onProgress } = options
  const episodes = episodesOf(suite.tasks)
  const manifest = manifestOf(suite, episodes, { agent: options.agent, backlot: VERSION })
  prepare(out, manifest)
  const path = join(out, RESULT_FILES.results)
  const known = new Map(readResults(path).map((result) => [result.episode, result]))
  const planned = episodes.length
  const progress = (last?: EpisodeResult, played = 0) => {
    const succeeded = [...known.values()].filter(({ success }) => success).length
    onProgress?.({ done: known.size, planned, succeeded, played, last })
  }
  progress()
  const file = openResults(path)
  let played = 0
  try {
    await options.playAll(
      episodes.filter(({ id }) => !known.has(id)),
      (ended) => {
        if (known.has(ended.result.episode)) return
        const result = keepFiles(ended, options)
        file.append(result)
        known.set(result.episode, result)
        progress(result, ++played)
      },
    )
  } finally {
    file.close()
  }
  const results = episodes.flatMap(({ id }) => known.get(id) ?? [])
  if (results.length === planned) rewriteResults(path, results)
  const summary = summarize(manifest, results)
  writeWhole(join(out, RESULT_FILES.summary), `${JSON.stringify(summary, undefined, 2)}\n`)
  writeWhole(join(out, RESULT_FILES.markdown), summaryMarkdown(summary))
  writeWhole(join(out, RESULT_FILES.junit), resultsJunit(suite.name, results))
  return summary
}

/** Creates the folder, or checks that the results in it are of the same episodes. */
function prepare(out: string, manifest: EvaluationManifest): void {
  const path = join(out, RESULT_FILES.manifest)
  if (existsSync(path)) {
    const before = readManifest(out)
    const change = changeSince(before, manifest)
    if (change !== undefined)
      throw new SuiteError(`${out} has results that cannot be continued: ${change}; choose another folder with --out`)
    return
  }
  if (existsSync(join(out, RESULT_FILES.results)))
    throw new SuiteError(`${out} has results without ${RESULT_FILES.manifest}; choose another folder with --out`)
  mkdirSync(out, { recursive: true })
  writeWhole(path, `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** Reads the manifest of results. Throws a `SuiteError` when the folder has none. */
export function readManifest(folder: string): EvaluationManifest {
  const path = join(folder, RESULT_FILES.manifest)
  let read: EvaluationManifest | undefined
  try {
    read = JSON.parse(readFileSync(path, 'utf8')) as EvaluationManifest
  } catch {
    throw new SuiteError(`${folder} has no readable ${RESULT_FILES.manifest}, as backlot eval writes it`)
  }
  if (read?.format !== 'backlot-eval-1')
    throw new SuiteError(`${path} has the format ${JSON.stringify(read?.format)}; this version reads backlot-eval-1`)
  return read
}

/** Keeps the trace and the log of an episode, and names the trace in its result. */
function keepFiles({ result, trace, log }: PlayedEpisode, { out, traces }: EvaluationOptions): EpisodeResult {
  const isKept = traces === 'all' || (traces === 'failed' && !result.success)
  if (!isKept) return result
  const folder = folderOf(result)
  if (log !== undefined && log !== '') writeBelow(out, join(folder, 'agent.log'), log)
  if (trace === undefined) return result
  writeBelow(out, join(folder, 'trace.jsonl'), trace)
  return { ...result, trace: `${folder}/trace.jsonl` }
}

/** The folder of an episode, relative to that of the results. Names of variants may have characters that no file name has. */
const folderOf = ({ episode }: EpisodeResult): string =>
  ['episodes', ...episode.split('/').map((part) => part.replace(/[^\w.,=-]/g, '_'))].join('/')

function writeBelow(out: string, path: string, text: string): void {
  const file = join(out, path)
  mkdirSync(dirname(file), { recursive: true })
  writeWhole(file, text)
}

/** Writes a file at once, so that a killed process leaves the one before. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text)
  try {
    renameSync(`${path}.new`, path)
  } catch (error) {
    rmSync(`${path}.new`, { force: true })
    throw error
  }
}
