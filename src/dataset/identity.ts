import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { didYouMean } from '../base/text/suggest.ts'
import { findScenario } from '../compose/gallery.ts'
import { checkFile } from '../compose/preview.ts'
import { AXES } from '../scenario/variants/axes.ts'
import { DatasetError } from './dataset-error.ts'
import { type DatasetPlan, RUN_PICTURES, SHARD_PICTURES } from './plan.ts'

/** The version of the files of a dataset. A change of them raises it. */
const FORMAT_VERSION = 3

/** What decides every byte of a dataset, in the form in which its manifest has it. */
export interface DatasetIdentity {
  readonly format: 'backlot-dataset'
  readonly format_version: number
  readonly backlot_version: string
  readonly count: number
  readonly seed: number
  readonly variants: DatasetPlan['variants']
  readonly variant: DatasetPlan['variant']
  readonly annotations: DatasetPlan['annotations']
  readonly split: DatasetPlan['split']
  readonly keep_duplicates: boolean
  readonly shard_pictures: number
  readonly run_pictures: number
  /** In the order in which pictures are taken from them. */
  readonly scenarios: readonly { readonly name: string; readonly file: string; readonly sha256: string }[]
}

/**
 * Reads and checks the scenarios of a plan. Throws a `DatasetError` for an unknown axis, and a `Fault` `ScenarioInvalid` for a
 * scenario with problems.
 */
export async function identityOf(plan: DatasetPlan, version: string): Promise<DatasetIdentity> {
  if (plan.variants !== 'all') for (const axis of plan.variants) checkAxis(axis)
  const scenarios = []
  for (const file of plan.scenarios) {
    const included: string[] = []
    const { scenario } = await checkFile(file, (path) => included.push(path))
    const hash = createHash('sha256')
    for (const path of [findScenario(file), ...included]) hash.update(await readFile(path)).update('\0')
    scenarios.push({ name: scenario.name, file, sha256: hash.digest('hex') })
  }
  const { count, seed, variants, variant, annotations, split, keepDuplicates } = plan
  return {
    format: 'backlot-dataset',
    format_version: FORMAT_VERSION,
    backlot_version: version,
    count,
    seed,
    variants,
    variant,
    annotations,
    split,
    keep_duplicates: keepDuplicates,
    shard_pictures: SHARD_PICTURES,
    run_pictures: RUN_PICTURES,
    scenarios,
  }
}

function checkAxis(axis: string): void {
  const names = AXES.map(({ name }) => name)
  if (names.includes(axis)) return
  throw new DatasetError(
    `--variants: unknown axis ${JSON.stringify(axis)}${didYouMean(axis, names)}; use all, none, or some of ${names.join(', ')}`,
  )
}
