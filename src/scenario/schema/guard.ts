import * as z from 'zod'
import { Name } from './common.ts'

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
