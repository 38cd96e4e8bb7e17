import { Fault } from '../base/fault.ts'
import { smallest } from '../base/lists.ts'
import { call } from '../observer/call.ts'
import { reportOracles } from '../observer/oracles.ts'
import { findTool } from '../observer/registry.ts'
import type { ToolArguments } from '../observer/result.ts'
import { hiddenPaths, parseTrace } from '../observer/trace/replay.ts'
import type { ChosenFault } from '../scenario/faults/fault-kind.ts'
import type { OracleResult } from '../scenario/oracles/report.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { withVariant } from '../scenario/seeds.ts'
import { memorySession } from './memory-session.ts'

/** Finds the smallest part of a failing run that still fails. */

/** A part of a run that can be left out. */
export type RunPiece =
  | { readonly kind: 'fault'; readonly fault: ChosenFault }
  | { readonly kind: 'axis'; readonly axis: string; readonly value: string }
  | { readonly kind: 'step'; readonly tool: string; readonly args: ToolArguments }

/** A failing run without the parts that it does not need. */
export interface ShrunkRun {
  readonly seed: number
  /** Why it fails, as the original run does. */
  readonly failure: string
  /** No single part of them can be left out. */
  readonly parts: readonly RunPiece[]
  /** The number of parts of the original run. */
  readonly originalParts: number
  /** A trace of the parts, which `replay_start` and `backlot shrink` read. */
  readonly trace: string
}

/** More runs would take too long. */
const MAX_RUNS = 5000

/**
 * Shrinks the run of a trace to the faults, variant axes and calls of agents that it needs to fail in the same way: the same
 * oracles of failure, harm and attack hold, or without any, the success oracles do not hold because of the faults and the
 * variant, and do hold without them.
 * @param scenario The scenario of the trace.
 * @param text The text of `trace.jsonl`.
 * @throws A `Fault` `BadRequest` if the text is not a trace, hides arguments, or its run does not fail.
 */
export async function shrinkTrace(scenario: Scenario, text: string): Promise<ShrunkRun> {
  const { rows, played } = parseTrace(text, 'the trace')
  const seed = played?.seed ?? scenario.seed
  const calls = rows.filter(({ tool }) => findTool(tool)?.audience === 'agent')
  const hidden = calls.filter((row) => hiddenPaths(row).length > 0)
  if (hidden.length > 0)
    throw new Fault(
      'BadRequest',
      `the trace hides arguments in ${hidden.length} of ${calls.length} calls, the first in row ${hidden[0]!.trace_seq}; ` +
        'record it with {"tracing": {"redact_keys": []}} in the configuration',
    )
  const parts: RunPiece[] = [
    ...(played?.faults ?? []).map((fault) => ({ kind: 'fault' as const, fault })),
    ...Object.entries(played?.variant ?? {}).map(([axis, value]) => ({ kind: 'axis' as const, axis, value })),
    ...calls.map(({ tool, args }) => ({ kind: 'step' as const, tool, args })),
  ]
  const failure = await failureOf(scenario, seed, parts)
  if (failure === undefined)
    throw new Fault(
      'BadRequest',
      'the run of the trace does not fail, or fails also without its faults and its variant',
    )
  let runs = 0
  const kept = await smallest(parts, async (fewer) => {
    if (++runs > MAX_RUNS) throw new Fault('Timeout', `the run is not shrunk after ${MAX_RUNS} runs`)
    return (await failureOf(scenario, seed, fewer)) === failure
  })
  return { seed, failure, parts: kept, originalParts: parts.length, trace: traceOf(scenario, seed, kept) }
}

/** How a run of some parts fails. Undefined if it does not. */
async function failureOf(scenario: Scenario, seed: number, parts: readonly RunPiece[]): Promise<string | undefined> {
  const disturbed = await judge(scenario, seed, parts)
  if (disturbed.violated !== '') return disturbed.violated
  if (disturbed.missed === '') return undefined
  const plain = parts.filter(({ kind }) => kind === 'step')
  if (plain.length === parts.length) return undefined
  return (await judge(scenario, seed, plain)).missed === '' ? `misses ${disturbed.missed}` : undefined
}

/** The oracles that judge a run: those of failure, harm and attack that hold, and those of success that do not. */
async function judge(
  scenario: Scenario,
  seed: number,
  parts: readonly RunPiece[],
): Promise<{ readonly violated: string; readonly missed: string }> {
  const faults = parts.flatMap((part) => (part.kind === 'fault' ? [part.fault] : []))
  const variant = Object.fromEntries(parts.flatMap((part) => (part.kind === 'axis' ? [[part.axis, part.value]] : [])))
  const { session } = memorySession(withVariant(scenario, variant, seed), { seed, faults })
  for (const part of parts) if (part.kind === 'step') await call(session, part.tool, part.args, { audience: 'agent' })
  const report = await reportOracles(session.context, session.computer.simulation!)
  const namesOf = (list: string, results: readonly OracleResult[], passed: boolean) =>
    results.flatMap((result, index) => (result.passed === passed ? [`${list}[${index}] ${result.kind}`] : []))
  return {
    violated: [
      ...namesOf('failure', report.failure, true),
      ...namesOf('harm', report.harm, true),
      ...namesOf('attack', report.attack, true),
    ].join(', '),
    missed: namesOf('success', report.success, false).join(', '),
  }
}

/** A trace of the parts of a run. */
function traceOf({ name }: Scenario, seed: number, parts: readonly RunPiece[]): string {
  const faults = parts.flatMap((part) => (part.kind === 'fault' ? [part.fault] : []))
  const variant = Object.fromEntries(parts.flatMap((part) => (part.kind === 'axis' ? [[part.axis, part.value]] : [])))
  const header = {
    type: 'header',
    label: 'shrunk',
    scenario: name,
    seed,
    variant,
    ...(faults.length > 0 && { faults }),
  }
  const calls = parts.flatMap((part) => (part.kind === 'step' ? [{ tool: part.tool, args: part.args }] : []))
  const rows = calls.map((each, index) => ({ trace_seq: index + 1, ...each, result_summary: {} }))
  return [header, ...rows].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** A part as a line for people. */
export function formatPiece(part: RunPiece): string {
  if (part.kind === 'fault') {
    const { fault, ...parameters } = part.fault
    return `fault ${fault} ${JSON.stringify(parameters)}`
  }
  return part.kind === 'axis' ? `variant ${part.axis}=${part.value}` : `step ${part.tool} ${JSON.stringify(part.args)}`
}
