import type { Action } from '../desktop/input/action.ts'
import { findTool } from '../observer/registry.ts'
import { isToolArguments, type ToolResult } from '../observer/result.ts'
import type { TraceRow } from '../observer/trace/trace-row.ts'
import type { ElementPlace } from '../viewer/model/element.ts'
import type { ScreenPoint } from '../viewer/model/geometry.ts'
import type { ShownStep } from '../viewer/model/recording.ts'
import type { TableWriter } from './tables.ts'
import type { WatchedAction } from './watch-actions.ts'

/** What is known of a step from its replay. */
export interface ReplayedParts extends Pick<ShownStep, 'fired' | 'held'> {
  readonly meant: ShownStep['meant'] | undefined
  readonly body: ToolResult | undefined
  readonly actions: readonly WatchedAction[]
}

/** A row of a trace as a step of a recording, which ends that many milliseconds after its start. */
export function shownStep(
  row: TraceRow,
  number: number,
  endMs: number,
  tables: TableWriter,
  replayed?: ReplayedParts,
): ShownStep {
  const { tool, args, caller, result_summary: summary, door_call: door } = row
  const { code } = (summary.error ?? {}) as { readonly code?: unknown }
  const message = (replayed?.body?.error as { readonly message?: unknown } | undefined)?.message
  const hit = replayed?.actions.find((action) => action.hit)?.hit ?? targetOf(summary)
  const { held = [], meant, fired = [] } = replayed ?? {}
  return {
    number,
    tool,
    args: tables.value(args),
    caller: typeof caller === 'string' ? caller : 'unknown',
    acts: findTool(tool)?.kind === 'act' || tool === 'finish',
    ...(typeof row.ts === 'string' && { wallTime: row.ts }),
    startMs: Math.max(0, endMs - numberOr0(row.desktop_duration_ms)),
    endMs,
    ...(typeof row.duration_ms === 'number' && { wallMs: row.duration_ms }),
    result: tables.value(replayed?.body ? resultShown(replayed.body, summary) : summary),
    ok: summary.ok !== false,
    ...(typeof summary.changed === 'boolean' && { changed: summary.changed }),
    ...(typeof code === 'string' && { error: { code, ...(typeof message === 'string' && { message }) } }),
    ...(replayed ? pointsOf(replayed.actions) : pointGiven(args)),
    ...(hit && { hit }),
    ...(meant && { meant }),
    ...(held.length > 0 && { held }),
    fired,
    ...(typeof door?.door === 'string' && { dialect: { door: door.door, call: tables.value(door.call) } }),
  }
}

/** A field of a row that another program may have written. */
const numberOr0 = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** The pointer's place in the first action that has one, and the way of a drag. */
function pointsOf(actions: readonly WatchedAction[]): Pick<ShownStep, 'point' | 'path'> {
  for (const { action } of actions) {
    if (action.type === 'drag') return { point: action.from, path: [action.from, ...(action.through ?? []), action.to] }
    const at = pointOf(action)
    if (at) return { point: { x: at.x, y: at.y } }
  }
  return {}
}

const pointOf = (action: Action): ScreenPoint | undefined => ('at' in action ? action.at : undefined)

/** The point in the arguments of a call that was not made again. */
function pointGiven({ x, y }: TraceRow['args']): Pick<ShownStep, 'point'> {
  return typeof x === 'number' && typeof y === 'number' ? { point: { x, y } } : {}
}

function targetOf({ target }: TraceRow['result_summary']): ElementPlace | undefined {
  if (!isToolArguments(target)) return undefined
  const { window_uid: window, element_id: element } = target
  return typeof window === 'string' && typeof element === 'string' ? { window, element } : undefined
}

const MAX_FIELD_CHARACTERS = 4000

/** Fields of results that the recording shows elsewhere: pictures and trees. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['data', 'image', 'tree', 'elements', 'windows'])

/** The result without pictures and trees. Long fields are left out. */
function resultShown(body: ToolResult, summary: TraceRow['result_summary']): ToolResult {
  const shown = Object.entries(body).filter(
    ([key, value]) => !SHOWN_ELSEWHERE.has(key) && (JSON.stringify(value) ?? '').length <= MAX_FIELD_CHARACTERS,
  )
  return { ...summary, ...Object.fromEntries(shown) }
}
