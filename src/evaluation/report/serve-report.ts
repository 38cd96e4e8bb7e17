import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { createApp } from '../../protocols/http/app.ts'
import { HTTP_STATUS } from '../../protocols/http/status.ts'
import { readRun } from '../../recording/read-run.ts'
import { recordingHtml } from '../../recording/recording-page.ts'
import type { EvaluationReport } from '../../viewer/model/report.ts'
import { serveViewer } from '../../viewer/page.ts'
import { RESULT_FILES } from '../evaluate.ts'
import { readResults } from '../results/results-folder.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { cachedReport } from './open-report.ts'
import { RECORDING_PATHS, reportTitle, servedRecordings, traceBelow } from './report-page.ts'

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
