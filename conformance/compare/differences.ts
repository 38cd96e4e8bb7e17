import { inspect } from 'node:util'

/** One place where a value is not as it should be. */
export interface Difference {
  /** Steps to it, such as `children.0.name`; empty for the value itself. */
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Marks a missing field. */
export const ABSENT = Symbol('absent')

/** The innermost places in which two values differ, in the order of the expected one. */
export function differences(expected: unknown, actual: unknown, path = ''): readonly Difference[] {
  if (Object.is(expected, actual)) return []
  if (!isBranch(expected) || !isBranch(actual) || Array.isArray(expected) !== Array.isArray(actual))
    return [{ path, expected, actual }]
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...keys].flatMap((key) =>
    differences(fieldOf(expected, key), fieldOf(actual, key), path === '' ? key : `${path}.${key}`),
  )
}

type Branch = Readonly<Record<string, unknown>>

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null
const fieldOf = (value: Branch, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : ABSENT)

const MAX_LISTED = 3

/** The first places in words. */
export function describeDifferences(places: readonly Difference[]): string {
  const details = places.slice(0, MAX_LISTED).map(({ path, expected, actual }) => {
    const words = `expected ${brief(expected)}, found ${brief(actual)}`
    return path === '' ? words : `${path}: ${words}`
  })
  const more = places.length - details.length
  return [...details, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

const MAX_BRIEF_LENGTH = 80

function brief(value: unknown): string {
  if (value === ABSENT) return 'nothing'
  const text = inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 8 })
  return text.length > MAX_BRIEF_LENGTH ? `${text.slice(0, MAX_BRIEF_LENGTH)} …` : text
}
