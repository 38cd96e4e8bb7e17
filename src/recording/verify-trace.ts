import { Fault } from '../base/fault.ts'
import { loadScenario } from '../compose/preview.ts'
import { readTraceFiles, readTraceText, scenarioFileOf, versionNote } from './read-trace.ts'
import type { RecordTraceOptions } from './record-trace.ts'
import { openReplay } from './replayed-run.ts'

/** A step at which a replay differs from its trace. */
export interface StepDifferences {
  /** From 1. */
  readonly step: number
  readonly tool: string
  readonly differences: readonly string[]
}

/** The result of a verification. */
export interface TraceVerification {
  readonly calls: number
  readonly divergences: readonly StepDifferences[]
  /** A possible reason of the divergences. */
  readonly note?: string
  /** What the trace lacks, in words. */
  readonly missing?: string
  /** A remark on a trace that does not say where it ends. */
  readonly unended?: string
}

/**
 * Makes the calls of a trace again on a new desktop of its scenario, and compares every result and tree. It goes on after
 * a difference.
 * @param path The folder of the trace, its file, or a zip archive of the folder.
 * @throws A `Fault` `BadRequest` for what is not a trace, without a scenario, and for hidden values without a binding.
 */
export async function verifyTrace(
  path: string,
  { scenario: given, bindings = {} }: Pick<RecordTraceOptions, 'scenario' | 'bindings'> = {},
): Promise<TraceVerification> {
  const trace = readTraceText(readTraceFiles(path).text, path)
  const { header, hidden } = trace
  const unbound = hidden.filter((place) => !Object.hasOwn(bindings, place))
  if (unbound.length > 0)
    throw new Fault(
      'BadRequest',
      `the trace hides ${unbound.length} values; give them with --bindings, e.g. '{"${unbound[0]}": "…"}'`,
    )
  const scenario = await loadScenario(scenarioFileOf(header, given), { seed: header.seed, variant: header.variant })
  const { desktop, calls } = await openReplay(trace, scenario, bindings)
  const divergences: StepDifferences[] = []
  let step = 0
  for await (const { row, differences } of calls()) {
    step++
    if (differences.length > 0) divergences.push({ step, tool: row.tool, differences })
  }
  await desktop.session.close()
  const note = divergences.length > 0 ? versionNote(header) : undefined
  const { missing, unended } = trace
  return {
    calls: step,
    divergences,
    ...(note !== undefined && { note }),
    ...(missing !== undefined && { missing }),
    ...(unended !== undefined && { unended }),
  }
}
