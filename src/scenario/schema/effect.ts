import * as z from 'zod'
import { ICON_NAMES } from '../../desktop/model/pictures.ts'
import { Coordinate, Extent, Milliseconds, Name } from './common.ts'
import { AuthoredElement, elementFields, isRangeInOrder, NamedWindow, RANGE_OUT_OF_ORDER } from './element.ts'
import { Guard } from './guard.ts'

/** A number, or an amount to add to the current one. */
const NewNumber = z
  .union([z.number(), z.strictObject({ add: z.number().describe('The amount to add') })])
  .describe('The new number, or an amount to add to the current one')

/** A change of an element, or of a window. */
export const ElementChange = z
  .strictObject({
    id: Name.describe('The id of the element; without it, the window itself is changed').optional(),
    window: Name.describe('The uid of the window').optional(),
    ...z.strictObject(elementFields).partial().shape,
    value_now: NewNumber.optional(),
    title: z.string().describe('Of the window').optional(),
    busy: z.boolean().describe('Of the window').optional(),
    state: z.enum(['normal', 'minimized', 'maximized']).describe('Of the window').optional(),
    cell: z
      .string()
      .describe('Of a table: the name of the cell that becomes the current one; another text changes nothing')
      .meta({ examples: ['B57', '{{ view.place }}'] })
      .optional(),
    caret: z
      .string()
      .describe(
        'Of a field: how many characters are before the caret; with a second number, such as 120-127, the text between them is selected',
      )
      .meta({ examples: ['120', '120-127'] })
      .optional(),
    append: z.array(AuthoredElement).describe('Children that are added at the end').optional(),
    remove: z.boolean().describe('Removes the element, or without an id the window').optional(),
  })
  .refine(isRangeInOrder, RANGE_OUT_OF_ORDER)
export type ElementChange = z.infer<typeof ElementChange>

/** A change of a file. */
export const FileChange = z.strictObject({
  path: Name.describe('The absolute path of the file; an impossible change is skipped'),
  text: z.string().nullable().describe('The new text of the file; null creates a folder').optional(),
  copy_to: Name.describe('The path of a copy').optional(),
  move_to: Name.describe('The new path').optional(),
  remove: z.boolean().describe('Removes the file').optional(),
})
export type FileChange = z.infer<typeof FileChange>

/** A new text of the clipboard. */
export const ClipboardChange = z.strictObject({ clipboard: z.string().describe('The new text of the clipboard') })
export type ClipboardChange = z.infer<typeof ClipboardChange>

/** A change of a variable. */
export const VariableChange = z.strictObject({
  var: Name.describe('The variable, or a field in it such as form.amount').meta({ examples: ['count', 'form.amount'] }),
  to: z
    .unknown()
    .describe('The new value')
    .meta({ examples: ['{{ count + 1 }}'] })
    .optional(),
  append: z
    .unknown()
    .describe('A new item of the list: the last one, or with move at that place')
    .meta({ examples: [{ id: 4, customer: 'Ada' }] })
    .optional(),
  where: z
    .string()
    .min(1)
    .describe('The records that are changed or removed: a condition on row')
    .meta({ examples: ['row.id == 3'] })
    .optional(),
  change: z
    .record(z.string(), z.unknown())
    .describe('New values of fields of these records')
    .meta({ examples: [{ status: 'shipped' }] })
    .optional(),
  remove: z.literal(true).describe('Removes these records').optional(),
  move: z
    .union([
      z.enum(['start', 'end']),
      z.strictObject({
        before: z
          .unknown()
          .describe('The key of the record before which they go.')
          .meta({ examples: [7] }),
      }),
    ])
    .describe(
      'Moves these records, the item of the event, or the new item, in their list: to an end, or before the item with a key',
    )
    .meta({ examples: ['end', { before: 7 }] })
    .optional(),
  sort_by: Name.describe('Sorts the records by this field')
    .meta({ examples: ['total'] })
    .optional(),
  descending: z.boolean().describe('Sorts the greatest first').optional(),
  insert_column: z
    .string()
    .describe('Of the rows of a sheet: the letter of the column before which an empty one comes')
    .meta({ examples: ['C', '{{ letter }}'] })
    .optional(),
  remove_column: z
    .string()
    .describe('Of the rows of a sheet: the letter of the column that goes')
    .meta({ examples: ['C', '{{ letter }}'] })
    .optional(),
})
export type VariableChange = z.infer<typeof VariableChange>

/** Opens a window. */
export const OpenEffect = z.strictObject({
  open: z
    .union([Name, NamedWindow])
    .describe('Opens a window: the uid of one in `windows` or in a state, or a window written here')
    .meta({ examples: ['settings'] }),
})
export type OpenEffect = z.infer<typeof OpenEffect>

/** Closes a window. */
export const CloseEffect = z.strictObject({
  close: Name.describe('The uid of the window that closes, with its dialogs').meta({ examples: ['settings'] }),
})
export type CloseEffect = z.infer<typeof CloseEffect>

/** Activates a window. */
export const FocusEffect = z.strictObject({
  focus: Name.describe('The uid of the window that comes to the front and gets the keyboard').meta({
    examples: ['editor'],
  }),
})
export type FocusEffect = z.infer<typeof FocusEffect>

/** Moves or resizes a window. */
export const MoveEffect = z.strictObject({
  move: Name.describe('The uid of the window that moves').meta({ examples: ['editor'] }),
  x: Coordinate.describe('The new left edge').optional(),
  y: Coordinate.describe('The new top edge').optional(),
  width: Extent.describe('The new width').optional(),
  height: Extent.describe('The new height').optional(),
})
export type MoveEffect = z.infer<typeof MoveEffect>

/** A button of a notification. */
const ToastAction = z.strictObject({
  id: Name.describe('The id of the button, for reactions').optional(),
  name: Name.describe('The text of the button'),
})

/** Shows a notification. */
export const ToastEffect = z.strictObject({
  toast: Name.describe('The text of a notification in the corner of the screen').meta({ examples: ['Draft saved'] }),
  title: z.string().describe('Its title').optional(),
  icon: z.enum(ICON_NAMES).describe('An icon of the theme').optional(),
  avatar: z
    .string()
    .describe('The name of a person whose initials it shows, except in the style `backlot`')
    .meta({ examples: ['Ada Moreno'] })
    .optional(),
  for_ms: Milliseconds.describe('It closes after this time, 4000 by default').optional(),
  actions: z
    .array(ToastAction)
    .min(1)
    .max(3)
    .describe('Its buttons, which close it')
    .meta({ examples: [[{ id: 'retry', name: 'Retry' }]] })
    .optional(),
  undo: z
    .literal(true)
    .describe('Adds a button `undo` that takes back what this action changes in the variables of `undo`')
    .optional(),
})
export type ToastEffect = z.infer<typeof ToastEffect>

/** Takes changes of the data back. */
export const UndoEffect = z.strictObject({
  undo: Name.describe(
    'Takes back what the last action changed in the variables of `undo`, or what the reaction with this id changed last',
  ).meta({ examples: ['last', 'archive'] }),
})
export type UndoEffect = z.infer<typeof UndoEffect>

/** Makes changes of the data again. */
export const RedoEffect = z.strictObject({
  redo: z
    .enum(['last'])
    .describe('Makes the changes again that were taken back last')
    .meta({ examples: ['last'] }),
})
export type RedoEffect = z.infer<typeof RedoEffect>

/** Records a text. */
export const LogEffect = z.strictObject({
  log: z
    .string()
    .describe('A text for the log of the run')
    .meta({ examples: ['the total was {total.value}'] }),
})
export type LogEffect = z.infer<typeof LogEffect>

/** Records an event. */
export const EmitEffect = z.strictObject({
  emit: Name.describe('The name of an event that `events` declares').meta({ examples: ['order_shipped'] }),
  with: z
    .record(Name, z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe('The values of its fields')
    .meta({ examples: [{ customer: '{customer.value}' }] })
    .optional(),
})
export type EmitEffect = z.infer<typeof EmitEffect>

/** Switches the colours of the screen. */
export const ThemeEffect = z.strictObject({
  theme: z
    .enum(['light', 'dark', 'high-contrast'])
    .describe('The colours that the whole screen has from now on, also instead of those of a variant')
    .meta({ examples: ['dark'] }),
})
export type ThemeEffect = z.infer<typeof ThemeEffect>

/** Opens a context menu. */
export const MenuEffect = z.strictObject({
  menu: Name.describe('The id of the menu that opens').meta({ examples: ['row-menu'] }),
  window: Name.describe('The uid of its window').optional(),
  at: z
    .strictObject({ x: Coordinate, y: Coordinate })
    .describe('Where, in pixels of the screen; at the pointer by default')
    .optional(),
})
export type MenuEffect = z.infer<typeof MenuEffect>

/** Loads an address in the browser. */
export const NavigateEffect = z.strictObject({
  navigate: z
    .string()
    .min(1)
    .describe('The address, relative to the page, that the active tab of the browser loads')
    .meta({ examples: ['/orders/{{ order }}', 'https://bank.test/'] }),
  tab: z
    .enum(['new', 'background'])
    .describe('Whether a new tab loads it, and whether that tab stays behind')
    .optional(),
  typed: z.boolean().describe('Whether it is an address as people type it, without https://').optional(),
})
export type NavigateEffect = z.infer<typeof NavigateEffect>

/** What a site may ask the user for. */
export const SITE_PERMISSIONS = ['location', 'notifications', 'camera', 'microphone', 'clipboard'] as const

/** Does what a control of the browser does, or what a page has the browser ask. */
export interface BrowseEffect {
  browse: z.infer<typeof BrowseVerb>
  tab?: number | undefined
  text?: string | undefined
  value?: string | undefined
  permission?: (typeof SITE_PERMISSIONS)[number] | undefined
  accepted?: Outcome | undefined
  refused?: Outcome | undefined
}

const BrowseVerb = z.enum([
  'back',
  'forward',
  'reload',
  'new_tab',
  'close_tab',
  'close_others',
  'reopen_tab',
  'show_tab',
  'next_tab',
  'previous_tab',
  'address',
  'restore_address',
  'bookmark',
  'find',
  'find_text',
  'find_next',
  'find_previous',
  'find_close',
  'alert',
  'confirm',
  'prompt',
  'ask',
  'ok',
  'cancel',
  'allow',
  'block',
  'downloads',
  'copy_link',
])

/** One of several consequences. */
export interface OutcomeChoice {
  weight?: number | undefined
  set?: ScenarioEffect[] | undefined
  transition_to?: string | undefined
}

/** The conditions and consequences that reactions, timers and scheduled effects share. */
export interface Outcome {
  when?: Guard[] | undefined
  probability?: number | undefined
  set?: ScenarioEffect[] | undefined
  choose?: OutcomeChoice[] | undefined
  transition_to?: string | undefined
}

/** Effects contain effects, so that their schema is only known later. */
const Effects: z.ZodType<ScenarioEffect[]> = z.lazy(() => z.array(ScenarioEffect))

const OutcomeChoice: z.ZodType<OutcomeChoice> = z.strictObject({
  weight: z.number().positive().max(1_000_000).describe('Its share; 1 by default').optional(),
  set: Effects.describe('The effects, in order').optional(),
  transition_to: Name.describe('The next state').optional(),
})

/** The keys of an outcome. */
export const outcomeFields = {
  when: z.array(Guard).describe('Guards that must all hold').optional(),
  probability: z
    .number()
    .min(0)
    .max(1)
    .describe('How often it happens, drawn from the seed; always by default. Otherwise the next reaction is tried')
    .meta({ examples: [0.3] })
    .optional(),
  set: Effects.describe('Changes and other effects, in order').optional(),
  choose: z
    .array(OutcomeChoice)
    .min(1)
    .max(100)
    .describe('One of these happens after set, drawn from the seed')
    .meta({ examples: [[{ weight: 3, transition_to: 'sent' }, { set: [{ toast: 'No connection' }] }]] })
    .optional(),
  transition_to: Name.describe('The next state; previous is the state before').optional(),
}

const Consequence: z.ZodType<Outcome> = z.strictObject(outcomeFields)

export const BrowseEffect: z.ZodType<BrowseEffect> = z.strictObject({
  browse: BrowseVerb.describe(
    'What the browser does, as its control does; or a dialog of the page (alert, confirm, prompt), or a permission to ask for (ask)',
  ),
  tab: z
    .int()
    .describe('The id of a tab, for show_tab and close_tab; the active one by default')
    .meta({ examples: ['{{ event.item.id }}', 2] })
    .optional(),
  text: z
    .string()
    .describe('The message of a dialog')
    .meta({ examples: ['Delete order {{ id }}?'] })
    .optional(),
  value: z.string().describe('The text that the field of a prompt begins with').optional(),
  permission: z.enum(SITE_PERMISSIONS).describe('What ask is about').optional(),
  accepted: Consequence.describe('What follows OK of a dialog, or a permission')
    .meta({ examples: [{ set: [{ navigate: '/orders' }] }] })
    .optional(),
  refused: Consequence.describe('What follows Cancel, or a permission that is refused')
    .meta({ examples: [{ set: [{ log: 'kept' }] }] })
    .optional(),
})

/** Effects after a while. */
export interface ScheduledOutcome extends Outcome {
  after_ms: number | { between: [number, number] }
}
const ScheduledOutcome: z.ZodType<ScheduledOutcome> = z.strictObject({
  after_ms: z
    .union([Milliseconds, z.strictObject({ between: z.tuple([Milliseconds, Milliseconds]) })])
    .describe('The time in milliseconds: a number, or two of which the seed draws one between'),
  ...outcomeFields,
})

/** Applies effects later. */
export interface ScheduleEffect {
  schedule: ScheduledOutcome
}
export const ScheduleEffect: z.ZodType<ScheduleEffect> = z.strictObject({
  schedule: ScheduledOutcome.describe('Effects after a while, in any state').meta({
    examples: [{ after_ms: 2000, set: [{ toast: 'Upload finished' }] }],
  }),
})

/** An entry of `set`. */
export type ScenarioEffect =
  | ElementChange
  | FileChange
  | ClipboardChange
  | VariableChange
  | OpenEffect
  | CloseEffect
  | FocusEffect
  | MoveEffect
  | ToastEffect
  | UndoEffect
  | RedoEffect
  | LogEffect
  | EmitEffect
  | ThemeEffect
  | MenuEffect
  | NavigateEffect
  | BrowseEffect
  | ScheduleEffect
export const ScenarioEffect: z.ZodType<ScenarioEffect> = z
  .union([
    ElementChange,
    FileChange,
    ClipboardChange,
    VariableChange,
    OpenEffect,
    CloseEffect,
    FocusEffect,
    MoveEffect,
    ToastEffect,
    UndoEffect,
    RedoEffect,
    LogEffect,
    EmitEffect,
    ThemeEffect,
    MenuEffect,
    NavigateEffect,
    BrowseEffect,
    ScheduleEffect,
  ])
  .meta({ id: 'Effect' })
