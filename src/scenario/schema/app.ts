import * as z from 'zod'
import { ICON_NAMES } from '../../desktop/model/icon.ts'
import { Name } from './common.ts'

/** An application that the bars and the launcher of a desktop with a style offer. */
export const WrittenApp = z.strictObject({
  name: Name.describe('Its name in the launcher and the bars; unique'),
  icon: z.enum(ICON_NAMES).describe('Its icon; chosen by words of its name by default').optional(),
  opens: z
    .union([Name, z.array(Name).min(1).max(100)])
    .describe(
      'The uids of its windows; opening it opens the first if none is open. By default those whose process has its name',
    )
    .meta({ examples: ['inbox'] })
    .optional(),
})
export type WrittenApp = z.infer<typeof WrittenApp>
