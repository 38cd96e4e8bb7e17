import type { IconName } from './pictures.ts'

/**
 * The records of a virtual table: only those in view are elements. Positions count in the order in which they are
 * shown, over all pages.
 */
export interface VirtualGrid {
  readonly columns: readonly GridColumn[]
  /** The records that match the filter, in the order of the data. Replaced as a whole when the data change. */
  readonly rows: readonly GridRow[]
  /** The indexes of the records in the order in which they are shown. */
  readonly order: readonly number[]
  readonly sort?: GridSort
  /** Pixels of one row. */
  readonly rowHeight: number
  /** Pixels of the header, in a table with another one than usual. */
  readonly headerHeight?: number
  /** The number of records on a page. Without it all records are on one page. */
  readonly pageSize?: number
  readonly page: number
  /** How many of the first rows of a page and of the first columns stay while the rest scrolls. */
  readonly frozen?: FrozenLines
  /** Whether each row begins with its number. */
  readonly rowHeaders?: boolean
  /** Whether rows that have not been read have a mark, for which there is space before the columns. */
  readonly marksUnread?: boolean
  /** Whether whole rows are selected, or single cells. */
  readonly selects: 'row' | 'cell'
  /** The texts of the row of totals, one per column. */
  readonly totals?: readonly string[]
  /** The selected rows, as positions in ascending order. */
  readonly selected: readonly number[]
  /** The position of the current row; -1 for none. */
  readonly current: number
  readonly anchor: number
  /** The column of the cell cursor. */
  readonly column: number
  /** The cell that is edited in place. Its element holds the text. */
  readonly edit?: CellInEdit
  /** Set for a table whose cells take formulas. */
  readonly sheet?: GridSheet
}

/** A cell that is edited. `typed` is true where typing replaced its text. */
export interface CellInEdit extends GridCell {
  readonly typed?: boolean
}

/** The first rows and columns of a table that do not scroll. With columns, all keep their widths, and the others scroll. */
export interface FrozenLines {
  readonly rows?: number | undefined
  readonly columns?: number | undefined
}

/** What a table has whose cells take formulas. */
export interface GridSheet {
  /** The name by which formulas of other sheets refer to it. */
  readonly name: string
  /** The corner of the selected cells that is opposite to the cell cursor. Undefined while one cell is selected. */
  readonly corner?: GridCell | undefined
  /** The steps that can be taken back and those that can be done again, the next one last. */
  readonly undo: readonly SheetChange[]
  readonly redo: readonly SheetChange[]
}

/** Texts of cells that changed together, and where the cell cursor was. */
export interface SheetChange extends GridCell {
  readonly cells: readonly {
    readonly key: string
    readonly column: number
    readonly before: string
    readonly after: string
  }[]
}

/** Cells next to each other, both ends included. */
export interface CellRange {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** The selected cells of a table with a cell cursor. Undefined without one. */
export function rangeOf({ selects, current, column, sheet, order }: VirtualGrid): CellRange | undefined {
  if (selects !== 'cell' || current < 0 || current >= order.length) return undefined
  const corner = sheet?.corner ?? { row: current, column }
  return {
    top: Math.min(current, corner.row),
    left: Math.min(column, corner.column),
    bottom: Math.min(order.length - 1, Math.max(current, corner.row)),
    right: Math.max(column, corner.column),
  }
}

/** A column of a virtual table. */
export interface GridColumn {
  /** The name of the field that it shows; unique in its table. */
  readonly field: string
  readonly title: string
  /** In pixels. Columns without a width share the space that is left. */
  readonly width?: number
  readonly align?: 'start' | 'center' | 'end'
  /** Whether a click on its header sorts by it. */
  readonly sortable?: boolean
  readonly editable?: boolean
  /** What its cells show instead of a text. */
  readonly control?: GridControl
}

/** The control in the cells of a column. */
export interface GridControl {
  readonly role: GridControlRole
  /** The choices of a combo box. */
  readonly options?: readonly string[]
  /** What a button or picture shows instead of its text. */
  readonly icon?: IconName
  /** Whether the user cannot change what it shows. */
  readonly isFixed?: boolean
}

/** The roles of controls in cells. */
export const GRID_CONTROL_ROLES = ['Button', 'Hyperlink', 'CheckBox', 'ComboBox', 'ProgressBar', 'Image'] as const
export type GridControlRole = (typeof GRID_CONTROL_ROLES)[number]

/** The colours that cells of a sheet can have, in shades of the theme. */
export const CELL_COLOURS = ['yellow', 'green', 'red', 'blue', 'orange', 'grey'] as const
export type CellColour = (typeof CELL_COLOURS)[number]

/** The colours of a cell of a sheet. */
export interface CellColours {
  readonly fill?: CellColour
  readonly ink?: CellColour
}

/** A record of a virtual table. */
export interface GridRow {
  /** Unique in its table. Part of the ids of its elements. */
  readonly key: string
  /** The painted texts, one per column. */
  readonly cells: readonly string[]
  /** What was typed into the cells, such as formulas, if it is not what they show. */
  readonly contents?: readonly string[]
  /** The values that columns are sorted by. */
  readonly values: readonly (string | number | boolean | null)[]
  readonly isUnread?: boolean
  /** The columns whose cells are bold. */
  readonly bold?: readonly number[]
  /** The colours of cells that have some, by their columns. */
  readonly colours?: readonly (CellColours & { readonly column: number })[]
  /** The name of the row, if not all of its texts belong to it. */
  readonly name?: string | undefined
}

export interface GridSort {
  readonly column: number
  readonly descending: boolean
}

/** A cell, by the position of its row. */
export interface GridCell {
  readonly row: number
  readonly column: number
}
