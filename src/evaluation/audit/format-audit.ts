import { alignedRows } from '../../base/strings.ts'
import type { AuditedEpisode, AuditFinding, SuiteAudit } from './audit.ts'
import type { AuditCheck } from './audit-task.ts'

/** The checks in the order of the table, with their titles. */
const COLUMNS: readonly (readonly [AuditCheck['name'], string])[] = [
  ['solution', 'solution'],
  ['repeats', 'repeats'],
  ['start', 'start'],
  ['idle', 'idle'],
  ['random', 'random'],
  ['omitted_step', 'steps'],
  ['other_value', 'values'],
  ['side_effects', 'effects'],
  ['flood', 'flood'],
  ['edit', 'edit'],
  ['close', 'close'],
  ['tools', 'tools'],
  ['oracle', 'oracle'],
  ['shell', 'shell'],
]

/** A table with a row per task and a column per check, and the findings with the calls that show them. */
export function auditTable({ episodes, findings, unaudited = [] }: SuiteAudit): string {
  const tasks = [...new Set(episodes.map(({ task }) => task))]
  const rows = [
    ['task', ...COLUMNS.map(([, title]) => title)],
    ...tasks.map((task) => [task, ...COLUMNS.map(([name]) => markOf(ofTask(episodes, task), name))]),
  ]
  const failed = new Set(findings.map(({ task }) => task)).size
  const [missed] = unaudited
  const allowed = episodes.flatMap(({ checks }) => checks).filter(isAllowedFinding).length
  return [
    ...alignedRows(rows),
    ...(missed
      ? [
          '',
          `${unaudited.length} seeds or variants not audited, the first ${missed.task} in seed ${missed.seed}: ${missed.message}`,
        ]
      : []),
    ...distinct(findings).flatMap((finding) => ['', ...findingLines(finding, findings)]),
    '',
    `${tasks.length - failed} of ${tasks.length} tasks without a finding${allowed === 0 ? '' : `; ${allowed} findings allowed (a)`}`,
  ].join('\n')
}

const ofTask = (episodes: readonly AuditedEpisode[], task: string) => episodes.filter((each) => each.task === task)

/** Whether a finding is allowed by the author, with a reason. */
export const isAllowedFinding = ({ passed, message }: AuditCheck): boolean =>
  passed && message.startsWith('allowed, because ')

/** Whether a check was not made, as those of solutions without one that passes. */
export const isSkippedCheck = ({ passed, message }: AuditCheck): boolean =>
  passed && message.startsWith('not checked, because ')

/** ✗ when a check fails in some seed or variant, `a` when a finding is allowed, – when it was not made. */
function markOf(episodes: readonly AuditedEpisode[], name: AuditCheck['name']): string {
  const checks = episodes.flatMap((each) => each.checks.filter((check) => check.name === name))
  if (checks.every(isSkippedCheck)) return '–'
  return checks.some(({ passed }) => !passed) ? '✗' : checks.some(isAllowedFinding) ? 'a' : '✓'
}

/** A finding of a task is shown once, in the first seed and variant that has it. */
const distinct = (findings: readonly AuditFinding[]): readonly AuditFinding[] =>
  findings.filter(
    ({ task, check }, index) => findings.findIndex((each) => each.task === task && each.check === check) === index,
  )

const MAX_SHOWN_CALLS = 12

function findingLines(
  { task, check, seed, variant, message, calls, request, fix }: AuditFinding,
  all: readonly AuditFinding[],
): readonly string[] {
  const more = all.filter((each) => each.task === task && each.check === check).length - 1
  const axes = Object.entries(variant).map(([axis, value]) => `, ${axis}=${value}`)
  const shown = calls?.slice(0, MAX_SHOWN_CALLS) ?? []
  const left = (calls?.length ?? 0) - shown.length
  return [
    `${task}, seed ${seed}${axes.join('')}: ${check}${more > 0 ? ` (and in ${more} more seeds or variants)` : ''}`,
    ...message.split('\n').map((line) => `  ${line}`),
    ...(calls?.length === 0 ? ['    no call at all'] : []),
    ...shown.map(({ tool, args }) => `    ${tool} ${JSON.stringify(args)}`),
    ...(left > 0 ? [`    and ${left} more calls`] : []),
    ...(request ? [`    ${request.method} ${request.path} ${JSON.stringify(request.body ?? {})}`] : []),
    `  fix: ${fix}`,
  ]
}
