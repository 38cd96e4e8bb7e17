import { type MemorySession, memorySession } from '../compose/memory-session.ts'
import { call } from '../observer/call.ts'
import type { ToolResult } from '../observer/result.ts'
import { captureScreen } from '../observer/screen/screen-state.ts'
import type { CallRecord } from '../observer/session/call-log.ts'
import { focusedTreeHash } from '../observer/trace/trace.ts'
import type { TraceRow } from '../observer/trace/trace-row.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ReadTrace } from './read-trace.ts'

const TRACE = 'trace.jsonl'
/** Stands for a value that the trace hides and nobody gives. */
export const HIDDEN_TEXT = '••••••'

/** A recorded call that was made again. */
export interface ReplayedCall {
  readonly row: TraceRow
  /** The whole result. Undefined for a call that was not made again. */
  readonly body: ToolResult | undefined
  /** How the desktop differs from the recorded one, in words. Empty where it does not. */
  readonly differences: readonly string[]
}

/** A replay of a trace on a new desktop. */
export interface TraceReplay {
  readonly desktop: MemorySession
  /** Makes the recorded calls again, one after another. It goes on after differences. */
  calls(): AsyncGenerator<ReplayedCall, void>
}

/**
 * Opens a new desktop of a scenario to make the calls of a trace again. Values that the trace hides are those of `bindings`,
 * by place such as `4.text`, otherwise dots.
 */
export async function openReplay(
  trace: ReadTrace,
  scenario: Scenario,
  bindings: Readonly<Record<string, unknown>> = {},
): Promise<TraceReplay> {
  const { header } = trace
  const isUnmade = unmadeCalls(scenario, trace)
  const text = trace.text
    .split('\n')
    .filter((line) => !isUnmade(line))
    .join('\n')
  let latest: CallRecord | undefined
  const desktop = memorySession(scenario, {
    files: { [TRACE]: text },
    faults: header.faults,
    config: { tracing: { screenshot_every_n_actions: 0 } },
    ...(header.seed !== undefined && { seed: header.seed }),
    onCall: (record) => {
      if (record.caller === 'replay_step') latest = record
    },
  })
  const ask = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { body, fault } = await call(desktop.session, tool, args)
    if (fault) throw fault
    return body
  }
  const hidden = Object.fromEntries(trace.hidden.map((place) => [place, place.includes('.') ? HIDDEN_TEXT : {}]))
  const { replay_id } = await ask('replay_start', { path: TRACE, mode: 'verify', bindings: { ...hidden, ...bindings } })
  const treeHashNow = async () => focusedTreeHash(await captureScreen(desktop.session.context))
  return {
    desktop,
    async *calls() {
      for (const row of trace.rows) {
        const before = await treeHashNow()
        if (isRefusedByGate(row, scenario)) {
          yield { row, body: undefined, differences: hashDifference('before', row.tree_hash_before, before) }
          continue
        }
        const step = await ask('replay_step', { replay_id })
        const differences = [
          ...hashDifference('before', row.tree_hash_before, before),
          ...resultDifferences(step.divergence),
          ...hashDifference('after', row.tree_hash_after, await treeHashNow()),
        ]
        yield { row, body: latest?.outcome.body, differences }
      }
    },
  }
}

/** Budgets are those of the recording server, which a replay does not have. */
const GATE_CODES: ReadonlySet<unknown> = new Set(['BudgetExceeded', 'RateLimited'])

/** Whether a budget refused a call, so that it never reached the desktop. A scenario may plan such an error. */
function isRefusedByGate({ result_summary }: TraceRow, { faults, catalogueFaults }: Scenario): boolean {
  const { code } = (result_summary.error ?? {}) as { readonly code?: unknown }
  return GATE_CODES.has(code) && catalogueFaults.length === 0 && !faults.some((planned) => planned.code === code)
}

/** Which lines of a trace are calls that are not made again. */
function unmadeCalls(scenario: Scenario, { rows }: ReadTrace): (line: string) => boolean {
  const unmade = new Set(rows.filter((row) => isRefusedByGate(row, scenario)).map(({ trace_seq }) => trace_seq))
  if (unmade.size === 0) return () => false
  return (line) => {
    try {
      const row = JSON.parse(line) as { readonly tool?: unknown; readonly trace_seq?: number }
      return typeof row.tool === 'string' && unmade.has(row.trace_seq ?? -1)
    } catch {
      return false
    }
  }
}

function hashDifference(when: 'before' | 'after', recorded: unknown, actual: string | null): readonly string[] {
  if (typeof recorded !== 'string' || recorded === actual) return []
  return [`the focused window ${when} the call is another: recorded ${recorded}, now ${actual ?? 'none'}`]
}

function resultDifferences(divergence: unknown): readonly string[] {
  if (!Array.isArray(divergence)) return []
  return divergence.map(
    ({ path, want, got }: { path: string; want: unknown; got: unknown }) =>
      `${path}: recorded ${JSON.stringify(want)}, now ${JSON.stringify(got)}`,
  )
}
