import { contrast } from './axes/contrast.ts'
import { data } from './axes/data.ts'
import { startDate } from './axes/date.ts'
import { distractors } from './axes/distractors.ts'
import { icons } from './axes/icons.ts'
import { locale } from './axes/locale.ts'
import { monitors } from './axes/monitors.ts'
import { order } from './axes/order.ts'
import { overlap } from './axes/overlap.ts'
import { personality } from './axes/personality.ts'
import { resolution } from './axes/resolution.ts'
import { scale } from './axes/scale.ts'
import { style } from './axes/style.ts'
import { synonyms } from './axes/synonyms.ts'
import { textSize } from './axes/text-size.ts'
import { theme } from './axes/theme.ts'
import { windowPosition } from './axes/window-position.ts'
import type { VariantAxis } from './axis.ts'

/** The axes, in the order in which they are applied: texts and content first, then places, then looks. */
export const AXES: readonly VariantAxis[] = [
  data,
  startDate,
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
export const axisNamed = (name: string): VariantAxis | undefined => AXES.find((axis) => axis.name === name)
