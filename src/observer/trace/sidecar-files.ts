import { Fault, storageProblem } from '../../base/fault.ts'
import type { LineFile, OutputDirectory } from '../../stores/folder.ts'
import type { Instant } from '../desktop-context.ts'
import type { IsSecret } from '../policies/secrets.ts'
import { MAX_IGNORED_NAME_LENGTH, type ToolResult } from '../result.ts'
import { isSystemError } from './lost-writes.ts'
import { isoMicro } from './trace-row.ts'
import { REDACTED, withoutSecretValues } from './withheld.ts'

/** The files beside a trace: turns of a model, requests of doors, events of agent protocols. */
export const SIDECAR_NAMES = ['model', 'wire', 'events'] as const
export type SidecarName = (typeof SIDECAR_NAMES)[number]

/** Numbers of lines by file. */
export type LineCounts = Partial<Record<SidecarName, number>>

/** A message that an agent takes or emits. */
export interface TracedEvent {
  readonly protocol: string
  /** The id of the conversation. */
  readonly conversation: string
  readonly direction: 'in' | 'out'
  readonly name: string
  readonly content: ToolResult
  /** Whether it is the last event of a run: the events that are held are written then. */
  readonly endsRun?: boolean
}

/** Shorter texts would hide unrelated ones. */
const MIN_SECRET_CHARACTERS = 3
/** Longer contents of events are cut, in bytes of their JSON. */
const MAX_EVENT_BYTES = 16 * 1024
/** What is kept of an event until it is written, in characters of its JSON. More than is written, so that no secret is cut. */
const MAX_HELD_EVENT_LENGTH = 4 * MAX_EVENT_BYTES
/** When more characters are held, they are written before the run ends. */
const MAX_HELD_LENGTH = 1024 * 1024
/** Of more characters that were hidden, the oldest texts are forgotten. */
const MAX_HIDDEN_LENGTH = 1024 * 1024
/** When tools did not know more names of arguments, the values of all names are hidden in requests. */
const MAX_IGNORED_NAMES = 1000
/** About what the fields before the content need. */
const HEAD_LENGTH = 256
/** Later events are left out. */
const MAX_EVENTS_FILE_BYTES = 32 * 1024 * 1024

export interface SidecarOptions {
  readonly directory: OutputDirectory
  readonly isSecret: IsSecret
  /** Called for a line that could not be written. */
  readonly onLost?: (name: SidecarName, thrown: unknown) => void
  /** The largest size of `events.jsonl`, in bytes. 32 MiB by default. */
  readonly maxEventsBytes?: number
}

interface HeldEvent {
  /** The fields before the content. */
  readonly head: ToolResult
  readonly json: string
}

/** Writes the files beside one trace. Listed names are hidden as in rows, and so are texts that the trace has hidden. */
export class SidecarFiles {
  readonly #parts: SidecarOptions
  readonly #files: Partial<Record<SidecarName, LineFile>> = {}
  readonly #written: LineCounts = {}
  readonly #lost: LineCounts = {}
  /** The texts that rows and notes have hidden. */
  readonly #hidden = new Set<string>()
  #hiddenLength = 0
  readonly #ignoredNames = new Set<string>()
  /** The number of values that rows have hidden. */
  hiddenCount = 0
  #held: HeldEvent[] = []
  #heldLength = 0
  #eventsBytes = 0
  #isFull = false

  constructor(parts: SidecarOptions) {
    this.#parts = parts
  }

  /** The lines of each file, for the footer of the trace: those that are there, and those that could not be written. */
  get counts(): { readonly notes?: LineCounts; readonly lost_notes?: LineCounts } {
    return {
      ...(Object.keys(this.#written).length > 0 && { notes: this.#written }),
      ...(Object.keys(this.#lost).length > 0 && { lost_notes: this.#lost }),
    }
  }

  /** Hides values of a row in all later lines, and in events that are held. */
  hide(values: Iterable<unknown>): void {
    for (const value of values) {
      this.hiddenCount++
      if (typeof value === 'string') this.#remember(value)
    }
  }

  /** Hides the values of arguments that a tool did not know in requests, by their names. */
  hideNames(names: readonly string[]): void {
    if (names.length === 0) return
    this.hiddenCount++
    for (const name of names) this.#ignoredNames.add(name)
  }

  /** Whether the values of a name are hidden in requests. All are once too many names were unknown. */
  hidesName(name: string): boolean {
    return this.#ignoredNames.size > MAX_IGNORED_NAMES || this.#ignoredNames.has(name.slice(0, MAX_IGNORED_NAME_LENGTH))
  }

  /** Writes a line at once. */
  note(name: SidecarName, fields: ToolResult): void {
    this.#append(name, withoutTexts(this.#withoutSecretNames(fields), this.#hidden))
  }

  /**
   * Holds an event until its run ends, because a message may quote what a later call of its run hides. `after` is the
   * number of rows before it.
   */
  event(event: TracedEvent, after: number, { operatorMs, scenarioMs }: Instant): void {
    if (this.#isFull) return
    const { content, endsRun = false, ...named } = event
    const head = { after, ts: isoMicro(operatorMs), desktop_ts: isoMicro(scenarioMs), ...named }
    const held = this.#withoutSecretNames(content).slice(0, MAX_HELD_EVENT_LENGTH)
    this.#held.push({ head, json: held })
    this.#heldLength += HEAD_LENGTH + held.length
    if (endsRun || this.#heldLength > MAX_HELD_LENGTH) this.flush()
  }

  /** Writes the events that are held. */
  flush(): void {
    if (this.#held.length === 0) return
    const held = this.#held
    this.#held = []
    this.#heldLength = 0
    for (const { head, json } of held) this.#writeEvent(head, withoutTexts(json, this.#hidden))
  }

  #remember(text: string): void {
    if (this.#hidden.has(text) || text.length < MIN_SECRET_CHARACTERS || text.length > MAX_HIDDEN_LENGTH) return
    this.#hidden.add(text)
    this.#hiddenLength += text.length
    for (const oldest of this.#hidden) {
      if (this.#hiddenLength <= MAX_HIDDEN_LENGTH) return
      this.#hidden.delete(oldest)
      this.#hiddenLength -= oldest.length
    }
  }

  #writeEvent(head: ToolResult, json: string): void {
    if (this.#isFull) return
    const line = JSON.stringify({ ...head, content: eventContent(json) })
    const { maxEventsBytes = MAX_EVENTS_FILE_BYTES } = this.#parts
    this.#eventsBytes += Buffer.byteLength(line) + 1
    this.#isFull = this.#eventsBytes > maxEventsBytes
    const omitted = { name: 'events_omitted', content: `later events would exceed ${maxEventsBytes} bytes` }
    this.#append('events', this.#isFull ? JSON.stringify({ ...head, ...omitted }) : line)
  }

  /** The JSON of fields without the values of listed names. */
  #withoutSecretNames(fields: ToolResult): string {
    const withheld = new Map<string, unknown>()
    const kept = withoutSecretValues('', fields, { path: '', withheld, isSecret: this.#parts.isSecret })
    for (const value of withheld.values()) if (typeof value === 'string') this.#remember(value)
    return JSON.stringify(kept)
  }

  /** A file that cannot be written is left incomplete. */
  #append(name: SidecarName, line: string): void {
    try {
      this.#files[name] ??= this.#parts.directory.lines(`${name}.jsonl`)
      this.#files[name].append(line)
      countLine(this.#written, name)
    } catch (thrown) {
      countLine(this.#lost, name)
      this.#parts.onLost?.(name, thrown)
      if (!(thrown instanceof Fault || storageProblem(thrown) !== undefined || isSystemError(thrown))) throw thrown
    }
  }
}

const countLine = (counts: LineCounts, name: SidecarName): void => {
  counts[name] = (counts[name] ?? 0) + 1
}

/** How often a text may be quoted: in JSON, in a text in JSON, and in a text in such a text, as in responses of MCP. */
const MAX_QUOTING = 3

/** Hides texts in JSON, also within texts that are JSON themselves. */
function withoutTexts(json: string, texts: Iterable<string>): string {
  let rest = json
  for (const text of texts) {
    let quoted = text
    for (let depth = 0; depth < MAX_QUOTING; depth++) {
      const before = quoted
      quoted = JSON.stringify(before).slice(1, -1)
      if (depth > 0 && quoted === before) break
      rest = rest.replaceAll(quoted, REDACTED)
    }
  }
  return rest
}

/** The value of JSON, or the beginning of JSON that is too long. */
const eventContent = (json: string): unknown =>
  Buffer.byteLength(json) > MAX_EVENT_BYTES
    ? { __truncated: true, preview: json.slice(0, MAX_EVENT_BYTES / 2) }
    : (JSON.parse(json) as unknown)
