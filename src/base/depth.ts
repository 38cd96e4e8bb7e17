/** The deepest nesting of objects and arrays in an external value. */
export const MAX_JSON_DEPTH = 64

/** Whether a value is nested so deeply that recursion may exhaust the stack. Stops at the first such place. */
export function isTooDeep(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  // Iterating over the keys of a long array takes ten times as long.
  if (Array.isArray(value)) {
    for (const item of value) if (levels === 0 || isTooDeep(item, levels - 1)) return true
    return false
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const name in fields) if (levels === 0 || isTooDeep(fields[name], levels - 1)) return true
  return false
}
