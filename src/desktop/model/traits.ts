import type { FileCommand } from './command.ts'
import type { Point, Rect } from './geometry.ts'

/** How an element behaves and looks. */
export interface ElementTraits {
  /** The value is painted as dots and redacted. */
  readonly secret?: boolean
  /** In the tree, but neither painted nor hit. */
  readonly hidden?: boolean
  /** How many children it has, when only some of them are in the tree. Its text is cut when all of them are. */
  readonly childCount?: number
  readonly placeholder?: string
  readonly readOnly?: boolean
  readonly multiline?: boolean
  readonly maxLength?: number
  /** The button that Enter or Escape presses in its window. */
  readonly presses?: 'enter' | 'escape'
  /** Pressing it closes its window. */
  readonly closes?: boolean
  /** A check box that may also be mixed: `selected` is false then and the value `mixed`. */
  readonly triState?: boolean
  /** The name of a picture of the theme. */
  readonly icon?: string
  /** Where the caret stands in the value and where its selection began, in UTF-16 units. */
  readonly caret?: { readonly at: number; readonly from: number; readonly column?: number }
  /** How far the content has been scrolled, in pixels; the bounds of the children say so already. */
  readonly scrolled?: Point
  /** What is in it is larger than it; a layout says so, and between which edges the content is seen. */
  readonly overflow?: Overflow
  /** What an open popup covers; its items beyond are clipped by it. Set while it is open. */
  readonly popup?: Rect
  /** Where it stood in its parent when that had room enough, in directions in which its bounds do not tell. */
  readonly home?: { readonly x?: HomePosition; readonly y?: HomePosition }
  /** Several items may be selected. */
  readonly multiSelect?: boolean
  /** Items of a list may be dragged to another place in it, and to another such list. */
  readonly reorder?: boolean
  /** The id of the item of a list, tree, table or menu at which the keyboard is. */
  readonly current?: string
  /** The id of the item at which a range drawn with shift began. */
  readonly anchor?: string
  /** The rows of a list of which only those in view are in the tree. */
  readonly rows?: VirtualRows
  /** How far an arrow key moves a slider or spinner; 1 unless given. */
  readonly step?: number
  /** By which column a table is sorted, on that column's header. */
  readonly sorted?: 'ascending' | 'descending'
  /** A cell being edited in place: what it said before. */
  readonly editing?: string
  /** The folder of the desktop's files that a list shows. */
  readonly folder?: string
  /** The file that the text of a field came from or was saved to. */
  readonly path?: string
  /** Pressing it opens or saves a file. */
  readonly fileCommand?: FileCommand
  /** Earlier texts of a field, for undo and redo. */
  readonly history?: EditHistory
}

/** The view of content that does not fit, in pixels. */
export interface Overflow {
  /** From the top of the element to the content: a title and bars. */
  readonly top: number
  /** From the content to the bottom of the element: bars. */
  readonly bottom: number
  /** Free room behind the content. */
  readonly end: number
}

export interface Layout {
  /** What its role does otherwise. */
  readonly arrange?: 'row' | 'column' | 'grid'
  readonly gap?: number
  readonly padding?: number
  readonly columns?: number
  /** Where the children stand along a row or column that has room left; at its start unless given. */
  readonly align?: 'start' | 'center' | 'end'
}

/** Pixels, and the share of the room that is left over. */
export interface LayoutPlace {
  readonly width?: number
  readonly height?: number
  readonly grow?: number
}

/**
 * The rows of a list that is too long to be a tree: only those in view are elements, made as it scrolls. Their ids are
 * the list's with their position (`files.row-17`).
 */
export interface VirtualRows {
  readonly names: readonly string[]
  /** Pixels of one row. */
  readonly height: number
  /** Positions, in rising order. */
  readonly selected: readonly number[]
  readonly current: number
  readonly anchor: number
}

/** Where an element stands along one direction of its parent, from the parent's beginning, and how much room that has. */
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

/** What undo returns to. */
export interface TextVersion {
  readonly text: string
  readonly at: number
}
