/** A value prepared for comparing it often. */
export interface SortKey {
  /** The number that a text holds, also with a currency sign, a per cent sign or thousands separators. */
  readonly number: number | undefined
  /** The text in lower case. */
  readonly text: string
}

/** Prepares a text. */
export const sortKeyOf = (text: string): SortKey => ({ number: numberIn(text), text: text.toLowerCase() })

/** Compares numbers by size, other texts ignoring case. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (a.number !== undefined && b.number !== undefined) return a.number - b.number
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0
}

/** Compares two texts as `compareKeys` does. */
export const compareTexts = (a: string, b: string): number => compareKeys(sortKeyOf(a), sortKeyOf(b))

function numberIn(text: string): number | undefined {
  const plain = text.replace(/[\s,%$€£]/g, '')
  const number = Number(plain)
  return plain !== '' && Number.isFinite(number) ? number : undefined
}
