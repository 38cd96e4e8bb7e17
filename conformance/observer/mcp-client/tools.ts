import * as z from 'zod'

/** The tools that the scripted server lists, with the schemas of their arguments. */

const where = { window_uid: z.string().optional(), window_index: z.int().optional() }
const element = { ...where, selector: z.string().optional(), element_id: z.string().optional() }
const acting = { ...element, dry_run: z.boolean().optional(), confirm_token: z.string().optional() }
const looking = z.looseObject({ ...where, max_nodes: z.int().optional(), visible_only: z.boolean().optional() })

interface ListedTool {
  readonly description: string
  readonly input: z.ZodType
}

export const LISTED: Readonly<Record<string, ListedTool>> = {
  list_windows: { description: 'List all visible windows.', input: z.looseObject({}) },
  get_window_structure: { description: 'The element tree of a window.', input: looking },
  get_element_tree: { description: 'The element tree of a window.', input: looking },
  observe_window: { description: 'A sketch and a description of a window.', input: looking },
  get_screen_description: { description: 'A description of a window in words.', input: looking },
  get_screen_sketch: { description: 'A sketch of a window.', input: looking },
  get_screenshot: { description: 'A screenshot of a window.', input: z.looseObject(where) },
  find_element: {
    description: 'Find an element by a selector.',
    input: z.looseObject({ selector: z.string(), ...where }),
  },
  wait_for: { description: 'Wait for a condition.', input: z.looseObject({ any_of: z.array(z.looseObject({})) }) },
  wait_idle: { description: 'Wait until the screen is idle.', input: z.looseObject(where) },
  propose_action: {
    description: 'Ask for the token that confirms an action.',
    input: z.looseObject({ action: z.string(), args: z.looseObject({}).optional() }),
  },
  click_element: { description: 'Click an element.', input: z.looseObject(acting) },
  invoke_element: { description: 'Invoke an element.', input: z.looseObject(acting) },
  double_click_element: { description: 'Double-click an element.', input: z.looseObject(acting) },
  click_element_and_observe: { description: 'Click an element and look.', input: z.looseObject(acting) },
  focus_element: { description: 'Focus an element.', input: z.looseObject(acting) },
  set_value: { description: 'Set the value of an element.', input: z.looseObject({ ...acting, value: z.string() }) },
  click_at: { description: 'Click at a point.', input: z.looseObject({ x: z.int(), y: z.int() }) },
  type_text: { description: 'Type text.', input: z.looseObject({ text: z.string() }) },
  press_key: { description: 'Press a key.', input: z.looseObject({ keys: z.string() }) },
  get_capabilities: { description: 'The capabilities of the server.', input: z.looseObject({}) },
  get_budget_status: { description: 'The remaining budgets.', input: z.looseObject({}) },
}

/** Tools of one page of tools/list. */
const TOOLS_PER_PAGE = 12

/** One page of tools/list; the cursor is the number of tools before it. */
export function listPage(cursor: unknown): object {
  const begin = Number(cursor ?? 0)
  const tools = Object.entries(LISTED).map(([name, { description, input }]) => {
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
    return { name, description, inputSchema }
  })
  const next = begin + TOOLS_PER_PAGE
  return { tools: tools.slice(begin, next), ...(next < tools.length && { nextCursor: String(next) }) }
}
