import * as z from 'zod'
import { shorten } from '../probe/frame.ts'

/** JSON that a client sent, or what is wrong with it. */
export function readJson(text: string): { readonly value: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { value: undefined, problem: `the body is not JSON: ${shorten(text, 200) || '(empty)'}` }
  }
}

/** What does not fit the schema, in words; undefined when it fits. */
export function problemOf(schema: z.ZodType, value: unknown): string | undefined {
  const read = schema.safeParse(value)
  return read.success ? undefined : z.prettifyError(read.error)
}
