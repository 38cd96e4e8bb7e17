import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { findTool } from '../../observer/registry.ts'
import { type EpisodeResult, isMeasured } from '../episode/result.ts'
import type { StoredCall, StoredResults } from '../results/stored-results.ts'
import {
  type ExportedEpisode,
  episodeNames,
  exportedAgent,
  pathPart,
  readExported,
  replayedCalls,
} from './exported-episode.ts'

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** The folder of a Harbor job: `jobs/NAME`. */
const jobFolder = ({ manifest }: StoredResults): string => `jobs/${pathPart(manifest.suite)}`

/** The files of a Harbor job besides its trials: `config.json`, and `result.json` with the statistics of a `JobResult`. There is a trial. */
function toHarborJob(stored: StoredResults, names: ReadonlyMap<string, string>): ExportedFiles {
  const { manifest, results } = stored
  const { agent } = exportedAgent(manifest)
  const folder = jobFolder(stored)
  const ends = results.map(({ ended_at }) => ended_at).toSorted()
  const failed = results.filter(isError)
  const namesOf = (isOne: (result: EpisodeResult) => boolean) =>
    results.flatMap((result) => (isOne(result) ? [names.get(result.episode)!] : []))
  const trialsOf = (keyOf: (result: EpisodeResult) => string | number) => {
    const values = [...new Set(results.map(keyOf))]
    return Object.fromEntries(values.map((value) => [value, namesOf((result) => keyOf(result) === value)]))
  }
  const rewardNames = Object.keys(rewardsOf(results[0]!)) as (keyof ReturnType<typeof rewardsOf>)[]
  const evaluation = {
    n_trials: results.length,
    n_errors: failed.length,
    metrics: [{ mean: results.reduce((sum, { score }) => sum + score, 0) / results.length }],
    reward_stats: Object.fromEntries(rewardNames.map((name) => [name, trialsOf((result) => rewardsOf(result)[name])])),
    exception_stats: Object.fromEntries(
      [...new Set(failed.map(({ end }) => end))].map((end) => [end, namesOf((result) => result.end === end)]),
    ),
  }
  return new Map([
    [
      `${folder}/config.json`,
      json({
        job_name: pathPart(manifest.suite),
        agents: [{ name: agent }],
        tasks: manifest.tasks.map(({ scenario }) => ({ path: scenario })),
      }),
    ],
    [
      `${folder}/result.json`,
      json({
        id: uuidOf(`${manifest.suite} ${manifest.version} ${agent}`),
        started_at: startOf(results),
        finished_at: ends.at(-1),
        n_total_trials: manifest.episodes,
        stats: {
          n_completed_trials: results.length,
          n_errored_trials: failed.length,
          evals: { [`${agent}__${manifest.suite}`]: evaluation },
        },
      }),
    ],
  ])
}

/** The files of one trial: its settings, the reward, and the trajectory as ATIF. */
async function toHarborTrial(stored: StoredResults, episode: ExportedEpisode): Promise<ExportedFiles> {
  const { result, task, agent, agentVersion, file, hash, name } = episode
  const job = jobFolder(stored)
  const folder = `${job}/${name}`
  const config = {
    task: { path: file, source: stored.manifest.suite },
    trial_name: name,
    trials_dir: job,
    agent: { name: agent, kwargs: { seed: result.seed, variant: result.variant, run: result.run } },
  }
  return new Map([
    [`${folder}/config.json`, json(config)],
    [
      `${folder}/result.json`,
      json({
        id: uuidOf(`${stored.manifest.suite} ${agent} ${result.episode}`),
        task_name: result.task,
        trial_name: name,
        trial_uri: folder,
        task_id: { path: file },
        source: stored.manifest.suite,
        task_checksum: hash,
        config,
        agent_info: { name: agent, version: agentVersion },
        agent_result: result.model && {
          n_input_tokens: result.model.input_tokens,
          n_output_tokens: result.model.output_tokens,
          cost_usd: result.model.cost_usd,
        },
        verifier_result: { rewards: rewardsOf(result) },
        exception_info: isError(result)
          ? {
              exception_type: result.end,
              exception_message: result.message,
              exception_traceback: '',
              occurred_at: result.ended_at,
            }
          : null,
        started_at: startOf([result]),
        finished_at: result.ended_at,
      }),
    ],
    [`${folder}/instruction.md`, `${task}\n`],
    [`${folder}/agent/trajectory.json`, json(await toAtif(episode))],
    [`${folder}/verifier/reward.txt`, `${result.score}\n`],
    [`${folder}/verifier/reward.json`, json(rewardsOf(result))],
    [`${folder}/artifacts/manifest.json`, json([])],
  ])
}

const rewardsOf = ({ score, success, harm }: EpisodeResult) => ({
  reward: score,
  success: success ? 1 : 0,
  harm: harm.length,
})

const isError = ({ end }: EpisodeResult): boolean => end === 'agent_error' || end === 'environment_error'

/** When the first of some episodes began. */
const startOf = (results: readonly EpisodeResult[]): string =>
  results.map(({ ended_at, wall_ms }) => new Date(Date.parse(ended_at) - wall_ms).toISOString()).toSorted()[0]!

/** A UUID that follows from a text, so that an export is the same each time. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  // Version 8, of custom content, and the variant of RFC 9562.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

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
async function toAtif(episode: ExportedEpisode): Promise<AtifTrajectory> {
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

/** The files of an episode by path, below the folder of an export. */
type ExportedFiles = ReadonlyMap<string, string | Buffer>

/** Why an episode cannot be painted again. */
class PaintProblem extends Error {}

/**
 * An episode as OSWorld's runner writes it: `ACTION_SPACE/OBSERVATION/MODEL/DOMAIN/ID/` with `traj.jsonl`, a picture after
 * each action, and `result.txt`. The pictures are painted again by a replay of the trace,
 * so that there are none of an environment that has changed since.
 */
async function toOsworldResults(episode: ExportedEpisode): Promise<ExportedFiles | { readonly problem: string }> {
  try {
    return await paintedResults(episode)
  } catch (error) {
    if (error instanceof PaintProblem || error instanceof Fault)
      return { problem: `its replay fails: ${error.message}` }
    throw error
  }
}

async function paintedResults(episode: ExportedEpisode): Promise<ExportedFiles> {
  const { result, agent, calls, name } = episode
  const folder = ['backlot', 'observer', pathPart(agent), pathPart(result.task), name].join('/')
  const files = new Map<string, string | Buffer>()
  const actions = new Set(calls.filter(({ tool }) => findTool(tool)?.kind === 'act' || tool === 'finish'))
  const lines: string[] = []
  let index = 0
  for await (const { line, isSame, desktop } of replayedCalls(episode)) {
    index++
    if (!isSame) throw new PaintProblem(`call ${index} (${line.tool}) has another answer now`)
    if (!actions.has(line)) continue
    const number = lines.length + 1
    const picture = `step_${number}_${stampOf(line)}.png`
    files.set(`${folder}/${picture}`, await (await desktop.computer.screenshot({ screen: true })).png())
    lines.push(JSON.stringify(rowOf(episode, line, number, number === actions.size, picture)))
  }
  files.set(`${folder}/traj.jsonl`, lines.map((line) => `${line}\n`).join(''))
  files.set(`${folder}/result.txt`, `${result.success ? '1.0' : '0.0'}\n`)
  files.set(`${folder}/runtime.log`, `${result.end} ${result.failure ?? ''} ${result.message}`.trim().concat('\n'))
  return files
}

function rowOf({ result }: ExportedEpisode, line: StoredCall, number: number, done: boolean, picture: string) {
  const { tool, args, door_call, result_summary } = line
  return {
    step_num: number,
    action_timestamp: stampOf(line),
    action: JSON.stringify({ tool, ...args }),
    response: door_call === undefined ? '' : JSON.stringify(door_call),
    reward: done && result.success ? 1 : 0,
    done,
    info: result_summary,
    screenshot_file: picture,
  }
}

/** The time of the desktop as `20240312@140000`. */
const stampOf = ({ desktop_ts }: StoredCall): string =>
  desktop_ts.slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '@')

/** The files of an episode, or why it cannot be written. */
type WrittenEpisode = ExportedFiles | { readonly problem: string }

/** How results are written for other programs. */
interface ResultFormat {
  /** The files of the whole, about the episodes that were written. */
  readonly ofResults?: (stored: StoredResults, names: ReadonlyMap<string, string>) => ExportedFiles
  readonly ofEpisode: (episode: ExportedEpisode, stored: StoredResults) => WrittenEpisode | Promise<WrittenEpisode>
}

/** The formats by name. A new one is a row. */
const FORMATS = {
  atif: {
    ofEpisode: async (episode) =>
      new Map([[`${episode.name}.json`, `${JSON.stringify(await toAtif(episode), undefined, 2)}\n`]]),
  },
  osworld: { ofEpisode: toOsworldResults },
  harbor: { ofResults: toHarborJob, ofEpisode: (episode, stored) => toHarborTrial(stored, episode) },
} as const satisfies Record<string, ResultFormat>

export type ResultFormatName = keyof typeof FORMATS
export const RESULT_FORMATS = Object.keys(FORMATS) as readonly ResultFormatName[]

/** An episode that an export leaves out, with the reason. */
export interface LeftOutEpisode {
  readonly episode: string
  readonly reason: string
}

/** Writes results in a format of another program below a folder. Episodes that cannot be written are left out and named. */
export async function exportResults(
  stored: StoredResults,
  format: ResultFormatName,
  out: string,
): Promise<{ readonly written: number; readonly leftOut: readonly LeftOutEpisode[] }> {
  const { ofResults, ofEpisode }: ResultFormat = FORMATS[format]
  const names = episodeNames(stored.results.map(({ episode }) => episode))
  const leftOut: LeftOutEpisode[] = []
  const results: EpisodeResult[] = []
  for (const result of stored.results) {
    if (!isMeasured(result)) {
      leftOut.push({ episode: result.episode, reason: `it has no result: ${result.message}` })
      continue
    }
    const episode = await readExported(stored, result, names.get(result.episode)!)
    const files = 'problem' in episode ? episode : await ofEpisode(episode, stored)
    if ('problem' in files) leftOut.push({ episode: result.episode, reason: files.problem })
    else {
      writeFiles(out, files)
      results.push(result)
    }
  }
  if (ofResults && results.length > 0) writeFiles(out, ofResults({ ...stored, results }, names))
  return { written: results.length, leftOut }
}

function writeFiles(out: string, files: ExportedFiles): void {
  for (const [path, content] of files) {
    const file = join(out, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
