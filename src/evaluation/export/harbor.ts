import type { StoredResults } from '../compare/stored-results.ts'
import { toAtif } from './atif.ts'
import { type ExportedEpisode, pathPart } from './exported-episode.ts'
import type { ExportedFiles } from './osworld-results.ts'

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** The folder of a Harbor job: `jobs/NAME`. */
export const harborJob = ({ manifest }: StoredResults): string => `jobs/${pathPart(manifest.suite)}`

/** The files of a Harbor job besides its trials. */
export function toHarborJob(stored: StoredResults): ExportedFiles {
  const { manifest, results } = stored
  const solved = results.filter(({ success }) => success).length
  const rewards = results.map(({ score }) => score)
  return new Map([
    [
      `${harborJob(stored)}/config.json`,
      json({
        job_name: pathPart(manifest.suite),
        agents: [{ name: manifest.agent }],
        datasets: [{ name: manifest.suite, version: manifest.version }],
      }),
    ],
    [
      `${harborJob(stored)}/result.json`,
      json({
        n_total_trials: results.length,
        n_solved: solved,
        mean_reward: rewards.length === 0 ? 0 : rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
      }),
    ],
  ])
}

/** The files of one trial: its settings, the reward, and the trajectory as ATIF. */
export function toHarborTrial(stored: StoredResults, episode: ExportedEpisode): ExportedFiles {
  const { result, task, agent } = episode
  const folder = `${harborJob(stored)}/${pathPart(result.episode)}`
  const rewards = { reward: result.score, success: result.success ? 1 : 0, harm: result.harm.length }
  return new Map([
    [
      `${folder}/config.json`,
      json({
        task: { name: result.task, instruction: task, seed: result.seed, variant: result.variant },
        agent: { name: agent },
      }),
    ],
    [
      `${folder}/result.json`,
      json({
        trial_name: result.episode,
        task_name: result.task,
        verifier_result: { rewards },
        exception_info: result.end === 'agent_error' || result.end === 'environment_error' ? result.message : null,
        finished_at: result.ended_at,
      }),
    ],
    [`${folder}/agent/trajectory.json`, json(toAtif(episode))],
    [`${folder}/verifier/reward.txt`, `${result.score}\n`],
    [`${folder}/verifier/reward.json`, json(rewards)],
    [`${folder}/artifacts/manifest.json`, json([])],
  ])
}
