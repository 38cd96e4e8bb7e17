import { seededRandom, split } from '../../base/random.ts'
import type { DateNames } from '../../desktop/model/date-names.ts'
import type { PictureFiles } from '../../desktop/model/picture-file.ts'
import { mirrorOf, projectPoint, type ScreenProjection } from '../../desktop/projection/projection.ts'
import { buildMonitors } from '../load/build.ts'
import { personalityNamed } from '../personalities/personalities.ts'
import type { Personality } from '../personalities/personality.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { AXES } from './axes.ts'
import type { BoundField, VariantAxis, VariedScenario } from './axis.ts'
import { movePoints } from './geometry/points.ts'
import type { VariantChoices } from './variant-choices.ts'

/** A scenario file in a variant. */
export interface Variant {
  readonly written: WrittenScenario
  readonly projection: ScreenProjection | undefined
  /** The text that a live template has in it. */
  readonly retext: (text: string) => string
  /** How a shown text with live values is written in it. Undefined: as it is. */
  readonly formatText: ((text: string) => string) | undefined
  /** How calendars and the clock name months and weekdays. Undefined: in English. */
  readonly dateNames: DateNames | undefined
  /** The language of the texts that the desktop makes. Undefined: English. */
  readonly language: string | undefined
  readonly personality: Personality | undefined
  /** Axes that do not apply to this scenario, texts without translation, texts that are cut. */
  readonly warnings: readonly string[]
}

/** A scenario file that variants are made of. */
export interface VariantSource {
  readonly written: WrittenScenario
  /** Whether it draws parameters. */
  readonly isDrawn: boolean
  /** The fields of its elements that change with the data. */
  readonly bound: readonly BoundField[]
  /** The picture files that it shows. */
  readonly pictures: PictureFiles
}

/** Applies the chosen axes to a scenario file. The same file, choices and seed give the same variant. */
export function applyVariant(source: VariantSource, choices: VariantChoices, seed: number): Variant {
  const { written, bound } = source
  const random = split(seededRandom(seed), 'variant')
  let subject: VariedScenario = {
    written,
    ratio: 1,
    scale: 1,
    isMirrored: false,
    bound,
    retext: (text) => text,
    warnings: [],
  }
  for (const axis of AXES) {
    const value = choices[axis.name]
    if (value === undefined) continue
    const obstacle = obstacleOf(axis, source, value)
    subject =
      obstacle === undefined
        ? axis.apply(subject, value, split(random, axis.name))
        : { ...subject, warnings: [...subject.warnings, `${axis.name} does not apply: ${obstacle}`] }
  }
  const projection = projectionOf(subject)
  const seen = projection ? movePoints(subject.written, (point) => projectPoint(projection, point)) : subject.written
  const personality = subject.personality === undefined ? undefined : personalityNamed(subject.personality)
  return {
    written: seen,
    projection,
    personality,
    retext: subject.retext,
    formatText: subject.formatText,
    dateNames: subject.dateNames,
    language: subject.language,
    warnings: subject.warnings,
  }
}

/** Why an axis does not apply to a scenario: the reason that its file gives, or the axis. */
export const obstacleOf = (axis: VariantAxis, { written, isDrawn }: VariantSource, value: string): string | undefined =>
  written.invariant?.[axis.name] ??
  (axis.needsParameters && !isDrawn ? 'the scenario draws no parameters' : axis.obstacle(written, value))

function projectionOf({ written, ratio, scale, isMirrored }: VariedScenario): ScreenProjection | undefined {
  if (ratio === 1 && !isMirrored) return undefined
  return { ratio, scale, ...(isMirrored && { mirror: mirrorOf(buildMonitors(written)) }) }
}
