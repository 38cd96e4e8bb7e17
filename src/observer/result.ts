import { FAULTS, type Fault } from '../base/fault.ts'
import { withoutExcerpts } from '../scenario/source/problem.ts'
import { sanitize } from './wire.ts'

/** The arguments of a tool call, by name. */
export type ToolArguments = Readonly<Record<string, unknown>>

export const isToolArguments = (value: unknown): value is ToolArguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names of ignored arguments that are longer are cut in results. */
export const MAX_IGNORED_NAME_LENGTH = 100

/** The fields of a successful result, in the document's spelling. */
export type ToolResult = Readonly<Record<string, unknown>>

/** Bytes in a result. In JSON they are base64; the WebSocket can send them as a frame of their own. */
export class ResultBytes {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Read-only, since they may be sent later. */
  get bytes(): Buffer {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength)
  }

  toJSON(): string {
    return this.bytes.toString('base64')
  }
}

/** A result that shares a cached part with an earlier result, so that its JSON is not serialised again. */
export class CachedResult {
  /** The part that may be the same object as in an earlier result. */
  readonly cached: ToolResult
  /** A few small fields that belong to this result only. */
  readonly fresh: ToolResult

  constructor(cached: ToolResult, fresh: ToolResult = {}) {
    this.cached = cached
    this.fresh = fresh
  }
}

/** All fields of a result. */
export const allFields = (result: ToolResult | CachedResult): ToolResult =>
  result instanceof CachedResult ? merge(result) : result

const merge = ({ fresh, cached }: Pick<CallOutcome, 'fresh' | 'cached'>): ToolResult =>
  cached ? { ...fresh, ...cached } : fresh

/** The outcome of a call: a result or a refusal. */
export class CallOutcome {
  /** The body without `cached`. */
  readonly fresh: ToolResult
  /** The fault behind a refusal. */
  readonly fault: Fault | undefined
  /** The part of the body that may be the same object as in an earlier body. */
  readonly cached: ToolResult | undefined

  constructor(fresh: ToolResult, fault?: Fault, cached?: ToolResult) {
    this.fresh = fresh
    this.fault = fault
    this.cached = cached
  }

  /** The whole body in the document's spelling. */
  get body(): ToolResult {
    return merge(this)
  }
}

/** The media type of the picture in a result, whose `data` it is. */
export const pictureType = ({ format }: ToolResult): string =>
  format === 'jpeg' || format === 'webp' ? `image/${format}` : 'image/png'

/** The body of a refusal in the document's spelling: `error`, the fields of the first version and the fault's facts. No file is quoted. */
export function toRefusal(thrown: Fault, about: ToolResult = {}): CallOutcome {
  const fault = withoutExcerpts(thrown)
  const row = FAULTS[fault.code]
  const error = {
    code: fault.code,
    message: fault.message,
    recoverable: row.retry,
    suggested_next_tool: fault.remedy === undefined && 'remedy' in row ? row.remedy : (fault.remedy ?? null),
    context: withoutNulls(fault.context),
  }
  return new CallOutcome({ ok: false, success: false, ...about, error: sanitize(error), ...fault.facts }, fault)
}

const withoutNulls = (context: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined && value !== null))

/** What of an answer the agent gets. */
export type PassesOn = 'everything' | 'pictures' | 'nothing'
