import { z } from 'zod'

const Text = z.string()
const where = { window_uid: Text.optional() }

/** One thing that can be asked of a screen (observer document, "assert_state"). */
export const Predicate = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('element_exists'), selector: Text, ...where }),
  z.strictObject({ kind: z.literal('element_absent'), selector: Text, ...where }),
  z.strictObject({ kind: z.literal('value_equals'), selector: Text, expected: Text.nullable(), ...where }),
  z.strictObject({ kind: z.literal('value_matches'), selector: Text, regex: Text, ...where }),
  z.strictObject({
    kind: z.literal('text_visible'),
    regex: Text,
    mode: z.enum(['tree', 'ocr', 'auto']).optional(),
    ...where,
  }),
  z.strictObject({ kind: z.literal('window_focused'), title_regex: Text }),
  z.strictObject({ kind: z.literal('window_exists'), title_regex: Text.optional(), window_uid: Text.optional() }),
  z.strictObject({ kind: z.literal('tree_hash_equals'), expected_hash: Text, ...where }),
  z.strictObject({
    kind: z.literal('screenshot_similar'),
    reference_path: Text,
    min_ssim: z.number().min(-1).max(1).optional(),
    ...where,
  }),
])
export type Predicate = z.infer<typeof Predicate>
