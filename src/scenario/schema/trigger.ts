import * as z from 'zod'
import { Name } from './common.ts'

/** The tools that can trigger a reaction (observer document, "Tools"). `close_window` is any way of closing one. */
const REACTION_TOOLS = [
  'click_element',
  'double_click_element',
  'right_click_element',
  'focus_element',
  'invoke_element',
  'hover_element',
  'drag',
  'drop',
  'scroll',
  'type_text',
  'press_key',
  'set_value',
  'clear_text',
  'select_option',
  'bring_to_foreground',
  'close_window',
] as const

export const Trigger = z.strictObject({
  tool: z.enum(REACTION_TOOLS).describe('The tool'),
  target_id: Name.describe('The id of the element or an ancestor').optional(),
  target_name: z.string().describe('The name of the element or an ancestor').optional(),
  window: Name.describe('The uid of the window that the target is in').optional(),
  text_regex: z.string().describe('A pattern for the whole text that was typed, pressed, set or selected').optional(),
})
export type Trigger = z.infer<typeof Trigger>
