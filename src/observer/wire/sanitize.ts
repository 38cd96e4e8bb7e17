import { isWireTree } from './element.ts'
import { stripControls } from './strip-controls.ts'

/** Opaque fields, which contain no text of programs. */
const OPAQUE = new Set([
  'data',
  'screenshot_b64',
  'tree_hash',
  'tree_token',
  'base_token',
  'snapshot_id',
  'confirm_token',
])

/** Removes control characters from all strings of a value. Returns the same value if it has none. Trees have none already. */
export function sanitize<T>(value: T): T {
  if (typeof value === 'string') return stripControls(value) as T
  if (typeof value !== 'object' || value === null || isWireTree(value)) return value
  if (Array.isArray(value)) {
    const dirty = value.some((item) => sanitize(item) !== item)
    return (dirty ? value.map(sanitize) : value) as T
  }
  const fields = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const key in fields) {
    const field = fields[key]
    if (typeof field !== 'object' && (typeof field !== 'string' || OPAQUE.has(key))) continue
    const shown = sanitize(field)
    if (shown === field) continue
    copy ??= { ...fields }
    copy[key] = shown
  }
  return (copy ?? value) as T
}
