/** Converts an external value to text. Unlike `String` it calls no `toString` or `valueOf` of the value, and never throws. */
export const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
