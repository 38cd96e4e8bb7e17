import { inspect, isDeepStrictEqual } from 'node:util'
import { diffChars } from 'diff'
import { fail } from '../probe/failure.ts'

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
export const describeDifferences = (places: readonly Difference[]): string =>
  listPlaces(places, ({ expected, actual }) => {
    const found = `expected ${brief(expected)}, found ${brief(actual)}`
    if (typeof expected !== 'string' || typeof actual !== 'string' || isShort(expected, actual)) return found
    const edits = editsOf(expected, actual)
    if (edits.length > 0) return describeEdits(edits)
    const from = [...expected].findIndex((character, at) => character !== actual[at])
    return from < CONTEXT_LENGTH
      ? found
      : `from character ${from + 1} on expected ${brief(expected.slice(from))}, found ${brief(actual.slice(from))}`
  })

/** The first places in which two statements differ, with the source of each. Neither is known to be right. */
const describeDisagreement = (places: readonly Difference[], source: string, otherSource: string): string =>
  listPlaces(
    places,
    ({ expected, actual }) => `${source} says ${brief(expected)}, ${otherSource} says ${brief(actual)}`,
  )

function listPlaces(places: readonly Difference[], describe: (place: Difference) => string): string {
  const details = places
    .slice(0, MAX_LISTED)
    .map((place) => (place.path === '' ? describe(place) : `${place.path}: ${describe(place)}`))
  const more = places.length - details.length
  return [...details, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** The length of a text up to which it is quoted whole. */
const MAX_TEXT_LENGTH = 80
const MAX_BRIEF_LENGTH = 200

function brief(value: unknown): string {
  if (value === ABSENT) return 'nothing'
  const text = inspect(value, {
    depth: 2,
    breakLength: Number.POSITIVE_INFINITY,
    maxArrayLength: 8,
    maxStringLength: MAX_TEXT_LENGTH,
  })
  return text.length > MAX_BRIEF_LENGTH ? `${text.slice(0, MAX_BRIEF_LENGTH)} …` : text
}

/** A place in which a long text is not as expected. */
interface TextEdit {
  /** The place in the expected text, from 1. */
  readonly at: number
  readonly lost: string
  readonly added: string
  /** The text around it, with the lost or added part in brackets. */
  readonly around: string
}

const MAX_EDITS = 4
/** Texts that differ in more characters are quoted instead. */
const MAX_EDITED_CHARACTERS = 60
/** How many characters around an edit are quoted. */
const CONTEXT_LENGTH = 12

const isShort = (one: string, other: string): boolean => Math.max(one.length, other.length) <= MAX_TEXT_LENGTH

/** Where two texts differ; none if they differ much. */
function editsOf(expected: string, actual: string): readonly TextEdit[] {
  const parts = diffChars(expected, actual, { maxEditLength: MAX_EDITED_CHARACTERS }) ?? []
  let at = 0
  return parts.flatMap(({ value, removed, added }, index): TextEdit[] => {
    const start = at
    if (!added) at += value.length
    const isCounted = added && parts[index - 1]?.removed
    if (!(removed || added) || isCounted) return []
    const next = parts[index + 1]
    const insert = added ? value : next?.added ? next.value : ''
    const lost = removed ? value : ''
    const before = expected.slice(Math.max(0, start - CONTEXT_LENGTH), start)
    const after = expected.slice(at, at + CONTEXT_LENGTH)
    return [{ at: start + 1, lost, added: insert, around: `…${before}[${lost || insert}]${after}…` }]
  })
}

function describeEdits(edits: readonly TextEdit[]): string {
  const shown = edits.slice(0, MAX_EDITS).map(({ at, lost, added, around }) => {
    const what = added === '' ? 'is lost' : lost === '' ? 'is added' : `became ${brief(added)}`
    return `${brief(lost || added)} ${what} at character ${at} (${brief(around)})`
  })
  const more = edits.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

/**
 * Fails when two statements of one server differ. Each has the name of its source, such as `POST /screen_size`, because
 * neither of them is known to be right.
 */
export function assertAgree(statements: Readonly<Record<string, unknown>>, about = ''): void {
  const [[source, value] = ['', undefined], ...others] = Object.entries(statements)
  for (const [otherSource, other] of others) {
    if (isDeepStrictEqual(value, other)) continue
    const words = describeDisagreement(differences(value, other), source, otherSource)
    fail(about === '' ? words : `${about}: ${words}`, { statements: { [source]: value, [otherSource]: other } })
  }
}
