import { Fault, storageProblem } from '../../base/fault.ts'
import type { LineFile, OutputDirectory } from '../../stores/folder.ts'
import type { IsSecret } from '../gates/secrets.ts'
import type { ToolResult } from '../result.ts'
import type { Instant } from '../session/parts.ts'
import { REDACTED, withoutSecretValues } from './recordable.ts'
import { isoMicro } from './trace-row.ts'

/** The files beside a trace: turns of a model, requests of doors, events of agent protocols. */
export const SIDECAR_NAMES = ['model', 'wire', 'events'] as const
export type SidecarName = (typeof SIDECAR_NAMES)[number]

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
/** Of more characters that events have hidden, the oldest texts are forgotten. */
const MAX_HIDDEN_LENGTH = 256 * 1024
/** About what the fields before the content need. */
const HEAD_LENGTH = 256
/** Later events are left out. */
const MAX_EVENTS_FILE_BYTES = 32 * 1024 * 1024

export interface SidecarParts {
  readonly directory: OutputDirectory
  readonly isSecret: IsSecret
  /** The values that the trace has hidden so far. */
  readonly hiddenValues: () => Iterable<unknown>
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
  readonly #parts: SidecarParts
  readonly #files: Partial<Record<SidecarName, LineFile>> = {}
  /** The texts that events have hidden. */
  readonly #hidden = new Set<string>()
  #hiddenLength = 0
  #held: HeldEvent[] = []
  #heldLength = 0
  #eventsBytes = 0
  #isFull = false

  constructor(parts: SidecarParts) {
    this.#parts = parts
  }

  /** Writes a line at once. */
  note(name: SidecarName, fields: ToolResult): void {
    const [json, hidden] = this.#withoutSecretNames(fields)
    this.#append(name, withoutTexts(json, [...hidden, ...this.#knownSecrets()]))
  }

  /**
   * Holds an event until its run ends, because a message may quote what a later call of its run hides. `after` is the
   * number of rows before it.
   */
  event(event: TracedEvent, after: number, { operatorMs, desktopMs }: Instant): void {
    if (this.#isFull) return
    const { content, endsRun = false, ...named } = event
    const [json, hidden] = this.#withoutSecretNames(content)
    for (const text of hidden) this.#hide(text)
    const head = { after, ts: isoMicro(operatorMs), desktop_ts: isoMicro(desktopMs), ...named }
    const held = json.slice(0, MAX_HELD_EVENT_LENGTH)
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
    const secrets = [...this.#hidden, ...this.#knownSecrets()]
    for (const { head, json } of held) this.#writeEvent(head, withoutTexts(json, secrets))
  }

  #hide(text: string): void {
    if (this.#hidden.has(text) || text.length > MAX_HIDDEN_LENGTH) return
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

  /** The JSON of fields without the values of listed names, and the texts among these values. */
  #withoutSecretNames(fields: ToolResult): readonly [json: string, hidden: readonly string[]] {
    const withheld = new Map<string, unknown>()
    const kept = withoutSecretValues('', fields, { path: '', withheld, isSecret: this.#parts.isSecret })
    return [JSON.stringify(kept), secretTexts(withheld.values())]
  }

  #knownSecrets(): readonly string[] {
    return secretTexts(this.#parts.hiddenValues())
  }

  /** A file that cannot be written is left incomplete. The rows of the trace report the disk. */
  #append(name: SidecarName, line: string): void {
    try {
      this.#files[name] ??= this.#parts.directory.lines(`${name}.jsonl`)
      this.#files[name].append(line)
    } catch (thrown) {
      if (!(thrown instanceof Fault) && storageProblem(thrown) === undefined) throw thrown
    }
  }
}

const secretTexts = (values: Iterable<unknown>): readonly string[] =>
  [...values].filter((value) => typeof value === 'string').filter(({ length }) => length >= MIN_SECRET_CHARACTERS)

/** A text as JSON writes it, without the quotation marks. */
const quotedText = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Hides texts in JSON, also within texts that are JSON themselves. */
const withoutTexts = (json: string, texts: readonly string[]): string =>
  texts.reduce((rest, text) => {
    const once = quotedText(text)
    const twice = quotedText(once)
    const hidden = rest.replaceAll(once, REDACTED)
    return twice === once ? hidden : hidden.replaceAll(twice, REDACTED)
  }, json)

/** The value of JSON, or the beginning of JSON that is too long. */
const eventContent = (json: string): unknown =>
  Buffer.byteLength(json) > MAX_EVENT_BYTES
    ? { __truncated: true, preview: json.slice(0, MAX_EVENT_BYTES / 2) }
    : (JSON.parse(json) as unknown)
