import type { TextFamily } from '../style/metrics.ts'
import type { Banner } from './banner.ts'
import type { Point, Rect } from './geometry.ts'
import type { CellColours, VirtualGrid } from './grid.ts'
import type { AppKind, PictureFile } from './pictures.ts'
import type { RichText } from './rich-text.ts'
import type { TerminalText } from './terminal-text.ts'

/** Behaviour and appearance of an element. */
export interface ElementTraits {
  /** For a control in a cell of a virtual table: the ids of the table and of its column, such as `orders.paid`. */
  readonly column?: string
  /** The value is painted as dots and redacted. */
  readonly secret?: boolean
  /** In the tree, but neither painted nor hit. */
  readonly hidden?: boolean
  /** The number of children, if only some of them are in the tree. If all of them are, its text is cut. */
  readonly childCount?: number
  readonly placeholder?: string
  /** How a combo box shows the texts that its variable holds, in another language. */
  readonly choices?: Readonly<Record<string, string>>
  readonly readOnly?: boolean
  readonly multiline?: boolean
  /** A document numbers its lines. */
  readonly lineNumbers?: boolean
  /** False for a document whose long lines do not wrap but scroll sideways. */
  readonly wrap?: boolean
  readonly maxLength?: number
  /** The button that Enter or Escape presses in its window. */
  readonly presses?: 'enter' | 'escape'
  /** Pressing it closes its window. */
  readonly closes?: boolean
  /** The rules that the content of a field has to keep. */
  readonly validation?: FieldValidation
  /** The problem of a field that breaks its rules, once it is shown, and the description that its message replaces. */
  readonly invalid?: FieldProblem
  /** Pressing it does nothing while a field of its window or dialog is invalid. */
  readonly submits?: boolean
  /** A check box with a mixed state, in which `selected` is false and the value `mixed`. */
  readonly triState?: boolean
  /** The name of an icon of the theme. */
  readonly icon?: string
  /** A look other than the usual one of its role. */
  readonly look?: ElementLook
  /** It shows its icon alone; its tool tip has its name. */
  readonly iconOnly?: boolean
  /** The name of a person or thing whose initials it shows in a disc. */
  readonly avatar?: string
  /** A count, or `dot`; empty for none. */
  readonly badge?: string
  /** Lines below its name. */
  readonly subtitle?: string
  /** The address that a click on it loads, as the page has it. */
  readonly href?: string
  /** It has not been read: its name is bold, with a dot before it. */
  readonly unread?: boolean
  /** The styles and links of a text whose name is the same text without mark-up. */
  readonly rich?: RichText
  /** The styles of a terminal whose value starts with the same text. */
  readonly terminal?: TerminalText
  /** It is a link inside of its parent's text, which shows it. */
  readonly inText?: true
  /** Its children are values of a chart, with their number in `valueNow`. */
  readonly chart?: ChartKind
  /** The picture of an image. */
  readonly picture?: PictureFile
  /** Where the caret stands in the value and where its selection began, in UTF-16 units. */
  readonly caret?: { readonly at: number; readonly from: number; readonly column?: number }
  /** It stays scrolled to its end while it is there, whatever its content becomes. */
  readonly follow?: 'end'
  /** The scroll offset in pixels. The bounds of the children include it. */
  readonly scrolled?: Point
  /** The parts of a notification in a style with banners. */
  readonly banner?: Banner
  /** Set by a layout on a tool bar that shares a band with the title of its window: the child that the title precedes. */
  readonly titleAt?: number
  /** Set by a layout on such a tool bar above a sidebar: from the start of the band to each pane beside the sidebar. */
  readonly panes?: readonly number[]
  /** Set by a layout on a button in such a band, which shows its icon alone, and on a separator, which is a gap. */
  readonly compact?: true
  /** Set by a layout on what does not fit into its bar, and on the button that opens the menu of these. */
  readonly inMore?: true
  readonly opensMore?: true
  /** Set by a layout on the row of buttons at the end of a dialog, and on the tabs of a window that is one. */
  readonly footer?: true
  readonly raised?: true
  /** Set by a layout on a control of a form: where its name is. */
  readonly formLabel?: FormLabel
  /** Set by a layout if the content is larger than the element. */
  readonly overflow?: Overflow
  /** The bounds of an open popup, which clip its items. Set while it is open. */
  readonly popup?: Rect
  /** Its position when its parent was large enough, for directions in which the bounds do not determine it. */
  readonly home?: { readonly x?: HomePosition; readonly y?: HomePosition }
  /** Several items may be selected. */
  readonly multiSelect?: boolean
  /** Items of a list may be dragged to another place in it, and to another such list. */
  readonly reorder?: boolean
  /** It, or each of its rows, can be dragged to what accepts the kind; by an edge of it, if the edges name it. */
  readonly drag?: { readonly kind: string; readonly edges?: readonly DragEdge[] | undefined }
  /** It takes dragged elements of these kinds. Places in it are values of the scales. */
  readonly accept?: { readonly kinds: readonly string[]; readonly x?: DropScale; readonly y?: DropScale }
  /** The id of the current item of a list, tree, table or menu. */
  readonly current?: string
  /** The id of the item at which a shift selection starts. */
  readonly anchor?: string
  /** The rows of a virtual list: only those in view are in the tree. */
  readonly rows?: VirtualRows
  /** The records of a virtual table: only those in view are in the tree. */
  readonly grid?: VirtualGrid
  /** The alignment of the text of a cell or column header. By default numbers are right-aligned. */
  readonly align?: 'start' | 'center' | 'end'
  /** A row of totals below the rows of a table. */
  readonly summary?: boolean
  /** The step of an arrow key on a slider or spinner. 1 by default. */
  readonly step?: number
  /** The sort order of a table, on the header of the sorted column. */
  readonly sorted?: 'ascending' | 'descending'
  /**
   * For a cell of a sheet, whether it is selected: the edges of the selection that it is at (t, l, b, r) and c for the cell
   * cursor. Empty for a cell that is not selected, `-` for one inside.
   */
  readonly range?: string
  /** For a cell of a sheet: its formula. */
  readonly formula?: string
  /** For a cell of a sheet: whether its text is bold. */
  readonly bold?: boolean
  /** For a cell of a sheet: the colours of its background and of its text. */
  readonly cellColours?: CellColours
  /** The text of a cell before it was edited in place. Set while it is edited. */
  readonly editing?: string
  /** The folder of the desktop's files that a list shows. */
  readonly folder?: string
  /** The file that the text of a field came from or was saved to. */
  readonly path?: string
  /** The size and place of the text of a field, in styles that differ from the default one. */
  readonly fieldText?: FieldText
  /** Pressing it opens or saves a file. */
  readonly fileCommand?: FileCommand
  /** What the application of a button of the shell is for. */
  readonly appKind?: AppKind
  /** Pressing it acts on windows, applications, the launcher or a flyout. */
  readonly shellCommand?: ShellCommand
  /** Pressing it edits the field that its menu belongs to; in the menu bar of the shell, the focused one. */
  readonly textCommand?: EditCommand
  /** A popup that is in the tree only while it is open. */
  readonly transient?: boolean
  /** Earlier texts of a field, for undo and redo. */
  readonly history?: EditHistory
  /** Its role and name in the scenario, on a platform that shows others. Always set at the root of such a tree. */
  readonly authored?: { readonly role: string; readonly name: string }
  /** The row that a cell has in the scenario, on a platform without rows. */
  readonly writtenRow?: { readonly id: string; readonly role: string; readonly name: string }
  /** The platform added it: the scenario has no such element. */
  readonly added?: boolean
  /** What it is an instance of, if a scenario made it from its data. */
  readonly instance?: InstanceOf
  /** It stays in place while its parent scrolls: a bar of its window in a container that a platform added. */
  readonly pinned?: boolean
  /** Of a row of a table with frozen columns: the pixels at its start that do not scroll. */
  readonly frozenWidth?: number
}

/** How a scenario made an element from its data. Never sent to clients. */
export interface InstanceOf {
  /** The id that the file has for it. Undefined if it has none. */
  readonly id: string | undefined
  /** The item that a `repeat` made it for. */
  readonly item: ItemOf | undefined
  /** What the scenario compares to find out whether it has to be made again. */
  readonly source: object
}

/** An item of a list of a scenario's data. */
export interface ItemOf {
  /** The name of the item in the file. */
  readonly name: string
  readonly value: unknown
  /** What identifies the item in its list. */
  readonly key: string
  /** Where the item is in the data. Undefined if it was computed and cannot be written. */
  readonly place: object | undefined
}

/** An edge of an element. */
export type DragEdge = 'top' | 'bottom' | 'left' | 'right'

/** The values from the start of an element to its end. */
export interface DropScale {
  readonly from: number
  readonly to: number
  readonly step?: number | undefined
  /** Whether each step is a cell, and the one below the pointer counts. */
  readonly cells?: boolean | undefined
}

/** The place of the name of a control, as high as the control. */
export interface FormLabel {
  /** From the left of the control; negative before it. */
  readonly x: number
  readonly width: number
  /** Whether it ends at the end of its place, with a colon. */
  readonly isEnd: boolean
}

/** How the text of a field is measured and painted. */
export interface FieldText {
  readonly family: TextFamily
  readonly size: number
  /** The space before and after the text of a single line, in which a sign is. */
  readonly before?: number
  readonly after?: number
}

/** A command of a menu on a text field. */
export type EditCommand = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'select-all'

/** The rules for the content of a field. Empty content breaks only `required`. */
export interface FieldValidation {
  /** Not empty; of a check box: checked; of a list: an item is selected. */
  readonly required?: boolean
  /** An RE2 pattern for the whole text. */
  readonly pattern?: string
  /** The least number, or the first day. */
  readonly min?: number | string
  /** The greatest number, or the last day. */
  readonly max?: number | string
  /** Shown instead of a standard message. */
  readonly message?: string
}

/** A shown problem of a field. */
export interface FieldProblem {
  readonly message: string
  readonly description: string | null
}

/** The view of content that does not fit, in pixels. */
export interface Overflow {
  /** From the top of the element to the content: a title and bars. */
  readonly top: number
  /** From the content to the bottom of the element: bars. */
  readonly bottom: number
  /** Free space after the content. */
  readonly end: number
}

export interface Layout {
  /** By default depends on the role. */
  readonly arrange?: 'row' | 'column' | 'grid' | 'form'
  readonly gap?: number
  readonly padding?: number
  readonly columns?: number
  /** Alignment of the children along a row or column with free space. `start` by default. */
  readonly align?: 'start' | 'center' | 'end'
}

/** Size in pixels, and the share of the free space. */
export interface LayoutPlace {
  readonly width?: number
  readonly height?: number
  readonly grow?: number
  /** Its place beside the layout of the others, in the scales of its parent or in pixels. */
  readonly at?: ValuePlace
}

/** A place in the scales of what an element is in. What has neither a start nor a size on an axis spans it. */
export interface ValuePlace {
  readonly x?: number | undefined
  readonly y?: number | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/**
 * The rows of a virtual list: only those in view are elements, created as it scrolls. Their ids are the list's with
 * their index (`files.row-17`) or their key.
 */
export interface VirtualRows {
  /** Of rows that a scenario makes of its data: the keys of their items. */
  readonly names: readonly string[]
  /** Unique keys of the rows, if they show records. */
  readonly keys?: readonly string[]
  /** Pixels of one row. */
  readonly height: number
  /** Indexes in ascending order. */
  readonly selected: readonly number[]
  readonly current: number
  readonly anchor: number
  /** Set if a scenario makes the elements of the rows, of its data. */
  readonly items?: RowItems
}

/** Rows of a virtual list that a scenario makes of its data. */
export interface RowItems {
  /** What their ids start with, before the key: `mail-`. */
  readonly prefix: string
  /** The names that they show. Made when they are asked for. */
  readonly names: () => readonly string[]
}

/** The position and size of an element along one axis of its parent, and the parent's size. */
export interface HomePosition {
  readonly at: number
  readonly size: number
  readonly room: number
}

/** Earlier and later texts of a field. */
export interface EditHistory {
  readonly undo: readonly TextVersion[]
  readonly redo: readonly TextVersion[]
}

/** A state that undo returns to. */
export interface TextVersion {
  readonly text: string
  readonly at: number
}

/** The kinds of charts. */
export const CHART_KINDS = ['bar', 'line', 'pie'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

/** The looks that an element may have instead of the usual one of its role. */
export const ELEMENT_LOOKS = [
  'primary',
  'destructive',
  'flat',
  'card',
  'breadcrumb',
  'spreadsheet',
  'header',
  'footer',
  'page',
] as const

/**
 * `primary`: filled with the accent colour. `destructive`: in the colour of destructive actions. `flat`: without a face.
 * `card`: raised from its surface, with an edge and padding. `breadcrumb`: a step of a path, with an arrow after it.
 * `spreadsheet`: a table with grid lines, a frame around its current cell, and marked headers of that cell. `header`, `footer`: the
 * bands at the top and bottom of a web page. `page`: a web page, which scrolls with its bands.
 */
export type ElementLook = (typeof ELEMENT_LOOKS)[number]

/** A file operation that a button or menu item runs. */
export type FileCommand = TextCommand | ListCommand

export interface TextCommand {
  /** `save` writes to the file that the text came from. It asks for a name if there is none. */
  readonly does: 'open' | 'save' | 'save-as'
  /** The id of the text field. */
  readonly element: string
}

export interface ListCommand {
  readonly does: 'copy' | 'paste' | 'rename' | 'delete'
  /** The id of a list that shows a folder. */
  readonly element: string
}

/** What the menu bar does with a window. Zoom maximises it, or restores a maximised one. */
export type WindowAction = 'activate' | 'close' | 'minimize' | 'zoom'

/** What a button of the shell does. */
export type ShellCommand =
  | { readonly does: 'launcher' }
  /** Shows a page of the applications in the launcher. 0 is the first. */
  | { readonly does: 'page'; readonly page: number }
  /** Activates a window, or minimises it if it is active. */
  | { readonly does: 'task'; readonly window: string }
  | { readonly does: 'window'; readonly window: string; readonly to: WindowAction }
  | { readonly does: 'app'; readonly app: string }
  | { readonly does: 'flyout'; readonly flyout: Flyout }
  /** Chooses a layout of the keyboard. */
  | { readonly does: 'input'; readonly code: string }

/** A small window of the shell that opens from its bar. */
export type Flyout = 'quick-settings' | 'calendar' | 'input' | 'tray'

/** The purpose of a dialog: a file command, or confirmation to replace a file. */
export type DialogCommand = FileCommand | ReplaceCommand

export interface ReplaceCommand {
  readonly does: 'replace'
  /** The id of the text field. */
  readonly element: string
  readonly path: string
}
