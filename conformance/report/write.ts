import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../run.ts'
import { badge } from './badge.ts'
import { certificate, isCertifiable } from './certificate.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'

/** Writes all reports of a run below `directory`, in a folder named after the protocol; gives the files' paths. */
export async function writeReports(outcome: Outcome, directory: string): Promise<readonly string[]> {
  const folder = join(directory, outcome.protocol)
  mkdirSync(folder, { recursive: true })
  const files: Readonly<Record<string, string>> = {
    'report.html': htmlReport(outcome),
    'report.json': jsonReport(outcome),
    'junit.xml': junitReport(outcome),
    'summary.md': markdownReport(outcome),
    'badge.svg': badge(outcome),
    ...(isCertifiable(outcome) && { 'certificate.md': certificate(outcome) }),
  }
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  })
}
