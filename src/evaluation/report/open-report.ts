import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { EvaluationReport } from '../../viewer/model/report.ts'
import { RESULT_FILES } from '../evaluate.ts'
import { comparedReport } from './compared-report.ts'
import { readReportSource } from './read-source.ts'
import { type RecordingAddress, reportOf, summaryWarnings } from './report-result.ts'

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
export function cachedReport(...parts: Parameters<typeof readReport>): () => Promise<EvaluationReport> {
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
