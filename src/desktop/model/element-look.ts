import type { Element } from './element.ts'

/** The looks that an element may have instead of the usual one of its role. */
export const ELEMENT_LOOKS = ['primary', 'destructive', 'flat', 'card', 'breadcrumb'] as const

/**
 * `primary`: filled with the accent colour. `destructive`: in the colour of destructive actions. `flat`: without a face.
 * `card`: raised from its surface, with an edge and padding. `breadcrumb`: a step of a path, with an arrow after it.
 */
export type ElementLook = (typeof ELEMENT_LOOKS)[number]

/** The badge that is a dot instead of a count. */
export const DOT_BADGE = 'dot'

/** Whether an element has a badge. An empty text is none. */
export const hasBadge = ({ traits }: Pick<Element, 'traits'>): boolean => (traits?.badge ?? '') !== ''

/** The lines below the name of an element. */
export const subtitleLines = ({ traits }: Pick<Element, 'traits'>): readonly string[] =>
  (traits?.subtitle ?? '') === '' ? [] : traits!.subtitle!.split('\n')

/** The description of an element without one of its own: its second line, then its count. Null without both. */
export function shownDescription(element: Pick<Element, 'traits'>): string | null {
  const count = element.traits?.badge
  const parts = [...subtitleLines(element), ...(count && count !== DOT_BADGE ? [count] : [])]
  return parts.length === 0 ? null : parts.join(', ')
}
