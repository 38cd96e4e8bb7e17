import * as z from 'zod'

const Place = { x: z.int(), y: z.int() }

/** The body of POST /api/action (observer document, "Execute an input action"). */
export const LegacyAction = z.discriminatedUnion(
  'action',
  [
    z.object({
      action: z.literal('click_at'),
      ...Place,
      button: z.enum(['left', 'right', 'middle']).optional(),
      double: z.boolean().optional(),
      dry_run: z.boolean().optional(),
      confirm_token: z.string().optional(),
    }),
    z.object({
      action: z.literal('type'),
      value: z.string(),
      dry_run: z.boolean().optional(),
      confirm_token: z.string().optional(),
    }),
    z.object({
      action: z.literal('key'),
      value: z.string(),
      dry_run: z.boolean().optional(),
      confirm_token: z.string().optional(),
    }),
    z.object({
      action: z.literal('scroll'),
      x: z.int().optional(),
      y: z.int().optional(),
      clicks: z.int().optional(),
      dry_run: z.boolean().optional(),
    }),
  ],
  { error: 'use click_at, type, key or scroll' },
)
export type LegacyAction = z.infer<typeof LegacyAction>
