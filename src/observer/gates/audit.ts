import type { LineFile } from '../../stores/folder.ts'

export interface AuditEntry {
  readonly atMs: number
  readonly stepId: number | undefined
  readonly caller: string
  readonly tool: string
  readonly ok: boolean
  readonly changed: boolean | undefined
  readonly args: Readonly<Record<string, unknown>>
}

const VALUE_MOST = 200

/** One line per call, denied ones included (observer document, "Audit log"). */
export function auditLine(entry: AuditEntry, redactKeys: readonly string[]): string {
  const words = [
    new Date(entry.atMs).toISOString().replace('Z', '+00:00'),
    `step=${entry.stepId ?? '?'}`,
    `caller=${entry.caller}`,
    `tool=${entry.tool}`,
    `ok=${entry.ok}`,
  ]
  if (entry.changed !== undefined) words.push(`changed=${entry.changed}`)
  const hidden: string[] = []
  for (const [key, value] of Object.entries(entry.args)) {
    if (redactKeys.includes(key)) {
      hidden.push(`args.${key}`)
      continue
    }
    words.push(`args.${key}=${shorten(withoutKeys(value, redactKeys, `args.${key}`, hidden))}`)
  }
  if (hidden.length > 0) words.push(`redactions=[${hidden.join(',')}]`)
  return words.join(' ')
}

/** The value without the keys to redact, however deep they are; their paths are added to `hidden`. */
export function withoutKeys(value: unknown, keys: readonly string[], path = '', hidden: string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutKeys(item, keys, `${path}.${index}`, hidden))
  if (typeof value !== 'object' || value === null) return value
  const kept: [string, unknown][] = []
  for (const [key, inner] of Object.entries(value)) {
    if (keys.includes(key)) {
      hidden.push(`${path}.${key}`)
      continue
    }
    kept.push([key, withoutKeys(inner, keys, `${path}.${key}`, hidden)])
  }
  return Object.fromEntries(kept)
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/\s/g, ' ') : JSON.stringify(value)
  return text.length > VALUE_MOST ? `${text.slice(0, VALUE_MOST)}…` : text
}

export const openAudit = (file: LineFile, redactKeys: readonly string[]) => (entry: AuditEntry) =>
  file.append(auditLine(entry, redactKeys))
