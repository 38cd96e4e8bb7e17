/** The looks that an element may have instead of the usual one of its role. */
export const ELEMENT_LOOKS = ['primary', 'destructive', 'flat', 'card', 'breadcrumb', 'spreadsheet'] as const

/**
 * `primary`: filled with the accent colour. `destructive`: in the colour of destructive actions. `flat`: without a face.
 * `card`: raised from its surface, with an edge and padding. `breadcrumb`: a step of a path, with an arrow after it.
 * `spreadsheet`: a table with grid lines, a frame around its current cell, and marked headers of that cell.
 */
export type ElementLook = (typeof ELEMENT_LOOKS)[number]
