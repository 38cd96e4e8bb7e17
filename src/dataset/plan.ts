import { drawInteger, type Random, seededRandom, split } from '../base/random.ts'
import type { VariantChoices } from '../scenario/variants/variant-choices.ts'

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
}

/** Pictures of a shard, which is written as a whole. */
export const SHARD_PICTURES = 50
/** Pictures of one run: different points of one solution in one variant. */
export const RUN_PICTURES = 5

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

/** Draws some of `length` places, without repetition, in ascending order. */
export function drawPlaces(random: Random, length: number, count: number): readonly number[] {
  const places = Array.from({ length }, (_, index) => index)
  let next = random
  const drawn: number[] = []
  while (drawn.length < count && places.length > 0) {
    const [at, rest] = drawInteger(next, 0, places.length - 1)
    next = rest
    drawn.push(...places.splice(at, 1))
  }
  return drawn.sort((a, b) => a - b)
}

/** The name of the file of a picture, below the folder of the dataset. */
export const imageFile = (number: number): string => `images/${padded(number)}.png`

/** The name of the file of a shard's annotations. */
export const annotationFile = (shard: number, format: AnnotationFormat): string =>
  `annotations/${padded(shard + 1)}.${format === 'coco' ? 'json' : 'jsonl'}`

const padded = (number: number): string => String(number).padStart(6, '0')
