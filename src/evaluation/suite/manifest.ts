import { basename, dirname, relative } from 'node:path'
import { GALLERY } from '../../compose/gallery.ts'
import type { EvaluationTask, PlannedEpisode } from './task.ts'

/** What an evaluation plays, as `manifest.json` keeps it. Two results with equal manifests can be compared. */
export interface EvaluationManifest {
  readonly format: 'backlot-eval-1'
  readonly suite: string
  readonly version: string
  /** The version of this program. */
  readonly backlot: string
  /** The agent as the operator named it. */
  readonly agent: string
  readonly episodes: number
  readonly tasks: readonly ManifestTask[]
}

/** A task in a manifest. */
export interface ManifestTask {
  readonly id: string
  /** The scenario: a name of the gallery, or a path from the folder in which the evaluation was started. */
  readonly scenario: string
  readonly hash: string
  readonly tags: readonly string[]
  readonly difficulty: string | null
  readonly seeds: readonly number[]
  readonly runs: number
  readonly episodes: number
}

export function manifestOf(
  {
    name,
    version,
    tasks,
  }: { readonly name: string; readonly version: string; readonly tasks: readonly EvaluationTask[] },
  episodes: readonly PlannedEpisode[],
  { agent, backlot }: Pick<EvaluationManifest, 'agent' | 'backlot'>,
): EvaluationManifest {
  return {
    format: 'backlot-eval-1',
    suite: name,
    version,
    backlot,
    agent,
    episodes: episodes.length,
    tasks: tasks.map(({ id, file, hash, tags, difficulty, seeds, runs }) => ({
      id,
      scenario: writtenPath(file),
      hash,
      tags,
      difficulty: difficulty ?? null,
      seeds,
      runs,
      episodes: episodes.filter(({ task }) => task === id).length,
    })),
  }
}

const writtenPath = (file: string): string =>
  dirname(file) === GALLERY ? basename(file).replace(/\.ya?ml$/i, '') : relative('.', file).replaceAll('\\', '/')

/** Why results of one manifest cannot be continued with another; undefined if they can. */
export function changeSince(before: EvaluationManifest, now: EvaluationManifest): string | undefined {
  if (before.agent !== now.agent) return `they are of the agent ${before.agent}`
  for (const task of now.tasks) {
    const earlier = before.tasks.find(({ id }) => id === task.id)
    if (!earlier) return `they do not have the task ${task.id}`
    if (earlier.hash !== task.hash) return `the task ${task.id} has changed since`
  }
  const known = new Set(now.tasks.map(({ id }) => id))
  const removed = before.tasks.find(({ id }) => !known.has(id))
  if (removed) return `they have the task ${removed.id}`
  if (before.episodes !== now.episodes) return `they have ${before.episodes} episodes, and not ${now.episodes}`
  return undefined
}
