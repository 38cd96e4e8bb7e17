import type * as z from 'zod'
import { shortened } from './strings.ts'

/** The deepest nesting of objects and arrays in an external value. */
export const MAX_JSON_DEPTH = 64

/** Whether a value is nested so deeply that recursion may exhaust the stack. Stops at the first such place. */
export function isTooDeep(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  // Iterating over the keys of a long array takes ten times as long.
  if (Array.isArray(value)) {
    for (const item of value) if (levels === 0 || isTooDeep(item, levels - 1)) return true
    return false
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const name in fields) if (levels === 0 || isTooDeep(fields[name], levels - 1)) return true
  return false
}

/** The most problems of one value that are listed. A list of a hundred thousand wrong items has as many problems. */
export const MAX_LISTED_ISSUES = 20
/** Problems quote what was given. */
const MAX_PROBLEM = 500

/** Formats schema problems in one line: `content[0].text: expected string, received number; …`. Counts those that were omitted. */
export function describeIssues({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }): string {
  const listed = issues.slice(0, MAX_LISTED_ISSUES).map(describeIssue)
  const omitted = issues.length - listed.length
  return [...listed, ...(omitted > 0 ? [`and ${omitted} more problems`] : [])].join('; ')
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const { path, issue: inner } = innermost(issue)
  const place = shortened(placeOf(path))
  if (place !== '' && isMissing(inner)) return `${place} is missing`
  const problem = shortened(problemWords(inner), MAX_PROBLEM)
  return place === '' ? problem : `${place}: ${problem}`
}

/** What was wrong and what would be right, in plain words and without the place. */
export function problemWords(issue: z.core.$ZodIssue): string {
  if (!OWN_WORDS.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue)
        ? `is missing; give ${typeWords(issue.expected)}`
        : `expected ${typeWords(issue.expected)}, not ${issue.expected === 'int' && receivedBy(issue) === 'number' ? 'a fraction' : typeWords(receivedBy(issue))}`
    case 'invalid_value':
      return isMissing(issue) ? 'is missing' : `expected ${choices(issue.values.map(String))}`
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${amount(issue.minimum, issue.origin)}`
    case 'too_big':
      return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${amount(issue.maximum, issue.origin)}`
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`
    case 'invalid_key':
      return `the name is wrong${issue.issues[0] ? `: ${problemWords(issue.issues[0])}` : ''}`
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.map((key) => JSON.stringify(shortened(key))).join(', ')}`
    case 'invalid_union': {
      const { path, issue: inner } = innermost(issue)
      if (issue.inclusive !== false && issue.options?.length) return `expected ${choices(issue.options.map(String))}`
      if (inner !== issue) return path.length === 0 ? problemWords(inner) : `${placeOf(path)}: ${problemWords(inner)}`
      const types = issue.errors.flatMap((branch) =>
        branch.flatMap((each) => (each.code === 'invalid_type' ? [typeWords(each.expected)] : [])),
      )
      return types.length === 0 ? 'it has none of the forms that are allowed' : `expected ${either(types)}`
    }
    default:
      return issue.message.replace(/^Invalid input(: )?/, '') || 'it is not allowed here'
  }
}

/** How messages of the schema library begin. Others are those of our schemas. */
const OWN_WORDS = /^(Invalid|Too (small|big)|Unrecognized)/

/** Whether a value is not there. */
export const isMissing = ({ message }: z.core.$ZodIssue): boolean => message.endsWith('received undefined')

interface PlacedIssue {
  readonly path: readonly PropertyKey[]
  readonly issue: z.core.$ZodIssue
}

/** The problem inside the only form of a union that has the right type. The issue itself where there is no such form. */
function innermost(issue: z.core.$ZodIssue): PlacedIssue {
  if (issue.code !== 'invalid_union') return { path: issue.path, issue }
  const near = issue.errors.filter((branch) => branch.every(({ code, path }) => code !== 'invalid_type' || path.length))
  const [first] = near.length === 1 ? near[0]! : []
  if (!first) return { path: issue.path, issue }
  const inner = innermost(first)
  return { path: [...issue.path, ...inner.path], issue: inner.issue }
}

/** The type that was given, which zod tells in its message only. */
const receivedBy = ({ message }: z.core.$ZodIssue): string => / received (\S+)$/.exec(message)?.[1] ?? 'this'

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  undefined: 'nothing',
}

const typeWords = (type: string): string => TYPE_WORDS[type] ?? type

const MEASURES: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function amount(limit: number | bigint, origin: string): string {
  const [one, several] = MEASURES[origin] ?? []
  const unit = Number(limit) === 1 ? one : several
  return unit === undefined ? String(limit) : `${limit} ${unit}`
}

const choices = (values: readonly string[]): string =>
  values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`

const either = (words: readonly string[]): string => [...new Set(words)].join(' or ')

/** A path as in a program: `content[0].text`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (place, step) =>
      typeof step === 'number' ? `${place}[${step}]` : place === '' ? String(step) : `${place}.${String(step)}`,
    '',
  )
