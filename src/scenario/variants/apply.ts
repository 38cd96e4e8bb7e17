import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import type { DateNames } from '../../desktop/model/desktop.ts'
import type { PictureFiles } from '../../desktop/model/pictures.ts'
import { mirrorOf, projectPoint, type ScreenProjection } from '../../desktop/projection.ts'
import { DESKTOP_STYLES } from '../../desktop/style/style.ts'
import { buildMonitors } from '../build-window.ts'
import type { RunData } from '../data/run-data.ts'
import { personalityNamed } from '../personalities/personalities.ts'
import type { Personality } from '../personalities/personality.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import { style } from './axes/appearance.ts'
import { AXES } from './axes.ts'
import type { BoundField, VariantAxis, VariantChoices, VariedScenario } from './axis.ts'
import { movePoints } from './rewrite-file.ts'

/** A scenario file in a variant. */
export interface Variant {
  readonly authored: AuthoredScenario
  readonly projection: ScreenProjection | undefined
  /** The text that a live template has in it. */
  readonly retext: (text: string) => string
  /** The expression of a computed name in it. */
  readonly recompute: (text: string) => string
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
  readonly authored: AuthoredScenario
  /** Whether it draws parameters. */
  readonly isDrawn: boolean
  /** The fields of its elements that change with the data. */
  readonly bound: readonly BoundField[]
  /** The initial values of its variables. */
  readonly data: RunData
  /** The expressions of its computed names. */
  readonly computed: readonly string[]
  /** The picture files that it shows. */
  readonly pictures: PictureFiles
}

/** Applies the chosen axes to a scenario file. The same file, choices and seed give the same variant. */
export function applyVariant(source: VariantSource, choices: VariantChoices, seed: number): Variant {
  const { authored, bound, data, computed } = source
  const random = split(seededRandom(seed), 'variant')
  let subject: VariedScenario = {
    authored,
    ratio: 1,
    scale: 1,
    isMirrored: false,
    bound,
    data,
    computed,
    retext: (text) => text,
    recompute: (text) => text,
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
  const seen = projection ? movePoints(subject.authored, (point) => projectPoint(projection, point)) : subject.authored
  const personality = subject.personality === undefined ? undefined : personalityNamed(subject.personality)
  return {
    authored: seen,
    projection,
    personality,
    retext: subject.retext,
    recompute: subject.recompute,
    formatText: subject.formatText,
    dateNames: subject.dateNames,
    language: subject.language,
    warnings: subject.warnings,
  }
}

/** Why an axis does not apply to a scenario: the reason that its file gives, or the axis. */
const obstacleOf = (axis: VariantAxis, { authored, isDrawn }: VariantSource, value: string): string | undefined =>
  authored.invariant?.[axis.name] ??
  (axis.needsParameters && !isDrawn ? 'the scenario draws no parameters' : axis.obstacle(authored, value))

function projectionOf({ authored, ratio, scale, isMirrored }: VariedScenario): ScreenProjection | undefined {
  if (ratio === 1 && !isMirrored) return undefined
  return { ratio, scale, ...(isMirrored && { mirror: mirrorOf(buildMonitors(authored)) }) }
}

/** The share of the axes that a sample changes: one in this many. */
const ONE_IN = 3

/**
 * Draws variants of a scenario. Each changes some of the axes that apply, at least one. The same seed gives the same
 * variants, and the first of many are those of few.
 */
export function sampleVariants(source: VariantSource, count: number, seed: number): readonly VariantChoices[] {
  return Array.from({ length: count }, (_, index) =>
    sample(source, split(split(seededRandom(seed), 'variants'), String(index))),
  )
}

/** Draws a style of a scenario, each as likely as the others. Empty for a scenario that keeps its own. */
export function sampleStyle(source: VariantSource, seed: number): VariantChoices {
  const [place] = drawInteger(split(seededRandom(seed), style.name), 0, DESKTOP_STYLES.length - 1)
  const value = DESKTOP_STYLES[place]!
  return obstacleOf(style, source, value) === undefined ? { [style.name]: value } : {}
}

function sample(source: VariantSource, given: Random): VariantChoices {
  let random = given
  const draw = (low: number, high: number) => {
    const [number, next] = drawInteger(random, low, high)
    random = next
    return number
  }
  const open = AXES.flatMap((axis) => {
    const values = axis.samples(source.authored).filter((value) => obstacleOf(axis, source, value) === undefined)
    return values.length > 0 ? [{ name: axis.name, values }] : []
  })
  if (open.length === 0) return {}
  const certain = draw(0, open.length - 1)
  const choices: Record<string, string> = {}
  open.forEach(({ name, values }, index) => {
    const isChosen = draw(1, ONE_IN) === 1
    const value = values[draw(0, values.length - 1)]!
    if (isChosen || index === certain) choices[name] = value
  })
  return choices
}
