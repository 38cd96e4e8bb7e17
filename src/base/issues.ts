import * as z from 'zod'

/** The most problems of one value that are listed. A list of a hundred thousand wrong items has as many problems. */
export const MAX_LISTED_ISSUES = 20

/** Formats schema problems, one line each, and the number of those that were omitted. */
export function describeIssues({ issues }: z.ZodError): string {
  const text = z.prettifyError(new z.ZodError(issues.slice(0, MAX_LISTED_ISSUES)))
  return issues.length > MAX_LISTED_ISSUES ? `${text}\nand ${issues.length - MAX_LISTED_ISSUES} more problems` : text
}
