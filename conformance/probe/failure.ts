import { AssertionError } from 'node:assert/strict'
import type * as z from 'zod'
import * as zod from 'zod'
import { shorten } from './frame.ts'

/** Fails the check with a failure of the server. Any other exception is an error of the harness. */
export function fail(message: string, { statements, ...more }: FailureDetails = {}): never {
  throw Object.assign(new AssertionError({ message, operator: 'fail', ...more }), statements && { statements })
}

interface FailureDetails {
  readonly expected?: unknown
  readonly actual?: unknown
  readonly operator?: string
  /** What the server said in two places that do not agree, by source. */
  readonly statements?: Readonly<Record<string, unknown>>
}

/** Fails the check unless an answer has this status. */
export function assertStatus(answer: Answered, wanted: number, about = ''): void {
  if (answer.status !== wanted) failStatus(answer, wanted, `${wanted}`, about)
}

/** Fails the check unless an answer has the status of a success, whichever it is. */
export function assertSuccess(answer: Answered, about = ''): void {
  if (!isSuccess(answer.status)) failStatus(answer, 200, 'a success', about)
}

function failStatus({ what, status, text }: Answered, expected: number, wanted: string, about: string): never {
  const answered = `${what} answers ${status}, not ${wanted}: ${shorten(text, 500) || '(no body)'}`
  fail(about === '' ? answered : `${about}: ${answered}`, { expected, actual: status })
}

/** An answer as messages quote it. */
interface Answered {
  readonly what: string
  readonly status: number
  readonly text: string
}

/** The operator of failures of a message that does not have the documented shape. */
const SHAPE = 'shape'

/**
 * Whether a check failed because it could not go on with an answer: it does not have the documented shape, or another
 * status than the expected success.
 */
export const isUnreadable = ({ operator, expected, actual }: AssertionError): boolean =>
  operator === SHAPE || (isSuccess(expected) && typeof actual === 'number' && actual !== expected)

/** Whether a check failed because a request that is to be refused was answered with a success. */
export const isWronglyAccepted = ({ expected, actual }: AssertionError): boolean =>
  typeof expected === 'number' && expected >= 400 && expected < 600 && isSuccess(actual)

const isSuccess = (status: unknown): boolean => typeof status === 'number' && status >= 200 && status < 300

/** The start of the reason for checks of an optional part that the server does not announce. */
export const NOT_OFFERED = 'not offered: '

/** Thrown by a check whose optional part the server does not offer. */
export class NotOffered extends Error {}

/** Ends a check without blaming the server: `what` is optional, and the server does not announce it. */
export function notOffered(what: string): never {
  throw new NotOffered(`${NOT_OFFERED}${what}`)
}

const MAX_MISMATCHES = 3

/** Where a value does not fit a shape, with what is there, such as `windows[0].title is 2024: expected string`. */
export function describeMismatch({ issues }: z.ZodError, value: unknown): string {
  const shown = issues.slice(0, MAX_MISMATCHES).map(({ path, message }) => {
    const found = path.reduce<unknown>((inner, step) => Object(inner)[step], value)
    const words = message.replace(/^Invalid input: /, '').replace(/, received \S+$/, '')
    return `${zod.core.toDotPath(path) || 'it'} is ${shorten(JSON.stringify(found) ?? 'missing', MAX_FOUND_CHARACTERS)}: ${words}`
  })
  const more = issues.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

const MAX_FOUND_CHARACTERS = 80

/** Parses a value with `shape`, or fails the check with the mismatch. */
export function parseAs<T>(shape: z.ZodType<T>, value: unknown, what: string): T {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  fail(`${what} does not have the documented shape: ${describeMismatch(read.error, value)}`, {
    actual: value,
    operator: SHAPE,
  })
}

/** Parses a value with the shape of a name, or fails the check with the mismatch. */
export const parseNamed = <Shapes extends Readonly<Record<string, z.ZodType>>, Name extends keyof Shapes & string>(
  shapes: Shapes,
  name: Name,
  value: unknown,
  what: string,
): z.infer<Shapes[Name]> => parseAs<unknown>(shapes[name]!, value, what) as z.infer<Shapes[Name]>

/** Parses JSON that a server sent. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    fail(`${what} is not JSON: ${shorten(text, 200) || '(empty)'}`)
  }
}

/** Returns the same promise, and suppresses the unhandled rejection when its check has already ended. */
export function ignoreLateRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/** Resolves with the promise's value, or fails with a timeout that names `what`. */
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
