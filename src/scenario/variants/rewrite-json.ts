/** A plain object. */
export type PlainObject = Readonly<Record<string, unknown>>

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Rewrites the values below a value. `rewrite` returns the new value of a key, or undefined to look inside it. Unchanged
 * parts keep their identity.
 */
export function rewriteJson<T>(value: T, rewrite: (key: string, value: unknown, owner: PlainObject) => unknown): T {
  return rewriteBelow(value, rewrite) as T
}

function rewriteBelow(value: unknown, rewrite: Parameters<typeof rewriteJson>[1]): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewriteBelow(item, rewrite))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isPlainObject(value)) return value
  let changed: Record<string, unknown> | undefined
  for (const [key, part] of Object.entries(value)) {
    const next = rewrite(key, part, value) ?? rewriteBelow(part, rewrite)
    if (next === part) continue
    changed ??= { ...value }
    changed[key] = next
  }
  return changed ?? value
}
