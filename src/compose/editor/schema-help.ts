import { ORACLE_KINDS } from '../../scenario/oracle-kinds.ts'
import type { Oracle } from '../../scenario/schema/oracles.ts'
import { type Definitions, type JsonSchema, mapParts, refName } from './json-schema.ts'

/**
 * What editors show for keys whose schema has no description or example of its own: a description and an example. A new
 * key needs a row here, or both in its schema.
 */
const HELP: Readonly<Record<string, readonly [description: string, example: unknown]>> = {
  about: ['A description for readers of the file', 'Sign in as alice.'],
  acts: ['Whether it acts on the desktop', true],
  add: ['The amount to add to the current number', 5],
  after_ms: ['Milliseconds until it fires', 500],
  agent: ['The script of the scripted agent', [{ say: 'I will save the report.' }]],
  allow: ['What may differ', ['search']],
  append: ['New last children', [{ role: 'ListItem', name: 'New' }]],
  appended: ['A record that is added', { id: 4, name: 'Ada' }],
  characters: ['How many characters are sent at once', 8],
  closing: ['The text after the last tool call', 'Done.'],
  event: ['The name of an event', 'saved'],
  exactly: ['All changes that are expected', [{ var: 'count', to: 3 }]],
  first: ['What must happen before', 'saved'],
  hears: ['What the user says', 'hello'],
  ms: ['Milliseconds', 20],
  pattern: ['An RE2 pattern', '[0-9]+'],
  var: ['The name of a variable', 'count'],
  as: ['The name by which later steps use the result', 'answer'],
  ask: ['Questions to the user', { questions: [{ question: 'Which file?', type: 'text' }] }],
  ask_permission: ['Asks the user before it continues', 'Delete the file?'],
  at: ['A point in pixels of the screen', { x: 100, y: 80 }],
  before_ms: ['Until this many milliseconds have passed', 5000],
  between: ['The lowest and the highest value', [400, 900]],
  bounds: ['Position and size in pixels of the screen', { x: 100, y: 80, width: 640, height: 480 }],
  call: ['The tool to call', 'click_element'],
  calls: ['Calls that are made at the same time', [{ call: 'get_screenshot' }]],
  children: ['The elements in it', [{ role: 'Button', name: 'Save' }]],
  clipboard: ['The text of the clipboard', 'Hello'],
  code: ['The code of the error', 'Timeout'],
  columns: ['The number of columns, or the columns of a table', 2],
  components: [
    'Parts with typed parameters, for use',
    { row: { params: { label: 'text' }, element: { role: 'ListItem', name: '{{ label }}' } } },
  ],
  compress: ['Shortens the conversation', true],
  context: ['More about the error', { reason: 'disk full' }],
  copy_to: ['The path of the copy', '/letters/copy.txt'],
  cost_usd: ['The cost in US dollars', 0.02],
  count: ['The exact number', 3],
  delay: ['Milliseconds to wait', 500],
  description: ['What it is for', 'Saves the report'],
  details: ['More about it', 'The file has 3 pages.'],
  disconnect: ['Ends the connection', true],
  do: ['The steps', [{ call: 'click_element', with: { selector: 'Button "Next"' } }]],
  does: ['The file command', 'save'],
  element: ['The id of the element', 'list'],
  else: ['The steps when the condition is false', [{ call: 'press_key', with: { keys: 'escape' } }]],
  enabled: ['Whether it is enabled', true],
  equals: ['The text that it must equal', '42'],
  every_ms: ['Fires repeatedly, this many milliseconds apart', 1000],
  exists: ['Whether it exists', true],
  expanded: ['Whether it is open', true],
  expected: ['What it must be', 'Ada'],
  expected_hash: ['A tree_hash of an earlier answer', 'sha1:2fd4e1c67a2d28fced849ee1bb76e7391b93eb12'],
  extends: ['The state from which this one differs', 'start'],
  fail: ['Fails with an error', { code: 'Timeout' }],
  failure: ['None of these may hold', [{ kind: 'window_exists', title_regex: 'Error' }]],
  faults: ['Calls of tools that fail', [{ on: { tool: 'get_screenshot' }, code: 'Timeout' }]],
  file: ['The path of a file', '/letters/draft.txt'],
  file_command: ['The file command that pressing it runs', { does: 'save', element: 'body' }],
  files: ['The files at the start: absolute paths and their texts', { '/letters/draft.txt': 'Dear Ada' }],
  focused: ['Whether it has the focus', true],
  folder: ['The path of a folder', '/letters'],
  for_ms: ['Milliseconds until it closes by itself', 4000],
  from_id: ['The id of the dragged element or an ancestor', 'row-1'],
  from_selector: ['A selector for the dragged element or an ancestor', 'ListItem'],
  gap: ['Pixels between the children', 8],
  grow: ['Its share of the free space', 1],
  handle: ['The handle of the window', '1001'],
  header: ['A short title', 'File'],
  height: ['The height in pixels', 480],
  hook: ['The name of the hook', 'before_tool'],
  id: ['The id', 'save'],
  identifier: ['A name for programs', 'btnSave'],
  if: ['A condition', 'count > 0'],
  in: ['The state or states', 'start'],
  infeasible: ['When the task cannot be done, and why', { when: 'size(orders) == 0', reason: 'There are no orders.' }],
  initial_state: ['The initial state', 'start'],
  input: ['The input', { query: 'weather' }],
  item: ['The item that it stands for', { call: 'press_key', with: { keys: 'enter' } }],
  keyboard_shortcut: ['The shortcut that presses it', 'Ctrl+S'],
  kind: ['What is checked', 'text_visible'],
  label: ['The text that is shown', 'Yes'],
  layout: ['How its children are arranged', { arrange: 'row', gap: 8 }],
  matches: ['An RE2 pattern', '^42'],
  max: ['The greatest number', 5],
  max_length: ['The maximum number of characters', 80],
  message: ['The message', 'The disk is full.'],
  min: ['The least number', 1],
  min_patch_ssim: ['The least similarity of the worst patch', 0.8],
  min_ssim: ['The least similarity', 0.95],
  modal_to: ['The uid of the window that it blocks', 'app'],
  model: ['The script of the scripted agent', [{ say: 'I will save the report.' }]],
  monitors: ['The monitors', [{ bounds: { x: 0, y: 0, width: 1280, height: 800 } }]],
  move_to: ['The new path', '/archive/draft.txt'],
  name: ['The name', 'Save'],
  of: ['The predicates', [{ kind: 'text_visible', regex: 'Saved' }]],
  ok: ['Whether it succeeds', true],
  on: ['The event', { tool: 'click_element', target_id: 'save' }],
  options: ['The choices', [{ label: 'Yes' }, { label: 'No' }]],
  oracles: ['How success is judged', { success: [{ kind: 'text_visible', regex: 'Saved' }] }],
  output: ['The output', { temperature: 21 }],
  pace: ['Milliseconds between the parts of a text', 20],
  padding: ['Pixels around the children', 8],
  path: ['The absolute path of a file', '/letters/draft.txt'],
  pid: ['The process id', 4242],
  pieces: ['The parts of the text', ['Hel', 'lo']],
  placeholder: ['The text of an empty field', 'Write a message'],
  plan: ['The steps that are planned', ['Open the file', 'Save it']],
  primary: ['Whether it is the primary monitor', true],
  problem: ['What is wrong', 'The tool is missing.'],
  process: ['The program that owns the window', 'editor'],
  question: ['The question', 'Which file?'],
  questions: ['The questions', [{ question: 'Which file?', type: 'text' }]],
  reactions: [
    'Changes after actions',
    [{ on: { tool: 'click_element', target_id: 'save' }, set: [{ id: 'status', name: 'Saved' }] }],
  ],
  recoverable: ['Whether the conversation continues', true],
  reference_path: ['A PNG file', 'shots/saved.png'],
  regex: ['An RE2 pattern', 'Saved'],
  remove: ['Removes it', true],
  repeat: ['How often', 3],
  required: ['Whether an answer is needed', true],
  result: ['The result', { ok: true }],
  say: ['The text of the answer', 'Done.'],
  scale_factor: ['The scale of the monitor', 1.5],
  seed: ['The seed of everything random', 7],
  selected: ['Whether it is selected or checked', true],
  selector: ['A selector', 'Button "Save"'],
  server: ['The name of the server', 'weather'],
  set: ['The changes, in order', [{ id: 'status', name: 'Saved' }]],
  skip: ['How many calls succeed first', 1],
  solution: ['A reference solution', [{ call: 'click_element', with: { selector: 'Button "Save"' } }]],
  spawn: ['Starts another agent', { task: 'Find the file', steps: [{ say: 'Found.' }] }],
  state: ['The state', 'start'],
  states: ['The screens by name', { start: { windows: [{ uid: 'app', title: 'App' }] } }],
  status: ['The status', 'running'],
  step: ['The step of an arrow key', 5],
  steps: ['The steps', [{ say: 'Done.' }]],
  success: ['All of these must hold at the end', [{ kind: 'text_visible', regex: 'Saved' }]],
  switch_profile: ['The profile that continues', 'coder'],
  tags: ['For choosing scenarios', ['forms']],
  target_id: ['The id of the element or an ancestor', 'save'],
  target_name: ['The name of the element or an ancestor', 'Save'],
  task: ['The task of the agent', 'Save the report.'],
  text: ['The text', 'Hello'],
  text_regex: ['An RE2 pattern for the text', '[0-9]+'],
  // biome-ignore lint/suspicious/noThenProperty: a key of scenarios; the table is never awaited.
  then: ['The steps when the condition is true', [{ call: 'press_key', with: { keys: 'enter' } }]],
  think: ['What the agent thinks', 'The file is open.'],
  timers: ['Changes over time', [{ in: 'saving', after_ms: 500, transition_to: 'saved' }]],
  times: ['How often', 2],
  title: ['The title', 'Report'],
  title_regex: ['An RE2 pattern for the title', '^Report'],
  tool: ['The tool', 'click_element'],
  tools: ['The tools of the agent', [{ name: 'search', result: 'nothing found' }]],
  transition_to: ['The next state', 'saved'],
  tree: ['Its root element', { role: 'Window', name: 'App' }],
  turn: ['The number of the turn', 1],
  turns: ['What it does in each turn', [{ steps: [{ say: 'Hello.' }] }]],
  type: ['The type', 'text'],
  uid: ['The id of a window in this file', 'app'],
  use: ['The name of a component or tool', 'row'],
  value: ['The value', 'Ada'],
  value_max: ['The maximum', 100],
  value_min: ['The minimum', 0],
  value_now: ['The number that it shows', 40],
  value_regex: ['An RE2 pattern found in the value', '^A'],
  weight: ['How much it counts', 2],
  when: ['All of these must hold', [{ id: 'name', value_not_empty: true }]],
  width: ['The width in pixels', 640],
  window: ['The uid of a window', 'app'],
  window_uid: ['The uid of a window', 'app'],
  windows: ['The windows, front to back', [{ uid: 'app', title: 'App' }]],
  with: ['The arguments', { selector: 'Button "Save"' }],
  without: ['The uids of windows to leave out', ['help']],
  x: ['Pixels from the left of the screen', 100],
  y: ['Pixels from the top of the screen', 80],
}

/** The schema of a file in which every key has a description and an example, as far as the table knows the key. */
export function withHelp(schema: JsonSchema): JsonSchema {
  const defs = schema.$defs ?? {}
  const helped = (part: JsonSchema, property: string | undefined): JsonSchema => {
    const { if: condition, ...inside } = part
    const below = { ...mapParts(inside, helped), ...(condition !== undefined && { if: condition }) }
    return property === undefined ? below : withRow(property, below, defs)
  }
  return mapParts(schema, helped)
}

function withRow(name: string, property: JsonSchema, defs: Definitions): JsonSchema {
  const row = Object.hasOwn(HELP, name) ? HELP[name] : undefined
  if (!row) return property
  const [description, example] = row
  return {
    ...property,
    ...(!hasDescription(property, defs) && { description }),
    ...(!hasExample(property, defs) && { examples: [example] }),
  }
}

/** A schema, and the definition that it refers to. */
const withTarget = (schema: JsonSchema, defs: Definitions): readonly JsonSchema[] =>
  [schema, defs[refName(schema) ?? '']].filter((each) => each !== undefined)

/** Whether an editor shows a description of a key. */
export const hasDescription = (schema: JsonSchema, defs: Definitions): boolean =>
  withTarget(schema, defs).some(({ description }) => typeof description === 'string')

/** Whether an editor suggests a value: the default, or what `hasExample` names. */
export const hasSuggestion = (schema: JsonSchema, defs: Definitions): boolean =>
  hasExample(schema, defs) || withTarget(schema, defs).some((each) => 'default' in each)

/** Whether a schema has an example, a choice, or true and false. */
function hasExample(schema: JsonSchema, defs: Definitions): boolean {
  const all = withTarget(schema, defs)
  if (all.some((each) => 'examples' in each || 'enum' in each || 'const' in each)) return true
  if (all.some((each) => each.type === 'boolean' || refName(each) === 'flag')) return true
  return all.some(({ anyOf = [] }) => anyOf.some((each) => hasExample(each, defs)))
}

/** The schema of an oracle whose kinds say when they hold. */
export function withKinds(oracle: JsonSchema): JsonSchema {
  const described = (oracle.anyOf ?? []).map((entry) => {
    const { kind, ...others } = entry.properties ?? {}
    const [first] = [kind?.const ?? kind?.anyOf?.[0]?.enum].flat()
    const description = ORACLE_KINDS[first as Oracle['kind']].holds
    return { ...entry, properties: { kind: { ...kind, description }, ...others } }
  })
  return { ...oracle, anyOf: described }
}
