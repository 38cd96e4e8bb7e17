import { Fault } from '../../base/fault.ts'
import { didYouMean } from '../../base/strings.ts'
import { contrast, icons, personality, style, textSize, theme } from './axes/appearance.ts'
import { data, distractors, order, startDate } from './axes/content.ts'
import { monitors, overlap, resolution, scale, windowPosition } from './axes/places.ts'
import { locale, synonyms, wording } from './axes/wording.ts'
import type { AuthoredChoices, VariantAxis, VariantChoices } from './axis.ts'

/** The axes, in the order in which they are applied: texts and content first, then places, then looks. */
export const AXES: readonly VariantAxis[] = [
  data,
  startDate,
  wording,
  synonyms,
  locale,
  icons,
  order,
  distractors,
  resolution,
  monitors,
  style,
  windowPosition,
  overlap,
  theme,
  contrast,
  textSize,
  scale,
  personality,
]

/** The axis with a name. */
const axisNamed = (name: string): VariantAxis | undefined => AXES.find((axis) => axis.name === name)

/**
 * Reads choices written as `AXIS=VALUE`. Throws `BadRequest` for an unknown axis, a value that the axis does not take, and
 * an axis that is chosen twice.
 */
export function parseChoices(authored: readonly string[]): VariantChoices {
  const choices: Record<string, string> = {}
  for (const each of authored) {
    const at = each.indexOf('=')
    if (at < 1) throw new Fault('BadRequest', `${JSON.stringify(each)} is not AXIS=VALUE, such as theme=dark`)
    const name = each.slice(0, at).trim()
    if (Object.hasOwn(choices, name))
      throw new Fault('BadRequest', `${name} is chosen twice, as ${choices[name]} and as ${each.slice(at + 1)}`)
    choices[name] = each.slice(at + 1).trim()
  }
  return checkChoices(choices)
}

/** The choices with values as text. Throws `BadRequest` for an unknown axis or value. */
export function checkChoices(given: AuthoredChoices): VariantChoices {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const axis = axisNamed(name)
      if (!axis) {
        const names = AXES.map((each) => each.name)
        const hint = didYouMean(name, names)
        throw new Fault(
          'BadRequest',
          `unknown axis ${JSON.stringify(name)}${hint || `; the axes are ${names.join(', ')}`}`,
        )
      }
      const problem = axis.problem(String(value))
      if (problem !== undefined) throw new Fault('BadRequest', `${name}=${value}: ${problem}`)
      return [name, String(value)]
    }),
  )
}

/** The choices as they are written on a command line. */
export const formatChoices = (choices: VariantChoices): string =>
  Object.entries(choices)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
