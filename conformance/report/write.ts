import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequirementSet } from '../requirement.ts'
import type { Outcome } from '../run/outcome.ts'
import { badge } from './badge.ts'
import { certificate, isCertifiable } from './certificate.ts'
import { clientCertificate } from './client-certificate.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'

/** The folder of a protocol's reports below `directory`, made when it is not there. */
export function reportFolder(directory: string, protocol: RequirementSet['protocol']): string {
  const folder = join(directory, protocol)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Writes all reports of a run, and takes the certificate of an earlier one away; gives the files' paths. */
export async function writeReports(outcome: Outcome, folder: string): Promise<readonly string[]> {
  rmSync(join(folder, 'certificate.md'), { force: true })
  const files: Readonly<Record<string, string>> = {
    'report.html': htmlReport(outcome),
    'report.json': jsonReport(outcome),
    'junit.xml': junitReport(outcome),
    'summary.md': markdownReport(outcome),
    'badge.svg': badge(outcome),
    ...(isCertifiable(outcome) && {
      'certificate.md': outcome.isClient ? clientCertificate(outcome) : certificate(outcome),
    }),
  }
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  })
}
