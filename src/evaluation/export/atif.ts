import { Fault } from '../../base/fault.ts'
import type { StoredCall } from '../compare/stored-results.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { type ExportedEpisode, replayedCalls } from './exported-episode.ts'

/** A trajectory in the Agent Trajectory Interchange Format, as far as a trace of tool calls fills it. */
export interface AtifTrajectory {
  readonly schema_version: 'ATIF-v1.7'
  readonly session_id: string
  readonly trajectory_id: string
  readonly agent: { readonly name: string; readonly version: string; readonly model_name?: string }
  readonly steps: readonly AtifStep[]
  readonly final_metrics: {
    readonly total_steps: number
    readonly total_prompt_tokens?: number
    readonly total_completion_tokens?: number
    readonly total_cost_usd?: number
  }
  readonly extra: Readonly<Record<string, unknown>>
}

interface AtifStep {
  readonly step_id: number
  /** ISO 8601; left out where the trace has none. */
  readonly timestamp?: string
  readonly source: 'user' | 'agent'
  readonly message: string
  readonly tool_calls?: readonly {
    readonly tool_call_id: string
    readonly function_name: string
    readonly arguments: Readonly<Record<string, unknown>>
  }[]
  readonly observation?: { readonly results: readonly { readonly source_call_id: string; readonly content: string }[] }
  readonly extra?: Readonly<Record<string, unknown>>
}

/**
 * An episode as an ATIF trajectory: the task, then a step for each call with what the agent observed. Times are those of the
 * desktop. Traces have summaries of answers only, so that the calls are made again; calls that have another answer now have
 * the summary.
 */
export async function toAtif(episode: ExportedEpisode): Promise<AtifTrajectory> {
  const { result, task, agent, agentVersion, startedAt, calls } = episode
  const observations = await observationsOf(episode)
  const model = /^model (.+)$/.exec(agent)?.[1]
  const steps: AtifStep[] = [
    { step_id: 1, timestamp: startedAt, source: 'user', message: task },
    ...calls.map((line, index) => stepOf(line, index + 2, observations[index] ?? line.result_summary)),
  ]
  return {
    schema_version: 'ATIF-v1.7',
    session_id: result.episode,
    trajectory_id: result.episode,
    agent: { name: agent, version: agentVersion, ...(model !== undefined && { model_name: model }) },
    steps,
    final_metrics: { total_steps: steps.length, ...metricsOf(result) },
    extra: {
      success: result.success,
      score: result.score,
      end: result.end,
      failure: result.failure,
      harm: result.harm,
      seed: result.seed,
      variant: result.variant,
    },
  }
}

/** What the agent observed with each call, up to the first call that has another answer now. */
async function observationsOf(episode: ExportedEpisode): Promise<readonly object[]> {
  const observed: object[] = []
  try {
    for await (const { isSame, body } of replayedCalls(episode)) {
      if (!isSame) break
      const { data, ...rest } = body
      // Pictures would be most of the file; the OSWorld export has them.
      observed.push(
        typeof data === 'string' ? { ...rest, data: `${data.length} characters of base64, left out` } : rest,
      )
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
  return observed
}

function stepOf({ tool, args, door_call, desktop_ts }: StoredCall, step: number, observed: object): AtifStep {
  const id = `call-${step - 1}`
  return {
    step_id: step,
    ...(desktop_ts !== '' && { timestamp: desktop_ts }),
    source: 'agent',
    message: '',
    tool_calls: [{ tool_call_id: id, function_name: tool, arguments: args }],
    observation: { results: [{ source_call_id: id, content: JSON.stringify(observed) }] },
    ...(door_call !== undefined && { extra: { door_call } }),
  }
}

function metricsOf({ model }: EpisodeResult) {
  if (!model) return {}
  return {
    total_prompt_tokens: model.input_tokens,
    total_completion_tokens: model.output_tokens,
    ...(model.cost_usd !== null && { total_cost_usd: model.cost_usd }),
  }
}
