import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Clock } from '../../base/clock.ts'
import { VERSION } from '../../compose/package.ts'
import { auditSuite, openAuditProcess } from '../../evaluation/audit/audit.ts'
import { auditTable } from '../../evaluation/audit/format-audit.ts'
import { openEnvReport } from '../../evaluation/audit/openenv-report.ts'
import { loadSuite, type SuiteOverrides } from '../../evaluation/suite/load-suite.ts'
import { UserError } from '../arguments.ts'

const CLEAR_LINE = '\r\u001b[K'

/** The flags of `backlot eval` that describe an agent and its runs, of which an audit has its own. */
const FLAGS_OF_AGENTS: ReadonlySet<string> = new Set([
  'agent',
  'label',
  'withSkill',
  'withoutSkill',
  'runs',
  'queue',
  'fresh',
  'maxSteps',
  'timeLimit',
  'maxTokens',
  'minSuccess',
  'maxHarm',
  'maxAttacks',
  'traces',
  'recordings',
])

/** Throws a `UserError` that names the flags of a command which have no meaning in an audit. */
export function refuseFlagsOfAgents(command: Command): void {
  const given = command.options
    .filter((option) => FLAGS_OF_AGENTS.has(option.attributeName()))
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long)
  if (given.length > 0)
    throw new UserError(
      `--audit plays each task once in each seed and variant, with agents of its own; leave out ${given.join(' and ')}`,
    )
}

/** How an audit is printed: as a table, or as the report of OpenEnv's validation. */
export type AuditFormat = 'table' | 'openenv'

/** How an audit is run. */
export interface AuditRun {
  readonly format: AuditFormat
  readonly overrides: SuiteOverrides
  /** The folder of `audit.json`. */
  readonly out: string
  readonly shell: string | undefined
  readonly workers: number
  readonly clock: Clock
}

/** `backlot eval --audit`: proves that no task of a suite can be solved without doing it. */
export async function runAudit(
  given: readonly string[],
  { overrides, format, out, shell, workers, clock }: AuditRun,
): Promise<void> {
  const suite = await loadSuite(given, overrides)
  // Before the audit, which takes long.
  mkdirSync(out, { recursive: true })
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const audit = await auditSuite({
    suite,
    version: VERSION,
    openWorker: () => openAuditProcess({ script: process.argv[1]!, args: ['eval-worker', '--audit'], shell }),
    workers,
    clock,
    signal: stop.signal,
    onProgress: (done, planned, last) => {
      const line = `${done} of ${planned} audited${last ? `, the last ${last.task} in seed ${last.seed}` : ''}`
      if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${line}`)
      else if (last && done < planned) process.stderr.write(`${line}\n`)
    },
  })
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  const file = join(out, 'audit.json')
  writeFileSync(file, `${JSON.stringify(audit, undefined, 2)}\n`)
  process.stdout.write(
    format === 'openenv'
      ? `${JSON.stringify(openEnvReport(audit), undefined, 2)}\n`
      : `${auditTable(audit)}\n\nresults: ${file}\n`,
  )
  if (stop.signal.aborted) {
    process.stderr.write('backlot: stopped; tasks that are not in the table were not audited\n')
    process.exitCode = 130
  } else if (!audit.complete || audit.findings.length > 0) process.exitCode = 1
}
