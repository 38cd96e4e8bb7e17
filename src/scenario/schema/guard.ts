import * as z from 'zod'
import { Milliseconds, Name } from './common.ts'

const ElementGuard = z.strictObject({
  id: Name.describe('The id of the element'),
  window: Name.describe('The uid of its window; without it, the window of the event is searched first').optional(),
  value: z.string().nullable().describe('It has exactly this value').optional(),
  value_not_empty: z.boolean().describe('It has a value, or with false none').optional(),
  value_regex: z.string().describe('A pattern (RE2) found in its value').optional(),
  name: z.string().describe('It has exactly this name').optional(),
  enabled: z.boolean().describe('Whether it is enabled').optional(),
  focused: z.boolean().describe('Whether it has the focus').optional(),
  selected: z.boolean().describe('Whether it is selected or checked').optional(),
  expanded: z.boolean().describe('Whether it is open').optional(),
  value_now: z.number().describe('It has exactly this number').optional(),
  exists: z.boolean().describe('It exists, or with false does not').optional(),
})
export type ElementGuard = z.infer<typeof ElementGuard>

export const FileGuard = z.strictObject({
  path: Name.describe('The absolute path of the file'),
  exists: z.boolean().describe('It exists, or with false does not').optional(),
  text: z.string().describe('It has exactly this text').optional(),
  text_regex: z.string().describe('A pattern found in the text').optional(),
})
export type FileGuard = z.infer<typeof FileGuard>

const ClipboardGuard = z.strictObject({ clipboard: z.string().describe('The clipboard has exactly this text') })

/** A number of elements. */
const SelectorGuard = z.strictObject({
  selector: Name.describe('A selector; at least one element matches unless a number is given').meta({
    examples: ['ListItem[selected=true]'],
  }),
  window: Name.describe('The uid of the window; all windows by default').optional(),
  count: z.int().min(0).describe('Exactly this many elements match').optional(),
  min: z.int().min(0).describe('At least this many').optional(),
  max: z.int().min(0).describe('At most this many').optional(),
})
export type SelectorGuard = z.infer<typeof SelectorGuard>

/** A time since the state was entered. */
const TimeGuard = z.strictObject({
  time: z
    .strictObject({
      after_ms: Milliseconds.describe('At least this long').optional(),
      before_ms: Milliseconds.describe('Less than this').optional(),
    })
    .describe('The time since the state was entered: at least after_ms and less than before_ms')
    .meta({ examples: [{ after_ms: 5000 }] }),
})
export type TimeGuard = z.infer<typeof TimeGuard>

/** A number of occurrences. */
const HappenedGuard = z.strictObject({
  happened: Name.describe(
    'An event, or the id of a reaction or timer; it happened at least once unless a number is given',
  ).meta({ examples: ['order_shipped'] }),
  min: z.int().min(0).describe('At least this often').optional(),
  max: z.int().min(0).describe('At most this often').optional(),
})
export type HappenedGuard = z.infer<typeof HappenedGuard>

/** A condition over data. */
const ExpressionGuard = z.strictObject({
  expression: z
    .string()
    .min(1)
    .describe('An expression over the variables and the screen that is true')
    .meta({ examples: ['count > 0', 'value("amount") != ""'] }),
})

/** A condition of a reaction or a timer. */
export const Guard = z.union([
  ElementGuard,
  FileGuard,
  ClipboardGuard,
  SelectorGuard,
  TimeGuard,
  HappenedGuard,
  ExpressionGuard,
])
export type Guard = z.infer<typeof Guard>
