import type { ToolResult } from '../result.ts'
import type { InventoryChange } from './inventory.ts'

/** A call in the dialect of a door, such as a vendor's computer tool, which became one or more calls of tools. */
export interface DoorCall {
  /** The name of the door. */
  readonly door: string
  /** The call as it was sent. */
  readonly call: unknown
}

/** A call as a line of `trace.jsonl` (observer document, "Trace"). */
export interface TraceRow {
  readonly step_id: number
  readonly trace_seq: number
  /** The end of the call by the operator's clock. */
  readonly ts: string
  /** The same moment by the desktop clock. */
  readonly desktop_ts: string
  readonly caller: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** The call as its door received it, in another dialect. */
  readonly door_call?: DoorCall
  readonly result_summary: Readonly<Record<string, unknown>>
  readonly tree_hash_before: string | null
  readonly tree_hash_after: string | null
  readonly duration_ms: number
  readonly desktop_duration_ms: number
  /** The number of the inventory of the call's window. */
  readonly elements_before?: number
  readonly elements_after?: number
  /** The inventories that no earlier row contains. */
  readonly elements?: readonly InventoryChange[]
  /** The faults of the catalogue that fired in the call. */
  readonly faults_fired?: readonly { readonly fault: string; readonly step: number }[]
  /** The oracles of the kind `seen`, by their place among these, whose element the agent saw since the row before. */
  readonly seen?: readonly number[]
  readonly screenshot_full_ref?: string
  readonly screenshot_window_ref?: string
}

const SUMMARY_FIELDS = [
  'ok',
  'step_id',
  'action',
  'changed',
  'matched_index',
  'effective_mode',
  'tree_hash',
  'tree_token',
  'snapshot_id',
  'all_passed',
  'node_count',
  'duration_ms',
  'ambiguous_matches',
  'element_id',
  'count',
  'format',
  'width',
  'height',
] as const

/** The fields of a result that a replay compares, or needs to bind tokens again, after those of another part of the result. */
export function summarizeResult(body: ToolResult, other: ToolResult = {}): ToolResult {
  const summary: Record<string, unknown> = { ...other }
  for (const key of SUMMARY_FIELDS) if (body[key] !== undefined) summary[key] = body[key]
  const target = body.target as ToolResult | undefined
  if (target)
    summary.target = { selector: target.selector, window_uid: target.window_uid, element_id: target.element_id }
  if (Array.isArray(body.results)) summary.failures = failuresOf(body.results)
  const error = body.error as { code?: unknown } | undefined
  if (error) summary.error = { code: error.code }
  return summary
}

/** The failed predicates, by position and kind. */
const failuresOf = (results: readonly ToolResult[]): readonly string[] =>
  results.flatMap(({ kind, passed }, place) => (passed ? [] : [`${place} ${kind}`]))

/** A time as traces write it. */
export const isoMicro = (ms: number): string => new Date(ms).toISOString().replace(/Z$/, '000+00:00')
