import type { Element } from './element.ts'

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
