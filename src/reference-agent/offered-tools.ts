import type { ImageContent } from '../agent/history/history.ts'
import type { AnswerCall } from '../agent/models/answer.ts'
import type { ToolDescription } from '../agent/toolbox.ts'
import { findTool, inputSchema } from '../observer/registry.ts'
import type { PictureBudget } from '../observer/tools/capture.ts'

/** What the agent observes after each step. */
export const OBSERVATION_MODES = ['screenshot', 'tree', 'both'] as const
export type ObservationMode = (typeof OBSERVATION_MODES)[number]

/** Tools at points of the picture. */
const POINT_TOOLS = ['move_pointer', 'mouse_click', 'mouse_drag', 'mouse_scroll']
/** Tools on elements of the tree. */
const ELEMENT_TOOLS = [
  'click_element',
  'double_click_element',
  'right_click_element',
  'set_value',
  'select_option',
  'bring_to_foreground',
]
const KEY_TOOLS = ['type_text', 'press_keys', 'hold_key', 'wait', 'finish']

/** The names of the tools for an observation. */
export const offeredNames = (observe: ObservationMode): readonly string[] => [
  ...(observe === 'tree' ? [] : POINT_TOOLS),
  ...(observe === 'screenshot' ? [] : ELEMENT_TOOLS),
  ...KEY_TOOLS,
]

/** Arguments that serve clients with a tree of their own, and would only distract a model. */
const HIDDEN: ReadonlySet<string> = new Set(['dry_run', 'tree_token', 'confirm_token', 'snapshot_token'])

/** The tools of the observer for an observation, as the model receives them. */
export const agentTools = (observe: ObservationMode, native?: NativeTools): readonly ToolDescription[] =>
  (native ? [...(observe === 'screenshot' ? [] : ELEMENT_TOOLS), 'finish'] : offeredNames(observe)).map((name) => {
    const tool = findTool(name)!
    const { properties = {}, ...schema } = inputSchema(tool) as { readonly properties?: Record<string, unknown> }
    const shown = Object.entries(properties).filter(([key]) => !HIDDEN.has(key))
    return { name, description: tool.summary, input: { ...schema, properties: Object.fromEntries(shown) } }
  })

/** The vendor's own computer tool, in place of the tools for points and keys. */
export interface NativeTools {
  /** The tool in requests. */
  readonly tool: ToolDescription
  /** The limits of the screenshots in whose pixels the model gives its points. */
  readonly pictureLimits: PictureBudget
  /** Executes a call as the model wrote it. Never throws for what the model wrote. */
  run(call: Pick<AnswerCall, 'id' | 'tool' | 'args'>): Promise<NativeReply>
}

/** The reply to a call of the vendor's tool. */
export interface NativeReply {
  readonly ok: boolean
  readonly text: string
  readonly images?: readonly ImageContent[]
}
