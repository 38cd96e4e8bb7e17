import * as z from 'zod'
import { Name } from './common.ts'

const MAX_CHARACTERS = 10_000
const ScreenText = z.string().min(1).max(MAX_CHARACTERS)

/** The sections that variants of a scenario use. */
export const variantSections = {
  locales: z
    .record(Name, z.record(Name, z.string()))
    .describe('The texts in other languages: for each locale, a text of this file and its translation')
    .meta({ examples: [{ de: { Save: 'Speichern', 'Hello, {{ name }}!': 'Hallo, {{ name }}!' } }] })
    .optional(),
  synonyms: z
    .record(ScreenText, z.array(z.string().max(MAX_CHARACTERS)).min(1).max(20))
    .describe('Other words for texts of this file, of which variants choose one')
    .meta({ examples: [{ Save: ['Store', 'Keep'] }] })
    .optional(),
  invariant: z
    .record(Name, z.string().min(1))
    .describe('The axes of variants that do not apply to this scenario, and why')
    .meta({ examples: [{ order: 'The task counts the items of the list.' }] })
    .optional(),
}
