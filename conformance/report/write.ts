import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequirementSet } from '../requirement.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { createBadge } from './badge.ts'
import { createCertificate, isCertifiable } from './certificate.ts'
import { createClientCertificate } from './client-certificate.ts'
import { createHtmlReport } from './html.ts'
import { createJsonReport } from './json.ts'
import { createJunitReport } from './junit.ts'
import { createMarkdownReport } from './markdown.ts'

/** Creates the folder of a protocol's reports below `directory` if necessary, and returns its path. */
export function ensureReportFolder(directory: string, protocol: RequirementSet['protocol']): string {
  const folder = join(directory, protocol)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Writes all reports of a run and deletes the certificate of an earlier one. Returns the paths of the files. */
export async function writeReports(outcome: CertificationResult, folder: string): Promise<readonly string[]> {
  rmSync(join(folder, 'certificate.md'), { force: true })
  const files: Readonly<Record<string, string>> = {
    'report.html': createHtmlReport(outcome),
    'report.json': createJsonReport(outcome),
    'junit.xml': createJunitReport(outcome),
    'summary.md': createMarkdownReport(outcome),
    'badge.svg': createBadge(outcome),
    ...(isCertifiable(outcome) && {
      'certificate.md': outcome.isClient ? createClientCertificate(outcome) : createCertificate(outcome),
    }),
  }
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  })
}
