import type { LineFile } from '../../stores/folder.ts'
import { stripControls } from '../wire.ts'
import { type IsSecret, type SentAs, secretNames } from './secrets.ts'

export interface AuditEntry {
  readonly timeMs: number
  readonly stepId: number | undefined
  readonly caller: string
  readonly tool: string
  readonly ok: boolean
  readonly changed: boolean | undefined
  /** The arguments that the tool knows. */
  readonly args: Readonly<Record<string, unknown>>
  /** The names of the ignored arguments. */
  readonly ignored: readonly string[]
  readonly sentAs: SentAs
}

const MAX_VALUE_CHARACTERS = 200
const MAX_ARGUMENTS = 40

/** Formats the line of a call (observer document, "Audit log"). */
function auditLine(entry: AuditEntry, isSecret: IsSecret): string {
  const words = [
    new Date(entry.timeMs).toISOString().replace('Z', '+00:00'),
    `step=${entry.stepId ?? '?'}`,
    `caller=${entry.caller}`,
    `tool=${oneLine(entry.tool)}`,
    `ok=${entry.ok}`,
  ]
  if (entry.changed !== undefined) words.push(`changed=${entry.changed}`)
  const hidden: string[] = []
  for (const [key, value] of Object.entries(entry.args).slice(0, MAX_ARGUMENTS)) {
    const path = `args.${key}`
    if (isSecret(key, entry.sentAs)) hidden.push(path)
    else words.push(`${oneLine(path)}=${oneLine(textOf(withoutSecrets(value, isSecret, path, hidden)))}`)
  }
  if (entry.ignored.length > 0) words.push(`ignored=[${oneLine(entry.ignored.join(','))}]`)
  if (hidden.length > 0) words.push(`redactions=[${oneLine(hidden.join(','))}]`)
  return words.join(' ')
}

/** Removes secret values at any depth and adds their paths to `hidden`. */
function withoutSecrets(value: unknown, isSecret: IsSecret, path: string, hidden: string[]): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withoutSecrets(item, isSecret, `${path}.${index}`, hidden))
  if (typeof value !== 'object' || value === null) return value
  const kept: [string, unknown][] = []
  for (const [key, inner] of Object.entries(value)) {
    if (isSecret(key)) {
      hidden.push(`${path}.${key}`)
      continue
    }
    kept.push([key, withoutSecrets(inner, isSecret, `${path}.${key}`, hidden)])
  }
  return Object.fromEntries(kept)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Text of callers must not start a line of the log or control the reader's terminal. */
function oneLine(text: string): string {
  const line = stripControls(text.slice(0, MAX_VALUE_CHARACTERS + 1)).replace(/\s/g, ' ')
  return text.length > MAX_VALUE_CHARACTERS ? `${line.slice(0, MAX_VALUE_CHARACTERS)}…` : line
}

/** Returns a function that writes entries to the audit log, without the arguments that the operator lists as secret. */
export function openAudit(file: LineFile, redactKeys: readonly string[]): (entry: AuditEntry) => void {
  const isSecret = secretNames(redactKeys)
  return (entry) => file.append(auditLine(entry, isSecret))
}
