import * as z from 'zod'
import { FAULTS, Fault, type FaultCode } from '../base/fault.ts'
import type { Files } from '../desktop/files/files.ts'
import { parseChord } from '../desktop/input/keys.ts'
import type { Monitor, Window } from '../desktop/model/desktop.ts'
import { ICON_NAMES } from '../desktop/model/icon.ts'
import { ROLES } from '../desktop/model/role.ts'
import { withExpandedKeys } from './expand/editor-schema.ts'
import { Predicate } from './oracle.ts'
import { TOOL_NAMES } from './tools.ts'

/**
 * The scenario file as written, in its own spelling, and as loaded. The first half of this file is the schema (observer
 * document, "Scenarios", and our additions), the second half the loaded value.
 */

const Name = z.string().min(1)
const Pixels = z.int().min(-100_000).max(100_000)
const Size = z.int().min(0).max(100_000)
/** A side of a monitor in pixels. */
const Side = z.int().min(1).max(16_384)
const Milliseconds = z.int().min(1).max(86_400_000)
const States = z.union([Name, z.array(Name)])

const WrittenRect = z.strictObject({ x: Pixels, y: Pixels, width: Size, height: Size })

const WrittenLayout = z.strictObject({
  arrange: z.enum(['row', 'column', 'grid']).describe('How the children are arranged; a column by default').optional(),
  gap: Size.describe('Pixels between the children').optional(),
  padding: Size.describe('Pixels around the children').optional(),
  columns: z.int().min(1).max(100).describe('Of a grid').optional(),
  align: z.enum(['start', 'center', 'end']).describe('Alignment of the children if there is free space').optional(),
})

/** A chord; empty for none. */
const Shortcut = z.string().superRefine((keys, { addIssue }) => {
  try {
    if (keys !== '') parseChord(keys)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    addIssue(error.message)
  }
})

/** The fields that elements and `set` share. */
const fields = {
  name: z.string().describe('The name; a text shows it'),
  value: z.string().nullable().describe('The value: the text of a field, the choice of a combo box'),
  bounds: WrittenRect.describe('Absolute screen pixels; by default the parent places it'),
  enabled: z.boolean().describe('Whether it is enabled; true by default'),
  focused: z.boolean().describe('Whether it has the keyboard focus'),
  keyboard_shortcut: Shortcut.nullable().describe('The shortcut that presses it, such as Ctrl+S'),
  description: z.string().nullable().describe('A description, shown as a tooltip'),
  selected: z.boolean().describe('Selected or checked'),
  expanded: z.boolean().describe('Open, for combo boxes, menus, tree items and expanders'),
  value_now: z.number().describe('The number of a slider, spinner or progress bar'),
  value_min: z.number().describe('The minimum'),
  value_max: z.number().describe('The maximum'),
  secret: z.boolean().describe('The value is painted as dots and redacted'),
  hidden: z.boolean().describe('In the tree, but neither painted nor hit'),
  placeholder: z.string().describe('Shown in a field while it is empty'),
  read_only: z.boolean().describe('The user cannot change the text of the field'),
  multiline: z.boolean().describe('Enter inserts a line break'),
  max_length: z.int().min(0).describe('The maximum number of characters'),
  presses: z.enum(['enter', 'escape']).describe('The key that presses this button anywhere in its window'),
  closes: z.boolean().describe('Pressing it closes its window'),
  tri_state: z.boolean().describe('A check box with a mixed state'),
  multi_select: z.boolean().describe('Several items may be selected'),
  reorder: z.boolean().describe('Items may be dragged to another place, and to another such list'),
  step: z.number().positive().describe('The step of an arrow key on a slider or spinner'),
  icon: z.enum(ICON_NAMES).describe('An icon of the theme'),
  folder: Name.describe('The folder of `files` that a list shows as its items'),
  file: Name.nullable().describe('The file that a field edits; its text is the default value'),
}

interface Ends {
  readonly value_min?: number | undefined
  readonly value_max?: number | undefined
}
const areInOrder = ({ value_min, value_max }: Ends): boolean =>
  value_min === undefined || value_max === undefined || value_min <= value_max
const OUT_OF_ORDER = { path: ['value_min'], error: 'must not be greater than value_max' }

/** A file command of a button or menu item, on a text field or on a list that shows a folder. */
const WrittenCommand = z.strictObject({
  does: z.enum(['open', 'save', 'save-as', 'copy', 'paste', 'rename', 'delete']),
  element: Name.describe('The id of the field or list'),
})

const OneElement = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  role: Name.describe('The role; any text. The suggested ones have behaviour and appearance')
    .meta({ examples: ROLES.map(([name]) => name) })
    .optional(),
  id: Name.describe('Unique in its window; the position (root.0.2) by default').optional(),
  identifier: z.string().describe('A name for programs, as in real toolkits').optional(),
  rows: z
    .array(z.string())
    .max(1_000_000)
    .describe('The names of the items of a virtual list; only those in view are in the tree')
    .optional(),
  file_command: WrittenCommand.describe('The file command that pressing it runs').optional(),
  layout: WrittenLayout.describe('How its children are arranged').optional(),
  grow: z.number().min(0).max(1000).describe('Its share of the free space').optional(),
  width: Size.describe('In pixels, if its parent places it').optional(),
  height: Size.describe('In pixels, if its parent places it').optional(),
})
export type WrittenElement = z.infer<typeof OneElement> & { children?: WrittenElement[] | undefined }
export const WrittenElement: z.ZodType<WrittenElement> = z
  .strictObject({
    ...OneElement.shape,
    get children() {
      return z.array(WrittenElement).optional()
    },
  })
  .refine(areInOrder, OUT_OF_ORDER)
  .meta({ id: 'Element' })

export const WrittenWindow = z.strictObject({
  uid: Name.describe('Its id in this file; the same window has the same uid in every state').optional(),
  title: z.string().describe('The text in its title bar').optional(),
  handle: Name.describe('The handle of the system; a number by default').optional(),
  process: z.string().describe('The program that owns it').optional(),
  pid: z.int().min(0).describe('The process id of that program').optional(),
  bounds: WrittenRect.describe('Screen pixels; 800 × 600 at 0,0 by default').optional(),
  frame: z.enum(['inside', 'outside', 'none']).describe('Where the title bar is painted').optional(),
  state: z.enum(['normal', 'minimized', 'maximized']).describe('How it is shown; normal by default').optional(),
  modal_to: Name.describe('The uid of the window that this one blocks').optional(),
  busy: z.boolean().describe('Takes no input').optional(),
  tree: WrittenElement.optional(),
})
export type WrittenWindow = z.infer<typeof WrittenWindow>

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

const ElementGuard = z.strictObject({
  id: Name.describe('The id of the element'),
  window: Name.describe('The uid of its window').optional(),
  value: z.string().nullable().describe('It has exactly this value').optional(),
  value_not_empty: z.boolean().describe('It has a value, or with false none').optional(),
  value_regex: z.string().describe('A pattern (RE2) found in its value').optional(),
  name: z.string().optional(),
  enabled: z.boolean().optional(),
  focused: z.boolean().optional(),
  selected: z.boolean().optional(),
  expanded: z.boolean().optional(),
  value_now: z.number().optional(),
  exists: z.boolean().optional(),
})
export type ElementGuard = z.infer<typeof ElementGuard>

export const FileGuard = z.strictObject({
  path: Name,
  exists: z.boolean().optional(),
  text: z.string().optional(),
  text_regex: z.string().describe('A pattern found in the text').optional(),
})
export type FileGuard = z.infer<typeof FileGuard>

const ClipboardGuard = z.strictObject({ clipboard: z.string() })

/** A condition on an element, a file or the clipboard. */
export const Guard = z.union([ElementGuard, FileGuard, ClipboardGuard])
export type Guard = z.infer<typeof Guard>

/** A number, or an amount to add to the current one. */
const NewNumber = z.union([z.number(), z.strictObject({ add: z.number() })])

const ElementChange = z
  .strictObject({
    id: Name.describe('By default the window itself is changed').optional(),
    window: Name.optional(),
    ...z.strictObject(fields).partial().shape,
    value_now: NewNumber.optional(),
    title: z.string().describe('Of the window').optional(),
    busy: z.boolean().describe('Of the window').optional(),
    append: z.array(WrittenElement).describe('New last children').optional(),
    remove: z.boolean().describe('Removes the element').optional(),
  })
  .refine(areInOrder, OUT_OF_ORDER)
export type ElementChange = z.infer<typeof ElementChange>

export const FileChange = z.strictObject({
  path: Name,
  text: z.string().nullable().describe('The new text of the file; null creates a folder').optional(),
  copy_to: Name.optional(),
  move_to: Name.optional(),
  remove: z.boolean().optional(),
})
export type FileChange = z.infer<typeof FileChange>

const ClipboardChange = z.strictObject({ clipboard: z.string() })

/** A change of an element or a window, a file or the clipboard. */
export const ScenarioChange = z.union([ElementChange, FileChange, ClipboardChange])
export type ScenarioChange = z.infer<typeof ScenarioChange>

const outcome = {
  when: z.array(Guard).describe('All of these must hold').optional(),
  set: z.array(ScenarioChange).describe('The changes, in order').optional(),
  transition_to: Name.describe('The next state').optional(),
}

export const Reaction = z.strictObject({
  on: Trigger.describe('The event'),
  in: States.describe('The state or states in which it is active; all by default').optional(),
  ...outcome,
})
export type Reaction = z.infer<typeof Reaction>

export const Timer = z.strictObject({
  in: States.describe('The states in which it runs; all by default').optional(),
  on: Trigger.describe('Starts at this event, and restarts whenever it happens again').optional(),
  after_ms: z
    .union([Milliseconds, z.strictObject({ between: z.tuple([Milliseconds, Milliseconds]) })])
    .describe('Fires once, this long after the state is entered or the event')
    .optional(),
  every_ms: Milliseconds.min(10).describe('Fires repeatedly').optional(),
  ...outcome,
})
export type Timer = z.infer<typeof Timer>

const Tool = z.enum(TOOL_NAMES).describe('A tool of the observer')

export const PlannedFault = z.strictObject({
  on: z.strictObject({ tool: Tool }).describe('The tool whose calls fail'),
  times: z.int().min(1).max(1_000_000).describe('How many calls fail').default(1),
  skip: z.int().min(0).max(1_000_000).describe('How many calls succeed first').default(0),
  in: States.optional(),
  code: z.enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]]),
  message: z.string().optional(),
})
export type PlannedFault = z.infer<typeof PlannedFault>

/** One step of a reference solution: a tool of the observer and its arguments. */
const SolutionStep = z.strictObject({
  call: Tool,
  with: z.record(z.string(), z.unknown()).describe('The arguments of the tool').default({}),
})
type SolutionStep = z.infer<typeof SolutionStep>

const WrittenMonitor = z.strictObject({
  bounds: z.strictObject({ ...WrittenRect.shape, width: Side, height: Side }),
  primary: z.boolean().optional(),
  scale_factor: z.number().min(0.5).max(8).optional(),
})

export const WrittenState = z.strictObject({ windows: z.array(WrittenWindow).max(100).nullable().optional() })
export type WrittenState = z.infer<typeof WrittenState>

export const WrittenScenario = z
  .strictObject({
    name: Name.describe('The name').optional(),
    about: z.string().describe('A description for readers of the file').optional(),
    task: z.string().min(1).max(10_000).describe('The task, which the server gives to agents').optional(),
    tags: z.array(Name).max(50).describe('For choosing scenarios, such as forms or files').optional(),
    difficulty: z.enum(['easy', 'medium', 'hard']).describe('For choosing scenarios').optional(),
    seed: z.int().describe('The seed of everything random').default(1),
    widgets: z.enum(['live', 'inert']).describe('Whether controls have behaviour of their own').default('live'),
    theme: z
      .enum(['light', 'dark', 'high-contrast'])
      .describe('The colours; those of the server by default')
      .optional(),
    panel: z.boolean().describe('Whether the panel with the windows is shown').default(true),
    monitors: z.array(WrittenMonitor).min(1).max(16).describe('One of 1280 × 800 by default').optional(),
    clipboard: z.string().describe('The text of the clipboard at the start').default(''),
    files: z
      .record(z.string(), z.string().max(1_000_000).nullable())
      .refine((files) => Object.keys(files).length <= 10_000, { error: 'at most 10000 files are allowed' })
      .describe('The files: absolute paths and their texts; null is an empty folder')
      .nullable()
      .optional(),
    initial_state: Name.describe('The initial state; the first by default').optional(),
    states: z
      .record(Name, WrittenState.nullable())
      .refine((states) => Object.keys(states).length > 0, { error: 'a scenario has at least one state' })
      .describe('The screens, by name'),
    reactions: z.array(Reaction).max(10_000).nullable().describe('Reactions to actions').optional(),
    timers: z.array(Timer).max(1000).nullable().describe('Changes over time').optional(),
    faults: z.array(PlannedFault).max(1000).nullable().describe('Calls of tools that fail').optional(),
    oracles: z
      .strictObject({
        success: z.array(Predicate).nullable().describe('All of them must hold at the end').optional(),
        failure: z.array(Predicate).nullable().describe('None of them may hold').optional(),
      })
      .nullable()
      .describe('How success is judged')
      .optional(),
    solution: z.array(SolutionStep).max(1000).nullable().describe('A reference solution').optional(),
    agent: z.unknown().describe('The script of the agent').optional(),
    model: z.unknown().describe("The scripted model's lines").optional(),
  })
  .meta({ id: 'Scenario', title: 'A Backlot scenario' })
export type WrittenScenario = z.infer<typeof WrittenScenario>

/** The JSON Schema of a scenario file, for editors. */
export const scenarioJsonSchema = (): object => ({
  $id: SCHEMA_ID,
  ...withExpandedKeys(z.toJSONSchema(WrittenScenario, { io: 'input' }) as Readonly<Record<string, unknown>>),
})

/** A name, not an address: nothing is fetched. */
const SCHEMA_ID = 'urn:backlot:scenario'

/** A loaded scenario: validated, laid out and immutable. Any number of runs share it. */
export interface Scenario {
  readonly name: string
  readonly about: string
  /** The task of the agent. */
  readonly task: string | undefined
  readonly tags: readonly string[]
  readonly difficulty: 'easy' | 'medium' | 'hard' | undefined
  readonly seed: number
  readonly live: boolean
  readonly theme: 'light' | 'dark' | 'high-contrast' | undefined
  readonly panel: boolean
  readonly monitors: readonly Monitor[]
  readonly clipboard: string
  /** The files at the start. Undefined if the file has no `files`. */
  readonly files: Files | undefined
  readonly initial: string
  /** In the order of the file. */
  readonly states: ReadonlyMap<string, SceneState>
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  readonly faults: readonly PlannedFault[]
  readonly oracles: { readonly success: readonly Predicate[]; readonly failure: readonly Predicate[] }
  readonly solution: readonly SolutionStep[]
  /** The agent's script as written. The agent validates it with its own schema. */
  readonly agent: unknown
  readonly model: unknown
}

/** The windows of a state, front to back. */
export interface SceneState {
  readonly windows: readonly Window[]
}
