/** Converts an external value to text. Unlike `String` it calls no `toString` or `valueOf` of the value, and never throws. */
export const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** A text for a message: of a longer one than `most` units, the beginning. */
export function shortened(text: string, most = 200): string {
  if (text.length <= most) return text
  const isSplit = /[\ud800-\udbff]/.test(text[most - 1]!)
  return `${text.slice(0, isSplit ? most - 1 : most)}…`
}
