import { isWireTree } from './element.ts'
import { stripControls } from './strip-controls.ts'

/** Opaque words and pictures, which hold no text of programs. */
const OPAQUE = new Set([
  'data',
  'screenshot_b64',
  'tree_hash',
  'tree_token',
  'base_token',
  'snapshot_id',
  'confirm_token',
])

/** The value without control characters anywhere, the same one when it has none; trees are free of them since they were made. */
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
