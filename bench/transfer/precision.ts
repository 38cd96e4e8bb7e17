import type { Rect } from '../../src/desktop/model/geometry.ts'
import { CONTROL_CLASSES, type ControlClass, overlapOf, type ScreenLabels } from './labels.ts'

/** A box that a detector has found. */
export interface Detection {
  readonly is: ControlClass
  readonly score: number
  readonly box: Rect
}

/** A detection that counts: right or wrong. */
export interface JudgedDetection {
  readonly score: number
  readonly isRight: boolean
}

/** What a picture adds to an average precision. */
export interface JudgedPicture {
  readonly program: string
  readonly detections: readonly JudgedDetection[]
  /** The number of boxes to find. */
  readonly wanted: number
}

const MIN_OVERLAP = 0.5

/**
 * Judges the detections of a picture, the best first: right if the box with which it overlaps most is free. One that matches an ignored
 * region, and no free box, does not count. Without a class, all classes are one.
 */
export function judgeDetections(
  detections: readonly Detection[],
  { boxes, ignored }: ScreenLabels,
  only?: ControlClass,
): Omit<JudgedPicture, 'program'> {
  const wanted = boxes.filter(({ is }) => only === undefined || is === only).map(({ box }) => box)
  const taken = new Set<Rect>()
  const judged: JudgedDetection[] = []
  const ordered = detections
    .filter(({ is }) => only === undefined || is === only)
    .toSorted((one, other) => other.score - one.score)
  for (const { box, score } of ordered) {
    const { match } = wanted.reduce<{ readonly match?: Rect; readonly overlap: number }>(
      (best, candidate) => {
        const overlap = overlapOf(box, candidate)
        return overlap >= best.overlap && overlap > 0 && !taken.has(candidate) ? { match: candidate, overlap } : best
      },
      { overlap: MIN_OVERLAP },
    )
    if (match) taken.add(match)
    else if (ignored.some((region) => overlapOf(box, region) >= MIN_OVERLAP)) continue
    judged.push({ score, isRight: match !== undefined })
  }
  return { detections: judged, wanted: wanted.length }
}

/**
 * The average precision of the detections of all pictures together: the area under the envelope of precision over recall, with all points.
 * A weight says how often the pictures of a program count. Undefined if there is nothing to find.
 */
export type AveragePrecision = (weightOf: (program: string) => number) => number | undefined

/** Sorts the detections once, so that samples of programs cost one pass each. */
export function averagePrecisionOf(pictures: readonly JudgedPicture[]): AveragePrecision {
  const sorted = pictures
    .flatMap(({ program, detections }) => detections.map((each) => ({ program, ...each })))
    .toSorted((one, other) => other.score - one.score)
  const programs = [...new Set(pictures.map(({ program }) => program))]
  const programAt = Int32Array.from(sorted, ({ program }) => programs.indexOf(program))
  const rightAt = Uint8Array.from(sorted, ({ isRight }) => Number(isRight))
  // Detections with one score have no order among them.
  const endsAt = Uint8Array.from(sorted, ({ score }, index) => Number(sorted[index + 1]?.score !== score))
  const wantedOf = programs.map((name) =>
    pictures.reduce((sum, { program, wanted }) => sum + (program === name ? wanted : 0), 0),
  )
  const precisions = new Float64Array(sorted.length)
  const recalls = new Float64Array(sorted.length)
  return (weightOf) => {
    const weights = Float64Array.from(programs, weightOf)
    const wanted = wantedOf.reduce((sum, count, index) => sum + count * weights[index]!, 0)
    if (wanted === 0) return undefined
    let [right, counted, points] = [0, 0, 0]
    for (let at = 0; at < sorted.length; at++) {
      const weight = weights[programAt[at]!]!
      counted += weight
      right += weight * rightAt[at]!
      if (counted === 0 || endsAt[at] === 0) continue
      precisions[points] = right / counted
      recalls[points++] = right / wanted
    }
    let [area, best, recall] = [0, 0, points > 0 ? recalls[points - 1]! : 0]
    for (let at = points - 1; at >= 0; at--) {
      area += (recall - recalls[at]!) * best
      best = Math.max(best, precisions[at]!)
      recall = recalls[at]!
    }
    return area + recall * best
  }
}

/** The average precision of each class, and of all classes as one. */
export interface DetectorScores {
  readonly map: number
  readonly agnostic: number
  readonly classes: Readonly<Partial<Record<ControlClass, number>>>
}

/** A picture, and what a detector has found in it. */
export interface DetectedPicture extends ScreenLabels {
  readonly program: string
  readonly detections: readonly Detection[]
}

/** The scores of a detector in weighted programs. */
export type ScoresIn = (weightOf: (program: string) => number) => DetectorScores

export function scoresOf(pictures: readonly DetectedPicture[]): ScoresIn {
  const precisionIn = (only?: ControlClass) =>
    averagePrecisionOf(
      pictures.map((picture) => ({ program: picture.program, ...judgeDetections(picture.detections, picture, only) })),
    )
  const byClass = CONTROL_CLASSES.map((is) => [is, precisionIn(is)] as const)
  const ofAll = precisionIn()
  return (weightOf) => {
    const classes = byClass.flatMap(([is, precision]) => {
      const value = precision(weightOf)
      return value === undefined ? [] : [[is, value] as const]
    })
    const map = classes.reduce((sum, [, value]) => sum + value, 0) / Math.max(1, classes.length)
    return { map, agnostic: ofAll(weightOf) ?? 0, classes: Object.fromEntries(classes) }
  }
}
