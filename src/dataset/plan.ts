import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { drawInteger, type Random, seededRandom, split } from '../base/random.ts'
import { didYouMean } from '../base/strings.ts'
import { findScenario } from '../compose/gallery.ts'
import { checkFile } from '../compose/preview.ts'
import { AXES } from '../scenario/variants/axes.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'

/** How annotations are written: a COCO document per shard, or a line of JSON per picture. */
export type AnnotationFormat = 'coco' | 'lines'

/** What decides every byte of a dataset. */
export interface DatasetPlan {
  /** Paths or gallery names. Pictures are taken from each in turn. */
  readonly scenarios: readonly string[]
  /** The number of pictures. */
  readonly count: number
  readonly seed: number
  /** The axes that variants may change: all, or some by name; none for the scenarios as they are. */
  readonly variants: 'all' | readonly string[]
  /** Axes that are the same in every picture, instead of what a variant draws. */
  readonly variant: VariantChoices
  readonly annotations: AnnotationFormat
  /** The parts of the scenarios that are for training, validation and test, in percent. */
  readonly split: SplitShares
  /** Whether pictures that are almost equal to another of their run, or equal to another, are kept. */
  readonly keepDuplicates: boolean
}

export const SPLITS = ['train', 'validation', 'test'] as const
/** What a picture is for. */
export type Split = (typeof SPLITS)[number]
export type SplitShares = readonly [train: number, validation: number, test: number]
export const DEFAULT_SPLIT: SplitShares = [80, 10, 10]

/**
 * What each scenario is for: all its pictures are for the same. Scenarios are ordered by the SHA-256 of their file name without
 * extension, and the last of them are for test and validation: at least one each, unless there are fewer than three.
 */
export function splitOfScenarios({
  scenarios,
  split,
}: Pick<DatasetPlan, 'scenarios' | 'split'>): ReadonlyMap<string, Split> {
  const names = [...new Set(scenarios.map(nameOfFile))].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))
  const [, validation, test] = split.map((share) =>
    share === 0 || names.length < SPLITS.length ? 0 : Math.max(1, Math.round((names.length * share) / 100)),
  ) as [number, number, number]
  const splitAt = (place: number): Split =>
    place >= names.length - test ? 'test' : place >= names.length - test - validation ? 'validation' : 'train'
  const byName = new Map(names.map((name, place) => [name, splitAt(place)]))
  return new Map(scenarios.map((file) => [file, byName.get(nameOfFile(file))!]))
}

const nameOfFile = (file: string): string => basename(file).replace(/\.ya?ml$/i, '')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Pictures of a shard, which is written as a whole. */
export const SHARD_PICTURES = 50
/** Pictures of one run: different points of one solution in one variant. */
const RUN_PICTURES = 5

/** One run of a scenario, of which pictures are taken. */
export interface PlannedRun {
  /** Counts from 0 over the dataset. */
  readonly number: number
  readonly scenario: string
  /** The numbers of its pictures, from 1. */
  readonly pictures: readonly number[]
  readonly random: Random
}

export const shardCount = ({ count }: Pick<DatasetPlan, 'count'>): number => Math.ceil(count / SHARD_PICTURES)

/** The runs of a shard, which counts from 0. They depend on nothing but the plan. */
export function runsOfShard({ scenarios, count, seed }: DatasetPlan, shard: number): readonly PlannedRun[] {
  const random = split(seededRandom(seed), 'dataset')
  const runs: PlannedRun[] = []
  for (
    let first = shard * SHARD_PICTURES;
    first < Math.min(count, (shard + 1) * SHARD_PICTURES);
    first += RUN_PICTURES
  ) {
    const number = first / RUN_PICTURES
    const pictures = Array.from({ length: Math.min(RUN_PICTURES, count - first) }, (_, index) => first + index + 1)
    runs.push({
      number,
      scenario: scenarios[number % scenarios.length]!,
      pictures,
      random: split(random, String(number)),
    })
  }
  return runs
}

const MAX_SEED = 2 ** 31 - 1

/** A seed for an attempt of a run. */
export const seedOf = ({ random }: PlannedRun, attempt: number): number =>
  drawInteger(split(random, `seed ${attempt}`), 0, MAX_SEED)[0]

/** Draws all of `length` places in a random order. */
export function drawPlaces(random: Random, length: number): readonly number[] {
  const places = Array.from({ length }, (_, index) => index)
  let next = random
  const drawn: number[] = []
  while (places.length > 0) {
    const [at, rest] = drawInteger(next, 0, places.length - 1)
    next = rest
    drawn.push(...places.splice(at, 1))
  }
  return drawn
}

/** The name of the file of a picture, below the folder of the dataset. */
export const imageFile = (number: number): string => `images/${padded(number)}.png`

/** The name of the file of a shard's annotations. */
export const annotationFile = (shard: number, format: AnnotationFormat): string =>
  `annotations/${padded(shard + 1)}.${format === 'coco' ? 'json' : 'jsonl'}`

/** The shard, which counts from 0, that has a file. Undefined for a file of the whole dataset. */
export function shardOfFile(path: string): number | undefined {
  const [, folder, digits] = /^(images|annotations)\/(\d+)\./.exec(path) ?? []
  if (digits === undefined) return undefined
  return folder === 'images' ? Math.floor((Number(digits) - 1) / SHARD_PICTURES) : Number(digits) - 1
}

const padded = (number: number): string => String(number).padStart(6, '0')

/** A problem with a dataset that the user can fix. */
export class DatasetError extends Error {}

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
