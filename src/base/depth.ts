/** How many levels of objects and arrays a value from outside may have. */
export const MAX_JSON_DEPTH = 64

/** Whether a value is nested so deeply that walking through it may exhaust the stack. Stops at the first such place. */
export function isTooDeep(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  // By their names, the items of a long array take ten times as long.
  if (Array.isArray(value)) {
    for (const item of value) if (levels === 0 || isTooDeep(item, levels - 1)) return true
    return false
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const name in fields) if (levels === 0 || isTooDeep(fields[name], levels - 1)) return true
  return false
}
