import { call, previewHits } from '../observer/call.ts'
import { inputSchema, toolsFor } from '../observer/registry.ts'
import { pictureType, type ToolResult } from '../observer/result.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import type { Audience, Tool } from '../observer/tool.ts'
import type { TracedEvent } from '../observer/trace/sidecar-files.ts'
import type { ToolCallArguments } from './events.ts'
import type { ImageContent } from './history/history.ts'

/** A tool definition for a model. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly input: Readonly<Record<string, unknown>>
  /** Whether the tool changes something, so that a careful permission mode asks first. */
  readonly acts?: boolean
  /** The tool in the requests of one dialect, if its vendor defines it. */
  readonly native?: { readonly dialect: string; readonly definition: object }
}

export interface ToolCallResult {
  readonly ok: boolean
  readonly result: unknown
  /** The text for the model, if it is not the whole result. */
  readonly text?: string
  /** Images for the model. */
  readonly images?: readonly ImageContent[]
}

/** Context of a tool call. */
export interface CallContext {
  readonly callId: string
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal
}

/** The tools of one session. A failure that the model should read is a result with `ok: false`. */
export interface Toolbox {
  list(): readonly ToolDescription[]
  call(name: string, args: ToolCallArguments, context: CallContext): Promise<ToolCallResult>
  /** Describes the elements that a call would affect, for permission rules. Has no effects. */
  targets?(name: string, args: ToolCallArguments): Promise<readonly string[]>
  /** The state of the scenario behind the tools, if any. */
  state?(): string | undefined
  /** Adds a message of the conversation to the trace of the desktop behind the tools, if one is active. */
  record?(event: TracedEvent): void
}

export const NO_TOOLS: Toolbox = {
  list: () => [],
  call: async (name) => ({ ok: false, result: `unknown tool ${JSON.stringify(name)}` }),
}

/** Combines toolboxes. The first tool of a name wins. */
export function joinToolboxes(...boxes: readonly Toolbox[]): Toolbox {
  const has = (box: Toolbox, name: string) => box.list().some((tool) => tool.name === name)
  return {
    list: () => [...new Map(boxes.toReversed().flatMap((box) => box.list().map((tool) => [tool.name, tool]))).values()],
    call: (name, args, context) => (boxes.find((box) => has(box, name)) ?? NO_TOOLS).call(name, args, context),
    targets: async (name, args) => (await boxes.find((box) => has(box, name))?.targets?.(name, args)) ?? [],
    state: () => boxes.map((box) => box.state?.()).find((state) => state !== undefined),
    record: (event) => boxes.find((box) => box.record)?.record?.(event),
  }
}

/** Restricts a toolbox to the named tools. */
export function pickTools(box: Toolbox, names: readonly string[]): Toolbox {
  const picked = new Set(names)
  return {
    list: () => box.list().filter((tool) => picked.has(tool.name)),
    call: (name, args, context) => (picked.has(name) ? box : NO_TOOLS).call(name, args, context),
    targets: async (name, args) => (picked.has(name) && (await box.targets?.(name, args))) || [],
    state: () => box.state?.(),
    record: (event) => box.record?.(event),
  }
}

/** Returns the text of a result for the model. */
export const resultText = (result: unknown): string =>
  typeof result === 'string' ? result : result === undefined ? '' : JSON.stringify(result)

/** `finish` is excluded, because it ends all actions on the desktop, while a chat continues after an answer. */
const isForChats = ({ name }: Tool): boolean => name !== 'finish'

/**
 * The observer's tools on one desktop. Calls act on the real screen state and pass all gates. Scripts are
 * written by the harness and may use all tools; a model has the role `agent`.
 */
export const desktopTools = (session: DesktopSession, audience: Audience = 'harness'): Toolbox => ({
  list: () =>
    toolsFor(audience, session.context.settings)
      .filter(isForChats)
      .map((tool) => ({
        name: tool.name,
        description: tool.summary,
        input: inputSchema(tool),
        acts: tool.kind === 'act',
      })),
  call: async (name, args) => {
    const { body, fault } = await call(session, name, args, { caller: 'agent', audience })
    return { ok: fault === undefined, result: body, ...seenIn(body) }
  },
  targets: (name, args) => previewHits(session, name, args),
  state: () => session.computer.simulation?.state,
  record: recordInTrace(session),
})

/** Writes messages of a conversation beside the active trace of a desktop. */
export const recordInTrace =
  (session: DesktopSession): NonNullable<Toolbox['record']> =>
  (event) => {
    const { tracing } = session.context
    if (tracing.active) tracing.noteEvent(event, session.now())
  }

/** Converts a result for the model: images are attached, the rest becomes text. */
function seenIn(body: unknown): Pick<ToolCallResult, 'text' | 'images'> {
  const images: ImageContent[] = []
  const rest = withoutPictures(body, images)
  return images.length === 0 ? {} : { text: JSON.stringify(rest), images }
}

function withoutPictures(value: unknown, images: ImageContent[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutPictures(item, images))
  const isPicture = (value as Readonly<Record<string, unknown>>).encoding === 'base64'
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      if (!(isPicture && key === 'data') && key !== 'screenshot_b64') return [[key, withoutPictures(part, images)]]
      if (typeof part === 'string') images.push({ mimeType: pictureType(value as ToolResult), base64: part })
      return []
    }),
  )
}
