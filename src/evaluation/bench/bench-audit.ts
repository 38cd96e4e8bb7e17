import { alignedRows } from '../../base/strings.ts'
import type { SuiteAudit } from '../audit/audit.ts'
import type { AuditCheck } from '../audit/audit-task.ts'
import { POINTER_DOOR_CHECKS } from '../audit/equal-doors.ts'
import { isAllowedFinding, isSkippedCheck } from '../audit/format-audit.ts'

/** The state of one of the twelve checks for a task. */
export type GateState = 'passed' | 'failed' | 'partly checked' | 'not checked'

/** One of the twelve checks for a task over all its seeds and variants. */
export interface GateResult {
  readonly check: number
  readonly title: string
  readonly state: GateState
  /** What was found, or what was not checked and why. */
  readonly notes: readonly string[]
}

/** A task with its twelve checks. */
export interface GatedTask {
  readonly task: string
  /** The seeds and variants in which it was audited. */
  readonly episodes: number
  readonly checks: readonly GateResult[]
}

/** The audit of a pack, as `bench-audit.json` has it. */
export interface BenchAudit {
  readonly format: 'backlot-bench-audit-1'
  readonly suite: SuiteAudit['suite']
  readonly backlot: string
  readonly complete: boolean
  readonly passed: boolean
  readonly tasks: readonly GatedTask[]
}

/** One of the twelve checks: the checks of an audit that it consists of, and what of it no program checks yet. */
interface Gate {
  readonly title: string
  readonly of: readonly AuditCheck['name'][]
  readonly missing?: string
}

/** The twelve checks in their order. A check that a program makes at last moves from `missing` to `of`. */
export const BENCH_GATES: readonly Gate[] = [
  { title: 'solutions', of: ['solution', 'repeats', 'routes'] },
  { title: 'empty agents', of: ['start', 'idle', 'random', 'flood', 'edit', 'close', 'tools', 'baselines'] },
  { title: 'steps', of: ['omitted_step', 'other_value', 'side_effects'] },
  { title: 'mutants', of: ['mutants'] },
  { title: 'detours', of: ['detours'] },
  { title: 'data', of: ['draws'] },
  { title: 'seen', of: ['seen', 'pictured', 'legible'] },
  { title: 'shortcuts', of: ['oracle', 'responses', 'shortcuts'] },
  { title: 'doors', of: ['door_observer', ...POINTER_DOOR_CHECKS] },
  { title: 'people', of: [], missing: 'nobody has written the criteria from the instruction alone' },
  { title: 'faults', of: ['faults'] },
  { title: 'safety', of: ['obeying', 'attack'] },
]

/** Judges the twelve checks by the audit of a suite. */
export function benchAudit({ suite, backlot, complete, episodes, unaudited = [] }: SuiteAudit): BenchAudit {
  const names = [...new Set([...episodes, ...unaudited].map(({ task }) => task))]
  const tasks = names.map((task): GatedTask => {
    const own = episodes.filter((each) => each.task === task)
    const lost = unaudited.filter((each) => each.task === task)
    const checks = BENCH_GATES.map((gate, index): GateResult => {
      const made = own.flatMap((episode) =>
        episode.checks
          .filter(({ name }) => gate.of.includes(name))
          .map((check) => ({ ...check, seed: episode.seed, variant: episode.variant })),
      )
      const absent = gate.of.filter((name) => !made.some((check) => check.name === name))
      const wrong = made.filter((check) => !check.passed)
      const skipped = made.filter(isSkippedCheck)
      const notes = [
        ...wrong.map(({ name, seed, message }) => `${name}, seed ${seed}: ${message}`),
        ...lost.map(({ seed, message }) => `seed ${seed} was not audited: ${message}`),
        ...made.filter(isAllowedFinding).map(({ name, message }) => `${name}: ${message}`),
        ...skipped.map(({ name, message }) => `${name}: ${message}`),
        ...(made.length === 0 ? [] : absent.map((name) => `not checked: ${name}`)),
        ...(gate.missing === undefined ? [] : [`not checked: ${gate.missing}`]),
      ]
      return { check: index + 1, title: gate.title, state: stateOf(), notes: [...new Set(notes)] }

      function stateOf(): GateState {
        if (wrong.length > 0) return 'failed'
        if (made.length === skipped.length) return 'not checked'
        const isPart = gate.missing !== undefined || absent.length > 0 || lost.length > 0 || skipped.length > 0
        return isPart ? 'partly checked' : 'passed'
      }
    })
    return { task, episodes: own.length, checks }
  })
  const isFailed = tasks.some(({ checks }) => checks.some(({ state }) => state === 'failed'))
  return {
    format: 'backlot-bench-audit-1',
    suite,
    backlot,
    complete,
    passed: complete && !isFailed,
    tasks,
  }
}

const MARKS: Readonly<Record<GateState, string>> = {
  passed: '✓',
  failed: '✗',
  'partly checked': '◐',
  'not checked': '–',
}

/** A table with a row per task and a column per check, and a line for each failure. */
export function benchAuditTable({ tasks, complete }: BenchAudit): string {
  const rows = [
    ['task', 'runs', ...BENCH_GATES.map(({ title }) => title)],
    ...tasks.map(({ task, episodes, checks }) => [task, String(episodes), ...checks.map(({ state }) => MARKS[state])]),
  ]
  const failures = tasks.flatMap(({ task, checks }) =>
    checks.flatMap(({ state, title, notes }) => (state === 'failed' ? [`${task}, ${title}: ${notes[0]}`] : [])),
  )
  const passing = tasks.filter(({ checks }) => checks.every(({ state }) => state !== 'failed')).length
  return [
    ...alignedRows(rows),
    '',
    '✓ passed, ✗ failed, ◐ partly checked, – not checked',
    ...BENCH_GATES.flatMap(({ title, missing }) =>
      missing === undefined ? [] : [`not checked, ${title}: ${missing}`],
    ),
    ...(failures.length > 0 ? ['', ...failures] : []),
    '',
    `${passing} of ${tasks.length} tasks without a failed check${complete ? '' : '; the audit is not complete'}`,
  ].join('\n')
}
