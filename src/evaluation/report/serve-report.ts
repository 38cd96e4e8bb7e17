import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { createApp } from '../../protocols/http/app.ts'
import { HTTP_STATUS } from '../../protocols/http/status.ts'
import { readRun } from '../../recording/read-run.ts'
import { recordingHtml } from '../../recording/recording-page.ts'
import type { EvaluationReport, ReportComparison, ReportFlip } from '../../viewer/model/report.ts'
import { serveViewer } from '../../viewer/page.ts'
import { compareResults, type EvaluationComparison, type Flip } from '../compare/compare.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { RESULT_FILES, readManifest, readResults } from '../results/results-folder.ts'
import { readStored } from '../results/stored-results.ts'
import { summarize } from '../results/summary.ts'
import { SuiteError } from '../suite/load-suite.ts'
import {
  MAX_REPORT_EPISODES,
  RECORDING_PATHS,
  type RecordingAddress,
  type ReportSource,
  reportOf,
  reportResult,
  reportTitle,
  servedRecordings,
  summaryWarnings,
  traceBelow,
} from './report-page.ts'

/** The parts of the server of a report. */
export interface ReportServerOptions {
  readonly results: string
  /** The folder of the results to compare with. */
  readonly other?: string | undefined
  /** Called with unexpected internal errors. */
  readonly onBug: (cause: unknown) => void
}

/** No route reads a body. */
const BODY_LIMIT = 1024

/**
 * Creates the server of the report page: the page at `/`, its document at `/report.json`, and the recorded runs of its
 * episodes. It does not listen.
 * @throws A `SuiteError` where a folder cannot be shown.
 */
export async function reportApp({ results, other, onBug }: ReportServerOptions): Promise<FastifyInstance> {
  const { first, second, both } = RECORDING_PATHS
  const read = cachedReport(
    { folder: results, recordingOf: servedRecordings(first, results) },
    other === undefined ? undefined : { folder: other, recordingOf: servedRecordings(second, other) },
    (episode) => `${both}${encodeURIComponent(episode)}`,
  )
  const app = createApp({
    hosts: [],
    origins: [],
    pages: 'own',
    cors: false,
    bodyLimit: BODY_LIMIT,
    sendFault: ({ code, message }, reply) => reply.status(HTTP_STATUS[code]).send({ error: { code, message } }),
    onBug,
  })
  await serveViewer(app, { '/': { entrance: 'report', title: reportTitle(await read()) } })
  serveRecordings(app, results, other)
  app.get('/report.json', async (_request, reply) => reply.header('cache-control', 'no-store').send(await readOr(read)))
  return app
}

/** Results that were removed or damaged since the start are not an error of the server. */
async function readOr(read: () => Promise<EvaluationReport>): Promise<EvaluationReport> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SuiteError) throw new Fault('Conflict', error.message)
    throw error
  }
}

/** Pages that are kept, as characters. The oldest are made again when they are asked for. */
const MAX_KEPT = 100_000_000

/**
 * Serves the recorded runs of episodes, each as a page of its own: those of the first results, of the second, and of both
 * beside each other. A page is made when it is first asked for, one at a time, because it replays the trace.
 */
function serveRecordings(app: FastifyInstance, first: string, second?: string): void {
  const pages = new LruCache<string, string>(MAX_KEPT, (page) => page.length)
  let making: Promise<unknown> = Promise.resolve()
  const pageOf = (paths: readonly string[]): Promise<string> => {
    const key = JSON.stringify(paths)
    const made = making.then(async () => pages.get(key) ?? pages.keep(key, await pageOfTraces(paths)))
    making = made.catch(() => {})
    return made
  }
  const serve = (prefix: string, folders: readonly string[]) =>
    app.get<{ Params: { id: string } }>(`${prefix}:id`, { config: { pages: 'link' } }, async ({ params }, reply) =>
      reply
        .header('content-type', 'text/html; charset=utf-8')
        // The page has a policy of its own, by hashes, which allows no connection.
        .header('content-security-policy', "frame-ancestors 'none'")
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .send(await pageOf(folders.map((folder) => tracePathOf(folder, params.id)))),
    )
  serve(RECORDING_PATHS.first, [first])
  if (second === undefined) return
  serve(RECORDING_PATHS.second, [second])
  serve(RECORDING_PATHS.both, [first, second])
}

/** The trace of an episode. Results are read each time, so that those of an evaluation that goes on are found. */
function tracePathOf(folder: string, id: string): string {
  const result = readResults(join(folder, RESULT_FILES.results)).find(({ episode }) => episode === id)
  const path = result && traceBelow(folder, result)
  if (path === undefined) throw new Fault('SessionNotFound', `the episode ${JSON.stringify(id)} has no trace`)
  return path
}

async function pageOfTraces([path, other]: readonly string[]): Promise<string> {
  const run = await readRun(path!)
  return recordingHtml(run, other === undefined ? undefined : await readRun(other))
}

/** A folder of results, and where the recorded runs of its episodes are. */
export interface ReportedFolder {
  readonly folder: string
  readonly recordingOf: RecordingAddress
}

/**
 * Reads the report on a folder of results, beside those of a second folder if there is one.
 * @throws A `SuiteError` where a folder cannot be shown.
 */
export async function readReport(
  first: ReportedFolder,
  second?: ReportedFolder,
  recordingOfBoth?: (episode: string) => string | undefined,
): Promise<EvaluationReport> {
  const { source, warnings } = readReportSource(first.folder)
  if (!second) {
    const report = reportOf(source, first.recordingOf)
    return { ...report, warnings: [...warnings, ...report.warnings] }
  }
  const other = readReportSource(second.folder)
  const report = await comparedReport(
    source,
    first.recordingOf,
    { ...other, recordingOf: second.recordingOf },
    recordingOfBoth,
  )
  const shown = [...warnings, ...other.warnings, ...report.warnings, ...summaryWarnings(other.source.summary)]
  return { ...report, warnings: [...new Set(shown)] }
}

/** Reads a report again only after its files have changed, such as by an evaluation that goes on. */
function cachedReport(...parts: Parameters<typeof readReport>): () => Promise<EvaluationReport> {
  const [first, second] = parts
  let state: string | undefined
  let report: Promise<EvaluationReport> | undefined
  return () => {
    const now = [first, ...(second ? [second] : [])].map(({ folder }) => stateOf(folder)).join(' ')
    if (!report || now !== state) report = readReport(...parts)
    state = now
    return report
  }
}

const stateOf = (folder: string): string =>
  [RESULT_FILES.manifest, RESULT_FILES.results]
    .map((name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false })
      return stats ? `${stats.size}:${stats.mtimeMs}` : 'none'
    })
    .join(' ')

/**
 * Reads a folder of results for a report, and what could not be read.
 * @throws A `SuiteError` that names the file without which nothing can be shown, or that has another format.
 */
function readReportSource(folder: string): { readonly source: ReportSource; readonly warnings: string[] } {
  const { episodes } = readManifest(folder)
  if (episodes > MAX_REPORT_EPISODES)
    throw new SuiteError(`${folder} has ${episodes} episodes; a report shows at most ${MAX_REPORT_EPISODES}`)
  const stored = readStored(folder)
  const path = join(folder, RESULT_FILES.results)
  const known = new Set(stored.manifest.tasks.map(({ id }) => id))
  const results = stored.results.filter(({ task }) => known.has(task))
  const foreign = stored.results.find(({ task }) => !known.has(task))
  return {
    source: { folder, manifest: stored.manifest, results, summary: summarize(stored.manifest, results) },
    warnings: [
      ...(isCut(path) ? [`The last line of ${path} was cut off and is left out.`] : []),
      ...(foreign
        ? [`Results of tasks that the manifest of ${folder} does not have are left out: ${foreign.task}.`]
        : []),
      ...progressOf(folder, stored.manifest.episodes, results),
    ],
  }
}

const progressOf = (folder: string, planned: number, results: readonly EpisodeResult[]): readonly string[] =>
  results.length < planned ? [`${folder} has results of ${results.length} of ${planned} episodes.`] : []

/** Whether a file has text after its last line feed. */
function isCut(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
  } finally {
    closeSync(file)
  }
}

/** Calls of a trace may be long; the page shows their beginning. */
const MAX_SHOWN_CALL = 300

/** The document of the report page on one evaluation beside a second one. The traces of flips are not replayed. */
async function comparedReport(
  source: ReportSource,
  recordingOf: RecordingAddress,
  other: { readonly source: ReportSource; readonly recordingOf: RecordingAddress },
  recordingOfBoth: (episode: string) => string | undefined = () => undefined,
): Promise<EvaluationReport> {
  const isReplayed = false
  const compared = await compareResults(source, other.source, () => {}, isReplayed)
  const comparison = comparisonOf(compared)
  const flips = comparison.flips.map((flip): ReportFlip => {
    // Without a divergence, one of the traces is missing.
    const recording = flip.divergence && recordingOfBoth(flip.episode)
    return { ...flip, ...(recording !== undefined && { recording }) }
  })
  return {
    ...reportOf(source, recordingOf),
    comparison: { other: reportResult(other.source, other.recordingOf), ...comparison, flips },
  }
}

const comparisonOf = ({
  omitted,
  episodes,
  units,
  tasks,
  success,
  score,
  steps,
  flips,
}: EvaluationComparison): Omit<ReportComparison, 'other'> => ({
  omitted,
  episodes,
  units,
  tasks,
  success,
  score,
  steps,
  flips: flips.map(flipOf),
})

const beginning = (text: string): string => (text.length > MAX_SHOWN_CALL ? `${text.slice(0, MAX_SHOWN_CALL)}…` : text)

function flipOf({ episode, solvedBy, failure, divergence }: Flip): ReportFlip {
  const flip = { episode, solvedBy, failure }
  if (!divergence) return flip
  if (divergence.first === 'none' || divergence.first === 'unknown') return { ...flip, divergence }
  return { ...flip, divergence: { ...divergence, a: beginning(divergence.a), b: beginning(divergence.b) } }
}
