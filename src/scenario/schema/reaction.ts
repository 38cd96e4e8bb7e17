import * as z from 'zod'
import { AuthoredRect, Milliseconds, Name, StateNames } from './common.ts'
import { outcomeFields } from './effect.ts'

/**
 * The tools that can trigger a reaction (observer document, "Tools"). `close_window` is any way of closing one, `middle_click_element`
 * a middle click and, on an element with `href`, a click with Ctrl or Cmd. `webmcp_call` is a call of a tool of the page.
 */
const REACTION_TOOLS = [
  'click_element',
  'double_click_element',
  'right_click_element',
  'middle_click_element',
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
  'webmcp_call',
] as const

export type ReactionTool = (typeof REACTION_TOOLS)[number]

/** An event that starts a reaction or a timer. */
export const Trigger = z.strictObject({
  tool: z
    .enum([...REACTION_TOOLS, 'any'])
    .describe(
      'The action, as the name of its tool; any is every action, close_window any way of closing a window, middle_click_element also Ctrl+click on a link. Not needed with keys, changed and changed_var',
    )
    .optional(),
  target_id: Name.describe('The id of the element or an ancestor').optional(),
  target_name: z.string().describe('The name of the element or an ancestor').optional(),
  role: Name.describe('The role of the element or an ancestor, spelt as in selectors')
    .meta({ examples: ['Button'] })
    .optional(),
  selector: Name.describe('A selector for the element or an ancestor')
    .meta({ examples: ['List "Files" > ListItem'] })
    .optional(),
  window: Name.describe(
    'The uid of the window that the target is in; a file dialog of the window app has a uid such as app/save-as',
  ).optional(),
  text_regex: z.string().describe('A pattern for the whole text that was typed, pressed, set or selected').optional(),
  keys: Name.describe('The pressed key or chord, such as Ctrl+S, in any spelling')
    .meta({ examples: ['Ctrl+S'] })
    .optional(),
  region: AuthoredRect.describe(
    'Where the pointer is: in pixels from the corner of the named target, otherwise of the window, otherwise of the screen',
  )
    .meta({ examples: [{ x: 0, y: 0, width: 100, height: 50 }] })
    .optional(),
  from_id: Name.describe('Of a drop: the id of the dragged element or an ancestor').optional(),
  from_selector: Name.describe('Of a drop: a selector for the dragged element or an ancestor').optional(),
  changed: Name.describe(
    'Instead of a tool: the id of an element whose value, name, selection or expansion an action changed',
  )
    .meta({ examples: ['quantity'] })
    .optional(),
  changed_var: Name.describe('Instead of a tool: the name of a variable that an action changed')
    .meta({ examples: ['total'] })
    .optional(),
})
export type Trigger = z.infer<typeof Trigger>

export const Reaction = z.strictObject({
  id: Name.describe('A name for happened and for the log of the run')
    .meta({ examples: ['order-sent'] })
    .optional(),
  on: Trigger.describe('The event that starts it'),
  in: StateNames.describe('The state or states in which it is active; all by default').optional(),
  ...outcomeFields,
})
export type Reaction = z.infer<typeof Reaction>

export const Timer = z.strictObject({
  id: Name.describe('A name for happened and for the log of the run')
    .meta({ examples: ['reminder'] })
    .optional(),
  in: StateNames.describe(
    'The states in which it runs, all by default: it starts when one of them is entered and ends when it is left',
  ).optional(),
  on: Trigger.describe(
    'Starts at this event, and restarts when it happens again; {text} is the text of the last event',
  ).optional(),
  after_ms: z
    .union([Milliseconds, z.strictObject({ between: z.tuple([Milliseconds, Milliseconds]) })])
    .describe(
      'Fires once, this long after the state is entered or the event: a number, or two of which the seed draws one between',
    )
    .optional(),
  every_ms: Milliseconds.min(10).describe('Fires repeatedly').optional(),
  ...outcomeFields,
})
export type Timer = z.infer<typeof Timer>
