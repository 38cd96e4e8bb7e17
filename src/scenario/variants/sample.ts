import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import { DESKTOP_STYLES } from '../../desktop/style/style.ts'
import { obstacleOf, type VariantSource } from './apply.ts'
import { style } from './axes/style.ts'
import { AXES } from './axes.ts'
import type { VariantChoices } from './variant-choices.ts'

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
    const values = axis.samples(source.written).filter((value) => obstacleOf(axis, source, value) === undefined)
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
