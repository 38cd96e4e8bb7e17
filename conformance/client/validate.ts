import type * as z from 'zod'
import { describeMismatch } from '../probe/failure.ts'
import { shorten } from '../probe/frame.ts'

/** Parses JSON of a client; returns a problem when it is invalid. */
export function readJson(text: string): { readonly value: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { value: undefined, problem: `the body is not JSON: ${shorten(text, 200) || '(empty)'}` }
  }
}

/** Describes the mismatch with a schema; undefined when the value fits. */
export function problemOf(schema: z.ZodType, value: unknown): string | undefined {
  const read = schema.safeParse(value)
  return read.success ? undefined : describeMismatch(read.error, value)
}
