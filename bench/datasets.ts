import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { galleryNames } from '../src/compose/gallery.ts'
import { DatasetFolder } from '../src/dataset/folder.ts'
import { type DatasetPlan, DEFAULT_SPLIT, SHARD_PICTURES } from '../src/dataset/plan.ts'
import { loadOnce, writeShard } from '../src/dataset/shard.ts'
import { QUICK } from './harness/limits.ts'
import type { ReportLine } from './harness/measure.ts'

/** The first shard loads the scenarios and compiles the code, and is not counted. */
const SHARDS = QUICK ? 3 : 6

/** 10,000 pictures on two cores in ten minutes. */
const GOAL_PER_CPU_SECOND = 10_000 / 600 / 2

/** Measures pictures of the gallery in all variants, with their annotations and instructions, as `backlot dataset` writes them. */
export async function benchDatasets(): Promise<readonly ReportLine[]> {
  const plan: DatasetPlan = {
    scenarios: galleryNames(),
    count: SHARDS * SHARD_PICTURES,
    seed: 1,
    variants: 'all',
    variant: {},
    annotations: 'coco',
    split: DEFAULT_SPLIT,
    keepDuplicates: false,
  }
  const out = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  try {
    const folder = new DatasetFolder(join(out, 'dataset'))
    folder.open('{}')
    const scenarios = loadOnce()
    await writeShard(plan, 0, folder, scenarios)
    const started = process.cpuUsage()
    for (let shard = 1; shard < SHARDS; shard++) await writeShard(plan, shard, folder, scenarios)
    const { user, system } = process.cpuUsage(started)
    const rate = ((SHARDS - 1) * SHARD_PICTURES * 1e6) / (user + system)
    return [
      {
        what: 'annotated pictures of the gallery in all variants',
        measured: `${rate.toFixed(1)} per CPU-second`,
        target: `${GOAL_PER_CPU_SECOND.toFixed(1)} or more`,
        met: rate >= GOAL_PER_CPU_SECOND,
      },
    ]
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
