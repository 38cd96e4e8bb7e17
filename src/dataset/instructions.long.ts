import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import {
  type CheckedImage,
  type Observation,
  type Observe,
  type TreeNode,
  wrongInstructions,
} from '../../test/support/dataset/check-instructions.ts'
import { galleryNames } from '../compose/gallery.ts'
import { memorySession } from '../compose/memory-session.ts'
import { playSolution } from '../compose/play-solution.ts'
import { call } from '../observer/call.ts'
import { withVariant } from '../scenario/seeds.ts'
import { DatasetFolder } from './folder.ts'
import { type DatasetPlan, DEFAULT_SPLIT } from './plan.ts'
import { type LoadedScenarios, loadOnce, writeShard } from './shard.ts'
import { writeDataset } from './write-dataset.ts'

// Rules such as [DS13] are stated in README.md beside this file.

/** The number of pictures: five of each scenario, with `BACKLOT_FULL=1` the whole of a dataset that people train with. */
const COUNT = process.env.BACKLOT_FULL ? 1500 : galleryNames().length * 5
const SEED = Number(process.env.BACKLOT_DATASET_SEED ?? 11)

const root = mkdtempSync(join(tmpdir(), 'backlot-instructions-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What a client observes at the moment of a picture. The last moment is kept, because instructions are ordered by picture. */
function observer(scenarios: LoadedScenarios): Observe {
  let last: { readonly image: CheckedImage; readonly seen: Observation } | undefined
  return async (image) => {
    if (last?.image !== image) last = { image, seen: await observed(image, scenarios) }
    return last.seen
  }
}

async function observed(
  { scenario, seed, variant, step }: CheckedImage,
  scenarios: LoadedScenarios,
): Promise<Observation> {
  const played = memorySession(withVariant(await scenarios(scenario), variant, seed), { seed })
  const { session, computer } = played
  if (step > 0)
    for await (const { number } of playSolution(played, computer.run.scenario.solutions[0])) if (number === step) break
  return {
    windows: computer.run.desktop.windows,
    treeOf: async (window_uid) => {
      const { body } = await call(session, 'get_window_structure', { window_uid })
      return (body as { readonly tree: TreeNode }).tree
    },
  }
}

it('[DS13] [DS19] [DS21] [DS25] [DS26] every instruction means one element of all that is painted', {
  timeout: (process.env.BACKLOT_FULL ? 4 : 1) * 1_800_000,
}, async () => {
  const plan: DatasetPlan = {
    scenarios: galleryNames(),
    count: COUNT,
    seed: SEED,
    variants: 'all',
    variant: {},
    annotations: 'coco',
    split: DEFAULT_SPLIT,
    keepDuplicates: false,
  }
  const scenarios = loadOnce()
  const written = await writeDataset({
    plan,
    out: root,
    version: '1.0.0',
    workers: 1,
    signal: new AbortController().signal,
    openWorker: async () => ({
      write: (shard) => writeShard(plan, shard, new DatasetFolder(root), scenarios),
      close: async () => {},
    }),
  })
  const { checked, pictures, wrong } = await wrongInstructions(root, observer(scenarios))
  expect(wrong).toEqual([])
  expect(pictures).toBe(COUNT - written!.leftOut)
  expect(checked).toBeGreaterThan(COUNT * 5)
})
