import type * as z from 'zod'
import { shortened } from './text/to-text.ts'

/** The most problems of one value that are listed. A list of a hundred thousand wrong items has as many problems. */
export const MAX_LISTED_ISSUES = 20
/** Problems quote what was given. */
const MAX_PROBLEM = 500

/** Formats schema problems in one line: `content[0].text: expected string, received number; …`. Counts those that were omitted. */
export function describeIssues({ issues }: z.ZodError): string {
  const listed = issues.slice(0, MAX_LISTED_ISSUES).map(describeIssue)
  const omitted = issues.length - listed.length
  return [...listed, ...(omitted > 0 ? [`and ${omitted} more problems`] : [])].join('; ')
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const place = shortened(placeOf(path))
  if (place !== '' && message.endsWith(' received undefined')) return `${place} is missing`
  const problem = shortened(message.replace(/^Invalid input: /, ''), MAX_PROBLEM)
  return place === '' ? problem : `${place}: ${problem}`
}

/** A path as in a program: `content[0].text`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (place, step) =>
      typeof step === 'number' ? `${place}[${step}]` : place === '' ? String(step) : `${place}.${String(step)}`,
    '',
  )
