import * as z from 'zod'
import { Extent, Name } from './common.ts'

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
  row_headers: z
    .boolean()
    .describe('Whether each row begins with its number and columns without a title are letters, as in a spreadsheet')
    .optional(),
  select: z
    .enum(['row', 'cell'])
    .describe('What is selected: rows by default in a Table, cells in a DataGrid, Grid or Spreadsheet')
    .optional(),
}
