import { AssertionError } from 'node:assert/strict'
import type * as z from 'zod'
import * as zod from 'zod'
import { shorten } from './frame.ts'

/** Ends a check with what the server did wrong. Anything else that is thrown is an error of the harness. */
export function fail(message: string, compared?: { readonly expected?: unknown; readonly actual?: unknown }): never {
  throw new AssertionError({ message, operator: 'fail', ...compared })
}

/** How the reason of what is not judged begins when a server does not announce an optional part. */
export const NOT_OFFERED = 'not offered: '

/** Ends a check because the server does not have the optional part that it is about. */
export class NotOffered extends Error {}

/** Ends a check without blaming the server: `what` is optional, and the server has announced that it does without. */
export function notOffered(what: string): never {
  throw new NotOffered(`${NOT_OFFERED}${what}`)
}

/** The value as `shape` reads it, or a failure that names what does not fit. */
export function parseAs<T>(shape: z.ZodType<T>, value: unknown, what: string): T {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  fail(`${what} does not have the documented shape:\n${zod.prettifyError(read.error)}`, { actual: value })
}

/** Parses JSON that a server sent. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    fail(`${what} is not JSON: ${shorten(text, 200) || '(empty)'}`)
  }
}

/** The same promise; its failure is no unhandled one when the check that waits for it has ended in the meantime. */
export function ignoreLateRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/** The promise's value, or a failure that says what was waited for. */
export function withTimeout<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  return ignoreLateRejection(inTime(ms, promise, what))
}

async function inTime<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AssertionError({ message: `waited ${ms} ms for ${what}`, operator: 'within' })),
      ms,
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
