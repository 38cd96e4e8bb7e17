import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { parseChord } from '../../desktop/input/keys.ts'
import { GRID_CONTROL_ROLES } from '../../desktop/model/grid.ts'
import { ICON_NAMES } from '../../desktop/model/pictures.ts'
import { parseMarkup } from '../../desktop/model/rich-text.ts'
import { CHART_KINDS, ELEMENT_LOOKS } from '../../desktop/model/traits.ts'
import { AuthoredRect, Extent, Name } from './common.ts'
import { AuthoredPicture } from './picture.ts'

/** A column of a table that shows the records of a variable. */
export const TableColumn = z.strictObject({
  field: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, { error: 'expected letters, digits and _' })
    .describe('The field of the records; with a formula, a name for the column')
    .meta({ examples: ['customer'] }),
  title: z
    .string()
    .describe('The text of its header; the field by default')
    .meta({ examples: ['Customer'] })
    .optional(),
  width: Extent.describe('In pixels; columns without a width share the space that is left')
    .meta({ examples: [80] })
    .optional(),
  format: z
    .string()
    .max(100)
    .describe('How numbers and dates are shown: 0, 0.00, #,##0.00, 0%, or a date format such as d MMM yyyy')
    .meta({ examples: ['#,##0.00', 'd MMM yyyy'] })
    .optional(),
  align: z.enum(['start', 'center', 'end']).describe('Numbers are aligned at the end by default').optional(),
  total: z
    .enum(['sum', 'count', 'average', 'min', 'max'])
    .describe('Shown in a row of totals below the records')
    .optional(),
  sortable: z.boolean().describe('Whether a click on its header sorts by it').optional(),
  editable: z.boolean().describe('Whether the user can change its cells, and with them the records').optional(),
  role: z
    .enum(GRID_CONTROL_ROLES)
    .describe('Its cells are such controls instead of texts; an empty text makes no button, link or image')
    .optional(),
  options: z
    .array(Name)
    .min(1)
    .max(100)
    .describe('The choices of its combo boxes')
    .meta({ examples: [['open', 'shipped']] })
    .optional(),
  icon: z.enum(ICON_NAMES).describe('What its buttons or images show instead of their text').optional(),
  formula: z
    .string()
    .describe('An expression over `row` that computes the cells, which are read-only')
    .meta({ examples: ['row.price * row.quantity'] })
    .optional(),
})
export type TableColumn = z.infer<typeof TableColumn>

/** The keys of tables and lists that show the records of a variable. */
export const tableFields = {
  columns: z
    .array(TableColumn)
    .min(1)
    .max(100)
    .describe('The columns of a table that shows records')
    .meta({ examples: [[{ field: 'id', title: 'Order', width: 80 }, { field: 'customer' }]] })
    .optional(),
  key: Name.describe(
    'The field that identifies records; its value is part of the ids of rows. Without it, their indexes are',
  )
    .meta({ examples: ['id'] })
    .optional(),
  filter: Name.describe('An expression over `row`; only records for which it holds are shown')
    .meta({ examples: ['row.status == "open"'] })
    .optional(),
  unread_where: Name.describe(
    'An expression over `row`; rows of a table for which it holds are shown as not read: bold, with a dot before them',
  )
    .meta({ examples: ['row.unread'] })
    .optional(),
  sort_by: Name.describe(
    'The field by which the records are sorted at first; clicks on headers of sortable columns change it',
  )
    .meta({ examples: ['customer'] })
    .optional(),
  descending: z.boolean().describe('Whether `sort_by` sorts in reverse').optional(),
  page_size: z
    .int()
    .min(1)
    .max(10_000)
    .describe(
      'The number of records on a page, with buttons for other pages; without it the table scrolls over all of them',
    )
    .meta({ examples: [20] })
    .optional(),
  label: z
    .string()
    .describe('The text of an item of a list that shows records')
    .meta({ examples: ['{{ row.customer }} ({{ row.id }})'] })
    .optional(),
  frozen: z
    .strictObject({
      rows: z
        .int()
        .min(1)
        .max(20)
        .describe('How many rows at the top do not scroll')
        .meta({ examples: [1] })
        .optional(),
      columns: z
        .int()
        .min(1)
        .max(20)
        .describe(
          'How many columns at the start do not scroll; all columns then keep their widths, and the others scroll',
        )
        .meta({ examples: [1] })
        .optional(),
    })
    .refine(({ rows, columns }) => rows !== undefined || columns !== undefined, { error: 'expected rows or columns' })
    .describe('The first rows and columns of a table, which stay in view while the others scroll')
    .meta({ examples: [{ rows: 1, columns: 1 }] })
    .optional(),
  row_headers: z
    .boolean()
    .describe('Whether each row begins with its number and columns without a title are letters, as in a spreadsheet')
    .optional(),
  sheet: z
    .string()
    .min(1)
    .max(31)
    .describe(
      'Makes the table a sheet whose cells take formulas; the name by which formulas of other sheets and `cell_value` refer to it. In an Edit, the sheet whose current cell it shows and edits',
    )
    .meta({ examples: ['Costs'] })
    .optional(),
  looks: Name.describe(
    'Of a sheet: the variable whose records say how cells look, with the key of the record and the field of the column as `id`, such as `7.total`, whether it is `bold`, and its `format`, empty for that of its column; also its colours `fill` and `ink`',
  )
    .meta({ examples: ['looks'] })
    .optional(),
  select: z
    .enum(['row', 'cell'])
    .describe('What is selected: rows by default in a Table, cells in a DataGrid, Grid or Spreadsheet')
    .optional(),
}

const WrittenLayout = z.strictObject({
  arrange: z
    .enum(['row', 'column', 'grid', 'form'])
    .describe(
      'How the children are arranged; a column by default, unless the role has another arrangement. A form is a column whose controls the style arranges with their names',
    )
    .optional(),
  gap: Extent.describe('Pixels between the children').optional(),
  padding: Extent.describe('Pixels around the children').optional(),
  columns: z.int().min(1).max(100).describe('The number of columns of a grid').optional(),
  align: z.enum(['start', 'center', 'end']).describe('Where the children are if there is free space').optional(),
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

/** Text with mark-up. */
const Markup = z.string().superRefine((source, { addIssue }) => {
  const rich = parseMarkup(source)
  if (typeof rich === 'string') addIssue(rich)
})

/** A number, or a day such as 2026-03-31. */
const Limit = z.union([
  z.number(),
  z.string().regex(/^\d{4}-\d\d-\d\d$/, 'expected a number or a day such as 2026-03-31'),
])

const WrittenValidation = z
  .strictObject({
    required: z
      .boolean()
      .describe('Whether it must not be empty; of a check box: checked; of a list: an item is selected')
      .optional(),
    pattern: z.string().describe('An RE2 pattern for the whole text').optional(),
    min: Limit.describe('The least number, or the first day, such as 2026-03-01').optional(),
    max: Limit.describe('The greatest number, or the last day, such as 2026-03-31').optional(),
    message: Name.describe('Shown below the field instead of a standard message').optional(),
  })
  .meta({ examples: [{ required: true, pattern: '\\d+', message: 'Enter digits only' }] })

const Place = (what: string, example: number) =>
  z
    .number()
    .describe(what)
    .meta({ examples: [example] })
    .optional()

const AuthoredPlace = z
  .strictObject({
    x: Place('Where it starts', 2),
    y: Place('Where it starts, from the top', 540),
    width: Place('How wide it is', 1),
    height: Place('How high it is', 60),
  })
  .refine(({ width = 0, height = 0 }) => width >= 0 && height >= 0, { error: 'width and height are not negative' })
/** A place that stands for one with templates. */
export const ANY_PLACE = {} as const satisfies z.infer<typeof AuthoredPlace>

/** The fields that elements and `set` share. */
export const elementFields = {
  name: z.string().describe('The name; a Text shows it'),
  rich: Markup.describe(
    'The name of a text with mark-up for bold, italic and coloured parts, links, headings and lists',
  ).meta({
    examples: ['Save **before** you close the window.'],
  }),
  value: z.string().nullable().describe('The value: the text of a field, the choice of a combo box; a field shows it'),
  bounds: AuthoredRect.describe('Its place in pixels of the screen; by default the parent places it'),
  at: AuthoredPlace.describe(
    'Its place in its parent, beside the layout of the others: values in the scales of `accept` of the parent, otherwise pixels',
  ).meta({
    examples: [
      { x: 2, y: 540, width: 1, height: 60 },
      { y: '{{ event.start }}', height: '{{ event.minutes }}' },
    ],
  }),
  grow: z.number().min(0).max(1000).describe('Its share of the free space, if its parent places it'),
  width: Extent.describe('Its width in pixels, if its parent places it'),
  height: Extent.describe('Its height in pixels, if its parent places it'),
  enabled: z.boolean().describe('Whether it is enabled; true by default'),
  focused: z.boolean().describe('Whether it has the keyboard focus'),
  keyboard_shortcut: Shortcut.nullable().describe('The shortcut that presses it, such as Ctrl+S'),
  description: z.string().nullable().describe('A description, shown as a tooltip'),
  selected: z.boolean().describe('Whether it is selected or checked'),
  expanded: z.boolean().describe('Whether it is open, for combo boxes, menus, tree items and expanders'),
  value_now: z.number().describe('The number of a slider, spinner or progress bar'),
  value_min: z.number().describe('The minimum of this number'),
  value_max: z.number().describe('The maximum of this number'),
  secret: z.boolean().describe('Whether the value is painted as dots and never sent to clients'),
  hidden: z.boolean().describe('Whether it is in the tree, but neither painted nor found by hit testing'),
  placeholder: z.string().describe('The text that a field shows while it is empty'),
  read_only: z.boolean().describe('Whether the user cannot edit the text of the field'),
  multiline: z
    .boolean()
    .describe('Whether Enter inserts a line break in the field; true by default for fields at least 64 pixels high'),
  line_numbers: z.boolean().describe('Whether a document numbers its lines'),
  wrap: z
    .boolean()
    .describe('Whether long lines of a document are wrapped; true by default, otherwise they scroll sideways'),
  max_length: z.int().min(0).describe('The maximum number of characters of a field'),
  presses: z.enum(['enter', 'escape']).describe('The key that presses this button anywhere in its window or dialog'),
  submits: z
    .boolean()
    .describe(
      'Whether pressing it does nothing while a field of its window or dialog is invalid; true by default with presses: enter',
    ),
  validation: WrittenValidation.describe('Rules for the content of a field; an empty field breaks only required'),
  closes: z.boolean().describe('Whether pressing it closes its window'),
  tri_state: z.boolean().describe('Whether the check box has a mixed state'),
  scroll: z
    .strictObject({ follow: z.literal('end').describe('What it keeps in view when its content changes') })
    .describe('How an area scrolls by itself: it stays at its end until the user scrolls away')
    .meta({ examples: [{ follow: 'end' }] }),
  multi_select: z.boolean().describe('Whether several items can be selected'),
  reorder: z.boolean().describe('Whether items can be dragged to another position, and to other lists with reorder'),
  step: z.number().positive().describe('The step of an arrow key on a slider or spinner'),
  icon: z.enum(ICON_NAMES).describe('An icon of the theme'),
  look: z
    .enum(ELEMENT_LOOKS)
    .describe(
      'A look other than the usual one of the role: a primary, destructive or flat button, a card, a step of a path of breadcrumbs, a table that is a spreadsheet, a band at the top or bottom of a web page, a bold link, a document that is a web page',
    ),
  icon_only: z.boolean().describe('Whether a button shows its icon alone; a tooltip shows its description or name'),
  avatar: z
    .string()
    .describe(
      'The name of a person or thing whose initials an image or list item shows in a disc; a `src` fills the disc',
    )
    .meta({ examples: ['Ada Moreno'] }),
  badge: z
    .string()
    .describe('A count on a button, tab, icon, list item or tree item; `dot` for a dot, empty for none')
    .meta({ examples: ['3', 'dot'] }),
  subtitle: z
    .string()
    .describe(
      'Lines below the name of a list item or button, or below the title of a window in `macos`; its description, if it has no other',
    )
    .meta({ examples: ['Lunch on Friday?\nThe new place opens at noon.'] }),
  unread: z.boolean().describe('Whether a list or tree item has not been read: a bold name with a dot before it'),
  chart: z.enum(CHART_KINDS).describe('What a Chart draws of its children, each a DataPoint with name and value_now'),
  src: Name.describe('The picture of an image: a PNG or SVG file in the folder of the scenario or below it').meta({
    examples: ['pictures/map.png'],
  }),
  picture: AuthoredPicture.describe(
    'The picture of an image, list item or card, drawn from data: a receipt, letter, form, business card, identity card, photograph or chart',
  ).meta({ examples: [{ kind: 'photo', seed: '{{ photo.id }}' }] }),
  href: z
    .string()
    .describe('The address that a click on a link or button loads in the browser, relative to the page')
    .meta({ examples: ['/orders/{{ order.id }}'] }),
  folder: Name.describe('The folder of `files` that a list shows as its items'),
  file: Name.nullable().describe('The file that a field edits; its text is the default value'),
}

interface Ends {
  readonly value_min?: number | undefined
  readonly value_max?: number | undefined
}
/** Whether the minimum of a range is not above its maximum. */
export const isRangeInOrder = ({ value_min, value_max }: Ends): boolean =>
  value_min === undefined || value_max === undefined || value_min <= value_max
/** The problem of a range that is not in order. */
export const RANGE_OUT_OF_ORDER = { path: ['value_min'], error: 'must not be greater than value_max' }

/** A file command of a button or menu item, on a text field or on a list that shows a folder. */
const WrittenCommand = z.strictObject({
  does: z
    .enum(['open', 'save', 'save-as', 'copy', 'paste', 'rename', 'delete'])
    .describe('For a field: open, save or save-as. For the selected files of a list: copy, paste, rename or delete'),
  element: Name.describe('The id of the field or list'),
})

/** A `repeat` over data, as composing leaves it: which items, and the names that expressions and events have for one. */
const LiveRepeat = z.strictObject({
  of: Name,
  as: Name.optional(),
  name: Name.optional(),
  key: Name.optional(),
  sort_by: Name.optional(),
  descending: z.boolean().optional(),
  page: Name.optional(),
  page_size: z.int().min(1).max(500).optional(),
  item_height: z.int().min(8).max(2000).optional(),
})
export type LiveRepeat = z.infer<typeof LiveRepeat>

const DropScale = z
  .strictObject({
    from: z
      .number()
      .describe('The value at its start')
      .meta({ examples: [480] }),
    to: z
      .number()
      .describe('The value at its end')
      .meta({ examples: [1080] }),
    step: z.number().positive().describe('Values are rounded to steps of this; 1 by default').optional(),
    cells: z
      .boolean()
      .describe('Whether each step is a cell, such as a day: the value is the start of the one below the pointer')
      .optional(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be greater than from' })

const DragKinds = z.union([Name, z.array(Name).min(1).max(50)])

/** What can be dragged, and what takes it. */
const dragFields = {
  drag: z
    .union([
      Name,
      z.strictObject({
        kind: Name.describe('What it is, as `accept` names it'),
        edges: z
          .array(z.enum(['top', 'bottom', 'left', 'right']))
          .min(1)
          .max(4)
          .describe('The edges that are dragged alone, which event.drag.edge then names')
          .meta({ examples: [['bottom']] })
          .optional(),
      }),
    ])
    .describe('Makes it, or each row of a table or list with records, something that can be dragged: its kind')
    .meta({ examples: ['card', { kind: 'meeting', edges: ['bottom'] }] })
    .optional(),
  accept: z
    .union([
      DragKinds,
      z.strictObject({
        kinds: DragKinds.describe('What it takes').meta({ examples: ['meeting', ['meeting', 'task']] }),
        x: DropScale.describe('The values from its left edge to its right one; event.drag.x is that of the place')
          .meta({ examples: [{ from: 0, to: 7 }] })
          .optional(),
        y: DropScale.describe('The values from its top to its bottom; event.drag.y is that of the place')
          .meta({ examples: [{ from: 480, to: 1080, step: 15 }] })
          .optional(),
      }),
    ])
    .describe('The kinds of dragged elements that can be dropped on it')
    .meta({ examples: ['card', { kinds: 'meeting', y: { from: 480, to: 1080, step: 15 } }] })
    .optional(),
}

const OneElement = z.strictObject({
  ...z.strictObject(elementFields).partial().shape,
  role: Name.describe('The role; any text. The suggested ones have behaviour and appearance').optional(),
  id: Name.describe('Its id, unique in its window; the position (root.0.2) by default').optional(),
  identifier: z.string().describe('A name for programs, as in real toolkits').optional(),
  rows: z
    .union([z.array(z.string()).max(1_000_000), Name])
    .describe(
      'The names of the items of a virtual list, or the variable whose records a table or list shows; only rows in view are in the tree',
    )
    .meta({ examples: [['First', 'Second'], 'orders'] })
    .optional(),
  bind: Name.describe('The variable that it shows, and that changes when the user changes it')
    .meta({ examples: ['search', 'form.amount'] })
    .optional(),
  // Keys of composition, which describes them for editors.
  repeat: LiveRepeat.meta({ isComposed: true }).optional(),
  if: Name.meta({ isComposed: true }).optional(),
  ...tableFields,
  ...dragFields,
  file_command: WrittenCommand.describe('The file command that pressing it runs').optional(),
  layout: WrittenLayout.describe('How its children are arranged').optional(),
})
export type AuthoredElement = z.infer<typeof OneElement> & {
  children?: AuthoredElement[] | undefined
  /** In a translated variant: how a combo box that is bound, and its items, show the texts of the data. */
  choices?: Readonly<Record<string, string>> | undefined
}
export const AuthoredElement: z.ZodType<AuthoredElement> = z
  .strictObject({
    ...OneElement.shape,
    get children() {
      return z.array(AuthoredElement).describe('Its child elements').optional()
    },
  })
  .refine(isRangeInOrder, RANGE_OUT_OF_ORDER)
  .meta({ id: 'Element' })

/** Whether the running scenario makes an element or a window, for the items of a list or while a condition holds. */
export const isTemplateElement = ({ repeat, if: condition }: Pick<AuthoredElement, 'repeat' | 'if'>): boolean =>
  repeat !== undefined || condition !== undefined

const WrittenBrowser = z.union([
  Name,
  z.strictObject({
    tabs: z
      .array(Name)
      .min(1)
      .max(100)
      .describe('The address of each tab')
      .meta({ examples: [['shop.test', 'bank.test']] })
      .optional(),
    bookmarks: z
      .record(Name, Name)
      .describe('Addresses by their names')
      .meta({ examples: [{ Bank: 'bank.test' }] })
      .optional(),
    downloads: Name.describe('The folder for downloads; /Downloads by default')
      .meta({ examples: ['/home/ada/Downloads'] })
      .optional(),
  }),
])

export const AuthoredWindow = z.strictObject({
  uid: Name.describe(
    'Its id in this file; the same window has the same uid in every state. mock: and the state by default',
  ).optional(),
  title: z.string().describe('The text in its title bar; empty by default').optional(),
  handle: Name.describe('The handle of the system; a number by default').optional(),
  process: z.string().describe('The program that owns it; scenario.exe by default').optional(),
  pid: z.int().min(0).describe('The process id of that program; a number by default').optional(),
  bounds: AuthoredRect.describe('Its place in pixels of the screen; 800 × 600 at 0,0 by default').optional(),
  frame: z
    .enum(['inside', 'outside', 'none'])
    .describe(
      'Where the title bar is: inside the top of the bounds, outside above them, or none. By default it depends on the free space',
    )
    .optional(),
  state: z
    .enum(['normal', 'minimized', 'maximized'])
    .describe(
      'How it is shown; normal by default. A maximized window fills its monitor, and returns to its bounds when it is restored',
    )
    .optional(),
  modal_to: Name.describe('The uid of the window that this one blocks while it is open').optional(),
  busy: z.boolean().describe('Whether it accepts no input, and can only be minimized and restored').optional(),
  tree: AuthoredElement.describe('Its root element; an empty element by default').optional(),
  browser: WrittenBrowser.describe(
    'Makes it the browser that shows `sites`: the first address, or its tabs and bookmarks',
  )
    .meta({ examples: ['shop.test', { tabs: ['shop.test', 'bank.test'], bookmarks: { Bank: 'bank.test' } }] })
    .optional(),
  // Keys of composition, which describes them for editors. Only windows of states have them.
  repeat: LiveRepeat.meta({ isComposed: true }).optional(),
  if: Name.meta({ isComposed: true }).optional(),
})
export type AuthoredWindow = z.infer<typeof AuthoredWindow>

/** A window that effects open by its uid. */
export const NamedWindow = z
  .strictObject({ ...AuthoredWindow.shape, uid: Name.describe('Its id in this file') })
  .omit({ repeat: true, if: true })
export type NamedWindow = z.infer<typeof NamedWindow>
