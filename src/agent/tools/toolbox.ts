import type { ToolCallArguments } from '../events.ts'
import type { ImageContent } from '../history/history.ts'

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly input: Readonly<Record<string, unknown>>
  /** Whether it changes something, so that a careful permission mode asks first. */
  readonly acts?: boolean
}

export interface ToolCallResult {
  readonly ok: boolean
  readonly result: unknown
  /** What a model reads, where that is not the whole result. */
  readonly text?: string
  /** What a model is shown besides. */
  readonly images?: readonly ImageContent[]
}

/** What the engine tells a tool of the call it serves. */
export interface CallContext {
  readonly callId: string
  /** Aborts when the answer is no longer awaited. */
  readonly signal: AbortSignal
}

/** The tools of one session. A failure the model can learn from is an answer that is not `ok`. */
export interface Toolbox {
  list(): readonly ToolDescription[]
  call(name: string, args: ToolCallArguments, context: CallContext): Promise<ToolCallResult>
  /** What a call would change, in words, for permission rules; nothing is done. */
  targets?(name: string, args: ToolCallArguments): Promise<readonly string[]>
  /** The state of the scenario behind the tools, where there is one. */
  state?(): string | undefined
}

export const NO_TOOLS: Toolbox = {
  list: () => [],
  call: async (name) => ({ ok: false, result: `there is no tool ${JSON.stringify(name)}` }),
}

/** One box out of several; of two tools with the same name the first is used. */
export function joinToolboxes(...boxes: readonly Toolbox[]): Toolbox {
  const has = (box: Toolbox, name: string) => box.list().some((tool) => tool.name === name)
  return {
    list: () => [...new Map(boxes.toReversed().flatMap((box) => box.list().map((tool) => [tool.name, tool]))).values()],
    call: (name, args, context) => (boxes.find((box) => has(box, name)) ?? NO_TOOLS).call(name, args, context),
    targets: async (name, args) => (await boxes.find((box) => has(box, name))?.targets?.(name, args)) ?? [],
    state: () => boxes.map((box) => box.state?.()).find((state) => state !== undefined),
  }
}

/** Only the named tools of a box. */
export function pickTools(box: Toolbox, names: readonly string[]): Toolbox {
  const picked = new Set(names)
  return {
    list: () => box.list().filter((tool) => picked.has(tool.name)),
    call: (name, args, context) => (picked.has(name) ? box : NO_TOOLS).call(name, args, context),
    targets: async (name, args) => (picked.has(name) && (await box.targets?.(name, args))) || [],
    state: () => box.state?.(),
  }
}

/** What a model reads of an answer. */
export const resultText = (result: unknown): string =>
  typeof result === 'string' ? result : result === undefined ? '' : JSON.stringify(result)
