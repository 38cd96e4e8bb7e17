import { type MemorySession, memorySession } from '../../compose/memory-session.ts'
import { loadScenario } from '../../compose/preview.ts'
import { call } from '../../observer/call.ts'
import type { ToolResult } from '../../observer/result.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { readTrace, type StoredCall, type StoredResults } from '../results/stored-results.ts'

/** An episode with its trace, as exports write it. */
export interface ExportedEpisode {
  readonly result: EpisodeResult
  /** The name of the episode in paths, which no other episode of the export has. */
  readonly name: string
  readonly scenario: Scenario
  /** The name of the scenario in the gallery, or its path. */
  readonly file: string
  /** The SHA-256 of the task. */
  readonly hash: string
  /** The task in words. */
  readonly task: string
  /** The agent, or what the operator calls it. */
  readonly agent: string
  /** The version of the agent: the beginning of the hash of its files, or for an agent of this program its version. */
  readonly agentVersion: string
  /** When the desktop started, in ISO 8601 by its clock. */
  readonly startedAt: string
  readonly calls: readonly StoredCall[]
  /** The text of the trace. */
  readonly trace: string
}

/** Reads an episode for export, or returns why it cannot be exported. */
export async function readExported(
  stored: StoredResults,
  result: EpisodeResult,
  name: string,
): Promise<ExportedEpisode | { readonly problem: string }> {
  const trace = readTrace(stored, result)
  if ('problem' in trace) return trace
  const { manifest } = stored
  const task = manifest.tasks.find(({ id }) => id === result.task)
  if (!task) return { problem: `the manifest has no task ${result.task}` }
  let scenario: Scenario
  try {
    scenario = await loadScenario(task.scenario, { seed: result.seed, variant: result.variant })
  } catch (error) {
    return { problem: `its scenario cannot be loaded: ${(error as Error).message}` }
  }
  return {
    result,
    name,
    scenario,
    file: task.scenario,
    hash: task.hash,
    task: scenario.task ?? scenario.about,
    ...exportedAgent(manifest),
    startedAt: trace.startedAt,
    calls: trace.calls,
    trace: trace.text,
  }
}

/** A call of a trace that is made again. */
export interface RepeatedCall {
  readonly line: StoredCall
  /** Whether it has the answer of the trace. */
  readonly isSame: boolean
  /** The whole answer, of which a trace has a summary. */
  readonly body: ToolResult
  /** The desktop after the call. */
  readonly desktop: MemorySession
}

const TRACE = 'trace.jsonl'

/** Makes the calls of an episode again, on a new desktop. Throws a `Fault` when the trace cannot be replayed. */
export async function* replayedCalls({
  scenario,
  trace,
  calls,
}: Pick<ExportedEpisode, 'scenario' | 'trace' | 'calls'>): AsyncGenerator<RepeatedCall> {
  let body: ToolResult = {}
  const desktop = memorySession(scenario, {
    files: { [TRACE]: trace },
    onCall: ({ tool, outcome }) => {
      if (tool !== 'replay_step') body = outcome.body
    },
  })
  const ask = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { body, fault } = await call(desktop.session, tool, args)
    if (fault) throw fault
    return body
  }
  const { replay_id } = await ask('replay_start', { path: TRACE, mode: 'verify', on_divergence: 'warn' })
  for (const line of calls) {
    const { divergence } = await ask('replay_step', { replay_id })
    yield { line, isSame: !Array.isArray(divergence) || divergence.length === 0, body, desktop }
  }
}

/** The name and the version of an agent in exports. */
export const exportedAgent = ({ agent, label, agent_hash, backlot }: StoredResults['manifest']) => ({
  agent: label ?? agent,
  agentVersion: agent_hash === null ? backlot : agent_hash.slice(0, 12),
})

const MAX_PART_LENGTH = 120

/** A name as a part of a path. It never names a folder above. */
export const pathPart = (name: string): string =>
  name
    .replace(/[^\w.=,-]+/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, MAX_PART_LENGTH) || '_'

/** The name of each episode as a part of a path. Names that become equal get numbers. */
export function episodeNames(episodes: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  return new Map(
    episodes.map((episode) => {
      const part = pathPart(episode)
      let name = part
      // Without regard to case, because some file systems have none.
      for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${part}-${number}`
      taken.add(name.toLowerCase())
      return [episode, name]
    }),
  )
}
