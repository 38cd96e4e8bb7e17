import { isToolArguments } from '../observer/result.ts'
import { hiddenPaths, parseTrace } from '../observer/trace/replay.ts'
import type { TraceRow } from '../observer/trace/trace-row.ts'
import { checkFaults, type WrittenFaults } from '../scenario/faults/catalogue.ts'
import { checkChoices } from '../scenario/variants/axes.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'

/** The first line of a trace, as far as a recording needs it. Fields of other types count as absent. */
export interface TraceHeader {
  readonly label: string
  readonly startedAt: string | undefined
  /** The start by the clock of the desktop, in milliseconds since the epoch. */
  readonly desktopStartMs: number | undefined
  readonly version: string | undefined
  readonly scenario: string | undefined
  readonly seed: number | undefined
  readonly scenarioHash: string | undefined
  readonly variant: VariantChoices | undefined
  readonly faults: ReturnType<typeof checkFaults>
}

/** A trace that was read for a recording. */
export interface ReadTrace {
  readonly text: string
  readonly header: TraceHeader
  readonly rows: readonly TraceRow[]
  /** What the trace lacks, in words. Undefined if it is complete. */
  readonly missing: string | undefined
  /** The fields of the footer. Undefined without one. */
  readonly footer: Readonly<Record<string, unknown>> | undefined
  /** A remark on a trace that does not say where it ends. */
  readonly unended: string | undefined
  /** The places of values that the trace hides, such as `4.text`. */
  readonly hidden: readonly string[]
}

/**
 * Reads the text of a trace.
 * @throws A `Fault` `BadRequest` when it has no header, more than 100,000 rows, or an unknown axis or fault.
 */
export function readTraceText(text: string, path: string): ReadTrace {
  const { label, header, rows, missing, footer, unended } = parseTrace(text, path)
  return { text, header: headerOf(header, label), rows, missing, footer, unended, hidden: rows.flatMap(hiddenPaths) }
}

function headerOf(written: Readonly<Record<string, unknown>>, label: string): TraceHeader {
  const textOf = (key: string) => (typeof written[key] === 'string' ? (written[key] as string) : undefined)
  const startMs = msOf(textOf('desktop_started_at'))
  return {
    label,
    startedAt: textOf('started_at'),
    desktopStartMs: startMs,
    version: textOf('tool_version'),
    scenario: textOf('scenario'),
    seed: Number.isSafeInteger(written.seed) ? (written.seed as number) : undefined,
    scenarioHash: textOf('scenario_hash'),
    variant: isToolArguments(written.variant) ? checkChoices(written.variant as VariantChoices) : undefined,
    faults: checkFaults(Array.isArray(written.faults) ? (written.faults as WrittenFaults) : []),
  }
}

/**
 * When each row of a trace ended, in milliseconds after its start. A row that starts another scenario changes the clock, which
 * takes no time.
 */
export function stepTimes({ header, rows }: Pick<ReadTrace, 'header' | 'rows'>): readonly number[] {
  let startMs = header.desktopStartMs ?? msOf(rows[0]?.desktop_ts) ?? 0
  let endMs = 0
  return rows.map((row) => {
    const atMs = msOf(row.desktop_ts) ?? startMs
    if (startsScenario(row)) startMs = atMs - endMs
    endMs = Math.max(0, atMs - startMs)
    return endMs
  })
}

const startsScenario = ({ tool, args }: TraceRow): boolean =>
  tool === 'load_scenario' ||
  (tool === 'session_reset' && [args.scenario, args.path, args.yaml].some((given) => given !== undefined))

/** A time of a trace in milliseconds since the epoch. Undefined for what is no time. */
export function msOf(time: unknown): number | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
