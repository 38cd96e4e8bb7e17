/**
 * A tool of the reference server with its documented arguments. `!` marks a required argument, `?` one that may be
 * required.
 */
export interface KnownTool {
  readonly name: string
  readonly takes: readonly string[]
}

const WINDOW = 'window_uid window_index'
const ELEMENT = `selector element_id ${WINDOW}`

const TABLE: Readonly<Record<string, string>> = {
  list_windows: '',
  get_capabilities: '',
  get_monitors: '',
  find_element: `selector! ${WINDOW}`,
  get_window_structure: `${WINDOW} depth scope roles exclude_roles name_regex visible_only max_text_len prune_empty max_nodes page_cursor`,
  get_screen_description: `${WINDOW} mode max_tokens focus_element`,
  get_screenshot: 'window_index',
  get_visible_areas: 'window_index?',
  click_element: `${ELEMENT} button count dry_run confirm_token`,
  focus_element: `${ELEMENT} dry_run`,
  set_value: `${ELEMENT} value! clear_first dry_run`,
  invoke_element: `${ELEMENT} dry_run`,
  select_option: `${ELEMENT} option_name option_index dry_run`,
  click_at: 'x! y! button double',
  type_text: 'text!',
  press_key: 'keys!',
  scroll: 'clicks x y',
  bring_to_foreground: WINDOW,
  observe_window: `${WINDOW} since format depth changed_only`,
  snapshot: '',
  snapshot_get: 'snapshot_id!',
  snapshot_diff: 'a! b! format',
  snapshot_drop: 'snapshot_id!',
  wait_for: 'any_of! window_uid timeout_ms poll_ms',
  wait_idle: `${WINDOW} quiet_ms timeout_ms poll_ms`,
  click_element_and_observe: `${ELEMENT} button count wait_after_ms since dry_run`,
  type_and_observe: 'text! wait_after_ms since window_uid',
  press_key_and_observe: 'keys! wait_after_ms since window_uid',
  get_screenshot_cropped: `${WINDOW} element_id bbox padding_px max_width`,
  get_ocr: `${WINDOW} element_id bbox`,
  trace_start: 'label',
  trace_stop: '',
  trace_status: '',
  replay_start: 'path! mode on_divergence',
  replay_step: 'replay_id!',
  replay_status: 'replay_id!',
  replay_stop: 'replay_id!',
  load_scenario: 'path!',
  assert_state: 'predicate',
  get_budget_status: '',
  get_redaction_status: '',
  propose_action: 'action! args',
  hover_at: 'x! y! hover_ms',
  hover_element: `${ELEMENT} hover_ms`,
  right_click_at: '',
  right_click_element: ELEMENT,
  double_click_at: '',
  double_click_element: ELEMENT,
  drag: `from! to! modifiers duration_s ${WINDOW}`,
  key_into_element: `${ELEMENT} keys!`,
  clear_text: ELEMENT,
}

/** The 51 tools of the reference server. */
export const TOOLS: readonly KnownTool[] = Object.entries(TABLE).map(([name, takes]) => ({
  name,
  takes: takes.split(' ').filter((argument) => argument !== ''),
}))

/** The two tools of the document that only MCP lists, and the two that it need not. */
export const MCP_ONLY = ['get_screen_sketch', 'get_full_screenshot']
export const NOT_IN_MCP = ['right_click_at', 'double_click_at']
