import { loadScenario } from '../../compose/preview.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { type StoredResults, traceText } from '../compare/stored-results.ts'
import type { EpisodeResult } from '../episode/result.ts'

/** A call in a trace. */
export interface TraceLine {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly door_call?: unknown
  readonly result_summary: Readonly<Record<string, unknown>>
  /** ISO 8601, by the clock of the desktop. */
  readonly desktop_ts: string
}

/** An episode with its trace, as exports write it. */
export interface ExportedEpisode {
  readonly result: EpisodeResult
  readonly scenario: Scenario
  /** The task in words. */
  readonly task: string
  readonly agent: string
  /** The version of this program that played it. */
  readonly backlot: string
  readonly header: { readonly desktop_started_at: string }
  readonly calls: readonly TraceLine[]
  /** The text of the trace. */
  readonly trace: string
}

/** Reads an episode for export. Undefined without a trace. */
export async function readExported(stored: StoredResults, result: EpisodeResult): Promise<ExportedEpisode | undefined> {
  const trace = traceText(stored, result)
  if (trace === undefined) return undefined
  const { manifest } = stored
  const name = manifest.tasks.find(({ id }) => id === result.task)?.scenario ?? result.task
  const scenario = await loadScenario(name, { seed: result.seed, variant: result.variant })
  const rows = trace
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly type?: string })
  const header = rows.find(({ type }) => type === 'header') as ExportedEpisode['header'] | undefined
  return {
    result,
    scenario,
    task: scenario.task ?? scenario.about,
    agent: manifest.agent,
    backlot: manifest.backlot,
    header: header ?? { desktop_started_at: '' },
    calls: rows.filter(({ type }) => type === undefined) as unknown as readonly TraceLine[],
    trace,
  }
}

/** A name as a part of a path. */
export const pathPart = (name: string): string => name.replace(/[^\w.=,-]+/g, '_').slice(0, 120) || '_'
