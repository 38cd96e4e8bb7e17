import { createHash } from 'node:crypto'
import type { StoredResults } from '../compare/stored-results.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { toAtif } from './atif.ts'
import { type ExportedEpisode, exportedAgent, pathPart } from './exported-episode.ts'
import type { ExportedFiles } from './osworld-results.ts'

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** The folder of a Harbor job: `jobs/NAME`. */
const jobFolder = ({ manifest }: StoredResults): string => `jobs/${pathPart(manifest.suite)}`

/** The files of a Harbor job besides its trials: `config.json`, and `result.json` with the statistics of a `JobResult`. There is a trial. */
export function toHarborJob(stored: StoredResults, names: ReadonlyMap<string, string>): ExportedFiles {
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
export async function toHarborTrial(stored: StoredResults, episode: ExportedEpisode): Promise<ExportedFiles> {
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
