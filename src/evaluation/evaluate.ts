import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VERSION } from '../compose/package.ts'
import type { PlayedEpisode } from './episode/play.ts'
import { type EpisodeResult, isMeasured } from './episode/result.ts'
import type { EpisodesPlayer } from './pool/coordinate.ts'
import { recordingFiles, resultsPage } from './report/report-page.ts'
import { resultsJunit, summaryMarkdown } from './results/format.ts'
import { type GateLimits, gatesOf } from './results/gates.ts'
import {
  lockFolder,
  openResults,
  RESULT_FILES,
  readManifest,
  readResults,
  rewriteResults,
  writeWhole,
} from './results/results-folder.ts'
import { type EvaluationSummary, summarize } from './results/summary.ts'
import { type LoadedSuite, SuiteError } from './suite/load-suite.ts'
import { changeSince, type EvaluationManifest, manifestOf } from './suite/manifest.ts'
import { episodesOf } from './suite/suite-file.ts'

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
  /** What the operator calls the agent. */
  readonly label?: string | undefined
  /** A hash of the files of the agent. Results of other files are not continued. */
  readonly agentHash?: string | null
  /** Starts anew, whatever results the folder has. */
  readonly isFresh?: boolean
  readonly gates?: GateLimits
  readonly playAll: EpisodesPlayer
  /** Called when the episodes have ended, before the report is written, such as to write recordings. */
  readonly beforeReport?: () => Promise<void>
  /** Receives what the operator should know about the folder, such as that the evaluation starts anew. */
  readonly onNotice?: (text: string) => void
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

/**
 * Plays all episodes of a suite that have no result yet, and writes the results: each as it ends, and the summary at the end.
 * Results of an agent or scenarios that have changed are moved to a folder `earlier-N`, and all episodes are played.
 * @returns The summary of all results; `episodes.done` is less than `planned` when `playAll` was stopped.
 * @throws A `SuiteError` when the folder holds results of something else, is used by another evaluation, or cannot be written.
 */
export async function runEvaluation(options: EvaluationOptions): Promise<EvaluationSummary> {
  try {
    mkdirSync(options.out, { recursive: true })
    const unlock = lockFolder(options.out)
    try {
      return await runLocked(options)
    } finally {
      unlock()
    }
  } catch (error) {
    const { code, syscall = '', message } = error as NodeJS.ErrnoException
    if (code === undefined || !FILE_CALLS.has(syscall)) throw error
    throw new SuiteError(`the results cannot be written to ${options.out}: ${message}`)
  }
}

const FILE_CALLS: ReadonlySet<string> = new Set([
  'mkdir',
  'open',
  'read',
  'write',
  'fsync',
  'ftruncate',
  'rename',
  'rm',
])

async function runLocked(options: EvaluationOptions): Promise<EvaluationSummary> {
  const { suite, out, agent, label = null, agentHash = null, onProgress, onNotice } = options
  const episodes = episodesOf(suite.tasks)
  const manifest = manifestOf(suite, episodes, { agent, label, agent_hash: agentHash, backlot: VERSION })
  prepareFolder(manifest, options)
  const path = join(out, RESULT_FILES.results)
  const known = readKnown(path, new Set(episodes.map(({ id }) => id)))
  if (known.size > 0) rewriteResults(path, [...known.values()])
  const writeManifest = () => writeWhole(join(out, RESULT_FILES.manifest), jsonText(manifest))
  writeManifest()
  const planned = episodes.length
  let succeeded = [...known.values()].filter(({ success }) => success).length
  let played = 0
  const progress = (last?: EpisodeResult) => onProgress?.({ done: known.size, planned, succeeded, played, last })
  progress()
  const file = openResults(path)
  try {
    await options.playAll(
      episodes.filter(({ id }) => !known.has(id)),
      (ended) => {
        if (known.has(ended.result.episode)) return
        const result = keepFiles(ended, options)
        file.append(result)
        known.set(result.episode, result)
        played++
        if (result.success) succeeded++
        progress(result)
      },
    )
  } finally {
    file.close()
  }
  // Agents run beside these files, and may have changed them.
  if (readText(join(out, RESULT_FILES.manifest)) !== jsonText(manifest))
    onNotice?.(`${RESULT_FILES.manifest} was changed while the evaluation ran, and is written again`)
  writeManifest()
  const results = episodes.flatMap(({ id }) => known.get(id) ?? [])
  rewriteResults(path, results)
  await options.beforeReport?.()
  const figures = summarize(manifest, results)
  const summary = { ...figures, gates: options.gates ? gatesOf(figures, options.gates) : [] }
  writeWhole(join(out, RESULT_FILES.summary), jsonText(summary))
  const page = await resultsPage({ folder: '', manifest, results, summary }, recordingFiles(out, out))
  if (page !== undefined) writeWhole(join(out, RESULT_FILES.report), page)
  writeWhole(join(out, RESULT_FILES.markdown), summaryMarkdown(summary, page && RESULT_FILES.report))
  writeWhole(join(out, RESULT_FILES.junit), resultsJunit(suite.name, results, summary.gates))
  return summary
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Moves earlier results away where they cannot be continued: with `isFresh`, and when the content of the agent or of a
 * scenario has changed. Throws a `SuiteError` when the folder has results of something else.
 */
function prepareFolder(manifest: EvaluationManifest, { out, isFresh = false, onNotice }: EvaluationOptions): void {
  const hasResults = [RESULT_FILES.manifest, RESULT_FILES.results].some((name) => existsSync(join(out, name)))
  if (!hasResults) return
  const refused = (reason: string) =>
    new SuiteError(`${reason}; choose another folder with --out, or start anew with --fresh`)
  const startAnew = (reason: string) => {
    const earlier = moveEarlier(out)
    onNotice?.(`starts anew${reason}; the earlier results are in ${earlier}`)
  }
  if (isFresh) {
    startAnew('')
    return
  }
  if (!existsSync(join(out, RESULT_FILES.manifest)))
    throw refused(`${out} has results without ${RESULT_FILES.manifest}`)
  const change = changeSince(readManifest(out), manifest)
  if (change?.isContent) startAnew(`, because ${change.reason}`)
  else if (change) throw refused(`${out} has results that cannot be continued: ${change.reason}`)
}

/** Moves the files of an evaluation into a new folder below its own, and returns that. */
function moveEarlier(out: string): string {
  let count = 1
  while (existsSync(join(out, `earlier-${count}`))) count++
  const earlier = join(out, `earlier-${count}`)
  mkdirSync(earlier)
  for (const name of [...Object.values(RESULT_FILES), EPISODES_FOLDER])
    if (existsSync(join(out, name))) renameSync(join(out, name), join(earlier, name))
  return earlier
}

/**
 * The results that a file has already, by episode, without episodes that have no result. Throws a `SuiteError` for one of an
 * episode that is not planned.
 */
function readKnown(path: string, planned: ReadonlySet<string>): Map<string, EpisodeResult> {
  const read = readResults(path)
  const foreign = read.find(({ episode }) => !planned.has(episode))
  if (foreign)
    throw new SuiteError(
      `${path} has a result of ${foreign.episode}, which is not played; choose another folder with --out, or start anew with --fresh`,
    )
  return new Map(read.filter(isMeasured).map((result) => [result.episode, result]))
}

/** Keeps the trace and the log of an episode, and names the trace in its result. */
function keepFiles({ result, trace, sidecars, log }: PlayedEpisode, { out, traces }: EvaluationOptions): EpisodeResult {
  const isKept = traces === 'all' || (traces === 'failed' && !result.success)
  const folder = folderOf(result)
  if (isKept && log !== undefined && log !== '') writeBelow(out, join(folder, 'agent.log'), log)
  if (!isKept || trace === undefined) return { ...result, trace: null }
  writeBelow(out, join(folder, 'trace.jsonl'), trace)
  for (const [name, text] of Object.entries(sidecars ?? {})) writeBelow(out, join(folder, name), text)
  return { ...result, trace: `${folder}/trace.jsonl` }
}

const EPISODES_FOLDER = 'episodes'

/** The folder of an episode, relative to that of the results. */
const folderOf = ({ episode }: EpisodeResult): string =>
  [EPISODES_FOLDER, ...episode.split('/').map(folderName)].join('/')

const MAX_FOLDER_NAME = 150

/** A part of the name of an episode as a folder. One that no folder can have is changed, and gets a hash to stay unique. */
function folderName(part: string): string {
  const name = part.replace(/[^\w.,=-]/g, '_').slice(0, MAX_FOLDER_NAME)
  if (name === part && !/^\.*$/.test(part)) return name
  return `${name.replace(/^\.+/, '_')}-${createHash('sha256').update(part).digest('hex').slice(0, 8)}`
}

function writeBelow(out: string, path: string, text: string): void {
  const file = join(out, path)
  mkdirSync(dirname(file), { recursive: true })
  // Its result is written after it, so that a file that was cut off is written again.
  writeFileSync(file, text)
}
