import * as z from 'zod'
import { Name } from './common.ts'
import { elementFields, isRangeInOrder, RANGE_OUT_OF_ORDER, WrittenElement } from './element.ts'

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
    append: z.array(WrittenElement).describe('Children that are added at the end').optional(),
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
    .describe('A new last item of the list')
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
  sort_by: Name.describe('Sorts the records by this field')
    .meta({ examples: ['total'] })
    .optional(),
  descending: z.boolean().describe('Sorts the greatest first').optional(),
})
export type VariableChange = z.infer<typeof VariableChange>
