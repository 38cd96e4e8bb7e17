import { basename, dirname, relative } from 'node:path'
import * as z from 'zod'
import { GALLERY } from '../../compose/gallery.ts'
import type { EvaluationTask, PlannedEpisode } from './suite-file.ts'

/** A task in a manifest. */
const ManifestTask = z.object({
  id: z.string(),
  scenario: z.string().describe('A name of the gallery, or a path from the folder in which the evaluation was started'),
  hash: z.string(),
  tags: z.array(z.string()).readonly(),
  difficulty: z.string().nullable(),
  seeds: z.array(z.int()).readonly(),
  runs: z.int(),
  episodes: z.int(),
})

/** What an evaluation plays, as `manifest.json` keeps it. Two results with equal manifests can be compared. */
export const EvaluationManifest = z.object({
  format: z.literal('backlot-eval-1'),
  suite: z.string(),
  version: z.string(),
  backlot: z.string().describe('The version of this program'),
  agent: z.string().describe('The agent as the operator named it'),
  label: z.string().nullable().default(null).describe('What the operator calls this agent'),
  agent_hash: z.string().nullable().default(null).describe('A SHA-256 of the files of the agent; null without any'),
  episodes: z.int(),
  tasks: z.array(ManifestTask).readonly(),
})
export type EvaluationManifest = Readonly<z.infer<typeof EvaluationManifest>>

export function manifestOf(
  {
    name,
    version,
    tasks,
  }: { readonly name: string; readonly version: string; readonly tasks: readonly EvaluationTask[] },
  episodes: readonly PlannedEpisode[],
  about: Pick<EvaluationManifest, 'agent' | 'label' | 'agent_hash' | 'backlot'>,
): EvaluationManifest {
  const counts = new Map<string, number>()
  for (const { task } of episodes) counts.set(task, (counts.get(task) ?? 0) + 1)
  return {
    format: 'backlot-eval-1',
    suite: name,
    version,
    ...about,
    episodes: episodes.length,
    tasks: tasks.map(({ id, file, hash, tags, difficulty, seeds, runs }) => ({
      id,
      scenario: writtenPath(file),
      hash,
      tags,
      difficulty: difficulty ?? null,
      seeds,
      runs,
      episodes: counts.get(id) ?? 0,
    })),
  }
}

const writtenPath = (file: string): string =>
  dirname(file) === GALLERY ? basename(file).replace(/\.ya?ml$/i, '') : relative('.', file).replaceAll('\\', '/')

/** How a manifest differs from that of earlier results. */
export interface ManifestChange {
  readonly reason: string
  /** Whether only the content of the agent or of a scenario differs, so that the results are played anew. */
  readonly isContent: boolean
}

/** Why results of one manifest cannot be continued with another; undefined if they can. */
export function changeSince(before: EvaluationManifest, now: EvaluationManifest): ManifestChange | undefined {
  const other = otherSince(before, now)
  if (other !== undefined) return { reason: other, isContent: false }
  const content = contentSince(before, now)
  return content === undefined ? undefined : { reason: content, isContent: true }
}

/** A change of what an agent or a scenario contains, whose names are the same. */
function contentSince(before: EvaluationManifest, now: EvaluationManifest): string | undefined {
  if (before.agent_hash !== now.agent_hash) return `the files of the agent ${now.agent} have changed`
  const hashes = new Map(before.tasks.map(({ id, hash }) => [id, hash]))
  const changed = now.tasks.find(({ id, hash }) => hashes.get(id) !== hash)
  return changed && `the scenario or the settings of the task ${changed.id} have changed`
}

function otherSince(before: EvaluationManifest, now: EvaluationManifest): string | undefined {
  if (before.agent !== now.agent) return `they are of the agent ${before.agent}`
  if (before.label !== now.label)
    return `their agent ${before.label === null ? 'has no label' : `is labelled ${before.label}`}`
  if (before.backlot !== now.backlot) return `they are of Backlot ${before.backlot}, and this is ${now.backlot}`
  if (before.version !== now.version) return `they are of version ${JSON.stringify(before.version)} of the suite`
  const earlierTasks = new Map(before.tasks.map((task) => [task.id, task]))
  for (const task of now.tasks) {
    const earlier = earlierTasks.get(task.id)
    if (!earlier) return `they do not have the task ${task.id}`
    if (earlier.runs !== task.runs || earlier.seeds.join() !== task.seeds.join())
      return `the task ${task.id} has other seeds or runs`
  }
  const known = new Set(now.tasks.map(({ id }) => id))
  const removed = before.tasks.find(({ id }) => !known.has(id))
  if (removed) return `they have the task ${removed.id}`
  if (before.episodes !== now.episodes) return `they have ${before.episodes} episodes, and not ${now.episodes}`
  return undefined
}
