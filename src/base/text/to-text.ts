/** A value from outside as a text. `String` would call a `toString` or `valueOf` that the value brings along, and fail. */
export const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
