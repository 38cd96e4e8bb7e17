import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../compose/package.ts'
import { auditSuite } from '../../evaluation/audit/audit.ts'
import { auditTable } from '../../evaluation/audit/format-audit.ts'
import { EpisodeScenarios } from '../../evaluation/episode/scenarios.ts'
import { loadSuite, type SuiteOverrides } from '../../evaluation/suite/load-suite.ts'

const CLEAR_LINE = '\r\u001b[K'

/** `backlot eval --audit`: proves that no task of a suite can be solved without doing it. */
export async function runAudit(given: readonly string[], overrides: SuiteOverrides, out: string): Promise<void> {
  const suite = await loadSuite(given, overrides)
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  const audit = await auditSuite({
    suite,
    scenarios: new EpisodeScenarios(),
    version: VERSION,
    signal: stop.signal,
    onProgress: (done, planned, last) => {
      const line = `${done} of ${planned} audited${last ? `, the last ${last.task} in seed ${last.seed}` : ''}`
      if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${line}`)
      else if (last && done < planned) process.stderr.write(`${line}\n`)
    },
  })
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  mkdirSync(out, { recursive: true })
  const file = join(out, 'audit.json')
  writeFileSync(file, `${JSON.stringify(audit, undefined, 2)}\n`)
  process.stdout.write(`${auditTable(audit)}\n\nresults: ${file}\n`)
  if (!audit.complete) {
    process.stderr.write('backlot: stopped; tasks that are not in the table were not audited\n')
    process.exitCode = 130
  } else if (audit.findings.length > 0) process.exitCode = 1
}
